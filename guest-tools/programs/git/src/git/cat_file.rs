//! `git cat-file` and `hash-object`.

use gix_object::Kind;

use super::flags::Flags;
use super::objects::{Id, name_of};
use super::quoting::quoted;
use super::repository::Repository;
use super::stop::{Outcome, fatal, file, usage};
use super::tree::{FOLDER, Item};
use super::{revision, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

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

pub fn kind_of(mode: u32) -> &'static str {
    match mode {
        FOLDER => "tree",
        tree::COMMIT => "commit",
        _ => "blob",
    }
}

pub fn tree_line(item: &Item) -> String {
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
