//! The page that lists the commands of a sandbox is made from `commands.txt`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One line of `commands.txt`: name, family, whose it is, its libraries, what it lacks.
fn table() -> Vec<[String; 5]> {
    let text = fs::read_to_string(root().join("guest-tools/programs/commands.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| {
        let (rest, without) = line.split_once(" without ").unwrap_or((line, ""));
        let (rest, with) = rest.split_once(" with ").unwrap_or((rest, ""));
        let (name, rest) = rest.split_once(' ').unwrap();
        let (family, whose) = rest.split_once(' ').unwrap();
        [name, family, whose, with, without].map(str::to_owned)
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    rows
}

const HEAD: &str = "# The commands of a sandbox

Every command is a program in `/usr/bin`; `NAME --help` says what it takes, and `man NAME` shows the same as a
page. Each family of commands is a component of its own, and a sandbox loads those that it
needs. Where a command does not know an option it names it and ends with the status of a wrong command line.

*uutils* are the Rust coreutils. *ours* are written here; a library that does the main work is named.
`echo`, `cat`, `head` and other hot ones also run inside the shell, with equal output. The shell has
bash's builtins; `help` lists them.

Two languages are beside them, in every sandbox of the command line; embedders have them with the features `javascript`
and `python` of the crate. `node` (also `nodejs`) answers as Node does; `node --help` says what it has. `python3` (also
`python`, `pip`, `pip3`) is CPython 3.14 with its standard library; `python3 --help` says what it has.

The table is made from `guest-tools/programs/commands.txt`, and a test compares the two
(`OFFSHOOT_BLESS=1 cargo test -p offshoot-guest-build` writes it anew).

| command | family | from | not supported |
|---|---|---|---|
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    for [name, family, whose, with, without] in table() {
        let from = match (whose == "uutils", with.is_empty()) {
            (true, _) => "uutils".to_owned(),
            (false, true) => "ours".to_owned(),
            (false, false) => format!("ours, on {with}"),
        };
        let name = name.replace('[', "\\[");
        writeln!(page, "| {name} | {family} | {from} | {without} |").unwrap();
    }
    page
}

#[test]
fn the_page_lists_the_commands() {
    let path = root().join("docs/commands.md");
    if std::env::var_os("OFFSHOOT_BLESS").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written,
        page(),
        "docs/commands.md is out of date: OFFSHOOT_BLESS=1 writes it anew"
    );
}
