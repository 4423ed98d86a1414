//! The options of a command, from a table.

/// One option.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flag {
    /// One letter, or with `-nv` and the like two; empty for none.
    pub(super) short: &'static str,
    /// The long name, which is also what it is called in the code.
    pub(super) long: &'static str,
    /// Whether a value follows.
    pub(super) takes_value: bool,
}

/// An option without a value.
pub(super) const fn flag(short: &'static str, long: &'static str) -> Flag {
    Flag {
        short,
        long,
        takes_value: false,
    }
}

/// An option with a value.
pub(super) const fn value(short: &'static str, long: &'static str) -> Flag {
    Flag {
        short,
        long,
        takes_value: true,
    }
}

/// One thing on a command line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// An option by its long name, with its value where it takes one.
    Option(&'static str, String),
    /// Anything else.
    Operand(String),
}

/// What is wrong with a command line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// No such option.
    Unknown(String),
    /// Its value is missing.
    NoValue(String),
}

/// Reads a command line; options may stand anywhere before `--`.
pub(super) fn parse(table: &[Flag], arguments: &[String]) -> Result<Vec<Item>, Mistake> {
    let mut items = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            items.extend(rest.by_ref().cloned().map(Item::Operand));
        } else if let Some(long) = argument.strip_prefix("--") {
            items.push(long_option(table, long, &mut rest)?);
        } else if argument.len() > 1 && argument.starts_with('-') {
            short_options(table, &argument[1..], &mut rest, &mut items)?;
        } else {
            items.push(Item::Operand(argument.clone()));
        }
    }
    Ok(items)
}

fn long_option<'a>(
    table: &[Flag],
    text: &str,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<Item, Mistake> {
    let (name, given) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    let unknown = || Mistake::Unknown(format!("--{name}"));
    let found = table.iter().find(|flag| flag.long == name).or_else(|| {
        let mut alike = table.iter().filter(|flag| flag.long.starts_with(name));
        alike
            .next()
            .filter(|_| alike.next().is_none() && !name.is_empty())
    });
    let found = found.ok_or_else(unknown)?;
    let value = match (found.takes_value, given) {
        (true, Some(value)) => value,
        (true, None) => next(rest, || format!("--{name}"))?,
        (false, None) => String::new(),
        (false, Some(_)) => return Err(unknown()),
    };
    Ok(Item::Option(found.long, value))
}

fn short_options<'a>(
    table: &[Flag],
    mut text: &str,
    rest: &mut impl Iterator<Item = &'a String>,
    items: &mut Vec<Item>,
) -> Result<(), Mistake> {
    while !text.is_empty() {
        let found = table
            .iter()
            .filter(|flag| !flag.short.is_empty() && text.starts_with(flag.short))
            .max_by_key(|flag| flag.short.len());
        let first = || text.chars().next().map(|letter| format!("-{letter}"));
        let found = found.ok_or_else(|| Mistake::Unknown(first().unwrap_or_default()))?;
        text = &text[found.short.len()..];
        let value = match (found.takes_value, text) {
            (false, _) => String::new(),
            (true, "") => next(rest, || format!("-{}", found.short))?,
            (true, attached) => {
                text = "";
                attached.to_owned()
            }
        };
        items.push(Item::Option(found.long, value));
    }
    Ok(())
}

fn next<'a>(
    rest: &mut impl Iterator<Item = &'a String>,
    name: impl Fn() -> String,
) -> Result<String, Mistake> {
    rest.next().cloned().ok_or_else(|| Mistake::NoValue(name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [Flag; 5] = [
        flag("s", "silent"),
        value("o", "output"),
        flag("nv", "no-verbose"),
        value("", "retry"),
        value("", "retry-delay"),
    ];

    fn parsed(line: &str) -> Result<Vec<Item>, Mistake> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        parse(&TABLE, &words)
    }

    #[test]
    fn options_stand_where_they_like() {
        let operand = |text: &str| Item::Operand(text.to_owned());
        let option = |name, value: &str| Item::Option(name, value.to_owned());
        let table = [
            (
                "a -s b",
                vec![operand("a"), option("silent", ""), operand("b")],
            ),
            ("-so x", vec![option("silent", ""), option("output", "x")]),
            ("-osx", vec![option("output", "sx")]),
            (
                "-nv -s",
                vec![option("no-verbose", ""), option("silent", "")],
            ),
            (
                "--output=x --sil",
                vec![option("output", "x"), option("silent", "")],
            ),
            ("--retry 3", vec![option("retry", "3")]),
            ("-- -s", vec![operand("-s")]),
            ("-", vec![operand("-")]),
        ];
        for (line, expected) in table {
            assert_eq!(parsed(line), Ok(expected), "{line}");
        }
    }

    #[test]
    fn mistakes_name_the_option() {
        let table = [
            ("-x", Mistake::Unknown("-x".to_owned())),
            ("--nothing", Mistake::Unknown("--nothing".to_owned())),
            ("--silent=1", Mistake::Unknown("--silent".to_owned())),
            ("-o", Mistake::NoValue("-o".to_owned())),
            ("--retr", Mistake::Unknown("--retr".to_owned())),
        ];
        for (line, expected) in table {
            assert_eq!(parsed(line), Err(expected), "{line}");
        }
    }
}
