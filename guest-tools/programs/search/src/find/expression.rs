//! The command line of `find` as an expression.

use crate::accounts::Accounts;
use crate::call::{Call, bytes, complain};
use crate::glob::Glob;
use crate::mode::Change;
use crate::options;
use crate::pattern::{Dialect, Pattern, Settings, Whole};
use crate::quote;
use crate::system::{self, Stat, Time};

/// When symbolic links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    Never,
    Operands,
    Always,
}

/// What to do.
pub struct Program {
    pub roots: Vec<Vec<u8>>,
    pub expression: Expression,
    pub follow: Follow,
    pub depth_first: bool,
    pub one_device: bool,
    pub least_depth: usize,
    pub most_depth: usize,
    /// Ages count from the end of today.
    pub from_day_start: bool,
}

/// A number with a sign for its comparison: `+5`, `-5`, `5`.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub sign: u8,
    pub value: u64,
}

impl Number {
    fn parse(text: &[u8]) -> Option<Number> {
        let (sign, digits) = match text.split_first()? {
            (sign @ (b'+' | b'-'), rest) => (*sign, rest),
            _ => (b'=', text),
        };
        Some(Number {
            sign,
            value: options::number(digits)?,
        })
    }

    /// Whether `found` is what `+n`, `-n` or `n` asks for.
    pub fn holds(self, found: u64) -> bool {
        match self.sign {
            b'+' => found > self.value,
            b'-' => found < self.value,
            _ => found == self.value,
        }
    }
}

/// Which time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    Accessed,
    Changed,
    Modified,
    Created,
}

impl Stamp {
    /// That time of a file.
    pub fn of(self, stat: &Stat) -> Time {
        match self {
            Stamp::Accessed => stat.accessed,
            Stamp::Changed => stat.changed,
            Stamp::Modified => stat.modified,
            Stamp::Created => stat.created,
        }
    }
}

/// Where a print action writes; none is standard output.
pub type Target = Option<Vec<u8>>;

/// A command of `-exec` and its kin.
pub struct Command {
    pub number: usize,
    pub words: Vec<Vec<u8>>,
    /// Many files at once.
    pub batch: bool,
    /// Run it in the file's directory.
    pub in_directory: bool,
    /// Ask first.
    pub ask: bool,
}

/// A test, an action, or a combination of them.
pub enum Expression {
    True,
    False,
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    List(Vec<Expression>),
    Name(Glob),
    Path(Glob),
    LinkName(Glob),
    Regex(Pattern),
    Type(Vec<u8>, bool),
    Size(Number, u64),
    Empty,
    Age(Stamp, Number, u64),
    Newer(Stamp, Time),
    Permissions(u8, Change),
    Links(Number),
    Inode(Number),
    User(Number),
    Group(Number),
    NoUser,
    NoGroup,
    SameFile(u64, u64),
    Access(u32),
    Prune,
    Quit,
    Delete,
    Print(u8, Target),
    Format(Vec<u8>, Target),
    List2(Target),
    Run(Command),
}

/// Reads the command line; `Err` is the status after the message was printed.
pub fn parse(call: &Call) -> Result<Program, i32> {
    let mut program = Program {
        roots: Vec::new(),
        expression: Expression::True,
        follow: Follow::Never,
        depth_first: false,
        one_device: false,
        least_depth: 0,
        most_depth: usize::MAX,
        from_day_start: false,
    };
    let mut at = 0;
    let words = &call.arguments;
    while let Some(word) = words.get(at) {
        match word.as_slice() {
            b"-H" => program.follow = Follow::Operands,
            b"-L" => program.follow = Follow::Always,
            b"-P" => program.follow = Follow::Never,
            b"-D" => at += 1,
            b"--help" | b"-help" => {
                println!("Usage: find [-H] [-L] [-P] [path...] [expression]");
                return Err(0);
            }
            b"--version" | b"-version" => {
                print!("{}", crate::model::version("find"));
                return Err(0);
            }
            [b'-', b'O', ..] => {}
            b"--" => {
                at += 1;
                break;
            }
            _ => break,
        }
        at += 1;
    }
    let is_expression = |word: &Vec<u8>| {
        matches!(word.as_slice(), b"(" | b")" | b"!" | b",") || (word.len() > 1 && word[0] == b'-')
    };
    while let Some(word) = words.get(at).filter(|word| !is_expression(word)) {
        program.roots.push(word.clone());
        at += 1;
    }
    if program.roots.is_empty() {
        program.roots.push(b".".to_vec());
    }
    let mut parser = Parser {
        words,
        at,
        program,
        dialect: Dialect::Basic,
        emacs: true,
        acts: false,
        commands: 0,
        depth: 0,
    };
    let expression = parser.whole().map_err(|message| {
        complain(&call.name, message);
        1
    })?;
    let acts = parser.acts;
    let print = || Expression::Print(b'\n', None);
    let expression = if acts {
        expression
    } else {
        Expression::And(vec![expression, print()])
    };
    Ok(Program {
        expression,
        ..parser.program
    })
}

type Outcome<T> = Result<T, Vec<u8>>;

const MOST_NESTED: usize = 200;

struct Parser<'a> {
    words: &'a [Vec<u8>],
    at: usize,
    program: Program,
    dialect: Dialect,
    emacs: bool,
    /// There is an action other than `-prune` and `-quit`.
    acts: bool,
    commands: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a [u8]> {
        self.words.get(self.at).map(Vec::as_slice)
    }

    fn whole(&mut self) -> Outcome<Expression> {
        if self.peek().is_none() {
            return Ok(Expression::True);
        }
        let expression = self.list()?;
        match self.peek() {
            None => Ok(expression),
            Some(b")") => Err(b"invalid expression; you have too many ')'".to_vec()),
            Some(word) => Err(bytes!("paths must precede expression: `", word, "'")),
        }
    }

    fn list(&mut self) -> Outcome<Expression> {
        let mut parts = vec![self.or()?];
        while self.peek() == Some(b",") {
            self.at += 1;
            parts.push(self.or()?);
        }
        Ok(one_or(parts, Expression::List))
    }

    fn or(&mut self) -> Outcome<Expression> {
        let mut parts = vec![self.and()?];
        while let Some(b"-o" | b"-or") = self.peek() {
            self.at += 1;
            parts.push(self.and()?);
        }
        Ok(one_or(parts, Expression::Or))
    }

    fn and(&mut self) -> Outcome<Expression> {
        let mut parts = vec![self.not()?];
        loop {
            match self.peek() {
                Some(b"-a" | b"-and") => self.at += 1,
                None | Some(b")" | b"," | b"-o" | b"-or") => break,
                Some(_) => {}
            }
            parts.push(self.not()?);
        }
        Ok(one_or(parts, Expression::And))
    }

    fn not(&mut self) -> Outcome<Expression> {
        let mut negated = false;
        while let Some(b"!" | b"-not") = self.peek() {
            negated = !negated;
            self.at += 1;
        }
        let inner = self.primary()?;
        Ok(if negated {
            Expression::Not(Box::new(inner))
        } else {
            inner
        })
    }

    fn primary(&mut self) -> Outcome<Expression> {
        let Some(word) = self.peek() else {
            let last = &self.words[self.at - 1];
            return Err(bytes!("expected an expression after '", last, "'"));
        };
        self.at += 1;
        match word {
            b"(" => {
                self.depth += 1;
                if self.depth > MOST_NESTED {
                    return Err(b"expression nested too deeply".to_vec());
                }
                if self.peek() == Some(b")") {
                    return Err(b"invalid expression; empty parentheses are not allowed.".to_vec());
                }
                let inner = self.list()?;
                if self.peek() != Some(b")") {
                    let text = "invalid expression; expected to find a ')' but didn't see one.";
                    return Err(bytes!(
                        text,
                        "  Perhaps you need an extra predicate after '('"
                    ));
                }
                self.at += 1;
                self.depth -= 1;
                Ok(inner)
            }
            b")" => Err(b"invalid expression; you have too many ')'".to_vec()),
            b"-o" | b"-or" | b"-a" | b"-and" | b"," => Err(bytes!(
                "invalid expression; you have used a binary operator '",
                word,
                "' with nothing before it."
            )),
            _ if word.first() == Some(&b'-') => self.predicate(word),
            _ => {
                let text = "paths must precede expression: `";
                Err(bytes!(text, word, "'"))
            }
        }
    }

    fn argument(&mut self, name: &[u8]) -> Outcome<&'a [u8]> {
        let word = self
            .peek()
            .ok_or_else(|| bytes!("missing argument to `", name, "'"))?;
        self.at += 1;
        Ok(word)
    }

    fn number(&mut self, name: &[u8]) -> Outcome<Number> {
        let text = self.argument(name)?;
        Number::parse(text).ok_or_else(|| invalid(text, name))
    }

    fn depth_limit(&mut self, name: &[u8]) -> Outcome<usize> {
        let text = self.argument(name)?;
        options::number(text).ok_or_else(|| {
            bytes!(
                "Expected a positive decimal integer argument to ",
                name,
                ", but got ",
                quote::word(text)
            )
        })
    }

    fn predicate(&mut self, name: &'a [u8]) -> Outcome<Expression> {
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

    /// Options are always true, and hold for the whole expression.
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

    fn action(&mut self, name: &'a [u8]) -> Outcome<Option<Expression>> {
        let mut target = || -> Outcome<Target> { Ok(Some(self.argument(name)?.to_vec())) };
        let expression = match name {
            b"-prune" => return Ok(Some(Expression::Prune)),
            b"-quit" => return Ok(Some(Expression::Quit)),
            b"-print" => Expression::Print(b'\n', None),
            b"-print0" => Expression::Print(0, None),
            b"-ls" => Expression::List2(None),
            b"-fprint" => Expression::Print(b'\n', target()?),
            b"-fprint0" => Expression::Print(0, target()?),
            b"-fls" => Expression::List2(target()?),
            b"-printf" => Expression::Format(self.argument(name)?.to_vec(), None),
            b"-fprintf" => {
                let target = target()?;
                Expression::Format(self.argument(name)?.to_vec(), target)
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

    fn time_test(&mut self, name: &[u8]) -> Outcome<Option<Expression>> {
        let stamp = |letter: u8| match letter {
            b'a' => Some(Stamp::Accessed),
            b'B' => Some(Stamp::Created),
            b'c' => Some(Stamp::Changed),
            b'm' => Some(Stamp::Modified),
            _ => None,
        };
        Ok(Some(match name {
            [b'-', letter @ (b'a' | b'c' | b'm'), b't', b'i', b'm', b'e'] => {
                let number = self.number(name)?;
                Expression::Age(stamp(*letter).unwrap_or(Stamp::Modified), number, 86400)
            }
            [b'-', letter @ (b'a' | b'c' | b'm'), b'm', b'i', b'n'] => {
                let number = self.number(name)?;
                Expression::Age(stamp(*letter).unwrap_or(Stamp::Modified), number, 60)
            }
            b"-newer" => Expression::Newer(Stamp::Modified, self.reference(name)?.modified),
            b"-anewer" => Expression::Newer(Stamp::Accessed, self.reference(name)?.modified),
            b"-cnewer" => Expression::Newer(Stamp::Changed, self.reference(name)?.modified),
            [b'-', b'n', b'e', b'w', b'e', b'r', own, other] => {
                let Some(own) = stamp(*own) else {
                    return Ok(None);
                };
                if *other == b't' {
                    let text = self.argument(name)?;
                    Expression::Newer(own, date(text)?)
                } else {
                    let Some(other) = stamp(*other) else {
                        return Ok(None);
                    };
                    Expression::Newer(own, other.of(&self.reference(name)?))
                }
            }
            _ => return Ok(None),
        }))
    }

    fn reference(&mut self, name: &[u8]) -> Outcome<Stat> {
        let path = self.argument(name)?;
        let follow = self.program.follow != Follow::Never;
        system::stat(path, follow).map_err(|failure| bytes!(quote::word(path), ": ", failure))
    }

    fn regex(&mut self, name: &[u8], ignore_case: bool) -> Outcome<Expression> {
        let source = self.argument(name)?;
        let source = if self.emacs {
            crate::pattern::from_emacs(source)
        } else {
            source.to_vec()
        };
        let settings = Settings {
            ignore_case,
            whole: Whole::Line,
            ..Settings::new(self.dialect)
        };
        let pattern = Pattern::new(&source, &settings).map_err(|message| {
            bytes!(
                "failed to compile regular expression '",
                source,
                "': ",
                message
            )
        })?;
        Ok(Expression::Regex(pattern))
    }

    fn type_test(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let mut letters = Vec::new();
        for (index, part) in text.split(|&byte| byte == b',').enumerate() {
            match part {
                [letter] if b"bcdpflsD".contains(letter) => letters.push(*letter),
                [] if index == 0 => {
                    return Err(bytes!(
                        "Arguments to ",
                        name,
                        " should contain at least one letter"
                    ));
                }
                [_] => return Err(bytes!("Unknown argument to ", name, ": ", part)),
                _ => {
                    let text = "Must separate multiple arguments to ";
                    return Err(bytes!(text, name, " using: ','"));
                }
            }
        }
        Ok(Expression::Type(letters, name == b"-xtype"))
    }

    fn size(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let refuse = || bytes!("Invalid argument `", text, "' to -size");
        let (digits, unit) = match text.split_last() {
            Some((b'c', rest)) => (rest, 1),
            Some((b'w', rest)) => (rest, 2),
            Some((b'b', rest)) => (rest, 512),
            Some((b'k', rest)) => (rest, 1 << 10),
            Some((b'M', rest)) => (rest, 1 << 20),
            Some((b'G', rest)) => (rest, 1 << 30),
            _ => (text, 512),
        };
        Ok(Expression::Size(
            Number::parse(digits).ok_or_else(refuse)?,
            unit,
        ))
    }

    fn permissions(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let (how, mode) = match text.split_first() {
            Some((how @ (b'-' | b'/'), rest)) => (*how, rest),
            _ => (b'=', text),
        };
        let change =
            Change::parse(mode).ok_or_else(|| bytes!("invalid mode ", quote::word(text)))?;
        Ok(Expression::Permissions(how, change))
    }

    fn owner(&mut self, name: &[u8]) -> Outcome<Expression> {
        let text = self.argument(name)?;
        let accounts = Accounts::new();
        let word = String::from_utf8_lossy(text);
        let is_user = name == b"-user";
        let known = if is_user {
            accounts.find_user(&word).map(|(uid, _)| uid)
        } else {
            accounts.find_group(&word)
        };
        let number = known.or_else(|| word.parse().ok()).ok_or_else(|| {
            let what = if is_user { "user" } else { "group" };
            bytes!(
                "invalid ",
                what,
                " name or ",
                if is_user { "UID" } else { "GID" },
                " argument to ",
                name,
                ": ",
                quote::word(text)
            )
        })?;
        let number = Number {
            sign: b'=',
            value: u64::from(number),
        };
        Ok(if is_user {
            Expression::User(number)
        } else {
            Expression::Group(number)
        })
    }
}

fn one_or(mut parts: Vec<Expression>, make: fn(Vec<Expression>) -> Expression) -> Expression {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => make(parts),
    }
}

fn invalid(text: &[u8], name: &[u8]) -> Vec<u8> {
    bytes!("invalid argument `", text, "' to `", name, "'")
}

fn date(text: &[u8]) -> Outcome<Time> {
    let word = String::from_utf8_lossy(text);
    crate::when::local(&word).ok_or_else(|| {
        bytes!(
            "I cannot figure out how to interpret ",
            quote::word(text),
            " as a date or time"
        )
    })
}
