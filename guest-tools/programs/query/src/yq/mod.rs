//! `yq` 4 in the manner of mikefarah's: documents are trees that expressions read and change in place, so that
//! comments, styles and anchors survive.
//!
//! | step | files |
//! |---|---|
//! | command line | `options` |
//! | expression | `parse` |
//! | text to nodes | `formats`, for YAML `read`, `comments`, `scalar` |
//! | running | `evaluate` over `tree`, `arithmetic`, `functions` and what these use |
//! | nodes to text | `formats`, for YAML `write` |
//!
//! Exit statuses: 0; 1 for any error, and with `-e` where nothing true was found.

mod arithmetic;
mod attribute;
mod comments;
mod entry;
mod evaluate;
mod explode;
mod formats;
mod functions;
mod moment;
mod options;
mod parse;
mod read;
mod scalar;
mod sorting;
mod text;
mod tree;
mod write;

use crate::stream::eprintln;
use std::io::Write as _;
use std::rc::Rc;

use crate::call::Call;
use crate::output::Output;
use crate::system;
use evaluate::{Context, Machine};
use formats::Format;
use options::Options;
use parse::Expression;
use tree::{Id, Kind, Style, Tree};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let options = match Options::read(call) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let mut printer = Printer {
        out: Output::new(),
        options: &options,
        written: Vec::new(),
        previous: None,
        any_true: false,
        count: 0,
    };
    let status = match printer.run() {
        Ok(()) if options.exit_status && !printer.any_true => {
            printer.out.flush();
            eprintln!("Error: no matches found");
            1
        }
        Ok(()) => 0,
        Err(message) => {
            printer.out.flush();
            eprintln!("Error: {message}");
            1
        }
    };
    printer.out.finish("yq", status, 1)
}

/// Runs the expression on each document and prints the results.
struct Printer<'a> {
    out: Output,
    options: &'a Options,
    /// What `-i` puts into the file.
    written: Vec<u8>,
    /// Document and file of what was printed last.
    previous: Option<(usize, usize)>,
    /// A result was neither null nor false.
    any_true: bool,
    /// The number of results that `-s` has written, which is `$index` in its expression.
    count: usize,
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Printer<'_> {
    /// All files, one document after the other or with `eval-all` all at once.
    fn run(&mut self) -> Result<(), String> {
        let expression = parse::parse(&self.options.expression)?;
        let mut machine = Machine {
            tree: Tree::new(),
            files: self.options.files.iter().map(|file| lossy(file)).collect(),
            env: self.options.env,
            file: self.options.file,
        };
        if self.options.null_input {
            let null = machine.tree.scalar("!!null", "");
            return self.evaluate(&mut machine, vec![null], &expression);
        }
        let mut all = Vec::new();
        for (place, file) in self.options.files.iter().enumerate() {
            let (front, text, rest) = self.read(file)?;
            let _ = front;
            let mut roots = formats::decode(
                &mut machine.tree,
                self.options.input,
                &text,
                &self.options.layout,
                place,
            )
            .map_err(|message| format!("bad file '{}': {message}", lossy(file)))?;
            if roots.is_empty() {
                let null = machine.tree.scalar("!!null", "");
                if self.options.input == Format::Yaml {
                    machine.tree[null].leading = text.as_str().into();
                }
                roots.push(null);
            }
            if self.options.all {
                all.extend(roots);
                continue;
            }
            for root in roots {
                self.evaluate(&mut machine, vec![root], &expression)?;
            }
            self.put_back(file, &rest)?;
        }
        if self.options.all {
            for &root in &all {
                machine.tree[root].together = true;
            }
            self.evaluate(&mut machine, all, &expression)?;
            if let Some(first) = self.options.files.first() {
                self.put_back(first, "")?;
            }
        }
        Ok(())
    }

    /// Reads a file; with `--front-matter` what stands behind it is kept aside.
    ///
    /// Gives whether there is front matter, the text to read, and the rest. Front matter ends at the second `---`, or
    /// at the first one that is not in the first line.
    fn read(&self, file: &[u8]) -> Result<(bool, String, String), String> {
        let bytes = system::read_whole(file).map_err(|failure| {
            format!(
                "open {}: {}",
                lossy(file),
                failure.0.to_string().to_lowercase()
            )
        })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| format!("bad file '{}': yaml: invalid UTF-8", lossy(file)))?;
        if self.options.front_matter.is_none() {
            return Ok((false, text, String::new()));
        }
        let mut end = 0;
        let mut markers = 0;
        for line in text.split_inclusive('\n') {
            if line.trim_end() == "---" {
                markers += 1;
                if markers == 2 || end > 0 && markers == 1 {
                    break;
                }
            }
            end += line.len();
        }
        let rest = text[end..].to_owned();
        Ok((true, text[..end].to_owned(), rest))
    }

    /// Ends a file: what follows its front matter, and the file itself with `-i`.
    fn put_back(&mut self, file: &[u8], rest: &str) -> Result<(), String> {
        if self.options.front_matter.as_deref() == Some("process") {
            self.put(rest.as_bytes());
        }
        if !self.options.in_place {
            return Ok(());
        }
        let text = std::mem::take(&mut self.written);
        self.previous = None;
        system::create_file(file, false)
            .and_then(|mut opened| Ok(opened.write_all(&text)?))
            .map_err(|failure| {
                format!(
                    "open {}: {}",
                    lossy(file),
                    failure.0.to_string().to_lowercase()
                )
            })
    }

    /// Prints, or with `-i` collects.
    fn put(&mut self, bytes: &[u8]) {
        if self.options.in_place {
            self.written.extend_from_slice(bytes);
        } else {
            self.out.put(bytes);
        }
    }

    /// Runs the expression on these nodes and prints each result.
    fn evaluate(
        &mut self,
        machine: &mut Machine,
        nodes: Vec<Id>,
        expression: &Expression,
    ) -> Result<(), String> {
        let context = Context {
            nodes,
            readonly: false,
            variables: Rc::default(),
        };
        let results = machine.run(&context, expression)?;
        for result in results {
            self.any_true |= machine.tree.is_true(result);
            if self.options.pretty {
                plain(machine, result);
            }
            if let Some(split) = &self.options.split {
                self.split(machine, result, split)?;
            } else {
                let text = self.text(machine, result)?;
                self.put(&text);
            }
            if self.out.is_broken() {
                break;
            }
        }
        Ok(())
    }

    /// One result with what stands before and after it.
    ///
    /// A separator stands before a result of another document than the last one.
    fn text(&mut self, machine: &Machine, result: Id) -> Result<Vec<u8>, String> {
        let options = self.options;
        let tree = &machine.tree;
        let place = (
            tree[root_of(tree, result)].document,
            tree[root_of(tree, result)].file,
        );
        let mut out = Vec::new();
        let yaml = options.output == Format::Yaml;
        let leading = if yaml { &*tree[result].leading } else { "" };
        let marked = leading.lines().any(|line| line.starts_with("---"));
        if yaml
            && options.separators
            && !marked
            && self.previous.is_some_and(|previous| previous != place)
        {
            out.extend_from_slice(b"---\n");
        }
        self.previous = Some(place);
        for line in leading.lines() {
            if options.separators || !line.starts_with("---") {
                out.extend_from_slice(line.as_bytes());
                out.push(b'\n');
            }
        }
        let text = formats::encode(tree, result, options.output, &options.layout)?;
        let empty = !leading.is_empty()
            && tree[result].kind == Kind::Scalar
            && tree[result].value.is_empty();
        if options.nul {
            let text = text.trim_end_matches('\n');
            if text.contains('\0') {
                return Err("can't serialize value because it contains NUL char and you are using NUL separated output".to_owned());
            }
            out.extend_from_slice(text.as_bytes());
            out.push(0);
        } else if !empty {
            out.extend_from_slice(text.as_bytes());
        }
        Ok(out)
    }

    /// Writes a result to the file that an expression names for it.
    ///
    /// A name without an ending gets that of the output format.
    fn split(
        &mut self,
        machine: &mut Machine,
        result: Id,
        name: &Expression,
    ) -> Result<(), String> {
        let index = machine.tree.scalar("!!int", &self.count.to_string());
        self.count += 1;
        let variables = [("index".to_owned(), vec![index])].into_iter().collect();
        let context = Context {
            nodes: vec![result],
            readonly: true,
            variables: Rc::new(variables),
        };
        let name = machine.first(&context, name)?;
        let mut name = name
            .map(|id| functions::text(machine, id))
            .unwrap_or_default();
        let ending = name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| !ending.contains('/'));
        if !ending {
            name.push_str(match self.options.output {
                Format::Json => ".json",
                Format::Xml => ".xml",
                Format::Properties => ".properties",
                Format::Csv => ".csv",
                Format::Tsv => ".tsv",
                Format::Toml => ".toml",
                _ => ".yml",
            });
        }
        self.previous = None;
        let text = self.text(machine, result)?;
        system::create_file(name.as_bytes(), false)
            .and_then(|mut file| Ok(file.write_all(&text)?))
            .map_err(|failure| format!("open {name}: {}", failure.0.to_string().to_lowercase()))
    }
}

/// The node that knows the number of document and file: itself, or the root above it.
fn root_of(tree: &Tree, mut id: Id) -> Id {
    if tree[id].document > 0 || tree[id].file > 0 {
        return id;
    }
    while let Some(parent) = tree[id].parent {
        id = parent;
    }
    id
}

/// Takes the styles off all nodes, as `-P` does.
///
/// Strings such as `yes`, which YAML 1.1 takes for booleans, keep their quotes.
fn plain(machine: &mut Machine, node: Id) {
    let mut nodes = Vec::new();
    machine.recurse(node, true, true, &mut nodes);
    for id in nodes {
        let data = &mut machine.tree[id];
        let old_bool = matches!(
            data.value.to_ascii_lowercase().as_str(),
            "y" | "yes" | "n" | "no" | "on" | "off"
        );
        if !(old_bool && &*data.tag == "!!str") {
            data.style = Style::Plain;
        }
    }
}
