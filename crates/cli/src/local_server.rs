//! [`LocalServer`]: pages for the browser of this machine's user, and for nobody else.
//!
//! It listens on the loopback address alone. The address that is printed has a random token, and a request
//! without it is refused, so other users of the machine see nothing. Pages of other sites cannot reach it
//! either: a name that leads to this machine is no `Host` of it, and a request that another page has made
//! says so in `Origin` or `Sec-Fetch-Site`.

use std::fs::File;
use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context, Result, anyhow};
use tiny_http::{Header, Method, Request, Response, Server};

/// Bytes of the token.
const TOKEN_BYTES: usize = 16;
/// Bytes of a form.
const FORM_BYTES_MAX: u64 = 1 << 20;

/// A server for one user.
pub(crate) struct LocalServer {
    server: Server,
    port: u16,
    token: String,
}

/// A request that the server's user has made.
pub(crate) struct LocalRequest {
    request: Request,
    /// The path behind the token, without a slash at its beginning, and what is behind its question mark.
    path: String,
    query: String,
    /// It asks for something to be done.
    pub(crate) is_post: bool,
}

/// An answer.
pub(crate) enum LocalAnswer {
    Page(String),
    /// The page at another path behind the token.
    SeeOther(String),
    /// There is no such page; with the reason.
    NotFound(String),
    /// Something has failed.
    Failed(String),
}

impl LocalServer {
    /// Listens on a port, or on any that is free.
    pub(crate) fn start(port: u16) -> Result<LocalServer> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let server = Server::http(address);
        let server = server.map_err(|error| anyhow!("cannot listen on {address}: {error}"))?;
        let port = server.server_addr().to_ip().context("the server has no address")?.port();
        Ok(LocalServer { server, port, token: token()? })
    }

    /// The beginning of all paths, without a slash at its end.
    pub(crate) fn base(&self) -> String {
        format!("/{}", self.token)
    }

    /// The address to open.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Waits for the next request that may be answered; `None` once [`LocalServer::stop`] was called. All
    /// others are refused.
    pub(crate) fn next(&self) -> Result<Option<LocalRequest>> {
        loop {
            let request = match self.server.recv() {
                Ok(request) => request,
                Err(error) if error.kind() == std::io::ErrorKind::Other => return Ok(None),
                Err(error) => return Err(error).context("cannot receive requests"),
            };
            match self.admitted(&request) {
                Ok((path, query)) => {
                    let is_post = *request.method() == Method::Post;
                    return Ok(Some(LocalRequest { request, path, query, is_post }));
                }
                Err(why) => {
                    let text = format!("refused: {why}\n");
                    // Whoever has asked may be gone.
                    let _ = request.respond(Response::from_string(text).with_status_code(403));
                }
            }
        }
    }

    /// Ends the wait for requests.
    pub(crate) fn stop(&self) {
        self.server.unblock();
    }

    /// The path behind the token and the query of a request, or the reason why it is refused.
    fn admitted(&self, request: &Request) -> Result<(String, String), &'static str> {
        let of = |name: &str| {
            let headers = request.headers().iter();
            let named =
                headers.filter(|header| header.field.as_str().as_str().eq_ignore_ascii_case(name));
            named.map(|header| header.value.as_str().to_owned()).collect::<Vec<String>>()
        };
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        match &of("host")[..] {
            [host] if hosts.contains(host) => {
                let own = format!("http://{host}");
                if of("origin").iter().any(|origin| *origin != own) {
                    return Err("another site has made the request");
                }
            }
            _ => return Err("the Host is not the address that was printed"),
        }
        let is_own = |site: &String| matches!(site.as_str(), "same-origin" | "none");
        if !of("sec-fetch-site").iter().all(is_own) {
            return Err("another site has made the request");
        }
        if !matches!(request.method(), Method::Get | Method::Head | Method::Post) {
            return Err("the method is none of GET, HEAD and POST");
        }
        let (path, query) = request.url().split_once('?').unwrap_or((request.url(), ""));
        let behind = path.strip_prefix('/').and_then(|path| path.strip_prefix(&self.token));
        match behind.and_then(|rest| rest.strip_prefix('/')) {
            Some(rest) => Ok((rest.to_owned(), query.to_owned())),
            None => Err("the address lacks the token: use the one that was printed"),
        }
    }
}

impl LocalRequest {
    /// The parts of the path behind the token.
    pub(crate) fn path(&self) -> Vec<&str> {
        self.path.split('/').filter(|part| !part.is_empty()).collect()
    }

    /// A field of the form that was sent in the address.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        field(&self.query, name)
    }

    /// The form that was sent as the content.
    pub(crate) fn form(&mut self) -> Result<String> {
        let mut form = String::new();
        let mut content = self.request.as_reader().take(FORM_BYTES_MAX + 1);
        content.read_to_string(&mut form).context("cannot read the request")?;
        anyhow::ensure!(form.len() as u64 <= FORM_BYTES_MAX, "the request is too large");
        Ok(form)
    }

    /// Answers; `base` is [`LocalServer::base`].
    pub(crate) fn answer(self, base: &str, answer: LocalAnswer) {
        let (text, status, other) = match answer {
            LocalAnswer::Page(page) => (page, 200, None),
            LocalAnswer::SeeOther(path) => (String::new(), 303, Some(format!("{base}/{path}"))),
            LocalAnswer::NotFound(why) => (why + "\n", 404, None),
            LocalAnswer::Failed(why) => (why + "\n", 500, None),
        };
        let kind = if status == 200 { "text/html" } else { "text/plain" };
        let mut headers = vec![
            ("Content-Type", format!("{kind}; charset=utf-8")),
            ("Cache-Control", "no-store".to_owned()),
            // With `no-referrer`, browsers hide the origin of forms.
            ("Referrer-Policy", "same-origin".to_owned()),
            ("X-Content-Type-Options", "nosniff".to_owned()),
            ("Content-Security-Policy", "frame-ancestors 'none'".to_owned()),
            ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
        ];
        headers.extend(other.map(|other| ("Location", other)));
        let mut response = Response::from_string(text).with_status_code(status);
        for (name, value) in headers {
            // They are made of the token, of numbers and of the words above.
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        // Whoever has asked may be gone.
        let _ = self.request.respond(response);
    }
}

/// A field of a form.
pub(crate) fn field(form: &str, name: &str) -> Option<String> {
    let fields = form.split('&').filter_map(|field| field.split_once('='));
    let (_, value) = { fields }.find(|(field, _)| *field == name)?;
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A token that nobody can guess.
fn token() -> Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.context("cannot read random bytes from /dev/urandom")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_forms_are_decoded() {
        let form = "at=a%2Fb.c%3A12&node=&text=x+%C3%BC&bad=%zz&cut=%4";
        assert_eq!(field(form, "at").as_deref(), Some("a/b.c:12"));
        assert_eq!(field(form, "node").as_deref(), Some(""));
        assert_eq!(field(form, "text").as_deref(), Some("x ü"));
        assert_eq!(
            [field(form, "bad"), field(form, "cut"), field(form, "none")],
            [None, None, None]
        );
    }

    #[test]
    fn tokens_differ() {
        let (one, other) = (token().unwrap(), token().unwrap());
        assert_eq!(one.len(), 2 * TOKEN_BYTES);
        assert_ne!(one, other);
    }
}
