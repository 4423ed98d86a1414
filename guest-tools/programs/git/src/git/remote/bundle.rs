//! `git bundle`: a pack in a file, with the references that it is for.

use std::collections::HashSet;
use std::io::Write as _;

use super::super::flags::Flags;
use super::super::objects::{Id, parse_id, write_file};
use super::super::repository::Repository;
use super::super::revision::{self, Range, split_range};
use super::super::stop::{Outcome, Stop, error, fatal, file, usage};
use super::advert::Advert;
use super::pack;
use super::transport::Received;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// A bundle that was read.
#[derive(Debug, Default)]
pub struct Bundle {
    /// Commits that whoever takes it in must have.
    needs: Vec<Id>,
    refs: Vec<(Vec<u8>, Id)>,
    pack: Vec<u8>,
}

impl Bundle {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Where it cannot be read, is no bundle, or needs what is not here.
    pub fn open(path: &[u8]) -> Outcome<Bundle> {
        let data =
            system::read_whole(path).map_err(|_| error(bytes!("could not open '", path, "'")))?;
        Bundle::parse(&data).ok_or_else(|| {
            error(bytes!(
                "'",
                path,
                "' does not look like a v2 or v3 bundle file"
            ))
        })
    }

    fn parse(data: &[u8]) -> Option<Bundle> {
        let rest = data.strip_prefix(b"# v2 git bundle\n");
        let mut rest = rest.or_else(|| data.strip_prefix(b"# v3 git bundle\n"))?;
        let mut bundle = Bundle::default();
        loop {
            let end = rest.iter().position(|&byte| byte == b'\n')?;
            let line = &rest[..end];
            rest = &rest[end + 1..];
            match line {
                [] => break,
                [b'-', line @ ..] => bundle.needs.push(line.get(..40).and_then(parse_id)?),
                b"@object-format=sha1" => {}
                [b'@', ..] => return None,
                _ => {
                    let id = line.get(..40).and_then(parse_id)?;
                    bundle.refs.push((line.get(41..)?.to_vec(), id));
                }
            }
        }
        bundle.pack = rest.to_vec();
        Some(bundle)
    }

    /// What it has.
    pub fn list(&self) -> Advert {
        Advert {
            refs: self.refs.iter().cloned().collect(),
            ..Advert::default()
        }
    }

    /// All of it: a bundle is never taken in part.
    pub fn fetch(&self) -> Received {
        Received {
            pack: self.pack.clone(),
            needs: self.needs.clone(),
            ..Received::default()
        }
    }
}

/// Refuses what stands on commits that are not here.
pub fn check_needs(repository: &Repository, needs: &[Id]) -> Outcome {
    let gone = needs.iter().filter(|id| !repository.objects.has(id));
    let lines: Vec<String> = gone.map(|id| format!("\nerror: {id} ")).collect();
    if lines.is_empty() {
        return Ok(());
    }
    Err(error(bytes!(
        "Repository lacks these prerequisite commits:",
        lines.concat()
    )))
}

/// `git bundle`
pub fn bundle(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("q", "quiet", Value::No),
        Opt("", "progress", Value::No),
        Opt("", "all-progress", Value::No),
        Opt("", "version", Value::Required),
        Opt("", "all", Value::No),
        Opt("", "branches", Value::No),
        Opt("", "tags", Value::No),
        Opt("", "remotes", Value::No),
    ];
    let Some((verb, rest)) = arguments.split_first() else {
        return Err(usage("need a subcommand"));
    };
    let flags = Flags::read(rest, OPTIONS)?;
    let mut words = flags.all_paths();
    let no_file = || usage("need a <file> argument");
    let mut path = || match words.is_empty() {
        true => Err(no_file()),
        false => Ok(words.remove(0)),
    };
    match verb.as_slice() {
        b"create" => {
            let path = path()?;
            create(repository, &path, &words, &flags)
        }
        b"verify" => verify(repository, &path()?, flags.has("q")),
        b"list-heads" => {
            let bundle = Bundle::open(&path()?)?;
            heads(repository, &bundle, &words);
            Ok(0)
        }
        b"unbundle" => {
            let bundle = Bundle::open(&path()?)?;
            check_needs(repository, &bundle.needs)?;
            pack::store(repository, bundle.pack.clone())?;
            heads(repository, &bundle, &words);
            Ok(0)
        }
        other => Err(usage(bytes!("unknown subcommand: `", other, "'"))),
    }
}

/// Prints references; those that are named, if any are.
fn heads(repository: &mut Repository, bundle: &Bundle, names: &[Vec<u8>]) {
    let fits = |full: &[u8]| names.is_empty() || names.iter().any(|name| name == full);
    for (name, id) in bundle.refs.iter().filter(|(name, _)| fits(name)) {
        repository.out.put(bytes!(format!("{id} "), name, "\n"));
    }
}

fn verify(repository: &mut Repository, path: &[u8], quiet: bool) -> Outcome<i32> {
    let bundle = Bundle::open(path)?;
    check_needs(repository, &bundle.needs)?;
    repository.say(bytes!(path, " is okay"));
    if quiet {
        return Ok(0);
    }
    let count = |count: usize| match count {
        1 => "this ref:".to_owned(),
        count => format!("these {count} refs:"),
    };
    let text = format!("The bundle contains {}\n", count(bundle.refs.len()));
    repository.out.put(text);
    heads(repository, &bundle, &[]);
    if bundle.needs.is_empty() {
        repository
            .out
            .put("The bundle records a complete history.\n");
    } else {
        let text = format!("The bundle requires {}\n", count(bundle.needs.len()));
        repository.out.put(text);
        for id in &bundle.needs {
            repository.out.put(format!("{id} \n"));
        }
    }
    repository
        .out
        .put("The bundle uses this hash algorithm: sha1\n");
    Ok(0)
}

/// References by their full names.
type References = Vec<(Vec<u8>, Id)>;

/// The references that are put in, and what bounds their history.
fn chosen(
    repository: &Repository,
    words: &[Vec<u8>],
    flags: &Flags,
) -> Outcome<(References, Range)> {
    let mut range = Range::default();
    let mut refs = References::new();
    let lists = [
        ("all", b"refs/".as_slice()),
        ("branches", b"refs/heads/"),
        ("tags", b"refs/tags/"),
        ("remotes", b"refs/remotes/"),
    ];
    for (_, prefix) in lists.iter().filter(|(key, _)| flags.has(key)) {
        refs.extend(repository.refs.list(prefix));
    }
    if flags.has("all") {
        refs.extend(repository.head().map(|id| (b"HEAD".to_vec(), id)));
    }
    range.include.extend(refs.iter().map(|(_, id)| *id));
    for word in words {
        if !range.add(repository, word)? {
            return Err(revision::unknown(word));
        }
        let tip = split_range(word).map_or(word.as_slice(), |(_, right, _)| right);
        if let Some(name) = revision::reference(repository, tip)
            && let Some(id) = repository.refs.resolve(&name)
        {
            refs.push((name, id));
        }
    }
    let mut names = HashSet::new();
    refs.retain(|(name, _)| names.insert(name.clone()));
    Ok((refs, range))
}

fn create(
    repository: &mut Repository,
    path: &[u8],
    words: &[Vec<u8>],
    flags: &Flags,
) -> Outcome<i32> {
    let version = match flags.value("version") {
        None | Some(b"2") => 2,
        Some(b"3") => 3,
        Some(other) => return Err(fatal(bytes!("unsupported bundle version ", other))),
    };
    let (mut refs, range) = chosen(repository, words, flags)?;
    let objects = &repository.objects;
    let mut wants: Vec<Id> = refs.iter().map(|(_, id)| *id).collect();
    wants.extend_from_slice(&range.include);
    let found = pack::select(objects, &wants, &range.exclude, &pack::Limits::default())?;
    let inside: HashSet<Id> = found.objects.iter().copied().collect();
    refs.retain(|(_, id)| inside.contains(id));
    if refs.is_empty() {
        return Err(fatal("Refusing to create empty bundle."));
    }
    let mut text = format!("# v{version} git bundle\n").into_bytes();
    if version == 3 {
        text.extend_from_slice(b"@object-format=sha1\n");
    }
    let mut known = HashSet::new();
    for id in &found.objects {
        let Ok(commit) = objects.commit(id) else {
            // Commits come first.
            break;
        };
        for parent in commit.parents.iter().filter(|id| !inside.contains(*id)) {
            if known.insert(*parent) {
                let subject = objects.commit(parent)?.subject();
                text.extend(bytes!(format!("-{parent} "), subject, "\n"));
            }
        }
    }
    for (name, id) in &refs {
        text.extend(bytes!(format!("{id} "), name, "\n"));
    }
    text.push(b'\n');
    text.extend(pack::write(objects, &found.objects)?);
    if path == b"-" {
        let mut out = std::io::stdout();
        out.write_all(&text)
            .map_err(|failure| fatal(failure.to_string()))?;
        return Ok(0);
    }
    let partial = bytes!(path, ".lock");
    write_file(&partial, &text)?;
    system::rename(&partial, path).map_err(|failure| file("cannot create", path, failure))?;
    Ok(0)
}

/// A bundle that a clone or fetch cannot take in ends like any other remote that fails.
pub fn refused(stop: Stop) -> Stop {
    Stop {
        status: 128,
        message: bytes!(stop.message, "\nfatal: remote transport reported error"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    #[test]
    fn heads_are_taken_apart() {
        let (a, b) = ("1".repeat(40), "2".repeat(40));
        let text = format!("# v3 git bundle\n@object-format=sha1\n-{a} one\n{b} HEAD\n\nPACK");
        let bundle = Bundle::parse(text.as_bytes()).unwrap();
        assert_eq!(bundle.needs[0].to_string(), a);
        assert_eq!(bundle.refs[0].0, b"HEAD");
        assert_eq!(bundle.pack, b"PACK");
        for bad in [
            "",
            "# v2 git bundle\n",
            "# v2 git bundle\nxx\n\n",
            "# v3 git bundle\n@object-format=sha256\n\n",
            "# v3 git bundle\n@filter=blob:none\n\n",
        ] {
            assert!(Bundle::parse(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
