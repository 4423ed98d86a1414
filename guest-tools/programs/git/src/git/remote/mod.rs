//! Other repositories: `git remote`, `clone`, `fetch`, `pull`, `push` and `ls-remote`.

mod advert;
mod bundle;
mod clone;
mod command;
mod curl;
mod delta;
mod fetch;
mod http;
mod indexing;
mod local;
mod ls_remote;
mod pack;
mod packet;
mod pull;
mod push;
mod reasons;
mod refspec;
mod scope;
mod sideband;
mod transport;
mod url;

pub use bundle::bundle;
pub use clone::clone;
pub use command::remote;
pub use delta::Member;
pub use fetch::command as fetch;
pub use ls_remote::ls_remote;
pub use pack::{pack_small, store_named};
pub use pull::pull;
pub use push::command as push;
pub use sideband::tell;
pub use transport::check_allowed;

use super::config::Config;
use super::repository::{Globals, Repository};
use super::stop::{Outcome, Stop};
use crate::call::bytes;
use crate::output::Output;
use refspec::Refspec;

/// Another repository, as the settings or the command line name it.
#[derive(Debug, Clone)]
pub struct Remote {
    /// Its name; the URL itself where it has none.
    pub name: Vec<u8>,
    pub is_named: bool,
    pub url: Vec<u8>,
    /// Where `push` goes.
    pub push_urls: Vec<Vec<u8>>,
    pub fetch: Vec<Refspec>,
    pub push: Vec<Refspec>,
    /// Whether all tags, or none, come along.
    pub tags: Option<bool>,
    pub prune: bool,
}

/// The reference here that follows `name` of a remote, by its rules of fetching.
pub fn follower(repository: &Repository, remote: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let remote = Remote::find(&repository.config, remote).ok()?;
    remote.fetch.iter().find_map(|rule| rule.map(name))
}

/// All values of a setting of one remote.
pub fn values(config: &Config, remote: &[u8], key: &str) -> Vec<Vec<u8>> {
    let name = format!("remote.{}.{key}", String::from_utf8_lossy(remote));
    let found = config.all().iter().filter(|setting| setting.name == name);
    found.filter_map(|setting| setting.value.clone()).collect()
}

/// The name of the folder that a clone of `url` gets.
pub fn folder(url: &[u8]) -> Vec<u8> {
    url::folder(url, false, false).unwrap_or_default()
}

/// Clones what a stranger's file may have named: the settings have to allow its protocol for that.
pub fn clone_of_stranger(
    globals: &Globals,
    url: &[u8],
    arguments: &[Vec<u8>],
    out: &mut Output,
) -> Outcome<i32> {
    let config = super::repository::settings(globals, None)?;
    clone::clone_if(globals, arguments, out, || {
        check_allowed(&config, url, false)
    })
}

/// The names of all remotes, in the order of the settings.
pub fn names(config: &Config) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for setting in config.all() {
        let inner = setting.name.strip_prefix("remote.");
        let name = inner
            .and_then(|rest| rest.rsplit_once('.'))
            .map(|(name, _)| name);
        if let Some(name) = name
            && !names.iter().any(|known| known == name.as_bytes())
        {
            names.push(name.as_bytes().to_vec());
        }
    }
    names.sort();
    names
}

impl Remote {
    /// The remote with this name or URL.
    pub fn find(config: &Config, name: &[u8]) -> Outcome<Remote> {
        let parse = |list: Vec<Vec<u8>>| -> Outcome<Vec<Refspec>> {
            list.iter().map(|text| Refspec::parse(text)).collect()
        };
        let urls = values(config, name, "url");
        let is_named = names(config).iter().any(|known| known == name);
        let url = urls.first().cloned().unwrap_or_else(|| name.to_vec());
        let mut push_urls = values(config, name, "pushurl");
        let own = !push_urls.is_empty();
        if !own {
            push_urls = if urls.is_empty() {
                vec![url.clone()]
            } else {
                urls
            };
        }
        let rewritten = push_urls
            .iter()
            .map(|url| url::rewritten(config, url, !own));
        let is_set = |key: &str| {
            let values = values(config, name, key);
            values
                .last()
                .and_then(|value| super::config::is_true(value))
        };
        Ok(Remote {
            push_urls: rewritten.collect(),
            url: url::rewritten(config, &url, false),
            fetch: parse(values(config, name, "fetch"))?,
            push: parse(values(config, name, "push"))?,
            tags: match values(config, name, "tagopt").last().map(Vec::as_slice) {
                Some(b"--tags") => Some(true),
                Some(b"--no-tags") => Some(false),
                _ => None,
            },
            prune: is_set("prune").unwrap_or_else(|| config.truth("fetch.prune", false)),
            name: name.to_vec(),
            is_named,
        })
    }

    /// The reference here that follows the reference `name` there.
    pub fn tracking(&self, name: &[u8]) -> Option<Vec<u8>> {
        let mut found = self.fetch.iter().filter(|spec| !spec.negative);
        found.find_map(|spec| spec.map(name))
    }
}

/// The remote that is meant where none is named.
pub fn default_name(repository: &Repository) -> Vec<u8> {
    let branch = repository.refs.branch().unwrap_or_default();
    let key = format!("branch.{}.remote", String::from_utf8_lossy(&branch));
    if let Some(name) = repository.config.get(&key) {
        return name.to_vec();
    }
    match names(&repository.config).as_slice() {
        [only] => only.clone(),
        _ => b"origin".to_vec(),
    }
}

/// A name without the folder that all of its kind are in.
pub fn pretty(name: &[u8]) -> &[u8] {
    let folders = [b"refs/heads/".as_slice(), b"refs/tags/", b"refs/remotes/"];
    let mut short = folders
        .iter()
        .filter_map(|folder| name.strip_prefix(*folder));
    short.next().unwrap_or(name)
}

/// There is no remote of this name.
pub fn missing(name: &[u8]) -> Stop {
    Stop {
        status: 2,
        message: bytes!("error: No such remote '", name, "'"),
    }
}
