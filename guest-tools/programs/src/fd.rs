//! `fd`: find by name, with ignore files, on ripgrep's walker.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use regex::bytes::{Regex, RegexBuilder};

use crate::call::{Call, bytes};
use crate::launch;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: fd [OPTIONS] [pattern] [path]...\nFind entries in the filesystem, respecting ignore files.\n",
    options: &[
        Opt("H", "hidden", Value::No),
        Opt("", "no-hidden", Value::No),
        Opt("I", "no-ignore", Value::No),
        Opt("", "no-ignore-vcs", Value::No),
        Opt("", "no-ignore-parent", Value::No),
        Opt("", "no-require-git", Value::No),
        Opt("u", "unrestricted", Value::No),
        Opt("s", "case-sensitive", Value::No),
        Opt("i", "ignore-case", Value::No),
        Opt("g", "glob", Value::No),
        Opt("", "regex", Value::No),
        Opt("F", "fixed-strings", Value::No),
        Opt("F", "literal", Value::No),
        Opt("a", "absolute-path", Value::No),
        Opt("L", "follow", Value::No),
        Opt("p", "full-path", Value::No),
        Opt("0", "print0", Value::No),
        Opt("d", "max-depth", Value::Required),
        Opt("d", "maxdepth", Value::Required),
        Opt("", "min-depth", Value::Required),
        Opt("", "exact-depth", Value::Required),
        Opt("E", "exclude", Value::Required),
        Opt("", "prune", Value::No),
        Opt("t", "type", Value::Required),
        Opt("e", "extension", Value::Required),
        Opt("S", "size", Value::Required),
        Opt("", "changed-within", Value::Required),
        Opt("", "changed-after", Value::Required),
        Opt("", "newer", Value::Required),
        Opt("", "changed-before", Value::Required),
        Opt("", "older", Value::Required),
        Opt("c", "color", Value::Required),
        Opt("j", "threads", Value::Required),
        Opt("", "max-results", Value::Required),
        Opt("1", "", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("q", "has-results", Value::No),
        Opt("", "show-errors", Value::No),
        Opt("", "base-directory", Value::Required),
        Opt("", "search-path", Value::Required),
        Opt("", "strip-cwd-prefix", Value::Optional),
        Opt("", "one-file-system", Value::No),
        Opt("", "and", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// What is run for the results.
struct Action {
    arguments: Vec<Vec<u8>>,
    batch: bool,
}

/// Takes `-x` and `-X` with their commands from the arguments.
fn actions(call: &Call) -> Result<(Call, Vec<Action>), i32> {
    let mut rest = Vec::new();
    let mut actions = Vec::new();
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        let batch = match word.as_slice() {
            b"-x" | b"--exec" => false,
            b"-X" | b"--exec-batch" => true,
            b"--" => {
                rest.push(word.clone());
                rest.extend(words.by_ref().cloned());
                break;
            }
            _ => {
                rest.push(word.clone());
                continue;
            }
        };
        let arguments: Vec<Vec<u8>> = words
            .by_ref()
            .take_while(|word| *word != b";")
            .cloned()
            .collect();
        if arguments.is_empty() {
            return Err(call.fail(2, bytes!("option '", word, "' requires a command")));
        }
        actions.push(Action { arguments, batch });
    }
    let call = Call {
        name: call.name.clone(),
        arguments: rest,
    };
    Ok((call, actions))
}

/// A limit of `--size`: more than, less than or exactly so many bytes.
struct Size(u8, u64);

fn size(text: &[u8]) -> Option<Size> {
    let (sign, text) = match text {
        [sign @ (b'+' | b'-'), rest @ ..] => (*sign, rest),
        _ => (b'=', text),
    };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let count: u64 = options::number(&text[..digits])?;
    let unit: u64 = match text[digits..].to_ascii_lowercase().as_slice() {
        b"b" | b"" => 1,
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

/// A time of `--changed-within`: a duration before now, or a date.
fn moment(text: &[u8]) -> Option<SystemTime> {
    let text = std::str::from_utf8(text).ok()?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let unit = match text[digits..].trim() {
        "s" | "sec" | "second" | "seconds" => Some(1),
        "m" | "min" | "minute" | "minutes" => Some(60),
        "h" | "hour" | "hours" => Some(3600),
        "d" | "day" | "days" => Some(86_400),
        "w" | "week" | "weeks" => Some(604_800),
        "M" | "month" | "months" => Some(2_630_016),
        "y" | "year" | "years" => Some(31_557_600),
        _ => None,
    };
    if let (Some(unit), Ok(count)) = (unit, text[..digits].parse::<u64>()) {
        return SystemTime::now().checked_sub(Duration::from_secs(unit * count));
    }
    let seconds = match text.strip_prefix('@') {
        Some(number) => number.parse().ok()?,
        None => crate::when::local(text)?.seconds,
    };
    let since = Duration::from_secs(u64::try_from(seconds).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

/// Which entries are results.
struct Filter {
    patterns: Vec<Regex>,
    full_path: bool,
    kinds: Vec<char>,
    extensions: Vec<String>,
    sizes: Vec<Size>,
    after: Option<SystemTime>,
    before: Option<SystemTime>,
    least_depth: usize,
}

fn pattern(call: &Call, parsed: &Parsed, text: &[u8]) -> Result<Regex, i32> {
    let text = String::from_utf8_lossy(text).into_owned();
    let source = if parsed.has("g") {
        globset::GlobBuilder::new(&text)
            .literal_separator(true)
            .build()
            .map_err(|error| call.fail(1, error.to_string()))?
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
    built.map_err(|error| call.fail(1, format!("{error}\n\nNote: You can use the '--fixed-strings' option to search for a literal string instead of a regular expression. Alternatively, you can also use the '--glob' option to match on a glob pattern.")))
}

impl Filter {
    fn new(call: &Call, parsed: &Parsed, text: &[u8]) -> Result<Filter, i32> {
        let given = |key: &'static str| {
            parsed
                .options
                .iter()
                .filter(move |(option, _)| *option == key)
                .map(|(_, value)| value.as_slice())
        };
        let invalid = |option: &str, value: &[u8]| {
            call.fail(
                2,
                bytes!("invalid value '", value, "' for '--", option, "'"),
            )
        };
        let mut patterns = vec![pattern(call, parsed, text)?];
        for text in given("and") {
            patterns.push(pattern(call, parsed, text)?);
        }
        let mut kinds = Vec::new();
        for value in given("t") {
            kinds.push(match value {
                b"f" | b"file" => 'f',
                b"d" | b"directory" | b"dir" => 'd',
                b"l" | b"symlink" => 'l',
                b"x" | b"executable" => 'x',
                b"e" | b"empty" => 'e',
                b"p" | b"pipe" => 'p',
                b"s" | b"socket" => 's',
                _ => return Err(invalid("type", value)),
            });
        }
        let mut sizes = Vec::new();
        for value in given("S") {
            sizes.push(size(value).ok_or_else(|| invalid("size", value))?);
        }
        let time = |keys: &[&str]| match parsed.last(keys) {
            None => Ok(None),
            Some(key) => {
                let value = parsed.value(key).unwrap_or_default();
                moment(value).map(Some).ok_or_else(|| invalid(key, value))
            }
        };
        let depth = parsed.value("min-depth").or(parsed.value("exact-depth"));
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
            after: time(&["changed-within", "changed-after", "newer"])?,
            before: time(&["changed-before", "older"])?,
            least_depth: match depth {
                None => 0,
                Some(text) => options::number(text).ok_or_else(|| invalid("min-depth", text))?,
            },
        })
    }

    fn matches(&self, entry: &ignore::DirEntry) -> bool {
        let path = entry.path();
        let name = path.file_name().unwrap_or(path.as_os_str());
        let text = if self.full_path {
            std::path::absolute(path)
                .unwrap_or_else(|_| path.to_path_buf())
                .into_os_string()
        } else {
            name.to_os_string()
        };
        if entry.depth() < self.least_depth
            || !self
                .patterns
                .iter()
                .all(|pattern| pattern.is_match(text.as_encoded_bytes()))
        {
            return false;
        }
        let lower = name.to_string_lossy().to_lowercase();
        let extension = |wanted: &String| {
            lower
                .strip_suffix(wanted.as_str())
                .is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
        };
        if !self.extensions.is_empty() && !self.extensions.iter().any(extension) {
            return false;
        }
        let kinds: Vec<char> = self
            .kinds
            .iter()
            .copied()
            .filter(|kind| !"ex".contains(*kind))
            .collect();
        let Some(kind) = entry.file_type() else {
            return false;
        };
        let is = |wanted: char| match wanted {
            'f' => kind.is_file(),
            'd' => kind.is_dir(),
            'l' => kind.is_symlink(),
            'p' => !kind.is_file() && !kind.is_dir() && !kind.is_symlink(),
            _ => false,
        };
        if !kinds.is_empty() && !kinds.into_iter().any(is) {
            return false;
        }
        if self.kinds.contains(&'x')
            && !(kind.is_file() && system::access(path.as_os_str().as_encoded_bytes(), 1).is_ok())
        {
            return false;
        }
        if self.kinds.contains(&'e') {
            let empty = if kind.is_dir() {
                path.read_dir()
                    .is_ok_and(|mut entries| entries.next().is_none())
            } else {
                kind.is_file() && entry.metadata().is_ok_and(|stat| stat.len() == 0)
            };
            if !empty {
                return false;
            }
        }
        if self.sizes.is_empty() && self.after.is_none() && self.before.is_none() {
            return true;
        }
        let Ok(stat) = entry.metadata() else {
            return false;
        };
        let fits = |limit: &Size| match limit.0 {
            b'+' => stat.len() >= limit.1,
            b'-' => stat.len() <= limit.1,
            _ => stat.len() == limit.1,
        };
        let sized = stat.is_file() && self.sizes.iter().all(fits);
        if !sized && !self.sizes.is_empty() {
            return false;
        }
        let changed = stat.modified().ok();
        self.after
            .is_none_or(|after| changed.is_some_and(|changed| changed > after))
            && self
                .before
                .is_none_or(|before| changed.is_some_and(|changed| changed < before))
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn start(call: &Call) -> Result<i32, i32> {
    let (call, actions) = actions(call)?;
    let call = &call;
    let mut parsed = options::parse(call, &SYNTAX)?;
    let text = if parsed.operands.is_empty() {
        Vec::new()
    } else {
        parsed.operands.remove(0)
    };
    let filter = Filter::new(call, &parsed, &text)?;
    let mut paths = std::mem::take(&mut parsed.operands);
    let given = parsed
        .options
        .iter()
        .filter(|(key, _)| *key == "search-path");
    paths.extend(given.map(|(_, path)| path.clone()));
    let named = !paths.is_empty();
    if !named {
        paths.push(b".".to_vec());
    }
    let base = parsed.value("base-directory").map(<[u8]>::to_vec);
    let mut roots = Vec::new();
    for path in &paths {
        let path = base
            .as_ref()
            .map_or_else(|| path.clone(), |base| system::join(base, path));
        if !system::stat(&path, true).is_ok_and(|stat| stat.kind == system::Kind::Directory) {
            call.fail(1, bytes!("Search path '", path, "' is not a directory."));
            continue;
        }
        roots.push(PathBuf::from(String::from_utf8_lossy(&path).into_owned()));
    }
    let Some(first) = roots.first() else {
        return Err(call.fail(1, "No valid search paths given."));
    };
    let mut walker = WalkBuilder::new(first);
    for root in &roots[1..] {
        walker.add(root);
    }
    let level = parsed.options.iter().filter(|(key, _)| *key == "u").count();
    let ignores = !(parsed.has("I") || level >= 1);
    let vcs = ignores && !parsed.has("no-ignore-vcs");
    let depth = |key: &str| match parsed.value(key) {
        None => Ok(None),
        Some(text) => options::number(text)
            .map(Some)
            .ok_or_else(|| call.fail(2, bytes!("invalid value '", text, "' for '--max-depth'"))),
    };
    let deepest = depth("d")?.or(depth("exact-depth")?);
    let mut overrides = OverrideBuilder::new(".");
    for (_, glob) in parsed.options.iter().filter(|(key, _)| *key == "E") {
        let glob = format!("!{}", String::from_utf8_lossy(glob));
        overrides
            .add(&glob)
            .map_err(|error| call.fail(1, error.to_string()))?;
    }
    let overrides = overrides
        .build()
        .map_err(|error| call.fail(1, error.to_string()))?;
    walker
        .hidden(!(parsed.has("H") || level >= 1))
        .ignore(ignores)
        .git_ignore(vcs)
        .git_global(vcs)
        .git_exclude(vcs)
        .parents(ignores && !parsed.has("no-ignore-parent"))
        .require_git(!parsed.has("no-require-git"))
        .follow_links(parsed.has("L"))
        .max_depth(deepest)
        .overrides(overrides);
    if ignores {
        walker.add_custom_ignore_filename(".fdignore");
    }
    let most = if parsed.has("1") {
        1
    } else {
        match parsed.value("max-results") {
            None => usize::MAX,
            Some(text) => options::number(text).ok_or_else(|| {
                call.fail(2, bytes!("invalid value '", text, "' for '--max-results'"))
            })?,
        }
    };
    let mut status = 0;
    let mut found = Vec::new();
    let mut pruned: Vec<PathBuf> = Vec::new();
    for entry in walker.build() {
        match entry {
            Ok(entry) if entry.depth() == 0 => {}
            Ok(entry) => {
                if pruned.iter().any(|above| entry.path().starts_with(above))
                    || !filter.matches(&entry)
                {
                    continue;
                }
                let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
                if parsed.has("prune") && is_directory {
                    pruned.push(entry.path().to_path_buf());
                }
                found.push((entry.into_path(), is_directory));
                if found.len() >= most {
                    break;
                }
            }
            Err(error) => {
                status = 1;
                if parsed.has("show-errors") {
                    call.fail(1, error.to_string());
                }
            }
        }
    }
    if parsed.has("q") {
        return Ok(i32::from(found.is_empty()));
    }
    found.sort();
    let plain = actions.is_empty() && !parsed.has("0");
    let bare = !named && (plain || parsed.has("strip-cwd-prefix"));
    let base = base.map(|base| PathBuf::from(String::from_utf8_lossy(&base).into_owned()));
    let shown: Vec<(Vec<u8>, bool)> = found
        .iter()
        .map(|(path, is_directory)| {
            let path = base
                .as_ref()
                .and_then(|base| path.strip_prefix(base).ok())
                .unwrap_or(path);
            let path = if parsed.has("a") {
                std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
            } else if bare {
                path.strip_prefix("./").unwrap_or(path).to_path_buf()
            } else {
                path.to_path_buf()
            };
            (path.into_os_string().into_encoded_bytes(), *is_directory)
        })
        .collect();
    if actions.is_empty() {
        let mut out = Output::new();
        let end = if parsed.has("0") { 0 } else { b'\n' };
        for (path, is_directory) in &shown {
            out.put(path);
            if *is_directory && !path.ends_with(b"/") {
                out.put("/");
            }
            out.end_line(end);
        }
        return Ok(out.finish(&call.name, status, 1));
    }
    let paths: Vec<Vec<u8>> = shown.into_iter().map(|(path, _)| path).collect();
    for action in &actions {
        if action.batch {
            if !paths.is_empty() && execute(call, &expand(&action.arguments, &paths)) != 0 {
                status = 1;
            }
            continue;
        }
        for path in &paths {
            if execute(call, &expand(&action.arguments, std::slice::from_ref(path))) != 0 {
                status = 1;
            }
        }
    }
    Ok(status)
}

fn execute(call: &Call, arguments: &[Vec<u8>]) -> i32 {
    match launch::start(call, arguments, &system::environment(), None) {
        Ok(pid) => system::wait(pid).map_or(1, system::Exit::status),
        Err(status) => status,
    }
}

/// The command with its placeholders replaced; without one the paths come last.
fn expand(arguments: &[Vec<u8>], paths: &[Vec<u8>]) -> Vec<Vec<u8>> {
    const MARKS: [&[u8]; 5] = [b"{//}", b"{/.}", b"{.}", b"{/}", b"{}"];
    let mut out = Vec::new();
    let mut some = false;
    for argument in arguments {
        if !MARKS
            .iter()
            .any(|mark| memchr::memmem::find(argument, mark).is_some())
        {
            out.push(argument.clone());
            continue;
        }
        some = true;
        for path in paths {
            let mut text = Vec::new();
            let mut rest = argument.as_slice();
            while !rest.is_empty() {
                match MARKS.iter().find(|mark| rest.starts_with(mark)) {
                    Some(mark) => {
                        text.extend_from_slice(&part(path, mark));
                        rest = &rest[mark.len()..];
                    }
                    None => {
                        text.push(rest[0]);
                        rest = &rest[1..];
                    }
                }
            }
            out.push(text);
        }
    }
    if !some {
        out.extend(paths.iter().cloned());
    }
    out
}

/// The part of a path that a placeholder stands for.
fn part(path: &[u8], mark: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(path).into_owned();
    let path = Path::new(&text);
    let name = path.file_name().unwrap_or_default();
    let found = match mark {
        b"{}" => return text.into_bytes(),
        b"{/}" => name.to_os_string(),
        b"{//}" => match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => ".".into(),
            Some(parent) => parent.as_os_str().to_os_string(),
            None => "/".into(),
        },
        b"{.}" => {
            let path = path.strip_prefix("./").unwrap_or(path);
            path.with_extension("").into_os_string()
        }
        _ => Path::new(name).with_extension("").into_os_string(),
    };
    found.into_encoded_bytes()
}
