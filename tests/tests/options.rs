//! That no option is claimed that nothing has tried.
//!
//! Every option that a command's `--help` lists is in a case that was recorded from the real tool, but for those
//! that `untried.txt` names, which only grows shorter.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use offshoot::blocking::Sandbox;

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest-tools/programs")
}

/// What each command prints for `--help`.
fn helps() -> BTreeMap<String, String> {
    let script = "for n in $(ls /usr/bin); do
        case $n in bash|curl|sh|wget|node*|pip*|python*|[) continue;; esac
        echo \"@@@ $n\"; /usr/bin/$n --help 2> /dev/null < /dev/null
    done";
    let sandbox = Sandbox::builder().build_blocking().unwrap();
    let output = sandbox.exec(script).unwrap();
    let text = output.stdout_text().into_owned();
    let parts = text.split("@@@ ").filter_map(|part| part.split_once('\n'));
    parts
        .map(|(name, help)| (name.to_owned(), help.to_owned()))
        .collect()
}

/// The names of one option: `-a` and `--all`.
type Names = Vec<String>;

/// The options that a help lists: lines that begin with one, not far from the margin.
fn options(help: &str) -> BTreeSet<Names> {
    let mut found = BTreeSet::new();
    for line in help.lines() {
        let text = line.trim_start();
        let margin = line.len() - text.len();
        // `- bsd: equivalent to sum -r` is an item of a list, `-M  columns 1 through M` a range.
        let is_option =
            text.starts_with('-') && !text.starts_with("- ") && !text.ends_with(" through M");
        if !(1..=8).contains(&margin) || !is_option {
            continue;
        }
        let head = text.split("  ").next().unwrap_or(text);
        let names: Names = head
            .split([' ', ',', '=', '[', '<'])
            .filter(|word| word.len() > 1 && word.starts_with('-') && *word != "--")
            .filter(|word| !matches!(*word, "--help" | "--version"))
            .map(str::to_owned)
            .collect();
        // uutils' own short names for help and version are nothing of the real tools'.
        let own = text.contains("--help") || text.contains("--version");
        if !names.is_empty() && !own {
            found.insert(names);
        }
    }
    found
}

/// The words with a dash that follow each command's name in the recorded cases.
fn used(commands: &BTreeMap<String, String>) -> BTreeMap<String, BTreeSet<String>> {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in crate::commands::recorded() {
        let text = fs::read_to_string(path).unwrap();
        let scripts = text.lines().filter(|line| {
            ["$ ", "& ", "> ", "% "]
                .iter()
                .any(|mark| line.starts_with(mark))
        });
        for part in scripts.flat_map(|line| line[2..].split(['|', ';', '&', '(', ')', '`'])) {
            let mut words = part
                .split_whitespace()
                .map(|word| word.trim_matches(['"', '\'']));
            let name = words.by_ref().find(|word| commands.contains_key(*word));
            if let Some(name) = name {
                let words = words
                    .filter(|word| word.starts_with('-'))
                    .map(str::to_owned);
                used.entry(name.to_owned()).or_default().extend(words);
            }
        }
    }
    used
}

/// What runs each command, from the tables of the families: those that are one function under several names
/// are tried together.
fn targets() -> BTreeMap<String, String> {
    let mut targets = BTreeMap::new();
    for entry in fs::read_dir(programs()).unwrap() {
        let table = entry.unwrap().path().join("src/commands.rs");
        // What is no family has no table.
        let table = fs::read_to_string(table).unwrap_or_default();
        for row in table.split("Command::new(").skip(1) {
            let mut parts = row.split([',', ')']).map(|part| part.trim().to_owned());
            let (name, target) = (parts.next().unwrap(), parts.next().unwrap());
            targets.insert(name.trim_matches('"').to_owned(), target);
        }
        for row in table.split("    coreutil!(").skip(1) {
            let name = row.split('"').nth(1).unwrap().to_owned();
            targets.insert(name.clone(), name);
        }
    }
    targets
}

fn is_used(names: &Names, words: &BTreeSet<String>) -> bool {
    let fits = |name: &String, word: &String| match name.strip_prefix("--") {
        Some(_) => {
            word == name
                || word
                    .strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.starts_with('='))
        }
        None => !word.starts_with("--") && word[1..].contains(&name[1..]),
    };
    names
        .iter()
        .any(|name| words.iter().any(|word| fits(name, word)))
}

#[test]
fn options_that_are_claimed_were_tried_against_the_real_tools() {
    let helps = helps();
    assert!(helps.len() > 150, "{} commands", helps.len());
    let targets = targets();
    let mut used_by: BTreeMap<&String, BTreeSet<String>> = BTreeMap::new();
    for (command, words) in used(&helps) {
        used_by.entry(&targets[&command]).or_default().extend(words);
    }
    let mut left = BTreeSet::new();
    for (command, help) in &helps {
        let words = used_by.get(&targets[command]).cloned().unwrap_or_default();
        for names in options(help).iter().filter(|names| !is_used(names, &words)) {
            left.insert(format!("{command} {}", names.join(" ")));
        }
    }
    let known: BTreeSet<String> = include_str!("untried.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let new: Vec<_> = left.difference(&known).collect();
    assert!(new.is_empty(), "claimed, and in no recorded case: {new:#?}");
    let tried: Vec<_> = known.difference(&left).collect();
    assert!(tried.is_empty(), "tried by now, or gone: {tried:#?}");
}
