//! The command line of `curl`.

use crate::network::options::{self, Flag, Item, Mistake, flag, value};
use std::time::Duration;

/// What `curl --help` prints.
pub(super) const HELP: &str = crate::no_network::CURL_HELP;

const TABLE: &[Flag] = &[
    flag("#", "progress-bar"),
    value("A", "user-agent"),
    value("D", "dump-header"),
    value("F", "form"),
    flag("G", "get"),
    value("H", "header"),
    flag("I", "head"),
    flag("L", "location"),
    flag("N", "no-buffer"),
    flag("O", "remote-name"),
    flag("R", "remote-time"),
    flag("S", "show-error"),
    value("T", "upload-file"),
    flag("V", "version"),
    value("X", "request"),
    value("b", "cookie"),
    flag("", "compressed"),
    value("", "connect-timeout"),
    flag("", "create-dirs"),
    value("d", "data"),
    value("", "data-ascii"),
    value("", "data-binary"),
    value("", "data-raw"),
    value("", "data-urlencode"),
    value("e", "referer"),
    flag("f", "fail"),
    flag("", "fail-early"),
    flag("", "fail-with-body"),
    value("", "form-string"),
    flag("g", "globoff"),
    flag("h", "help"),
    flag("", "http1.1"),
    flag("", "http2"),
    flag("i", "include"),
    flag("4", "ipv4"),
    flag("6", "ipv6"),
    value("", "json"),
    flag("", "location-trusted"),
    value("", "max-filesize"),
    value("", "max-redirs"),
    value("m", "max-time"),
    flag("", "no-progress-meter"),
    value("o", "output"),
    value("", "output-dir"),
    flag("", "post301"),
    flag("", "post302"),
    flag("", "post303"),
    value("r", "range"),
    value("", "retry"),
    flag("", "retry-all-errors"),
    flag("", "retry-connrefused"),
    value("", "retry-delay"),
    value("", "retry-max-time"),
    flag("s", "silent"),
    flag("", "ssl-reqd"),
    flag("", "tlsv1.2"),
    flag("", "tlsv1.3"),
    value("", "url"),
    value("u", "user"),
    flag("v", "verbose"),
    value("w", "write-out"),
    flag("q", "disable"),
];

/// A piece of a body, before files are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Data {
    /// `--data`: `@file` without its line ends.
    Text(String),
    /// `--data-binary`: `@file` as it is.
    Binary(String),
    /// `--data-raw`: `@` means nothing.
    Raw(String),
    /// `--data-urlencode`.
    Encoded(String),
    /// `--json`: pieces are joined without `&`.
    Json(String),
}

/// What a command line asks for.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) urls: Vec<String>,
    /// One for each URL, in order; `-O` is none.
    pub(super) outputs: Vec<Option<String>>,
    pub(super) output_directory: Option<String>,
    pub(super) create_directories: bool,
    pub(super) method: Option<String>,
    pub(super) headers: Vec<String>,
    pub(super) data: Vec<Data>,
    /// A field, and whether `@` means nothing in it.
    pub(super) form: Vec<(String, bool)>,
    pub(super) upload: Option<String>,
    pub(super) get: bool,
    pub(super) head: bool,
    pub(super) include: bool,
    pub(super) dump_header: Option<String>,
    pub(super) fail: bool,
    pub(super) fail_with_body: bool,
    pub(super) follow: bool,
    pub(super) redirects: Option<usize>,
    pub(super) keep_post: [bool; 3],
    pub(super) trusted: bool,
    pub(super) silent: bool,
    pub(super) show_error: bool,
    pub(super) verbose: bool,
    pub(super) max_time: Option<Duration>,
    pub(super) max_size: Option<u64>,
    pub(super) retries: u32,
    pub(super) retry_delay: Option<Duration>,
    pub(super) retry_all: bool,
    pub(super) retry_refused: bool,
    pub(super) user: Option<String>,
    pub(super) write_out: Option<String>,
    pub(super) globbing_off: bool,
    pub(super) help: bool,
    pub(super) version: bool,
}

/// Reads the words after the command's name.
///
/// # Errors
/// The line to print, without `curl: `.
pub(super) fn read(words: &[String]) -> Result<Arguments, String> {
    let items = options::parse(TABLE, words).map_err(|mistake| match mistake {
        Mistake::Unknown(name) => {
            format!("option {name}: is unknown or not supported in this sandbox")
        }
        Mistake::NoValue(name) => format!("option {name}: requires parameter"),
    })?;
    let mut arguments = Arguments::default();
    for item in items {
        match item {
            Item::Operand(url) => arguments.urls.push(url),
            Item::Option(name, value) => arguments.set(name, value)?,
        }
    }
    Ok(arguments)
}

impl Arguments {
    fn set(&mut self, name: &'static str, value: String) -> Result<(), String> {
        match name {
            "url" => self.urls.push(value),
            "output" => self.outputs.push(Some(value)),
            "remote-name" => self.outputs.push(None),
            "output-dir" => self.output_directory = Some(value),
            "create-dirs" => self.create_directories = true,
            "request" => self.method = Some(value),
            "head" => self.head = true,
            "get" => self.get = true,
            "upload-file" => self.upload = Some(value),
            "user" => self.user = Some(value),
            "write-out" => self.write_out = Some(value),
            "globoff" => self.globbing_off = true,
            "help" => self.help = true,
            "version" => self.version = true,
            _ if self.set_content(name, &value) => {}
            _ => return self.set_behaviour(name, value),
        }
        Ok(())
    }

    /// Whether it was an option about headers or the body.
    fn set_content(&mut self, name: &str, value: &str) -> bool {
        let value = value.to_owned();
        match name {
            "header" => self.headers.push(value),
            "user-agent" => self.headers.push(format!("User-Agent: {value}")),
            "referer" => self.headers.push(format!("Referer: {value}")),
            "cookie" => self.headers.push(format!("Cookie: {value}")),
            "range" => self.headers.push(format!("Range: bytes={value}")),
            "data" | "data-ascii" => self.data.push(Data::Text(value)),
            "data-binary" => self.data.push(Data::Binary(value)),
            "data-raw" => self.data.push(Data::Raw(value)),
            "data-urlencode" => self.data.push(Data::Encoded(value)),
            "json" => self.data.push(Data::Json(value)),
            "form" => self.form.push((value, false)),
            "form-string" => self.form.push((value, true)),
            _ => return false,
        }
        true
    }

    fn set_behaviour(&mut self, name: &'static str, value: String) -> Result<(), String> {
        match name {
            "include" => self.include = true,
            "dump-header" => self.dump_header = Some(value),
            "fail" => self.fail = true,
            "fail-with-body" => self.fail_with_body = true,
            "location" => self.follow = true,
            "location-trusted" => (self.follow, self.trusted) = (true, true),
            "max-redirs" => self.redirects = most(&value),
            "post301" => self.keep_post[0] = true,
            "post302" => self.keep_post[1] = true,
            "post303" => self.keep_post[2] = true,
            "silent" => self.silent = true,
            "show-error" => self.show_error = true,
            "verbose" => self.verbose = true,
            "max-time" => self.max_time = Some(seconds(name, &value)?),
            "max-filesize" => self.max_size = Some(number(name, &value)?),
            "retry" => self.retries = u32::try_from(number(name, &value)?).unwrap_or(u32::MAX),
            "retry-delay" => self.retry_delay = Some(seconds(name, &value)?),
            "retry-all-errors" => self.retry_all = true,
            "retry-connrefused" => self.retry_refused = true,
            // What the policy or the sandbox decides, or what shows nothing here.
            _ => {}
        }
        Ok(())
    }

    /// Whether errors are shown.
    pub(super) fn complains(&self) -> bool {
        !self.silent || self.show_error
    }
}

/// A negative number is no limit.
fn most(text: &str) -> Option<usize> {
    text.parse()
        .ok()
        .or(text.starts_with('-').then_some(usize::MAX))
}

fn number(name: &str, text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("option --{name}: expected a proper numerical parameter"))
}

fn seconds(name: &str, text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("option --{name}: expected a proper numerical parameter"))
}
