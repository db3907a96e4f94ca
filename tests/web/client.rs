//! A server in its own process, and a client with raw sockets, which can violate the protocol.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A `chuhe serve` process that ends with the test.
pub(crate) struct Server {
    pub process: Child,
    pub port: u16,
    pub token: String,
}

impl Server {
    /// Starts a server on any free port.
    pub(crate) fn start() -> Server {
        Server::start_with(&["--port", "0"])
    }

    pub(crate) fn start_with(arguments: &[&str]) -> Server {
        Server::start_in(arguments, &[])
    }

    /// Starts a server with environment variables.
    pub(crate) fn start_in(arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command.arg("serve").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(variables.iter().copied());
        // Only servers with their own data folder store games.
        if cfg!(feature = "sqlite-books") && variables.iter().all(|(name, _)| *name != "XDG_DATA_HOME") {
            command.arg("--no-my-games");
        }
        let mut process = command.spawn().expect("chuhe");
        let mut url = String::new();
        let out = process.stdout.as_mut().expect("its output");
        BufReader::new(out).read_line(&mut url).expect("an address");
        let (address, token) = url.trim().split_once("/#token=").expect("a token");
        let port = address.strip_prefix("http://127.0.0.1:").expect("the loopback address").parse().expect("a port");
        Server { process, port, token: token.to_owned() }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        // The timeout is far longer than any response takes.
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time");
        stream
    }

    /// Returns the peak memory in kB; `None` if the system does not provide it.
    pub(crate) fn peak_kb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
    }

    /// Returns the whole response to a request.
    pub(crate) fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Returns the response to a GET request for a path, with additional headers.
    pub(crate) fn get(&self, path: &str, host: &str, headers: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"))
    }

    /// Returns the host name of the server.
    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Opens a WebSocket with the origin of the server's page.
    pub(crate) fn socket(&self) -> Socket {
        self.try_socket(&format!("Origin: http://{}\r\n", self.host())).unwrap_or_else(|status| panic!("{status}"))
    }

    /// Opens a WebSocket, or returns the status line of the refusal.
    pub(crate) fn try_socket(&self, headers: &str) -> Result<Socket, String> {
        let mut stream = self.connect();
        let host = self.host();
        let request = format!(
            "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
        );
        stream.write_all(request.as_bytes()).expect("a request");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            if stream.read(&mut byte).expect("an answer") == 0 {
                break;
            }
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        if head.starts_with("HTTP/1.1 101") { Ok(Socket(stream)) } else { Err(head) }
    }

    /// Opens a WebSocket and sends a hello.
    pub(crate) fn greeted(&self) -> Socket {
        let mut socket = self.socket();
        socket.say(&json!({"id": 0, "do": "hello", "token": self.token}));
        assert_eq!(socket.hear().expect("an answer")["is"], "hello");
        socket
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A WebSocket.
pub(crate) struct Socket(TcpStream);

impl Socket {
    /// Sends a frame as a client.
    pub(crate) fn frame(&mut self, first: u8, length: usize, body: &[u8]) -> std::io::Result<()> {
        self.0.write_all(&Socket::head(first, length))?;
        self.body(body)
    }

    /// Sends another part of a frame.
    pub(crate) fn body(&mut self, body: &[u8]) -> std::io::Result<()> {
        self.0.write_all(body)
    }

    /// Returns the header of a frame with a mask of zero.
    fn head(first: u8, length: usize) -> Vec<u8> {
        let mut head = vec![first];
        match length {
            0..126 => head.push(0x80 | length as u8),
            126..65536 => {
                head.push(0x80 | 126);
                head.extend((length as u16).to_be_bytes());
            }
            _ => {
                head.push(0x80 | 127);
                head.extend((length as u64).to_be_bytes());
            }
        }
        head.extend([0; 4]);
        head
    }

    /// Sends bytes that are not a frame.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        // The server may have closed the connection.
        let _ = self.0.write_all(bytes);
    }

    /// Sends a text message.
    pub(crate) fn text(&mut self, text: &str) {
        self.frame(0x81, text.len(), text.as_bytes()).expect("a frame");
    }

    /// Sends several text messages at once.
    pub(crate) fn texts(&mut self, texts: &[&str]) {
        let bytes: Vec<u8> =
            texts.iter().flat_map(|text| [&Socket::head(0x81, text.len()), text.as_bytes()].concat()).collect();
        self.raw(&bytes);
    }

    /// Sends a message.
    pub(crate) fn say(&mut self, message: &Value) {
        self.text(&message.to_string());
    }

    /// Returns the next event; `None` at the end of the connection.
    pub(crate) fn hear(&mut self) -> Option<Value> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).ok()?;
            let length = match head[1] {
                126 => {
                    let mut bytes = [0; 2];
                    self.0.read_exact(&mut bytes).ok()?;
                    usize::from(u16::from_be_bytes(bytes))
                }
                127 => {
                    let mut bytes = [0; 8];
                    self.0.read_exact(&mut bytes).ok()?;
                    u64::from_be_bytes(bytes) as usize
                }
                length => usize::from(length),
            };
            let mut body = vec![0; length];
            self.0.read_exact(&mut body).ok()?;
            match head[0] & 0x0f {
                1 => return Some(serde_json::from_slice(&body).expect("JSON")),
                8 => return None,
                _ => {}
            }
        }
    }

    /// Returns the next event of a request that is not partial.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let event = self.hear().expect("an answer");
            if event["id"] == id && event["is"] != "line" && event["is"] != "progress" {
                return event;
            }
        }
    }

    /// Closes the connection without a close frame.
    pub(crate) fn drop_dead(self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }

    /// Waits until the server closes the connection; returns `false` on timeout.
    pub(crate) fn is_over(&mut self) -> bool {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}
