//! A line of an inputrc: `KEY: FUNCTION`, `"KEYS": "MACRO"`, `set VARIABLE VALUE`.

use super::table::{self, Action, Keymap};
use super::{Context, keys};

/// Acts on the lines of a file, those under `$if` where it holds.
pub(super) fn parse_file(cx: &mut Context<'_>, keymap: Keymap, content: &[u8]) {
    let mut conditions: Vec<bool> = Vec::new();
    for text in content.split(|&byte| byte == b'\n') {
        let text = text.trim_ascii();
        let Some(directive) = text.strip_prefix(b"$") else {
            if conditions.iter().all(|holds| *holds) {
                parse(cx, keymap, text);
            }
            continue;
        };
        let mut words = directive.splitn(2, |byte| byte.is_ascii_whitespace());
        match (words.next(), words.next().unwrap_or_default().trim_ascii()) {
            (Some(b"if"), test) => conditions.push(holds(test)),
            (Some(b"else"), _) => {
                if let Some(last) = conditions.last_mut() {
                    *last = !*last;
                }
            }
            (Some(b"endif"), _) => drop(conditions.pop()),
            _ => {}
        }
    }
}

fn holds(test: &[u8]) -> bool {
    matches!(
        test.to_ascii_lowercase().as_slice(),
        b"mode=emacs" | b"bash"
    )
}

/// Acts on a line; what is wrong with it is said, and no more.
pub(super) fn parse(cx: &mut Context<'_>, keymap: Keymap, text: &[u8]) {
    let text = text.trim_ascii();
    if text.is_empty() || text.starts_with(b"#") {
        return;
    }
    let is_set = text
        .get(..4)
        .is_some_and(|head| head.eq_ignore_ascii_case(b"set "));
    if is_set {
        return set(cx, &text[4..]);
    }
    let (key, rest, quoted) = match text.strip_prefix(b"\"") {
        Some(inner) => match closing(inner, b'"') {
            Some(end) => (&inner[..end], &inner[end + 1..], true),
            None => return complain(cx, text, "no closing `\"' in key binding"),
        },
        None => {
            let end = text.iter().position(|&byte| is_end(byte));
            let end = end.unwrap_or(text.len());
            (&text[..end], &text[end..], false)
        }
    };
    let Some(end) = rest.iter().position(|&byte| is_end(byte)) else {
        return complain(cx, text, "no key sequence terminator");
    };
    let sequence = if quoted {
        keys::translate(key)
    } else {
        keys::named(key).into_iter().collect()
    };
    let target = rest[end + 1..].trim_ascii_start();
    if let Some(action) = action(target)
        && !sequence.is_empty()
    {
        table::bind(cx, keymap, &sequence, &action);
    }
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b':' | b' ' | b'\t')
}

/// What stands behind the colon; none where that is no function.
fn action(target: &[u8]) -> Option<Action> {
    if let Some((quote @ (b'"' | b'\''), inner)) = target.split_first() {
        let end = closing(inner, *quote).unwrap_or(inner.len());
        return Some(Action::Macro(keys::translate(&inner[..end])));
    }
    let name = target
        .split(|byte| byte.is_ascii_whitespace())
        .next()
        .unwrap_or_default();
    let mut functions = table::functions().iter();
    let found = functions.find(|known| known.as_bytes().eq_ignore_ascii_case(name))?;
    Some(Action::Function(found.as_bytes().to_vec()))
}

/// Where the quote is that ends a text which began with one.
pub(super) fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&byte| {
        let ends = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

fn set(cx: &mut Context<'_>, text: &[u8]) {
    let text = text.trim_ascii();
    let end = text.iter().position(u8::is_ascii_whitespace);
    let (name, value) = text.split_at(end.unwrap_or(text.len()));
    if !table::set_variable(cx, name, value.trim_ascii()) {
        complain(cx, name, "unknown variable name");
    }
}

fn complain(cx: &mut Context<'_>, text: &[u8], what: &str) {
    cx.err([b"readline: ", text, b": ", what.as_bytes(), b"\n"].concat());
}
