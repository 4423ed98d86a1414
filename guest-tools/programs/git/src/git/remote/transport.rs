//! The way to another repository: over HTTP, or a folder beside ours.

use super::super::config::Config;
use super::super::objects::Id;
use super::super::repository::Repository;
use super::super::stop::{Outcome, Stop, fatal};
use super::advert::Advert;
use super::bundle::Bundle;
use super::http::Http;
use super::local::Local;
use crate::call::bytes;
use crate::system;

/// What is wanted of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Fetch,
    Push,
}

impl Service {
    /// Its name in git's protocol.
    pub fn name(self) -> &'static str {
        match self {
            Service::Fetch => "git-upload-pack",
            Service::Push => "git-receive-pack",
        }
    }
}

/// What is to be fetched.
#[derive(Default)]
pub struct Wants {
    pub ids: Vec<Id>,
    /// Commits that are here already.
    pub haves: Vec<Id>,
    /// So many commits behind each other at most.
    pub depth: Option<usize>,
    /// Commits here whose parents are not.
    pub shallow: Vec<Id>,
    /// Whether tags of what is fetched come along.
    pub tags: bool,
}

/// What came.
#[derive(Default)]
pub struct Received {
    pub pack: Vec<u8>,
    /// Commits whose parents did not come.
    pub shallow: Vec<Id>,
    /// Commits whose parents are there now.
    pub unshallow: Vec<Id>,
    /// Commits that it stands on.
    pub needs: Vec<Id>,
}

/// A reference of the other side that is to say something else.
#[derive(Clone)]
pub struct Command {
    /// Null where it is new.
    pub old: Id,
    /// Null where it is to go.
    pub new: Id,
    pub name: Vec<u8>,
}

/// What became of a command: its reference, and why it was refused.
pub type Report = Vec<(Vec<u8>, Option<Vec<u8>>)>;

/// An open way.
pub enum Transport {
    Http(Http),
    Local(Box<Local>),
    Bundle(Bundle),
}

/// Whether a word names a place on this machine.
pub fn is_local(url: &[u8]) -> bool {
    url.starts_with(b"file://") || (scheme(url).is_none() && !is_host(url))
}

/// Whether a place on this machine is a file that may be a bundle.
pub fn is_bundle(path: &[u8]) -> bool {
    super::local::find(path).is_none()
        && system::stat(path, true).is_ok_and(|stat| stat.kind == system::Kind::Regular)
}

/// What stands before `://`.
fn scheme(url: &[u8]) -> Option<&[u8]> {
    let end = url.windows(3).position(|part| part == b"://")?;
    let scheme = &url[..end];
    let letters = scheme
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
    (letters && !scheme.is_empty()).then_some(scheme)
}

/// `host:path`, as ssh has it.
fn is_host(url: &[u8]) -> bool {
    let colon = url.iter().position(|&byte| byte == b':');
    let slash = url.iter().position(|&byte| byte == b'/');
    colon.is_some_and(|colon| slash.is_none_or(|slash| colon < slash))
        && system::stat(url, true).is_err()
}

/// Refuses a URL whose protocol the settings do not allow; `asked` where the user has named it.
pub fn check_allowed(config: &Config, url: &[u8], asked: bool) -> Outcome {
    let protocol = match scheme(url) {
        Some(scheme) => scheme,
        None if is_local(url) => b"file",
        None => b"ssh",
    };
    let name = String::from_utf8_lossy(protocol).into_owned();
    let refused = || fatal(bytes!("transport '", protocol, "' not allowed"));
    if let Ok(list) = std::env::var("GIT_ALLOW_PROTOCOL") {
        let known = list.split(':').any(|one| one == name);
        return known.then_some(()).ok_or_else(refused);
    }
    let own = config.text(&format!("protocol.{name}.allow"));
    let usual = match name.as_str() {
        "http" | "https" | "git" | "ssh" => "always",
        _ => "user",
    };
    let rule = own.or_else(|| config.text("protocol.allow"));
    match rule.as_deref().unwrap_or(usual) {
        "always" => Ok(()),
        "user" if asked && !is_denied_by_caller() => Ok(()),
        _ => Err(refused()),
    }
}

/// A command such as `git submodule foreach` runs us, not the user.
fn is_denied_by_caller() -> bool {
    std::env::var("GIT_PROTOCOL_FROM_USER").is_ok_and(|value| value == "0")
}

impl Transport {
    /// Opens the way to `url`.
    pub fn open(config: &Config, url: &[u8]) -> Outcome<Transport> {
        check_allowed(config, url, true)?;
        match scheme(url) {
            Some(b"http" | b"https") => Ok(Transport::Http(Http::new(config, url))),
            Some(b"file") => Transport::beside(&url[7..]),
            Some(b"ssh" | b"git+ssh" | b"ssh+git") => Err(no_ssh(url)),
            Some(other) => Err(fatal(bytes!(
                "Unable to find remote helper for '",
                other,
                "'"
            ))),
            None if is_host(url) => Err(no_ssh(url)),
            None => Transport::beside(url),
        }
    }

    /// A folder, or a bundle.
    fn beside(path: &[u8]) -> Outcome<Transport> {
        if is_bundle(path) {
            return Bundle::open(path).map(Transport::Bundle);
        }
        Local::open(path).map(|way| Transport::Local(Box::new(way)))
    }

    /// What the other side has.
    pub fn list(&mut self, service: Service) -> Outcome<Advert> {
        match self {
            Transport::Http(way) => way.list(service),
            Transport::Local(way) => way.list(),
            Transport::Bundle(bundle) => Ok(bundle.list()),
        }
    }

    /// Fetches objects.
    pub fn fetch(&self, advert: &Advert, wants: &Wants) -> Outcome<Received> {
        match self {
            Transport::Http(way) => way.fetch(advert, wants),
            Transport::Local(way) => way.fetch(wants),
            Transport::Bundle(bundle) => Ok(bundle.fetch()),
        }
    }

    /// Sends commands, and the pack that they need.
    pub fn push(
        &mut self,
        from: &Repository,
        advert: &Advert,
        commands: &[Command],
        pack: Option<Vec<u8>>,
    ) -> Outcome<Report> {
        match self {
            Transport::Http(way) => way.push(from, advert, commands, pack),
            Transport::Local(way) => way.push(commands, pack),
            Transport::Bundle(_) => Err(fatal("operation not supported by protocol")),
        }
    }
}

fn no_ssh(url: &[u8]) -> Stop {
    Stop {
        status: 128,
        message: bytes!(
            "error: cannot run ssh: No such file or directory\n\
             hint: '",
            url,
            "' needs ssh, which is not here; use an https URL\nfatal: unable to fork"
        ),
    }
}
