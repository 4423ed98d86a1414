//! `tree` 2.1: directories as a drawing, as JSON and as XML. `walk` reads the whole tree into memory, filtered and
//! sorted, and `print` writes it; so totals can stand before what they add up.

mod color;
mod print;
mod walk;

use color::Colors;
use print::{Format, Printer, Show};
use walk::{Filter, Order, Walk};

use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "usage: tree [-acdfghilnpqrstuvxCDFJNQSUX] [-L level] [-P pattern] [-I pattern]\n\t[-o filename] [directory ...]\nList directories recursively as a tree.\n",
    options: &[
        Opt("a", "", Value::No),
        Opt("d", "", Value::No),
        Opt("l", "", Value::No),
        Opt("f", "", Value::No),
        Opt("x", "", Value::No),
        Opt("L", "", Value::Required),
        Opt("P", "", Value::Required),
        Opt("I", "", Value::Required),
        Opt("", "ignore-case", Value::No),
        Opt("", "matchdirs", Value::No),
        Opt("", "prune", Value::No),
        Opt("", "noreport", Value::No),
        Opt("", "charset", Value::Required),
        Opt("", "filelimit", Value::Required),
        Opt("o", "", Value::Required),
        Opt("q", "", Value::No),
        Opt("N", "", Value::No),
        Opt("Q", "", Value::No),
        Opt("p", "", Value::No),
        Opt("u", "", Value::No),
        Opt("g", "", Value::No),
        Opt("s", "", Value::No),
        Opt("h", "", Value::No),
        Opt("", "si", Value::No),
        Opt("", "du", Value::No),
        Opt("D", "", Value::No),
        Opt("", "timefmt", Value::Required),
        Opt("F", "", Value::No),
        Opt("", "inodes", Value::No),
        Opt("", "device", Value::No),
        Opt("v", "", Value::No),
        Opt("t", "", Value::No),
        Opt("c", "", Value::No),
        Opt("U", "", Value::No),
        Opt("r", "", Value::No),
        Opt("", "dirsfirst", Value::No),
        Opt("", "filesfirst", Value::No),
        Opt("", "sort", Value::Required),
        Opt("i", "", Value::No),
        Opt("n", "", Value::No),
        Opt("C", "", Value::No),
        Opt("X", "", Value::No),
        Opt("J", "", Value::No),
        Opt("S", "", Value::No),
    ],
    permute: true,
    status: 2,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// The number of an option, none given being no limit; status 1 after the message `wrong` for one that is less than
/// `least`.
fn count(call: &Call, parsed: &Parsed, key: &str, least: usize, wrong: &str) -> Result<usize, i32> {
    match parsed.value(key) {
        None => Ok(usize::MAX),
        Some(text) => match options::number(text) {
            Some(number) if number >= least => Ok(number),
            _ => Err(call.fail(1, wrong)),
        },
    }
}

/// What is read: filters, limits and order. `-P` and `-I` hold several globs with `|` between them.
fn filter(call: &Call, parsed: &Parsed) -> Result<Filter, i32> {
    let globs = |key: &str| {
        let given = parsed.options.iter().filter(|(option, _)| *option == key);
        let words = given.flat_map(|(_, text)| text.split(|&byte| byte == b'|'));
        let words = words.map(|word| word.strip_suffix(b"/").unwrap_or(word));
        words
            .map(|word| Glob::new(word, parsed.has("ignore-case"), false))
            .collect()
    };
    let order = match parsed.last(&["v", "t", "c", "U", "sort"]) {
        Some("v") => Order::Version,
        Some("t") => Order::Modified,
        Some("c") => Order::Changed,
        Some("U") => Order::None,
        Some(_) => match parsed.value("sort").unwrap_or_default() {
            b"name" => Order::Name,
            b"version" => Order::Version,
            b"size" => Order::Size,
            b"mtime" => Order::Modified,
            b"ctime" => Order::Changed,
            other => {
                return Err(call.fail(
                    1,
                    bytes!(
                        "Sort type '",
                        other,
                        "' not valid, should be one of: name,version,size,mtime,ctime"
                    ),
                ));
            }
        },
        None => Order::Name,
    };
    let level = "Invalid level, must be greater than 0.";
    Ok(Filter {
        all: parsed.has("a"),
        directories_only: parsed.has("d"),
        follow: parsed.has("l"),
        depth: count(call, parsed, "L", 1, level)?,
        limit: count(
            call,
            parsed,
            "filelimit",
            0,
            "invalid argument to --filelimit",
        )?,
        include: globs("P"),
        exclude: globs("I"),
        match_directories: parsed.has("matchdirs"),
        prune: parsed.has("prune"),
        add_sizes: parsed.has("du"),
        order,
        reverse: parsed.has("r"),
        directories_first: parsed
            .last(&["dirsfirst", "filesfirst"])
            .map(|option| option == "dirsfirst"),
    })
}

/// What lines are drawn with in a character set: the bar, the fork and the last fork.
fn lines(parsed: &Parsed, charset: Option<&[u8]>, utf8: bool) -> [&'static [u8]; 3] {
    if utf8 && !parsed.has("S") {
        return ["│\u{a0}\u{a0} ", "├── ", "└── "].map(str::as_bytes);
    }
    match charset {
        _ if parsed.has("S") => [b"\xb3   ", b"\xc3\xc4\xc4 ", b"\xc0\xc4\xc4 "],
        Some(b"cp437" | b"ibm437") => [b"\xb3   ", b"\xc3\xc4\xc4 ", b"\xc0\xc4\xc4 "],
        Some(b"koi8-r") => [b"\x81   ", b"\x86\x80\x80 ", b"\x84\x80\x80 "],
        Some(b"iso-8859-1" | b"latin1") => [b"|   ", b"|-- ", b"&middot;-- "],
        _ => [b"|   ", b"|-- ", b"`-- "],
    }
}

/// Reads, prints, and gives the status: 2 where a directory could not be read.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let filter = filter(call, &parsed)?;
    let mut paths = parsed.operands.clone();
    if paths.is_empty() {
        paths.push(b".".to_vec());
    }
    let charset = parsed.value("charset").map(<[u8]>::to_ascii_lowercase);
    let utf8 = match &charset {
        Some(name) => name == b"utf-8" || name == b"utf8",
        None => system::is_utf8(),
    };
    let show = Show {
        format: match parsed.last(&["X", "J"]) {
            Some("X") => Format::Xml,
            Some(_) => Format::Json,
            None => Format::Drawing,
        },
        utf8,
        lines: lines(&parsed, charset.as_deref(), utf8),
        paths: parsed.has("f"),
        indent: !parsed.has("i"),
        raw: parsed.has("N"),
        question: parsed.has("q"),
        quote: parsed.has("Q"),
        mode: parsed.has("p"),
        user: parsed.has("u"),
        group: parsed.has("g"),
        size: parsed.has("s") || parsed.has("h") || parsed.has("si") || parsed.has("du"),
        human: match (parsed.has("si"), parsed.has("h")) {
            (true, _) => Some(1000),
            (false, true) => Some(1024),
            (false, false) => None,
        },
        date: (parsed.has("D") || parsed.has("timefmt")).then(|| {
            let given = parsed.value("timefmt").unwrap_or_default();
            String::from_utf8_lossy(given).into_owned()
        }),
        changed: parsed.has("c"),
        // Marks are for files too, or for nothing.
        marks: parsed.has("F") && !parsed.has("d"),
        inodes: parsed.has("inodes"),
        device: parsed.has("device"),
        colors: parsed.has("C").then(Colors::of_environment).flatten(),
        report: !parsed.has("noreport"),
        directories_only: parsed.has("d"),
        totals: parsed.has("du"),
    };
    let mut printer = Printer::new(&show, Accounts::new());
    let mut walk = Walk::new(&filter);
    let mut roots = Vec::new();
    for path in &paths {
        let root = walk.root(path);
        if root.is_none() {
            walk.failed = true;
        }
        roots.push((path.as_slice(), root));
    }
    let text = printer.print(&roots);
    let status = if walk.failed { 2 } else { 0 };
    if let Some(file) = parsed.value("o") {
        let written = system::create_file(file, false)
            .and_then(|mut out| Ok(std::io::Write::write_all(&mut out, &text)?));
        return match written {
            Ok(()) => Ok(status),
            Err(_) => Err(call.fail(1, bytes!("invalid filename '", file, "'"))),
        };
    }
    let mut out = Output::new();
    out.put(&text);
    Ok(out.finish("tree", status, 1))
}
