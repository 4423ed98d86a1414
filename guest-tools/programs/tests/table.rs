//! `commands.txt` is made from the tables of the families; whoever needs the names without the commands
//! reads it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const HEAD: &str = "# The commands of a sandbox, one a line: the name, the family, and whose it is. Then, where there is something to
# say, `with` the libraries that do the work and `without` what is not supported. Made from the tables of the
# families: `OFFSHOOT_BLESS=1 cargo test -p offshoot-programs --test table` writes it anew.
";

fn table() -> String {
    let mut text = HEAD.to_owned();
    for (family, commands) in offshoot_programs::FAMILIES {
        for command in *commands {
            let whose = if command.is_uutils { "uutils" } else { "ours" };
            write!(text, "{} {family} {whose}", command.name).unwrap();
            for (word, what) in [("with", command.libraries), ("without", command.gaps)] {
                if !what.is_empty() {
                    write!(text, " {word} {what}").unwrap();
                }
            }
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_table_names_the_commands() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("commands.txt");
    if std::env::var_os("OFFSHOOT_BLESS").is_some() {
        fs::write(&path, table()).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written,
        table(),
        "commands.txt is out of date: OFFSHOOT_BLESS=1 writes it anew"
    );
}

#[test]
fn no_name_is_there_twice() {
    let mut seen = BTreeSet::new();
    for command in offshoot_programs::commands() {
        assert!(seen.insert(command.name), "{}", command.name);
    }
}

#[test]
fn models_are_those_of_commands() {
    let commands = offshoot_programs::commands();
    for name in offshoot_command::model::names() {
        assert!(
            commands.iter().any(|command| command.name == name),
            "{name}"
        );
    }
}
