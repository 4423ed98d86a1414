//! An HTTP service on the loopback that answers as a test says.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A request as it came.
pub struct Request {
    /// The request line and the headers.
    pub head: String,
    /// The method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The body.
    pub body: Vec<u8>,
}

/// What is answered.
pub struct Answer {
    head: String,
    body: Vec<u8>,
    endless: bool,
}
impl Answer {
    /// An answer with a status, a kind and a body.
    pub fn new(status: u16, kind: &str, body: &[u8]) -> Answer {
        let length = body.len();
        Answer {
            head: format!(
                "HTTP/1.1 {status} Said\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n"
            ),
            body: body.to_vec(),
            endless: false,
        }
    }

    pub fn text(text: &str) -> Answer {
        Answer::new(200, "text/plain", text.as_bytes())
    }

    pub fn json(text: &str) -> Answer {
        Answer::new(200, "application/json", text.as_bytes())
    }

    pub fn redirect(to: &str) -> Answer {
        let mut answer = Answer::new(302, "text/plain", b"");
        answer.head += &format!("location: {to}\r\n");
        answer
    }

    pub fn headers(count: usize) -> Answer {
        let mut answer = Answer::text("many");
        answer.head += &"x-many: header\r\n".repeat(count);
        answer
    }

    /// A body in chunks that does not end.
    pub fn endless() -> Answer {
        Answer {
            head: "HTTP/1.1 200 Said\r\ntransfer-encoding: chunked\r\n".to_owned(),
            body: Vec::new(),
            endless: true,
        }
    }
}

type Handler = dyn Fn(&Request) -> Answer + Send + Sync;

/// A service; it ends with the process.
pub struct Service {
    url: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Service {
    /// Serves on a free port.
    pub fn start(handler: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let (seen, handler): (_, Arc<Handler>) = (Arc::clone(&heads), Arc::new(handler));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, handler) = (Arc::clone(&seen), Arc::clone(&handler));
                thread::spawn(move || serve(stream, &seen, &*handler));
            }
        });
        Service { url, heads }
    }

    /// Where it is.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// The heads of all requests so far.
    pub fn heads(&self) -> Vec<String> {
        let heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        heads.clone()
    }
}

/// Serves one connection until it ends.
fn serve(stream: TcpStream, seen: &Mutex<Vec<String>>, handler: &Handler) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let request = read(&mut reader)?;
        seen.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(request.head.clone());
        let answer = handler(&request);
        write!(writer, "{}\r\n", answer.head).ok()?;
        writer.write_all(&answer.body).ok()?;
        if answer.endless {
            let chunk = "x".repeat(16 << 10);
            loop {
                write!(writer, "{:x}\r\n{chunk}\r\n", chunk.len()).ok()?;
            }
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(text) = lower.strip_prefix("content-length:") {
            length = text.trim().parse().ok()?;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut words = head.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    Some(Request {
        method,
        path,
        body,
        head,
    })
}
