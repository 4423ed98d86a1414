//! `git notes` (Documentation/git-notes): texts about commits that do not change them.
//!
//! A reference, `refs/notes/commits` most often, names a commit whose tree has a file for each object with a note,
//! called by the object's 40 digits; git parts names into folders (`ab/cdef…`) where there are many, which is read
//! and kept. New notes lie at the top. Each change is a commit of its own. `git notes merge` is not here.

use gix_object::Kind;

use super::flags::Flags;
use super::objects::{Id, none, parse_id, write_file};
use super::repository::Repository;
use super::stop::{Outcome, Stop, error, fatal, file, usage};
use super::tree::{self, FILE, Item, Items};
use super::{commit, editor, revision};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// The options of all subcommands.
const OPTIONS: &[Opt] = &[
    Opt("f", "force", Value::No),
    Opt("m", "message", Value::Required),
    Opt("F", "file", Value::Required),
    Opt("C", "reuse-message", Value::Required),
    Opt("c", "reedit-message", Value::Required),
    Opt("", "allow-empty", Value::No),
    Opt("", "stripspace", Value::No),
    Opt("", "separator", Value::Optional),
    Opt("", "ignore-missing", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("v", "verbose", Value::No),
];

/// The notes that one reference keeps.
pub struct Notes {
    /// The reference's full name.
    reference: Vec<u8>,
    /// The commit that it names; none before the first note.
    parent: Option<Id>,
    /// All files of the tree: those that are notes are named after their objects.
    items: Items,
}

/// The object that a path of the tree is about; folders may part its name. None for other files, which stay.
fn object_of(path: &[u8]) -> Option<Id> {
    let digits: Vec<u8> = path.iter().copied().filter(|&byte| byte != b'/').collect();
    parse_id(&digits)
}

/// The full name of a reference with notes: `x`, `notes/x` and `refs/notes/x` are the same.
fn full_name(name: &[u8]) -> Vec<u8> {
    if name.starts_with(b"refs/notes/") {
        name.to_vec()
    } else if name.starts_with(b"notes/") {
        bytes!("refs/", name)
    } else {
        bytes!("refs/notes/", name)
    }
}

/// The reference that is meant where none is named: `GIT_NOTES_REF`, `core.notesRef`, `refs/notes/commits`.
fn usual_name(repository: &Repository) -> Vec<u8> {
    let given = std::env::var_os("GIT_NOTES_REF").map(|name| name.into_encoded_bytes());
    let given = given.filter(|name| !name.is_empty());
    given
        .or_else(|| repository.config.get("core.notesref").map(<[u8]>::to_vec))
        .unwrap_or_else(|| b"refs/notes/commits".to_vec())
}

/// The notes that `git log` shows: the usual ones, or those that `--notes` names, which may be globs; none with
/// `--no-notes`. `notes.displayRef` is not looked at.
pub fn shown(repository: &Repository, flags: &Flags) -> Outcome<Vec<Notes>> {
    let mut names = Vec::new();
    for name in flags.values("notes") {
        if name.is_empty() {
            names.push(usual_name(repository));
        } else {
            let full = full_name(name);
            let mode = gix_glob::wildmatch::Mode::empty();
            let all = repository.refs.list(b"refs/notes/").into_iter();
            let fits = |name: &Vec<u8>| {
                gix_glob::wildmatch(full.as_slice().into(), name.as_slice().into(), mode)
            };
            names.extend(all.map(|(name, _)| name).filter(fits));
        }
    }
    if !flags.has("notes") && !flags.denied("notes") {
        names.push(usual_name(repository));
    }
    let mut found = Vec::new();
    for name in names {
        if repository.refs.resolve(&name).is_some() {
            found.push(Notes::open(repository, name)?);
        }
    }
    Ok(found)
}

/// What several notes say of an object, as `%N` has it; each ends in a newline.
pub fn text(repository: &Repository, notes: &[Notes], id: &Id) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    for notes in notes {
        if let Some(item) = notes.get(id) {
            let content = repository.objects.blob(&item.id)?;
            out.extend_from_slice(content.strip_suffix(b"\n").unwrap_or(&content));
            out.push(b'\n');
        }
    }
    Ok(out)
}

/// What several notes say of an object, as it stands below a message: a blank line, `Notes:` or `Notes (NAME):`, the
/// text behind four blanks.
pub fn paragraphs(repository: &Repository, notes: &[Notes], id: &Id) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    for notes in notes {
        let Some(item) = notes.get(id) else { continue };
        let content = repository.objects.blob(&item.id)?;
        let short = notes.reference.strip_prefix(b"refs/notes/");
        match short.unwrap_or(&notes.reference) {
            b"commits" => out.extend_from_slice(b"\nNotes:\n"),
            name => out.extend(bytes!("\nNotes (", name, "):\n")),
        }
        if !content.is_empty() {
            let body = content.strip_suffix(b"\n").unwrap_or(&content);
            for line in body.split(|&byte| byte == b'\n') {
                out.extend(bytes!("    ", line, "\n"));
            }
        }
    }
    Ok(out)
}

impl Notes {
    /// Reads what a reference keeps; nothing where it is not there.
    fn open(repository: &Repository, reference: Vec<u8>) -> Outcome<Notes> {
        let parent = repository.refs.resolve(&reference);
        let items = match &parent {
            Some(id) => repository.items(id)?,
            None => Items::new(),
        };
        Ok(Notes {
            reference,
            parent,
            items,
        })
    }

    /// Where the note of an object lies, or would lie. O(n) in the number of notes.
    fn path(&self, id: &Id) -> Vec<u8> {
        let mut paths = self.items.keys();
        let found = paths.find(|path| object_of(path).as_ref() == Some(id));
        found
            .cloned()
            .unwrap_or_else(|| id.to_string().into_bytes())
    }

    /// The note of an object; O(log n) where it lies at the top.
    fn get(&self, id: &Id) -> Option<&Item> {
        let plain = self.items.get(id.to_string().as_bytes());
        plain.or_else(|| self.items.get(&self.path(id)))
    }

    fn set(&mut self, id: &Id, note: Id) {
        let path = self.path(id);
        let item = Item {
            mode: FILE,
            id: note,
        };
        self.items.insert(path, item);
    }

    fn remove(&mut self, id: &Id) -> bool {
        let path = self.path(id);
        self.items.remove(&path).is_some()
    }

    /// Commits what was changed and moves the reference.
    fn save(&self, repository: &Repository, what: &str, verb: &str) -> Outcome {
        let message = format!("Notes {what} by 'git notes {verb}'");
        let commit = super::objects::Commit {
            id: none(),
            tree: tree::write(&repository.objects, &self.items)?,
            parents: self.parent.into_iter().collect(),
            author: repository.author(None, None)?,
            committer: repository.committer()?,
            message: format!("{message}\n").into_bytes(),
        };
        let id = repository.objects.write(Kind::Commit, &commit.content())?;
        let why = bytes!("notes: ", message);
        repository
            .refs
            .update(&self.reference, &id, &commit.committer, &why)
    }
}

/// `git notes`: `list` without a subcommand. `--ref` stands before it.
pub fn notes(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let mut words = arguments.iter().peekable();
    let mut reference = usual_name(repository);
    while let Some(word) = words.next_if(|word| word.starts_with(b"--ref")) {
        let value = match word.strip_prefix(b"--ref=") {
            Some(name) => name.to_vec(),
            None => words
                .next()
                .cloned()
                .ok_or_else(|| usage("option `ref' requires a value"))?,
        };
        reference = full_name(&value);
    }
    let verb = words.next().cloned().unwrap_or_else(|| b"list".to_vec());
    let rest: Vec<Vec<u8>> = words.cloned().collect();
    let flags = Flags::read(&rest, OPTIONS)?;
    let notes = Notes::open(repository, reference)?;
    match verb.as_slice() {
        b"list" => list(repository, &notes, &flags),
        b"show" => show(repository, &notes, &flags),
        b"add" => add(repository, notes, &flags, "add"),
        b"append" => add(repository, notes, &flags, "append"),
        b"edit" => add(repository, notes, &flags, "edit"),
        b"remove" => remove(repository, notes, &flags),
        b"copy" => copy(repository, notes, &flags),
        b"prune" => prune(repository, notes, &flags),
        b"get-ref" => {
            repository.out.put(bytes!(notes.reference, "\n"));
            Ok(0)
        }
        b"merge" => Err(usage("subcommand `merge' is not supported")),
        other => Err(usage(bytes!("unknown subcommand: `", other, "'"))),
    }
}

fn object(repository: &Repository, word: Option<&Vec<u8>>) -> Outcome<Id> {
    let word = word.map_or(b"HEAD".as_slice(), Vec::as_slice);
    let found = revision::find(repository, word)?;
    found.ok_or_else(|| fatal(bytes!("failed to resolve '", word, "' as a valid ref.")))
}

fn missing(id: &Id) -> Stop {
    error(format!("no note found for object {id}."))
}

fn list(repository: &mut Repository, notes: &Notes, flags: &Flags) -> Outcome<i32> {
    if let Some(word) = flags.operands.first() {
        let id = object(repository, Some(word))?;
        let note = notes.get(&id).ok_or_else(|| missing(&id))?.id;
        repository.out.put(format!("{note}\n"));
        return Ok(0);
    }
    for (path, item) in &notes.items {
        if let Some(id) = object_of(path) {
            repository.out.put(format!("{} {id}\n", item.id));
        }
    }
    Ok(0)
}

fn show(repository: &mut Repository, notes: &Notes, flags: &Flags) -> Outcome<i32> {
    let id = object(repository, flags.operands.first())?;
    let note = notes.get(&id).ok_or_else(|| missing(&id))?;
    let content = repository.objects.blob(&note.id)?;
    repository.out.put(content);
    Ok(0)
}

/// The text that the options give, and whether it is to be edited; none where they give none. Several are put
/// together in their order.
fn given(repository: &Repository, flags: &Flags) -> Outcome<Option<(Vec<u8>, bool)>> {
    let mut text: Option<Vec<u8>> = None;
    let mut edited = false;
    for (key, value) in flags.in_order() {
        let part = match key {
            "m" => value.to_vec(),
            "F" => system::read_whole(value)
                .map_err(|failure| file("could not open or read", value, failure))?,
            "C" | "c" => {
                edited |= key == "c";
                let id = object(repository, Some(&value.to_vec()))?;
                let (kind, content) = repository.objects.read(&id)?;
                if kind != Kind::Blob {
                    let text = bytes!("cannot read note data from non-blob object '", value, "'.");
                    return Err(fatal(text));
                }
                content.to_vec()
            }
            _ => continue,
        };
        // What an object or a wish says is taken as it is.
        let raw = key == "C" || flags.denied("stripspace");
        let part = if raw {
            part
        } else {
            commit::clean(&part, false)
        };
        text = Some(match text {
            Some(known) => joined(known, &part, flags),
            None => part,
        });
    }
    Ok(text.map(|text| (text, edited)))
}

/// Two texts with what parts them: a blank line, or as `--separator` says.
fn joined(mut first: Vec<u8>, second: &[u8], flags: &Flags) -> Vec<u8> {
    if first.is_empty() {
        return second.to_vec();
    }
    if !first.ends_with(b"\n") {
        first.push(b'\n');
    }
    if !flags.denied("separator") {
        let gap = flags.value("separator").unwrap_or_default();
        first.extend_from_slice(gap);
        if !gap.ends_with(b"\n") {
            first.push(b'\n');
        }
    }
    first.extend_from_slice(second);
    first
}

/// `add`, `append` and `edit`. A note that becomes empty is removed, unless `--allow-empty`; `add` over one needs
/// `-f`, or text, or else edits it.
fn add(repository: &mut Repository, notes: Notes, flags: &Flags, verb: &str) -> Outcome<i32> {
    let mut notes = notes;
    let mut verb = verb;
    if flags.operands.len() > 1 {
        return Err(usage("too many arguments"));
    }
    let id = object(repository, flags.operands.first())?;
    let text = given(repository, flags)?;
    let known = notes.get(&id).map(|item| item.id);
    if verb == "edit" && text.is_some() {
        repository.say(
            "The -m/-F/-c/-C options have been deprecated for the 'edit' subcommand.\n\
             Please use 'git notes add -f -m/-F/-c/-C' instead.",
        );
    }
    if verb == "add" && known.is_some() {
        match (&text, flags.has("f")) {
            (_, true) => repository.say(format!("Overwriting existing notes for object {id}")),
            (None, false) => verb = "edit",
            (Some(_), false) => {
                return Err(error(format!(
                    "Cannot add notes. Found existing notes for object {id}. \
                     Use '-f' to overwrite existing notes"
                )));
            }
        }
    }
    let old = match known {
        Some(note) => repository.objects.blob(&note)?.to_vec(),
        None => Vec::new(),
    };
    let mut text = match text {
        Some((text, false)) => text,
        Some((text, true)) => edited(repository, &text, &id)?,
        None if verb == "edit" => edited(repository, &old, &id)?,
        None => edited(repository, b"", &id)?,
    };
    if verb == "append" && !old.is_empty() {
        text = if text.is_empty() {
            old
        } else {
            joined(old, &text, flags)
        };
    }
    let what = if text.is_empty() && !flags.has("allow-empty") {
        repository.say(format!("Removing note for object {id}"));
        notes.remove(&id);
        "removed"
    } else {
        let note = repository.objects.write(Kind::Blob, &text)?;
        notes.set(&id, note);
        "added"
    };
    if notes.parent.is_some() || what == "added" {
        notes.save(repository, what, verb)?;
    }
    Ok(0)
}

/// The text as the user's editor leaves it.
fn edited(repository: &mut Repository, text: &[u8], id: &Id) -> Outcome<Vec<u8>> {
    let path = repository.own("NOTES_EDITMSG");
    let about = match repository.objects.commit(id) {
        Ok(commit) => bytes!(
            "# commit ",
            id.to_string(),
            "\n#     ",
            commit.subject(),
            "\n"
        ),
        Err(_) => format!("# {id}\n").into_bytes(),
    };
    let hint = "\n#\n# Write/edit the notes for the following object:\n#\n";
    write_file(&path, &bytes!(text, hint, about, "#\n"))?;
    editor::launch(repository, &path)
        .map_err(|_| fatal("please supply the note contents using either -m or -F option"))?;
    let text = system::read_whole(&path).unwrap_or_default();
    repository.forget("NOTES_EDITMSG");
    Ok(commit::clean(&text, true))
}

/// `remove`: all of the named ones, or none where one has no note, unless `--ignore-missing`.
fn remove(repository: &mut Repository, notes: Notes, flags: &Flags) -> Outcome<i32> {
    let mut notes = notes;
    let mut words = flags.operands.clone();
    if words.is_empty() {
        words.push(b"HEAD".to_vec());
    }
    let (mut status, mut changed) = (0, false);
    for word in &words {
        let found = revision::find(repository, word)?;
        let id =
            found.ok_or_else(|| error(bytes!("Failed to resolve '", word, "' as a valid ref.")))?;
        if notes.remove(&id) {
            changed = true;
            repository.say(bytes!("Removing note for object ", word));
        } else {
            repository.say(bytes!("Object ", word, " has no note"));
            status |= i32::from(!flags.has("ignore-missing"));
        }
    }
    if changed && status == 0 {
        notes.save(repository, "removed", "remove")?;
    }
    Ok(status)
}

/// `copy FROM [TO]`: the note's object is shared.
fn copy(repository: &mut Repository, notes: Notes, flags: &Flags) -> Outcome<i32> {
    let mut notes = notes;
    let (from, to) = match flags.operands.as_slice() {
        [from] => (from, None),
        [from, to] => (from, Some(to)),
        [] => return Err(usage("too few arguments")),
        _ => return Err(usage("too many arguments")),
    };
    let from = object(repository, Some(from))?;
    let to = object(repository, to)?;
    if notes.get(&to).is_some() {
        if !flags.has("f") {
            return Err(error(format!(
                "Cannot copy notes. Found existing notes for object {to}. \
                 Use '-f' to overwrite existing notes"
            )));
        }
        repository.say(format!("Overwriting existing notes for object {to}"));
    }
    let note = notes.get(&from).map(|item| item.id);
    let note = note.ok_or_else(|| {
        error(format!(
            "missing notes on source object {from}. Cannot copy."
        ))
    })?;
    notes.set(&to, note);
    notes.save(repository, "added", "copy")?;
    Ok(0)
}

/// Forgets notes about objects that are gone.
fn prune(repository: &mut Repository, notes: Notes, flags: &Flags) -> Outcome<i32> {
    let mut notes = notes;
    let ids = notes.items.keys().filter_map(|path| object_of(path));
    let gone: Vec<Id> = ids.filter(|id| !repository.objects.has(id)).collect();
    for id in &gone {
        if flags.has("n") || flags.has("v") {
            repository.out.put(format!("{id}\n"));
        }
        notes.remove(id);
    }
    if !gone.is_empty() && !flags.has("n") {
        notes.save(repository, "removed", "prune")?;
    }
    Ok(0)
}
