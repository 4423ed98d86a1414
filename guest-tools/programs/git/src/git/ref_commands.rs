//! Plumbing on references: `update-ref`, `symbolic-ref`, `show-ref`, `check-ref-format`.

use super::flags::Flags;
use super::objects::parse_id;
use super::refs::Target;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal, usage};
use crate::call::bytes;
use crate::options::{Opt, Value};

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
