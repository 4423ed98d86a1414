//! `mktemp` of coreutils 9.1: a file or directory with a new name, which is made before it is printed, so that nobody
//! else can have it. `-u` alone only looks for a free name.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: mktemp [OPTION]... [TEMPLATE]\nCreate a temporary file or directory, safely, and print its name.\n",
    options: &[
        Opt("d", "directory", Value::No),
        Opt("u", "dry-run", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("", "suffix", Value::Required),
        Opt("p", "", Value::Required),
        Opt("", "tmpdir", Value::Optional),
        Opt("t", "", Value::No),
        Opt("V", "version", Value::No),
    ],
    permute: true,
    status: 1,
};

/// How often a name is tried: with 62 letters for each X, far more than it takes.
const TRIES: u32 = 1000;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// A name with a place for random letters.
struct Template {
    /// The directory, the letters before, the X, and the suffix.
    whole: Vec<u8>,
    /// Where the X stand: at least three.
    random: std::ops::Range<usize>,
}

/// Makes the file and prints its name; with `-q` failures are silent.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    if parsed.operands.len() > 1 {
        return Err(options::usage_error(call, &SYNTAX, "too many templates"));
    }
    let template = template(call, &parsed)?;
    match make(&template, &parsed) {
        Ok(name) => {
            let mut out = Output::new();
            out.line(name);
            Ok(out.finish(&call.name, 0, 1))
        }
        Err(_) if parsed.has("q") => Ok(1),
        Err(failure) => {
            let kind = if parsed.has("d") { "directory" } else { "file" };
            let name = quote::word(&template.whole);
            let message = bytes!(
                "failed to create ",
                kind,
                " via template ",
                name,
                ": ",
                failure
            );
            Err(call.fail(1, message))
        }
    }
}

/// The template and the directory that the options ask for.
///
/// ```text
/// mktemp                    $TMPDIR/tmp.XXXXXXXXXX, else /tmp/…
/// mktemp aXXX.txt           aXXX.txt in the working directory, suffix .txt
/// mktemp -p d aXXX          d/aXXX
/// mktemp --suffix=.c aXXX   aXXX.c
/// ```
///
/// # Errors
/// Status 1 after a message.
fn template(call: &Call, parsed: &Parsed) -> Result<Template, i32> {
    let given = parsed.operands.first().map(Vec::as_slice);
    let mut whole = given.unwrap_or(b"tmp.XXXXXXXXXX").to_vec();
    let refuse = |before: &str, text: &[u8], after: &str| {
        Err(call.fail(1, bytes!(before, quote::word(text), after)))
    };
    let mut end = whole
        .iter()
        .rposition(|&byte| byte == b'X')
        .map_or(0, |at| at + 1);
    if let Some(suffix) = parsed.value("suffix") {
        if end != whole.len() || end == 0 {
            let text = "with --suffix, template ";
            return refuse(text, &whole, " must end in X");
        }
        whole.extend_from_slice(suffix);
    } else if end == 0 {
        end = whole.len();
    }
    let suffix = &whole[end..];
    if suffix.contains(&b'/') {
        return refuse("invalid suffix ", suffix, ", contains directory separator");
    }
    let count = whole[..end]
        .iter()
        .rev()
        .take_while(|byte| **byte == b'X')
        .count();
    if count < 3 {
        return refuse("too few X's in template ", &whole, "");
    }
    let variable = || crate::system::variable("TMPDIR");
    let variable = || variable().filter(|value| !value.is_empty());
    let named = ["tmpdir", "p"].iter().filter_map(|key| parsed.value(key));
    let named = named.map(<[u8]>::to_vec).find(|value| !value.is_empty());
    let wanted = parsed.has("p") || parsed.has("tmpdir") || given.is_none();
    let usual = || b"/tmp".to_vec();
    let directory = if parsed.has("t") {
        if whole.contains(&b'/') {
            return refuse(
                "invalid template, ",
                &whole,
                ", contains directory separator",
            );
        }
        Some(variable().or(named).unwrap_or_else(usual))
    } else if wanted {
        if whole.starts_with(b"/") {
            let text = "; with --tmpdir, it may not be absolute";
            return refuse("invalid template, ", &whole, text);
        }
        Some(named.or_else(variable).unwrap_or_else(usual))
    } else {
        None
    };
    let before = whole.len();
    if let Some(directory) = directory {
        whole = system::join(&directory, &whole);
    }
    let end = end + whole.len() - before;
    Ok(Template {
        whole,
        random: end - count..end,
    })
}

/// Makes a file (0600) or a directory (0700) of a name that was free. A name that is taken leads to another try; other
/// failures end it.
fn make(template: &Template, parsed: &Parsed) -> system::Result<Vec<u8>> {
    let mut last = system::EXIST;
    for _ in 0..TRIES {
        let mut name = template.whole.clone();
        randomize(&mut name[template.random.clone()])?;
        let made = if parsed.has("u") {
            match system::stat(&name, false) {
                Ok(_) => Err(system::EXIST),
                Err(system::NO_ENTRY) => Ok(()),
                Err(failure) => Err(failure),
            }
        } else if parsed.has("d") {
            system::make_directory(&name, 0o700)
        } else {
            let made = system::create_new(&name);
            made.and_then(|_| system::set_mode(&name, 0o600))
        };
        match made {
            Ok(()) => return Ok(name),
            Err(system::EXIST) => last = system::EXIST,
            Err(failure) => return Err(failure),
        }
    }
    Err(last)
}

/// Fills a place with letters and digits. 62 does not divide 256, so that the first eight letters are a little more
/// likely than others.
fn randomize(letters: &mut [u8]) -> system::Result<()> {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    getrandom::fill(letters).map_err(|_| Failure(system::Errno::Io))?;
    for letter in letters {
        *letter = LETTERS[usize::from(*letter) % LETTERS.len()];
    }
    Ok(())
}
