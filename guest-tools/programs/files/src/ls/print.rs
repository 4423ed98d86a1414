//! How `ls` writes names, and the lines of its long format. Owners and times are looked up and formatted for each line.

use unicode_width::UnicodeWidthStr as _;

use super::colors::Colors;
use super::columns::{self, Cell};
use super::settings::{Format, Indicator, Quoting, Settings, TimeStyle};
use super::{Item, Target};
use crate::accounts::Accounts;
use crate::output::Output;
use crate::quote;
use crate::system::{Kind, Stat, Time};
use crate::time;

/// Columns that a name takes on the screen: two for wide characters, none for control characters.
pub fn width(name: &[u8]) -> usize {
    let visible = |letter: &char| !letter.is_control();
    let name = String::from_utf8_lossy(name);
    name.chars().filter(visible).collect::<String>().width()
}

/// Writes entries in the chosen format.
pub struct Printer<'a> {
    settings: &'a Settings,
    accounts: Accounts,
    zone: jiff::tz::TimeZone,
    /// The time of the start: half a year before it, dates begin to show their year.
    now: Time,
    /// None where nothing is coloured.
    colors: Option<Colors>,
    /// A colour was used: the first one is preceded by a reset.
    colored: bool,
}

impl<'a> Printer<'a> {
    /// Prints as `settings` say.
    pub fn new(settings: &'a Settings) -> Printer<'a> {
        Printer {
            settings,
            accounts: Accounts::new(),
            zone: time::zone(),
            now: Time::now(),
            colors: settings.color.then(Colors::of_environment).flatten(),
            colored: false,
        }
    }

    /// The line above a directory's names.
    pub fn title(&mut self, path: &[u8], out: &mut Output) {
        out.put(self.quoted(path));
        out.line(b":");
    }

    /// The blocks that the items use, where blocks or details are shown.
    pub fn total(&self, items: &[Item], out: &mut Output) {
        if self.settings.long || self.settings.blocks {
            let blocks = items
                .iter()
                .filter_map(|item| item.stat.as_ref())
                .map(|stat| stat.blocks);
            let bytes = blocks.sum::<u64>() * 512;
            out.line(format!("total {}", self.settings.block_size.format(bytes)));
        }
    }

    /// Writes the entries of one directory, or the arguments that are files.
    pub fn items(&mut self, items: &[Item], out: &mut Output) {
        let rows: Vec<(Vec<String>, &Item)> =
            items.iter().map(|item| (self.fields(item), item)).collect();
        let mut widths = vec![0; rows.first().map_or(0, |row| row.0.len())];
        if self.settings.format != Format::Commas {
            for (fields, _) in &rows {
                for (width, field) in widths.iter_mut().zip(fields) {
                    *width = (*width).max(field.chars().count());
                }
            }
        }
        let left = self.left_aligned();
        let mut cells = Vec::with_capacity(rows.len());
        for (fields, item) in &rows {
            let mut line = String::new();
            for ((field, width), left) in fields.iter().zip(&widths).zip(&left) {
                let pad = " ".repeat(width.saturating_sub(field.chars().count()));
                let (before, after) = if *left {
                    ("", pad.as_str())
                } else {
                    (pad.as_str(), "")
                };
                line.extend([before, field, after, " "]);
            }
            let mut cell = (line.clone().into_bytes(), line.chars().count());
            self.name(item, &mut cell);
            if self.settings.format == Format::Lines {
                out.put(&cell.0);
                out.end_line(self.settings.end);
            } else {
                cells.push(cell);
            }
        }
        columns::print(&cells, self.settings, out);
    }

    /// What stands before the name: inode, blocks, and the columns of the long format. `?` for what cannot be had.
    fn fields(&self, item: &Item) -> Vec<String> {
        let settings = self.settings;
        let stat = item.stat.as_ref();
        let show = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
        let mut fields = Vec::new();
        if settings.inode {
            fields.push(show(stat.map(|stat| stat.inode.to_string())));
        }
        if settings.blocks {
            fields.push(show(
                stat.map(|stat| settings.block_size.format(stat.blocks * 512)),
            ));
        }
        if !settings.long {
            fields.extend(settings.context.then(|| "?".to_owned()));
            return fields;
        }
        let Some(stat) = stat else {
            fields.push(format!("{}?????????", char::from(item.kind.letter())));
            let more = 4 + usize::from(settings.owner) + usize::from(settings.group);
            fields.extend((2..more + usize::from(settings.author)).map(|_| "?".to_owned()));
            return fields;
        };
        fields.push(stat.permissions());
        fields.push(stat.links.to_string());
        let owner = || self.accounts.user(stat.uid, settings.numeric);
        if settings.owner {
            fields.push(owner());
        }
        if settings.group {
            fields.push(self.accounts.group(stat.gid, settings.numeric));
        }
        if settings.author {
            fields.push(owner());
        }
        fields.extend(settings.context.then(|| "?".to_owned()));
        fields.push(match stat.kind {
            Kind::CharacterDevice => "0, 0".to_owned(),
            _ => settings.file_size.format(stat.size),
        });
        fields.push(self.time(stat));
        fields
    }

    /// Which of these fields are padded on the right; parallel to `fields`.
    fn left_aligned(&self) -> Vec<bool> {
        let settings = self.settings;
        let mut left = vec![false; usize::from(settings.inode) + usize::from(settings.blocks)];
        if !settings.long {
            left.extend(settings.context.then_some(true));
        } else {
            left.extend([true, false]);
            let names = [settings.owner, settings.group, settings.author];
            left.extend(
                names
                    .into_iter()
                    .filter(|shown| *shown)
                    .map(|_| !settings.numeric),
            );
            left.extend(settings.context.then_some(true));
            left.extend([false, false]);
        }
        left
    }

    /// The date of the long format, in the style that was chosen and the local zone.
    fn time(&self, stat: &Stat) -> String {
        let when = self.settings.time_of(stat);
        // Half a year of 365.2425 days.
        let recent = when <= self.now && when.seconds > self.now.seconds - 15_778_476;
        let local = time::local(when, &self.zone);
        let format = match (&self.settings.time_style, recent) {
            (TimeStyle::FullIso, _) => return time::full(when, &self.zone),
            (TimeStyle::LongIso, _) => "%Y-%m-%d %H:%M",
            (TimeStyle::Iso, true) => "%m-%d %H:%M",
            (TimeStyle::Iso, false) => "%Y-%m-%d ",
            (TimeStyle::Locale, true) => "%b %e %H:%M",
            (TimeStyle::Locale, false) => "%b %e  %Y",
            (TimeStyle::Custom(old, _), false) => old,
            (TimeStyle::Custom(_, new), true) => new,
        };
        time::format(&local, format)
    }

    /// A name in the quoting style.
    fn quoted(&self, name: &[u8]) -> Vec<u8> {
        match self.settings.quoting {
            Quoting::Literal => name.to_vec(),
            Quoting::Question => {
                let shown = |&byte: &u8| {
                    if byte < b' ' || byte == 0x7f {
                        b'?'
                    } else {
                        byte
                    }
                };
                name.iter().map(shown).collect()
            }
            Quoting::Escape => quote::escaped(name, true, false),
            Quoting::C => [b"\"", quote::escaped(name, false, true).as_slice(), b"\""].concat(),
            Quoting::Shell => quote::shell_raw(name, false),
            Quoting::ShellAlways => quote::shell_raw(name, true),
            Quoting::ShellEscape => quote::shell_where_needed(name),
            Quoting::ShellEscapeAlways => quote::shell(name),
            Quoting::Locale => quote::word(name),
        }
    }

    /// Appends the name with its colour, its indicator, and in the long format its target, and adds to the cell's
    /// width.
    fn name(&mut self, item: &Item, cell: &mut Cell) {
        let text = self.quoted(&item.name);
        cell.1 += width(&text);
        let color = match &item.target {
            Some(target) if item.kind == Kind::Symlink => {
                let found = target.stat.as_ref().map(|stat| (stat.kind, stat.mode));
                let colors = self.colors.as_ref();
                colors.and_then(|colors| colors.of_link(&item.name, found))
            }
            _ => self.color(&item.name, item.kind, item.stat.as_ref()),
        };
        let color = color.map(<[u8]>::to_vec);
        self.paint(&text, color, &mut cell.0);
        if let (true, Some(target)) = (self.settings.long, &item.target) {
            cell.0.extend_from_slice(b" -> ");
            self.target(target, &mut cell.0);
        } else if let Some(mark) = self.indicator(item.kind, item.stat.as_ref()) {
            cell.0.push(mark);
            cell.1 += 1;
        }
    }

    /// Appends where a link leads, coloured as what is there.
    fn target(&mut self, target: &Target, out: &mut Vec<u8>) {
        let text = self.quoted(&target.text);
        let Some(stat) = &target.stat else {
            let color = self.colors.as_ref().and_then(Colors::of_missing);
            let color = color.map(<[u8]>::to_vec);
            return self.paint(&text, color, out);
        };
        let color = self.color(&target.text, stat.kind, Some(stat));
        let color = color.map(<[u8]>::to_vec);
        self.paint(&text, color, out);
        out.extend(self.indicator(stat.kind, Some(stat)));
    }

    /// The character behind the name, by kind; none in the styles that have none.
    fn indicator(&self, kind: Kind, stat: Option<&Stat>) -> Option<u8> {
        let style = self.settings.indicator;
        match (style, kind) {
            (Indicator::None, _) => None,
            (_, Kind::Directory) => Some(b'/'),
            (Indicator::Slash, _) => None,
            (_, Kind::Symlink) => Some(b'@'),
            (_, Kind::Fifo) => Some(b'|'),
            (Indicator::Classify, Kind::Regular) => stat
                .is_some_and(|stat| stat.mode & 0o111 != 0)
                .then_some(b'*'),
            _ => None,
        }
    }

    /// The colour of a name; none where colours are off.
    fn color(&self, item: &[u8], kind: Kind, stat: Option<&Stat>) -> Option<&[u8]> {
        let colors = self.colors.as_ref()?;
        colors.of(item, kind, stat.map_or(0, |stat| stat.mode))
    }

    /// Appends text in a colour. The first one of a run is preceded by a reset, as GNU's is.
    fn paint(&mut self, text: &[u8], color: Option<Vec<u8>>, out: &mut Vec<u8>) {
        let Some(color) = color else {
            return out.extend_from_slice(text);
        };
        if !self.colored {
            out.extend_from_slice(b"\x1b[0m");
            self.colored = true;
        }
        out.extend_from_slice(&[b"\x1b[", &color[..], b"m", text, b"\x1b[0m"].concat());
    }
}
