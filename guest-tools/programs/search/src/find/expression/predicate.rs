//! Tests, options and actions by their names.

use super::parser::{Outcome, Parser};
use super::{Command, Expression, Follow, Target};
use crate::call::bytes;
use crate::glob::Glob;
use crate::pattern::Dialect;
use crate::quote;

impl<'a> Parser<'a> {
    /// The expression of a word that begins with `-`; its arguments are taken. Names with `-i` before them ignore case.
    pub(super) fn predicate(&mut self, name: &'a [u8]) -> Outcome<Expression> {
        if let Some(expression) = self.option(name)? {
            return Ok(expression);
        }
        if let Some(expression) = self.action(name)? {
            return Ok(expression);
        }
        if let Some(expression) = self.time_test(name)? {
            return Ok(expression);
        }
        let ignore_case = name.starts_with(b"-i") && name != b"-inum";
        Ok(match name {
            b"-true" => Expression::True,
            b"-false" => Expression::False,
            b"-name" | b"-iname" => {
                Expression::Name(Glob::new(self.argument(name)?, ignore_case, false))
            }
            b"-path" | b"-wholename" | b"-ipath" | b"-iwholename" => {
                Expression::Path(Glob::new(self.argument(name)?, ignore_case, false))
            }
            b"-lname" | b"-ilname" => {
                Expression::LinkName(Glob::new(self.argument(name)?, ignore_case, false))
            }
            b"-regex" | b"-iregex" => self.regex(name, ignore_case)?,
            b"-type" | b"-xtype" => self.type_test(name)?,
            b"-size" => self.size(name)?,
            b"-empty" => Expression::Empty,
            b"-perm" => self.permissions(name)?,
            b"-links" => Expression::Links(self.number(name)?),
            b"-inum" => Expression::Inode(self.number(name)?),
            b"-uid" => Expression::User(self.number(name)?),
            b"-gid" => Expression::Group(self.number(name)?),
            b"-user" | b"-group" => self.owner(name)?,
            b"-nouser" => Expression::NoUser,
            b"-nogroup" => Expression::NoGroup,
            b"-samefile" => {
                let stat = self.reference(name)?;
                Expression::SameFile(stat.device, stat.inode)
            }
            b"-readable" => Expression::Access(4),
            b"-writable" => Expression::Access(2),
            b"-executable" => Expression::Access(1),
            b"-fstype" => {
                self.argument(name)?;
                Expression::False
            }
            _ => return Err(bytes!("unknown predicate `", name, "'")),
        })
    }

    /// Options are always true, and hold for the whole expression wherever they stand. `-regextype` alone holds for
    /// what follows it. None where `name` is no option.
    fn option(&mut self, name: &'a [u8]) -> Outcome<Option<Expression>> {
        match name {
            b"-maxdepth" => self.program.most_depth = self.depth_limit(name)?,
            b"-mindepth" => self.program.least_depth = self.depth_limit(name)?,
            b"-depth" | b"-d" => self.program.depth_first = true,
            b"-xdev" | b"-mount" => self.program.one_device = true,
            b"-follow" => self.program.follow = Follow::Always,
            b"-daystart" => self.program.from_day_start = true,
            b"-noleaf"
            | b"-warn"
            | b"-nowarn"
            | b"-ignore_readdir_race"
            | b"-noignore_readdir_race" => {}
            b"-regextype" => {
                let kind = self.argument(name)?;
                self.emacs = matches!(kind, b"emacs" | b"findutils-default");
                self.dialect = match kind {
                    b"posix-extended" | b"posix-egrep" | b"egrep" | b"awk" | b"gnu-awk"
                    | b"posix-awk" => Dialect::Extended,
                    b"emacs"
                    | b"findutils-default"
                    | b"posix-basic"
                    | b"grep"
                    | b"sed"
                    | b"ed"
                    | b"posix-minimal-basic" => Dialect::Basic,
                    _ => {
                        return Err(bytes!(
                            "Unknown regular expression type ",
                            quote::word(kind)
                        ));
                    }
                };
            }
            _ => return Ok(None),
        }
        Ok(Some(Expression::True))
    }

    /// Actions; all but `-prune` and `-quit` suppress the implied `-print`. None where `name` is no action.
    fn action(&mut self, name: &'a [u8]) -> Outcome<Option<Expression>> {
        let mut target = || -> Outcome<Target> {
            let path = self.argument(name)?;
            // What `-print` writes there stands in its order.
            Ok((path != b"/dev/stdout").then(|| path.to_vec()))
        };
        let expression = match name {
            b"-prune" => return Ok(Some(Expression::Prune)),
            b"-quit" => return Ok(Some(Expression::Quit)),
            b"-print" => Expression::Print(b'\n', None),
            b"-print0" => Expression::Print(0, None),
            b"-ls" => Expression::List2(None),
            b"-fprint" => Expression::Print(b'\n', target()?),
            b"-fprint0" => Expression::Print(0, target()?),
            b"-fls" => Expression::List2(target()?),
            b"-printf" => Expression::Format(self.format(name)?, None),
            b"-fprintf" => {
                let target = target()?;
                Expression::Format(self.format(name)?, target)
            }
            b"-delete" => {
                self.program.depth_first = true;
                Expression::Delete
            }
            b"-exec" | b"-execdir" | b"-ok" | b"-okdir" => Expression::Run(self.command(name)?),
            _ => return Ok(None),
        };
        self.acts = true;
        Ok(Some(expression))
    }

    /// Takes a format, which must not end within a directive.
    fn format(&mut self, name: &[u8]) -> Outcome<Vec<u8>> {
        let format = self.argument(name)?;
        super::super::format::check(format)?;
        Ok(format.to_vec())
    }

    /// Takes the words of a command, up to `;` or, directly behind a word `{}`, `+`. With `-ok` a `+` is a word like
    /// others.
    fn command(&mut self, name: &[u8]) -> Outcome<Command> {
        let mut words: Vec<Vec<u8>> = Vec::new();
        let ask = name.starts_with(b"-ok");
        let batch = loop {
            let word = self.argument(name)?;
            let braces = words.last().is_some_and(|last| last == b"{}");
            match word {
                b";" => break false,
                b"+" if braces && !ask => break true,
                _ => words.push(word.to_vec()),
            }
        };
        if words.is_empty() {
            return Err(bytes!("missing argument to `", name, "'"));
        }
        if batch {
            words.pop();
        }
        self.commands += 1;
        let in_directory = name.ends_with(b"dir");
        Ok(Command {
            number: self.commands,
            words,
            batch,
            in_directory,
            ask,
        })
    }
}

/// An operator with one operand is the operand.
pub(super) fn one_or(
    mut parts: Vec<Expression>,
    make: fn(Vec<Expression>) -> Expression,
) -> Expression {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => make(parts),
    }
}

/// The message for an argument that `name` cannot have.
pub(super) fn invalid(text: &[u8], name: &[u8]) -> Vec<u8> {
    bytes!("invalid argument `", text, "' to `", name, "'")
}
