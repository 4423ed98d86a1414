//! Commands that scripts use: `rev-parse`, `cat-file`, `hash-object`, `ls-files`, `ls-tree` and so on.

use gix_object::Kind;

use super::flags::Flags;
use super::ignore::{Ignored, with_patterns};
use super::index::Entry;
use super::objects::{Id, name_of, parse_id};
use super::pathspec::Pathspec;
use super::quoting::quoted;
use super::refs::Target;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, Stop, error, fatal, file, usage};
use super::tree::{self, FOLDER, Item};
use super::worktree::{Ask, State};
use crate::call::bytes;
use crate::options::{Opt, Value};
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

/// `git cat-file`
pub fn cat_file(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("t", "", Value::No),
        Opt("s", "", Value::No),
        Opt("e", "", Value::No),
        Opt("p", "", Value::No),
        Opt("", "batch", Value::Optional),
        Opt("", "batch-check", Value::Optional),
        Opt("", "batch-all-objects", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    if flags.has("batch-all-objects") {
        return Err(usage("option `--batch-all-objects' is not supported"));
    }
    if let Some(key) = flags.last(&["batch", "batch-check"]) {
        let format = flags.value(key).unwrap_or_default().to_vec();
        return batch(repository, &format, key == "batch");
    }
    let (kind, name) = match flags.operands.as_slice() {
        [name] => (None, name),
        [kind, name] => (Some(kind), name),
        _ => {
            return Err(usage(
                "usage: git cat-file (-t | -s | -e | -p | <type>) <object>",
            ));
        }
    };
    let Some(id) = revision::find(repository, name)? else {
        return Err(fatal(bytes!("Not a valid object name ", name)));
    };
    if flags.has("e") {
        return Ok(i32::from(!repository.objects.has(&id)));
    }
    let (found, content) = repository.objects.read(&id)?;
    let text = match (flags.last(&["t", "s", "p"]), kind) {
        (Some("t"), _) => format!("{found}\n").into_bytes(),
        (Some("s"), _) => format!("{}\n", content.len()).into_bytes(),
        (Some(_), _) if found == Kind::Tree => listing(repository, &id)?,
        (Some(_), _) => content.to_vec(),
        (None, Some(kind)) => {
            let wanted = Kind::from_bytes(kind)
                .map_err(|_| fatal(bytes!("invalid object type \"", kind, "\"")))?;
            let id = match wanted {
                Kind::Tree => repository.objects.tree_of(&id)?,
                Kind::Tag => id,
                _ => repository.objects.peel(&id)?.0,
            };
            let (found, content) = repository.objects.read(&id)?;
            if found != wanted {
                return Err(fatal(bytes!("git cat-file ", name, ": bad file")));
            }
            content.to_vec()
        }
        (None, None) => {
            return Err(usage(
                "usage: git cat-file (-t | -s | -e | -p | <type>) <object>",
            ));
        }
    };
    repository.out.put(&text);
    Ok(0)
}

fn listing(repository: &Repository, id: &Id) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    for (name, item) in tree::entries(&repository.objects, id)? {
        out.extend(bytes!(tree_line(&item), quoted(&name), "\n"));
    }
    Ok(out)
}

fn kind_of(mode: u32) -> &'static str {
    match mode {
        FOLDER => "tree",
        tree::COMMIT => "commit",
        _ => "blob",
    }
}

fn tree_line(item: &Item) -> String {
    format!("{:06o} {} {}\t", item.mode, kind_of(item.mode), item.id)
}

fn batch(repository: &mut Repository, format: &[u8], content: bool) -> Outcome<i32> {
    let default = b"%(objectname) %(objecttype) %(objectsize)".as_slice();
    let format = if format.is_empty() { default } else { format };
    let format = String::from_utf8_lossy(format).into_owned();
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        let found = revision::find(repository, line.as_bytes()).ok().flatten();
        let object =
            found.and_then(|id| repository.objects.find(&id).ok().flatten().map(|o| (id, o)));
        let Some((id, (kind, body))) = object else {
            repository.out.put(format!("{line} missing\n"));
            continue;
        };
        let text = format
            .replace("%(objectname)", &id.to_string())
            .replace("%(objecttype)", &kind.to_string())
            .replace("%(objectsize)", &body.len().to_string())
            .replace("%(rest)", "");
        if text.contains("%(") {
            return Err(fatal(format!("unknown format element: {text}")));
        }
        repository.out.put(bytes!(text, "\n"));
        if content {
            repository.out.put(bytes!(body, "\n"));
        }
    }
    Ok(0)
}

/// `git hash-object`; it needs no repository unless it writes.
pub fn hash_object(mut repository: Option<&mut Repository>, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("t", "", Value::Required),
        Opt("w", "", Value::No),
        Opt("", "stdin", Value::No),
        Opt("", "stdin-paths", Value::No),
        Opt("", "path", Value::Required),
        Opt("", "filters", Value::No),
        Opt("", "literally", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let kind = flags.value("t").unwrap_or(b"blob");
    let kind =
        Kind::from_bytes(kind).map_err(|_| fatal(bytes!("invalid object type \"", kind, "\"")))?;
    let mut sources = Vec::new();
    if flags.has("stdin") {
        sources.push(b"-".to_vec());
    }
    if flags.has("stdin-paths") {
        let lines = std::io::stdin().lines().map_while(Result::ok);
        sources.extend(lines.map(String::into_bytes));
    }
    sources.extend(flags.all_paths());
    for path in sources {
        let content =
            system::read_whole(&path).map_err(|failure| file("could not open", &path, failure))?;
        let id = match (flags.has("w"), &mut repository) {
            (true, Some(repository)) => repository.objects.write(kind, &content)?,
            (true, None) => {
                return Err(fatal(
                    "not a git repository (or any of the parent directories): .git",
                ));
            }
            (false, _) => name_of(kind, &content)?,
        };
        match &mut repository {
            Some(repository) => repository.out.put(format!("{id}\n")),
            None => println!("{id}"),
        }
    }
    Ok(0)
}

const LS_FILES: &[Opt] = &[
    Opt("c", "cached", Value::No),
    Opt("d", "deleted", Value::No),
    Opt("m", "modified", Value::No),
    Opt("o", "others", Value::No),
    Opt("i", "ignored", Value::No),
    Opt("s", "stage", Value::No),
    Opt("u", "unmerged", Value::No),
    Opt("z", "", Value::No),
    Opt("t", "", Value::No),
    Opt("x", "exclude", Value::Required),
    Opt("", "exclude-standard", Value::No),
    Opt("", "directory", Value::No),
    Opt("", "error-unmatch", Value::No),
    Opt("", "full-name", Value::No),
    Opt("", "deduplicate", Value::No),
];

/// `git ls-files`
pub fn ls_files(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, LS_FILES)?;
    if flags.has("t") {
        return Err(usage("switch `t' is not supported"));
    }
    let mut given = flags.all_paths();
    if given.is_empty() && !repository.prefix.is_empty() {
        given.push(b".".to_vec());
    }
    let paths = Pathspec::new(repository, &given)?;
    let index = repository.index()?;
    let end = if flags.has("z") { "\0" } else { "\n" };
    let show = |path: &[u8]| {
        let path = if flags.has("full-name") {
            path.to_vec()
        } else {
            repository.path_from_here(path)
        };
        if flags.has("z") { path } else { quoted(&path) }
    };
    let mut out = Vec::new();
    if flags.has("o") {
        let mut ignored = if flags.has("exclude-standard") {
            Ignored::new(repository)?
        } else {
            Ignored::none(repository)?
        };
        ignored = with_patterns(ignored, flags.values("x"));
        let ask = Ask {
            paths: &paths,
            fold: flags.has("directory"),
            only_ignored: flags.has("i"),
            all: false,
        };
        for path in repository.untracked(&index, &ignored, &ask)? {
            out.extend(bytes!(show(&path), end));
        }
    }
    let plain = !["o", "d", "m"].iter().any(|key| flags.has(key));
    if flags.has("c") || flags.has("s") || flags.has("u") || plain {
        let ignored = with_patterns(Ignored::none(repository)?, flags.values("x"));
        let standard = if flags.has("exclude-standard") {
            Some(Ignored::new(repository)?)
        } else {
            None
        };
        for (path, stage, entry) in index.all() {
            let chosen = paths.matches(path) && (!flags.has("u") || stage > 0);
            let hidden = flags.has("i")
                && !ignored.is_ignored(path, false)
                && !standard
                    .as_ref()
                    .is_some_and(|ignored| ignored.is_ignored(path, false));
            if !chosen || hidden {
                continue;
            }
            if flags.has("s") || flags.has("u") {
                let line = format!("{:06o} {} {stage}\t", entry.item.mode, entry.item.id);
                out.extend_from_slice(line.as_bytes());
            }
            out.extend(bytes!(show(path), end));
        }
    }
    if flags.has("d") || flags.has("m") {
        for (path, state) in repository.changed(&index, &paths)? {
            if flags.has("m") || (flags.has("d") && state == State::Gone) {
                out.extend(bytes!(show(&path), end));
            }
        }
    }
    if flags.has("error-unmatch")
        && let Some(lost) = paths.unmatched(&index.paths()).first()
    {
        return Err(Stop {
            status: 1,
            message: bytes!(
                "error: pathspec '",
                lost,
                "' did not match any file(s) known to git\nDid you forget to 'git add'?"
            ),
        });
    }
    repository.out.put(&out);
    Ok(0)
}

/// `git ls-tree`
pub fn ls_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("d", "", Value::No),
        Opt("r", "", Value::No),
        Opt("t", "", Value::No),
        Opt("l", "long", Value::No),
        Opt("z", "", Value::No),
        Opt("", "name-only", Value::No),
        Opt("", "name-status", Value::No),
        Opt("", "object-only", Value::No),
        Opt("", "full-name", Value::No),
        Opt("", "full-tree", Value::No),
        Opt("", "abbrev", Value::Optional),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut operands = flags.all_paths();
    if operands.is_empty() {
        return Err(usage(
            "usage: git ls-tree [<options>] <tree-ish> [<path>...]",
        ));
    }
    let name = operands.remove(0);
    let Some(id) = revision::find(repository, &name)? else {
        return Err(fatal(bytes!("Not a valid object name ", name)));
    };
    let root = repository.objects.tree_of(&id)?;
    let mut wanted: Vec<(Vec<u8>, bool)> = Vec::new();
    for path in &operands {
        let inside = path.ends_with(b"/");
        wanted.push((repository.path_from_top(path)?, inside));
    }
    if wanted.is_empty() && !repository.prefix.is_empty() && !flags.has("full-tree") {
        let prefix = repository
            .prefix
            .strip_suffix(b"/")
            .unwrap_or_default()
            .to_vec();
        wanted.push((prefix, true));
    }
    let end = if flags.has("z") { "\0" } else { "\n" };
    let mut out = Vec::new();
    let mut open = vec![(Vec::new(), root)];
    while let Some((folder, id)) = open.pop() {
        let mut below = Vec::new();
        for (name, item) in tree::entries(&repository.objects, &id)? {
            let path = system::join(&folder, &name);
            let is_folder = item.mode == FOLDER;
            let on_way = |goal: &[u8]| goal.starts_with(&bytes!(path, "/"));
            let within = |goal: &[u8]| path == goal || path.starts_with(&bytes!(goal, "/"));
            let direct = wanted.is_empty() && folder.is_empty()
                || wanted.iter().any(|(goal, inside)| {
                    if *inside {
                        folder == *goal
                    } else {
                        path == *goal
                    }
                });
            let deep = flags.has("r")
                && (wanted.is_empty() || wanted.iter().any(|(goal, _)| within(goal)));
            let passes = is_folder
                && (deep
                    || wanted
                        .iter()
                        .any(|(goal, inside)| on_way(goal) || (*inside && path == *goal)));
            if passes {
                below.push((path.clone(), item.id));
            }
            let folder_shown = !flags.has("r") || flags.has("t") || flags.has("d");
            let shown = (direct || deep)
                && if is_folder {
                    folder_shown
                } else {
                    !flags.has("d")
                };
            if !shown || (passes && !deep && !flags.has("t") && is_folder && !direct) {
                continue;
            }
            let text = if flags.has("full-name") || flags.has("full-tree") {
                path
            } else {
                repository.path_from_here(&path)
            };
            let text = if flags.has("z") { text } else { quoted(&text) };
            if flags.has("object-only") {
                out.extend(bytes!(item.id.to_string(), end));
            } else if flags.has("name-only") || flags.has("name-status") {
                out.extend(bytes!(text, end));
            } else if flags.has("l") {
                let size = if is_folder {
                    "-".to_owned()
                } else {
                    repository.objects.blob(&item.id)?.len().to_string()
                };
                let kind = kind_of(item.mode);
                let line = format!("{:06o} {kind} {} {size:>7}\t", item.mode, item.id);
                out.extend(bytes!(line, text, end));
            } else {
                out.extend(bytes!(tree_line(&item), text, end));
            }
        }
        below.reverse();
        // A folder's own files follow its line.
        open.extend(below);
    }
    if flags.has("r") {
        out = sorted(&out, end.as_bytes()[0]);
    }
    repository.out.put(&out);
    Ok(0)
}

/// Lines in the order of their paths.
fn sorted(text: &[u8], end: u8) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == end).collect();
    let key = |line: &&[u8]| {
        let at = line
            .iter()
            .position(|&byte| byte == b'\t')
            .map_or(0, |at| at + 1);
        line[at..line.len() - 1].to_vec()
    };
    lines.sort_by_key(key);
    lines.concat()
}

/// `git write-tree`
pub fn write_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    Flags::read(arguments, &[])?;
    let index = repository.index()?;
    if let Some(path) = index.conflicts().keys().next() {
        return Err(fatal(bytes!(
            path,
            ": unmerged\nerror: write-tree: error building trees"
        )));
    }
    let id = tree::write(&repository.objects, &index.items())?;
    repository.out.put(format!("{id}\n"));
    Ok(0)
}

/// `git read-tree`: the index of one tree.
pub fn read_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[Opt("", "empty", Value::No)];
    let flags = Flags::read(arguments, OPTIONS)?;
    let old = repository.index()?;
    let items = match flags.operands.as_slice() {
        [] if flags.has("empty") => tree::Items::new(),
        [name] => repository.items(&revision::resolve(repository, name)?)?,
        _ => return Err(usage("only one tree can be read")),
    };
    repository.save(&super::index::Index::of_tree(&items, &old))?;
    Ok(0)
}

/// `git commit-tree`
pub fn commit_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("p", "", Value::Required),
        Opt("m", "", Value::Required),
        Opt("F", "", Value::Required),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let [name] = flags.operands.as_slice() else {
        return Err(usage(
            "usage: git commit-tree <tree> [-p <parent>]... [-m <message>]",
        ));
    };
    let tree = repository
        .objects
        .tree_of(&revision::resolve(repository, name)?)?;
    let mut parents = Vec::new();
    for parent in flags.values("p") {
        parents.push(revision::commit(repository, parent)?.id);
    }
    let texts: Vec<Vec<u8>> = flags.values("m").map(<[u8]>::to_vec).collect();
    let message = if texts.is_empty() {
        let path = flags.value("F").unwrap_or(b"-");
        system::read_whole(path).map_err(|failure| file("could not read", path, failure))?
    } else {
        bytes!(texts.join(b"\n\n".as_slice()), "\n")
    };
    let commit = super::objects::Commit {
        id: super::objects::none(),
        tree,
        parents,
        author: repository.author(None, None)?,
        committer: repository.committer()?,
        message,
    };
    let id = repository.objects.write(Kind::Commit, &commit.content())?;
    repository.out.put(format!("{id}\n"));
    Ok(0)
}

/// `git update-ref`
pub fn update_ref(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("d", "", Value::No),
        Opt("m", "", Value::Required),
        Opt("", "deref", Value::No),
        Opt("", "create-reflog", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let Some(name) = flags.operands.first() else {
        return Err(usage(
            "usage: git update-ref [<options>] <ref> <new-oid> [<old-oid>]",
        ));
    };
    let old_word = flags.operands.get(if flags.has("d") { 1 } else { 2 });
    if let Some(word) = old_word {
        let current = repository
            .refs
            .resolve(name)
            .unwrap_or_else(super::objects::none);
        let expected = match parse_id(word) {
            Some(id) => id,
            None if word.is_empty() => super::objects::none(),
            None => revision::resolve(repository, word)?,
        };
        if current != expected {
            return Err(fatal(bytes!(
                "update_ref failed for ref '",
                name,
                "': cannot lock ref '",
                name,
                format!("': is at {current} but expected {expected}")
            )));
        }
    }
    if flags.has("d") {
        repository.refs.delete(name)?;
        return Ok(0);
    }
    let Some(word) = flags.operands.get(1) else {
        return Err(usage(
            "usage: git update-ref [<options>] <ref> <new-oid> [<old-oid>]",
        ));
    };
    let id = revision::resolve(repository, word)?;
    if flags.denied("deref") {
        repository.refs.set(name, &Target::Object(id))?;
    } else {
        let who = super::branch::identity(repository);
        let why = flags.value("m").unwrap_or_default().to_vec();
        repository.refs.update(name, &id, &who, &why)?;
    }
    Ok(0)
}

/// `git symbolic-ref`
pub fn symbolic_ref(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("q", "quiet", Value::No),
        Opt("d", "delete", Value::No),
        Opt("", "short", Value::No),
        Opt("m", "", Value::Required),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    match flags.operands.as_slice() {
        [name] if flags.has("d") => repository.refs.delete(name).map(|()| 0),
        [name] => match revision::symbolic(repository, name) {
            Some(target) => {
                let shown = if flags.has("short") {
                    revision::short_reference(&target).to_vec()
                } else {
                    target
                };
                repository.out.put(bytes!(shown, "\n"));
                Ok(0)
            }
            None if flags.has("q") => Ok(1),
            None => Err(fatal(bytes!("ref ", name, " is not a symbolic ref"))),
        },
        [name, target] => {
            if !target.starts_with(b"refs/") && name == b"HEAD" {
                return Err(fatal("Refusing to point HEAD outside of refs/"));
            }
            repository
                .refs
                .set(name, &Target::Symbolic(target.clone()))
                .map(|()| 0)
        }
        _ => Err(usage(
            "usage: git symbolic-ref [-q] [--short] <name> [<ref>]",
        )),
    }
}

/// `git show-ref`
pub fn show_ref(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("", "head", Value::No),
        Opt("", "heads", Value::No),
        Opt("", "branches", Value::No),
        Opt("", "tags", Value::No),
        Opt("", "verify", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("s", "hash", Value::Optional),
        Opt("d", "dereference", Value::No),
        Opt("", "abbrev", Value::Optional),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut rows = Vec::new();
    if flags.has("verify") {
        for name in &flags.operands {
            match repository.refs.resolve(name) {
                Some(id) => rows.push((name.clone(), id)),
                None if flags.has("q") => return Ok(1),
                None => return Err(fatal(bytes!("'", name, "' - not a valid ref"))),
            }
        }
    } else {
        if flags.has("head") {
            rows.extend(repository.head().map(|id| (b"HEAD".to_vec(), id)));
        }
        let heads = flags.has("heads") || flags.has("branches");
        for (name, id) in repository.refs.list(b"refs/") {
            let limited = heads || flags.has("tags");
            let chosen = (heads && name.starts_with(b"refs/heads/"))
                || (flags.has("tags") && name.starts_with(b"refs/tags/"));
            let named = flags.operands.is_empty()
                || flags
                    .operands
                    .iter()
                    .any(|word| name == *word || name.ends_with(&bytes!("/", word)));
            if (!limited || chosen) && named {
                rows.push((name, id));
            }
        }
    }
    let mut out = Vec::new();
    for (name, id) in &rows {
        let mut lines = vec![(name.clone(), *id)];
        if flags.has("d") {
            let (peeled, _) = repository.objects.peel(id)?;
            if peeled != *id {
                lines.push((bytes!(name, "^{}"), peeled));
            }
        }
        for (name, id) in lines {
            let short =
                flags.has("abbrev") || flags.value("s").is_some_and(|text| !text.is_empty());
            let id = if short {
                repository.short(&id)
            } else {
                id.to_string()
            };
            if flags.has("s") {
                out.extend(bytes!(id, "\n"));
            } else {
                out.extend(bytes!(id, " ", name, "\n"));
            }
        }
    }
    if !flags.has("q") {
        repository.out.put(&out);
    }
    Ok(i32::from(rows.is_empty()))
}

/// `git update-index`, as far as scripts use it.
pub fn update_index(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("q", "", Value::No),
        Opt("", "refresh", Value::No),
        Opt("", "really-refresh", Value::No),
        Opt("", "add", Value::No),
        Opt("", "remove", Value::No),
        Opt("", "force-remove", Value::No),
        Opt("", "cacheinfo", Value::Required),
        Opt("", "chmod", Value::Required),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut index = repository.index()?;
    let mut status = 0;
    if let Some(info) = flags.value("cacheinfo") {
        let mut parts = info.splitn(3, |&byte| byte == b',');
        let (mode, id, path) = (parts.next(), parts.next(), parts.next());
        let mode =
            mode.and_then(|text| u32::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok());
        let (Some(mode), Some(id), Some(path)) = (mode, id.and_then(parse_id), path) else {
            return Err(error("option 'cacheinfo' expects <mode>,<sha1>,<path>"));
        };
        index.set(path, Entry::new(Item { mode, id }));
    }
    for word in flags.all_paths() {
        let path = repository.path_from_top(&word)?;
        if let Some(mode) = flags.value("chmod") {
            let mode = if mode == b"+x" {
                tree::EXECUTABLE
            } else {
                tree::FILE
            };
            if let Some(entry) = index.get(&path) {
                let id = entry.item.id;
                index.set(&path, Entry::new(Item { mode, id }));
                continue;
            }
        }
        if !index.has(&path) && !flags.has("add") {
            return Err(error(bytes!(
                word,
                ": cannot add to the index - missing --add option?\nfatal: Unable to process path ",
                word
            )));
        }
        match repository
            .item(&path, true)?
            .filter(|_| !flags.has("force-remove"))
        {
            Some((item, stat)) => index.set(&path, Entry::seen(item, &stat)),
            None if flags.has("remove") || flags.has("force-remove") => {
                index.remove(&path);
            }
            None => {
                return Err(error(bytes!(
                    word,
                    ": does not exist and --remove not passed"
                )));
            }
        }
    }
    if flags.has("refresh") || flags.has("really-refresh") {
        let changed = repository.changed(&index, &Pathspec::default())?;
        for path in changed.keys() {
            status = 1;
            if !flags.has("q") {
                repository.out.put(bytes!(path, ": needs update\n"));
            }
        }
    }
    repository.save(&index)?;
    Ok(status)
}

/// `git check-ignore`
pub fn check_ignore(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("q", "quiet", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("", "stdin", Value::No),
        Opt("n", "non-matching", Value::No),
        Opt("", "index", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut words = flags.all_paths();
    if flags.has("stdin") {
        words.extend(
            std::io::stdin()
                .lines()
                .map_while(Result::ok)
                .map(String::into_bytes),
        );
    }
    if words.is_empty() && !flags.has("stdin") {
        return Err(fatal("no path specified"));
    }
    let ignored = Ignored::new(repository)?;
    let index = repository.index()?;
    let mut any = false;
    for word in words {
        let path = repository.path_from_top(&word)?;
        let stat = system::stat(&repository.file(&path)?, false);
        let folder =
            word.ends_with(b"/") || stat.is_ok_and(|stat| stat.kind == system::Kind::Directory);
        let tracked = index.has(&path) && !flags.denied("index");
        let found = if tracked {
            None
        } else {
            ignored.explain(&path, folder)
        };
        let hit = found
            .as_ref()
            .is_some_and(|found| !found.negative || flags.has("v"));
        any |= hit;
        if flags.has("q") {
            continue;
        }
        match found {
            Some(found) if hit && flags.has("v") => {
                let place = format!("{}:{}:{}\t", found.source, found.line, found.pattern);
                repository.out.put(bytes!(place, word, "\n"));
            }
            Some(_) if hit => repository.out.put(bytes!(word, "\n")),
            _ if flags.has("v") && flags.has("n") => repository.out.put(bytes!("::\t", word, "\n")),
            _ => {}
        }
    }
    Ok(i32::from(!any))
}

/// `git check-ref-format`
pub fn check_ref_format(arguments: &[Vec<u8>]) -> Outcome<i32> {
    let name = match arguments {
        [flag, name] if flag == b"--branch" => {
            if super::refs::is_valid(name) {
                println!("{}", String::from_utf8_lossy(name));
                return Ok(0);
            }
            return Err(fatal(bytes!("'", name, "' is not a valid branch name")));
        }
        [name] => name,
        _ => return Err(usage("usage: git check-ref-format <refname>")),
    };
    let good = super::refs::is_valid(name) && name.contains(&b'/');
    Ok(i32::from(!good))
}

/// `git count-objects`
pub fn count_objects(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("v", "verbose", Value::No),
        Opt("H", "human-readable", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    if flags.has("v") || flags.has("H") {
        return Err(usage("options `-v' and `-H' are not supported"));
    }
    let objects = system::join(&repository.common, b"objects");
    let (mut count, mut blocks) = (0, 0);
    for folder in system::read_directory(&objects).unwrap_or_default() {
        if folder.name.len() != 2 {
            continue;
        }
        let path = system::join(&objects, &folder.name);
        for entry in system::read_directory(&path).unwrap_or_default() {
            count += 1;
            blocks += system::stat(&system::join(&path, &entry.name), true).map_or(0, |s| s.blocks);
        }
    }
    repository
        .out
        .put(format!("{count} objects, {} kilobytes\n", blocks / 2));
    Ok(0)
}
