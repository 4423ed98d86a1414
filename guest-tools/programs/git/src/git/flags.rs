//! Command lines as git reads them: options anywhere, `--` before paths, `-3` for a number.

use super::stop::{Outcome, Stop, usage};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// A command line, read.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// The options in order, by first letter or long name. `no-x` is given as `x` with false.
    given: Vec<(&'static str, bool, Vec<u8>)>,
    /// What is no option.
    pub operands: Vec<Vec<u8>>,
    /// What stood behind `--`.
    pub paths: Option<Vec<Vec<u8>>>,
}

/// The key of an option such as `-3`.
pub const NUMBER: &str = "#";

impl Flags {
    /// Reads `arguments` of a command that has `options`; `-3` is an option where one is `NUMBER`.
    pub fn read(arguments: &[Vec<u8>], options: &'static [Opt]) -> Outcome<Flags> {
        Reader {
            options,
            flags: Flags::default(),
        }
        .all(arguments)
    }

    /// Whether an option was given and not taken back.
    pub fn has(&self, key: &str) -> bool {
        let mut found = self.given.iter().rev();
        found
            .find(|(name, ..)| *name == key)
            .is_some_and(|(_, on, _)| *on)
    }

    /// Whether `--no-KEY` was the last word on it.
    pub fn denied(&self, key: &str) -> bool {
        let mut found = self.given.iter().rev();
        found
            .find(|(name, ..)| *name == key)
            .is_some_and(|(_, on, _)| !*on)
    }

    /// The value of the last `key`.
    pub fn value(&self, key: &str) -> Option<&[u8]> {
        let mut found = self.given.iter().rev();
        let (_, on, value) = found.find(|(name, ..)| *name == key)?;
        on.then_some(value.as_slice())
    }

    /// The values of all `key`.
    pub fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a [u8]> {
        let fits = move |given: &&(&str, bool, Vec<u8>)| given.0 == key && given.1;
        self.given
            .iter()
            .filter(fits)
            .map(|(_, _, value)| value.as_slice())
    }

    /// The options that were given and their values, in their order.
    pub fn in_order(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let given = self.given.iter().filter(|(_, on, _)| *on);
        given.map(|(key, _, value)| (*key, value.as_slice()))
    }

    /// The last of the options in `keys`.
    pub fn last(&self, keys: &[&str]) -> Option<&'static str> {
        let mut found = self.given.iter().rev();
        found
            .find(|(name, on, _)| *on && keys.contains(name))
            .map(|(name, ..)| *name)
    }

    /// The value of `key` as a number.
    pub fn number(&self, key: &str) -> Outcome<Option<usize>> {
        let Some(text) = self.value(key) else {
            return Ok(None);
        };
        match crate::options::number(text) {
            Some(number) => Ok(Some(number)),
            None => Err(usage(bytes!(
                "option `",
                key,
                "' expects a numerical value"
            ))),
        }
    }

    /// Operands and what stood behind `--`, as paths.
    pub fn all_paths(&self) -> Vec<Vec<u8>> {
        let behind = self.paths.iter().flatten();
        self.operands.iter().chain(behind).cloned().collect()
    }
}

struct Reader {
    options: &'static [Opt],
    flags: Flags,
}

fn key(opt: &Opt) -> &'static str {
    if opt.0.is_empty() { opt.1 } else { &opt.0[..1] }
}

impl Reader {
    fn all(mut self, arguments: &[Vec<u8>]) -> Outcome<Flags> {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_slice() {
                b"--" => {
                    self.flags.paths = Some(words.cloned().collect());
                    break;
                }
                [b'-', b'-', long @ ..] => self.long(long, &mut words)?,
                [b'-', b'0'..=b'9', ..] if self.options.iter().any(|opt| opt.1 == NUMBER) => {
                    self.flags.given.push((NUMBER, true, word[1..].to_vec()));
                }
                [b'-', short @ ..] if !short.is_empty() => self.short(short, &mut words)?,
                _ => self.flags.operands.push(word.clone()),
            }
        }
        Ok(self.flags)
    }

    fn short(&mut self, letters: &[u8], rest: &mut std::slice::Iter<Vec<u8>>) -> Outcome {
        for (at, letter) in letters.iter().enumerate() {
            let known = |opt: &&Opt| opt.0.as_bytes().contains(letter);
            let Some(opt) = self.options.iter().find(known) else {
                return Err(usage(bytes!("unknown switch `", [*letter], "'")));
            };
            let after = &letters[at + 1..];
            let value = match opt.2 {
                Value::No => {
                    self.flags.given.push((key(opt), true, Vec::new()));
                    continue;
                }
                Value::Optional => after.to_vec(),
                Value::Required if !after.is_empty() => after.to_vec(),
                Value::Required => match rest.next() {
                    Some(value) => value.clone(),
                    None => {
                        return Err(usage(bytes!("switch `", [*letter], "' requires a value")));
                    }
                },
            };
            self.flags.given.push((key(opt), true, value));
            break;
        }
        Ok(())
    }

    fn long(&mut self, word: &[u8], rest: &mut std::slice::Iter<Vec<u8>>) -> Outcome {
        let (name, value) = match word.iter().position(|&byte| byte == b'=') {
            Some(at) => (&word[..at], Some(word[at + 1..].to_vec())),
            None => (word, None),
        };
        let (opt, on) = self.find(name)?;
        let value = match (opt.2, value, on) {
            (Value::No, Some(_), _) | (_, Some(_), false) => {
                return Err(usage(bytes!("option `", name, "' takes no value")));
            }
            (_, None, false) | (Value::No | Value::Optional, None, _) => Vec::new(),
            (_, Some(value), _) => value,
            (Value::Required, None, true) => match rest.next() {
                Some(value) => value.clone(),
                None => return Err(usage(bytes!("option `", name, "' requires a value"))),
            },
        };
        self.flags.given.push((key(opt), on, value));
        Ok(())
    }

    /// The option with this name, or with the only name that begins like it.
    fn find(&self, name: &[u8]) -> Result<(&'static Opt, bool), Stop> {
        let usable = || {
            self.options
                .iter()
                .filter(|opt| !opt.1.is_empty() && opt.1 != NUMBER)
        };
        if let Some(exact) = usable().find(|opt| opt.1.as_bytes() == name) {
            return Ok((exact, true));
        }
        if let Some(positive) = name.strip_prefix(b"no-")
            && let Some(exact) = usable().find(|opt| opt.1.as_bytes() == positive)
        {
            return Ok((exact, false));
        }
        let mut starting = usable().filter(|opt| opt.1.as_bytes().starts_with(name));
        match (starting.next(), starting.next()) {
            (Some(only), None) if !name.is_empty() => Ok((only, true)),
            (Some(_), Some(_)) => Err(usage(bytes!("ambiguous option: ", name))),
            _ => Err(usage(bytes!("unknown option `", name, "'"))),
        }
    }
}
