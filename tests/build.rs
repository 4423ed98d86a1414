//! Builds the single-component sandbox that one of the tests drives, and lists what of the WIT contract has no doc
//! comment.

use offshoot_guest_build::{Guest, build};
use std::error::Error;
use std::fs;
use std::path::Path;
use wit_parser::{Docs, Interface, Resolve, TypeDefKind};

fn main() -> Result<(), Box<dyn Error>> {
    let component = build(&Guest::library("offshoot-shell", &["sandbox", "commands"]))?;
    println!("cargo::rustc-env=SANDBOX_WASM={}", component.display());
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    println!("cargo::rerun-if-changed={}", contract.display());
    let out = std::env::var("OUT_DIR")?;
    fs::write(
        Path::new(&out).join("undocumented.txt"),
        undocumented(&contract)?,
    )?;
    Ok(())
}

/// The items of the contract in a folder that have no doc comment, a line each.
fn undocumented(contract: &Path) -> Result<String, Box<dyn Error>> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(contract)?;
    let package = &resolve.packages[package];
    let worlds = package.worlds.iter();
    let mut bare: Vec<String> = worlds
        .filter(|(_, id)| is_bare(&resolve.worlds[**id].docs))
        .map(|(name, _)| name.clone())
        .collect();
    for (name, id) in &package.interfaces {
        add(&resolve, name, &resolve.interfaces[*id], &mut bare);
    }
    Ok(bare.into_iter().map(|name| name + "\n").collect())
}

fn is_bare(docs: &Docs) -> bool {
    docs.contents.is_none()
}

/// Adds those of one interface.
fn add(resolve: &Resolve, of: &str, interface: &Interface, bare: &mut Vec<String>) {
    let mut check = |name: String, docs: &Docs| {
        if is_bare(docs) {
            bare.push(name);
        }
    };
    check(of.to_owned(), &interface.docs);
    for (name, function) in &interface.functions {
        check(format!("{of}.{name}"), &function.docs);
    }
    for (name, id) in &interface.types {
        let definition = &resolve.types[*id];
        // A `use` repeats a type that is documented where it stands.
        if matches!(definition.kind, TypeDefKind::Type(_)) && is_bare(&definition.docs) {
            continue;
        }
        check(format!("{of}.{name}"), &definition.docs);
        for (part, docs) in parts(&definition.kind) {
            check(format!("{of}.{name}.{part}"), docs);
        }
    }
}

/// The fields, cases or flags of a type.
fn parts(kind: &TypeDefKind) -> Vec<(&str, &Docs)> {
    match kind {
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter();
            fields.map(|field| (&*field.name, &field.docs)).collect()
        }
        TypeDefKind::Enum(list) => {
            let cases = list.cases.iter();
            cases.map(|case| (&*case.name, &case.docs)).collect()
        }
        TypeDefKind::Variant(list) => {
            let cases = list.cases.iter();
            cases.map(|case| (&*case.name, &case.docs)).collect()
        }
        TypeDefKind::Flags(list) => {
            let flags = list.flags.iter();
            flags.map(|flag| (&*flag.name, &flag.docs)).collect()
        }
        _ => Vec::new(),
    }
}
