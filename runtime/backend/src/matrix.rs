//! The page of capabilities, made from the records themselves.

use crate::capabilities::Capabilities;
use crate::registry::Registry;
use std::fmt::Write;

/// A Markdown table of what each backend of a registry can do with its default settings: a column
/// for each backend, a row for each capability.
pub fn matrix(registry: &Registry) -> String {
    let records: Vec<(String, Capabilities)> = registry
        .list()
        .into_iter()
        .filter_map(|name| {
            let record = registry.factory(&name).ok()?.capabilities();
            Some((name, record))
        })
        .collect();
    let mut rows: Vec<(&str, Vec<String>)> = Vec::new();
    let facts = |fact: fn(&Capabilities) -> String| -> Vec<String> {
        records.iter().map(|(_, record)| fact(record)).collect()
    };
    for (number, (name, _)) in Capabilities::NONE.claims().into_iter().enumerate() {
        let cells = records.iter().map(|(_, record)| {
            let claim = record.claims().get(number).is_some_and(|(_, yes)| *yes);
            if claim { "yes" } else { "no" }.to_owned()
        });
        rows.push((name, cells.collect()));
    }
    rows.insert(3, ("network", facts(|record| record.network.to_string())));
    rows.push((
        "persistence",
        facts(|record| record.persistence.to_string()),
    ));
    rows.push(("isolation", facts(|record| record.isolation.to_string())));
    let mut page = String::from("| capability |");
    // Writing to a string does not fail.
    for (name, _) in &records {
        let _ = write!(page, " {name} |");
    }
    page.push_str("\n|---|");
    page.push_str(&"---|".repeat(records.len()));
    page.push('\n');
    for (name, cells) in rows {
        let _ = writeln!(page, "| {name} | {} |", cells.join(" | "));
    }
    page
}
