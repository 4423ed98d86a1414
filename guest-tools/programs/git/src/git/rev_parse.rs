//! `git rev-parse`.

use super::objects::Id;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal, usage};
use crate::call::bytes;
use crate::system;

/// `git rev-parse`
pub fn rev_parse(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let (mut verify, mut silent, mut symbolic) = (false, false, false);
    let mut short = None;
    let mut abbreviated = false;
    let mut found = 0;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = String::from_utf8_lossy(word).into_owned();
        let line: Vec<u8> = match text.as_str() {
            "--verify" => {
                verify = true;
                continue;
            }
            "-q" | "--quiet" => {
                silent = true;
                continue;
            }
            "--short" => {
                short = Some(None);
                continue;
            }
            "--abbrev-ref" | "--abbrev-ref=strict" | "--abbrev-ref=loose" => {
                abbreviated = true;
                continue;
            }
            "--symbolic-full-name" => {
                symbolic = true;
                continue;
            }
            "--revs-only" | "--no-revs" | "--flags" | "--no-flags" | "--sq" | "--parseopt" => {
                return Err(usage(format!("option `{text}' is not supported")));
            }
            "--git-dir" => {
                let inside = repository
                    .root
                    .as_ref()
                    .is_some_and(|root| repository.git_dir == system::join(root, b".git"));
                if inside && repository.prefix.is_empty() {
                    b".git".to_vec()
                } else {
                    repository.git_dir.clone()
                }
            }
            "--absolute-git-dir" => repository.git_dir.clone(),
            "--git-common-dir" => {
                if repository.common == repository.git_dir && repository.prefix.is_empty() {
                    b".git".to_vec()
                } else {
                    repository.common.clone()
                }
            }
            "--show-toplevel" => repository.root()?.to_vec(),
            "--show-prefix" => repository.prefix.clone(),
            "--show-cdup" => {
                let depth = repository
                    .prefix
                    .iter()
                    .filter(|&&byte| byte == b'/')
                    .count();
                b"../".repeat(depth)
            }
            "--is-inside-work-tree" => repository.root.is_some().to_string().into_bytes(),
            "--is-inside-git-dir" => {
                let here = super::repository::directory()?;
                here.starts_with(&repository.git_dir)
                    .to_string()
                    .into_bytes()
            }
            "--is-bare-repository" => repository.root.is_none().to_string().into_bytes(),
            "--is-shallow-repository" => repository
                .note("shallow")
                .is_some()
                .to_string()
                .into_bytes(),
            "--show-object-format" => b"sha1".to_vec(),
            "--git-path" => {
                let name = words.next().cloned().unwrap_or_default();
                bytes!(".git/", name)
            }
            "--all" | "--branches" | "--tags" | "--remotes" => {
                let prefix: &[u8] = match text.as_str() {
                    "--branches" => b"refs/heads/",
                    "--tags" => b"refs/tags/",
                    "--remotes" => b"refs/remotes/",
                    _ => b"refs/",
                };
                for (_, id) in repository.refs.list(prefix) {
                    repository.out.put(format!("{id}\n"));
                }
                continue;
            }
            "--" => {
                repository.out.put("--\n");
                continue;
            }
            _ => {
                if let Some(length) = text.strip_prefix("--short=") {
                    let length = length
                        .parse()
                        .map_err(|_| usage(format!("invalid {text}")))?;
                    short = Some(Some(length));
                    continue;
                }
                if text.starts_with('-') && text.len() > 1 && !verify {
                    repository.out.put(bytes!(word, "\n"));
                    continue;
                }
                found += 1;
                match one_revision(repository, word, abbreviated, symbolic, short)? {
                    Some(text) => text,
                    None if silent && verify => return Err(super::stop::quiet(1)),
                    None if verify => return Err(fatal("Needed a single revision")),
                    None => {
                        let there = repository
                            .path_from_top(word)
                            .and_then(|path| repository.file(&path))
                            .is_ok_and(|path| system::stat(&path, false).is_ok());
                        if !there {
                            repository.out.put(bytes!(word, "\n"));
                            return Err(revision::unknown(word));
                        }
                        word.clone()
                    }
                }
            }
        };
        let empty = line.is_empty() && text != "--show-prefix" && text != "--show-cdup";
        if !empty {
            repository.out.put(bytes!(line, "\n"));
        }
    }
    if verify && found != 1 {
        if silent {
            return Err(super::stop::quiet(1));
        }
        return Err(fatal("Needed a single revision"));
    }
    Ok(0)
}

fn one_revision(
    repository: &Repository,
    word: &[u8],
    abbreviated: bool,
    symbolic: bool,
    short: Option<Option<usize>>,
) -> Outcome<Option<Vec<u8>>> {
    let show = |id: &Id| match short {
        None => id.to_string(),
        Some(None) => repository.short(id),
        Some(Some(length)) => repository.objects.short(id, Some(length)),
    };
    if abbreviated || symbolic {
        let full = if word == b"HEAD" || word == b"@" {
            Some(repository.refs.head().unwrap_or_else(|| b"HEAD".to_vec()))
        } else if let Some(branch) = word
            .strip_suffix(b"@{u}")
            .or(word.strip_suffix(b"@{upstream}"))
        {
            revision::upstream(repository, branch)
        } else {
            revision::reference(repository, word)
        };
        return Ok(match full {
            // A branch without commits has no name yet.
            Some(full) if repository.refs.resolve(&full).is_none() => None,
            Some(full) if abbreviated => Some(revision::short_reference(&full).to_vec()),
            Some(full) => Some(full),
            None => revision::find(repository, word)?.map(|_| Vec::new()),
        });
    }
    if let Some((left, right, wide)) = revision::split_range(word) {
        let (Some(left), Some(right)) = (
            revision::find(repository, left)?,
            revision::find(repository, right)?,
        ) else {
            return Ok(None);
        };
        let mut lines = vec![show(&right)];
        if wide {
            lines.push(show(&left));
            for base in super::walk::merge_bases(repository, &left, &right)? {
                lines.push(format!("^{}", show(&base)));
            }
        } else {
            lines.push(format!("^{}", show(&left)));
        }
        return Ok(Some(lines.join("\n").into_bytes()));
    }
    if let Some(rest) = word.strip_prefix(b"^") {
        return Ok(
            revision::find(repository, rest)?.map(|id| format!("^{}", show(&id)).into_bytes())
        );
    }
    match revision::find(repository, word) {
        Ok(found) => Ok(found.map(|id| show(&id).into_bytes())),
        Err(stop) => Err(stop),
    }
}
