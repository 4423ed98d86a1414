//! The WIT contract: it resolves, and every item of ours has a doc comment.

use std::path::Path;
use wit_parser::{Docs, Resolve, TypeDefKind};

#[test]
fn every_item_of_the_contract_is_documented() {
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let (package, _) = resolve.push_dir(folder).unwrap();
    let mut bare: Vec<String> = Vec::new();
    let mut check = |name: String, docs: &Docs| {
        if docs.contents.is_none() {
            bare.push(name);
        }
    };
    let package = &resolve.packages[package];
    for (name, world) in &package.worlds {
        check(name.clone(), &resolve.worlds[*world].docs);
    }
    for (interface_name, id) in &package.interfaces {
        let interface = &resolve.interfaces[*id];
        check(interface_name.clone(), &interface.docs);
        for (name, function) in &interface.functions {
            check(format!("{interface_name}.{name}"), &function.docs);
        }
        for (name, id) in &interface.types {
            let name = format!("{interface_name}.{name}");
            let definition = &resolve.types[*id];
            let parts: Vec<(&str, &Docs)> = match &definition.kind {
                TypeDefKind::Record(record) => record
                    .fields
                    .iter()
                    .map(|field| (&*field.name, &field.docs))
                    .collect(),
                TypeDefKind::Enum(list) => list
                    .cases
                    .iter()
                    .map(|case| (&*case.name, &case.docs))
                    .collect(),
                TypeDefKind::Variant(list) => list
                    .cases
                    .iter()
                    .map(|case| (&*case.name, &case.docs))
                    .collect(),
                TypeDefKind::Flags(list) => list
                    .flags
                    .iter()
                    .map(|flag| (&*flag.name, &flag.docs))
                    .collect(),
                // A `use` repeats a type that is documented where it stands.
                TypeDefKind::Type(_) if definition.docs.contents.is_none() => continue,
                _ => Vec::new(),
            };
            check(name.clone(), &definition.docs);
            for (part, docs) in parts {
                check(format!("{name}.{part}"), docs);
            }
        }
    }
    assert_eq!(bare, Vec::<String>::new(), "without a doc comment");
}
