//! `stty`, as in coreutils.
//!
//! Of a terminal its size is known, and whether what is typed is shown (`echo`), arrives by lines (`icanon`) and makes
//! signals (`isig`); `raw`, `cooked`, `cbreak` and `sane` are combinations of these. All other settings of coreutils
//! are checked and change nothing, so scripts that set them go on, and a misspelt one is an error.
//!
//! `stty -g` prints the mode in 36 hexadecimal parts, and `stty "$(stty -g)"` restores it: three bits of the fourth
//! part are looked at. The device is standard input, or that of `-F`; without a terminal the status is 1.

use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::options::integer_argument;
use crate::system::TerminalMode;
use crate::{quote, system};

const USAGE: &str = include_str!("stty.txt");

/// Settings that a `-` before them turns off.
const REVERSIBLE: &[&str] = &[
    "LCASE", "brkint", "cbreak", "clocal", "cmspar", "cooked", "cread", "crterase", "crtkill",
    "crtscts", "cstopb", "ctlecho", "decctlq", "echo", "echoctl", "echoe", "echok", "echoke",
    "echonl", "echoprt", "evenp", "extproc", "flusho", "hup", "hupcl", "icanon", "icrnl", "iexten",
    "ignbrk", "igncr", "ignpar", "imaxbel", "inlcr", "inpck", "isig", "istrip", "iuclc", "iutf8",
    "ixany", "ixoff", "ixon", "lcase", "litout", "nl", "noflsh", "ocrnl", "oddp", "ofdel", "ofill",
    "olcuc", "onlcr", "onlret", "onocr", "opost", "parenb", "parity", "parmrk", "parodd", "pass8",
    "prterase", "raw", "tabs", "tandem", "tostop", "xcase",
];

/// Settings that can only be turned on.
const PLAIN: &[&str] = &[
    "bs0", "bs1", "cr0", "cr1", "cr2", "cr3", "crt", "cs5", "cs6", "cs7", "cs8", "dec", "ek",
    "ff0", "ff1", "nl0", "nl1", "sane", "tab0", "tab1", "tab2", "tab3", "vt0", "vt1",
];

/// Settings that take a special character or a number.
const CHARACTERS: &[&str] = &[
    "discard", "eof", "eol", "eol2", "erase", "flush", "intr", "kill", "lnext", "min", "quit",
    "rprnt", "start", "stop", "susp", "swtch", "time", "werase",
];

/// Speeds of a line.
const SPEEDS: &[&str] = &[
    "0", "50", "75", "110", "134", "134.5", "150", "200", "300", "600", "1200", "1800", "2400",
    "4800", "9600", "19200", "38400", "57600", "115200", "230400", "460800", "500000", "576000",
    "921600", "1000000", "1152000", "1500000", "2000000", "2500000", "3000000", "3500000",
    "4000000", "exta", "extb",
];

/// How many parts the output of `stty -g` has: four flags and the special characters.
const SAVED_PARTS: usize = 36;

/// What the words ask for.
#[derive(Default)]
struct Request<'a> {
    /// `-a`
    all: bool,
    /// `-g`
    save: bool,
    /// `-F`
    device: Option<&'a [u8]>,
    /// Words that are no options, and those that look like them.
    settings: Vec<&'a [u8]>,
    /// Something is to be changed.
    changes: bool,
}

/// Runs `stty`.
pub fn run(call: &Call) -> i32 {
    answer(call).unwrap_or_else(|status| status)
}

/// Checks the words and does what they ask for; `Err` is the exit status.
fn answer(call: &Call) -> Result<i32, i32> {
    let request = read(call)?;
    if request.all && request.save {
        let message =
            "the options for verbose and stty-readable output styles are\nmutually exclusive";
        return Err(call.fail(1, message));
    }
    if request.changes && (request.all || request.save) {
        let message = "when specifying an output style, modes may not be set";
        return Err(call.fail(1, message));
    }
    if request.changes {
        check(call, &request.settings)?;
    }
    let name = quote::shell_where_needed(request.device.unwrap_or(b"standard input"));
    if let Some(device) = request.device {
        system::open_handle(device, false)
            .map_err(|failure| call.fail(1, bytes!(name, ": ", failure)))?;
    }
    let terminal = match request.device {
        None => system::is_terminal(0).then_some(0),
        Some(b"/dev/tty" | b"/dev/stdin" | b"/dev/stdout" | b"/dev/stderr") => {
            (0..3).find(|&number| system::is_terminal(number))
        }
        Some(_) => None,
    };
    let found = terminal.and_then(|number| {
        Some((
            number,
            system::terminal_mode(number)?,
            system::terminal_size(number)?,
        ))
    });
    let Some((number, mode, size)) = found else {
        return Ok(call.fail(1, bytes!(name, ": Inappropriate ioctl for device")));
    };
    let text = match (request.changes, request.save) {
        (true, _) => {
            let (mode, text) = set(mode, size, &request.settings);
            system::set_terminal(number, mode)
                .map_err(|failure| call.fail(1, bytes!(name, ": ", failure)))?;
            text
        }
        (false, true) => saved(mode),
        (false, false) => listing(mode, size, request.all),
    };
    Ok(i32::from(
        std::io::stdout().write_all(text.as_bytes()).is_err(),
    ))
}

/// The bit of `isig`.
const SIGNALS: u32 = 0o1;
/// The bit of `icanon`.
const LINES: u32 = 0o2;
/// The bit of `echo`.
const ECHO: u32 = 0o10;
/// The rest of that part.
const LOCAL: u32 = 0o105_060;

/// The mode that settings make of one, and what `size` and `speed` among them print.
fn set(mode: TerminalMode, size: (u16, u16), settings: &[&[u8]]) -> (TerminalMode, String) {
    let (mut mode, mut text) = (mode, String::new());
    for setting in settings {
        let setting = String::from_utf8_lossy(setting);
        let (name, on) = match setting.strip_prefix('-') {
            Some(name) => (name, false),
            None => (setting.as_ref(), true),
        };
        match name {
            "echo" => mode.echo = on,
            "icanon" => mode.lines = on,
            "isig" => mode.signals = on,
            "cbreak" => mode.lines = !on,
            "raw" | "cooked" => {
                mode.lines = on == (name == "cooked");
                mode.signals = mode.lines;
            }
            "sane" => {
                mode = TerminalMode {
                    echo: true,
                    lines: true,
                    signals: true,
                }
            }
            "size" => text += &format!("{} {}\n", size.1, size.0),
            "speed" => text += "38400\n",
            saved if is_saved(saved) => {
                let part = saved.split(':').nth(3).unwrap_or_default();
                let bits = u32::from_str_radix(part, 16).unwrap_or(0);
                mode = TerminalMode {
                    echo: bits & ECHO != 0,
                    lines: bits & LINES != 0,
                    signals: bits & SIGNALS != 0,
                };
            }
            // What only real lines have.
            _ => {}
        }
    }
    (mode, text)
}

/// What `-g` prints.
fn saved(mode: TerminalMode) -> String {
    let bits = [
        (mode.echo, ECHO),
        (mode.lines, LINES),
        (mode.signals, SIGNALS),
    ];
    let on = bits.into_iter().filter(|(on, _)| *on).map(|(_, bit)| bit);
    let local = on.fold(LOCAL, |all, bit| all | bit);
    format!(
        "500:5:bf:{local:x}:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16{}\n",
        ":0".repeat(SAVED_PARTS - 20)
    )
}

/// The settings; without `-a` those that are unusual.
fn listing(mode: TerminalMode, (columns, rows): (u16, u16), all: bool) -> String {
    let named = [
        ("isig", mode.signals),
        ("icanon", mode.lines),
        ("echo", mode.echo),
    ];
    let word = |(name, on): &(&str, bool)| format!("{}{name}", if *on { "" } else { "-" });
    if !all {
        let unusual = named.iter().filter(|(_, on)| !on).map(word);
        let unusual = unusual.collect::<Vec<_>>().join(" ");
        let end = if unusual.is_empty() { "" } else { "\n" };
        return format!("speed 38400 baud; line = 0;\n{unusual}{end}");
    }
    let words = named.iter().map(word).collect::<Vec<_>>().join(" ");
    format!(
        "speed 38400 baud; rows {rows}; columns {columns}; line = 0;\n\
         intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;\n\
         eol2 = <undef>; swtch = <undef>; start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R;\n\
         werase = ^W; lnext = ^V; discard = ^O; min = 1; time = 0;\n\
         icrnl ixon opost onlcr\n{words} iexten echoe echok echoctl echoke\n"
    )
}

/// Reads the options, which may stand anywhere among the settings.
fn read(call: &Call) -> Result<Request<'_>, i32> {
    let mut request = Request::default();
    let mut words = call.arguments.iter().map(Vec::as_slice);
    while let Some(word) = words.next() {
        match word {
            b"--" => {
                request.settings.extend(words);
                break;
            }
            [b'-', b'-', long @ ..] => request.long(call, word, long, &mut words)?,
            [b'-', letters @ ..] if !letters.is_empty() => {
                request.short(call, word, letters, &mut words)?;
            }
            _ => request.setting(word),
        }
    }
    Ok(request)
}

impl<'a> Request<'a> {
    /// A word that is a setting, or looks like an option and is none.
    fn setting(&mut self, word: &'a [u8]) {
        self.changes |= !matches!(word, b"drain" | b"-drain");
        self.settings.push(word);
    }

    /// Takes the device; there may be one.
    fn device(&mut self, call: &Call, name: &'a [u8]) -> Result<(), i32> {
        if self.device.replace(name).is_some() {
            return Err(call.fail(1, "only one device may be specified"));
        }
        Ok(())
    }

    /// `--all`, `--save`, `--file=NAME` and the like, which may be shortened.
    fn long(
        &mut self,
        call: &Call,
        word: &'a [u8],
        text: &'a [u8],
        rest: &mut impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), i32> {
        let equals = text.iter().position(|&byte| byte == b'=');
        let (name, value) = match equals {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let known = ["all", "save", "file", "help", "version"];
        let mut found = known
            .iter()
            .filter(|known| !name.is_empty() && known.as_bytes().starts_with(name));
        match (found.next().copied(), value) {
            (Some("all"), None) => self.all = true,
            (Some("save"), None) => self.save = true,
            (Some("file"), Some(name)) => return self.device(call, name),
            (Some("file"), None) => match rest.next() {
                Some(name) => return self.device(call, name),
                None => self.setting(word),
            },
            (Some("help"), None) => {
                return Err(i32::from(
                    std::io::stdout().write_all(USAGE.as_bytes()).is_err(),
                ));
            }
            (Some("version"), None) => {
                let version = crate::model::version(&call.name);
                return Err(i32::from(
                    std::io::stdout().write_all(version.as_bytes()).is_err(),
                ));
            }
            _ => self.setting(word),
        }
        Ok(())
    }

    /// `-a`, `-g`, `-F NAME`, several in a word; other letters make the word a setting.
    fn short(
        &mut self,
        call: &Call,
        word: &'a [u8],
        letters: &'a [u8],
        rest: &mut impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), i32> {
        for (at, letter) in letters.iter().enumerate() {
            match letter {
                b'a' => self.all = true,
                b'g' => self.save = true,
                b'F' => {
                    let after = &letters[at + 1..];
                    let name = (!after.is_empty()).then_some(after).or_else(|| rest.next());
                    match name {
                        Some(name) => self.device(call, name)?,
                        None => self.setting(word),
                    }
                    return Ok(());
                }
                _ => {
                    self.setting(word);
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Whether all settings are such that a terminal would know them.
fn check(call: &Call, settings: &[&[u8]]) -> Result<(), i32> {
    let refuse = |message: Vec<u8>| {
        let status = call.fail(1, message);
        eprintln!("Try '{} --help' for more information.", call.name);
        status
    };
    let mut words = settings.iter();
    while let Some(&word) = words.next() {
        let (name, reversed) = match word {
            [b'-', name @ ..] => (name, true),
            name => (name, false),
        };
        let text = String::from_utf8_lossy(name);
        let is_in = |table: &[&str]| table.contains(&text.as_ref());
        let takes_value =
            is_in(CHARACTERS) || is_in(&["ispeed", "ospeed", "rows", "cols", "columns", "line"]);
        if text == "drain" || is_in(REVERSIBLE) || (!reversed && is_in(PLAIN)) {
            continue;
        }
        let known = takes_value || is_in(&["size", "speed"]) || is_in(SPEEDS) || is_saved(&text);
        if reversed || !known {
            return Err(refuse(bytes!("invalid argument ", quote::word(word))));
        }
        if takes_value {
            let missing = || refuse(bytes!("missing argument to ", quote::word(word)));
            let value = words.next().ok_or_else(missing)?;
            check_value(call, &text, value)?;
        }
    }
    Ok(())
}

/// Whether the value of a setting is one: a number up to 255, a character, `^X` or `undef`.
fn check_value(call: &Call, name: &str, value: &[u8]) -> Result<(), i32> {
    let most = match (name, value) {
        ("line", _) => u64::MAX,
        ("min" | "time", _) => 255,
        _ if !CHARACTERS.contains(&name) => return Ok(()),
        (_, [] | [_] | [b'^', _, ..] | b"undef") => return Ok(()),
        _ => 255,
    };
    integer_argument(value, most).map_err(|reason| {
        let message = bytes!("invalid integer argument: ", quote::word(value), reason);
        call.fail(1, message)
    })
}

/// Whether the word is what `stty -g` prints.
fn is_saved(text: &str) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    let is_number = |part: &&str| u32::from_str_radix(part, 16).is_ok();
    parts.len() == SAVED_PARTS && parts.iter().all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_change_the_mode() {
        let mode = |echo, lines, signals| TerminalMode {
            echo,
            lines,
            signals,
        };
        let usual = mode(true, true, true);
        for (settings, expected, text) in [
            (&["-echo"][..], mode(false, true, true), ""),
            (&["-echo", "echo"], usual, ""),
            (&["-icanon", "-isig"], mode(true, false, false), ""),
            (&["cbreak"], mode(true, false, true), ""),
            (&["raw", "-echo"], mode(false, false, false), ""),
            (&["raw", "-raw"], usual, ""),
            (&["raw", "sane"], usual, ""),
            (&["size"], usual, "24 80\n"),
            (&["ixon", "rows", "10"], usual, ""),
        ] {
            let words: Vec<&[u8]> = settings.iter().map(|word| word.as_bytes()).collect();
            let found = set(usual, (80, 24), &words);
            assert_eq!(found, (expected, text.to_owned()), "{settings:?}");
        }
        for before in [usual, mode(false, true, true), mode(true, false, false)] {
            let text = saved(before);
            assert!(is_saved(text.trim()));
            assert_eq!(set(usual, (80, 24), &[text.trim().as_bytes()]).0, before);
        }
    }
}
