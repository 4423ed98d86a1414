//! How kept sandboxes and their differences are shown.

use offshoot::lifecycle::{Change, ChangeKind, Info, Setup, SetupStep, State, StepStatus};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Branches below what they were forked from.
pub fn draw(infos: &[Info]) -> String {
    let known = |name: &str| infos.iter().any(|info| info.name == name);
    let mut below: BTreeMap<&str, Vec<&Info>> = BTreeMap::new();
    for info in infos {
        let parent = info.parent.as_ref().map(|parent| parent.name.as_str());
        below
            .entry(parent.filter(|name| known(name)).unwrap_or(""))
            .or_default()
            .push(info);
    }
    let mut lines = Vec::new();
    // Name, and what stands before it and before its branches.
    let mut pending: Vec<(&Info, String, String)> = Vec::new();
    let roots = below.get("").cloned().unwrap_or_default();
    pending.extend(
        roots
            .into_iter()
            .rev()
            .map(|info| (info, String::new(), String::new())),
    );
    while let Some((info, before, within)) = pending.pop() {
        let asleep = if info.state == State::Suspended {
            ""
        } else {
            " *"
        };
        lines.push(format!("{before}{}{asleep}", info.name));
        let branches = below.get(info.name.as_str()).cloned().unwrap_or_default();
        let last = branches.len().saturating_sub(1);
        for (index, branch) in branches.into_iter().enumerate().rev() {
            let (mark, space) = if index == last {
                ("└── ", "    ")
            } else {
                ("├── ", "│   ")
            };
            pending.push((
                branch,
                format!("{within}{mark}"),
                format!("{within}{space}"),
            ));
        }
    }
    lines.join("\n")
}

/// What is known of a sandbox.
pub fn info_json(info: &Info) -> Value {
    json!({
        "name": info.name, "state": info.state.name(),
        "commit": info.commit.map(|commit| commit.to_string()),
        "bytes": info.bytes, "files": info.files,
        "parent": info.parent.as_ref().map(|parent| &parent.name), "template": info.template,
        "title": info.title, "tags": info.tags,
        "created": info.created, "changed": info.changed, "used": info.used,
        "bootup": info.bootup.as_str(), "idle_ms": info.idle_ms, "expires": info.expires,
        "failure": info.failure, "warnings": info.warnings,
        "setup": (!info.setup.steps.is_empty()).then(|| setup_json(&info.setup)),
        "history": { "states": info.retention.states, "age_ms": info.retention.age_ms },
    })
}

/// How far a setup is.
pub fn setup_json(setup: &Setup) -> Value {
    let step = |step: &SetupStep| {
        json!({ "name": step.name, "command": step.command, "status": step.status,
            "exit_code": step.exit_code, "output": step.output })
    };
    let steps: Value = setup.steps.iter().map(step).collect();
    json!({ "status": setup.status, "steps": steps })
}

/// A sandbox in one line: name, state, size, age, what is to come, parent.
pub fn line(info: &Info, now: Duration) -> String {
    let parent = info.parent.as_ref().map_or("", |parent| &parent.name);
    let age = age(now, info.changed);
    let (state, size) = (info.state.name(), size(info.bytes));
    let mut line = format!("{:<24} {state:<10} {size:>8} {age:>6}  {parent}", info.name);
    if let Some(end) = info.expires {
        let left = span(Duration::from_millis(end).saturating_sub(now).as_secs());
        line += &format!("  {left} left");
    }
    let failed = info
        .setup
        .steps
        .iter()
        .find(|step| step.status == StepStatus::Failed);
    if let Some(step) = failed {
        line += &format!("  setup failed: {}", step.name);
    }
    if let Some(failure) = &info.failure {
        line += &format!("  failed: {failure}");
    }
    line
}

/// What happened to a path, as a word.
pub fn verb(kind: Option<ChangeKind>) -> &'static str {
    match kind {
        Some(ChangeKind::Added) => "added",
        Some(ChangeKind::Removed) => "deleted",
        Some(ChangeKind::Modified) => "modified",
        None => "kept",
    }
}

/// `A` added, `D` deleted, `M` modified.
pub fn letter(kind: ChangeKind) -> char {
    match kind {
        ChangeKind::Added => 'A',
        ChangeKind::Removed => 'D',
        ChangeKind::Modified => 'M',
    }
}

/// A path for people: where it has what a terminal obeys or what is no UTF-8, in quotes with C's escapes, as git
/// writes it.
pub fn shown(path: &[u8]) -> String {
    let odd = |c: char| is_obeyed(c) || matches!(c, '"' | '\\');
    let plain = std::str::from_utf8(path).ok();
    if let Some(plain) = plain.filter(|plain| !plain.contains(odd)) {
        return plain.to_owned();
    }
    let mut text = String::from("\"");
    let octal = |text: &mut String, bytes: &[u8]| {
        bytes
            .iter()
            .for_each(|byte| *text += &format!("\\{byte:03o}"));
    };
    for chunk in path.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => text.extend(['\\', c]),
                '\n' => text += "\\n",
                '\t' => text += "\\t",
                '\r' => text += "\\r",
                c if is_obeyed(c) => octal(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => text.push(c),
            }
        }
        octal(&mut text, chunk.invalid());
    }
    text + "\""
}

/// Text of several lines for people, with nothing in it that a terminal obeys.
pub fn harmless(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let parts = line.chars().map(|c| match is_obeyed(c) && c != '\t' {
            true => c.escape_unicode().to_string(),
            false => c.to_string(),
        });
        parts.collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a terminal does something other than showing it: controls, and what turns the direction of text.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Changes as JSON.
pub fn changes_json(changes: &[Change]) -> Value {
    let change = |change: &Change| {
        let path = String::from_utf8_lossy(&change.path).into_owned();
        json!({ "path": path, "kind": letter(change.kind).to_string() })
    };
    changes.iter().map(change).collect()
}

/// Changes, one a line.
pub fn changes_text(changes: &[Change]) -> String {
    let line = |change: &Change| format!("{} {}", letter(change.kind), shown(&change.path));
    changes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Bytes for people.
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "K", "M", "G"] {
        if value < 1024.0 {
            let digits = usize::from(unit != "B" && value < 10.0);
            return format!("{value:.digits$}{unit}");
        }
        value /= 1024.0;
    }
    format!("{value:.1}T")
}

/// The time since, for people.
pub fn age(now: Duration, then: u64) -> String {
    span(now.saturating_sub(Duration::from_millis(then)).as_secs())
}

/// Seconds for people.
fn span(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::{age, harmless, shown, size};
    use std::time::Duration;

    #[test]
    fn paths_do_nothing_to_a_terminal() {
        for (path, text) in [
            (&b"/a b/\xc3\xa4"[..], "/a b/\u{e4}"),
            (b"a\x1b[31m\n", r#""a\033[31m\n""#),
            (b"\xff\"\\", r#""\377\"\\""#),
            ("\u{9b}\u{202e}".as_bytes(), r#""\302\233\342\200\256""#),
        ] {
            assert_eq!(shown(path), text);
        }
        assert_eq!(harmless("a\tb\n\x1b[2J"), "a\tb\n\\u{1b}[2J");
    }

    #[test]
    fn figures_are_short() {
        for (bytes, text) in [
            (0, "0B"),
            (1023, "1023B"),
            (1536, "1.5K"),
            (20 << 20, "20M"),
        ] {
            assert_eq!(size(bytes), text);
        }
        for (seconds, text) in [(5, "5s"), (120, "2m"), (7_200, "2h"), (200_000, "2d")] {
            assert_eq!(age(Duration::from_secs(seconds + 10), 10_000), text);
        }
    }
}
