//! Differences that are plain defects of bash: what nobody would want to have.

use super::Effect;

/// Why a difference is none of ours.
pub fn reason(_script: &str, bash: &Effect, _ours: &Effect) -> Option<&'static str> {
    // No script has this byte.
    if bash.stdout.contains('\u{7f}') || bash.stderr.contains('\u{7f}') {
        return Some("bash's own mark of an empty string is left in a word");
    }
    None
}
