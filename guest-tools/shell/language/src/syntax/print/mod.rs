//! From tree to text, as bash's `declare -f`, `type` and error messages show it.
//!
//! The text means the same when it is parsed again; in the few cases where bash's own would not
//! (`coproc` with a simple command, `1<>file`, `&&` behind a pipeline with a here-document) it differs.

mod compound;
mod redirect;
mod word;

use super::token::Reserved;
use super::tree::{
    Argument, Command, CommandKind, Connector, Item, List, Parameter, Part, Pipeline, Redirect,
    Word,
};

/// How far the commands within a command are indented.
const INDENTATION: usize = 4;

/// A function as `declare -f` prints it, without a newline at its end.
pub fn function(name: &[u8], body: &Command) -> Vec<u8> {
    function_for(name, body, false)
}

/// The same; in POSIX mode functions within it have no keyword.
pub fn function_for(name: &[u8], body: &Command, posix: bool) -> Vec<u8> {
    let mut printer = Printer {
        posix,
        ..Printer::default()
    };
    printer.put(name);
    printer.put(b" () \n");
    printer.function_body(body);
    printer.flush_documents(b"");
    printer.out
}

/// What a child process is given of an exported function, which begins with `() {`.
pub fn exported(body: &Command) -> Vec<u8> {
    let mut printer = Printer {
        exported: true,
        ..Printer::default()
    };
    printer.put(b"() ");
    printer.function_body(body);
    printer.flush_documents(b"");
    printer.out
}

/// A command on as few lines as bash needs, as for `jobs` and `BASH_COMMAND`.
pub fn command(command: &Command) -> Vec<u8> {
    let mut printer = Printer::default();
    printer.command(command);
    printer.flush_documents(b"");
    printer.out
}

/// A list as bash prints it within `$(…)`.
pub fn list(list: &List) -> Vec<u8> {
    list_for(list, false)
}

/// The same; in POSIX mode functions within it have no keyword.
pub(super) fn list_for(list: &List, posix: bool) -> Vec<u8> {
    let mut printer = Printer {
        posix,
        substituted: true,
        ..Printer::default()
    };
    printer.list(list);
    printer.flush_documents(b"");
    printer.out
}

/// A `&&`/`||` chain, as for `jobs`; without the `&` after it.
pub fn item(item: &Item) -> Vec<u8> {
    let mut printer = Printer::default();
    printer.chain(item);
    printer.flush_documents(b"");
    printer.out
}

/// A pipeline, as for `jobs`.
pub fn pipeline(pipeline: &Pipeline) -> Vec<u8> {
    let mut printer = Printer::default();
    printer.pipeline(pipeline);
    printer.flush_documents(b"");
    printer.out
}

/// A word with its quotes, as it was written but for `$'…'`, which is decoded.
pub fn word(word: &Word) -> Vec<u8> {
    let mut out = Vec::new();
    word::put_word(&mut out, word);
    out
}

/// What an expansion is of, with its subscript, and `!` where it is indirect.
pub fn parameter_name(parameter: &Parameter) -> Vec<u8> {
    let mut out = Vec::new();
    word::put_name(&mut out, parameter);
    out
}

/// A part of a word, likewise; `quotable` where it does not stand between double quotes.
pub fn part(part: &Part, quotable: bool) -> Vec<u8> {
    let mut out = Vec::new();
    word::put_part(&mut out, part, quotable);
    out
}

/// Adds `'…'`; quotes within become `'\\''`.
pub(super) fn single_quoted(out: &mut Vec<u8>, text: &[u8]) {
    word::put_single_quoted(out, text);
}

/// An arithmetic expression or another text that is read as between double quotes.
pub fn document(text: &Word) -> Vec<u8> {
    let mut out = Vec::new();
    word::put_document(&mut out, text);
    out
}

/// The text between `${` and `}`, or after `$`, for messages.
pub fn parameter(parameter: &Parameter) -> Vec<u8> {
    let mut out = Vec::new();
    word::put_parameter(&mut out, parameter);
    out
}

/// An assignment as it was written.
pub fn assignment(assignment: &super::tree::Assignment) -> Vec<u8> {
    let mut out = Vec::new();
    word::put_assignment(&mut out, assignment);
    out
}

/// The head of a `for`, `select` or `case` command, as `set -x` shows it; none for other commands.
pub fn head(command: &Command) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match &command.kind {
        CommandKind::For { name, words, .. } => {
            word::put_word_list(&mut out, b"for ", name, words.as_deref());
        }
        CommandKind::Select { name, words, .. } => {
            word::put_word_list(&mut out, b"select ", name, words.as_deref());
        }
        CommandKind::Case { word, .. } => {
            out.extend_from_slice(b"case ");
            word::put_word(&mut out, word);
            out.extend_from_slice(b" in");
        }
        _ => return None,
    }
    Some(out)
}

/// The text so far and what the next piece depends on.
#[derive(Default)]
struct Printer<'a> {
    out: Vec<u8>,
    indentation: usize,
    /// What stands within something is not indented.
    exported: bool,
    /// The next command goes on with the line.
    inline: bool,
    /// Functions have no keyword.
    posix: bool,
    /// It is the text of `$( … )`.
    substituted: bool,
    /// Within how many functions: there every command has a line of its own.
    functions: u32,
    /// Here-documents whose text goes after the line.
    documents: Vec<&'a Redirect>,
    /// Texts of here-documents were printed; the next `;` is left out.
    printed_document: bool,
}

impl<'a> Printer<'a> {
    fn put(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

    fn step(&self) -> usize {
        if self.exported { 0 } else { INDENTATION }
    }

    fn indent(&mut self) {
        self.out.resize(self.out.len() + self.indentation, b' ');
    }

    fn newline(&mut self, text: &[u8]) {
        self.out.push(b'\n');
        self.indent();
        self.put(text);
    }

    fn semicolon(&mut self) {
        if !matches!(self.out.last(), Some(b'&' | b'\n')) {
            self.put(b";");
        }
    }

    /// Begins a command: indents, unless it goes on with the line.
    fn begin(&mut self) {
        if !std::mem::take(&mut self.inline) {
            self.indent();
        }
    }

    /// Puts `operator` and the texts of the here-documents before it.
    fn flush_documents(&mut self, operator: &[u8]) {
        self.put(operator);
        if self.documents.is_empty() {
            return;
        }
        self.put(b"\n");
        for document in std::mem::take(&mut self.documents) {
            self.document_text(document);
        }
        if !operator.is_empty() {
            self.put(b" ");
        }
        self.printed_document = true;
    }

    fn list(&mut self, list: &'a List) {
        let last = list.items.len().saturating_sub(1);
        for (index, item) in list.items.iter().enumerate() {
            self.chain(item);
            let connected = index > 0 || !item.rest.is_empty() || item.first.stages.len() > 1;
            if connected && self.functions > 0 && !item.background {
                // The second of two commands has its documents after it.
                self.flush_documents(b"");
            }
            if item.background {
                self.flush_documents(b" &");
                if index < last {
                    self.put(b" ");
                    self.inline = true;
                }
            } else if index < last {
                self.separate(item);
            }
        }
        self.flush_documents(b"");
    }

    /// Puts what stands between two commands of a list.
    fn separate(&mut self, item: &Item) {
        // Newlines stay what they are within `$( … )`.
        let newline = self.substituted && item.newline;
        if !self.documents.is_empty() {
            self.flush_documents(b"");
        } else if self.functions == 0 && newline {
            self.printed_document = false;
        } else if !std::mem::take(&mut self.printed_document) || self.functions == 0 {
            self.put(if newline { b"\n" } else { b";" });
        }
        if self.functions > 0 {
            self.put(b"\n");
            return;
        }
        if newline && !self.out.ends_with(b"\n") {
            self.put(b"\n");
        } else if !newline {
            self.put(b" ");
        }
        self.inline = true;
    }

    fn chain(&mut self, item: &'a Item) {
        self.pipeline(&item.first);
        for (connector, pipeline) in &item.rest {
            self.flush_documents(match connector {
                Connector::And => b" && ",
                Connector::Or => b" || ",
            });
            self.inline = true;
            self.pipeline(pipeline);
        }
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline) {
        if pipeline.timed.is_some() || pipeline.negated {
            self.begin();
            self.inline = true;
        }
        match pipeline.timed {
            Some(true) => self.put(b"time -p "),
            Some(false) => self.put(b"time "),
            None => {}
        }
        if pipeline.negated {
            self.put(b"! ");
        }
        if pipeline.stages.is_empty() {
            if pipeline.timed.is_none() && !pipeline.negated {
                self.begin();
                self.put(b"! !");
            }
            self.inline = false;
        }
        for (index, command) in pipeline.stages.iter().enumerate() {
            if index > 0 {
                self.flush_documents(b" |");
                self.put(b" ");
                self.inline = true;
            }
            self.command(command);
        }
    }

    fn command(&mut self, command: &'a Command) {
        self.begin();
        match &command.kind {
            CommandKind::Simple { assignments, words } => {
                // Before a redirect this word would be a keyword.
                if assignments.is_empty() && words.first().is_some_and(is_reserved) {
                    self.redirects(&command.redirects);
                    self.put(if command.redirects.is_empty() {
                        b""
                    } else {
                        b" "
                    });
                    return self.simple(assignments, words);
                }
                self.simple(assignments, words);
            }
            kind => self.compound(kind),
        }
        if command.redirects.is_empty() {
            return;
        }
        let empty = matches!(&command.kind, CommandKind::Simple { assignments, words }
            if assignments.is_empty() && words.is_empty());
        if !empty {
            self.put(b" ");
        }
        self.redirects(&command.redirects);
    }
}

fn is_reserved(argument: &Argument) -> bool {
    let Argument::Word(word) = argument else {
        return false;
    };
    super::entry::literal(word).is_some_and(|text| Reserved::from_bytes(text).is_some())
}

/// Whether `list` ends in a bare `!` or `time`, which needs something to end it.
fn ends_bare(list: &List) -> bool {
    list.items.last().is_some_and(|item| {
        let last = item
            .rest
            .last()
            .map_or(&item.first, |(_, pipeline)| pipeline);
        last.stages.is_empty() && !item.background
    })
}
