//! Requests over HTTP: `curl` of the sandbox makes them, under its network policy.

use std::io::{BufRead as _, BufReader, Read, Write as _};

use super::super::stop::{Outcome, Stop, fatal};
use crate::call::bytes;
use crate::system::{self, Handle, Spawn, Streams};

/// What is asked.
pub struct Request<'a> {
    pub url: &'a [u8],
    /// Lines such as `Accept: */*`.
    pub headers: &'a [Vec<u8>],
    /// Sent with `POST`; without one it is a `GET`, which follows redirects.
    pub body: Option<&'a [u8]>,
}

/// What comes back.
pub struct Answer {
    pub status: u16,
    /// In lower case.
    pub content_type: Vec<u8>,
    /// Where the last redirect led.
    pub location: Option<Vec<u8>>,
    body: BufReader<Handle>,
    errors: Handle,
    pid: u32,
}

/// Sends a request and reads the head of the answer. `Err` is what curl said.
pub fn send(request: &Request) -> Result<Answer, Vec<u8>> {
    let mut arguments: Vec<Vec<u8>> =
        [b"curl".as_slice(), b"-sSi", b"-A", b"git/2.47.3 (Offshoot)"]
            .map(<[u8]>::to_vec)
            .to_vec();
    for header in request.headers {
        arguments.extend([b"-H".to_vec(), header.clone()]);
    }
    arguments.extend(match request.body {
        Some(_) => [b"--data-binary".to_vec(), b"@-".to_vec()],
        None => [b"-L".to_vec(), b"--globoff".to_vec()],
    });
    arguments.push(request.url.to_vec());
    let mut answer = start(&arguments, request.body.unwrap_or_default())
        .map_err(|failure| bytes!("cannot run curl: ", failure))?;
    match answer.head() {
        Some(()) => Ok(answer),
        None => Err(answer.failure()),
    }
}

fn start(arguments: &[Vec<u8>], body: &[u8]) -> system::Result<Answer> {
    let program = system::find_program(b"curl", &system::search_path())?;
    let (input, mut feed) = system::pipe()?;
    let (result, output) = system::pipe()?;
    let (errors, complaints) = system::pipe()?;
    let pid = system::spawn(&Spawn {
        path: &program,
        arguments,
        environment: &system::environment(),
        directory: None,
        streams: Streams {
            input: Some(&input),
            output: Some(&output),
            errors: Some(&complaints),
            ..Streams::default()
        },
    })?;
    drop((input, output, complaints));
    // One that ended early says why.
    let _ = feed.write_all(body);
    drop(feed);
    Ok(Answer {
        status: 0,
        content_type: Vec::new(),
        location: None,
        body: BufReader::with_capacity(1 << 16, result),
        errors,
        pid,
    })
}

impl Answer {
    /// Reads heads until one that neither redirects nor announces another; none where none comes.
    fn head(&mut self) -> Option<()> {
        loop {
            let mut line = self.line()?;
            let word = line.split(|&byte| byte == b' ').nth(1)?;
            self.status = std::str::from_utf8(word).ok()?.parse().ok()?;
            let mut moved = None;
            loop {
                line = self.line()?;
                if line.is_empty() {
                    break;
                }
                let Some(colon) = line.iter().position(|&byte| byte == b':') else {
                    continue;
                };
                let value = line[colon + 1..].trim_ascii();
                match line[..colon].to_ascii_lowercase().as_slice() {
                    b"content-type" => self.content_type = value.to_ascii_lowercase(),
                    b"location" => moved = Some(value.to_vec()),
                    _ => {}
                }
            }
            match (self.status, moved) {
                (100..=199, _) => {}
                (300..=399, Some(to)) => self.location = Some(to),
                _ => return Some(()),
            }
        }
    }

    /// A line of the head without its end; none at the end of all.
    fn line(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let most = &mut (&mut self.body).take(1 << 16);
        most.read_until(b'\n', &mut line).ok()?;
        line.ends_with(b"\n")
            .then(|| line.trim_ascii_end().to_vec())
    }

    /// Why curl has no answer.
    fn failure(mut self) -> Vec<u8> {
        // What it is not read has gone wrong as well.
        let _ = self.body.read_to_end(&mut Vec::new());
        let mut text = Vec::new();
        let _ = self.errors.read_to_end(&mut text);
        let _ = system::wait(self.pid);
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let after = line.windows(2).position(|pair| pair == b") ");
        match (line.starts_with(b"curl: ("), after) {
            (true, Some(at)) => line[at + 2..].to_vec(),
            _ if line.is_empty() => b"no answer".to_vec(),
            _ => line.to_vec(),
        }
    }

    /// Waits for the end; a transfer that broke off is an error.
    pub fn finish(mut self) -> Outcome {
        // What is left says nothing more.
        let _ = std::io::copy(&mut self.body, &mut std::io::sink());
        let pid = self.pid;
        let ended = system::wait(pid);
        if ended.is_ok_and(|exit| exit.status() == 0) {
            return Ok(());
        }
        let mut text = Vec::new();
        let _ = self.errors.read_to_end(&mut text);
        Err(broken(text.trim_ascii()))
    }
}

fn broken(text: &[u8]) -> Stop {
    fatal(bytes!("RPC failed; ", text))
}

impl Read for Answer {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.body.read(buffer)
    }
}
