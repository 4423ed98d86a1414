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

/// The name that a clone of `url` gets.
pub fn folder(url: &[u8], bare: bool) -> Vec<u8> {
    let trim = |mut text: Vec<u8>, end: &[u8]| {
        if text.len() > end.len() && text.ends_with(end) {
            text.truncate(text.len() - end.len());
        }
        text
    };
    let mut text = url.to_vec();
    while text.ends_with(b"/") {
        text.pop();
    }
    text = trim(text, b"/.git");
    let at = text.iter().rposition(|byte| b"/:".contains(byte));
    let name = trim(text[at.map_or(0, |at| at + 1)..].to_vec(), b".git");
    let name = trim(name, b".bundle");
    if bare { bytes!(name, ".git") } else { name }
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
            ("/a/x/.git", "x"),
            ("host:x.git", "x"),
            ("x", "x"),
        ];
        for (url, expected) in cases {
            assert_eq!(folder(url.as_bytes(), false), expected.as_bytes(), "{url}");
        }
        assert_eq!(folder(b"/a/x", true), b"x.git");
    }
}
