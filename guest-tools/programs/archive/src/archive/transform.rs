//! `tar --transform`: names that change on their way into an archive or out of it.
//!
//! An expression is that of `s` in sed with flags of its own (GNU tar's manual, "Modifying File and Member Names"):
//!
//! | Flag | Meaning |
//! |---|---|
//! | `g`, a number, `i` | as in sed: all matches, the match of that number, letters of either case |
//! | `x` | the pattern is an extended regular expression |
//! | `r`, `s`, `h` | names of members, targets of symbolic links, targets of hard links are changed: the default |
//! | `R`, `S`, `H` | they are not |

use offshoot_text::Substitute;

/// What a name is, which decides the expressions that apply to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The name of a member.
    Member,
    /// The target of a symbolic link.
    Symlink,
    /// The target of a hard link, which is the name of a member too.
    HardLink,
}

/// One expression, and the kinds of names that it applies to.
struct Rule {
    substitute: Substitute,
    member: bool,
    symlink: bool,
    hard_link: bool,
}

/// The expressions of all `--transform` options, in their order. Each works on what the one before it made.
#[derive(Default)]
pub struct Transform {
    rules: Vec<Rule>,
}

impl Transform {
    /// Adds the expressions of one option, `s/PATTERN/REPLACEMENT/FLAGS` with `;` between them.
    ///
    /// # Errors
    /// The message: an expression that does not begin with `s` or lacks a delimiter, a flag that does not exist, a
    /// pattern that is none. The expressions before it stay added.
    pub fn add(&mut self, text: &[u8]) -> Result<(), String> {
        let mut rest = text;
        while !rest.is_empty() {
            rest = self.one(rest)?;
        }
        Ok(())
    }

    /// Adds the first expression of `text`; gives what follows its `;`. Any byte may be the delimiter; a `\` keeps
    /// the next byte from being one.
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

    /// The name that comes out, which may be empty.
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
