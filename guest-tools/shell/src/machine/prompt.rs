//! The escapes of prompts: `${x@P}`, `PS4`.

use super::option::Shopt;
use super::task::Task;
use super::{Machine, scope};
use crate::format::time::{Zone, strftime};
use crate::text::Text;

/// What `$PROMPT_DIRTRIM` leaves of directories that are not shown.
const DOTS: &[u8] = b"...";

impl Machine {
    /// Replaces `\u`, `\w` and their kin.
    pub(super) fn prompt_escapes(&mut self, task: &mut Task, text: &[u8]) -> Vec<u8> {
        let mut result = Vec::with_capacity(text.len());
        let mut bytes = text.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            if byte != b'\\' {
                result.push(byte);
                continue;
            }
            let Some(escape) = bytes.next() else {
                result.push(b'\\');
                break;
            };
            match escape {
                b'D' if bytes.peek() == Some(&b'{') => {
                    bytes.next();
                    let format: Vec<u8> = bytes.by_ref().take_while(|byte| *byte != b'}').collect();
                    let format = if format.is_empty() {
                        b"%X".to_vec()
                    } else {
                        format
                    };
                    result.extend_from_slice(&self.date(&format));
                }
                b'0'..=b'7' => {
                    let mut value = u32::from(escape - b'0');
                    for _ in 0..2 {
                        if let Some(digit) = bytes.next_if(|byte| (b'0'..=b'7').contains(byte)) {
                            value = value * 8 + u32::from(digit - b'0');
                        }
                    }
                    result.push(value as u8);
                }
                escape => self.prompt_escape(task, escape, &mut result),
            }
        }
        result
    }

    /// `$PROMPT_DIRTRIM`: so many of the last directories are shown, and dots for those before them.
    fn trim_directory(&mut self, task: &mut Task, shown: &mut Vec<u8>) {
        let symbol = self.symbols.find(b"PROMPT_DIRTRIM");
        let kept = symbol.and_then(|symbol| scope::get(self, task, symbol));
        let kept = kept.and_then(|text| crate::arithmetic::plain_integer(text.trim_ascii()));
        let Some(kept) = kept.and_then(|number| usize::try_from(number).ok()) else {
            return;
        };
        let slash = |byte: &u8| *byte == b'/';
        let start = match shown.first() {
            Some(b'~') => shown
                .iter()
                .position(slash)
                .map_or(shown.len(), |at| at + 1),
            _ => 0,
        };
        let slashes = shown.iter().enumerate().skip(start + 1);
        let slashes = slashes.filter(|(_, byte)| slash(byte)).map(|(at, _)| at);
        let tail = kept.checked_sub(1).and_then(|kept| slashes.rev().nth(kept));
        if let Some(tail) = tail.filter(|tail| tail - start > DOTS.len()) {
            shown.splice(start..tail, DOTS.iter().copied());
        }
    }

    fn date(&self, format: &[u8]) -> Vec<u8> {
        strftime(format, self.os.now().seconds, &Zone::utc(), 4096)
    }

    fn prompt_escape(&mut self, task: &mut Task, escape: u8, result: &mut Vec<u8>) {
        let identity = self.identity().clone();
        let expanded = task.state.options.shopt(Shopt::Promptvars);
        match escape {
            b'a' => result.push(7),
            b'e' => result.push(27),
            b'n' => result.push(b'\n'),
            b'r' => result.push(b'\r'),
            b'\\' => result.push(b'\\'),
            b'[' | b']' => {}
            b'h' => {
                let short = identity.hostname.split('.').next().unwrap_or_default();
                result.extend_from_slice(short.as_bytes());
            }
            b'H' => result.extend_from_slice(identity.hostname.as_bytes()),
            b'u' => result.extend_from_slice(identity.user.as_bytes()),
            b's' => {
                // A script does not change what the shell itself is called.
                let own = match &task.state.script {
                    Some(_) => task.seen.arguments.as_deref().and_then(<[_]>::first),
                    None => None,
                };
                let name: &[u8] = match (own, &task.state.script) {
                    (Some(own), _) => own,
                    (None, Some(_)) => b"bash",
                    (None, None) => &task.state.name,
                };
                let base = name.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                result.extend_from_slice(base);
            }
            b'v' => result.extend_from_slice(b"5.2"),
            b'V' => result.extend_from_slice(b"5.2.15"),
            b'w' | b'W' => {
                let home = self.tilde(task, b"").unwrap_or_default();
                let mut shown = shown_directory(&task.state.directory, &home, escape == b'W');
                if escape == b'w' {
                    self.trim_directory(task, &mut shown);
                }
                for byte in shown {
                    if expanded && matches!(byte, b'$' | b'`' | b'"' | b'\\') {
                        result.push(b'\\');
                    }
                    result.push(byte);
                }
            }
            b'j' => result.extend_from_slice(task.jobs.list().len().to_string().as_bytes()),
            b'l' => result.extend_from_slice(b"tty"),
            b'$' if identity.uid == 0 => result.push(b'#'),
            // What is expanded afterwards takes the backslash away.
            b'$' if expanded => result.extend_from_slice(b"\\$"),
            b'$' => result.push(b'$'),
            b'!' => {
                let dropped = task.state.history_counts.dropped;
                let number = (dropped + task.state.history.len()).max(1);
                result.extend_from_slice(number.to_string().as_bytes());
            }
            b'#' if task.state.mode == Some(b'c') => result.push(b'0'),
            b'#' => result.extend_from_slice(task.commands_read.to_string().as_bytes()),
            b't' => result.extend_from_slice(&self.date(b"%H:%M:%S")),
            b'T' => result.extend_from_slice(&self.date(b"%I:%M:%S")),
            b'@' => result.extend_from_slice(&self.date(b"%I:%M %p")),
            b'A' => result.extend_from_slice(&self.date(b"%H:%M")),
            b'd' => result.extend_from_slice(&self.date(b"%a %b %d")),
            other => result.extend_from_slice(&[b'\\', other]),
        }
    }
}

fn shown_directory(directory: &Text, home: &Text, last: bool) -> Vec<u8> {
    if directory == home {
        return b"~".to_vec();
    }
    if last && directory.len() > 1 {
        return directory
            .rsplit(|&byte| byte == b'/')
            .next()
            .unwrap_or_default()
            .to_vec();
    }
    match directory.strip_prefix(home.as_bytes()) {
        Some(rest) if rest.first() == Some(&b'/') && !home.is_empty() => [b"~", rest].concat(),
        _ => directory.to_vec(),
    }
}
