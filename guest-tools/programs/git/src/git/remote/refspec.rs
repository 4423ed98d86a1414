//! Which references go where: `+refs/heads/*:refs/remotes/origin/*`.

use super::super::stop::{Outcome, fatal};
use crate::call::bytes;

/// A rule from references of one side to those of the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refspec {
    /// Whether history may be thrown away.
    pub force: bool,
    pub source: Vec<u8>,
    /// None where no colon stood.
    pub target: Option<Vec<u8>>,
    /// Whether what fits is left out: `^refs/heads/x`.
    pub negative: bool,
}

impl Refspec {
    /// Reads a rule.
    pub fn parse(text: &[u8]) -> Outcome<Refspec> {
        let bad = || fatal(bytes!("invalid refspec '", text, "'"));
        if let Some(rest) = text.strip_prefix(b"^") {
            return Ok(Refspec {
                source: rest.to_vec(),
                negative: true,
                ..Refspec::default()
            });
        }
        let (force, rest) = match text.strip_prefix(b"+") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut sides = rest.splitn(2, |&byte| byte == b':');
        let source = sides.next().unwrap_or_default().to_vec();
        let target = sides.next().map(<[u8]>::to_vec);
        let stars = |side: &[u8]| side.iter().filter(|&&byte| byte == b'*').count();
        let other = target.as_deref().map(stars);
        if stars(&source) > 1 || other.is_some_and(|count| count != stars(&source)) {
            return Err(bad());
        }
        Ok(Refspec {
            force,
            source,
            target,
            negative: false,
        })
    }

    /// Whether it stands for many.
    pub fn is_pattern(&self) -> bool {
        self.source.contains(&b'*')
    }

    /// Where the reference `name` goes; none where it does not fit.
    pub fn map(&self, name: &[u8]) -> Option<Vec<u8>> {
        fill(&self.source, self.target.as_deref()?, name)
    }

    /// The reference that goes to `name`.
    pub fn reverse(&self, name: &[u8]) -> Option<Vec<u8>> {
        fill(self.target.as_deref()?, &self.source, name)
    }

    /// Whether `name` is one of its sources.
    pub fn fits(&self, name: &[u8]) -> bool {
        fill(&self.source, &self.source, name).is_some()
    }
}

/// `to` with its star replaced by what the star of `from` stands for in `name`.
fn fill(from: &[u8], to: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let star = |text: &[u8]| text.iter().position(|&byte| byte == b'*');
    let Some(at) = star(from) else {
        return (from == name).then(|| to.to_vec());
    };
    let middle = name.strip_prefix(&from[..at])?;
    let middle = middle.strip_suffix(&from[at + 1..])?;
    let at = star(to)?;
    Some(bytes!(&to[..at], middle, &to[at + 1..]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    #[test]
    fn names_go_where_the_rule_says() {
        let cases: &[(&str, &str, Option<&str>)] = &[
            (
                "+refs/heads/*:refs/remotes/o/*",
                "refs/heads/a/b",
                Some("refs/remotes/o/a/b"),
            ),
            ("+refs/heads/*:refs/remotes/o/*", "refs/tags/a", None),
            ("refs/heads/a:refs/x", "refs/heads/a", Some("refs/x")),
            ("refs/heads/a:refs/x", "refs/heads/ab", None),
            (
                "refs/heads/a*z:refs/x/*",
                "refs/heads/abz",
                Some("refs/x/b"),
            ),
            ("refs/heads/a", "refs/heads/a", None),
        ];
        for (rule, name, expected) in cases {
            let rule = Refspec::parse(rule.as_bytes()).unwrap();
            let got = rule.map(name.as_bytes());
            assert_eq!(got.as_deref(), expected.map(str::as_bytes), "{rule:?}");
            if let Some(target) = got {
                assert_eq!(rule.reverse(&target).unwrap(), name.as_bytes());
            }
        }
        assert!(Refspec::parse(b"a/*:b").is_err());
        assert!(Refspec::parse(b"a/**:b/*").is_err());
    }
}
