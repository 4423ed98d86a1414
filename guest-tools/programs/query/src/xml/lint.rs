//! `xmllint`: checks, formats and asks XML documents, with libxml2's messages and statuses for the options of `USAGE`.

use crate::stream::eprintln;
use std::io::Write as _;

use super::dom::{Content, Document};
use super::{parse, write, xpath};
use crate::call::Call;
use crate::output::Output;
use crate::system;

/// The text of `--help`, also for wrong usage.
const USAGE: &str = "Usage : xmllint [options] XMLfiles ...\n\
\tParse the XML files and output the result of the parsing\n\
\t--noout : don't output the result tree\n\
\t--format : reformat/reindent the output\n\
\t--noblanks : drop (ignorable?) blanks spaces\n\
\t--nowarning : do not emit warnings from parser/validator\n\
\t--output file or -o file: save to a given file\n\
\t--xpath expr: evaluate the XPath expression, imply --noout\n\
\t--version : display the version\n";

/// The status for a document that is none, and for an XPath that finds nothing.
const MALFORMED: i32 = 1;
const NOTHING: i32 = 10;

/// What the command line asks for.
#[derive(Default)]
struct Options {
    /// Only check (`--noout`).
    silent: bool,
    /// Indent (`--format`); blanks between elements go first.
    format: bool,
    /// Drop blanks between elements.
    no_blanks: bool,
    /// The file for the result.
    output: Option<Vec<u8>>,
    /// The expression to print the value of.
    xpath: Option<String>,
    files: Vec<Vec<u8>>,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let options = match arguments(call) {
        Ok(options) => options,
        Err(status) => return status,
    };
    if options.files.is_empty() {
        eprint!("{USAGE}");
        return 1;
    }
    let mut out = Output::new();
    let mut status = 0;
    for file in &options.files {
        status = one(&options, file, &mut out).max(status);
    }
    out.finish("xmllint", status, 1)
}

/// Reads the command line; `Err` is the status to end with.
fn arguments(call: &Call) -> Result<Options, i32> {
    let mut options = Options::default();
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        // libxml2 takes its options with one dash or two.
        let name = match argument.strip_prefix(b"-") {
            None | Some(b"") => {
                options.files.push(argument.clone());
                continue;
            }
            Some(rest) => rest.strip_prefix(b"-").unwrap_or(rest),
        };
        let mut value = || arguments.next().cloned().unwrap_or_default();
        match name {
            b"noout" => options.silent = true,
            b"format" => options.format = true,
            b"noblanks" => options.no_blanks = true,
            b"nowarning" | b"nonet" | b"huge" => {}
            b"output" | b"o" => options.output = Some(value()),
            b"xpath" => options.xpath = Some(String::from_utf8_lossy(&value()).into_owned()),
            b"version" => {
                print!("{}", crate::model::version("xmllint"));
                return Err(0);
            }
            b"help" => {
                print!("{USAGE}");
                return Err(0);
            }
            _ => {
                eprint!(
                    "Unknown option {}\n{USAGE}",
                    String::from_utf8_lossy(argument)
                );
                return Err(1);
            }
        }
    }
    Ok(options)
}

/// One file. Gives the status: 1 for a document that is none, 6 for output that cannot be written.
fn one(options: &Options, file: &[u8], out: &mut Output) -> i32 {
    let name = String::from_utf8_lossy(file).into_owned();
    let Ok(bytes) = system::read_whole(file) else {
        out.flush();
        eprintln!("warning: failed to load external entity \"{name}\"");
        return MALFORMED;
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut document = match parse::document(text.trim_start_matches('\u{feff}')) {
        Ok(document) => document,
        Err(wrong) => {
            out.flush();
            eprintln!("{name}:{}: parser error : {}", wrong.line, wrong.message);
            return MALFORMED;
        }
    };
    if options.no_blanks || options.format {
        write::drop_blanks(&mut document);
    }
    if let Some(expression) = &options.xpath {
        return ask(&document, expression, out);
    }
    if options.silent {
        return 0;
    }
    let text = write::document(&document, options.format);
    match &options.output {
        None => out.put(text),
        Some(path) => {
            let written = system::create_file(path, false)
                .and_then(|mut file| Ok(file.write_all(text.as_bytes())?));
            if written.is_err() {
                eprintln!("failed save to {}", String::from_utf8_lossy(path));
                return 6;
            }
        }
    }
    0
}

/// Prints what an expression gives: nodes as XML, each on a line, other values as text. The status is 10 for nothing.
fn ask(document: &Document, expression: &str, out: &mut Output) -> i32 {
    let value = match xpath::evaluate(document, expression) {
        Ok(value) => value,
        Err(message) => {
            out.flush();
            eprintln!("XPath error : {message}\nXPath evaluation failure");
            return NOTHING;
        }
    };
    match value {
        xpath::Value::Nodes(nodes) if nodes.is_empty() => {
            out.flush();
            eprintln!("XPath set is empty");
            return NOTHING;
        }
        xpath::Value::Nodes(nodes) => {
            for id in nodes {
                let mut text = String::new();
                if document[id].content == Content::Document {
                    text = write::document(document, false);
                } else {
                    write::node(document, id, None, &mut text);
                    text.push('\n');
                }
                out.put(text);
            }
        }
        xpath::Value::Number(number) => out.line(xpath::short_number(number)),
        xpath::Value::Text(text) => out.line(text),
        xpath::Value::Truth(truth) => out.line(truth.to_string()),
    }
    0
}
