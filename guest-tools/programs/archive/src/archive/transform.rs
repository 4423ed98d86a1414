//! `tar --transform`: names that change on their way into an archive or out of it.

use offshoot_text::Substitute;

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Member,
    Symlink,
    HardLink,
}

struct Rule {
    substitute: Substitute,
    member: bool,
    symlink: bool,
    hard_link: bool,
}

/// The expressions of all `--transform` options, in their order.
#[derive(Default)]
pub struct Transform {
    rules: Vec<Rule>,
}

impl Transform {
    /// Adds the expressions of one option, `s/PATTERN/REPLACEMENT/FLAGS` with `;` between them; the error is
    /// a message.
    pub fn add(&mut self, text: &[u8]) -> Result<(), String> {
        let mut rest = text;
        while !rest.is_empty() {
            rest = self.one(rest)?;
        }
        Ok(())
    }

    fn one<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8], String> {
        let invalid = || "Invalid transform expression".to_owned();
        let [b's', delimiter, ..] = text else {
            return Err(invalid());
        };
        let mut ends = Vec::new();
        let mut at = 2;
        while ends.len() < 2 {
            match text.get(at) {
                None => return Err(invalid()),
                Some(b'\\') => at += 1,
                Some(byte) if byte == delimiter => ends.push(at),
                Some(_) => {}
            }
            at += 1;
        }
        let flags = &text[at..];
        let length = flags.iter().position(|&byte| byte == b';');
        let (flags, rest) = match length {
            Some(length) => (&flags[..length], &flags[length + 1..]),
            None => (flags, &flags[..0]),
        };
        let mut source = text[..at].to_vec();
        let mut rule = (true, true, true);
        let mut extended = false;
        for flag in flags {
            match flag {
                b'g' | b'i' | b'0'..=b'9' => source.push(*flag),
                b'x' => extended = true,
                b'r' | b'R' => rule.0 = *flag == b'r',
                b's' | b'S' => rule.1 = *flag == b's',
                b'h' | b'H' => rule.2 = *flag == b'h',
                _ => {
                    return Err(format!(
                        "Unknown flag in transform expression: {}",
                        char::from(*flag)
                    ));
                }
            }
        }
        self.rules.push(Rule {
            substitute: Substitute::new(&source, extended)?,
            member: rule.0,
            symlink: rule.1,
            hard_link: rule.2,
        });
        Ok(rest)
    }

    /// The name that comes out.
    pub fn apply(&self, name: &[u8], scope: Scope) -> Vec<u8> {
        let mut name = name.to_vec();
        let wanted = |rule: &&Rule| match scope {
            Scope::Member => rule.member,
            Scope::Symlink => rule.symlink,
            Scope::HardLink => rule.hard_link,
        };
        for rule in self.rules.iter().filter(wanted) {
            if let Some(changed) = rule.substitute.apply(&name) {
                name = changed;
            }
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_as_gnu_changes_them() {
        let cases = [
            ("s/x/y/", "axx", "ayx"),
            ("s,x,y,g", "axx", "ayy"),
            ("s,^,pre/,", "d/f", "pre/d/f"),
            ("s/(.)(.)/\\2\\1/x", "ab", "ba"),
            ("s/A/b/i;s/b/c/", "a", "c"),
            ("s/a/b/R", "a", "a"),
            ("s|/|\\||2", "a/b/c", "a/b|c"),
        ];
        for (text, name, expected) in cases {
            let mut transform = Transform::default();
            assert_eq!(transform.add(text.as_bytes()), Ok(()), "{text}");
            let found = transform.apply(name.as_bytes(), Scope::Member);
            assert_eq!(found, expected.as_bytes(), "{text}");
        }
        for wrong in ["x", "s/a", "s/a/b", "s/a/b/q", "y/a/b/"] {
            assert!(
                Transform::default().add(wrong.as_bytes()).is_err(),
                "{wrong}"
            );
        }
    }
}
