//! XML text to a document, with quick-xml. Entities of the document's own are not expanded, so none
//! can be a bomb.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion, escape};

use super::dom::{Content, Document, Id, ROOT};

/// How deep elements may be nested, as in libxml2.
const MAX_DEPTH: usize = 256;

/// Why a text is no XML document.
#[derive(Debug)]
pub struct Malformed {
    /// What is wrong, in libxml2's words where scripts are likely to meet them.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
}

/// Reads a document.
///
/// Exactly one element at the top, with comments, instructions and a document type around it. Neighbouring pieces of
/// text and character references are one node of text.
pub fn document(text: &str) -> Result<Document, Malformed> {
    let mut reader = Reader::from_str(text);
    let mut builder = Builder {
        document: Document::default(),
        open: vec![ROOT],
    };
    loop {
        let start = reader.buffer_position();
        let fail = |message: String| Malformed {
            message,
            line: 1 + text.as_bytes()[..(start as usize).min(text.len())]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count(),
        };
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => builder.event(event).map_err(fail)?,
            Err(error) => return Err(fail(error.to_string())),
        }
    }
    let line = text.lines().count().max(1);
    if builder.open.len() > 1 {
        let name = builder
            .open
            .last()
            .map(|&id| builder.document.name(id).to_owned());
        let message = format!("Premature end of data in tag {}", name.unwrap_or_default());
        return Err(Malformed { message, line });
    }
    let has_element = |id: &Id| matches!(builder.document[*id].content, Content::Element { .. });
    if !builder.document.top.iter().any(has_element) {
        let message = "Start tag expected, '<' not found".to_owned();
        return Err(Malformed { message, line });
    }
    Ok(builder.document)
}

/// The document so far, and the elements that are open.
struct Builder {
    document: Document,
    /// Open elements, the innermost last; the first is the root.
    open: Vec<Id>,
}

impl Builder {
    /// Where the next node goes.
    fn parent(&self) -> Id {
        self.open.last().copied().unwrap_or(ROOT)
    }

    /// One event of the reader.
    fn event(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Start(tag) => {
                if self.open.len() > MAX_DEPTH {
                    return Err(format!("Excessive depth in document: {MAX_DEPTH}"));
                }
                let id = self.element(&tag)?;
                self.open.push(id);
            }
            Event::Empty(tag) => {
                self.element(&tag)?;
            }
            Event::End(_) => {
                self.open.pop();
            }
            Event::Text(text) => self.text(&text.xml10_content())?,
            Event::GeneralRef(reference) => {
                let text = match reference.resolve_char_ref() {
                    Ok(Some(character)) => character.to_string(),
                    Ok(None) => named(&reference)?,
                    Err(error) => return Err(error.to_string()),
                };
                self.text(&text)?;
            }
            Event::CData(text) => {
                let content = Content::Cdata(text.xml10_content().into_owned());
                self.document.add(self.parent(), content);
            }
            Event::Comment(text) => {
                let content = Content::Comment(text.xml10_content().into_owned());
                self.document.add(self.parent(), content);
            }
            Event::PI(instruction) => {
                let content = Content::Instruction {
                    target: instruction.target().to_owned(),
                    content: instruction.content().trim_start().to_owned(),
                };
                self.document.add(self.parent(), content);
            }
            Event::DocType(text) => {
                self.document.add(ROOT, Content::Doctype(text.to_string()));
            }
            Event::Decl(declaration) => {
                let text = declaration
                    .strip_prefix("xml")
                    .unwrap_or(&declaration)
                    .trim()
                    .to_owned();
                self.document.declaration = Some(text);
            }
            Event::Eof => {}
        }
        Ok(())
    }

    /// An element with its attributes; a second one at the top is an error.
    fn element(&mut self, tag: &BytesStart) -> Result<Id, String> {
        let top = self.open.len() == 1;
        let elements = |id: &Id| matches!(self.document[*id].content, Content::Element { .. });
        if top && self.document.top.iter().any(elements) {
            return Err("Extra content at the end of the document".to_owned());
        }
        let content = Content::Element {
            name: tag.name().0.to_owned(),
            attributes: Vec::new(),
            children: Vec::new(),
        };
        let id = self.document.add(self.parent(), content);
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let value = attribute
                .normalized_value(XmlVersion::Explicit1_0)
                .map_err(|error| error.to_string())?;
            let content = Content::Attribute {
                name: attribute.key.0.to_owned(),
                value: value.into_owned(),
            };
            self.document.add(id, content);
        }
        Ok(id)
    }

    /// Text; outside the element only white space may stand, and is dropped.
    fn text(&mut self, text: &str) -> Result<(), String> {
        let parent = self.parent();
        if parent == ROOT {
            if text.trim().is_empty() {
                return Ok(());
            }
            let started = !self.document.top.is_empty();
            return Err(if started {
                "Extra content at the end of the document"
            } else {
                "Start tag expected, '<' not found"
            }
            .to_owned());
        }
        self.document.add_text(parent, text);
        Ok(())
    }
}

/// One of the five entities that XML has by itself.
fn named(name: &str) -> Result<String, String> {
    let text = format!("&{name};");
    let found = escape::unescape(&text).map_err(|_| format!("Entity '{name}' not defined"))?;
    Ok(found.into_owned())
}
