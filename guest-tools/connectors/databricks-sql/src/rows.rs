//! Rows as text. The service gives each value as a text or NULL, and the type of each column apart.

use serde::Deserialize;
use serde_json::Value;

use crate::settings::Format;

/// A column of the result.
#[derive(Debug, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) type_name: String,
}

/// A row of the result.
pub(crate) type Row = Vec<Option<String>>;

/// All rows as text.
pub(crate) fn written(format: Format, columns: &[Column], rows: &[Row]) -> String {
    let mut text = String::new();
    match format {
        Format::Csv => {
            if !columns.is_empty() {
                let names = columns.iter().map(|column| quoted(Some(&column.name)));
                line(&mut text, names);
            }
            for row in rows {
                line(&mut text, row.iter().map(|value| quoted(value.as_deref())));
            }
        }
        Format::Jsonl => {
            let names = keys(columns);
            for row in rows {
                let pairs = names.iter().zip(columns).zip(row);
                let pairs: Vec<String> = pairs
                    .map(|((name, column), value)| {
                        format!("{name}:{}", typed(&column.type_name, value.as_deref()))
                    })
                    .collect();
                text.push_str(&format!("{{{}}}\n", pairs.join(",")));
            }
        }
    }
    text
}

fn line(text: &mut String, values: impl Iterator<Item = String>) {
    text.push_str(&values.collect::<Vec<_>>().join(","));
    text.push('\n');
}

/// A value of CSV.
fn quoted(value: Option<&str>) -> String {
    match value {
        None => String::new(),
        Some(text) if text.is_empty() || text.contains(['"', ',', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Some(text) => text.to_owned(),
    }
}

/// The names of an object's fields. A name that is there already gets a number, as readers of JSON keep one of two.
fn keys(columns: &[Column]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in columns {
        let mut name = column.name.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{}_{number}", column.name);
            number += 1;
        }
        names.push(name);
    }
    names
        .into_iter()
        .map(|name| Value::String(name).to_string())
        .collect()
}

/// A value of JSON: numbers and nested ones as the service wrote them, so that no digit is lost.
fn typed(kind: &str, value: Option<&str>) -> String {
    let Some(text) = value else {
        return "null".to_owned();
    };
    let as_it_is = match kind {
        "BYTE" | "SHORT" | "INT" | "LONG" | "FLOAT" | "DOUBLE" | "DECIMAL" => {
            serde_json::from_str(text).is_ok_and(|value: Value| value.is_number())
        }
        "BOOLEAN" => matches!(text, "true" | "false"),
        "ARRAY" | "MAP" | "STRUCT" => serde_json::from_str::<Value>(text).is_ok(),
        _ => false,
    };
    match as_it_is {
        true => text.to_owned(),
        false => Value::String(text.to_owned()).to_string(),
    }
}
