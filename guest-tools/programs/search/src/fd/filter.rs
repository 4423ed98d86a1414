//! Which entries of the walk are results: patterns, kinds, extensions, sizes, times and depth. All conditions hold at
//! once; within `-t` and within `-e` one of the given values is enough. What costs a `stat` is asked last.

use std::path::PathBuf;
use std::time::SystemTime;

use regex::bytes::{Regex, RegexBuilder};

use super::{Entry, error, misused, number, time};
use crate::options::{self, Parsed};
use crate::system::{self, Kind};

/// A limit of `--size`: `+`, `-` or `=`, and a number of bytes. Other than in `find`, `+` and `-` include the limit
/// itself, and nothing is rounded.
pub struct Size(u8, u64);

/// Parses `[+-]N<unit>`. The unit is required: `b` bytes; `k`, `m`, `g`, `t` powers of 1000; `ki`, `mi`, `gi`, `ti`
/// powers of 1024; case is ignored.
///
/// ```text
/// +10k  ->  ('+', 10000)      -1Mi  ->  ('-', 1048576)      5b  ->  ('=', 5)      5  ->  none
/// ```
fn size(text: &[u8]) -> Option<Size> {
    let (sign, text) = match text {
        [sign @ (b'+' | b'-'), rest @ ..] => (*sign, rest),
        _ => (b'=', text),
    };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let count: u64 = options::number(&text[..digits])?;
    let unit: u64 = match text[digits..].to_ascii_lowercase().as_slice() {
        b"b" => 1,
        b"k" | b"kb" => 1000,
        b"m" | b"mb" => 1_000_000,
        b"g" | b"gb" => 1_000_000_000,
        b"t" | b"tb" => 1_000_000_000_000,
        b"ki" | b"kib" => 1 << 10,
        b"mi" | b"mib" => 1 << 20,
        b"gi" | b"gib" => 1 << 30,
        b"ti" | b"tib" => 1 << 40,
        _ => return None,
    };
    Some(Size(sign, count.checked_mul(unit)?))
}

/// The conditions of the command line.
pub struct Filter {
    /// The operand and the values of `--and`: all must match.
    patterns: Vec<Regex>,
    /// `-p`: patterns see the absolute path instead of the last name.
    full_path: bool,
    /// Letters of `-t`; empty lets everything through. See `has_kind` for `x` and `e`.
    kinds: Vec<char>,
    /// Values of `-e` in lower case, without a leading dot.
    extensions: Vec<String>,
    sizes: Vec<Size>,
    /// Modified later than this.
    after: Option<SystemTime>,
    /// Modified earlier than this.
    before: Option<SystemTime>,
    /// Entries directly below a search path have depth 1.
    least_depth: usize,
    /// Kinds of `-t x`, sizes and times are those of what links lead to.
    follow: bool,
}

/// Compiles one pattern: a regular expression, a glob (`-g`, anchored, `*` stops at slashes), or fixed text (`-F`).
/// Without `-s` and `-i` the case counts if the pattern has an upper-case letter, which is searched for in the text as
/// given: `\W` counts.
///
/// # Errors
/// Status 1 after the message of the regex or glob crate.
fn pattern(parsed: &Parsed, text: &[u8]) -> Result<Regex, i32> {
    let text = String::from_utf8_lossy(text).into_owned();
    let glob = parsed.last(&["g", "regex"]) == Some("g");
    let source = if glob && !text.is_empty() {
        globset::GlobBuilder::new(&text)
            .literal_separator(true)
            .build()
            .map_err(|wrong| error(wrong.to_string()))?
            .regex()
            .to_owned()
    } else if parsed.has("F") {
        regex::escape(&text)
    } else {
        text.clone()
    };
    let smart = !text.chars().any(char::is_uppercase);
    let fold = match parsed.last(&["s", "i"]) {
        Some(key) => key == "i",
        None => smart,
    };
    let built = RegexBuilder::new(&source).case_insensitive(fold).build();
    built.map_err(|wrong| error(format!("{wrong}\n\nNote: You can use the '--fixed-strings' option to search for a literal string instead of a regular expression. Alternatively, you can also use the '--glob' option to match on a glob pattern.")))
}

impl Filter {
    /// Reads the conditions; `text` is the pattern of the operand, empty where there is none, and then matches every
    /// name.
    ///
    /// # Errors
    /// Status 2 for a value that its option does not have, 1 for a date or a pattern that cannot be read.
    pub fn new(parsed: &Parsed, text: &[u8]) -> Result<Filter, i32> {
        let given = |key: &'static str| {
            parsed
                .options
                .iter()
                .filter(move |(option, _)| *option == key)
                .map(|(_, value)| value.as_slice())
        };
        let mut patterns = vec![pattern(parsed, text)?];
        for text in given("and") {
            patterns.push(pattern(parsed, text)?);
        }
        let mut kinds = Vec::new();
        for value in given("t") {
            kinds.push(match value {
                b"f" | b"file" => 'f',
                b"d" | b"directory" => 'd',
                b"l" | b"symlink" => 'l',
                b"x" | b"executable" => 'x',
                b"e" | b"empty" => 'e',
                b"p" | b"pipe" => 'p',
                b"s" | b"socket" => 's',
                _ => {
                    let value = String::from_utf8_lossy(value);
                    let values = "[possible values: file, directory, symlink, executable, empty, socket, pipe]";
                    let what = "isn't a valid value for '--type <filetype>'";
                    return Err(misused(format!("'{value}' {what}\n  {values}")));
                }
            });
        }
        let mut sizes = Vec::new();
        for value in given("S") {
            let wrong = || {
                let text = String::from_utf8_lossy(value);
                let why = format!("'{text}' is not a valid size constraint. See 'fd --help'.");
                misused(format!("Invalid value '{text}' for '--size <size>': {why}"))
            };
            sizes.push(size(value).ok_or_else(wrong)?);
        }
        let moments = |keys: &[&str]| -> Result<Option<SystemTime>, i32> {
            let Some(key) = parsed.last(keys) else {
                return Ok(None);
            };
            let text = String::from_utf8_lossy(parsed.value(key).unwrap_or_default());
            let wrong = || {
                error(format!(
                    "'{text}' is not a valid date or duration. See 'fd --help'."
                ))
            };
            time::moment(&text).map(Some).ok_or_else(wrong)
        };
        let least = number(parsed, "min-depth", "--min-depth <depth>")?;
        let exact = number(parsed, "exact-depth", "--exact-depth <depth>")?;
        Ok(Filter {
            patterns,
            full_path: parsed.has("p"),
            kinds,
            extensions: given("e")
                .map(|value| {
                    String::from_utf8_lossy(value.strip_prefix(b".").unwrap_or(value))
                        .to_lowercase()
                })
                .collect(),
            sizes,
            after: moments(&[
                "changed-within",
                "changed-after",
                "newer",
                "change-newer-than",
            ])?,
            before: moments(&["changed-before", "older", "change-older-than"])?,
            least_depth: least.or(exact).unwrap_or(0),
            follow: parsed.has("L"),
        })
    }

    /// Whether an entry is a result.
    pub fn matches(&self, entry: &Entry) -> bool {
        let path = entry.path.as_path();
        let name = path.file_name().unwrap_or(path.as_os_str());
        let text = if self.full_path {
            let whole = std::path::absolute(path);
            whole.map_or_else(|_| name.to_os_string(), PathBuf::into_os_string)
        } else {
            name.to_os_string()
        };
        let fits = |pattern: &Regex| pattern.is_match(text.as_encoded_bytes());
        entry.depth >= self.least_depth
            && self.patterns.iter().all(fits)
            && self.has_extension(&name.to_string_lossy().to_lowercase())
            && self.has_kind(entry)
            && self.has_size_and_time(entry)
    }

    /// Whether the name ends with a dot and one of the extensions, with something before the dot: `.c` alone has none.
    /// Extensions with dots work: `tar.gz`.
    fn has_extension(&self, name: &str) -> bool {
        let ends = |wanted: &String| {
            let stem = name.strip_suffix(wanted.as_str());
            stem.is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
        };
        self.extensions.is_empty() || self.extensions.iter().any(ends)
    }

    /// Whether the entry is of a wanted kind. `x` and `e` narrow the other letters: `-t x` means executable files, `-t
    /// e` empty files and directories, `-t e -t d` empty directories. Sockets do not exist here.
    fn has_kind(&self, entry: &Entry) -> bool {
        let mut wanted = self.kinds.clone();
        if wanted.is_empty() {
            return true;
        }
        // What runs is a file; what is empty may be a directory too.
        if wanted.contains(&'x') {
            wanted.push('f');
        } else if wanted.iter().all(|kind| *kind == 'e') {
            wanted.extend(['f', 'd']);
        }
        let is = |kind: char| match kind {
            'f' => entry.kind == Kind::Regular,
            'd' => entry.kind == Kind::Directory,
            'l' => entry.kind == Kind::Symlink,
            'p' => entry.kind == Kind::Fifo,
            _ => false,
        };
        wanted.iter().any(|kind| is(*kind))
            && (!wanted.contains(&'x') || self.runs(entry))
            && (!wanted.contains(&'e') || self.is_empty(entry))
    }

    /// Status of the entry, or with `-L` of what it leads to.
    fn stat(&self, entry: &Entry) -> Option<system::Stat> {
        let path = entry.path.as_os_str().as_encoded_bytes();
        system::stat(path, self.follow).ok()
    }

    /// Whether anybody may execute it: one of the three execute bits is set.
    fn runs(&self, entry: &Entry) -> bool {
        self.stat(entry).is_some_and(|stat| stat.mode & 0o111 != 0)
    }

    /// An empty file, or a directory without entries.
    fn is_empty(&self, entry: &Entry) -> bool {
        match entry.kind {
            Kind::Directory => {
                let entries = entry.path.read_dir();
                entries.is_ok_and(|mut entries| entries.next().is_none())
            }
            Kind::Regular => self.stat(entry).is_some_and(|stat| stat.size == 0),
            _ => false,
        }
    }

    /// Whether size and time of modification are within all limits. A limit of size excludes everything but regular
    /// files.
    fn has_size_and_time(&self, entry: &Entry) -> bool {
        if self.sizes.is_empty() && self.after.is_none() && self.before.is_none() {
            return true;
        }
        let Some(stat) = self.stat(entry) else {
            return false;
        };
        let fits = |limit: &Size| match limit.0 {
            b'+' => stat.size >= limit.1,
            b'-' => stat.size <= limit.1,
            _ => stat.size == limit.1,
        };
        let sized = stat.kind == Kind::Regular && self.sizes.iter().all(fits);
        let changed = (stat.modified.seconds, stat.modified.nanoseconds);
        let is_after = |limit: SystemTime| changed > parts(limit);
        let is_before = |limit: SystemTime| changed < parts(limit);
        (sized || self.sizes.is_empty())
            && self.after.is_none_or(is_after)
            && self.before.is_none_or(is_before)
    }
}

/// A moment as seconds since 1970 and the nanoseconds after them.
fn parts(moment: SystemTime) -> (i64, u32) {
    match moment.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => (since.as_secs() as i64, since.subsec_nanos()),
        Err(before) => {
            let before = before.duration();
            match before.subsec_nanos() {
                0 => (-(before.as_secs() as i64), 0),
                nanoseconds => (-(before.as_secs() as i64) - 1, 1_000_000_000 - nanoseconds),
            }
        }
    }
}
