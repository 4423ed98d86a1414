//! The tree as text: a drawing, JSON or XML. Indents, line ends and spaces are the original's, byte for byte, since its
//! output is compared and parsed.
//!
//! ```text
//! .
//! ├── a
//! │   └── b
//! └── c
//!
//! 2 directories, 2 files
//! ```

use super::color::Colors;
use super::walk::Node;
use crate::accounts::Accounts;
use crate::call::bytes;
use crate::system::{self, Kind, Stat, Time};
use crate::time;

/// How the tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Drawing,
    Json,
    Xml,
}

/// What is shown of each file, and how.
pub struct Show {
    pub format: Format,
    /// The output's encoding is UTF-8: names may have characters other than ASCII.
    pub utf8: bool,
    /// What lines are drawn with: the bar, the fork and the last fork.
    pub lines: [&'static [u8]; 3],
    /// `-f`: whole paths instead of names.
    pub paths: bool,
    /// False with `-i`: no lines are drawn, and JSON and XML have no line ends.
    pub indent: bool,
    /// `-N`: names as they are.
    pub raw: bool,
    /// `-q`: `?` instead of escapes.
    pub question: bool,
    /// `-Q`: names within double quotes.
    pub quote: bool,
    pub mode: bool,
    pub user: bool,
    pub group: bool,
    pub size: bool,
    /// The base of sizes with a unit, 1000 or 1024; none shows bytes.
    pub human: Option<u64>,
    /// Dates, with the format of `--timefmt` where one was given.
    pub date: Option<String>,
    /// Dates are those of the inode's change.
    pub changed: bool,
    /// `-F`: `/`, `|` and `*` behind names.
    pub marks: bool,
    pub inodes: bool,
    pub device: bool,
    pub colors: Option<Colors>,
    /// The line with the numbers of directories and files.
    pub report: bool,
    pub directories_only: bool,
    /// `--du`: the report has the sum of all sizes.
    pub totals: bool,
}

/// Writes trees.
pub struct Printer<'a> {
    show: &'a Show,
    accounts: Accounts,
    out: Vec<u8>,
    /// Directories so far; links to directories count, roots count where they have content.
    directories: u64,
    files: u64,
    /// The sum of sizes below the roots.
    bytes: u64,
}

impl<'a> Printer<'a> {
    /// Prints what `show` asks for.
    pub fn new(show: &'a Show, accounts: Accounts) -> Printer<'a> {
        Printer {
            show,
            accounts,
            out: Vec::new(),
            directories: 0,
            files: 0,
            bytes: 0,
        }
    }

    /// The trees, each with its name; none is one that could not be read.
    pub fn print(&mut self, roots: &[(&[u8], Option<Node>)]) -> Vec<u8> {
        match self.show.format {
            Format::Drawing => self.drawing(roots),
            Format::Json => self.json(roots),
            Format::Xml => self.xml(roots),
        }
        std::mem::take(&mut self.out)
    }

    /// What ends a line of JSON and XML.
    fn line_end(&self) -> &'static str {
        if self.show.indent { "\n" } else { "" }
    }

    /// Two spaces for each level.
    fn indent(&self, depth: usize) -> String {
        "  ".repeat(if self.show.indent { depth } else { 0 })
    }

    /// Appends to the output.
    fn put(&mut self, text: impl AsRef<[u8]>) {
        self.out.extend_from_slice(text.as_ref());
    }

    /// Counts a node for the report.
    fn count(&mut self, node: &Node) {
        self.bytes += node.stat.size;
        if node.is_directory() {
            self.directories += 1;
        } else {
            self.files += 1;
        }
    }

    /// A size with a unit in five columns: three digits, or one with a decimal.
    fn human(size: u64, base: u64) -> String {
        let mut unit = usize::from(size >= base);
        let mut scaled = size;
        while scaled >= base * base {
            scaled /= base;
            unit += 1;
        }
        let value = scaled as f32 / base as f32;
        let letters = if base == 1000 { " kMGTPE" } else { " KMGTPE" };
        let letter = letters.chars().nth(unit).unwrap_or('E');
        match unit {
            0 => format!(" {size:4}"),
            _ if scaled / base >= 10 => format!(" {value:3.0}{letter}"),
            _ => format!(" {value:3.1}{letter}"),
        }
    }

    /// A size as `-s` or `-h` show it, with a space before it.
    fn size(&self, size: u64) -> String {
        match self.show.human {
            Some(base) => Self::human(size, base),
            None => format!(" {size:11}"),
        }
    }

    /// A date: with the time of day where it is of the last six months of 31 days, else with the year.
    fn date(&self, stat: &Stat, given: &str) -> String {
        let stamp = if self.show.changed {
            stat.changed
        } else {
            stat.modified
        };
        let age = Time::now().seconds - stamp.seconds;
        let format = match given {
            "" if (0..6 * 31 * 24 * 60 * 60).contains(&age) => "%b %e %R",
            "" => "%b %e  %Y",
            given => given,
        };
        time::format(&time::local(stamp, &time::zone()), format)
    }

    /// What stands in brackets before the name.
    fn details(&self, stat: &Stat) -> String {
        let show = self.show;
        let mut text = String::new();
        if show.inodes {
            text += &format!(" {:7}", stat.inode);
        }
        if show.device {
            text += &format!(" {:3}", stat.device);
        }
        if show.mode {
            text += &format!(" {}", stat.permissions());
        }
        if show.user {
            text += &format!(" {:<8}", self.accounts.user(stat.uid, false));
        }
        if show.group {
            text += &format!(" {:<8}", self.accounts.group(stat.gid, false));
        }
        if show.size {
            text += &self.size(stat.size);
        }
        if let Some(format) = &show.date {
            text += &format!(" {}", self.date(stat, format));
        }
        match text.strip_prefix(' ') {
            Some(inner) => format!("[{inner}]  "),
            None => text,
        }
    }

    /// A name as it may be shown: control characters, bytes that are not UTF-8, and in other encodings all but ASCII
    /// are escaped.
    fn name(&self, name: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(name.len());
        if self.show.quote {
            out.push(b'"');
        }
        for chunk in name.utf8_chunks() {
            for char in chunk.valid().chars() {
                let plain =
                    self.show.raw || (!char.is_control() && (self.show.utf8 || char.is_ascii()));
                if self.show.quote && char == '"' {
                    out.extend_from_slice(b"\\\"");
                } else if plain {
                    out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                } else {
                    self.hide(char.encode_utf8(&mut [0; 4]).as_bytes(), &mut out);
                }
            }
            if self.show.raw {
                out.extend_from_slice(chunk.invalid());
            } else {
                self.hide(chunk.invalid(), &mut out);
            }
        }
        if self.show.quote {
            out.push(b'"');
        }
        out
    }

    /// Appends escapes for bytes: `\n`, `\033`, or with `-q` question marks.
    fn hide(&self, text: &[u8], out: &mut Vec<u8>) {
        for byte in text {
            match byte {
                _ if self.show.question => out.push(b'?'),
                7..=13 => out.extend_from_slice(&[b'\\', b"abtnvfr"[usize::from(byte - 7)]]),
                _ => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            }
        }
    }

    /// A name in a colour.
    fn painted(&self, name: &[u8], color: impl FnOnce(&'a Colors) -> Option<&'a str>) -> Vec<u8> {
        let shown = self.name(name);
        match self.show.colors.as_ref().and_then(color) {
            Some(color) => bytes!("\x1b[", color, "m", shown, "\x1b[0m"),
            None => shown,
        }
    }

    /// What `-F` puts behind a name.
    fn mark(&self, stat: &Stat) -> &'static str {
        match stat.kind {
            _ if !self.show.marks => "",
            Kind::Directory => "/",
            Kind::Fifo => "|",
            Kind::Regular if stat.mode & 0o111 != 0 => "*",
            _ => "",
        }
    }

    /// Writes the line of a node behind its branches.
    fn line(&mut self, node: &Node) {
        let name = if self.show.paths {
            &node.path
        } else {
            &node.name
        };
        let mut line = self.details(&node.stat).into_bytes();
        let broken = matches!(node.link, Some((_, None)));
        line.extend_from_slice(&self.painted(name, |colors| match broken {
            true => colors.broken().0,
            false => colors.of(&node.stat, &node.name),
        }));
        if let Some((target, end)) = &node.link {
            line.extend_from_slice(b" -> ");
            match end {
                Some(end) => {
                    line.extend_from_slice(&self.painted(target, |colors| colors.of(end, target)));
                    line.extend_from_slice(self.mark(end).as_bytes());
                }
                None => line.extend_from_slice(&self.painted(target, |colors| colors.broken().1)),
            }
        } else {
            line.extend_from_slice(self.mark(&node.stat).as_bytes());
        }
        if let Some(note) = &node.note {
            line.extend_from_slice(format!("  [{note}]").as_bytes());
        }
        line.push(b'\n');
        self.put(line);
    }

    /// Writes all trees as drawings, and the report.
    fn drawing(&mut self, roots: &[(&[u8], Option<Node>)]) {
        for (name, root) in roots {
            match root {
                Some(root) => {
                    self.line(root);
                    self.directories += u64::from(!root.children.is_empty() || root.note.is_some());
                    self.branches(&root.children, &mut Vec::new());
                }
                None => {
                    // A file is counted, though it has no tree.
                    self.files += u64::from(system::stat(name, true).is_ok());
                    let line = bytes!(self.name(name), "  [error opening dir]\n");
                    self.put(line);
                }
            }
        }
        if self.show.report {
            let report = self.report();
            self.put(report);
        }
    }

    /// Writes the nodes below; `prefix` is what all their lines begin with.
    fn branches(&mut self, children: &[Node], prefix: &mut Vec<u8>) {
        let [bar, fork, last] = self.show.lines;
        for (index, child) in children.iter().enumerate() {
            let end = index + 1 == children.len();
            if self.show.indent {
                let start = bytes!(prefix, if end { last } else { fork });
                self.put(start);
            }
            self.line(child);
            self.count(child);
            let length = prefix.len();
            prefix.extend_from_slice(if end { b"    " } else { bar });
            self.branches(&child.children, prefix);
            prefix.truncate(length);
        }
    }

    /// The last line of a drawing.
    fn report(&self) -> String {
        let plural = |count: u64, one: &str, many: &str| {
            format!("{count} {}", if count == 1 { one } else { many })
        };
        let mut text = String::from("\n");
        if self.show.totals {
            let unit = if self.show.human.is_some() {
                ""
            } else {
                " bytes"
            };
            text += &format!("{}{unit} used in ", self.size(self.bytes));
        }
        text += &plural(self.directories, "directory", "directories");
        if !self.show.directories_only {
            text += &format!(", {}", plural(self.files, "file", "files"));
        }
        text + "\n"
    }

    /// Names and values that JSON and XML show of a file.
    fn fields(&self, stat: &Stat) -> Vec<(&'static str, String)> {
        let show = self.show;
        let mut fields = Vec::new();
        if show.inodes {
            fields.push(("inode", stat.inode.to_string()));
        }
        if show.device {
            fields.push(("dev", stat.device.to_string()));
        }
        if show.mode {
            fields.push(("mode", format!("{:04o}", stat.mode & 0o7777)));
            fields.push(("prot", stat.permissions()));
        }
        if show.user {
            fields.push(("user", self.accounts.user(stat.uid, false)));
        }
        if show.group {
            fields.push(("group", self.accounts.group(stat.gid, false)));
        }
        if show.size {
            let text = match show.human {
                Some(_) => self.size(stat.size).trim_start().to_owned(),
                None => stat.size.to_string(),
            };
            fields.push(("size", text));
        }
        if let Some(format) = &show.date {
            fields.push(("time", self.date(stat, format)));
        }
        fields
    }

    /// How JSON and XML call a file.
    fn kind(node: &Node) -> &'static str {
        match node.stat.kind {
            Kind::Directory => "directory",
            Kind::Symlink => "link",
            Kind::Fifo => "fifo",
            Kind::CharacterDevice => "char",
            Kind::Regular => "file",
        }
    }

    /// Writes all trees as one JSON array, and the report as its last element.
    fn json(&mut self, roots: &[(&[u8], Option<Node>)]) {
        self.put("[");
        for (index, (name, root)) in roots.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            self.put(format!("{comma}{}", self.line_end()));
            match root {
                Some(root) => {
                    self.directories += u64::from(!root.children.is_empty() || root.note.is_some());
                    self.json_node(root, 1);
                }
                None => {
                    let name = json_text(name);
                    self.put(format!(
                        "  {{\"type\":\"directory\",\"name\":{name},\"contents\":[{{\"error\": \"opening dir\"}}]}}"
                    ));
                }
            }
        }
        if self.show.report {
            let end = self.line_end();
            let indent = if self.show.indent { "  " } else { "" };
            let mut report = format!("{end},{end}{indent}{{\"type\":\"report\"");
            if self.show.totals {
                report += &format!(",\"size\":{}", self.bytes);
            }
            report += &format!(",\"directories\":{}", self.directories);
            if !self.show.directories_only {
                report += &format!(",\"files\":{}", self.files);
            }
            self.put(report + "}");
        } else {
            self.put(self.line_end());
        }
        self.put(format!("{}]\n", self.line_end()));
    }

    /// Writes a node without the comma before it.
    fn json_node(&mut self, node: &Node, depth: usize) {
        let indent = self.indent(depth);
        let name = if self.show.paths {
            &node.path
        } else {
            &node.name
        };
        let kind = Self::kind(node);
        let mut text = format!("{indent}{{\"type\":\"{kind}\",\"name\":{}", json_text(name));
        if let Some((target, _)) = &node.link {
            text += &format!(",\"target\":{}", json_text(target));
        }
        for (key, value) in self.fields(&node.stat) {
            let number =
                matches!(key, "inode" | "dev") || (key == "size" && self.show.human.is_none());
            text += &if number {
                format!(",\"{key}\":{value}")
            } else {
                format!(",\"{key}\":\"{value}\"")
            };
        }
        self.put(text);
        if let Some(note) = &node.note {
            self.put(format!(",\"contents\":[{{\"error\": \"{note}\"}}]"));
        } else if !node.children.is_empty() {
            self.put(",\"contents\":[");
            for (index, child) in node.children.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                self.put(format!("{comma}{}", self.line_end()));
                self.count(child);
                self.json_node(child, depth + 1);
            }
            self.put(format!("{}{indent}]", self.line_end()));
        }
        self.put("}");
    }

    /// Writes all trees as an XML document.
    fn xml(&mut self, roots: &[(&[u8], Option<Node>)]) {
        let end = self.line_end();
        self.put(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>{end}<tree>{end}"
        ));
        for (name, root) in roots {
            match root {
                Some(root) => {
                    self.directories += u64::from(!root.children.is_empty() || root.note.is_some());
                    self.xml_node(root, 1);
                }
                None => {
                    let name = xml_text(name);
                    self.put(format!(
                        "  <directory name=\"{name}\"><error>opening dir</error></directory>\n"
                    ));
                }
            }
        }
        if self.show.report {
            let (one, two) = (self.indent(1), self.indent(2));
            let mut report = format!("{one}<report>{end}");
            if self.show.totals {
                report += &format!("{two}<size>{}</size>{end}", self.bytes);
            }
            report += &format!("{two}<directories>{}</directories>{end}", self.directories);
            if !self.show.directories_only {
                report += &format!("{two}<files>{}</files>{end}", self.files);
            }
            self.put(format!("{report}{one}</report>{end}"));
        }
        self.put("</tree>\n");
    }

    /// Writes an element with its content.
    fn xml_node(&mut self, node: &Node, depth: usize) {
        let indent = self.indent(depth);
        let name = if self.show.paths {
            &node.path
        } else {
            &node.name
        };
        let kind = Self::kind(node);
        let mut text = format!("{indent}<{kind} name=\"{}\"", xml_text(name));
        if let Some((target, _)) = &node.link {
            text += &format!(" target=\"{}\"", xml_text(target));
        }
        for (key, value) in self.fields(&node.stat) {
            text += &format!(" {key}=\"{value}\"");
        }
        self.put(text + ">");
        if let Some(note) = &node.note {
            self.put(format!("<error>{note}</error>"));
        }
        for (index, child) in node.children.iter().enumerate() {
            if index == 0 {
                self.put("\n");
            }
            self.count(child);
            self.xml_node(child, depth + 1);
        }
        if !node.children.is_empty() {
            self.put(indent);
        }
        self.put(format!("</{kind}>{}", self.line_end()));
    }
}

/// A string of JSON (RFC 8259); bytes that are not UTF-8 become U+FFFD.
fn json_text(text: &[u8]) -> String {
    let mut out = String::from("\"");
    for char in String::from_utf8_lossy(text).chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            char if char.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(char))),
            char => out.push(char),
        }
    }
    out + "\""
}

/// Text for attributes of XML.
fn xml_text(text: &[u8]) -> String {
    String::from_utf8_lossy(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
