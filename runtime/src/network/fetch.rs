//! What `curl` and `wget` share: one request with its redirects.

use std::io::ErrorKind;

use bytes::Bytes;
use offshoot_kernel::Invocation;
use offshoot_network::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION};
use offshoot_network::http::{HeaderMap, HeaderName, HeaderValue, Method};
use offshoot_network::{Client, Request, Response, Url};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_decode_str};

/// What is not encoded in the parts of a URL (RFC 3986, 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What is asked for.
#[derive(Debug, Clone)]
pub(super) struct Fetch {
    pub(super) method: Method,
    /// The method stays the same whatever a redirect says.
    pub(super) keeps_method: bool,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// Redirects that are followed.
    pub(super) redirects: usize,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    Network(offshoot_network::Error),
    /// More redirects than were allowed.
    Redirects(usize),
    /// It leads out of a sandbox that has no way out.
    NoNetwork,
    /// Nobody listens there in the sandbox.
    Refused(Url),
}

impl Failure {
    /// What happened, where the network did not say it.
    pub(super) fn text(&self) -> String {
        match self {
            Failure::Network(error) => error.to_string(),
            Failure::Redirects(most) => format!("Maximum ({most}) redirects followed"),
            Failure::NoNetwork => "this sandbox has no network".to_owned(),
            Failure::Refused(url) => {
                let (host, port) = (
                    url.host_str().unwrap_or_default(),
                    url.port_or_known_default(),
                );
                format!(
                    "Failed to connect to {host} port {}: Connection refused",
                    port.unwrap_or_default()
                )
            }
        }
    }
}

/// One step of the way: an answer that leads elsewhere, or the last one.
pub(super) struct Step {
    pub(super) response: Response,
    /// Where it came from.
    pub(super) url: Url,
    /// What was asked.
    pub(super) method: Method,
    /// Where it leads, if anywhere.
    pub(super) location: Option<Url>,
}

impl Fetch {
    /// A request for `text`; a missing scheme is `http`, a name and password become a header.
    pub(super) fn new(method: Method, text: &str) -> Result<Fetch, offshoot_network::Error> {
        let text = match text.contains("://") {
            true => text.to_owned(),
            false => format!("http://{text}"),
        };
        let mut headers = HeaderMap::new();
        let mut plain = Url::parse(&text).ok();
        if let Some(url) = &mut plain {
            if let Some(value) = user_of(url) {
                headers.insert(AUTHORIZATION, value);
            }
            let _ = url.set_username("").and_then(|()| url.set_password(None));
            url.set_fragment(None);
        }
        let text = plain.map_or(text, String::from);
        let request = Request::new(method, &text)?;
        Ok(Fetch {
            url: request.url().clone(),
            method: request.method,
            keeps_method: false,
            headers,
            body: Bytes::new(),
            redirects: 0,
        })
    }

    /// Sends it and says where the answer leads.
    pub(super) async fn send(&self, client: &Client, call: &Invocation) -> Result<Step, Failure> {
        let mut request =
            Request::new(self.method.clone(), self.url.as_str()).map_err(Failure::Network)?;
        if !call.permits_request(self.method.as_str(), self.url.as_str()) {
            return Err(Failure::Network(request.denied()));
        }
        request.headers = self.headers.clone();
        request.body = self.body.clone();
        let response = respond(request, client, call).await?;
        let location = location(&self.url, &response);
        Ok(Step {
            response,
            url: self.url.clone(),
            method: self.method.clone(),
            location,
        })
    }

    /// Turns to where a redirect leads. Another origin gets no credentials.
    pub(super) fn follow(&mut self, status: u16, to: Url) {
        let becomes_get = match status {
            303 => self.method != Method::HEAD,
            301 | 302 => self.method == Method::POST,
            _ => false,
        };
        if becomes_get && !self.keeps_method {
            self.method = Method::GET;
        }
        if becomes_get {
            self.body = Bytes::new();
            self.headers.remove(CONTENT_TYPE);
        }
        if to.origin() != self.url.origin() {
            self.headers.remove(AUTHORIZATION);
            self.headers.remove(COOKIE);
        }
        self.url = to;
    }
}

/// Asks what the policy allows, and otherwise who listens in the sandbox.
async fn respond(
    request: Request,
    client: &Client,
    call: &Invocation,
) -> Result<Response, Failure> {
    let policy = client.policy();
    let url = request.url().clone();
    if policy.check(request.method.as_str(), url.as_str()).is_err() && url.scheme() == "http" {
        let (host, port) = (url.host_str(), url.port_or_known_default());
        let stream = call.connect(host.unwrap_or_default(), port.unwrap_or_default());
        match stream.await {
            Ok(stream) => {
                let answer = client.send_over(request, stream).await;
                return answer.map_err(Failure::Network);
            }
            Err(error) if error.kind() == ErrorKind::ConnectionRefused && policy.is_closed() => {
                return Err(Failure::Refused(url));
            }
            // It is not the sandbox's, or the policy's refusal says more.
            Err(_) => {}
        }
    }
    if policy.is_closed() {
        return Err(Failure::NoNetwork);
    }
    client.send(request).await.map_err(Failure::Network)
}

fn location(from: &Url, response: &Response) -> Option<Url> {
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let to = response.headers.get(LOCATION)?;
    let mut to = from.join(&String::from_utf8_lossy(to.as_bytes())).ok()?;
    to.set_fragment(None);
    Some(to)
}

/// The header for `name:password@` in a URL.
fn user_of(url: &Url) -> Option<HeaderValue> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut user: Vec<u8> = percent_decode_str(url.username()).collect();
    user.push(b':');
    user.extend(percent_decode_str(url.password().unwrap_or_default()));
    basic(&user)
}

/// The header for `NAME:PASSWORD`.
pub(super) fn basic(user: &[u8]) -> Option<HeaderValue> {
    use base64::Engine;
    let encoded = base64::engine::general_purpose::STANDARD.encode(user);
    HeaderValue::from_str(&format!("Basic {encoded}")).ok()
}

/// `text` with everything but letters, digits and `-._~` as `%XX`.
pub(super) fn percent_encoded(text: &[u8]) -> String {
    percent_encoding::percent_encode(text, RESERVED).to_string()
}

/// Reads `Name: value`; none for anything else.
pub(super) fn header(line: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(':')?;
    let name = HeaderName::try_from(name.trim()).ok()?;
    Some((name, HeaderValue::from_str(value.trim()).ok()?))
}

/// The last part of a URL's path, as a name for a file; none for a folder, `.` and `..`.
pub(super) fn file_name(url: &Url) -> Option<String> {
    let last = url.path_segments()?.next_back()?;
    let name = percent_decode(last.as_bytes())
        .decode_utf8_lossy()
        .into_owned();
    let usable = !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0']);
    usable.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_changes_what_it_must() {
        let table = [
            // Status, method, kept method, then the method and whether the body stays.
            (301, "POST", false, "GET", false),
            (302, "POST", false, "GET", false),
            (302, "PUT", false, "PUT", true),
            (303, "PUT", false, "GET", false),
            (303, "HEAD", false, "HEAD", true),
            (303, "PUT", true, "PUT", false),
            (307, "POST", false, "POST", true),
            (308, "POST", false, "POST", true),
        ];
        for (status, method, keeps, expected, body) in table {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let mut fetch = Fetch::new(method, "https://u:p@a.com/x").unwrap();
            fetch.keeps_method = keeps;
            fetch.body = Bytes::from_static(b"body");
            fetch.follow(status, Url::parse("https://a.com/y").unwrap());
            assert_eq!(fetch.method.as_str(), expected, "{status}");
            assert_eq!(!fetch.body.is_empty(), body, "{status}");
            assert!(fetch.headers.contains_key(AUTHORIZATION));
            fetch.follow(302, Url::parse("https://a.com:444/y").unwrap());
            assert!(!fetch.headers.contains_key(AUTHORIZATION));
        }
    }

    #[test]
    fn urls_are_read_as_people_write_them() {
        let fetch = Fetch::new(Method::GET, "us%40er:pa%3Ass@host/x#part").unwrap();
        assert_eq!(fetch.url.as_str(), "http://host/x");
        assert_eq!(fetch.headers[AUTHORIZATION], "Basic dXNAZXI6cGE6c3M=");
        assert!(Fetch::new(Method::GET, "ftp://host/").is_err());
        assert!(Fetch::new(Method::GET, "http://").is_err());
    }

    #[test]
    fn names_of_files_stay_in_their_folder() {
        let table = [
            ("https://a.com/x/y.txt?q=1", Some("y.txt")),
            ("https://a.com/a%20b", Some("a b")),
            ("https://a.com/", None),
            ("https://a.com/x/", None),
            ("https://a.com/%2e%2e", None),
            ("https://a.com/..%2fx", None),
        ];
        for (url, name) in table {
            assert_eq!(
                file_name(&Url::parse(url).unwrap()).as_deref(),
                name,
                "{url}"
            );
        }
    }
}
