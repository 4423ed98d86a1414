//! What changed in files, as a patch.

use crate::report::letter;
use offshoot::lifecycle::ContentChange;
use serde_json::{Value, json};
use similar::TextDiff;

/// Longer files are only named.
pub const LONGEST: u64 = 4 << 20;

fn path(change: &ContentChange) -> String {
    String::from_utf8_lossy(&change.change.path).into_owned()
}

/// Changes as JSON: paths, kinds, and for text the patch.
pub fn document(changes: &[ContentChange]) -> Value {
    let one = |change: &ContentChange| {
        let kind = letter(change.change.kind).to_string();
        json!({ "path": path(change), "kind": kind, "patch": unified(change) })
    };
    changes.iter().map(one).collect()
}

/// Changes as a patch, with a line for what is no text.
pub fn text(changes: &[ContentChange]) -> String {
    let one = |change: &ContentChange| match unified(change) {
        Some(patch) => patch.trim_end_matches('\n').to_owned(),
        None => format!("{} {}", letter(change.change.kind), path(change)),
    };
    changes.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The patch of one file; none for what is no text, and where only its mode or owner changed.
fn unified(change: &ContentChange) -> Option<String> {
    let side = |bytes: &Option<Vec<u8>>| match bytes {
        Some(bytes) => std::str::from_utf8(bytes).ok().map(str::to_owned),
        None => Some(String::new()),
    };
    if change.before == change.after {
        return None;
    }
    let (before, after) = (side(&change.before)?, side(&change.after)?);
    let path = path(change);
    let name = |side: &str, there: bool| match there {
        true => format!("{side}{path}"),
        false => "/dev/null".to_owned(),
    };
    let old = name("a", change.before.is_some());
    let new = name("b", change.after.is_some());
    let difference = TextDiff::from_lines(&before, &after);
    let patch = difference.unified_diff().header(&old, &new).to_string();
    Some(patch).filter(|patch| !patch.is_empty())
}
