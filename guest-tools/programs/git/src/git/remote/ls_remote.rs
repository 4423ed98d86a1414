//! `git ls-remote`.

use super::super::flags::Flags;
use super::super::repository::{Globals, Repository, settings};
use super::super::stop::{Outcome, fatal};
use super::transport::{Service, Transport};
use super::{Remote, default_name, names};
use crate::call::bytes;
use crate::glob::Glob;
use crate::options::{Opt, Value};
use crate::output::Output;

const OPTIONS: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("h", "heads", Value::No),
    Opt("b", "branches", Value::No),
    Opt("t", "tags", Value::No),
    Opt("", "refs", Value::No),
    Opt("", "symref", Value::No),
    Opt("", "exit-code", Value::No),
    Opt("", "get-url", Value::No),
];

/// `git ls-remote`
pub fn ls_remote(
    globals: &Globals,
    repository: Option<&Repository>,
    arguments: &[Vec<u8>],
    out: &mut Output,
) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut patterns = flags.all_paths();
    let config = match repository {
        Some(repository) => repository.config.clone(),
        None => settings(globals, None)?,
    };
    let name = match (patterns.is_empty(), repository) {
        (false, _) => patterns.remove(0),
        (true, Some(repository)) if !names(&config).is_empty() => default_name(repository),
        _ => return Err(fatal("No remote configured to list refs from.")),
    };
    let remote = Remote::find(&config, &name)?;
    if flags.has("get-url") {
        out.put(bytes!(remote.url, "\n"));
        return Ok(0);
    }
    let advert = Transport::open(&config, &remote.url)?.list(Service::Fetch)?;
    if arguments.iter().all(|word| word.starts_with(b"-")) && !flags.has("q") {
        super::sideband::tell(&bytes!("From ", remote.url, "\n"));
    }
    let wanted = |name: &[u8]| {
        let heads = flags.has("h") || flags.has("b");
        let kind = (heads && name.starts_with(b"refs/heads/"))
            || (flags.has("t") && name.starts_with(b"refs/tags/"))
            || !(heads || flags.has("t"));
        let kind = kind && (!flags.has("refs") || name.starts_with(b"refs/"));
        let fits = |pattern: &Vec<u8>| {
            Glob::new(&bytes!("*/", pattern), false, false).matches(&bytes!("/", name))
        };
        kind && (patterns.is_empty() || patterns.iter().any(fits))
    };
    let mut count = 0;
    for (name, id) in advert.refs.iter().filter(|(name, _)| wanted(name)) {
        count += 1;
        if let (true, true, Some(head)) = (flags.has("symref"), name == b"HEAD", &advert.head) {
            out.put(bytes!("ref: ", head, "\tHEAD\n"));
        }
        out.put(bytes!(format!("{id}\t"), name, "\n"));
        if let (Some(peeled), false) = (advert.peeled.get(name), flags.has("refs")) {
            out.put(bytes!(format!("{peeled}\t"), name, "^{}\n"));
        }
    }
    Ok(if flags.has("exit-code") && count == 0 {
        2
    } else {
        0
    })
}
