//! `whereis`, as in util-linux: where a command is, and its pages and sources.
//!
//! `whereis ls` prints `ls: /usr/bin/ls`. Options hold for the names behind them, and the first option behind a name
//! starts anew: `whereis -b ls -m cp` looks for a program `ls` and a page `cp`. Links are resolved, so `/bin` is not
//! listed beside `/usr/bin`.

use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system;

const USAGE: &str = "\
Usage:
 whereis [options] [-BMS <dir>... -f] <name>

Locate the binary, source, and manual-page files for a command.

Options:
 -b         search only for binaries
 -B <dirs>  define binaries lookup path
 -m         search only for manuals and infos
 -M <dirs>  define man and info lookup path
 -s         search only for sources
 -S <dirs>  define sources lookup path
 -f         terminate <dirs> argument list
 -u         search for unusual entries
 -l         output effective lookup paths
 -h, --help     display this help
 -V, --version  display version
";

/// What is looked for, and where.
struct Kind {
    /// The option: `b`, `m` or `s`; its upper case sets the folders.
    letter: u8,
    /// What `-l` calls it.
    label: &'static str,
    /// The folders that are looked into.
    places: Vec<Vec<u8>>,
    /// Whether it was named; where none is, all are looked for.
    wanted: bool,
}

/// Folders that there are, once each; `/bin` is the same as `/usr/bin`.
fn folders<'a>(paths: impl Iterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for path in paths {
        if let Ok(place) = system::canonicalize(path)
            && system::stat(&place, true).is_ok_and(|stat| stat.kind == system::Kind::Directory)
            && !found.contains(&place)
        {
            found.push(place);
        }
    }
    found
}

/// Programs, pages and sources with the usual folders, programs also with those of `PATH`.
fn kinds() -> [Kind; 3] {
    let path = system::search_path();
    let usual: [&[u8]; 3] = [b"/usr/bin", b"/usr/sbin", b"/usr/local/bin"];
    let programs = folders(usual.into_iter().chain(path.split(|&byte| byte == b':')));
    let pages = (1..10).map(|section| format!("/usr/share/man/man{section}").into_bytes());
    let pages: Vec<Vec<u8>> = pages.collect();
    let kind = |letter, label, places| Kind {
        letter,
        label,
        places,
        wanted: false,
    };
    [
        kind(b'b', "bin", programs),
        kind(b'm', "man", folders(pages.iter().map(Vec::as_slice))),
        kind(b's', "src", folders([b"/usr/src".as_slice()].into_iter())),
    ]
}

impl Kind {
    /// The files that are called so; pages and sources with whatever ending.
    fn find(&self, name: &[u8]) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        for place in &self.places {
            let mut names: Vec<Vec<u8>> = system::read_directory(place)
                .unwrap_or_default()
                .into_iter()
                .map(|entry| entry.name)
                .filter(|file| match self.letter {
                    b'b' => file == name,
                    _ => fits(file, name),
                })
                .collect();
            names.sort();
            found.extend(names.iter().map(|file| system::join(place, file)));
        }
        found
    }
}

/// Whether a file has the name, before an ending such as `.1.gz`.
fn fits(file: &[u8], name: &[u8]) -> bool {
    let rest = file.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"."))
}

/// Runs `whereis`.
pub fn run(call: &Call) -> i32 {
    let mut kinds = kinds();
    let mut out = Output::new();
    let (mut unusual, mut lists, mut any) = (false, false, false);
    // Options hold for the names that follow; the first after a name starts anew.
    let mut named = false;
    let mut words = call.arguments.iter().peekable();
    let mut lines = Vec::new();
    while let Some(word) = words.next() {
        let Some(letters) = word.strip_prefix(b"-").filter(|rest| !rest.is_empty()) else {
            lines.extend(report(&kinds, word, unusual));
            (named, any) = (true, true);
            continue;
        };
        if letters == b"-help" || letters == b"h" {
            out.put(USAGE);
            return out.finish(&call.name, 0, 1);
        }
        if letters == b"-version" || letters == b"V" {
            out.put(crate::model::version(&call.name));
            return out.finish(&call.name, 0, 1);
        }
        if letters.starts_with(b"-") {
            let status = call.fail(1, bytes!("unrecognized option '", word, "'"));
            eprintln!("Try 'whereis --help' for more information.");
            return status;
        }
        if std::mem::take(&mut named) {
            for kind in &mut kinds {
                kind.wanted = false;
            }
            unusual = false;
        }
        for letter in letters {
            match letter {
                b'u' => unusual = true,
                b'l' => lists = true,
                b'f' => {}
                b'B' | b'M' | b'S' => {
                    let mut given = Vec::new();
                    while let Some(word) = words.next_if(|word| !word.starts_with(b"-")) {
                        given.push(word.as_slice());
                    }
                    let lower = letter.to_ascii_lowercase();
                    let places = folders(given.into_iter());
                    for kind in kinds.iter_mut().filter(|kind| kind.letter == lower) {
                        kind.places.clone_from(&places);
                    }
                }
                letter => match kinds.iter_mut().find(|kind| kind.letter == *letter) {
                    Some(kind) => kind.wanted = true,
                    None => {
                        let message = bytes!("invalid option -- '", [*letter], "'");
                        return call.fail(1, message);
                    }
                },
            }
        }
    }
    if !any && !lists {
        return call.fail(1, "not enough arguments");
    }
    if lists {
        for kind in kinds.iter().filter(|kind| is_wanted(&kinds, kind)) {
            for place in &kind.places {
                out.line(bytes!(kind.label, ": ", place));
            }
        }
    }
    for line in lines {
        out.line(line);
    }
    out.finish(&call.name, 0, 1)
}

/// Whether a kind is looked for: all are, where none is named.
fn is_wanted(kinds: &[Kind], kind: &Kind) -> bool {
    kind.wanted || kinds.iter().all(|kind| !kind.wanted)
}

/// The line of a name; none where `-u` hides it, as it has no more than one file of each kind.
fn report(kinds: &[Kind], name: &[u8], unusual: bool) -> Option<Vec<u8>> {
    let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
    let mut line = bytes!(name, ":");
    let mut several = false;
    for kind in kinds.iter().filter(|kind| is_wanted(kinds, kind)) {
        let files = kind.find(name);
        several |= files.len() > 1;
        for file in files {
            line.extend(bytes!(" ", file));
        }
    }
    (!unusual || several).then_some(line)
}
