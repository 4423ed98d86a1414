//! The colours of results, by `LS_COLORS` or the table that fd brings along (`colors.txt`, one `key=code` a line).
//!
//! Both have the entries of dircolors(5): two-letter keys for kinds of files (`di`, `ln`, `ex`, …) and `*suffix` for
//! names. A lookup goes through the entries from the last to the first, so that it costs O(entries) for each path and
//! later entries win.

use std::path::Path;

use crate::output::Output;
use crate::system::{self, Kind};

/// Used where `LS_COLORS` is unset or empty.
const OWN: &str = include_str!("colors.txt");

/// The entries in their order, as (key in lower case, style). Of several that fit, the last one holds.
pub struct Colors(Vec<(String, Style)>);

/// The parameters of an SGR sequence without `\x1b[` and `m`, for example `1;34`; empty where text is plain.
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

    /// The style of a two-letter key such as `di`.
    fn of_kind(&self, key: &str) -> Option<&Style> {
        let mut entries = self.0.iter().rev();
        entries
            .find(|(known, _)| known == key)
            .map(|(_, style)| style)
    }

    /// The style of the last `*suffix` that the name ends with, regardless of case.
    fn of_name(&self, name: &str) -> Option<&Style> {
        let name = name.to_lowercase();
        let fits = |(key, _): &&(String, Style)| {
            key.strip_prefix('*').is_some_and(|end| name.ends_with(end))
        };
        self.0.iter().rev().find(fits).map(|(_, style)| style)
    }

    /// The style of the file at `path`; none where it is gone or no entry fits.
    ///
    /// As in GNU `ls`, more special keys come before general ones: a directory that is sticky and writable by others is
    /// `tw`, else `st`, else `ow`, else `di`. A dangling link is `or`, then `mi`, then `ln`. For an executable file
    /// `ex` outranks its suffix; other files fall back to `fi`, then `no`.
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

    /// Writes a path: its folder part up to the last slash in the colour of folders, its name in its own. `shown` is
    /// how the path is written, `path` where the file is found for its `stat`. A directory gets a slash at its end.
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

/// Writes text between a style and a reset, or as it is where the style is empty.
fn paint(out: &mut Output, style: &str, text: &str) {
    if style.is_empty() {
        out.put(text);
    } else {
        out.put(format!("\x1b[{style}m{text}\x1b[0m"));
    }
}

/// The codes of an entry in the order in which fd writes them: attributes (sorted), background, foreground. `38;5;N`
/// and `38;2;R;G;B` (and `48;…`) are one colour each; a `0` forgets what came before it.
///
/// ```text
/// 34;1            ->  1;34
/// 0;38;5;81       ->  38;5;81
/// 30;42           ->  42;30
/// ```
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
