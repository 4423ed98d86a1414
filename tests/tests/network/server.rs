//! A web server for tests: it answers by path and says what it was asked.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A running server, on a free port of the loopback interface, until the process ends.
pub struct Server {
    pub port: u16,
    /// Every request, as `/echo` would show it.
    pub seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                // A client that went away ends its connection's thread.
                std::thread::spawn(move || drop(serve(stream, &log)));
            }
        });
        Server { port, seen }
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

struct Asked {
    method: String,
    path: String,
    shown: String,
}

fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Asked>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let (mut headers, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        let name = name.to_ascii_lowercase();
        if name == "content-length" {
            length = value.trim().parse().unwrap_or(0);
        }
        headers.push(format!("{name}: {}\n", value.trim()));
    }
    headers.sort();
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let shown = format!(
        "{method} {path}\n{}\n{}",
        headers.concat(),
        String::from_utf8_lossy(&body)
    );
    Ok(Some(Asked {
        method,
        path,
        shown,
    }))
}

fn serve(stream: TcpStream, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    while let Some(asked) = read(&mut reader)? {
        log.lock().unwrap().push(asked.shown.clone());
        answer(&mut stream, &asked)?;
    }
    Ok(())
}

fn answer(stream: &mut TcpStream, asked: &Asked) -> std::io::Result<()> {
    let path = asked.path.split('?').next().unwrap_or_default();
    let rest = |prefix: &str| path.strip_prefix(prefix).map(str::to_owned);
    if let Some(status) = rest("/status/") {
        return whole(stream, asked, &status, "", &format!("status {status}\n"));
    }
    if let Some(target) = asked.path.strip_prefix("/redirect/") {
        // 302/URL
        let (status, target) = target.split_once('/').unwrap_or(("302", ""));
        return whole(
            stream,
            asked,
            status,
            &format!("Location: {target}\r\n"),
            "moved\n",
        );
    }
    match path {
        "/endless" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            loop {
                stream.write_all(b"1000\r\n")?;
                stream.write_all(&[b'x'; 0x1000])?;
                stream.write_all(b"\r\n")?;
            }
        }
        "/slow" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")?;
            loop {
                stream.write_all(b"x")?;
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        "/headers" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            for number in 0..100_000 {
                stream.write_all(format!("X-{number}: y\r\n").as_bytes())?;
            }
            stream.write_all(b"Content-Length: 0\r\n\r\n")
        }
        "/broken" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\npart")?;
            stream.shutdown(std::net::Shutdown::Both)
        }
        "/nonsense" => {
            stream.write_all(b"this is no HTTP at all\r\n\r\n")?;
            stream.shutdown(std::net::Shutdown::Both)
        }
        "/gzip" => {
            let headers = "Content-Encoding: gzip\r\n";
            whole(stream, asked, "200", headers, "what may be anything")
        }
        "/coded" => {
            // The secret as somebody might write it who wants to get it in.
            let token = asked
                .shown
                .lines()
                .find_map(|line| line.strip_prefix("authorization: "));
            let token = token.unwrap_or_default().trim_start_matches("Bearer ");
            let hex: String = token.bytes().map(|byte| format!("{byte:02x}")).collect();
            let percent: String = token.replace('/', "%2F");
            let header = format!("X-Echo: {token}\r\nX-Percent: {percent}\r\n");
            whole(
                stream,
                asked,
                "200",
                &header,
                &format!("{token}\n{hex}\n{percent}\n"),
            )
        }
        "/text.txt" => whole(
            stream,
            asked,
            "200",
            "Content-Type: text/plain\r\n",
            "some text\n",
        ),
        _ => whole(
            stream,
            asked,
            "200",
            "Content-Type: text/plain\r\n",
            &asked.shown,
        ),
    }
}

fn whole(
    stream: &mut TcpStream,
    asked: &Asked,
    status: &str,
    headers: &str,
    body: &str,
) -> std::io::Result<()> {
    let reason = match status {
        "200" => "OK",
        "301" => "Moved Permanently",
        "302" => "Found",
        "303" => "See Other",
        "307" => "Temporary Redirect",
        "308" => "Permanent Redirect",
        "404" => "Not Found",
        "503" => "Service Unavailable",
        _ => "Other",
    };
    let shown = if asked.method == "HEAD" { "" } else { body };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} {reason}\r\n{headers}Content-Length: {length}\r\n\r\n{shown}"
    )
}
