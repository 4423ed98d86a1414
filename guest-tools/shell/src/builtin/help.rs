//! `help`, `caller`

use super::letters::{Letters, integer, none};
use super::{Context, Flow, TABLE, summary, synopsis};
use crate::machine::call::CallKind;
use crate::pattern::{self, Pattern};
use crate::text::Text;

/// A topic of `help`.
struct Topic {
    name: &'static str,
    synopsis: &'static str,
    summary: &'static str,
}

/// Topics that are no builtins, and the builtin that each stands before in the list.
const SYNTAX: &[(&str, Topic)] = &[
    (".", topic("%", "job_spec [&]", "Resume job in foreground.")),
    (
        ".",
        topic(
            "(( ... ))",
            "(( expression ))",
            "Evaluate arithmetic expression.",
        ),
    ),
    (
        "alias",
        topic(
            "[[ ... ]]",
            "[[ expression ]]",
            "Execute conditional command.",
        ),
    ),
    (
        "cd",
        topic(
            "case",
            "case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac",
            "Execute commands based on pattern matching.",
        ),
    ),
    (
        "declare",
        topic(
            "coproc",
            "coproc [NAME] command [redirections]",
            "Create a coprocess named NAME.",
        ),
    ),
    (
        "getopts",
        topic(
            "for",
            "for NAME [in WORDS ... ] ; do COMMANDS; done",
            "Execute commands for each member in a list.",
        ),
    ),
    (
        "getopts",
        topic(
            "for ((",
            "for (( exp1; exp2; exp3 )); do COMMANDS; done",
            "Arithmetic for loop.",
        ),
    ),
    (
        "getopts",
        topic(
            "function",
            "function name { COMMANDS ; } or name () { COMMANDS ; }",
            "Define shell function.",
        ),
    ),
    (
        "jobs",
        topic(
            "if",
            "if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] fi",
            "Execute commands based on conditional.",
        ),
    ),
    (
        "set",
        topic(
            "select",
            "select NAME [in WORDS ... ;] do COMMANDS; done",
            "Select words from a list and execute commands.",
        ),
    ),
    (
        "times",
        topic(
            "time",
            "time [-p] pipeline",
            "Report time consumed by pipeline's execution.",
        ),
    ),
    (
        "wait",
        topic(
            "until",
            "until COMMANDS; do COMMANDS-2; done",
            "Execute commands as long as a test does not succeed.",
        ),
    ),
    (
        "wait",
        topic(
            "variables",
            "variables - Names and meanings of some shell variables",
            "Common shell variable names and usage.",
        ),
    ),
    (
        "",
        topic(
            "while",
            "while COMMANDS; do COMMANDS-2; done",
            "Execute commands as long as a test succeeds.",
        ),
    ),
    (
        "",
        topic("{ ... }", "{ COMMANDS ; }", "Group commands as a unit."),
    ),
];

const fn topic(name: &'static str, synopsis: &'static str, summary: &'static str) -> Topic {
    Topic {
        name,
        synopsis,
        summary,
    }
}

/// All topics in the order of the list.
fn topics() -> Vec<Topic> {
    let mut all = Vec::with_capacity(TABLE.len() + SYNTAX.len());
    let mut others = SYNTAX.iter().peekable();
    let copy = |other: &Topic| topic(other.name, other.synopsis, other.summary);
    for entry in TABLE {
        while let Some((_, other)) = others.next_if(|(before, _)| *before == entry.name) {
            all.push(copy(other));
        }
        all.extend(of(entry.name));
    }
    all.extend(others.map(|(_, other)| copy(other)));
    all
}

/// The topic of a builtin.
fn of(name: &'static str) -> Option<Topic> {
    let synopsis = synopsis::of(name.as_bytes())?;
    Some(topic(name, synopsis, summary::of(name.as_bytes())?))
}

/// How a topic is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// What it does in a line: `-d`.
    Summary,
    /// As a page: `-m`.
    Page,
    /// How it is called: `-s`.
    Synopsis,
    /// How it is called, and what it does.
    Whole,
}

/// `NAME --help`
pub(super) fn describe(cx: &mut Context<'_>) -> Flow {
    let name = cx.name().to_vec();
    let entry = super::find(&name);
    if let Some(topic) = entry.and_then(|entry| of(entry.name)) {
        show(cx, &topic, Form::Whole);
    }
    Flow::Status(2)
}

fn show(cx: &mut Context<'_>, topic: &Topic, form: Form) {
    let Topic {
        name,
        synopsis,
        summary,
    } = topic;
    cx.out(match form {
        Form::Summary => format!("{name} - {summary}\n"),
        Form::Page => format!(
            "NAME\n    {name} - {summary}\n\nSYNOPSIS\n    {synopsis}\n\nDESCRIPTION\n    {summary}\n\nSEE ALSO\n    bash(1)\n\n"
        ),
        Form::Synopsis => format!("{name}: {synopsis}\n"),
        Form::Whole => format!("{name}: {synopsis}\n    {summary}\n"),
    });
}

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("dms", arguments);
    let (mut summary, mut page, mut brief) = (false, false, false);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'd' => summary = true,
                b'm' => page = true,
                _ => brief = true,
            },
            Err(flow) => return flow,
        }
    }
    let patterns = letters.operands();
    if patterns.is_empty() {
        list(cx);
        return Flow::Status(0);
    }
    let form = match (summary, page, brief) {
        (true, ..) => Form::Summary,
        (_, true, _) => Form::Page,
        (.., true) => Form::Synopsis,
        _ => Form::Whole,
    };
    if patterns[0].iter().any(|byte| b"*?[".contains(byte)) && patterns[0] != "[" {
        let plural = if patterns.len() > 1 { "s" } else { "" };
        let head = format!("Shell commands matching keyword{plural} `");
        cx.out([head.as_bytes(), &patterns.join(&b", "[..]), b"'\n\n"].concat());
    }
    let mut found = false;
    for word in patterns {
        found |= show_matching(cx, word, form);
    }
    if found {
        return Flow::Status(0);
    }
    if let Some(last) = patterns.last() {
        let word = last.to_string_lossy().into_owned();
        cx.error(format!(
            "no help topics match `{word}'.  Try `help help' or `man -k {word}' or `info {word}'."
        ));
    }
    Flow::Status(1)
}

/// Shows the topics that a word names or matches, or else those that begin with it; false where there is none.
fn show_matching(cx: &mut Context<'_>, word: &Text, form: Form) -> bool {
    let pattern = Pattern::new(word, pattern::Options::default());
    let matches = |topic: &Topic| {
        let name = topic.name.as_bytes();
        name == word.as_bytes() || pattern.matches(name)
    };
    let mut all = topics();
    match all.iter().any(matches) {
        true => all.retain(matches),
        false => all.retain(|topic| topic.name.as_bytes().starts_with(word)),
    }
    for topic in &all {
        show(cx, topic, form);
    }
    !all.is_empty()
}

/// All topics in two columns, those of disabled builtins with a star.
fn list(cx: &mut Context<'_>) {
    cx.out(
        "GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n\
        These shell commands are defined internally.  Type `help' to see this list.\n\
        Type `help name' to find out more about the function `name'.\n\
        Use `info bash' to find out more about the shell in general.\n\
        Use `man -k' or `info' to find out more about commands not in this list.\n\n\
        A star (*) next to a name means that the command is disabled.\n\n",
    );
    let columns = cx.get(b"COLUMNS").and_then(|text| integer(&text));
    let columns = columns.and_then(|columns| usize::try_from(columns).ok());
    let width = match columns.unwrap_or(0) {
        0 => 40,
        columns if columns / 2 <= 3 => 40,
        columns => columns / 2,
    };
    let all = topics();
    let height = all.len().div_ceil(2);
    let cell = |cx: &Context<'_>, topic: &Topic, width: usize| {
        let disabled = cx.state().disabled.contains(topic.name.as_bytes());
        let text = format!("{}{}", if disabled { '*' } else { ' ' }, topic.synopsis);
        match text.get(..width.saturating_sub(1)) {
            Some(start) if text.len() >= width => format!("{start}>"),
            _ => text,
        }
    };
    for at in 0..height {
        let mut line = cell(cx, &all[at], width - 1);
        if let Some(other) = all.get(at + height) {
            let second = cell(cx, other, width - 2);
            line = format!("{line:width$}{second}");
        }
        cx.out(line + "\n");
    }
}

pub(super) fn caller(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let script = cx.state().script.clone();
    if script.is_none() && !cx.can_return() {
        return Flow::Status(1);
    }
    let operands = match none(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    let level = match operands.first() {
        None => None,
        Some(word) => match integer(word).and_then(|level| usize::try_from(level).ok()) {
            Some(level) => Some(level),
            None => {
                cx.error_about(word, "invalid number");
                return synopsis::usage(cx);
            }
        },
    };
    let calls: Vec<(CallKind, Text, Text, u32)> = cx
        .state()
        .calls
        .visible()
        .map(|call| (call.kind, call.name.clone(), call.source.clone(), call.line))
        .collect();
    let Some((_, _, _, line)) = calls.get(level.unwrap_or(0)) else {
        if level.is_none() {
            cx.out("0 NULL\n");
            return Flow::Status(0);
        }
        return Flow::Status(1);
    };
    let outer = calls.get(level.unwrap_or(0) + 1);
    let source = match (outer, &script) {
        (Some((_, _, source, _)), _) => source.clone(),
        (None, Some(script)) => script.clone(),
        (None, None) => Text::from("NULL"),
    };
    let mut text = format!("{line} ").into_bytes();
    if level.is_some() {
        match outer {
            Some((_, name, _, _)) => text.extend_from_slice(name),
            None if script.is_none() => return Flow::Status(1),
            None => text.extend_from_slice(b"main"),
        }
        text.push(b' ');
    }
    text.extend_from_slice(&source);
    text.push(b'\n');
    cx.out(text);
    Flow::Status(0)
}
