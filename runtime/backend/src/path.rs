//! Paths as the API sees them: pure text, no file is looked at.

/// Joins `path` to `directory` and removes empty segments, `.` and `..`.
///
/// Two spellings of a path give the same text. At the root `..` stays at the root; whether a path
/// may be used is for the operation that uses it, see [`escapes`].
pub fn resolve(directory: &str, path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in segments(directory, path) {
        match segment {
            ".." => {
                kept.pop();
            }
            name => kept.push(name),
        }
    }
    let mut resolved = String::with_capacity(directory.len() + path.len() + 1);
    for name in kept {
        resolved.push('/');
        resolved.push_str(name);
    }
    if resolved.is_empty() {
        resolved.push('/');
    }
    resolved
}

/// Whether `path` climbs above the root at any point on its way.
pub fn escapes(directory: &str, path: &str) -> bool {
    let mut depth = 0usize;
    for segment in segments(directory, path) {
        if segment != ".." {
            depth += 1;
        } else if depth == 0 {
            return true;
        } else {
            depth -= 1;
        }
    }
    false
}

/// Whether a normalised absolute path is `root` or lies below it.
pub fn is_within(root: &str, path: &str) -> bool {
    if root == "/" {
        return path.starts_with('/');
    }
    path.strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The segments that count, of the directory too unless the path is absolute.
fn segments<'a>(directory: &'a str, path: &'a str) -> impl Iterator<Item = &'a str> {
    let base = if path.starts_with('/') { "" } else { directory };
    base.split('/')
        .chain(path.split('/'))
        .filter(|segment| !matches!(*segment, "" | "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_path_are_equal() {
        for (directory, path, expected) in [
            ("/home/user", "a", "/home/user/a"),
            ("/home/user", "./a//b/", "/home/user/a/b"),
            ("/home/user", "../x", "/home/x"),
            ("/home/user", "/a/./b/../c", "/a/c"),
            ("/home/user", "", "/home/user"),
            ("/", "../..", "/"),
        ] {
            assert_eq!(resolve(directory, path), expected, "{directory} {path}");
        }
    }

    #[test]
    fn a_root_is_more_than_a_prefix() {
        for (root, path, expected) in [
            ("/", "/etc", true),
            ("/base", "/base", true),
            ("/base", "/base/a", true),
            ("/base", "/baseline", false),
            ("/base", "/", false),
        ] {
            assert_eq!(is_within(root, path), expected, "{root} {path}");
        }
    }

    #[test]
    fn t01_paths_above_the_root_are_found() {
        for (directory, path, expected) in [
            ("/home/user", "../../etc", false),
            ("/home/user", "../../../etc", true),
            ("/", "/../etc", true),
            ("/", "a/../../etc/..", true),
            ("/home", "a/..", false),
        ] {
            assert_eq!(escapes(directory, path), expected, "{directory} {path}");
        }
    }
}
