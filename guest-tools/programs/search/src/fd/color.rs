//! The colours of results, by `LS_COLORS` or fd's own table.

use std::path::Path;

use crate::output::Output;
use crate::system::{self, Kind};

/// What fd shows without `LS_COLORS`.
const OWN: &str = include_str!("colors.txt");

/// Colours by kind and by the end of a name; the last entry that fits holds.
pub struct Colors(Vec<(String, Style)>);

/// The start of an escape sequence; empty where text is plain.
type Style = String;

impl Colors {
    /// The table of the environment.
    pub fn new() -> Colors {
        let given = crate::system::text_variable("LS_COLORS");
        let given = given.filter(|text| !text.is_empty());
        let entries = given.as_deref().unwrap_or(OWN).split([':', '\n']);
        let pairs = entries.filter_map(|entry| entry.split_once('='));
        Colors(
            pairs
                .map(|(key, code)| (key.to_ascii_lowercase(), style(code)))
                .collect(),
        )
    }

    fn of_kind(&self, key: &str) -> Option<&Style> {
        let mut entries = self.0.iter().rev();
        entries
            .find(|(known, _)| known == key)
            .map(|(_, style)| style)
    }

    fn of_name(&self, name: &str) -> Option<&Style> {
        let name = name.to_lowercase();
        let fits = |(key, _): &&(String, Style)| {
            key.strip_prefix('*').is_some_and(|end| name.ends_with(end))
        };
        self.0.iter().rev().find(fits).map(|(_, style)| style)
    }

    fn of(&self, path: &Path) -> Option<&Style> {
        let text = path.as_os_str().as_encoded_bytes();
        let stat = system::stat(text, false).ok()?;
        let first = |keys: &[&str]| keys.iter().find_map(|key| self.of_kind(key));
        match stat.kind {
            Kind::Directory => match stat.mode & 0o1002 {
                0o1002 => first(&["tw", "di"]),
                0o1000 => first(&["st", "di"]),
                0o0002 => first(&["ow", "di"]),
                _ => first(&["di"]),
            },
            Kind::Symlink if system::stat(text, true).is_err() => first(&["or", "mi", "ln"]),
            Kind::Symlink => first(&["ln"]),
            Kind::Fifo => first(&["pi"]),
            Kind::CharacterDevice => first(&["cd"]),
            Kind::Regular if stat.mode & 0o111 != 0 && self.of_kind("ex").is_some() => {
                first(&["ex"])
            }
            Kind::Regular => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                self.of_name(&name).or_else(|| first(&["fi", "no"]))
            }
        }
    }

    /// Writes a path: its folder in the colour of folders, its name in its own; `shown` is how it is
    /// written, `path` where it is.
    pub fn put(&self, out: &mut Output, shown: &str, path: &Path, is_directory: bool) {
        let folder = self.of_kind("di").cloned().unwrap_or_default();
        let name = shown.rfind('/').map_or(0, |at| at + 1);
        if name > 0 {
            paint(out, &folder, &shown[..name]);
        }
        paint(
            out,
            self.of(path).map_or("", String::as_str),
            &shown[name..],
        );
        if is_directory {
            paint(out, &folder, "/");
        }
    }
}

fn paint(out: &mut Output, style: &str, text: &str) {
    if style.is_empty() {
        out.put(text);
    } else {
        out.put(format!("\x1b[{style}m{text}\x1b[0m"));
    }
}

/// The codes of an entry in a fixed order: attributes, background, foreground.
fn style(code: &str) -> Style {
    let (mut attributes, mut back, mut front) = (Vec::new(), None, None);
    let mut numbers = code.split(';').map(|part| part.parse::<u8>().unwrap_or(0));
    while let Some(number) = numbers.next() {
        match number {
            0 => (attributes, back, front) = (Vec::new(), None, None),
            1..=9 => attributes.push(number),
            30..=37 | 90..=97 => front = Some(number.to_string()),
            40..=47 | 100..=107 => back = Some(number.to_string()),
            38 | 48 => {
                let count = if numbers.next() == Some(5) { 1 } else { 3 };
                let values: Vec<String> = numbers
                    .by_ref()
                    .take(count)
                    .map(|value| value.to_string())
                    .collect();
                let mode = if count == 1 { 5 } else { 2 };
                let text = format!("{number};{mode};{}", values.join(";"));
                *(if number == 38 { &mut front } else { &mut back }) = Some(text);
            }
            _ => {}
        }
    }
    attributes.sort_unstable();
    let attributes = attributes.iter().map(u8::to_string);
    let parts: Vec<String> = attributes.chain(back).chain(front).collect();
    parts.join(";")
}
