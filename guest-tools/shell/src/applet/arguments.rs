//! Options as GNU commands read them: bundled, with values, mixed with operands.

/// One argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Argument<'a> {
    /// `-x`
    Short(u8),
    /// `--name`; a value given with `=` waits for [`Arguments::value`].
    Long(&'a [u8]),
    /// Anything else.
    Operand(&'a [u8]),
}

/// The arguments of a command, one after the other.
///
/// Long options have to be written in full: an abbreviation is an unknown option to the applet,
/// which declines it.
pub(super) struct Arguments<'a> {
    rest: std::slice::Iter<'a, Vec<u8>>,
    /// What follows in a bundle of short options.
    bundle: &'a [u8],
    /// The value of `--name=value`, until it is taken.
    attached: Option<&'a [u8]>,
    only_operands: bool,
}

impl<'a> Arguments<'a> {
    /// The arguments after the name.
    pub(super) fn new(arguments: &'a [Vec<u8>]) -> Arguments<'a> {
        Arguments {
            rest: arguments.get(1..).unwrap_or_default().iter(),
            bundle: &[],
            attached: None,
            only_operands: false,
        }
    }

    /// From here on everything is an operand, as for commands that stop at the first one.
    pub(super) fn stop_options(&mut self) {
        self.only_operands = true;
    }

    /// The next argument; `Err` where a value was given to an option that has none.
    pub(super) fn next(&mut self) -> Result<Option<Argument<'a>>, ()> {
        if self.attached.is_some() {
            return Err(());
        }
        if let [letter, rest @ ..] = self.bundle {
            self.bundle = rest;
            return Ok(Some(Argument::Short(*letter)));
        }
        let Some(argument) = self.rest.next() else {
            return Ok(None);
        };
        if self.only_operands || !argument.starts_with(b"-") || argument.len() == 1 {
            return Ok(Some(Argument::Operand(argument)));
        }
        if argument == b"--" {
            self.only_operands = true;
            return self.next();
        }
        if let Some(long) = argument.strip_prefix(b"--") {
            let Some(at) = long.iter().position(|&byte| byte == b'=') else {
                return Ok(Some(Argument::Long(long)));
            };
            self.attached = Some(&long[at + 1..]);
            return Ok(Some(Argument::Long(&long[..at])));
        }
        self.bundle = &argument[2..];
        Ok(Some(Argument::Short(argument[1])))
    }

    /// The value of the option that was just returned: attached, or the next argument.
    pub(super) fn value(&mut self) -> Option<&'a [u8]> {
        if let Some(value) = self.attached.take() {
            return Some(value);
        }
        if !self.bundle.is_empty() {
            return Some(std::mem::take(&mut self.bundle));
        }
        self.rest.next().map(Vec::as_slice)
    }
}

/// A number with the suffixes that `head` and `tail` know; none where it is none or does not fit.
pub(super) fn size(text: &[u8]) -> Option<u64> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, suffix) = text.split_at(digits);
    let number: u64 = std::str::from_utf8(number).ok()?.parse().ok()?;
    let (base, power): (u64, u32) = match suffix {
        b"" => (1, 0),
        b"b" => (512, 1),
        b"kB" | b"KB" => (1000, 1),
        b"k" | b"K" | b"KiB" => (1024, 1),
        b"MB" => (1000, 2),
        b"m" | b"M" | b"MiB" => (1024, 2),
        b"GB" => (1000, 3),
        b"G" | b"GiB" => (1024, 3),
        b"TB" => (1000, 4),
        b"T" | b"TiB" => (1024, 4),
        _ => return None,
    };
    number.checked_mul(base.checked_pow(power)?)
}
