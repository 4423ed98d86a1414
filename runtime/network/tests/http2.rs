//! HTTP/2 and trailers, with and without a gateway.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use futures::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use offshoot_network::http::{HeaderMap, HeaderValue, Method, Version};
use offshoot_network::{Client, Gateway, Policy, Request, Response, Rule, Secret};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;

type Frames = Vec<Frame<Bytes>>;

/// Tells what it was asked in the headers and trailers of its answer, and the body of the request in its body.
async fn echo(
    request: http::Request<Incoming>,
) -> Result<
    http::Response<StreamBody<stream::Iter<std::vec::IntoIter<Result<Frame<Bytes>, Infallible>>>>>,
    Infallible,
> {
    let (head, body) = request.into_parts();
    let collected = body.collect().await.unwrap();
    let sent = collected.trailers().cloned().unwrap_or_default();
    let mut frames: Frames = vec![Frame::data(collected.to_bytes())];
    let path = head.uri.path();
    let mut trailers = HeaderMap::new();
    trailers.insert("status", HeaderValue::from_static("7"));
    for name in ["sent", "te", "trailer", "authorization"] {
        let value = sent.get(name).or_else(|| head.headers.get(name));
        if let Some(value) = value {
            trailers.insert(
                http::HeaderName::from_bytes(format!("x-{name}").as_bytes()).unwrap(),
                value.clone(),
            );
        }
    }
    let mut answer = http::Response::builder().header("x-version", format!("{:?}", head.version));
    match path {
        "/headers" => {
            frames.clear();
            answer.headers_mut().unwrap().extend(trailers);
        }
        "/compressed" => answer = answer.header("grpc-encoding", "gzip"),
        _ => frames.push(Frame::trailers(trailers)),
    }
    let frames = frames.into_iter().map(Ok).collect::<Vec<_>>();
    Ok(answer.body(StreamBody::new(stream::iter(frames))).unwrap())
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
    let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), service_fn(echo))
        .await;
}

/// A server that speaks nothing but HTTP/2.
async fn served() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    at
}

/// The same over TLS, and its certificate.
async fn secured() -> (SocketAddr, Vec<u8>) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key.into())
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    serve(stream).await;
                }
            });
        }
    });
    (at, certificate.to_vec())
}

fn policy(origin: &str) -> Policy {
    Policy::default().allow(Rule::parse(&format!("POST {origin}")).unwrap().internal())
}

/// A client that sends itself, and one whose requests another makes.
async fn both(policy: Policy) -> [Client; 2] {
    let (near, far) = tokio::io::duplex(64 << 10);
    tokio::spawn(Gateway::serve(Client::new(policy.clone()).unwrap(), far));
    let gateway = Gateway::new(near).await.unwrap();
    let other = policy.clone().gateway(gateway);
    [policy, other].map(|policy| Client::new(policy).unwrap())
}

fn request(url: &str) -> Request {
    let mut request = Request::new(Method::POST, url).unwrap();
    request.http2 = true;
    request.body = Bytes::from_static(b"asked");
    request
        .headers
        .insert("te", HeaderValue::from_static("trailers"));
    request
}

async fn whole(client: &Client, request: Request) -> (Response, Vec<u8>) {
    let mut answer = client.send(request).await.unwrap();
    assert!(answer.trailers().is_empty());
    let body = answer.body().await.unwrap();
    (answer, body)
}

#[tokio::test]
async fn trailers_go_both_ways_by_http2_from_the_first_byte() {
    let origin = format!("http://{}", served().await);
    for client in both(policy(&origin)).await {
        let mut asked = request(&origin);
        asked
            .trailers
            .insert("sent", HeaderValue::from_static("kept"));
        let (answer, body) = whole(&client, asked).await;
        assert_eq!(body, b"asked");
        assert_eq!(answer.version, Version::HTTP_2);
        assert_eq!(answer.headers["x-version"], "HTTP/2.0");
        let trailers = answer.trailers();
        assert_eq!(trailers["status"], "7");
        assert_eq!(trailers["x-sent"], "kept");
        assert_eq!(trailers["x-te"], "trailers");
        assert_eq!(trailers["x-trailer"], "sent");
        // An answer that is nothing but its head has what it says there.
        let (answer, body) = whole(&client, request(&format!("{origin}/headers"))).await;
        assert_eq!(
            (body.len(), answer.headers["status"].as_bytes()),
            (0, &b"7"[..])
        );
        assert!(answer.trailers().is_empty());
    }
}

#[tokio::test]
async fn http2_over_tls_is_what_the_server_offers() {
    let (at, certificate) = secured().await;
    let origin = format!("https://{at}");
    for client in both(policy(&origin).root_certificate(certificate)).await {
        let (answer, _) = whole(&client, request(&origin)).await;
        assert_eq!(answer.version, Version::HTTP_2);
        assert_eq!(answer.trailers()["status"], "7");
    }
}

#[tokio::test]
async fn t34_trailers_hold_no_secret() {
    let origin = format!("http://{}", served().await);
    let secret = Secret::header(&origin, "authorization", "Bearer s3cr3t-value").unwrap();
    for client in both(policy(&origin).secret(secret)).await {
        let (answer, _) = whole(&client, request(&origin)).await;
        let shown = format!("{:?}", answer.trailers());
        assert!(
            shown.contains("x-authorization") && !shown.contains("s3cr3t"),
            "{shown}"
        );
        // What is compressed cannot be searched.
        let hidden = request(&format!("{origin}/compressed"));
        let error = client.send(hidden).await.unwrap_err();
        assert!(
            matches!(error, offshoot_network::Error::Encoded { .. }),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_server_of_http1_has_trailers_and_no_http2() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let mut seen = Vec::new();
        for _ in 0..3 {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"kept\r\n\r\n") && !request.starts_with(b"PRI ") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                request.push(byte[0]);
            }
            stream
                .write_all(
                    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\
                      3\r\nabc\r\n0\r\nStatus: 7\r\n\r\n",
                )
                .unwrap();
            seen.push(String::from_utf8_lossy(&request).into_owned());
        }
        seen
    });
    let origin = format!("http://{at}");
    let [own, other] = both(policy(&origin)).await;
    for client in [&own, &other] {
        let mut asked = request(&origin);
        asked.http2 = false;
        asked
            .trailers
            .insert("sent", HeaderValue::from_static("kept"));
        let (answer, body) = whole(client, asked).await;
        assert_eq!((&*body, answer.version), (&b"abc"[..], Version::HTTP_11));
        assert_eq!(answer.trailers()["status"], "7");
    }
    let error = own.send(request(&origin)).await.unwrap_err();
    assert_eq!(error.code(), "DIED", "{error}");
    let seen = server.join().unwrap();
    assert!(seen[0].contains("Trailer: sent\r\n") && !seen[0].to_lowercase().contains("\nte:"));
}
