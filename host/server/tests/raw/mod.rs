//! HTTP/1.1 by hand: what a client of a library would never send, and what it takes for the rest.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The text behind `"name":"` in a body of JSON.
    pub fn field(&self, name: &str) -> String {
        let text = self.text();
        let start = format!("\"{name}\":\"");
        let rest = text
            .split_once(&start)
            .unwrap_or_else(|| panic!("{name}: {text}"))
            .1;
        rest.split('"').next().unwrap().to_owned()
    }
}

/// Sends a request and reads the answer to its end.
pub fn ask(at: SocketAddr, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut stream = begin(at, line, headers, body.len() as u64);
    stream.write_all(body).unwrap();
    read(&mut stream)
}

/// Sends the head of a request.
pub fn begin(at: SocketAddr, line: &str, headers: &[(&str, &str)], length: u64) -> TcpStream {
    let mut stream = TcpStream::connect(at).unwrap();
    let mut head = format!("{line} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Reads an answer to its end.
pub fn read(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // What is unread of a request resets the connection behind the answer.
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let is_chunked = head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked");
    let rest = &bytes[end + 4..];
    let body = match is_chunked {
        true => joined(rest),
        false => rest.to_vec(),
    };
    Answer { status, body }
}

/// What is in chunks, as far as they go.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|part| part == b"\r\n") {
        let length = std::str::from_utf8(&rest[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        let from = end + 2;
        let to = (from + length).min(rest.len());
        body.extend_from_slice(&rest[from..to]);
        rest = rest.get(to + 2..).unwrap_or_default();
    }
    body
}

/// A message in its envelope.
pub fn envelope(message: &str) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[0], &length[..], message.as_bytes()].concat()
}
