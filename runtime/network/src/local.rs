//! Requests to a server that is reached over a connection of the caller's, without the host's network.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures::io::{AsyncRead, AsyncWrite};
use http::header::HOST;
use http::{HeaderValue, Uri};
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::rt::ReadBufCursor;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::client::{Client, HEADERS, PIECES, Request, Response, Task};
use crate::error::{Error, Result};
use crate::origin::origin;
use crate::outgoing::{Piece, body};

type Answer = http::Response<Incoming>;

impl Client {
    /// Sends a request over `transport`, in HTTP/1.1 alone, whatever the policy says of its URL: for servers
    /// inside the sandbox. It carries none of the policy's secrets; limits hold as for others.
    ///
    /// # Errors
    /// `LIMIT` for a body or headers that are too large, `INVALID` for a `Host` header and for HTTP/2, `TIMEOUT`, `DIED`.
    pub async fn send_over<T>(&self, request: Request, transport: T) -> Result<Response>
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let outgoing = outgoing(self, &request)?;
        let limits = self.policy.request_limits();
        let exchange = Exchange {
            origin: origin(&request.url),
            deadline: Instant::now() + limits.time,
            limit: limits.response_bytes,
        };
        let origin = exchange.origin.clone();
        let (head, answer) = oneshot::channel();
        let (sender, pieces) = mpsc::channel(PIECES);
        let run = exchange.run(Transport(transport), outgoing, head, sender);
        let task = Task(self.runtime.spawn(run).abort_handle());
        // Nobody else drops the sender unused.
        let head = answer.await.map_err(|_| Error::Timeout { origin })??;
        Ok(Response {
            status: head.status.as_u16(),
            version: head.version,
            headers: head.headers,
            pieces,
            trailers: http::HeaderMap::new(),
            _task: task,
        })
    }
}

/// The request with the path alone, as servers expect it.
fn outgoing(
    client: &Client,
    request: &Request,
) -> Result<http::Request<BoxBody<Bytes, Infallible>>> {
    if request.http2 {
        return Err(Error::invalid(
            "HTTP/2",
            "servers of a sandbox are asked in HTTP/1.1",
        ));
    }
    let unusable = || Error::invalid(request.url.as_str(), "it is no URL of HTTP");
    let url = &request.url;
    let host = match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => return Err(unusable()),
    };
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let mut outgoing = http::Request::new(body(request.body.clone(), request.trailers.clone()));
    *outgoing.method_mut() = request.method.clone();
    *outgoing.uri_mut() = path.parse::<Uri>().map_err(|_| unusable())?;
    *outgoing.headers_mut() = client.checked(request)?;
    let host = HeaderValue::from_str(&host).map_err(|_| unusable())?;
    outgoing.headers_mut().insert(HOST, host);
    Ok(outgoing)
}

/// What one exchange needs while it runs.
struct Exchange {
    origin: String,
    deadline: Instant,
    limit: u64,
}

impl Exchange {
    async fn run<T>(
        self,
        transport: Transport<T>,
        outgoing: http::Request<BoxBody<Bytes, Infallible>>,
        head: oneshot::Sender<Result<http::response::Parts>>,
        pieces: mpsc::Sender<Result<Piece>>,
    ) where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let work = async {
            let answer = match self.begin(transport, outgoing).await {
                Ok(answer) => answer,
                Err(error) => return drop(head.send(Err(error))),
            };
            let (parts, body) = answer.into_parts();
            if head.send(Ok(parts)).is_ok()
                && let Err(error) = self.deliver(body, &pieces).await
            {
                let _ = pieces.send(Err(error)).await;
            }
        };
        if timeout_at(self.deadline, work).await.is_err() {
            let origin = self.origin.clone();
            let _ = pieces.send(Err(Error::Timeout { origin })).await;
        }
    }

    fn broken(&self) -> Error {
        Error::Broken {
            origin: self.origin.clone(),
        }
    }

    async fn begin<T>(
        &self,
        transport: Transport<T>,
        outgoing: http::Request<BoxBody<Bytes, Infallible>>,
    ) -> Result<Answer>
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let handshake = http1::Builder::new()
            .title_case_headers(true)
            .max_headers(HEADERS)
            .handshake(transport);
        let (mut sender, connection) = handshake.await.map_err(|_| self.broken())?;
        // It ends with the last piece, or when nobody waits for one any more.
        tokio::spawn(connection);
        sender
            .send_request(outgoing)
            .await
            .map_err(|_| self.broken())
    }

    async fn deliver(
        &self,
        mut body: Incoming,
        pieces: &mpsc::Sender<Result<Piece>>,
    ) -> Result<()> {
        let mut left = self.limit;
        while let Some(frame) = body.frame().await {
            let Some(piece) = Piece::of(frame.map_err(|_| self.broken())?) else {
                continue;
            };
            if let Piece::Data(bytes) = &piece {
                left = left
                    .checked_sub(bytes.len() as u64)
                    .ok_or(Error::too_large("answer", self.limit))?;
            }
            if pieces.send(Ok(piece)).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// A connection as hyper reads and writes it.
struct Transport<T>(T);

impl<T: AsyncRead + Unpin> hyper::rt::Read for Transport<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut piece = [0; 8 << 10];
        let most = piece.len().min(buffer.remaining());
        Pin::new(&mut self.0)
            .poll_read(context, &mut piece[..most])
            .map_ok(|count| buffer.put_slice(&piece[..count]))
    }
}

impl<T: AsyncWrite + Unpin> hyper::rt::Write for Transport<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_close(context)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadBuf};

    use super::*;
    use crate::{Limits, Policy, Rule, Secret};

    struct Wire(DuplexStream);

    impl AsyncRead for Wire {
        fn poll_read(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            buffer: &mut [u8],
        ) -> Poll<io::Result<usize>> {
            let mut buffer = ReadBuf::new(buffer);
            tokio::io::AsyncRead::poll_read(Pin::new(&mut self.0), context, &mut buffer)
                .map_ok(|()| buffer.filled().len())
        }
    }

    impl AsyncWrite for Wire {
        fn poll_write(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            tokio::io::AsyncWrite::poll_write(Pin::new(&mut self.0), context, bytes)
        }

        fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            tokio::io::AsyncWrite::poll_flush(Pin::new(&mut self.0), context)
        }

        fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            tokio::io::AsyncWrite::poll_shutdown(Pin::new(&mut self.0), context)
        }
    }

    fn client() -> Client {
        let secret = Secret::header("http://localhost:8000", "X-Key", "t0k3n").unwrap();
        let limits = Limits {
            response_bytes: 100,
            time: Duration::from_millis(500),
            ..Limits::default()
        };
        let rule = Rule::new("http://localhost:8000").unwrap().internal();
        Client::new(Policy::default().allow(rule).secret(secret).limits(limits)).unwrap()
    }

    /// What the server saw, and what the client has of it.
    async fn exchange(answer: &'static str, closes: bool) -> (String, Result<(u16, Vec<u8>)>) {
        let (near, mut far) = tokio::io::duplex(16);
        let server = tokio::spawn(async move {
            let mut seen = Vec::new();
            while !seen.ends_with(b"\r\n\r\n") {
                seen.push(far.read_u8().await.unwrap());
            }
            // A client that has heard enough reads no further.
            let _ = far.write_all(answer.as_bytes()).await;
            (String::from_utf8(seen).unwrap(), (!closes).then_some(far))
        });
        let request = Request::new(http::Method::GET, "http://localhost:8000/a%20b?c=d").unwrap();
        let result = async {
            let mut answer = client().send_over(request, Wire(near)).await?;
            Ok((answer.status, answer.body().await?))
        };
        let result = result.await;
        (server.await.unwrap().0, result)
    }

    #[tokio::test]
    async fn a_server_inside_sees_a_plain_request_and_its_answer_is_bounded() {
        let chunked =
            "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        let long = "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n0123456789012345678901234567890123456789\
             0123456789012345678901234567890123456789012345678901234567890";
        for (answer, closes, expected) in [
            (chunked, false, Ok((201, b"abc".to_vec()))),
            (
                "HTTP/1.0 404 Nothing\r\n\r\nno",
                true,
                Ok((404, b"no".to_vec())),
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
                true,
                Err("DIED"),
            ),
            (long, false, Err("LIMIT")),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
                false,
                Err("TIMEOUT"),
            ),
            ("", false, Err("TIMEOUT")),
            ("", true, Err("DIED")),
        ] {
            let (seen, result) = exchange(answer, closes).await;
            assert_eq!(result.map_err(|error| error.code()), expected, "{answer}");
            assert_eq!(
                seen,
                "GET /a%20b?c=d HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"
            );
        }
    }
}
