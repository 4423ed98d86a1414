//! `git rev-parse`.

use super::objects::Id;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, Stop, fatal, quiet, usage};
use crate::call::bytes;
use crate::system;

/// `git rev-parse`
pub fn rev_parse(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let mut form = Form::default();
    let mut found = 0;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = String::from_utf8_lossy(word).into_owned();
        if form.read(&text)? {
            continue;
        }
        if let Some(prefix) = listed(&text) {
            for (_, id) in repository.refs.list(prefix) {
                repository.out.put(format!("{id}\n"));
            }
            continue;
        }
        let line = if text == "--git-path" {
            let name = words.next().cloned().unwrap_or_default();
            bytes!(".git/", name)
        } else if let Some(line) = about(repository, &text)? {
            line
        } else if text == "--" || text.starts_with('-') && text.len() > 1 && !form.verify {
            word.clone()
        } else {
            found += 1;
            named(repository, word, &form)?
        };
        let is_shown = !line.is_empty() || text == "--show-prefix" || text == "--show-cdup";
        if is_shown {
            repository.out.put(bytes!(line, "\n"));
        }
    }
    if form.verify && found != 1 {
        return Err(form.refused());
    }
    Ok(0)
}

/// How names are shown, as the options said so far.
#[derive(Default)]
struct Form {
    /// There must be one name, and it must be one of a revision.
    verify: bool,
    silent: bool,
    /// Names of references instead of ids: short,
    abbreviated: bool,
    /// or whole.
    symbolic: bool,
    /// Short ids, of a length that may be given.
    short: Option<Option<usize>>,
}

impl Form {
    /// Takes a word that is an option of the form; whether it is one.
    fn read(&mut self, word: &str) -> Outcome<bool> {
        match word {
            "--verify" => self.verify = true,
            "-q" | "--quiet" => self.silent = true,
            "--short" => self.short = Some(None),
            "--abbrev-ref" | "--abbrev-ref=strict" | "--abbrev-ref=loose" => {
                self.abbreviated = true;
            }
            "--symbolic-full-name" => self.symbolic = true,
            "--revs-only" | "--no-revs" | "--flags" | "--no-flags" | "--sq" | "--parseopt" => {
                return Err(usage(format!("option `{word}' is not supported")));
            }
            _ => {
                let Some(length) = word.strip_prefix("--short=") else {
                    return Ok(false);
                };
                let length = length.parse();
                self.short = Some(Some(length.map_err(|_| usage(format!("invalid {word}")))?));
            }
        }
        Ok(true)
    }

    /// There is no single revision, as `--verify` wants it.
    fn refused(&self) -> Stop {
        if self.silent {
            quiet(1)
        } else {
            fatal("Needed a single revision")
        }
    }

    fn id(&self, repository: &Repository, id: &Id) -> String {
        match self.short {
            None => id.to_string(),
            Some(None) => repository.short(id),
            Some(Some(length)) => repository.objects.short(id, Some(length)),
        }
    }
}

/// The prefix of the references that an option lists.
fn listed(word: &str) -> Option<&'static [u8]> {
    match word {
        "--all" => Some(b"refs/"),
        "--branches" => Some(b"refs/heads/"),
        "--tags" => Some(b"refs/tags/"),
        "--remotes" => Some(b"refs/remotes/"),
        _ => None,
    }
}

/// What an option asks about the repository; none where it is no such option.
fn about(repository: &Repository, word: &str) -> Outcome<Option<Vec<u8>>> {
    let truth = |is: bool| is.to_string().into_bytes();
    let at_top = repository.prefix.is_empty();
    Ok(Some(match word {
        "--git-dir" => {
            let root = repository.root.as_ref();
            let usual = root.is_some_and(|root| repository.git_dir == system::join(root, b".git"));
            if usual && at_top {
                b".git".to_vec()
            } else {
                repository.git_dir.clone()
            }
        }
        "--absolute-git-dir" => repository.git_dir.clone(),
        "--git-common-dir" if repository.common == repository.git_dir && at_top => b".git".to_vec(),
        "--git-common-dir" => repository.common.clone(),
        "--show-toplevel" => repository.root()?.to_vec(),
        "--show-prefix" => repository.prefix.clone(),
        "--show-cdup" => {
            let slashes = repository.prefix.iter().filter(|&&byte| byte == b'/');
            b"../".repeat(slashes.count())
        }
        "--is-inside-work-tree" => truth(repository.root.is_some()),
        "--is-inside-git-dir" => {
            truth(super::repository::directory()?.starts_with(&repository.git_dir))
        }
        "--is-bare-repository" => truth(repository.root.is_none()),
        "--is-shallow-repository" => truth(repository.note("shallow").is_some()),
        "--show-object-format" => b"sha1".to_vec(),
        _ => return Ok(None),
    }))
}

/// The lines about a word that is a revision or, without `--verify`, a path.
fn named(repository: &mut Repository, word: &[u8], form: &Form) -> Outcome<Vec<u8>> {
    if let Some(text) = one_revision(repository, word, form)? {
        return Ok(text);
    }
    if form.verify {
        return Err(form.refused());
    }
    let is_path = repository
        .path_from_top(word)
        .and_then(|path| repository.file(&path))
        .is_ok_and(|path| system::stat(&path, false).is_ok());
    if is_path {
        return Ok(word.to_vec());
    }
    repository.out.put(bytes!(word, "\n"));
    Err(revision::unknown(word))
}

/// What a revision, a range or `^REVISION` stands for; none where it is none.
fn one_revision(repository: &Repository, word: &[u8], form: &Form) -> Outcome<Option<Vec<u8>>> {
    if form.abbreviated || form.symbolic {
        return reference_name(repository, word, form.abbreviated);
    }
    let show = |id: &Id| form.id(repository, id);
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
    Ok(revision::find(repository, word)?.map(|id| show(&id).into_bytes()))
}

/// The name of the reference that a word means: empty for a commit that no name was used for, none for what is nothing.
fn reference_name(repository: &Repository, word: &[u8], short: bool) -> Outcome<Option<Vec<u8>>> {
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
    Ok(match full {
        // A branch without commits has no name yet.
        Some(full) if repository.refs.resolve(&full).is_none() => None,
        Some(full) if short => Some(revision::short_reference(&full).to_vec()),
        Some(full) => Some(full),
        None => revision::find(repository, word)?.map(|_| Vec::new()),
    })
}
