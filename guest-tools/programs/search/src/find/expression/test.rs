//! Tests with an argument of their own kind: times, sizes, owners and modes.

use super::parser::{Outcome, Parser};
use super::{Expression, Number, Stamp};
use crate::accounts::Accounts;
use crate::call::bytes;
use crate::mode::Change;
use crate::pattern::{Pattern, Settings, Whole};
use crate::quote;
use crate::system::Time;

impl<'a> Parser<'a> {
    /// `-atime`, `-cmin`, `-newer`, `-newerXY` and their kin; none where `name` is none of them. A reference is looked
    /// at once, here.
    ///
    /// ```text
    /// -mtime +1         Age(Modified, +1, 86400)
    /// -cnewer FILE      Newer(Changed, modification of FILE)
    /// -neweram FILE     Newer(Accessed, modification of FILE)
    /// -newermt '1 May'  Newer(Modified, that time)
    /// ```
    pub(super) fn time_test(&mut self, name: &[u8]) -> Outcome<Option<Expression>> {
        let stamp = |letter: u8| match letter {
            b'a' => Some(Stamp::Accessed),
            b'B' => Some(Stamp::Created),
            b'c' => Some(Stamp::Changed),
            b'm' => Some(Stamp::Modified),
            _ => None,
        };
        Ok(Some(match name {
            [b'-', letter @ (b'a' | b'c' | b'm'), b't', b'i', b'm', b'e'] => {
                let number = self.number(name)?;
                Expression::Age(stamp(*letter).unwrap_or(Stamp::Modified), number, 86400)
            }
            [b'-', letter @ (b'a' | b'c' | b'm'), b'm', b'i', b'n'] => {
                let number = self.number(name)?;
                Expression::Age(stamp(*letter).unwrap_or(Stamp::Modified), number, 60)
            }
            b"-newer" => Expression::Newer(Stamp::Modified, self.reference(name)?.modified),
            b"-anewer" => Expression::Newer(Stamp::Accessed, self.reference(name)?.modified),
            b"-cnewer" => Expression::Newer(Stamp::Changed, self.reference(name)?.modified),
            [b'-', b'n', b'e', b'w', b'e', b'r', own, other] => {
                let Some(own) = stamp(*own) else {
                    return Ok(None);
                };
                if *other == b't' {
                    let text = self.argument(name)?;
                    Expression::Newer(own, date(text)?)
                } else {
                    let Some(other) = stamp(*other) else {
                        return Ok(None);
                    };
                    Expression::Newer(own, other.of(&self.reference(name)?))
                }
            }
            _ => return Ok(None),
        }))
    }

    /// `-regex` and `-iregex`, in the syntax that `-regextype` has set by then.
    pub(super) fn regex(&mut self, name: &[u8], ignore_case: bool) -> Outcome<Expression> {
        let source = self.argument(name)?;
        let source = if self.emacs {
            crate::pattern::from_emacs(source)
        } else {
            source.to_vec()
        };
        let settings = Settings {
            ignore_case,
            whole: Whole::Line,
            ..Settings::new(self.dialect)
        };
        let pattern = Pattern::new(&source, &settings).map_err(|message| {
            bytes!(
                "failed to compile regular expression '",
                source,
                "': ",
                message
            )
        })?;
        Ok(Expression::Regex(pattern))
    }

    /// `-type` and `-xtype`: letters with commas between them, as in `f,d`. Letters that no file here can have (`b`,
    /// `s`, `D`) are accepted and never match.
    pub(super) fn type_test(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let mut letters = Vec::new();
        for (index, part) in text.split(|&byte| byte == b',').enumerate() {
            match part {
                [letter] if b"bcdpflsD".contains(letter) => letters.push(*letter),
                [] if index == 0 => {
                    return Err(bytes!(
                        "Arguments to ",
                        name,
                        " should contain at least one letter"
                    ));
                }
                [_] => return Err(bytes!("Unknown argument to ", name, ": ", part)),
                _ => {
                    let text = "Must separate multiple arguments to ";
                    return Err(bytes!(text, name, " using: ','"));
                }
            }
        }
        Ok(Expression::Type(letters, name == b"-xtype"))
    }

    /// A number with a unit: `c` bytes, `w` 2 bytes, `b` (the default) 512, `k`, `M`, `G` powers of 1024.
    ///
    /// ```text
    /// -size +10k  ->  Size(+10, 1024)      -size 3  ->  Size(=3, 512)
    /// ```
    pub(super) fn size(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let refuse = || bytes!("Invalid argument `", text, "' to -size");
        let (digits, unit) = match text.split_last() {
            Some((b'c', rest)) => (rest, 1),
            Some((b'w', rest)) => (rest, 2),
            Some((b'b', rest)) => (rest, 512),
            Some((b'k', rest)) => (rest, 1 << 10),
            Some((b'M', rest)) => (rest, 1 << 20),
            Some((b'G', rest)) => (rest, 1 << 30),
            _ => (text, 512),
        };
        Ok(Expression::Size(
            Number::parse(digits).ok_or_else(refuse)?,
            unit,
        ))
    }

    /// `-perm`: a mode as for `chmod`, with `-` or `/` before it.
    ///
    /// ```text
    /// -perm 644  ->  ('=', 0644)     -perm -u+w  ->  ('-', 0200)     -perm /222  ->  ('/', 0222)
    /// ```
    pub(super) fn permissions(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let (how, mode) = match text.split_first() {
            Some((how @ (b'-' | b'/'), rest)) => (*how, rest),
            _ => (b'=', text),
        };
        let change =
            Change::parse(mode).ok_or_else(|| bytes!("invalid mode ", quote::word(text)))?;
        Ok(Expression::Permissions(how, change))
    }

    /// `-user` and `-group`: a name of the system's accounts, else a number.
    pub(super) fn owner(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let accounts = Accounts::new();
        let word = String::from_utf8_lossy(text);
        let is_user = name == b"-user";
        let known = if is_user {
            accounts.find_user(&word).map(|(uid, _)| uid)
        } else {
            accounts.find_group(&word)
        };
        let number = known.or_else(|| word.parse().ok()).ok_or_else(|| {
            let what = if is_user { "user" } else { "group" };
            bytes!(
                "invalid ",
                what,
                " name or ",
                if is_user { "UID" } else { "GID" },
                " argument to ",
                name,
                ": ",
                quote::word(text)
            )
        })?;
        let number = Number {
            sign: b'=',
            value: u64::from(number),
        };
        Ok(if is_user {
            Expression::User(number)
        } else {
            Expression::Group(number)
        })
    }
}

/// The moment of `-newerXt`, as `date -d` reads it, in the local zone.
fn date(text: &[u8]) -> Outcome<Time> {
    let word = String::from_utf8_lossy(text);
    crate::when::local(&word).ok_or_else(|| {
        bytes!(
            "I cannot figure out how to interpret ",
            quote::word(text),
            " as a date or time"
        )
    })
}
