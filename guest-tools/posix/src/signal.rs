//! The signals of Linux: numbers, names, and what is said of a process that one ended.

/// The names by number, as bash has them; 0 is what `trap` calls `EXIT`.
const NAMES: [&str; 65] = [
    "EXIT", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
    "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU",
    "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS", "", "", "RTMIN",
    "RTMIN+1", "RTMIN+2", "RTMIN+3", "RTMIN+4", "RTMIN+5", "RTMIN+6", "RTMIN+7", "RTMIN+8",
    "RTMIN+9", "RTMIN+10", "RTMIN+11", "RTMIN+12", "RTMIN+13", "RTMIN+14", "RTMIN+15", "RTMAX-14",
    "RTMAX-13", "RTMAX-12", "RTMAX-11", "RTMAX-10", "RTMAX-9", "RTMAX-8", "RTMAX-7", "RTMAX-6",
    "RTMAX-5", "RTMAX-4", "RTMAX-3", "RTMAX-2", "RTMAX-1", "RTMAX",
];

/// SIGHUP
pub const HANGUP: u8 = 1;
/// SIGINT
pub const INTERRUPT: u8 = 2;
/// SIGKILL
pub const KILL: u8 = 9;
/// SIGPIPE
pub const PIPE: u8 = 13;
/// SIGTERM
pub const TERMINATE: u8 = 15;
/// SIGCHLD
pub const CHILD: u8 = 17;
/// SIGCONT
pub const CONTINUE: u8 = 18;
/// SIGSTOP
pub const STOP: u8 = 19;
/// SIGIO, which is SIGPOLL.
const IO: u8 = 29;
/// The last signal that is no real-time one.
pub const LAST_STANDARD: u8 = 31;

/// The name of a signal without `SIG`, as bash has it; of 0 it is `EXIT`.
///
/// ```
/// assert_eq!(offshoot_posix::signal::name(9), Some("KILL"));
/// assert_eq!(offshoot_posix::signal::name(32), None);
/// ```
pub fn name(number: u8) -> Option<&'static str> {
    let name = NAMES.get(usize::from(number)).copied();
    name.filter(|name| !name.is_empty())
}

/// The name of a signal as `kill` and `timeout` have it: number 29 is `POLL`.
pub fn command_name(number: u8) -> Option<&'static str> {
    match number {
        IO => Some("POLL"),
        number => name(number),
    }
}

/// The signal of a name as bash has it, with or without `SIG`, in any case, or of a number as text.
pub fn number(text: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(text).ok()?;
    if let Ok(number) = text.parse::<u8>() {
        return (usize::from(number) < NAMES.len()).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let bare = upper.strip_prefix("SIG").unwrap_or(&upper);
    let found = NAMES
        .iter()
        .position(|name| !name.is_empty() && *name == bare)?;
    u8::try_from(found).ok()
}

/// [`number`], and `POLL` is known too.
pub fn command_number(text: &[u8]) -> Option<u8> {
    let bare = text.to_ascii_uppercase();
    match bare.strip_prefix(b"SIG").unwrap_or(&bare) {
        b"POLL" => Some(IO),
        _ => number(text),
    }
}

/// What is said of a process that a signal ended; none where nothing more than its number is.
pub fn description(number: u8) -> Option<&'static str> {
    Some(match number {
        1 => "Hangup",
        2 => "Interrupt",
        3 => "Quit",
        4 => "Illegal instruction",
        6 => "Aborted",
        7 => "Bus error",
        8 => "Floating point exception",
        9 => "Killed",
        10 => "User defined signal 1",
        11 => "Segmentation fault",
        12 => "User defined signal 2",
        13 => "Broken pipe",
        14 => "Alarm clock",
        15 => "Terminated",
        24 => "CPU time limit exceeded",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_to_each_other() {
        for number_of in 0..=64 {
            if let Some(name) = name(number_of) {
                assert_eq!(number(name.as_bytes()), Some(number_of));
                assert_eq!(command_number(name.as_bytes()), Some(number_of));
            }
        }
        let cases = [
            ("sigterm", Some(15)),
            ("9", Some(9)),
            ("65", None),
            ("", None),
            ("SIG", None),
            ("POLL", None),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(command_number(b"SIGPOLL"), Some(29));
    }
}
