//! The signals that mean something here, by their POSIX numbers.

/// `SIGABRT`.
pub(crate) const ABORT: u8 = 6;
/// `SIGKILL`.
pub(crate) const KILL: u8 = 9;
/// `SIGPIPE`.
pub(crate) const PIPE: u8 = 13;
/// `SIGCONT`.
pub(crate) const CONTINUE: u8 = 18;
/// `SIGSTOP`.
pub(crate) const STOP: u8 = 19;
/// `SIGTSTP`.
pub(crate) const TERMINAL_STOP: u8 = 20;
/// The largest number there is.
pub(crate) const LAST: u8 = 64;

/// `SIGCHLD`, `SIGCONT`, `SIGURG`, `SIGWINCH`: without a handler nothing happens.
const HARMLESS: u64 = 1 << 17 | 1 << CONTINUE | 1 << 23 | 1 << 28;
/// `SIGSTOP`, `SIGTSTP`, `SIGTTIN`, `SIGTTOU`: the process pauses.
const PAUSING: u64 = 1 << STOP | 1 << 20 | 1 << 21 | 1 << 22;

/// Whether a process without a handler ends.
pub(crate) fn is_fatal(number: u8) -> bool {
    (1..=LAST).contains(&number) && !is_pausing(number) && !has(HARMLESS, number)
}

/// Whether a process without a handler pauses.
pub(crate) fn is_pausing(number: u8) -> bool {
    has(PAUSING, number)
}

fn has(set: u64, number: u8) -> bool {
    number < 64 && set >> number & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_actions() {
        for (number, fatal, pausing) in [
            (1, true, false),
            (2, true, false),
            (KILL, true, false),
            (PIPE, true, false),
            (15, true, false),
            (17, false, false),
            (CONTINUE, false, false),
            (STOP, false, true),
            (20, false, true),
            (28, false, false),
            (64, true, false),
            (0, false, false),
            (65, false, false),
        ] {
            assert_eq!(
                (is_fatal(number), is_pausing(number)),
                (fatal, pausing),
                "{number}"
            );
        }
    }
}
