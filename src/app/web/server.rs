//! The server: listens on the loopback interface, serves the page, and accepts WebSockets.

use super::connection::{self, Access};
use super::files;
use super::guard::{HostNames, Token, protect};
use super::roster::Roster;
use super::waiting::{LimitedStream, UnauthenticatedConnection, WaitingConnections};
use super::worker::Shared;
use crate::desk::DeskSettings;
use crate::engine_list::EngineList;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Extension, Router};
use chuhe_lab::arena::player::Player;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

/// First port to try. The port is fixed because the browser stores a page's data per port.
pub(crate) const PORT: u16 = 7390;

/// Number of ports to try.
const TRIES: u16 = 20;
/// Maximum length of a WebSocket message in bytes, sufficient for the largest game file.
const MAX_MESSAGE: usize = 32 << 20;
/// Maximum number of pages.
const MAX_PAGES: usize = 8;
/// Maximum number of Chuhe's own searchers, each with a hash table, over all pages.
const MAX_ENGINES: usize = 4;
/// Maximum number of processes of external engines.
const MAX_PROCESSES: usize = 8;
/// Maximum size of a connection's output buffer in bytes: a response of maximum length, and shorter responses
/// before it.
const MAX_OUTPUT: usize = 2 * MAX_MESSAGE;
/// Timeout for the header of a request.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum duration of a connection that loads files, including clients that never read their responses.
const MAX_VISIT: Duration = Duration::from_secs(60);

/// Settings of a server.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// First port to try; 0 selects any free port.
    pub port: u16,
    /// Resource limits of a page.
    pub desk: DeskSettings,
    /// External engines that pages may use, with distinct names.
    pub engines: Vec<Player>,
    /// The user's list of engines, if pages may change it.
    pub engine_list: Option<EngineList>,
}

/// A listening server.
pub(crate) struct Server {
    listeners: Vec<TcpListener>,
    port: u16,
    token: Token,
    desk: DeskSettings,
    roster: Roster,
    ended: watch::Sender<bool>,
}

/// Handle that shuts down a server.
#[derive(Clone)]
pub(crate) struct ShutdownHandle(watch::Sender<bool>);

impl ShutdownHandle {
    /// Stops listening and ends all searches; [`Server::run`] then returns.
    pub(crate) fn shut_down(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listens on the first free port of 127.0.0.1 and, if available, of ::1.
    ///
    /// # Errors
    /// Returns an error if no port is free or the system does not allow listening.
    pub(crate) fn bind(settings: Settings) -> io::Result<Server> {
        let (listeners, port) = listen(settings.port)?;
        let (ended, _) = watch::channel(false);
        let Settings { desk, engines, engine_list, .. } = settings;
        let roster = Roster::new(engines, engine_list);
        let desk = DeskSettings { may_add_engines: roster.list().is_some(), ..desk };
        Ok(Server { listeners, port, token: Token::draw(), desk, roster, ended })
    }

    /// Returns the port.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the URL with the token of this run.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token.text())
    }

    /// Returns a handle that shuts down the server from another thread.
    pub(crate) fn shutdown_handle(&self) -> ShutdownHandle {
        ShutdownHandle(self.ended.clone())
    }

    /// Serves until the server is shut down.
    ///
    /// # Errors
    /// Returns an error if the asynchronous runtime cannot be created.
    pub(crate) fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let served = runtime.block_on(self.serve());
        runtime.shutdown_timeout(Duration::from_millis(100));
        served
    }

    async fn serve(self) -> io::Result<()> {
        let state = AppState {
            host_names: HostNames::new(self.port),
            token: self.token,
            shared: Shared {
                settings: self.desk,
                engines: Arc::new(Semaphore::new(MAX_ENGINES)),
                reviews: Arc::new(Semaphore::new(1)),
                roster: Arc::new(self.roster),
                processes: Arc::new(Semaphore::new(MAX_PROCESSES)),
            },
            pages: Arc::new(Semaphore::new(MAX_PAGES)),
            waiting: WaitingConnections::default(),
            ended: self.ended.subscribe(),
        };
        let mut ended = self.ended.subscribe();
        let waiting = state.waiting.clone();
        let router = Router::new().route("/ws", any(socket)).fallback(file).with_state(state);
        for listener in self.listeners {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::spawn(accept(listener, router.clone(), waiting.clone()));
        }
        let _ = ended.wait_for(|ended| *ended).await;
        // Gives the connections time to send their close frames.
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok(())
    }
}

fn listen(first: u16) -> io::Result<(Vec<TcpListener>, u16)> {
    let mut refused = io::Error::from(io::ErrorKind::AddrInUse);
    for port in (first..=u16::MAX).take(usize::from(if first == 0 { 1 } else { TRIES })) {
        match listen_on(port) {
            Ok(listening) => return Ok(listening),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => refused = error,
            Err(error) => return Err(error),
        }
    }
    Err(refused)
}

fn listen_on(port: u16) -> io::Result<(Vec<TcpListener>, u16)> {
    let bind = |address: SocketAddr| -> io::Result<TcpListener> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    let four = bind((Ipv4Addr::LOCALHOST, port).into())?;
    let port = four.local_addr()?.port();
    match bind((Ipv6Addr::LOCALHOST, port).into()) {
        Ok(six) => Ok((vec![four, six], port)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        // The machine does not support IPv6.
        Err(_) => Ok((vec![four], port)),
    }
}

async fn accept(listener: tokio::net::TcpListener, router: Router, waiting: WaitingConnections) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // There are too many open files, or the connection was closed at once.
            Err(error) => {
                tracing::debug!("a connection failed: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Disables Nagle's algorithm, so that a line is sent before the previous one is acknowledged.
        let _ = stream.set_nodelay(true);
        let connection = waiting.add();
        let service = TowerToHyperService::new(router.clone().layer(Extension(Arc::clone(&connection))));
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(16 << 10);
            let line = LimitedStream { stream, connection: Arc::clone(&connection) };
            let visit = http.serve_connection(TokioIo::new(line), service).with_upgrades();
            tokio::select! {
                _ = timeout(MAX_VISIT, visit) => {}
                () = connection.closed() => {}
            }
        });
    }
}

/// State shared by the request handlers.
#[derive(Clone)]
struct AppState {
    host_names: HostNames,
    token: Token,
    shared: Shared,
    pages: Arc<Semaphore>,
    waiting: WaitingConnections,
    ended: watch::Receiver<bool>,
}

/// Accepts a page's WebSocket.
async fn socket(
    State(state): State<AppState>,
    Extension(connection): Extension<Arc<UnauthenticatedConnection>>,
    request: Request,
) -> Response {
    use axum::extract::FromRequestParts;
    let (mut parts, _) = request.into_parts();
    if let Err(status) = state.host_names.check_socket(&parts.uri, &parts.headers) {
        return refuse(status);
    }
    let Ok(upgrade) = WebSocketUpgrade::from_request_parts(&mut parts, &()).await else {
        return refuse(StatusCode::UPGRADE_REQUIRED);
    };
    connection.note_request();
    connection.require_hello();
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.max_write_buffer_size(MAX_OUTPUT).on_upgrade(move |socket| async move {
        let AppState { token, shared, pages, waiting, ended, .. } = state;
        connection::serve_page(socket, Access { token, pages, waiting, connection }, shared, ended).await;
    })
}

/// Serves a file of the page.
async fn file(
    State(state): State<AppState>,
    Extension(connection): Extension<Arc<UnauthenticatedConnection>>,
    request: Request,
) -> Response {
    let host = match state.host_names.check_host(request.uri(), request.headers()) {
        Ok(host) => host,
        Err(status) => return refuse(status),
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return refuse(StatusCode::METHOD_NOT_ALLOWED);
    }
    let Some(file) = files::find(request.uri().path()) else { return refuse(StatusCode::NOT_FOUND) };
    connection.note_request();
    let mut response = Response::new(Body::from(file.bytes));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type()));
    protect(response.headers_mut(), Some(host));
    response
}

fn refuse(status: StatusCode) -> Response {
    let mut response = (status, status.canonical_reason().unwrap_or_default()).into_response();
    protect(response.headers_mut(), None);
    response
}
