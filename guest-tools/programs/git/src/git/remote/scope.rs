//! Settings that hold for some URLs only, such as `http.https://host/team.extraHeader` (Documentation/git-config,
//! "http.<url>.*").
//!
//! Scheme, host and port are compared as wholes, in lower case and without the port that a scheme has anyway; `*`
//! stands for one label of a host. The path matches by whole components, once `%41`, `.` and `..` are resolved: what
//! is meant for `/team` is never sent to `/team2` or `/team/../other`.

use super::super::config::Config;

/// How narrow a scope is: the lengths of its host and path, and whether it names the user. The greater one wins.
type Width = (usize, usize, bool);

/// A URL in its parts, in the form in which they are compared.
struct Parts {
    scheme: Vec<u8>,
    user: Option<Vec<u8>>,
    host: Vec<u8>,
    port: Vec<u8>,
    /// With a slash in front.
    path: Vec<u8>,
}

/// The values of `SECTION.KEY` and `SECTION.URL.KEY` that hold for a URL, in their order. As in git, a value counts
/// only if none before it has a narrower scope.
pub fn values<'a>(config: &'a Config, section: &str, key: &str, url: &[u8]) -> Vec<&'a [u8]> {
    let parts = Parts::read(url);
    let mut narrowest = Width::default();
    let mut found = Vec::new();
    for setting in config.all() {
        let rest = setting.name.strip_prefix(section);
        let rest = rest.and_then(|rest| rest.strip_suffix(key)?.strip_prefix('.'));
        let width = match (rest, &parts) {
            (Some(""), _) => Some(Width::default()),
            (Some(scope), Some(parts)) => {
                let scope = scope.strip_suffix('.');
                scope.and_then(|scope| parts.within(&Parts::read(scope.as_bytes())?))
            }
            _ => None,
        };
        if let Some(width) = width.filter(|width| *width >= narrowest) {
            narrowest = width;
            found.push(setting.value.as_deref().unwrap_or_default());
        }
    }
    found
}

impl Parts {
    /// None for what has no scheme or a port that is no number.
    fn read(url: &[u8]) -> Option<Parts> {
        let colon = url.windows(3).position(|part| part == b"://")?;
        let scheme = url[..colon].to_ascii_lowercase();
        let rest = &url[colon + 3..];
        let end = rest.iter().position(|byte| b"/?#".contains(byte));
        let (place, path) = rest.split_at(end.unwrap_or(rest.len()));
        let (user, place) = match place.iter().rposition(|&byte| byte == b'@') {
            Some(at) => (Some(&place[..at]), &place[at + 1..]),
            None => (None, place),
        };
        let user = user.and_then(|user| user.split(|&byte| byte == b':').next());
        // The colons of an address in brackets are no port's.
        let inner = place.iter().rposition(|&byte| byte == b']').unwrap_or(0);
        let port = place[inner..].iter().rposition(|&byte| byte == b':');
        let (host, port) = match port {
            Some(at) => (&place[..inner + at], &place[inner + at + 1..]),
            None => (place, b"".as_slice()),
        };
        if !port.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let zeros = port.iter().take_while(|&&byte| byte == b'0').count();
        let port = match (scheme.as_slice(), &port[zeros..]) {
            (b"http", b"80") | (b"https", b"443") => b"".as_slice(),
            (_, port) => port,
        };
        Some(Parts {
            user: user.map(decoded),
            host: host.to_ascii_lowercase(),
            port: port.to_vec(),
            path: plain_path(path),
            scheme,
        })
    }

    /// How narrow `scope` is, where this URL is in it.
    fn within(&self, scope: &Parts) -> Option<Width> {
        let labels = |host: &'_ [u8]| host.iter().filter(|&&byte| byte == b'.').count();
        let same = labels(&self.host) == labels(&scope.host)
            && (self.host.split(|&byte| byte == b'.'))
                .zip(scope.host.split(|&byte| byte == b'.'))
                .all(|(own, wanted)| wanted == b"*" || own == wanted);
        let user = scope.user.is_none() || scope.user == self.user;
        if !same || !user || self.scheme != scope.scheme || self.port != scope.port {
            return None;
        }
        let folder = scope.path.strip_suffix(b"/").unwrap_or(&scope.path);
        let rest = self.path.strip_prefix(folder)?;
        let whole = rest.is_empty() || rest[0] == b'/';
        whole.then_some((scope.host.len(), folder.len() + 1, scope.user.is_some()))
    }
}

/// A path without query, `.` and `..`, and with a slash in front.
fn plain_path(path: &[u8]) -> Vec<u8> {
    let end = path.iter().position(|byte| b"?#".contains(byte));
    let path = decoded(&path[..end.unwrap_or(path.len())]);
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut all = path.split(|&byte| byte == b'/').skip(1).peekable();
    while let Some(part) = all.next() {
        let is_last = all.peek().is_none();
        match part {
            b".." => drop(parts.pop()),
            b"." => {}
            part => parts.push(part),
        }
        if is_last && matches!(part, b"." | b"..") {
            parts.push(b"");
        }
    }
    let mut plain = b"/".to_vec();
    plain.extend(parts.join(&b'/'));
    plain
}

/// Text with `%41` as the letter that it stands for, where a letter, a digit or one of `-._~` does; other escapes in
/// upper case.
fn decoded(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => out.push(byte),
            Some(byte) => out.extend(format!("%{byte:02X}").bytes()),
            None => out.push(first),
        }
        rest = if code.is_some() { &after[2..] } else { after };
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    /// The values of `http.….extraHeader` for a URL, with a setting for each scope that has it as its value.
    fn holding(scopes: &[&str], url: &str) -> String {
        let mut config = Config::default();
        for scope in scopes {
            let word = format!("http.{scope}.extraHeader={scope}");
            config.add_word(word.as_bytes()).unwrap();
        }
        let found = values(&config, "http", "extraheader", url.as_bytes());
        String::from_utf8(found.join(&b' ')).unwrap()
    }

    #[test]
    fn scopes_match_as_those_of_git() {
        let cases = [
            ("https://h.org", "https://h.org/x.git", true),
            ("https://h.org", "https://h.org", true),
            ("https://h.org", "https://h.org.evil.net/x.git", false),
            ("https://h.org", "https://h.org@evil.net/x.git", false),
            ("https://h.org", "https://h.organic/x", false),
            ("https://h.org", "http://h.org/x", false),
            ("https://h.org", "https://h.org:8443/x", false),
            ("https://h.org:8443", "https://h.org:84430/x", false),
            ("https://h.org:443/", "https://H.org/x", true),
            ("http://h.org", "http://h.org:080/x", true),
            ("https://h.org/team", "https://h.org/team2/x", false),
            ("https://h.org/team", "https://h.org/team/x", true),
            ("https://h.org/team/", "https://h.org/team", true),
            ("https://h.org/team", "https://h.org/team/../x", false),
            ("https://h.org/team", "https://h.org/team/%2e%2E/x", false),
            ("https://h.org/team", "https://h.org/te%61m/x", true),
            ("https://*.org/", "https://h.org/x", true),
            ("https://*.org/", "https://a.h.org/x", false),
            ("https://ann@h.org", "https://h.org/x", false),
            ("https://ann@h.org", "https://ann:s@h.org/x", true),
            ("https://h.org", "https://ann:s@h.org/x", true),
            ("https://[::1]:8000", "https://[::1]:8000/x", true),
            ("https://[::1]", "https://[::1]:1/x", false),
        ];
        for (scope, url, expected) in cases {
            assert_eq!(
                !holding(&[scope], url).is_empty(),
                expected,
                "{scope} {url}"
            );
        }
    }

    #[test]
    fn a_wider_scope_does_not_follow_a_narrower_one() {
        let (wide, narrow) = ("https://h.org", "https://h.org/a");
        let url = "https://h.org/a/x.git";
        assert_eq!(holding(&[wide, narrow], url), format!("{wide} {narrow}"));
        assert_eq!(holding(&[narrow, wide], url), narrow);
        assert_eq!(holding(&[narrow, wide], "https://h.org/b"), wide);
    }
}
