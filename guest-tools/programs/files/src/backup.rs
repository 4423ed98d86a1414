//! Backups that `cp`, `mv`, `ln` and `install` make of what they would replace: "Backup options" in the manual of
//! coreutils.
//!
//! ```text
//! --backup=simple    file  ->  file~
//! --backup=numbered  file  ->  file.~1~, then file.~2~, …
//! -b                 as VERSION_CONTROL says, else numbered where file.~N~ is there, else simple
//! ```

use crate::call::bytes;
use crate::options::Parsed;
use crate::quote;
use crate::system;

/// How backups are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    /// `.~N~`, with N above all that are there.
    Numbered,
    /// Numbered where there are numbered ones already.
    Existing,
    /// The suffix, over any backup that is there.
    Simple,
}

/// What the options and the environment ask for.
pub struct Backup {
    /// None where no backups are made.
    control: Option<Control>,
    /// That of simple backups; never empty, and without slashes.
    suffix: Vec<u8>,
}

impl Backup {
    /// Reads `-b`, `--backup` and `-S`, with `VERSION_CONTROL` and `SIMPLE_BACKUP_SUFFIX`. `-S` alone switches backups
    /// on; a suffix that is empty or has a slash is `~` instead.
    ///
    /// # Errors
    /// The message for a kind that does not exist or is an ambiguous abbreviation.
    pub fn new(parsed: &Parsed) -> Result<Backup, Vec<u8>> {
        let wanted = parsed.has("b") || parsed.has("backup") || parsed.has("S");
        let given = parsed.value("backup").filter(|value| !value.is_empty());
        let variable = crate::system::variable("VERSION_CONTROL");
        let control = match (wanted, given, variable.as_deref()) {
            (false, _, _) => None,
            (true, Some(value), _) => control(value, "backup type")?,
            (true, None, Some(value)) if !value.is_empty() => control(value, "$VERSION_CONTROL")?,
            (true, None, _) => Some(Control::Existing),
        };
        let suffix = parsed
            .value("S")
            .map(<[u8]>::to_vec)
            .or_else(|| crate::system::variable("SIMPLE_BACKUP_SUFFIX"));
        let suffix = suffix
            .filter(|suffix| !suffix.is_empty() && !suffix.contains(&b'/'))
            .unwrap_or_else(|| b"~".to_vec());
        Ok(Backup { control, suffix })
    }

    /// No backups.
    pub fn none() -> Backup {
        Backup {
            control: None,
            suffix: Vec::new(),
        }
    }

    /// Whether backups are made at all.
    pub fn is_on(&self) -> bool {
        self.control.is_some()
    }

    /// Whether each backup has a name of its own.
    pub fn is_numbered(&self) -> bool {
        self.control == Some(Control::Numbered)
    }

    /// Renames `path` out of the way and gives its new name; none where no backups are wanted or nothing is there.
    pub fn make(&self, path: &[u8]) -> system::Result<Option<Vec<u8>>> {
        let Some(control) = self.control else {
            return Ok(None);
        };
        if system::stat(path, false).is_err() {
            return Ok(None);
        }
        let last = match control {
            Control::Simple => None,
            Control::Existing => last_number(path),
            Control::Numbered => Some(last_number(path).unwrap_or(0)),
        };
        let name = match last {
            Some(last) => bytes!(path, format!(".~{}~", last + 1)),
            None => bytes!(path, self.suffix),
        };
        system::rename(path, &name)?;
        Ok(Some(name))
    }
}

/// The kind that a word or the unambiguous start of one means; `what` is how a message calls its place.
fn control(value: &[u8], what: &str) -> Result<Option<Control>, Vec<u8>> {
    let names: [(&str, Option<Control>); 8] = [
        ("none", None),
        ("off", None),
        ("simple", Some(Control::Simple)),
        ("never", Some(Control::Simple)),
        ("existing", Some(Control::Existing)),
        ("nil", Some(Control::Existing)),
        ("numbered", Some(Control::Numbered)),
        ("t", Some(Control::Numbered)),
    ];
    let exact = names.iter().find(|(name, _)| name.as_bytes() == value);
    let mut meant = names
        .iter()
        .filter(|(name, _)| name.as_bytes().starts_with(value));
    let found = exact.or(match (meant.next(), meant.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    });
    match found {
        Some((_, control)) => Ok(*control),
        None => Err(bytes!(
            "invalid argument ",
            quote::word(value),
            " for ",
            quote::word(what.as_bytes()),
            "\nValid arguments are:\n  - ‘none’, ‘off’\n  - ‘simple’, ‘never’\n",
            "  - ‘existing’, ‘nil’\n  - ‘numbered’, ‘t’"
        )),
    }
}

/// The highest number of the numbered backups of `path`; none where there are none. Reads its directory once.
fn last_number(path: &[u8]) -> Option<u64> {
    let (directory, name) = match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..=at], &path[at + 1..]),
        None => (&b"."[..], path),
    };
    let entries = system::read_directory(directory).ok()?;
    let number = |entry: &[u8]| {
        let number = entry
            .strip_prefix(name)?
            .strip_prefix(b".~")?
            .strip_suffix(b"~")?;
        std::str::from_utf8(number).ok()?.parse().ok()
    };
    entries.iter().filter_map(|entry| number(&entry.name)).max()
}
