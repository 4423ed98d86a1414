//! A repository behind a URL: git's protocol, version 0, over HTTP.

use std::io::Read;

use super::super::config::Config;
use super::super::objects::{Id, parse_id};
use super::super::repository::Repository;
use super::super::stop::{Outcome, Stop, fatal};
use super::advert::Advert;
use super::curl::{self, Answer, Request};
use super::packet::{self, Packet};
use super::scope;
use super::sideband::Messages;
use super::transport::{Command, Received, Report, Service, Wants};
use super::url::without_secrets;
use crate::call::bytes;

const AGENT: &str = "agent=git/2.47.3-offshoot";

/// The most lines with commits that are here; servers take them in one request.
const HAVES: usize = 512;

/// The way to a server.
pub struct Http {
    /// Without a slash at its end.
    url: Vec<u8>,
    /// From the settings, such as `Authorization: …`: those that hold for this URL.
    headers: Vec<Vec<u8>>,
    config: Config,
}

/// The headers that the settings have for a URL; an empty value takes back those before it.
fn headers(config: &Config, url: &[u8]) -> Vec<Vec<u8>> {
    let mut headers = Vec::new();
    for value in scope::values(config, "http", "extraheader", url) {
        match value {
            b"" => headers.clear(),
            value => headers.push(value.to_vec()),
        }
    }
    headers
}

impl Http {
    /// The way to `url`.
    pub fn new(config: &Config, url: &[u8]) -> Http {
        let mut url = url.to_vec();
        while url.ends_with(b"/") {
            url.pop();
        }
        Http {
            headers: headers(config, &url),
            config: config.clone(),
            url,
        }
    }

    /// Asks what the server has; later requests go where it redirected to, with the headers that hold there.
    pub fn list(&mut self, service: Service) -> Outcome<Advert> {
        let end = bytes!("/info/refs?service=", service.name());
        let mut answer = self.send(&end, &[], None)?;
        let kind = format!("application/x-{}-advertisement", service.name());
        if answer.status != 200 {
            return Err(self.refused(answer.status));
        }
        if answer.content_type != kind.as_bytes() {
            return Err(fatal(bytes!(
                without_secrets(&self.url),
                "/info/refs not valid: is this a git repository?"
            )));
        }
        let moved = answer.location.take();
        let base = moved.as_deref().and_then(|to| to.strip_suffix(&end[..]));
        if let Some(base) = base.filter(|base| !base.starts_with(b"/")) {
            self.url = base.to_vec();
            self.headers = headers(&self.config, base);
        }
        let advert = Advert::read(&mut answer)?;
        answer.finish()?;
        Ok(advert)
    }

    fn send(&self, end: &[u8], headers: &[Vec<u8>], body: Option<&[u8]>) -> Outcome<Answer> {
        let request = Request {
            url: &bytes!(self.url, end),
            headers: &[&self.headers, headers].concat(),
            body,
        };
        curl::send(&request).map_err(|why| self.unreachable(&why))
    }

    fn unreachable(&self, why: &[u8]) -> Stop {
        let url = without_secrets(&self.url);
        fatal(bytes!("unable to access '", url, "/': ", why))
    }

    fn refused(&self, status: u16) -> Stop {
        let url = without_secrets(&self.url);
        match status {
            404 => fatal(bytes!("repository '", url, "/' not found")),
            401 if url != self.url || !self.headers.is_empty() => {
                fatal(bytes!("Authentication failed for '", url, "/'"))
            }
            401 => {
                let host = url.splitn(4, |&byte| byte == b'/').take(3);
                let host = host.collect::<Vec<_>>().join(&b'/');
                fatal(bytes!(
                    "could not read Username for '",
                    host,
                    "': No such device or address"
                ))
            }
            status => {
                self.unreachable(format!("The requested URL returned error: {status}").as_bytes())
            }
        }
    }

    fn call(&self, service: Service, body: &[u8]) -> Outcome<Answer> {
        let name = service.name();
        let headers = [
            format!("Content-Type: application/x-{name}-request"),
            format!("Accept: application/x-{name}-result"),
        ];
        let headers = headers.map(String::into_bytes);
        let answer = self.send(&bytes!("/", name), &headers, Some(body))?;
        match answer.status {
            200 => Ok(answer),
            401 | 404 => Err(self.refused(answer.status)),
            status => Err(Stop {
                status: 128,
                message: format!(
                    "error: RPC failed; HTTP {status} curl 22 The requested URL returned error: \
                     {status}\nfatal: the remote end hung up unexpectedly"
                )
                .into_bytes(),
            }),
        }
    }

    /// Fetches objects.
    pub fn fetch(&self, advert: &Advert, wants: &Wants) -> Outcome<Received> {
        if !advert.can("side-band-64k") {
            return Err(fatal("the server does not know side-band-64k"));
        }
        if wants.depth.is_some() && !advert.can("shallow") {
            return Err(fatal("Server does not support shallow clients"));
        }
        let mut answer = self.call(Service::Fetch, &question(advert, wants))?;
        let received = receive(&mut answer)?;
        answer.finish()?;
        if received.pack.is_empty() {
            return Err(packet::hung_up());
        }
        Ok(received)
    }

    /// Sends commands, and the pack that they need.
    pub fn push(
        &self,
        from: &Repository,
        advert: &Advert,
        commands: &[Command],
        pack: Option<Vec<u8>>,
    ) -> Outcome<Report> {
        if !advert.can("report-status") {
            return Err(fatal("the server does not tell what became of a push"));
        }
        let band = advert.can("side-band-64k");
        let mut body = Vec::new();
        for id in from.objects.shallow() {
            packet::put(&mut body, format!("shallow {id}").as_bytes());
        }
        for (at, command) in commands.iter().enumerate() {
            let mut line = bytes!(format!("{} {} ", command.old, command.new), command.name);
            if at == 0 {
                let band = if band { " side-band-64k" } else { "" };
                line.extend(bytes!("\0 report-status", band, " ", AGENT));
            }
            packet::put(&mut body, &line);
        }
        packet::flush(&mut body);
        body.extend(pack.unwrap_or_default());
        let mut answer = self.call(Service::Push, &body)?;
        let mut text = Vec::new();
        if band {
            text = unband(&mut answer)?;
        } else {
            let read = answer.read_to_end(&mut text);
            read.map_err(|error| fatal(format!("read error: {error}")))?;
        }
        answer.finish()?;
        report(&text)
    }
}

/// What is asked for, and what is here already.
fn question(advert: &Advert, wants: &Wants) -> Vec<u8> {
    let mut out = Vec::new();
    let tags = if wants.tags && advert.can("include-tag") {
        " include-tag"
    } else {
        ""
    };
    for (at, id) in wants.ids.iter().enumerate() {
        let line = match at {
            0 => format!("want {id} side-band-64k ofs-delta no-progress{tags} {AGENT}\n"),
            _ => format!("want {id}\n"),
        };
        packet::put(&mut out, line.as_bytes());
    }
    for id in &wants.shallow {
        packet::put(&mut out, format!("shallow {id}").as_bytes());
    }
    if let Some(depth) = wants.depth {
        packet::put(&mut out, format!("deepen {depth}").as_bytes());
    }
    packet::flush(&mut out);
    for id in wants.haves.iter().take(HAVES) {
        packet::put(&mut out, format!("have {id}\n").as_bytes());
    }
    packet::put(&mut out, b"done\n");
    out
}

/// Reads what comes until its end.
fn receive(input: &mut impl Read) -> Outcome<Received> {
    let mut received = Received::default();
    let mut messages = Messages::default();
    while let Some(packet) = packet::read(input)? {
        let Packet::Data(line) = packet else { continue };
        let id =
            |prefix: &[u8]| -> Option<Id> { parse_id(line.strip_prefix(prefix)?.trim_ascii_end()) };
        match line.first() {
            Some(1) => received.pack.extend_from_slice(&line[1..]),
            Some(2) => messages.add(&line[1..]),
            Some(3) => return Err(remote(&line[1..])),
            _ if line.starts_with(b"ERR ") => return Err(remote(&line[4..])),
            _ => {
                received.shallow.extend(id(b"shallow "));
                received.unshallow.extend(id(b"unshallow "));
            }
        }
    }
    messages.finish();
    Ok(received)
}

fn remote(text: &[u8]) -> Stop {
    fatal(bytes!("remote error: ", text.trim_ascii_end()))
}

/// The first band of an answer, the second being shown.
fn unband(input: &mut impl Read) -> Outcome<Vec<u8>> {
    let mut text = Vec::new();
    let mut messages = Messages::default();
    while let Some(packet) = packet::read(input)? {
        let Packet::Data(line) = packet else { break };
        match line.first() {
            Some(1) => text.extend_from_slice(&line[1..]),
            Some(2) => messages.add(&line[1..]),
            _ => return Err(remote(line.get(1..).unwrap_or_default())),
        }
    }
    messages.finish();
    Ok(text)
}

/// What became of each command.
fn report(mut text: &[u8]) -> Outcome<Report> {
    let mut report = Report::new();
    while let Some(Packet::Data(line)) = packet::read(&mut text)? {
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        if let Some(result) = line.strip_prefix(b"unpack ") {
            if result != b"ok" {
                return Err(fatal(bytes!("remote unpack failed: ", result)));
            }
        } else if let Some(name) = line.strip_prefix(b"ok ") {
            report.push((name.to_vec(), None));
        } else if let Some(rest) = line.strip_prefix(b"ng ") {
            let space = rest.iter().position(|&byte| byte == b' ');
            let space = space.unwrap_or(rest.len());
            let why = rest.get(space + 1..).unwrap_or(b"failed").to_vec();
            report.push((rest[..space].to_vec(), Some(why)));
        }
    }
    Ok(report)
}
