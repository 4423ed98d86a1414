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
    if let [first, rest @ ..] = arguments
        && first == b"--sq-quote"
    {
        let quoted = rest
            .iter()
            .map(|word| bytes!(" ", super::bisect::quoted(word)));
        let line = quoted.collect::<Vec<_>>().concat();
        repository.out.put(bytes!(line, "\n"));
        return Ok(0);
    }
    let mut found = 0;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = String::from_utf8_lossy(word).into_owned();
        if form.paths {
            let line = bytes!(form.prefix, word);
            form.put(repository, line, Sort::Path);
            continue;
        }
        match text.as_str() {
            "--default" => {
                form.default = words.next().cloned();
                continue;
            }
            "--prefix" => {
                form.prefix = words.next().cloned().unwrap_or_default();
                continue;
            }
            "--not" => {
                form.turned = !form.turned;
                continue;
            }
            "--end-of-options" => continue,
            "--" => {
                form.paths = true;
                form.put(repository, word.clone(), Sort::Path);
                continue;
            }
            _ => {}
        }
        if form.read(&text)? || listed(repository, &mut form, &text) {
            continue;
        }
        if text == "--git-path" || text == "--git-dir" || text == "--git-common-dir" {
            let line = match text.as_str() {
                "--git-path" => {
                    let name = words.next().cloned().unwrap_or_default();
                    let absolute = form.absolute.or(Some(false));
                    let form = Form {
                        absolute,
                        ..Form::default()
                    };
                    form.path(repository, bytes!(repository.git_dir, "/", name))?
                }
                "--git-dir" => form.path(repository, repository.git_dir.clone())?,
                _ => form.path(repository, repository.common.clone())?,
            };
            repository.out.put(bytes!(line, "\n"));
        } else if let Some(line) = about(repository, &form, &text)? {
            if !line.is_empty() || text == "--show-prefix" || text == "--show-cdup" {
                repository.out.put(bytes!(line, "\n"));
            }
        } else if text.starts_with('-') && text.len() > 1 && !form.verify {
            let line = dated(&text).unwrap_or_else(|| word.clone());
            form.put(repository, line, Sort::Flag);
        } else {
            found += 1;
            let (line, sort) = named(repository, word, &form)?;
            form.put(repository, line, sort);
        }
    }
    if let (Some(word), 0) = (form.default.take(), found) {
        found += 1;
        let (line, sort) = named(repository, &word, &form)?;
        form.put(repository, line, sort);
    }
    if form.verify && found != 1 {
        return Err(form.refused());
    }
    Ok(0)
}

/// `--since=DATE` and its kin as what `rev-list` takes; none for other words.
fn dated(word: &str) -> Option<Vec<u8>> {
    let kinds = [
        ("--since=", "--max-age="),
        ("--after=", "--max-age="),
        ("--until=", "--min-age="),
        ("--before=", "--min-age="),
    ];
    let (value, kind) = kinds
        .iter()
        .find_map(|(name, kind)| Some((word.strip_prefix(name)?, kind)))?;
    let (time, _) = super::repository::parse_date(value.as_bytes())?;
    Some(format!("{kind}{time}").into_bytes())
}

/// What a line is, for the options that leave some out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Revision,
    Flag,
    Path,
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
    /// Names as they were given.
    verbatim: bool,
    /// In quotes, in one line.
    quoted: bool,
    /// Ids with `^`, and those that have it without.
    turned: bool,
    revisions_only: bool,
    no_revisions: bool,
    flags_only: bool,
    no_flags: bool,
    /// Whether `--` was read.
    paths: bool,
    /// Before paths.
    prefix: Vec<u8>,
    /// What is taken where nothing is named.
    default: Option<Vec<u8>>,
    /// Patterns of references that the next list leaves out.
    excluded: Vec<Vec<u8>>,
    /// Whether paths are absolute, where that was asked.
    absolute: Option<bool>,
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
            "--symbolic" => self.verbatim = true,
            "--sq" => self.quoted = true,
            "--revs-only" => self.revisions_only = true,
            "--no-revs" => self.no_revisions = true,
            "--flags" => self.flags_only = true,
            "--no-flags" => self.no_flags = true,
            "--path-format=absolute" => self.absolute = Some(true),
            "--path-format=relative" => self.absolute = Some(false),
            "--parseopt" => {
                return Err(usage(format!("option `{word}' is not supported")));
            }
            _ => {
                if let Some(pattern) = word.strip_prefix("--exclude=") {
                    self.excluded.push(pattern.as_bytes().to_vec());
                    return Ok(true);
                }
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

    /// Prints a line, or several, unless lines of its sort are left out.
    fn put(&self, repository: &mut Repository, lines: Vec<u8>, sort: Sort) {
        let left_out = match sort {
            Sort::Revision => self.no_revisions,
            Sort::Flag => self.no_flags || self.revisions_only && !is_revision_flag(&lines),
            Sort::Path => self.revisions_only || self.flags_only,
        };
        let left_out = left_out || sort != Sort::Flag && self.flags_only;
        if left_out || lines.is_empty() && sort != Sort::Path {
            return;
        }
        for line in lines.split(|&byte| byte == b'\n') {
            let line = match (
                self.turned && sort == Sort::Revision,
                line.strip_prefix(b"^"),
            ) {
                (false, _) => line.to_vec(),
                (true, Some(rest)) => rest.to_vec(),
                (true, None) => bytes!("^", line),
            };
            if self.quoted {
                repository
                    .out
                    .put(bytes!(super::bisect::quoted(&line), " "));
            } else {
                repository.out.put(bytes!(line, "\n"));
            }
        }
    }

    /// A path of the repository as it is shown: usually from the working directory at the top, elsewhere whole.
    fn path(&self, repository: &Repository, path: Vec<u8>) -> Outcome<Vec<u8>> {
        let here = super::repository::directory()?;
        let below = path
            .strip_prefix(here.as_slice())
            .and_then(|rest| rest.strip_prefix(b"/"));
        let at_top = repository.root.is_none() || repository.prefix.is_empty();
        Ok(match (self.absolute, below) {
            (Some(true), _) => path,
            (_, Some(below)) if at_top => below.to_vec(),
            _ if path == here => b".".to_vec(),
            (Some(false), _) => relative(&here, &path),
            _ => path,
        })
    }

    fn id(&self, repository: &Repository, id: &Id) -> String {
        match self.short {
            None => id.to_string(),
            Some(None) => repository.short(id),
            Some(Some(length)) => repository.objects.short(id, Some(length)),
        }
    }
}

/// Whether an option is one of `rev-list`'s.
fn is_revision_flag(word: &[u8]) -> bool {
    let names = [b"--max-count".as_slice(), b"--max-age", b"--min-age", b"-n"];
    names.iter().any(|name| word.starts_with(name))
}

/// The way from one folder to a path, both absolute; `./` where that is the folder itself.
fn relative(here: &[u8], path: &[u8]) -> Vec<u8> {
    match super::submodule::change::relative(here, path) {
        way if way.is_empty() => b"./".to_vec(),
        way => way,
    }
}

/// Prints the references that an option lists; whether it is one that does.
fn listed(repository: &mut Repository, form: &mut Form, word: &str) -> bool {
    let (name, pattern) = match word.split_once('=') {
        Some((name, pattern)) => (name, Some(pattern)),
        None => (word, None),
    };
    let prefix = match name {
        "--all" if pattern.is_none() => "refs/",
        "--branches" => "refs/heads/",
        "--tags" => "refs/tags/",
        "--remotes" => "refs/remotes/",
        "--glob" if pattern.is_some() => "",
        _ => return false,
    };
    let pattern = pattern.map(|pattern| {
        let whole = match prefix {
            "" if !pattern.starts_with("refs/") => format!("refs/{pattern}"),
            _ => format!("{prefix}{pattern}"),
        };
        match whole.contains(['*', '?', '[']) {
            true => whole,
            false => format!("{}/*", whole.trim_end_matches('/')),
        }
    });
    let excluded = std::mem::take(&mut form.excluded);
    for (full, id) in repository.refs.list(prefix.as_bytes()) {
        let fits = pattern
            .as_ref()
            .is_none_or(|pattern| super::ref_rows::wild(&[pattern.as_bytes().to_vec()], &full));
        let short = full.strip_prefix(prefix.as_bytes()).unwrap_or(&full);
        let skipped = !excluded.is_empty()
            && (super::ref_rows::wild(&excluded, &full) || super::ref_rows::wild(&excluded, short));
        if fits && !skipped {
            let line = match (form.symbolic, form.verbatim || form.abbreviated) {
                (true, _) => full,
                (_, true) => revision::short_reference(&full).to_vec(),
                _ => form.id(repository, &id).into_bytes(),
            };
            form.put(repository, line, Sort::Revision);
        }
    }
    true
}

/// What an option asks about the repository; none where it is no such option.
fn about(repository: &Repository, form: &Form, word: &str) -> Outcome<Option<Vec<u8>>> {
    let truth = |is: bool| is.to_string().into_bytes();
    Ok(Some(match word {
        "--absolute-git-dir" => repository.git_dir.clone(),
        "--show-toplevel" => {
            let root = repository.root()?.to_vec();
            match form.absolute {
                Some(false) => {
                    let way = relative(&super::repository::directory()?, &root);
                    if way.ends_with(b"/") {
                        way
                    } else {
                        bytes!(way, "/")
                    }
                }
                _ => root,
            }
        }
        "--show-superproject-working-tree" => super::submodule::above(repository)?,
        "--shared-index-path" => Vec::new(),
        "--show-ref-format" => b"files".to_vec(),
        "--local-env-vars" => LOCAL_VARIABLES.join("\n").into_bytes(),
        _ if word.starts_with("--disambiguate=") => {
            let digits = &word["--disambiguate=".len()..];
            let found = repository.objects.starting_with(digits.as_bytes());
            let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
            lines.join("\n").into_bytes()
        }
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

/// The variables that belong to one repository.
const LOCAL_VARIABLES: [&str; 15] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
];

/// The lines about a word that is a revision or, without `--verify`, a path.
fn named(repository: &mut Repository, word: &[u8], form: &Form) -> Outcome<(Vec<u8>, Sort)> {
    if let Some(text) = one_revision(repository, word, form)? {
        return Ok((text, Sort::Revision));
    }
    if form.revisions_only {
        return Err(fatal(bytes!("bad revision '", word, "'")));
    }
    if form.verify {
        return Err(form.refused());
    }
    let is_path = repository
        .path_from_top(word)
        .and_then(|path| repository.file(&path))
        .is_ok_and(|path| system::stat(&path, false).is_ok());
    if is_path {
        return Ok((bytes!(form.prefix, word), Sort::Path));
    }
    repository.out.put(bytes!(word, "\n"));
    Err(revision::unknown(word))
}

/// What a revision, a range or `^REVISION` stands for; none where it is none.
fn one_revision(repository: &Repository, word: &[u8], form: &Form) -> Outcome<Option<Vec<u8>>> {
    if form.verbatim {
        return Ok(revision::find(repository, word)?.map(|_| word.to_vec()));
    }
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
    for (suffix, own) in [(b"^!".as_slice(), true), (b"^@", false)] {
        let Some(rest) = word.strip_suffix(suffix) else {
            continue;
        };
        let Some(id) = revision::find(repository, rest)? else {
            return Ok(None);
        };
        let commit = revision::commit_of(repository, &id)?;
        let mark = if own { "^" } else { "" };
        let mut lines: Vec<String> = Vec::new();
        if own {
            lines.push(show(&commit.id));
        }
        lines.extend(
            commit
                .parents
                .iter()
                .map(|id| format!("{mark}{}", show(id))),
        );
        return Ok(Some(lines.join("\n").into_bytes()));
    }
    if let Some((id, parent)) = revision::without_parent(repository, word)? {
        return Ok(Some(
            format!("{}\n^{}", show(&id), show(&parent)).into_bytes(),
        ));
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
    } else if let Some(branch) = word.strip_suffix(b"@{push}") {
        Some(revision::push_destination(repository, branch)?)
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
