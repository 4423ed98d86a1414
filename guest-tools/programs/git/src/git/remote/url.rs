//! Addresses of repositories: how they are shown, and what is put in place of them.

use super::super::config::Config;
use crate::call::bytes;

/// A URL without user and password.
pub fn without_secrets(url: &[u8]) -> Vec<u8> {
    let Some(start) = url.windows(3).position(|part| part == b"://") else {
        return url.to_vec();
    };
    let rest = &url[start + 3..];
    let end = rest.iter().position(|&byte| byte == b'/');
    let host = &rest[..end.unwrap_or(rest.len())];
    match host.iter().rposition(|&byte| byte == b'@') {
        Some(at) => bytes!(&url[..start + 3], &rest[at + 1..]),
        None => url.to_vec(),
    }
}

/// A URL as `fetch` shows it: without secrets, slashes at its end and `.git`.
pub fn shown(url: &[u8]) -> Vec<u8> {
    let mut url = without_secrets(url);
    while url.ends_with(b"/") {
        url.pop();
    }
    if url.len() > 5 && url.ends_with(b".git") {
        url.truncate(url.len() - 4);
    }
    url
}

/// The name that a clone of `url` gets, as git guesses it; none where nothing is left of it.
pub fn folder(url: &[u8], bare: bool, bundle: bool) -> Option<Vec<u8>> {
    let start = url.windows(3).position(|part| part == b"://");
    let mut rest = &url[start.map_or(0, |at| at + 3)..];
    let host = rest.iter().position(|byte| *byte == b'/');
    if let Some(at) = rest[..host.unwrap_or(rest.len())]
        .iter()
        .rposition(|byte| *byte == b'@')
    {
        rest = &rest[at + 1..];
    }
    let trimmed = |mut text: &[u8], ends: fn(&u8) -> bool| {
        while let [before @ .., last] = text
            && ends(last)
        {
            text = before;
        }
        text.len()
    };
    let mut end = trimmed(rest, |byte| *byte == b'/' || byte.is_ascii_whitespace());
    if end > 5 && rest[..end].ends_with(b"/.git") {
        end = trimmed(&rest[..end - 5], |byte| *byte == b'/');
    }
    rest = &rest[..end];
    if !rest.contains(&b'/') {
        // Only a host: its port is no name.
        let digits = trimmed(rest, u8::is_ascii_digit);
        rest = rest[..digits].strip_suffix(b":").unwrap_or(rest);
    }
    let at = rest.iter().rposition(|byte| b"/:".contains(byte));
    let name = &rest[at.map_or(0, |at| at + 1)..];
    let suffix: &[u8] = if bundle { b".bundle" } else { b".git" };
    let name = name.strip_suffix(suffix).unwrap_or(name);
    let words = name.split(|byte| *byte <= b' ');
    let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
    let name = words.join(&b' ');
    if name.is_empty() {
        return None;
    }
    Some(if bare { bytes!(name, ".git") } else { name })
}

/// Puts another beginning in place of a URL's, as `url.NEW.insteadOf` says; the longest wins.
pub fn rewritten(config: &Config, url: &[u8], push: bool) -> Vec<u8> {
    let with = |key: &str| {
        let mut best: Option<(&[u8], &str)> = None;
        for setting in config.all() {
            let base = setting.name.strip_prefix("url.");
            let base = base.and_then(|rest| rest.strip_suffix(key));
            let (Some(base), Some(old)) = (base, setting.value.as_deref()) else {
                continue;
            };
            if url.starts_with(old) && best.is_none_or(|(known, _)| known.len() < old.len()) {
                best = Some((old, base));
            }
        }
        best.map(|(old, base)| bytes!(base, &url[old.len()..]))
    };
    let pushed = push.then(|| with(".pushinsteadof")).flatten();
    pushed
        .or_else(|| with(".insteadof"))
        .unwrap_or_else(|| url.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_secrets() {
        let cases = [
            ("https://a:b@host/x.git/", "https://host/x"),
            ("https://host/x@y", "https://host/x@y"),
            ("../x.git", "../x"),
            ("/x/.git", "/x/"),
        ];
        for (url, expected) in cases {
            assert_eq!(shown(url.as_bytes()), expected.as_bytes(), "{url}");
        }
    }

    #[test]
    fn clones_are_named_after_their_origin() {
        let cases = [
            ("https://host/a/x.git", "x"),
            ("https://host/a/x/", "x"),
            ("https://host:8080/", "host"),
            ("https://user@host", "host"),
            ("/a/x/.git", "x"),
            ("/a/x//.git//", "x"),
            ("host:x.git", "x"),
            ("a@b/c@d.git", "c@d"),
            ("x.bundle", "x.bundle"),
            ("./", "."),
            ("..", ".."),
            ("a  b\t.git", "a b"),
            ("x", "x"),
        ];
        for (url, expected) in cases {
            let found = folder(url.as_bytes(), false, false);
            assert_eq!(found.as_deref(), Some(expected.as_bytes()), "{url}");
        }
        assert_eq!(folder(b"/", false, false), None);
        assert_eq!(
            folder(b"a/x.bundle", false, true).as_deref(),
            Some(&b"x"[..])
        );
        assert_eq!(folder(b"/a/x", true, false).as_deref(), Some(&b"x.git"[..]));
    }
}
