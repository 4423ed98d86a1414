//! The texts of `-printf`, `-fprintf` and `-ls`.
//!
//! Formats are interpreted anew for each file; a directive costs a `stat` only where it needs one. Times have ten
//! digits behind the point, as findutils prints nanoseconds.

use super::evaluate::base_name;
use super::{Find, Found};
use crate::call::{bytes, complain};
use crate::system::{self, Kind, Stat, Time};
use crate::time;

impl Find<'_> {
    /// The text of a `-printf` format. A directive that does not exist is written as it is, without its flags; `\c`
    /// ends the text.
    ///
    /// ```text
    /// %P %s\n   of ./a/b below .   ->  a/b 12
    /// %-5f|     of ./x             ->  x    |
    /// ```
    pub(super) fn format(&mut self, format: &[u8], found: &mut Found) -> Vec<u8> {
        let mut out = Vec::with_capacity(format.len() + found.path.len());
        let mut rest = format;
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            match byte {
                b'\\' => match escape(after, &mut out) {
                    Some(after) => rest = after,
                    None => return out,
                },
                b'%' => rest = self.conversion(after, found, &mut out),
                _ => out.push(byte),
            }
        }
        out
    }

    /// Writes one directive, whose text begins behind the `%`: flags, width, precision, letter, and for `%A`, `%B`,
    /// `%C` and `%T` one more letter. Gives the text behind it. The width counts bytes and is filled with spaces; other
    /// flags than `-` have an effect on the numbers `%d` and `%m` alone.
    fn conversion<'b>(&mut self, text: &'b [u8], found: &mut Found, out: &mut Vec<u8>) -> &'b [u8] {
        let flags = text
            .iter()
            .take_while(|byte| b"-+ 0#".contains(byte))
            .count();
        let size = |text: &[u8]| {
            let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (crate::options::number::<usize>(&text[..digits]), digits)
        };
        let (width, digits) = size(&text[flags..]);
        let mut at = flags + digits;
        let mut precision = None;
        if text.get(at) == Some(&b'.') {
            let (given, digits) = size(&text[at + 1..]);
            precision = Some(given.unwrap_or(0));
            at += 1 + digits;
        }
        let Some(&letter) = text.get(at) else {
            out.push(b'%');
            return text;
        };
        at += 1;
        if letter == b'%' {
            out.push(b'%');
            return &text[at..];
        }
        let argument = text.get(at).copied();
        let takes_argument = b"ACTB".contains(&letter) && argument.is_some();
        at += usize::from(takes_argument);
        match self.value(letter, argument, found) {
            Some(mut value) => {
                let width = width.unwrap_or(0);
                if b"dm".contains(&letter) {
                    value = number(&value, letter, &text[..flags], width, precision);
                } else if let Some(precision) = precision {
                    value.truncate(precision);
                }
                let missing = width.saturating_sub(value.len());
                let padding = std::iter::repeat_n(b' ', missing);
                if text[..flags].contains(&b'-') {
                    value.extend(padding);
                } else {
                    value.splice(..0, padding);
                }
                out.extend_from_slice(&value);
            }
            None => {
                out.push(b'%');
                out.push(letter);
            }
        }
        &text[at..]
    }

    /// What a directive stands for; none for an unknown letter, and where the `stat` cannot be had. `argument` is the
    /// letter after it, for times. `%F` is always `tmpfs` and `%S` always 1, since the filesystem has no other type and
    /// no holes are told.
    fn value(&mut self, letter: u8, argument: Option<u8>, found: &mut Found) -> Option<Vec<u8>> {
        let path = &found.path;
        match letter {
            b'p' => return Some(path.clone()),
            b'f' => return Some(base_name(path).to_vec()),
            b'P' => {
                return Some(
                    path[found.root..]
                        .strip_prefix(b"/")
                        .unwrap_or(&path[found.root..])
                        .to_vec(),
                );
            }
            b'H' => return Some(path[..found.root].to_vec()),
            b'h' => {
                let directory = path.iter().rposition(|&byte| byte == b'/');
                return Some(directory.map_or(b".".to_vec(), |at| path[..at].to_vec()));
            }
            b'd' => return Some(found.depth.to_string().into_bytes()),
            b'l' => {
                let target = (found.kind == Kind::Symlink).then(|| system::read_link(path).ok());
                return Some(target.flatten().unwrap_or_default());
            }
            _ => {}
        }
        let stat = self.stat(found)?.clone();
        let text = match letter {
            b's' => stat.size.to_string(),
            b'b' => stat.blocks.to_string(),
            b'k' => stat.blocks.div_ceil(2).to_string(),
            b'm' => format!("{:o}", stat.mode),
            b'M' => stat.permissions(),
            b'u' => self.accounts.user(stat.uid, false),
            b'g' => self.accounts.group(stat.gid, false),
            b'U' => stat.uid.to_string(),
            b'G' => stat.gid.to_string(),
            b'i' => stat.inode.to_string(),
            b'n' => stat.links.to_string(),
            b'D' => stat.device.to_string(),
            b'F' => "tmpfs".to_owned(),
            b'S' => "1".to_owned(),
            b'y' => kind_letter(stat.kind).to_string(),
            b'Y' => match system::stat(&found.path, true) {
                Ok(target) => kind_letter(target.kind).to_string(),
                Err(_) => "N".to_owned(),
            },
            b'a' => self.ctime(stat.accessed),
            b'c' => self.ctime(stat.changed),
            b't' => self.ctime(stat.modified),
            b'A' => self.time(stat.accessed, argument?),
            b'B' => self.time(stat.created, argument?),
            b'C' => self.time(stat.changed, argument?),
            b'T' => self.time(stat.modified, argument?),
            _ => return None,
        };
        Some(text.into_bytes())
    }

    /// `Sun Nov 29 02:25:25.1234567890 2026`, as `%a`, `%c` and `%t` show a time.
    fn ctime(&self, when: Time) -> String {
        let local = time::local(when, &self.zone);
        let head = time::format(&local, "%a %b %e %H:%M:%S");
        format!(
            "{head}.{:09}0 {}",
            when.nanoseconds,
            time::format(&local, "%Y")
        )
    }

    /// A time as the letter says, which is one of `strftime` or of findutils' own: `@` seconds since the epoch, `+`
    /// date and time with a `+` between; seconds have their fraction in `S`, `T`, `X`, `@` and `+`.
    fn time(&self, when: Time, letter: u8) -> String {
        let local = time::local(when, &self.zone);
        let fraction = format!("{:09}0", when.nanoseconds);
        match letter {
            b'@' => format!("{}.{fraction}", when.seconds),
            b'S' => format!("{}.{fraction}", time::format(&local, "%S")),
            b'T' | b'X' => format!("{}.{fraction}", time::format(&local, "%H:%M:%S")),
            b'+' => format!("{}.{fraction}", time::format(&local, "%Y-%m-%d+%H:%M:%S")),
            b'c' => self.ctime(when),
            _ => time::format(&local, &format!("%{}", char::from(letter))),
        }
    }

    /// A line of `-ls`: inode, kilobytes, mode, links, owner, group, size, date, path, and for a link its target. A
    /// date older than six months or in the future shows its year instead of the time of day. Empty where there is no
    /// `stat`.
    pub(super) fn long(&mut self, found: &mut Found) -> Vec<u8> {
        let Some(stat) = self.stat(found).cloned() else {
            return Vec::new();
        };
        let user = self.accounts.user(stat.uid, false);
        let group = self.accounts.group(stat.gid, false);
        let local = time::local(stat.modified, &self.zone);
        let recent =
            stat.modified <= self.now && stat.modified.seconds > self.now.seconds - 15_778_476;
        let date = time::format(&local, if recent { "%b %e %H:%M" } else { "%b %e  %Y" });
        let head = format!(
            "{:>9} {:>6} {} {:>3} {user:<8} {group:<8} {:>8} {date} ",
            stat.inode,
            stat.blocks.div_ceil(2),
            stat.permissions(),
            stat.links,
            stat.size,
        );
        let target = self.target(found, &stat);
        bytes!(
            head,
            crate::quote::escaped(&found.path, true, false),
            target,
            "\n"
        )
    }

    /// An arrow and the target of a link; empty for other files.
    fn target(&self, found: &Found, stat: &Stat) -> Vec<u8> {
        match system::read_link(&found.path) {
            Ok(target) if stat.kind == Kind::Symlink => bytes!(" -> ", target),
            _ => Vec::new(),
        }
    }
}

/// The letter of `%y`: that of `ls`, but `f` for a regular file.
fn kind_letter(kind: Kind) -> char {
    if kind == Kind::Regular {
        'f'
    } else {
        char::from(kind.letter())
    }
}

/// The digits as `printf` writes a number with these flags: decimal for `%d`, octal for `%m`.
///
/// ```text
/// %05d  7  ->  00007      %+d  7  ->  +7      %#m  644  ->  0644      %.4m  644  ->  0644
/// ```
fn number(
    digits: &[u8],
    letter: u8,
    flags: &[u8],
    width: usize,
    precision: Option<usize>,
) -> Vec<u8> {
    let has = |flag: u8| flags.contains(&flag);
    let before = match letter {
        b'd' if has(b'+') => "+",
        b'd' if has(b' ') => " ",
        b'm' if has(b'#') && !digits.starts_with(b"0") => "0",
        _ => "",
    };
    let least = match precision {
        Some(precision) => precision,
        None if has(b'0') && !has(b'-') => width,
        None => 0,
    };
    // The zero of `#` is a digit, the sign is none where a precision is given.
    let wide = if precision.is_some() && letter == b'd' {
        digits.len()
    } else {
        digits.len() + before.len()
    };
    let zeros = vec![b'0'; least.saturating_sub(wide)];
    bytes!(before, zeros, digits)
}

/// Looks at a `-printf` format before the walk, and warns of directives and escapes that do not exist.
///
/// # Errors
/// A message for a format that ends within a directive, or has one that is reserved.
pub(super) fn check(format: &[u8]) -> Result<(), Vec<u8>> {
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'\\' {
            let Some(&letter) = after.first() else {
                complain("find", "warning: escape `\\' followed by nothing at all");
                break;
            };
            if letter == b'c' {
                break;
            }
            if !b"ntabfrv\\01234567".contains(&letter) {
                let text = "warning: unrecognized escape `\\";
                complain("find", bytes!(text, [letter], "'"));
            }
            rest = &after[1..];
        } else if byte == b'%' {
            rest = check_directive(after)?;
        }
    }
    Ok(())
}

/// Looks at what is behind a `%`, and gives what follows the directive.
fn check_directive(text: &[u8]) -> Result<&[u8], Vec<u8>> {
    let inner = |byte: &&u8| b"-+ 0#.123456789".contains(*byte);
    let count = text.iter().take_while(inner).count();
    let (letter, after) = match text[count..].split_first() {
        Some((letter, after)) => (*letter, after),
        None if count == 0 => return Err(b"error: % at end of format string".to_vec()),
        None => (b' ', &b""[..]),
    };
    match letter {
        b' ' | b'{' | b'[' | b'(' => {
            let text = "error: the format directive `%";
            return Err(bytes!(text, [letter], "' is reserved for future use"));
        }
        b'A' | b'B' | b'C' | b'T' if after.is_empty() => {
            let text = "warning: format directive `%";
            let message = bytes!(text, [letter], "' should be followed by another character");
            complain("find", message);
        }
        b'A' | b'B' | b'C' | b'T' => return Ok(&after[1..]),
        _ if b"abcdDfFgGhHiklmMnpPsStuUyYZ%".contains(&letter) => {}
        _ => {
            let text = "warning: unrecognized format directive `%";
            complain("find", bytes!(text, [letter], "'"));
        }
    }
    Ok(after)
}

/// Writes the escape after a backslash and gives the text behind it; none for `\c`, which ends the output. Octal
/// escapes have up to three digits. An unknown one keeps its backslash, as does a backslash at the end.
fn escape<'a>(text: &'a [u8], out: &mut Vec<u8>) -> Option<&'a [u8]> {
    let Some((&byte, after)) = text.split_first() else {
        out.push(b'\\');
        return Some(text);
    };
    let plain = match byte {
        b'n' => b'\n',
        b't' => b'\t',
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'r' => b'\r',
        b'v' => 11,
        b'c' => return None,
        b'\\' => b'\\',
        b'0'..=b'7' => {
            let count = text
                .iter()
                .take(3)
                .take_while(|b| (b'0'..=b'7').contains(b))
                .count();
            let value = text[..count]
                .iter()
                .fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            out.push(value as u8);
            return Some(&text[count..]);
        }
        _ => {
            out.push(b'\\');
            byte
        }
    };
    out.push(plain);
    Some(after)
}
