//! What documents are read from and written to besides YAML, and the functions of expressions that do so within a
//! document.
//!
//! | format | reads | writes | module |
//! |---|---|---|---|
//! | `yaml` | documents | a document | `read`, `write` of `yq` |
//! | `json` | values one after the other | a value | `json` |
//! | `props` | one mapping | a line a scalar | `properties` |
//! | `csv`, `tsv` | a list of mappings | a row or a table | `table` |
//! | `xml` | one mapping | an element a member | `xml` |
//! | `toml` | one mapping | a mapping | `toml` |
//! | `base64`, `uri` | one string | a string | here, `shell` |
//! | `sh`, `shell` | | a word, assignments | `shell` |
//!
//! `lua`, `hcl`, `ini` and `kyaml` of the original are refused by name.

mod json;
mod properties;
mod shell;
mod table;
mod toml;
mod xml;

use base64::Engine as _;

use super::evaluate::{Context, Found, Machine};
use super::functions::each;
use super::parse::Expression;
use super::tree::{Id, Kind, Tree};
use super::{read, write};
use crate::system;

/// A format by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `yaml`, `y`
    Yaml,
    /// `json`, `j`
    Json,
    /// `props`, `p`: Java properties.
    Properties,
    /// `csv`, `c`
    Csv,
    /// `tsv`, `t`
    Tsv,
    /// `xml`, `x`
    Xml,
    /// `toml`
    Toml,
    /// `base64`: a string.
    Base64,
    /// `uri`: a string with percent signs, and `+` for a space.
    Uri,
    /// `sh`: a string as a word of the shell.
    Sh,
    /// `shell`, `s`: assignments of the shell.
    ShellVariables,
}

impl Format {
    /// The format that an option names.
    pub fn named(name: &str) -> Result<Format, String> {
        Ok(match name {
            "yaml" | "y" | "yml" => Format::Yaml,
            "json" | "j" => Format::Json,
            "props" | "p" | "properties" => Format::Properties,
            "csv" | "c" => Format::Csv,
            "tsv" | "t" => Format::Tsv,
            "xml" | "x" => Format::Xml,
            "toml" => Format::Toml,
            "base64" => Format::Base64,
            "uri" => Format::Uri,
            "sh" => Format::Sh,
            "shell" | "s" => Format::ShellVariables,
            "lua" | "l" | "hcl" | "kyaml" | "ky" | "ini" | "i" => {
                return Err(format!("format '{name}' is not supported"));
            }
            _ => {
                return Err(format!(
                    "unknown format '{name}' please use [yaml|json|props|csv|tsv|xml|base64|uri|toml|shell]"
                ));
            }
        })
    }

    /// The format of a file, by its ending; `None` for an ending that says nothing, so that the caller takes YAML.
    pub fn of_file(name: &str) -> Option<Format> {
        let ending = name.rsplit_once('.')?.1;
        match ending {
            "yaml" | "yml" => Some(Format::Yaml),
            "json" => Some(Format::Json),
            "properties" => Some(Format::Properties),
            "csv" => Some(Format::Csv),
            "tsv" => Some(Format::Tsv),
            "xml" => Some(Format::Xml),
            "toml" => Some(Format::Toml),
            _ => None,
        }
    }
}

/// How documents are written.
#[derive(Clone, Debug)]
pub struct Layout {
    /// How many blanks a level is indented by.
    pub indent: usize,
    /// Whether lists in mappings are not indented.
    pub compact_lists: bool,
    /// Strings are written without quotes.
    pub unwrap: bool,
    /// What separates cells of CSV.
    pub csv_separator: u8,
    /// What separates cells of TSV.
    pub tsv_separator: u8,
    /// Whether cells of tables are read as YAML scalars, so that `1` is a number; otherwise all are strings.
    pub auto_parse: bool,
    /// What stands between name and value of a property.
    pub properties_separator: String,
    /// Whether places in lists are written `a[0]` and not `a.0` in properties.
    pub brackets: bool,
    /// What stands between the parts of a variable's name.
    pub shell_separator: String,
    /// How XML maps to mappings.
    pub xml: XmlNames,
}

/// What the parts of XML are called in other formats.
#[derive(Clone, Debug)]
pub struct XmlNames {
    /// What stands before the name of an attribute: `+@id`.
    pub attribute: String,
    /// The name of the text beside attributes and elements.
    pub content: String,
    /// What stands before the target of a processing instruction: `+p_xml`.
    pub processing: String,
    /// The name of a document type.
    pub directive: String,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            indent: 2,
            compact_lists: false,
            unwrap: true,
            csv_separator: b',',
            tsv_separator: b'\t',
            auto_parse: true,
            properties_separator: " = ".to_owned(),
            brackets: false,
            shell_separator: "_".to_owned(),
            xml: XmlNames {
                attribute: "+@".to_owned(),
                content: "+content".to_owned(),
                processing: "+p_".to_owned(),
                directive: "+directive".to_owned(),
            },
        }
    }
}

/// Reads the documents of a text and marks each with its place and the number of its file.
///
/// # Errors
/// A message of the format, and for formats that can only be written.
pub fn decode(
    tree: &mut Tree,
    format: Format,
    text: &str,
    layout: &Layout,
    file: usize,
) -> Result<Vec<Id>, String> {
    let roots = match format {
        Format::Yaml => return read::documents(tree, text, file),
        Format::Json => json::read(tree, text)?,
        Format::Properties => vec![properties::read(tree, text)],
        Format::Csv => vec![table::read(
            tree,
            text,
            layout.csv_separator,
            layout.auto_parse,
        )?],
        Format::Tsv => vec![table::read(
            tree,
            text,
            layout.tsv_separator,
            layout.auto_parse,
        )?],
        Format::Xml => vec![xml::read(tree, text, &layout.xml)?],
        Format::Toml => vec![toml::read(tree, text)?],
        Format::Base64 => {
            let bytes =
                base64::engine::general_purpose::STANDARD.decode(text.trim().trim_end_matches('='));
            let bytes = bytes.or_else(|_| {
                base64::engine::general_purpose::STANDARD_NO_PAD
                    .decode(text.trim().trim_end_matches('='))
            });
            let bytes = bytes.map_err(|_| "illegal base64 data".to_owned())?;
            vec![tree.string(&String::from_utf8_lossy(&bytes))]
        }
        Format::Uri => vec![tree.string(&shell::decode_uri(text.trim_end_matches('\n')))],
        Format::Sh | Format::ShellVariables => {
            return Err("no support for input format shell".to_owned());
        }
    };
    for (place, &root) in roots.iter().enumerate() {
        (tree[root].document, tree[root].file) = (place, file);
    }
    Ok(roots)
}

/// Writes one node; ends with a newline where the format has lines.
pub fn encode(tree: &Tree, id: Id, format: Format, layout: &Layout) -> Result<String, String> {
    let scalar = tree[id].kind == Kind::Scalar;
    let text = || {
        if scalar {
            Ok(tree[id].value.to_string())
        } else {
            let what = match format {
                Format::Base64 => "base64",
                Format::Uri => "uri",
                _ => "sh",
            };
            Err(format!(
                "cannot encode {} as {what}, can only operate on strings. Please first pipe through another encoding operator to convert the value to a string",
                tree[id].tag
            ))
        }
    };
    Ok(match format {
        Format::Yaml if scalar && layout.unwrap => format!("{}\n", tree[id].value),
        Format::Yaml => write::document(tree, id, layout.indent, layout.compact_lists),
        Format::Json if scalar && layout.unwrap && &*tree[id].tag == "!!str" => {
            format!("{}\n", tree[id].value)
        }
        Format::Json => json::write(tree, id, layout.indent)?,
        Format::Properties => properties::write(tree, id, layout)?,
        Format::Csv => table::write(tree, id, layout.csv_separator)?,
        Format::Tsv => table::write(tree, id, layout.tsv_separator)?,
        Format::Xml => xml::write(tree, id, layout.indent, &layout.xml)?,
        Format::Toml => toml::write(tree, id)?,
        Format::Base64 => base64::engine::general_purpose::STANDARD.encode(text()?),
        Format::Uri => shell::encode_uri(&text()?),
        Format::Sh => shell::quote(&text()?),
        Format::ShellVariables => shell::variables(tree, id, &layout.shell_separator),
    })
}

/// Each node as a string in a format, for `to_json(2)`, `@csv` and the like. Scalars and single lines have no newline
/// at the end.
pub fn encode_nodes(
    machine: &mut Machine,
    context: &Context,
    format: &str,
    indent: usize,
) -> Found {
    let format = Format::named(format)?;
    let layout = Layout {
        indent,
        unwrap: matches!(format, Format::Csv | Format::Tsv | Format::Properties),
        ..Layout::default()
    };
    each(machine, context, |machine, node| {
        let node = machine.tree.follow(node);
        let mut text = encode(&machine.tree, node, format, &layout)?;
        let one_line = matches!(format, Format::Json) && indent == 0;
        if one_line
            || matches!(format, Format::Csv | Format::Tsv)
            || machine.tree[node].kind == Kind::Scalar
        {
            text.truncate(text.trim_end_matches('\n').len());
        }
        let new = machine.tree.replacement(node, Kind::Scalar, "!!str", &text);
        machine.tree[new].key = machine.tree[node].key;
        Ok(new)
    })
}

/// Calls `@json`, `from_yaml` and the like. `plain` is the name in lower case without underscores, `name` as it was
/// written, for the message about one that does not exist. Null is not decoded but stays.
pub fn call(machine: &mut Machine, context: &Context, plain: &str, name: &str) -> Found {
    let (target, decoding, indent) = match plain {
        "@json" => ("json", false, 0),
        "@yaml" => ("yaml", false, 2),
        "@props" => ("props", false, 2),
        "@xml" => ("xml", false, 0),
        "@csv" => ("csv", false, 0),
        "@tsv" => ("tsv", false, 0),
        "@base64" => ("base64", false, 0),
        "@uri" => ("uri", false, 0),
        "@sh" => ("sh", false, 0),
        "@base64d" => ("base64", true, 0),
        "@urid" => ("uri", true, 0),
        "@jsond" | "@yamld" => ("yaml", true, 0),
        "@xmld" => ("xml", true, 0),
        "@csvd" => ("csv", true, 0),
        "@tsvd" => ("tsv", true, 0),
        "@propsd" => ("props", true, 0),
        "fromjson" | "fromyaml" => ("yaml", true, 0),
        _ => match (plain.strip_prefix("to"), plain.strip_prefix("from")) {
            (Some(format @ ("json" | "yaml" | "props" | "xml" | "csv" | "tsv")), _) => {
                (format, false, 2)
            }
            (_, Some(format @ ("props" | "xml" | "csv" | "tsv"))) => (format, true, 0),
            _ => {
                return Err(format!(
                    "lexer: invalid input text {name:?}: there is no such function here"
                ));
            }
        },
    };
    if !decoding {
        return encode_nodes(machine, context, target, indent);
    }
    let format = Format::named(target)?;
    each(machine, context, |machine, node| {
        let data = machine.tree[node].clone();
        if machine.tree.is_null(node) {
            return Ok(node);
        }
        let roots = decode(
            &mut machine.tree,
            format,
            &data.value,
            &Layout::default(),
            data.file,
        )?;
        let Some(&root) = roots.first() else {
            return Ok(machine
                .tree
                .replacement(node, Kind::Scalar, "!!null", "null"));
        };
        let new = machine.tree.copy_into_place(node, root);
        machine.tree[new].leading = "".into();
        Ok(new)
    })
}

/// Reads the file that an expression names, for `load`, `load_xml`, `load_props`, `load_base64` and `load_str`: one
/// value for each node. Several documents make a list.
pub fn load(machine: &mut Machine, context: &Context, function: &str, name: &Expression) -> Found {
    let format = match function {
        "load" => Some(Format::Yaml),
        "loadxml" | "xmlload" => Some(Format::Xml),
        "loadprops" => Some(Format::Properties),
        "loadbase64" => Some(Format::Base64),
        _ => None,
    };
    let mut found = Vec::new();
    for &node in &context.nodes {
        let Some(name) = machine.first(&context.one(node).readonly(), name)? else {
            return Err("filename expression returned nil".to_owned());
        };
        let path = machine.tree[name].value.clone();
        let bytes = system::read_whole(path.as_bytes()).map_err(|failure| {
            format!(
                "failed to load {path}: open {path}: {}",
                failure.0.to_string().to_lowercase()
            )
        })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let loaded = match format {
            None => machine.tree.string(&text),
            Some(format) => {
                let file = machine.tree[node].file;
                let mut roots = decode(&mut machine.tree, format, &text, &Layout::default(), file)?;
                match roots.len() {
                    0 => machine.tree.null(),
                    1 => roots.remove(0),
                    _ => {
                        let list = machine.tree.make(Kind::Sequence, "!!seq", "");
                        for root in roots {
                            machine.tree.append(list, root);
                        }
                        list
                    }
                }
            }
        };
        let new = machine.tree.copy_into_place(node, loaded);
        found.push(new);
    }
    Ok(found)
}
