//! What changed in files, as a patch.

use crate::report::{letter, shown};
use offshoot::lifecycle::ContentChange;
use serde_json::{Value, json};
use similar::TextDiff;

/// Longer files are only named.
pub const LONGEST: u64 = 4 << 20;

/// The mode that git writes for a symbolic link.
const LINK: &str = "120000";

/// Changes as JSON: paths, kinds, and for text the patch.
pub fn document(changes: &[ContentChange]) -> Value {
    let one = |change: &ContentChange| {
        let path = String::from_utf8_lossy(&change.change.path);
        let kind = letter(change.change.kind).to_string();
        json!({ "path": path, "kind": kind, "patch": unified(change) })
    };
    changes.iter().map(one).collect()
}

/// Changes as a patch, with a line for what is no text.
pub fn text(changes: &[ContentChange]) -> String {
    let one = |change: &ContentChange| match unified(change) {
        Some(patch) => patch.trim_end_matches('\n').to_owned(),
        None => {
            let path = shown(&change.change.path);
            format!("{} {path}", letter(change.change.kind))
        }
    };
    changes.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// A file or a link as a patch has it.
struct Side<'a> {
    mode: &'static str,
    text: &'a str,
}

/// The patch of one file or link, as git has it: none for what is no text, and where something changed that git does
/// not know of, such as the owner.
fn unified(change: &ContentChange) -> Option<String> {
    let before = side(change.before_mode, change.before.as_deref())?;
    let after = side(change.after_mode, change.after.as_deref())?;
    let path = &change.change.path;
    match (&before, &after) {
        (Some(old), Some(new)) if (old.mode == LINK) != (new.mode == LINK) => {
            Some(block(path, before.as_ref(), None) + &block(path, None, after.as_ref()))
        }
        (Some(old), Some(new)) if old.mode == new.mode && old.text == new.text => None,
        (None, None) => None,
        _ => Some(block(path, before.as_ref(), after.as_ref())),
    }
}

/// One side of a patch, where there is one; nothing for what cannot be one.
fn side(mode: Option<u32>, content: Option<&[u8]>) -> Option<Option<Side<'_>>> {
    let Some(mode) = mode else { return Some(None) };
    let mode = match mode & 0o170_000 {
        0o120_000 => LINK,
        0o100_000 if mode & 0o100 != 0 => "100755",
        0o100_000 => "100644",
        _ => return None,
    };
    let text = std::str::from_utf8(content?).ok()?;
    Some(Some(Side { mode, text }))
}

fn block(path: &[u8], before: Option<&Side<'_>>, after: Option<&Side<'_>>) -> String {
    let name = |side: &str| shown(&[side.as_bytes(), path].concat());
    let (old, new) = (name("a"), name("b"));
    let mut patch = format!("diff --git {old} {new}\n");
    match (before, after) {
        (None, Some(new)) => patch += &format!("new file mode {}\n", new.mode),
        (Some(old), None) => patch += &format!("deleted file mode {}\n", old.mode),
        (Some(old), Some(new)) if old.mode != new.mode => {
            patch += &format!("old mode {}\nnew mode {}\n", old.mode, new.mode);
        }
        _ => {}
    }
    let text = |side: Option<&Side<'_>>| side.map_or(String::new(), |side| side.text.to_owned());
    let (from, to) = (text(before), text(after));
    let header = |name: String, side: Option<&Side<'_>>| match side {
        Some(_) => name,
        None => "/dev/null".to_owned(),
    };
    let (old, new) = (header(old, before), header(new, after));
    let difference = TextDiff::from_lines(&from, &to);
    patch + &difference.unified_diff().header(&old, &new).to_string()
}

#[cfg(test)]
mod tests {
    use super::{block, side};

    #[test]
    fn modes_and_links_are_in_a_patch() {
        let of = |mode, text: &'static str| side(Some(mode), Some(text.as_bytes())).flatten();
        let (plain, program) = (of(0o100_644, "x\n"), of(0o100_755, "x\n"));
        let link = of(0o120_777, "target");
        assert_eq!(
            block(b"/f", plain.as_ref(), program.as_ref()),
            "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"
        );
        assert_eq!(
            block(b"/l\n", None, link.as_ref()),
            "diff --git \"a/l\\n\" \"b/l\\n\"\nnew file mode 120000\n--- /dev/null\n+++ \"b/l\\n\"\n\
             @@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n"
        );
        assert!(side(Some(0o040_755), None).is_none());
        assert!(side(Some(0o100_644), Some(b"\xff")).is_none());
    }
}
