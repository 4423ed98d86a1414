//! Searches the files and prints what matches, with the printers of the crate `grep-printer`.
//!
//! Each file's output is gathered in a buffer of its own and written when the file is done, so that messages stand
//! between files.

use std::path::Path;
use std::time::Instant;

use grep_printer::{
    ColorSpecs, JSON, JSONBuilder, PathPrinterBuilder, Standard, StandardBuilder, Stats, Summary,
    SummaryBuilder, SummaryKind, UserColorSpec, default_color_specs,
};
use grep_searcher::{BinaryDetection, Encoding, MmapChoice, Searcher, SearcherBuilder, Sink};
use ignore::WalkState;
use termcolor::Buffer;

use super::engine::Engine;
use super::{fail, number, walk};
use crate::call::bytes;
use crate::options::Parsed;
use crate::output::Output;
use crate::system::{self, Kind};

/// How matches are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Lines, with their context.
    Standard,
    /// Messages of `--json`, one a line.
    Json,
    /// One line for each file: `-c`, `--count-matches`, `-l`, `--files-without-match`; none with `-q`.
    Summary(SummaryKind),
}

/// The style that the last of its options asks for; `-q` outranks them. `-c` with `-o` counts matches.
fn style(parsed: &Parsed) -> Style {
    let only = parsed.has("o");
    let kind = match parsed.last(&["c", "count-matches", "l", "files-without-match", "json"]) {
        _ if parsed.has("q") => SummaryKind::QuietWithMatch,
        Some("json") => return Style::Json,
        Some("l") => SummaryKind::PathWithMatch,
        Some("files-without-match") => SummaryKind::PathWithoutMatch,
        Some("count-matches") => SummaryKind::CountMatches,
        Some(_) if only => SummaryKind::CountMatches,
        Some(_) => SummaryKind::Count,
        None => return Style::Standard,
    };
    Style::Summary(kind)
}

/// A text of the command line with `\n`, `\r`, `\t`, `\0`, `\\` and `\xHH`. Other backslashes are themselves.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let hex = text
            .get(at + 2..at + 4)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let hex = hex.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (byte, length) = match (&text[at..], hex) {
            ([b'\\', b'x', ..], Some(byte)) => (byte, 4),
            ([b'\\', b'n', ..], _) => (b'\n', 2),
            ([b'\\', b't', ..], _) => (b'\t', 2),
            ([b'\\', b'r', ..], _) => (b'\r', 2),
            ([b'\\', b'0', ..], _) => (0, 2),
            ([b'\\', b'\\', ..], _) => (b'\\', 2),
            ([byte, ..], _) => (*byte, 1),
            ([], _) => break,
        };
        out.push(byte);
        at += length;
    }
    out
}

/// Whether the environment lets colours be: `NO_COLOR` is unset, and `TERM` is set and not `dumb`.
fn may_color() -> bool {
    let variable = |name: &str| std::env::var_os(name);
    variable("NO_COLOR").is_none() && variable("TERM").is_some_and(|term| term != "dumb")
}

/// What the options say about output.
struct Search<'a> {
    parsed: &'a Parsed,
    style: Style,
    color: bool,
    colors: ColorSpecs,
    /// Names stand before the matches.
    names: bool,
    /// A file's name stands once above its matches.
    heading: bool,
    /// The column of the first match stands before a line.
    column: bool,
    /// Lines before and after.
    context: (usize, usize),
    /// Longer lines are not shown; none where there is no limit.
    max_columns: Option<u64>,
}

impl<'a> Search<'a> {
    /// Reads the options. `several` is whether more than one file may be searched, which puts names before matches.
    ///
    /// # Errors
    /// Status 2 after a message.
    fn new(parsed: &'a Parsed, several: bool) -> Result<Search<'a>, i32> {
        let terminal = system::is_terminal(1);
        let pretty = parsed.has("p");
        let color = match parsed.value("color") {
            None | Some(b"auto") => (terminal || pretty) && may_color(),
            Some(b"always" | b"ansi") => true,
            Some(b"never") => false,
            Some(other) => {
                let values = "[possible values: always, ansi, auto, never]";
                let what = bytes!(
                    "error: '",
                    other,
                    "' isn't a valid value for '--color <WHEN>'"
                );
                return Err(fail(bytes!(what, "\n\t", values, "\n")));
            }
        };
        // The colour of paths is another one on each system; this is Linux's.
        let mut specs = default_color_specs();
        specs.extend("path:fg:magenta".parse::<UserColorSpec>());
        for (_, text) in parsed.options.iter().filter(|(key, _)| *key == "colors") {
            let spec: UserColorSpec = String::from_utf8_lossy(text)
                .parse()
                .map_err(|error: grep_printer::ColorError| fail(error.to_string()))?;
            specs.push(spec);
        }
        if let Some(text) = parsed.value("path-separator") {
            let length = unescape(text).len();
            if length > 1 {
                let hint =
                    "In some shells on Windows '/' is automatically expanded. Use '//' instead.";
                let what = format!(
                    "A path separator must be exactly one byte, but the given separator is {length} bytes: "
                );
                return Err(fail(bytes!(what, text, "\n", hint)));
            }
        }
        let threads = parsed.value("j").map(crate::options::number::<usize>);
        if threads == Some(None) {
            return Err(fail("invalid digit found in string"));
        }
        let context: usize = number(parsed, "C", "context")?.unwrap_or(0);
        let after = number(parsed, "A", "after-context")?.unwrap_or(context);
        let before = number(parsed, "B", "before-context")?.unwrap_or(context);
        let vimgrep = parsed.has("vimgrep");
        let names = match parsed.last(&["H", "I"]) {
            Some(key) => key == "H",
            None => several || vimgrep,
        };
        let heading = match parsed.last(&["heading", "no-heading"]) {
            _ if vimgrep => false,
            Some(key) => key == "heading",
            None => terminal || pretty,
        };
        let column = match parsed.last(&["column", "no-column"]) {
            Some(key) => key == "column",
            None => vimgrep,
        };
        Ok(Search {
            parsed,
            style: style(parsed),
            color,
            colors: ColorSpecs::new(&specs),
            names,
            heading,
            column,
            context: (before, after),
            max_columns: number(parsed, "M", "max-columns")?.filter(|limit| *limit > 0),
        })
    }

    /// The searcher: context, line numbers, limits and encoding. Line numbers are on for terminals, columns and JSON.
    fn searcher(&self) -> Result<Searcher, i32> {
        let parsed = self.parsed;
        let pretty = parsed.has("p") || system::is_terminal(1);
        let lines = match parsed.last(&["n", "N"]) {
            Some(key) => key == "n",
            None => pretty || self.column || parsed.has("vimgrep") || self.style == Style::Json,
        };
        let mut builder = SearcherBuilder::new();
        builder
            .invert_match(parsed.has("v"))
            .line_number(lines)
            .multi_line(parsed.last(&["U", "no-multiline"]) == Some("U"))
            .before_context(self.context.0)
            .after_context(self.context.1)
            .passthru(parsed.has("passthru") || parsed.has("passthrough"))
            .max_matches(number(parsed, "m", "max-count")?)
            .memory_map(MmapChoice::never());
        if parsed.has("null-data") {
            builder.line_terminator(grep_matcher::LineTerminator::byte(0));
        } else if parsed.has("crlf") {
            builder.line_terminator(grep_matcher::LineTerminator::crlf());
        }
        match parsed.value("E") {
            None | Some(b"auto") => {}
            Some(b"none") => drop(builder.bom_sniffing(false)),
            Some(name) => {
                let encoding = Encoding::new(&String::from_utf8_lossy(name))
                    .map_err(|error| fail(error.to_string()))?;
                builder.encoding(Some(encoding));
            }
        }
        Ok(builder.build())
    }

    /// What is done about a NUL byte: a file that was found by walking is left there, one that was named goes on as
    /// text until it matches. `-a` and `--null-data` search everything; `--binary` and `-uuu` treat all files as named.
    fn binary(&self, named: bool) -> BinaryDetection {
        let level = self
            .parsed
            .options
            .iter()
            .filter(|(key, _)| *key == "u")
            .count();
        if self.parsed.has("a") || self.parsed.has("null-data") {
            BinaryDetection::none()
        } else if named || self.parsed.has("binary") || level >= 3 {
            BinaryDetection::convert(0)
        } else {
            BinaryDetection::quit(0)
        }
    }

    /// The printer of lines.
    fn standard(&self) -> StandardBuilder {
        let parsed = self.parsed;
        let bytes = |key: &str| parsed.value(key).map(unescape);
        let mut builder = StandardBuilder::new();
        builder
            .color_specs(self.colors.clone())
            .stats(parsed.has("stats"))
            .heading(self.heading)
            .path(self.names)
            .only_matching(parsed.has("o"))
            .per_match(parsed.has("vimgrep"))
            .per_match_one_line(true)
            .replacement(parsed.value("r").map(<[u8]>::to_vec))
            .max_columns(self.max_columns)
            .max_columns_preview(parsed.has("max-columns-preview"))
            .column(self.column)
            .byte_offset(parsed.has("b"))
            .trim_ascii(parsed.has("trim"))
            .separator_field_match(bytes("field-match-separator").unwrap_or_else(|| b":".to_vec()))
            .separator_field_context(
                bytes("field-context-separator").unwrap_or_else(|| b"-".to_vec()),
            )
            .separator_path(self.path_separator())
            .path_terminator(self.path_end());
        let separator = if parsed.has("no-context-separator") {
            None
        } else {
            Some(bytes("context-separator").unwrap_or_else(|| b"--".to_vec()))
        };
        builder.separator_context(separator.clone());
        // Between the results of two files stands what stands between two groups of context.
        let between = if self.heading {
            Some(Vec::new())
        } else if self.context != (0, 0) {
            separator
        } else {
            None
        };
        builder.separator_search(between);
        builder
    }

    /// The byte of `--path-separator`, if it has one.
    fn path_separator(&self) -> Option<u8> {
        let text = self.parsed.value("path-separator").map(unescape);
        text.and_then(|text| text.first().copied())
    }

    /// With `-0` a NUL follows each path.
    fn path_end(&self) -> Option<u8> {
        self.parsed.has("0").then_some(0)
    }

    /// A buffer that keeps or drops colours.
    fn buffer(&self) -> Buffer {
        if self.color {
            Buffer::ansi()
        } else {
            Buffer::no_color()
        }
    }
}

/// The printer of a style.
enum Printer {
    Standard(Standard<Buffer>),
    Json(JSON<Vec<u8>>),
    Summary(Summary<Buffer>),
}

/// What the search of one file gave.
struct Searched {
    /// An error of reading it; what matched before was printed.
    result: std::io::Result<()>,
    /// Something matched.
    has_match: bool,
}

impl Printer {
    fn new(search: &Search) -> Printer {
        let parsed = search.parsed;
        let kind = match search.style {
            Style::Standard => return Printer::Standard(search.standard().build(search.buffer())),
            Style::Json => {
                let mut builder = JSONBuilder::new();
                builder
                    .always_begin_end(false)
                    .replacement(parsed.value("r").map(<[u8]>::to_vec));
                return Printer::Json(builder.build(Vec::new()));
            }
            Style::Summary(kind) => kind,
        };
        let by_path = matches!(
            kind,
            SummaryKind::PathWithMatch | SummaryKind::PathWithoutMatch
        );
        let mut builder = SummaryBuilder::new();
        builder
            .kind(kind)
            .color_specs(search.colors.clone())
            .stats(parsed.has("stats"))
            .path(search.names || by_path)
            .exclude_zero(!parsed.has("include-zero"))
            .separator_path(search.path_separator())
            .path_terminator(search.path_end());
        Printer::Summary(builder.build(search.buffer()))
    }

    /// Searches one file, which is called `shown`, prints into the buffer, and adds to the figures.
    fn search(
        &mut self,
        searcher: &mut Searcher,
        matcher: &Engine,
        found: &walk::Found,
        shown: &Path,
        stats: &mut Stats,
    ) -> Searched {
        let (result, has_match, counted) = match self {
            Printer::Standard(printer) => {
                let mut sink = printer.sink_with_path(matcher, shown);
                let result = feed(searcher, matcher, found, &mut sink);
                (result, sink.has_match(), sink.stats().cloned())
            }
            Printer::Json(printer) => {
                let mut sink = printer.sink_with_path(matcher, shown);
                let result = feed(searcher, matcher, found, &mut sink);
                (result, sink.has_match(), Some(sink.stats().clone()))
            }
            Printer::Summary(printer) => {
                let mut sink = printer.sink_with_path(matcher, shown);
                let result = feed(searcher, matcher, found, &mut sink);
                (result, sink.has_match(), sink.stats().cloned())
            }
        };
        if let Some(counted) = &counted {
            *stats += counted;
        }
        Searched { result, has_match }
    }

    /// Writes what is in the buffer, and empties it.
    fn flush(&mut self, out: &mut Output) {
        match self {
            Printer::Standard(printer) => {
                out.put(printer.get_mut().as_slice());
                printer.get_mut().clear();
            }
            Printer::Json(printer) => {
                out.put(printer.get_mut().as_slice());
                printer.get_mut().clear();
            }
            Printer::Summary(printer) => {
                out.put(printer.get_mut().as_slice());
                printer.get_mut().clear();
            }
        }
    }
}

/// Gives the matches of a file, or of standard input, to a sink.
fn feed(
    searcher: &mut Searcher,
    matcher: &Engine,
    found: &walk::Found,
    sink: impl Sink<Error = std::io::Error>,
) -> std::io::Result<()> {
    if found.is_input {
        searcher.search_reader(matcher, crate::stream::stdin().lock(), sink)
    } else {
        searcher.search_path(matcher, &found.path, sink)
    }
}

/// Searches the files below `paths` and prints. `given` is whether the command line named paths; otherwise they are
/// shown without `./`, and it is an error where no file was searched at all.
///
/// The status is 0 where something matched, 1 where nothing did, 2 after an error; with `-q` a match outweighs errors.
/// `-q` stops at the first match unless figures are wanted.
pub fn run(parsed: &Parsed, paths: &[Vec<u8>], given: bool, matcher: &Engine) -> Result<i32, i32> {
    let started = Instant::now();
    let single = match paths {
        [path] => {
            path == b"-" || system::stat(path, true).is_ok_and(|stat| stat.kind != Kind::Directory)
        }
        _ => false,
    };
    let search = Search::new(parsed, !single)?;
    let mut searcher = search.searcher()?;
    let mut out = Output::new();
    let (mut matched, mut failed, mut searched) = (false, false, false);
    let mut stats = Stats::new();
    let keeps_stats = parsed.has("stats") || search.style == Style::Json;
    let mut printer = Printer::new(&search);
    let walked = walk::files(parsed, paths, |found| {
        searched = true;
        searcher.set_binary_detection(search.binary(found.named));
        let bare = found.path.strip_prefix("./").ok().filter(|_| !given);
        let shown = match (found.is_input, bare) {
            (true, _) => Path::new("<stdin>"),
            (false, Some(bare)) => bare,
            (false, None) => found.path.as_path(),
        };
        let one = printer.search(&mut searcher, matcher, &found, shown, &mut stats);
        printer.flush(&mut out);
        matched |= one.has_match;
        if let Err(error) = one.result {
            failed = true;
            if !parsed.has("no-messages") {
                out.flush();
                fail(format!("{}: {error}", shown.display()));
            }
        }
        let enough = parsed.has("q") && matched && !keeps_stats;
        if enough || out.is_broken() {
            WalkState::Quit
        } else {
            WalkState::Continue
        }
    })?;
    failed |= walked;
    if !searched && !given && !parsed.has("no-messages") {
        failed = true;
        fail(
            "No files were searched, which means ripgrep probably applied a filter you didn't expect.",
        );
    }
    if search.style == Style::Json {
        out.line(json_summary(&stats, started));
    } else if parsed.has("stats") {
        out.put(stats_text(&stats, started));
    }
    let status = match (matched, failed) {
        (true, true) if parsed.has("q") => 0,
        (_, true) => 2,
        (true, false) => 0,
        (false, false) => 1,
    };
    Ok(out.finish("rg", status, 2))
}

/// The last message of `--json`: the figures of all files. `elapsed_total` also has the time outside searches.
fn json_summary(stats: &Stats, started: Instant) -> String {
    let time = |duration: std::time::Duration| {
        format!(
            "{{\"secs\":{},\"nanos\":{},\"human\":\"{:.6}s\"}}",
            duration.as_secs(),
            duration.subsec_nanos(),
            duration.as_secs_f64()
        )
    };
    format!(
        "{{\"data\":{{\"elapsed_total\":{},\"stats\":{{\"bytes_printed\":{},\"bytes_searched\":{},\"elapsed\":{},\"matched_lines\":{},\"matches\":{},\"searches\":{},\"searches_with_match\":{}}}}},\"type\":\"summary\"}}",
        time(started.elapsed()),
        stats.bytes_printed(),
        stats.bytes_searched(),
        time(stats.elapsed()),
        stats.matched_lines(),
        stats.matches(),
        stats.searches(),
        stats.searches_with_match()
    )
}

/// The figures of `--stats`.
fn stats_text(stats: &Stats, started: Instant) -> String {
    format!(
        "\n{} matches\n{} matched lines\n{} files contained matches\n{} files searched\n{} bytes printed\n{} bytes searched\n{:.6} seconds spent searching\n{:.6} seconds\n",
        stats.matches(),
        stats.matched_lines(),
        stats.searches_with_match(),
        stats.searches(),
        stats.bytes_printed(),
        stats.bytes_searched(),
        stats.elapsed().as_secs_f64(),
        started.elapsed().as_secs_f64()
    )
}

/// `rg --files`: prints the files that would be searched; 1 where there are none.
pub fn list(parsed: &Parsed, paths: &[Vec<u8>], given: bool) -> Result<i32, i32> {
    let search = Search::new(parsed, true)?;
    let mut out = Output::new();
    let end = search.path_end().unwrap_or(b'\n');
    let mut builder = PathPrinterBuilder::new();
    builder
        .color_specs(search.colors.clone())
        .separator(search.path_separator())
        .terminator(end);
    let mut some = false;
    let failed = walk::files(parsed, paths, |found| {
        some = true;
        if parsed.has("q") {
            return WalkState::Quit;
        }
        let bare = found.path.strip_prefix("./").ok().filter(|_| !given);
        let mut buffer = search.buffer();
        // A buffer takes everything.
        let _ = builder
            .build(&mut buffer)
            .write(bare.unwrap_or(&found.path));
        out.put(buffer.as_slice());
        if out.is_broken() {
            WalkState::Quit
        } else {
            WalkState::Continue
        }
    })?;
    let status = match (failed, some) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    };
    Ok(out.finish("rg", status, 2))
}
