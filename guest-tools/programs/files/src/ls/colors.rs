//! The colours of names, as `LS_COLORS` has them: dircolors(1). Keys other than kinds of files (`lc`, `rs`, …) are read
//! and have no effect.

use std::collections::HashMap;

use crate::glob::Glob;
use crate::system::Kind;

/// Colours by kind, and by how a name ends.
pub struct Colors {
    /// By keys such as `di`; the values are parameters of SGR, as in `01;34`.
    kinds: HashMap<[u8; 2], Vec<u8>>,
    /// The last one that fits holds.
    endings: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What there is without `LS_COLORS`, but for executables.
const USUAL: [(&[u8; 2], &str); 9] = [
    (b"di", "01;34"),
    (b"ln", "01;36"),
    (b"pi", "33"),
    (b"cd", "01;33"),
    (b"su", "37;41"),
    (b"sg", "30;43"),
    (b"st", "37;44"),
    (b"ow", "34;42"),
    (b"tw", "30;42"),
];

/// Terminals that show colours, as globs: the list of dircolors(1).
const TERMINALS: [&str; 23] = [
    "Eterm",
    "ansi",
    "*color*",
    "con[0-9]*x[0-9]*",
    "cons25",
    "console",
    "cygwin",
    "*direct*",
    "dtterm",
    "gnome",
    "hurd",
    "jfbterm",
    "konsole",
    "kterm",
    "linux",
    "linux-c",
    "mlterm",
    "putty",
    "rxvt*",
    "screen*",
    "terminator",
    "tmux*",
    "xterm*",
];

impl Colors {
    /// The colours that the environment asks for; none where the terminal is not known to have any.
    pub fn of_environment() -> Option<Colors> {
        let text = |name| crate::system::variable(name);
        let given = text("LS_COLORS").filter(|given| !given.is_empty());
        if given.is_none() && text("COLORTERM").is_none_or(|term| term.is_empty()) {
            let term = text("TERM").unwrap_or_default();
            let fits = |name: &&str| Glob::new(name.as_bytes(), false, false).matches(&term);
            TERMINALS.iter().find(|name| fits(name))?;
        }
        let mut colors = Colors::usual();
        for entry in given.unwrap_or_default().split(|&byte| byte == b':') {
            colors.add(entry);
        }
        Some(colors)
    }

    /// The colours without `LS_COLORS`.
    fn usual() -> Colors {
        let executable = (*b"ex", b"01;32".to_vec());
        let kinds = USUAL
            .iter()
            .map(|(key, color)| (**key, color.as_bytes().to_vec()));
        Colors {
            kinds: kinds.chain([executable]).collect(),
            endings: Vec::new(),
        }
    }

    /// Takes an entry, `KEY=COLOR` or `*END=COLOR`; others are passed over.
    fn add(&mut self, entry: &[u8]) {
        let Some(at) = entry.iter().position(|&byte| byte == b'=') else {
            return;
        };
        let (key, color) = (&entry[..at], entry[at + 1..].to_vec());
        match key {
            [b'*', ending @ ..] => self.endings.push((ending.to_vec(), color)),
            [first, second] => {
                self.kinds.insert([*first, *second], color);
            }
            _ => {}
        }
    }

    /// The colour of a symbolic link, by what it leads to: that of links; with `ln=target` that of its target; where it
    /// leads nowhere `or`, if there is one.
    pub fn of_link(&self, name: &[u8], target: Option<(Kind, u32)>) -> Option<&[u8]> {
        let as_target = self
            .kinds
            .get(b"ln")
            .is_some_and(|color| color == b"target");
        match target {
            Some((kind, mode)) if as_target => self.of(name, kind, mode),
            None if as_target || self.kinds.get(b"or").is_some_and(is_color) => {
                self.kinds.get(b"or").map(Vec::as_slice)
            }
            _ => self.of(name, Kind::Symlink, 0),
        }
    }

    /// The colour of the target of a link that leads nowhere: `mi`, else `or`.
    pub fn of_missing(&self) -> Option<&[u8]> {
        let missing = self.kinds.get(b"mi").filter(|color| is_color(color));
        missing.or(self.kinds.get(b"or")).map(Vec::as_slice)
    }

    /// The colour of a name; none where it has none, or one that says so (`0`). `mode` is 0 where it is not known.
    /// Sticky, set-ID and execute bits outrank the kind, and these the name's end.
    pub fn of(&self, name: &[u8], kind: Kind, mode: u32) -> Option<&[u8]> {
        let has = |bits: u32| mode & bits == bits;
        let keys: &[&[u8; 2]] = match kind {
            Kind::Directory if has(0o1002) => &[b"tw", b"di"],
            Kind::Directory if has(0o002) => &[b"ow", b"di"],
            Kind::Directory if has(0o1000) => &[b"st", b"di"],
            Kind::Directory => &[b"di"],
            Kind::Symlink => &[b"ln"],
            Kind::Fifo => &[b"pi"],
            Kind::CharacterDevice => &[b"cd"],
            Kind::Regular if has(0o4000) => &[b"su"],
            Kind::Regular if has(0o2000) => &[b"sg"],
            Kind::Regular if mode & 0o111 != 0 => &[b"ex"],
            Kind::Regular => &[],
        };
        let set = |color: &&Vec<u8>| is_color(color);
        let special = keys.iter().find_map(|key| self.kinds.get(*key).filter(set));
        let ending = || {
            let mut endings = self.endings.iter().rev();
            let found = endings.find(|(ending, _)| name.ends_with(ending));
            found.map(|(_, color)| color).filter(set)
        };
        let plain = || self.kinds.get(b"fi").filter(set);
        let found = match kind {
            Kind::Regular => special.or_else(ending).or_else(plain),
            _ => special,
        };
        found.map(Vec::as_slice)
    }
}

/// Whether it is more than none at all.
fn is_color(color: &Vec<u8>) -> bool {
    !matches!(color.as_slice(), b"" | b"0" | b"00")
}
