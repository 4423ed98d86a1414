//! A server of repositories for tests: the real `git http-backend` behind a small HTTP server.
//!
//! Below `/moved` it redirects, below `/private` it wants the user `ann` with the password `secret`,
//! below `/denied` it refuses, and `/plain` is a page that is no repository.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Base64 of `ann:secret`.
const CREDENTIALS: &str = "Basic YW5uOnNlY3JldA==";

/// A running server, on a free port of the loopback interface, until the process ends.
pub struct GitServer {
    port: u16,
    root: PathBuf,
}

impl GitServer {
    /// Serves the repositories below `root`.
    pub fn start(root: &Path) -> GitServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let folder = root.to_path_buf();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                // A client that went away ends its connection's thread.
                std::thread::spawn(move || drop(serve(&stream, &folder)));
            }
        });
        GitServer {
            port,
            root: root.to_path_buf(),
        }
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What the machine's own git prints for a repository of the server.
    pub fn real(&self, repository: &str, words: &[&str]) -> String {
        real(&self.root.join(repository), words)
    }
}

/// What the machine's own git prints; failing, what it complains about.
pub fn real(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("/usr/bin/git")
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", "/nonexistent")
        .output()
        .unwrap();
    let text = if output.status.success() {
        output.stdout
    } else {
        output.stderr
    };
    String::from_utf8_lossy(&text).into_owned()
}

/// Whether the machine has what the server needs.
pub fn is_possible() -> bool {
    let output = Command::new("/usr/bin/git").arg("--exec-path").output();
    let folder = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    folder.is_ok_and(|folder| Path::new(&folder).join("git-http-backend").exists())
}

struct Asked {
    method: String,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Asked {
    fn header(&self, name: &str) -> &str {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map_or("", |(_, value)| value)
    }
}

fn read(stream: &TcpStream) -> std::io::Result<Asked> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let method = words.next().unwrap_or_default();
    let target = words.next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut asked = Asked {
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        asked
            .headers
            .push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    if asked.header("expect") == "100-continue" {
        let mut stream = stream;
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let length = asked.header("content-length").parse().unwrap_or(0);
    asked.body = vec![0; length];
    reader.read_exact(&mut asked.body)?;
    Ok(asked)
}

fn serve(stream: &TcpStream, root: &Path) -> std::io::Result<()> {
    let asked = read(stream)?;
    if let Some(rest) = asked.path.strip_prefix("/moved") {
        let port = stream.local_addr()?.port();
        let target = format!("http://127.0.0.1:{port}{rest}?{}", asked.query);
        return answer(stream, "302 Found", &format!("Location: {target}\r\n"), b"");
    }
    if asked.path.starts_with("/denied") {
        return answer(stream, "403 Forbidden", "", b"no");
    }
    if asked.path.starts_with("/plain") {
        return answer(stream, "200 OK", "Content-Type: text/html\r\n", b"<html>");
    }
    if let Some(rest) = asked.path.strip_prefix("/private") {
        if asked.header("authorization") != CREDENTIALS {
            let wanted = "WWW-Authenticate: Basic realm=\"git\"\r\n";
            return answer(stream, "401 Unauthorized", wanted, b"");
        }
        return backend(stream, root, &asked, rest);
    }
    backend(stream, root, &asked, &asked.path)
}

fn backend(stream: &TcpStream, root: &Path, asked: &Asked, path: &str) -> std::io::Result<()> {
    let mut child = Command::new("/usr/bin/git")
        .arg("http-backend")
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", path)
        .env("QUERY_STRING", &asked.query)
        .env("REQUEST_METHOD", &asked.method)
        .env("CONTENT_TYPE", asked.header("content-type"))
        .env("CONTENT_LENGTH", asked.body.len().to_string())
        .env("GIT_PROTOCOL", asked.header("git-protocol"))
        .env("REMOTE_USER", "ann")
        .env("REMOTE_ADDR", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let body = asked.body.clone();
    let input = child.stdin.take();
    // One that does not want the body answers all the same.
    let feeder = std::thread::spawn(move || input.map(|mut input| input.write_all(&body)));
    let output = child.wait_with_output()?.stdout;
    drop(feeder.join());
    let end = output.windows(4).position(|part| part == b"\r\n\r\n");
    let end = end.unwrap_or(output.len().saturating_sub(4));
    let (mut status, mut headers) = ("200 OK".to_owned(), String::new());
    for line in String::from_utf8_lossy(&output[..end]).lines() {
        match line.strip_prefix("Status: ") {
            Some(text) => text.clone_into(&mut status),
            None => headers.push_str(&format!("{line}\r\n")),
        }
    }
    answer(
        stream,
        &status,
        &headers,
        output.get(end + 4..).unwrap_or_default(),
    )
}

fn answer(mut stream: &TcpStream, status: &str, headers: &str, body: &[u8]) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)
}
