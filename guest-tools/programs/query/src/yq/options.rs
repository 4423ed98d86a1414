//! The command line of `yq`.
//!
//! The first operand may be a command (`eval`, `e`, `eval-all`, `ea`). The next is the expression, unless an option
//! gives one or a file of that name exists, and the others are files. Formats are taken from the first file's name
//! where no option says them.

use super::formats::{Format, Layout};
use super::parse::{self, Expression};
use crate::call::Call;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::stream::eprintln;
use crate::stream::println;
use crate::system;

/// What the command line asks for.
pub struct Options {
    /// The expression's text; `.` where there is none.
    pub expression: String,
    /// The files; `-` is standard input. Empty only with `-n`.
    pub files: Vec<Vec<u8>>,
    /// All documents are seen at once (`eval-all`).
    pub all: bool,
    /// The expression is run once, on a null (`-n`).
    pub null_input: bool,
    /// The result goes into the first file (`-i`).
    pub in_place: bool,
    /// All styles are taken off (`-P`).
    pub pretty: bool,
    /// `---` stands between documents; `-N` turns it off.
    pub separators: bool,
    /// The status is 1 where no result was true (`-e`).
    pub exit_status: bool,
    /// Results end with a NUL byte (`-0`).
    pub nul: bool,
    /// The format that is read.
    pub input: Format,
    /// The format that is written.
    pub output: Format,
    /// The details of both formats.
    pub layout: Layout,
    /// Names the file that each result is written to (`-s`).
    pub split: Option<Expression>,
    /// `extract` or `process` (`-f`).
    pub front_matter: Option<String>,
    /// Expressions may read the environment.
    pub env: bool,
    /// Expressions may read files.
    pub file: bool,
}

/// The options; the text is that of `--help`.
const SYNTAX: Syntax = Syntax {
    usage: "Usage: yq [eval|eval-all] [flags] [expression] [file]...\n\
Read, change and convert YAML, JSON, XML, TOML, properties, CSV and TSV (mikefarah's language).\n\n\
  -p, --input-format string    yaml|json|props|csv|tsv|xml|toml|base64|uri (default: by the file's name)\n\
  -o, --output-format string   yaml|json|props|csv|tsv|xml|toml|base64|uri|sh|shell\n\
  -i, --inplace                write the result to the first file\n\
  -n, --null-input             create a document instead of reading one\n\
  -r, --unwrapScalar           print strings without quotes (default for yaml)\n\
  -I, --indent int             spaces a level (default 2)\n\
  -P, --prettyPrint            take all styles off\n\
  -N, --no-doc                 no --- between documents\n\
  -e, --exit-status            status 1 where nothing, null or false was found\n\
  -s, --split-exp string       write each result to the file that the expression names\n\
  -0, --nul-output             NUL instead of newline\n\
  -f, --front-matter string    extract|process the front matter of a file\n\
      --expression string, --from-file string\n\
      --csv-auto-parse, --tsv-auto-parse, --csv-separator, --tsv-separator\n\
      --properties-separator, --properties-array-brackets, --shell-key-separator\n\
      --xml-attribute-prefix, --xml-content-name, --xml-proc-inst-prefix, --xml-directive-name\n\
  -c, --yaml-compact-seq-indent\n\
  -V, --version\n",
    options: &[
        Opt("p", "input-format", Value::Required),
        Opt("o", "output-format", Value::Required),
        Opt("i", "inplace", Value::No),
        Opt("n", "null-input", Value::No),
        Opt("r", "unwrapScalar", Value::Optional),
        Opt("I", "indent", Value::Required),
        Opt("P", "prettyPrint", Value::No),
        Opt("N", "no-doc", Value::No),
        Opt("e", "exit-status", Value::No),
        Opt("s", "split-exp", Value::Required),
        Opt("0", "nul-output", Value::No),
        Opt("f", "front-matter", Value::Required),
        Opt("j", "tojson", Value::No),
        Opt("M", "no-colors", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("V", "", Value::No),
        Opt("c", "yaml-compact-seq-indent", Value::No),
        Opt("", "expression", Value::Required),
        Opt("", "from-file", Value::Required),
        Opt("", "header-preprocess", Value::Optional),
        Opt("", "csv-auto-parse", Value::Optional),
        Opt("", "tsv-auto-parse", Value::Optional),
        Opt("", "csv-separator", Value::Required),
        Opt("", "tsv-separator", Value::Required),
        Opt("", "properties-separator", Value::Required),
        Opt("", "properties-array-brackets", Value::Optional),
        Opt("", "shell-key-separator", Value::Required),
        Opt("", "xml-attribute-prefix", Value::Required),
        Opt("", "xml-content-name", Value::Required),
        Opt("", "xml-proc-inst-prefix", Value::Required),
        Opt("", "xml-directive-name", Value::Required),
        Opt("", "security-disable-env-ops", Value::Optional),
        Opt("", "security-disable-file-ops", Value::Optional),
    ],
    permute: true,
    status: 1,
};

/// The value of an option, without the `=` of `-o=json`.
fn text(parsed: &Parsed, key: &str) -> Option<String> {
    let value = parsed.value(key)?;
    let value = value.strip_prefix(b"=").unwrap_or(value);
    Some(String::from_utf8_lossy(value).into_owned())
}

/// A switch that may be given as `--name=false`.
fn switch(parsed: &Parsed, key: &str, default: bool) -> bool {
    match text(parsed, key) {
        None => default,
        Some(value) => value != "false",
    }
}

/// Reports a mistake; the exit status is 1.
fn refuse(message: &str) -> i32 {
    eprintln!("Error: {message}");
    1
}

impl Options {
    /// Reads the command line; `Err` is the status to end with.
    pub fn read(call: &Call) -> Result<Options, i32> {
        let parsed = options::parse(call, &SYNTAX)?;
        if parsed.has("V") {
            println!("yq (offshoot) version v4.{}", env!("CARGO_PKG_VERSION"));
            return Err(0);
        }
        let mut operands = parsed.operands.clone();
        let mut all = false;
        if let Some(first) = operands.first() {
            let command = matches!(first.as_slice(), b"eval" | b"e" | b"eval-all" | b"ea");
            if command {
                all = first.starts_with(b"eval-") || first == b"ea";
                operands.remove(0);
            }
        }
        let expression = expression(&parsed, &mut operands)?;
        if operands.is_empty() && !parsed.has("n") {
            operands.push(b"-".to_vec());
        }
        let first = operands
            .first()
            .map(|file| String::from_utf8_lossy(file).into_owned());
        let (input, output) =
            formats(&parsed, first.as_deref()).map_err(|message| refuse(&message))?;
        if parsed.has("i") && (first.is_none() || first.as_deref() == Some("-")) {
            return Err(refuse(
                "write in place flag only applicable when giving an expression and at least one file",
            ));
        }
        let split =
            match text(&parsed, "s") {
                Some(name) => Some(parse::parse(&name).map_err(|message| {
                    refuse(&format!("bad split document expression: {message}"))
                })?),
                None => None,
            };
        Ok(Options {
            expression,
            files: operands,
            all,
            null_input: parsed.has("n"),
            in_place: parsed.has("i"),
            pretty: parsed.has("P"),
            separators: !parsed.has("N"),
            exit_status: parsed.has("e"),
            nul: parsed.has("0"),
            input,
            output,
            layout: layout(&parsed, input, output).map_err(|message| refuse(&message))?,
            split,
            front_matter: text(&parsed, "f"),
            env: !switch(&parsed, "security-disable-env-ops", false),
            file: !switch(&parsed, "security-disable-file-ops", false),
        })
    }
}

/// The expression: of an option, or the first operand that is no file.
fn expression(parsed: &Parsed, operands: &mut Vec<Vec<u8>>) -> Result<String, i32> {
    if let Some(expression) = text(parsed, "expression") {
        return Ok(expression);
    }
    if let Some(file) = text(parsed, "from-file") {
        let bytes = system::read_whole(file.as_bytes()).map_err(|failure| {
            refuse(&format!(
                "open {file}: {}",
                failure.0.to_string().to_lowercase()
            ))
        })?;
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    let is_file = |operand: &[u8]| {
        operand == b"-"
            || system::stat(operand, true).is_ok_and(|stat| stat.kind != system::Kind::Directory)
    };
    match operands.first() {
        Some(first) if !is_file(first) => {
            Ok(String::from_utf8_lossy(&operands.remove(0)).into_owned())
        }
        _ => Ok(".".to_owned()),
    }
}

/// The formats of input and output. With `-p` given, the output is YAML unless `-o` says otherwise.
fn formats(parsed: &Parsed, file: Option<&str>) -> Result<(Format, Format), String> {
    let by_name = file.and_then(Format::of_file);
    let input = match text(parsed, "p").as_deref() {
        None | Some("auto" | "a") => by_name.unwrap_or(Format::Yaml),
        Some(name) => Format::named(name)?,
    };
    let output = match text(parsed, "o").as_deref() {
        _ if parsed.has("j") => Format::Json,
        None | Some("auto" | "a") => match (parsed.has("p"), by_name) {
            (false, Some(format)) => format,
            _ => Format::Yaml,
        },
        Some(name) => Format::named(name)?,
    };
    Ok((input, output))
}

/// The details of formats that options set.
fn layout(parsed: &Parsed, input: Format, output: Format) -> Result<Layout, String> {
    let mut layout = Layout {
        compact_lists: parsed.has("c"),
        unwrap: switch(parsed, "r", output != Format::Json),
        auto_parse: if input == Format::Tsv {
            switch(parsed, "tsv-auto-parse", true)
        } else {
            switch(parsed, "csv-auto-parse", true)
        },
        brackets: switch(parsed, "properties-array-brackets", false),
        ..Layout::default()
    };
    if let Some(indent) = text(parsed, "I") {
        layout.indent = indent
            .parse()
            .map_err(|_| format!("invalid argument {indent:?} for \"-I, --indent\" flag"))?;
    }
    // `=` may be the value here.
    let text = |parsed: &Parsed, key: &str| {
        let value = parsed.value(key)?;
        Some(String::from_utf8_lossy(value).into_owned())
    };
    let character = |value: String| match value.as_bytes() {
        [byte] => Ok(*byte),
        _ if value == "\\t" => Ok(b'\t'),
        _ => Err(format!("separator must be one character, not {value:?}")),
    };
    if let Some(value) = text(parsed, "csv-separator") {
        layout.csv_separator = character(value)?;
    }
    if let Some(value) = text(parsed, "tsv-separator") {
        layout.tsv_separator = character(value)?;
    }
    for (key, place) in [
        ("properties-separator", &mut layout.properties_separator),
        ("shell-key-separator", &mut layout.shell_separator),
        ("xml-attribute-prefix", &mut layout.xml.attribute),
        ("xml-content-name", &mut layout.xml.content),
        ("xml-proc-inst-prefix", &mut layout.xml.processing),
        ("xml-directive-name", &mut layout.xml.directive),
    ] {
        if let Some(value) = text(parsed, key) {
            *place = value;
        }
    }
    Ok(layout)
}
