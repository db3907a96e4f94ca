//! Access control of the server. Any web page in a browser can send requests to this machine, and any program
//! of any user on this machine can connect. Therefore a request is accepted only if its host is this server,
//! its origin is the server's page, and it contains the secret token of this run.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};

/// Secret token of 128 bits, different in every run.
#[derive(Clone)]
pub(super) struct Token(String);

impl Token {
    /// Generates a token.
    pub(super) fn draw() -> Token {
        Token(format!("{:032x}", rand::random::<u128>()))
    }

    /// Returns the token for the URL that the user opens.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Compares a string with the token in constant time.
    pub(super) fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        text.len() == self.0.len() && differences == 0
    }
}

/// Host names under which the server may be addressed.
#[derive(Clone)]
pub(super) struct HostNames([String; 3]);

impl HostNames {
    /// Creates the host names for a port.
    pub(super) fn new(port: u16) -> HostNames {
        HostNames(["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")))
    }

    /// Checks the host of a request, to reject other names that resolve to this machine (DNS rebinding).
    ///
    /// # Errors
    /// Returns status 421 if the request is for another host.
    pub(super) fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<&str, StatusCode> {
        let host = only(headers, header::HOST).ok_or(StatusCode::MISDIRECTED_REQUEST)?;
        // The target of a proxy request also contains a host, which takes precedence over the header.
        if uri.authority().is_some_and(|authority| authority.as_str() != host) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        let known = self.0.iter().find(|name| *name == host);
        known.map(String::as_str).ok_or(StatusCode::MISDIRECTED_REQUEST)
    }

    /// Checks the origin of a WebSocket, since browsers let any page open a connection to any host.
    ///
    /// # Errors
    /// Returns status 403, or 421 like [`Self::check_host`].
    pub(super) fn check_socket(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), StatusCode> {
        let host = self.check_host(uri, headers)?;
        let origin = only(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        let site = headers.get_all("sec-fetch-site").iter();
        let from_us = site.into_iter().all(|site| site == "same-origin");
        if origin == Some(host) && from_us { Ok(()) } else { Err(StatusCode::FORBIDDEN) }
    }
}

/// Returns the value of a header that occurs exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Adds security headers to a response: the page may load from, and connect to, only this server, and no
/// other page may embed or read it.
pub(super) fn protect(headers: &mut HeaderMap, host: Option<&str>) {
    // Not every browser applies `self` to WebSockets. A policy cannot contain IPv6 addresses.
    let socket = host.filter(|host| !host.starts_with('[')).map_or(String::new(), |host| format!(" ws://{host}"));
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'{socket}; \
         manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    let rules = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in rules {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn only_our_own_names_are_answered() {
        let (names, path) = (HostNames::new(7000), Uri::from_static("/"));
        for host in ["127.0.0.1:7000", "localhost:7000", "[::1]:7000"] {
            assert_eq!(names.check_host(&path, &headers(&[("host", host)])), Ok(host));
        }
        let whole =
            |uri: &'static str| names.check_host(&Uri::from_static(uri), &headers(&[("host", "localhost:7000")]));
        assert_eq!(whole("http://localhost:7000/app.js"), Ok("localhost:7000"));
        for uri in ["http://evil.example/", "http://localhost:7001/", "http://x@localhost:7000/"] {
            assert_eq!(whole(uri), Err(StatusCode::MISDIRECTED_REQUEST), "{uri}");
        }
        for host in
            ["127.0.0.1", "localhost:7001", "LOCALHOST:7000", "evil.example:7000", "127.0.0.1:7000.evil.example", ""]
        {
            assert!(names.check_host(&path, &headers(&[("host", host)])).is_err(), "{host}");
        }
        assert!(names.check_host(&path, &headers(&[])).is_err());
        assert!(names.check_host(&path, &headers(&[("host", "localhost:7000"), ("host", "localhost:7000")])).is_err());
    }

    #[test]
    fn only_our_own_page_opens_a_socket() {
        let names = HostNames::new(7000);
        let host = ("host", "localhost:7000");
        let path = Uri::from_static("/socket");
        let check = |rest: &[(&'static str, &str)]| names.check_socket(&path, &headers(&[&[host], rest].concat()));
        assert_eq!(check(&[("origin", "http://localhost:7000")]), Ok(()));
        assert_eq!(check(&[("origin", "http://localhost:7000"), ("sec-fetch-site", "same-origin")]), Ok(()));
        for origin in [
            "http://127.0.0.1:7000",
            "https://localhost:7000",
            "http://localhost:7001",
            "http://evil.example",
            "null",
            "",
        ] {
            assert_eq!(check(&[("origin", origin)]), Err(StatusCode::FORBIDDEN), "{origin}");
        }
        assert_eq!(check(&[]), Err(StatusCode::FORBIDDEN));
        for site in ["cross-site", "same-site", "none"] {
            let crossed = check(&[("origin", "http://localhost:7000"), ("sec-fetch-site", site)]);
            assert_eq!(crossed, Err(StatusCode::FORBIDDEN), "{site}");
        }
    }

    #[test]
    fn a_token_is_itself_and_nothing_else() {
        let token = Token::draw();
        assert_eq!(token.text().len(), 32);
        assert!(token.is(token.text()));
        for wrong in ["", &token.text()[1..], &format!("{}0", token.text()), Token::draw().text()] {
            assert!(!token.is(wrong), "{wrong}");
        }
    }
}
