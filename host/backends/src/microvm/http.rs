//! Firecracker's API: requests with JSON over a Unix socket.

use super::NAME;
use super::qmp::died;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use offshoot_backend::{Code, Error, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::time::timeout;

/// How long one answer may take: a snapshot's memory is written before it.
const ANSWER: Duration = Duration::from_secs(120);
/// The longest answer that is read.
const LONGEST: usize = 64 << 10;

/// The API of one Firecracker.
#[derive(Debug)]
pub(super) struct Api {
    socket: PathBuf,
}

impl Api {
    pub(super) fn new(socket: PathBuf) -> Api {
        Api { socket }
    }

    /// Whether somebody listens.
    ///
    /// # Errors
    /// `DIED` where nobody does.
    pub(super) async fn find(&self) -> Result<()> {
        connect(&self.socket).await.map(drop)
    }

    /// Sends a body to a path.
    ///
    /// # Errors
    /// What Firecracker refuses is an error with its reason: of `code`, if it was the request's fault. `DIED`
    /// where it does not answer.
    pub(super) async fn call(
        &self,
        method: Method,
        path: &str,
        body: &Value,
        code: Code,
    ) -> Result<()> {
        let stream = connect(&self.socket).await?;
        let broken = |error: &dyn std::fmt::Display| died(format!("firecracker: {path}: {error}"));
        let talk = async {
            let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
            let connection = tokio::spawn(connection);
            let request = Request::builder()
                .method(method)
                .uri(path)
                .header("host", "localhost")
                .header("accept", "application/json")
                .header("content-type", "application/json")
                .body(Full::new(Bytes::from(body.to_string())));
            let Ok(request) = request else {
                connection.abort();
                return Ok(None);
            };
            let answer = sender.send_request(request).await?;
            let status = answer.status();
            let said = Limited::new(answer.into_body(), LONGEST).collect().await;
            connection.abort();
            let said = said.map_or_else(|_| Bytes::new(), |said| said.to_bytes());
            Ok::<_, hyper::Error>(Some((status, said)))
        };
        let answer = timeout(ANSWER, talk).await.map_err(|_| {
            let seconds = ANSWER.as_secs();
            broken(&format!("no answer within {seconds} s"))
        })?;
        match answer.map_err(|error| broken(&error))? {
            Some((status, _)) if status.is_success() => Ok(()),
            Some((status, said)) => Err(refused(path, status, &said, code)),
            None => Err(broken(&"it is no request")),
        }
    }
}

async fn connect(socket: &Path) -> Result<UnixStream> {
    let stream = UnixStream::connect(socket).await;
    stream.map_err(|error| died(format!("firecracker: {error}")))
}

/// What an answer says that is no success.
fn refused(path: &str, status: StatusCode, said: &[u8], code: Code) -> Error {
    let said: Option<Value> = serde_json::from_slice(said).ok();
    let said = said.as_ref().and_then(|said| said.get("fault_message"));
    let said = said
        .and_then(Value::as_str)
        .map_or_else(|| status.to_string(), str::to_owned);
    let code = match status.is_client_error() {
        true => code,
        false => Code::Died,
    };
    let message = format!("firecracker: {path}: {}", said.trim_end());
    Error::new(code, "machine", message).on(NAME)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use serde_json::json;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::UnixListener;

    #[tokio::test]
    async fn answers_become_typed_errors() {
        let fault =
            "HTTP/1.1 400 \r\nContent-Length: 35\r\n\r\n{\"fault_message\":\"no such kernel.\"}";
        let bare = "HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n";
        for (answer, code, said) in [
            ("HTTP/1.1 204 \r\n\r\n", None, ""),
            (
                fault,
                Some(Code::Invalid),
                "firecracker: /boot-source: no such kernel.",
            ),
            (
                bare,
                Some(Code::Died),
                "firecracker: /boot-source: 500 Internal Server Error",
            ),
            ("", Some(Code::Died), ""),
            ("nonsense\r\n\r\n", Some(Code::Died), ""),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let socket = directory.path().join("control");
            let listener = UnixListener::bind(&socket).unwrap();
            let server = tokio::spawn(async move {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = Vec::new();
                while !request.ends_with(b"{\"a\":1}") {
                    let mut buffer = [0; 1024];
                    let length = stream.read(&mut buffer).await.unwrap();
                    assert!(length > 0);
                    request.extend_from_slice(&buffer[..length]);
                }
                stream.write_all(answer.as_bytes()).await.unwrap();
                String::from_utf8(request).unwrap()
            });
            let api = Api::new(socket);
            let body = json!({"a": 1});
            let called = api.call(Method::PUT, "/boot-source", &body, Code::Invalid);
            match (called.await, code) {
                (Ok(()), None) => {}
                (Err(error), Some(code)) => {
                    assert_eq!((error.code(), error.backend()), (code, Some(NAME)));
                    assert!(error.message().contains(said), "{error}");
                }
                (found, code) => assert_eq!(format!("{found:?}"), format!("{code:?}")),
            }
            let request = server.await.unwrap();
            assert!(
                request.starts_with("PUT /boot-source HTTP/1.1\r\n"),
                "{request}"
            );
            assert!(request.contains("content-length: 7\r\n"), "{request}");
        }
        let nobody = Api::new(PathBuf::from("/nowhere"));
        assert_eq!(nobody.find().await.unwrap_err().code(), Code::Died);
    }
}
