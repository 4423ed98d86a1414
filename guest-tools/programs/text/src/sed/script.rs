//! Reads a `sed` script.

use std::collections::HashMap;
use std::rc::Rc;

use crate::pattern::{Dialect, Pattern, Settings};

/// A line address.
pub enum Address {
    Line(u64),
    /// Lines `first`, `first + step`, …
    Step(u64, u64),
    Last,
    /// None is the pattern that was used last.
    Match(Option<Rc<Pattern>>),
}

/// Where a range ends.
pub enum End {
    Address(Address),
    /// So many lines later.
    Count(u64),
    /// At the next line that is a multiple.
    Multiple(u64),
}

/// Which lines a command is for.
pub enum Lines {
    All,
    At(Address),
    Range(Address, End),
}

/// A part of a replacement.
#[derive(Clone, Debug)]
pub enum Part {
    Literal(Vec<u8>),
    Group(usize),
    Case(Case),
}

/// `\U \L \u \l \E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Upper,
    Lower,
    UpperNext,
    LowerNext,
    End,
}

/// An `s` command.
pub struct Substitution {
    pub pattern: Option<Rc<Pattern>>,
    pub replacement: Vec<Part>,
    /// The replacement needs groups beyond the whole match.
    pub groups: bool,
    /// Replace from this match on.
    pub number: usize,
    pub all: bool,
    pub print: usize,
    pub evaluate: bool,
    pub file: Option<Vec<u8>>,
}

/// What a command does.
pub enum Action {
    /// `{`: where its `}` is.
    Block(usize),
    EndBlock,
    Equals,
    Append(Vec<u8>),
    Branch(Option<usize>),
    Change(Vec<u8>),
    Delete,
    DeleteFirst,
    Execute(Vec<u8>),
    FileName,
    GetHold,
    AppendHold,
    Hold,
    HoldAppend,
    Insert(Vec<u8>),
    List(Option<usize>),
    Next,
    NextAppend,
    Print,
    PrintFirst,
    Quit(i32),
    QuitSilently(i32),
    ReadFile(Vec<u8>),
    ReadLine(Vec<u8>),
    Substitute(Box<Substitution>),
    BranchIf(Option<usize>),
    BranchIfNot(Option<usize>),
    Write(Vec<u8>),
    WriteFirst(Vec<u8>),
    Exchange,
    Transliterate(HashMap<Vec<u8>, Vec<u8>>),
    Zap,
    Nothing,
}

impl Action {
    /// Whether it reads or writes files of its own, or runs commands.
    pub fn reaches_out(&self) -> bool {
        match self {
            Action::Execute(_)
            | Action::ReadFile(_)
            | Action::ReadLine(_)
            | Action::Write(_)
            | Action::WriteFirst(_) => true,
            Action::Substitute(substitution) => {
                substitution.evaluate || substitution.file.is_some()
            }
            _ => false,
        }
    }
}

/// An action with the addresses that it is for.
pub struct Command {
    pub lines: Lines,
    pub negated: bool,
    pub action: Action,
}

/// Reads the parts of a script; `Err` is the message without the program's name.
pub fn parse(sources: &[(String, Vec<u8>)], dialect: Dialect) -> Result<Vec<Command>, String> {
    let mut whole = Vec::new();
    for (index, (_, source)) in sources.iter().enumerate() {
        if index > 0 {
            whole.push(b'\n');
        }
        whole.extend_from_slice(source);
    }
    let name = sources.first().map_or("-e expression #1", |(name, _)| name);
    let mut parser = Parser {
        source: &whole,
        at: 0,
        dialect,
        commands: Vec::new(),
        open: Vec::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
    };
    match parser.script() {
        Ok(()) => parser
            .finish()
            .map_err(|message| match message.strip_prefix('@') {
                Some(message) => format!("{name}, {message}"),
                None => message,
            }),
        Err(message) if name.starts_with("-e") => {
            Err(format!("{name}, char {}: {message}", parser.at))
        }
        Err(message) => {
            let line = 1 + parser.source[..parser.at.min(parser.source.len())]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            Err(format!("file {name} line {line}: {message}"))
        }
    }
}

type Outcome<T> = Result<T, String>;

struct Parser<'a> {
    source: &'a [u8],
    at: usize,
    dialect: Dialect,
    commands: Vec<Command>,
    open: Vec<usize>,
    labels: HashMap<Vec<u8>, usize>,
    jumps: Vec<(usize, Vec<u8>)>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    fn skip(&mut self, set: &[u8]) {
        while self.peek().is_some_and(|byte| set.contains(&byte)) {
            self.at += 1;
        }
    }

    fn script(&mut self) -> Outcome<()> {
        loop {
            self.skip(b" \t\n;");
            if self.peek().is_none() {
                return Ok(());
            }
            self.command()?;
        }
    }

    fn finish(mut self) -> Outcome<Vec<Command>> {
        if !self.open.is_empty() {
            return Err("@char 0: unmatched `{'".to_owned());
        }
        for (index, label) in std::mem::take(&mut self.jumps) {
            let Some(&target) = self.labels.get(&label) else {
                let label = String::from_utf8_lossy(&label);
                return Err(format!("can't find label for jump to `{label}'"));
            };
            match &mut self.commands[index].action {
                Action::Branch(to) | Action::BranchIf(to) | Action::BranchIfNot(to) => {
                    *to = Some(target);
                }
                _ => {}
            }
        }
        Ok(self.commands)
    }

    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        crate::options::number(&self.source[start..self.at])
    }

    fn command(&mut self) -> Outcome<()> {
        let lines = self.lines()?;
        self.skip(b" \t");
        let mut negated = false;
        while self.peek() == Some(b'!') {
            self.at += 1;
            if negated {
                return Err("multiple `!'s".to_owned());
            }
            negated = true;
            self.skip(b" \t");
        }
        let Some(letter) = self.next() else {
            return Err("missing command".to_owned());
        };
        let action = self.action(letter, &lines)?;
        self.commands.push(Command {
            lines,
            negated,
            action,
        });
        Ok(())
    }

    fn lines(&mut self) -> Outcome<Lines> {
        let Some(first) = self.address()? else {
            return match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    Err("unknown command: `,'".to_owned())
                }
                _ => Ok(Lines::All),
            };
        };
        self.skip(b" \t");
        if self.peek() != Some(b',') {
            if matches!(first, Address::Line(0)) {
                self.at += 1;
                return Err("invalid usage of line address 0".to_owned());
            }
            return Ok(Lines::At(first));
        }
        self.at += 1;
        self.skip(b" \t");
        let end = match self.peek() {
            Some(sign @ (b'+' | b'~')) => {
                self.at += 1;
                let count = self.number().ok_or("expected number after `+' or `~'")?;
                if sign == b'+' {
                    End::Count(count)
                } else {
                    End::Multiple(count)
                }
            }
            _ => match self.address()? {
                Some(Address::Step(line, _)) => End::Address(Address::Line(line)),
                Some(address) => End::Address(address),
                None => {
                    self.at += 1;
                    return Err("unexpected `,'".to_owned());
                }
            },
        };
        let matches_end = matches!(end, End::Address(Address::Match(_)));
        if matches!(first, Address::Line(0)) && !matches_end {
            self.at += 1;
            return Err("invalid usage of line address 0".to_owned());
        }
        Ok(Lines::Range(first, end))
    }

    fn address(&mut self) -> Outcome<Option<Address>> {
        Ok(match self.peek() {
            Some(b'0'..=b'9') => {
                let line = self.number().ok_or("line number too large")?;
                self.skip(b" \t");
                if self.peek() == Some(b'~') {
                    self.at += 1;
                    let step = self.number().unwrap_or(0);
                    return Ok(Some(Address::Step(line, step)));
                }
                Some(Address::Line(line))
            }
            Some(b'$') => {
                self.at += 1;
                Some(Address::Last)
            }
            Some(mark @ (b'/' | b'\\')) => {
                self.at += 1;
                let delimiter = match mark {
                    b'/' => b'/',
                    _ => self.next().ok_or("unexpected end of script")?,
                };
                let source = self
                    .delimited(delimiter, true)
                    .ok_or("unterminated address regex")?;
                let (mut ignore_case, mut multi_line) = (false, false);
                loop {
                    match self.peek() {
                        Some(b'I') => ignore_case = true,
                        Some(b'M') => multi_line = true,
                        _ => break,
                    }
                    self.at += 1;
                }
                Some(Address::Match(self.pattern(
                    &source,
                    ignore_case,
                    multi_line,
                )?))
            }
            _ => None,
        })
    }

    /// The text up to a delimiter that no backslash and, in a pattern, no bracket hides.
    fn delimited(&mut self, delimiter: u8, is_pattern: bool) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let mut bracket_start = None;
        loop {
            let byte = self.next()?;
            if let Some(start) = bracket_start {
                // The first `]` of a bracket expression is a member.
                let negated = text.get(start) == Some(&b'^');
                let members = text.len() - start - usize::from(negated);
                match byte {
                    b']' if members > 0 => bracket_start = None,
                    b'[' if matches!(self.peek(), Some(b':' | b'.' | b'=')) => {
                        let mark = self.peek().unwrap_or(b':');
                        let rest = &self.source[self.at + 1..];
                        if let Some(end) = rest.windows(2).position(|pair| pair == [mark, b']']) {
                            text.push(byte);
                            text.extend_from_slice(&self.source[self.at..self.at + end + 3]);
                            self.at += end + 3;
                            continue;
                        }
                    }
                    b'\n' => return None,
                    _ => {}
                }
                text.push(byte);
                continue;
            }
            match byte {
                _ if byte == delimiter => return Some(text),
                b'\\' => {
                    let next = self.next()?;
                    if next == delimiter {
                        // It is itself now, and no operator.
                        text.push(next)
                    } else if next == b'\n' && is_pattern {
                        text.push(b'\n');
                    } else {
                        text.extend([byte, next]);
                    }
                }
                b'\n' if is_pattern => return None,
                b'[' if is_pattern => {
                    text.push(byte);
                    // Without an end it is no bracket expression, and hides nothing.
                    let closes = bracket_end(&self.source[self.at..]).is_some();
                    bracket_start = closes.then_some(text.len());
                }
                _ => text.push(byte),
            }
        }
    }

    fn pattern(
        &self,
        source: &[u8],
        ignore_case: bool,
        multi_line: bool,
    ) -> Outcome<Option<Rc<Pattern>>> {
        if source.is_empty() {
            return Ok(None);
        }
        let settings = Settings {
            ignore_case,
            multi_line,
            ..Settings::new(self.dialect)
        };
        let source = escapes(source);
        if self.dialect == Dialect::Extended {
            check_extended(&source)?;
        }
        Ok(Some(Rc::new(Pattern::new(&source, &settings)?)))
    }

    /// A command may end with blanks, then `;`, `}`, `#` or a newline.
    fn end(&mut self) -> Outcome<()> {
        self.skip(b" \t");
        match self.peek() {
            None | Some(b'}' | b'#') => Ok(()),
            Some(b';' | b'\n') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => {
                self.at += 1;
                Err("extra characters after command".to_owned())
            }
        }
    }

    fn simple(&mut self, action: Action) -> Outcome<Action> {
        self.end()?;
        Ok(action)
    }

    fn action(&mut self, letter: u8, lines: &Lines) -> Outcome<Action> {
        match letter {
            b'#' => {
                if !matches!(lines, Lines::All) {
                    return Err("comments don't accept any addresses".to_owned());
                }
                while self.peek().is_some_and(|byte| byte != b'\n') {
                    self.at += 1;
                }
                Ok(Action::Nothing)
            }
            b'{' => {
                self.open.push(self.commands.len());
                Ok(Action::Block(0))
            }
            b'}' => {
                let Some(start) = self.open.pop() else {
                    return Err("unexpected `}'".to_owned());
                };
                if !matches!(lines, Lines::All) {
                    return Err("} doesn't want any addresses".to_owned());
                }
                self.commands[start].action = Action::Block(self.commands.len());
                self.simple(Action::EndBlock)
            }
            b':' => {
                if !matches!(lines, Lines::All) {
                    return Err(": doesn't want any addresses".to_owned());
                }
                let label = self.label();
                if label.is_empty() {
                    return Err("\":\" lacks a label".to_owned());
                }
                self.labels.insert(label, self.commands.len());
                Ok(Action::Nothing)
            }
            b'b' => self.jump(Action::Branch(None)),
            b't' => self.jump(Action::BranchIf(None)),
            b'T' => self.jump(Action::BranchIfNot(None)),
            b'=' => self.simple(Action::Equals),
            b'd' => self.simple(Action::Delete),
            b'D' => self.simple(Action::DeleteFirst),
            b'F' => self.simple(Action::FileName),
            b'g' => self.simple(Action::GetHold),
            b'G' => self.simple(Action::AppendHold),
            b'h' => self.simple(Action::Hold),
            b'H' => self.simple(Action::HoldAppend),
            b'n' => self.simple(Action::Next),
            b'N' => self.simple(Action::NextAppend),
            b'p' => self.simple(Action::Print),
            b'P' => self.simple(Action::PrintFirst),
            b'x' => self.simple(Action::Exchange),
            b'z' => self.simple(Action::Zap),
            b'l' | b'L' => {
                self.skip(b" \t");
                let width = self.number();
                self.simple(Action::List(width.map(|width| width as usize)))
            }
            b'q' | b'Q' => {
                if matches!(lines, Lines::Range(..)) {
                    return Err("command only uses one address".to_owned());
                }
                self.skip(b" \t");
                let status = self.number().unwrap_or(0) as i32;
                let quit = if letter == b'q' {
                    Action::Quit
                } else {
                    Action::QuitSilently
                };
                self.simple(quit(status))
            }
            b'a' => Ok(Action::Append(self.text()?)),
            b'i' => Ok(Action::Insert(self.text()?)),
            b'c' => Ok(Action::Change(self.text()?)),
            b'r' => Ok(Action::ReadFile(self.file()?)),
            b'R' => Ok(Action::ReadLine(self.file()?)),
            b'w' => Ok(Action::Write(self.file()?)),
            b'W' => Ok(Action::WriteFirst(self.file()?)),
            b'e' => {
                self.skip(b" \t");
                Ok(Action::Execute(self.rest_of_line()))
            }
            b's' => self.substitution(),
            b'y' => self.transliteration(),
            b'v' => {
                self.rest_of_line();
                Ok(Action::Nothing)
            }
            _ => {
                let letter = char::from(letter);
                Err(format!("unknown command: `{letter}'"))
            }
        }
    }

    fn label(&mut self) -> Vec<u8> {
        self.skip(b" \t");
        let start = self.at;
        while self.peek().is_some_and(|byte| !b" \t\n;".contains(&byte)) {
            self.at += 1;
        }
        self.source[start..self.at].to_vec()
    }

    fn jump(&mut self, action: Action) -> Outcome<Action> {
        self.skip(b" \t");
        let start = self.at;
        while self.peek().is_some_and(|byte| !b" \t\n;}".contains(&byte)) {
            self.at += 1;
        }
        let label = self.source[start..self.at].to_vec();
        if !label.is_empty() {
            self.jumps.push((self.commands.len(), label));
        }
        self.simple(action)
    }

    fn rest_of_line(&mut self) -> Vec<u8> {
        let rest = &self.source[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += length;
        rest[..length].to_vec()
    }

    fn file(&mut self) -> Outcome<Vec<u8>> {
        self.skip(b" \t");
        let name = self.rest_of_line();
        if name.is_empty() {
            return Err("missing filename in r/R/w/W commands".to_owned());
        }
        Ok(name)
    }

    /// The text of `a`, `i` and `c`, with its newline.
    fn text(&mut self) -> Outcome<Vec<u8>> {
        self.skip(b" \t");
        match self.peek() {
            None => return Err("expected \\ after `a', `c' or `i'".to_owned()),
            Some(b'\\') => {
                self.at += 1;
                let start = self.at;
                self.skip(b" \t");
                match self.peek() {
                    Some(b'\n') => self.at += 1,
                    None => return Ok(Vec::new()),
                    // `a\text`: the backslash keeps leading blanks.
                    Some(_) => self.at = start,
                }
            }
            Some(_) => {}
        }
        let mut text = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'\n' => break,
                b'\\' => {
                    let Some(next) = self.next() else { break };
                    let (byte, used) = escape(next, &self.source[self.at..]).unwrap_or((next, 0));
                    text.push(byte);
                    self.at += used;
                }
                _ => text.push(byte),
            }
        }
        text.push(b'\n');
        Ok(text)
    }

    fn substitution(&mut self) -> Outcome<Action> {
        const UNTERMINATED: &str = "unterminated `s' command";
        let delimiter = self
            .next()
            .filter(|byte| !b"\n\\".contains(byte))
            .ok_or(UNTERMINATED)?;
        let source = self.delimited(delimiter, true).ok_or(UNTERMINATED)?;
        let replacement = self.replacement(delimiter).ok_or(UNTERMINATED)?;
        let mut substitution = Substitution {
            pattern: None,
            groups: replacement
                .iter()
                .any(|part| matches!(part, Part::Group(1..))),
            replacement,
            number: 1,
            all: false,
            print: 0,
            evaluate: false,
            file: None,
        };
        let (mut ignore_case, mut multi_line, mut numbered) = (false, false, false);
        loop {
            match self.peek() {
                Some(b'g') if substitution.all => {
                    self.at += 1;
                    return Err("multiple `g' options to `s' command".to_owned());
                }
                Some(b'g') => substitution.all = true,
                Some(b'p') if substitution.print > 0 => {
                    self.at += 1;
                    return Err("multiple `p' options to `s' command".to_owned());
                }
                Some(b'p') => substitution.print += 1,
                Some(b'i' | b'I') => ignore_case = true,
                Some(b'm' | b'M') => multi_line = true,
                Some(b'e') => substitution.evaluate = true,
                Some(b'0'..=b'9') => {
                    if numbered {
                        self.at += 1;
                        return Err("multiple number options to `s' command".to_owned());
                    }
                    numbered = true;
                    substitution.number = self.number().unwrap_or(0) as usize;
                    if substitution.number == 0 {
                        return Err("number option to `s' command may not be zero".to_owned());
                    }
                    continue;
                }
                Some(b'w') => {
                    self.at += 1;
                    substitution.file = Some(self.file()?);
                    break;
                }
                Some(b' ' | b'\t' | b'\n' | b';' | b'}' | b'#') | None => {
                    self.end()?;
                    break;
                }
                Some(b'\r') => {}
                Some(_) => {
                    self.at += 1;
                    return Err("unknown option to `s'".to_owned());
                }
            }
            self.at += 1;
        }
        substitution.pattern = self.pattern(&source, ignore_case, multi_line)?;
        let groups = substitution
            .pattern
            .as_ref()
            .map_or(9, |pattern| pattern.group_count());
        for part in &substitution.replacement {
            if let Part::Group(number) = part
                && *number > groups
            {
                return Err(format!("invalid reference \\{number} on `s' command's RHS"));
            }
        }
        Ok(Action::Substitute(Box::new(substitution)))
    }

    fn replacement(&mut self, delimiter: u8) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut literal = Vec::new();
        let mut push = |literal: &mut Vec<u8>, part: Part| {
            if !literal.is_empty() {
                parts.push(Part::Literal(std::mem::take(literal)));
            }
            parts.push(part);
        };
        loop {
            let byte = self.next()?;
            match byte {
                _ if byte == delimiter => break,
                b'&' => push(&mut literal, Part::Group(0)),
                b'\\' => {
                    let next = self.next()?;
                    match next {
                        _ if next == delimiter => literal.push(next),
                        b'0'..=b'9' => push(&mut literal, Part::Group(usize::from(next - b'0'))),
                        b'U' => push(&mut literal, Part::Case(Case::Upper)),
                        b'L' => push(&mut literal, Part::Case(Case::Lower)),
                        b'u' => push(&mut literal, Part::Case(Case::UpperNext)),
                        b'l' => push(&mut literal, Part::Case(Case::LowerNext)),
                        b'E' => push(&mut literal, Part::Case(Case::End)),
                        _ => match escape(next, &self.source[self.at..]) {
                            Some((byte, used)) => {
                                literal.push(byte);
                                self.at += used;
                            }
                            None => literal.push(next),
                        },
                    }
                }
                _ => literal.push(byte),
            }
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Some(parts)
    }

    fn transliteration(&mut self) -> Outcome<Action> {
        const UNTERMINATED: &str = "unterminated `y' command";
        let delimiter = self.next().ok_or(UNTERMINATED)?;
        let from = self.delimited(delimiter, false).ok_or(UNTERMINATED)?;
        let to = self.delimited(delimiter, false).ok_or(UNTERMINATED)?;
        let (from, to) = (characters(&from), characters(&to));
        if from.len() != to.len() {
            return Err("strings for `y' command are different lengths".to_owned());
        }
        self.end()?;
        let mut table = HashMap::new();
        for (from, to) in from.into_iter().zip(to) {
            table.entry(from).or_insert(to);
        }
        Ok(Action::Transliterate(table))
    }
}

/// Where a bracket expression ends, from after its `[`; within the line.
fn bracket_end(text: &[u8]) -> Option<usize> {
    let mut at = usize::from(text.first() == Some(&b'^'));
    at += usize::from(text.get(at) == Some(&b']'));
    while let Some(&byte) = text.get(at) {
        match byte {
            b']' => return Some(at),
            b'\n' => return None,
            b'[' if matches!(text.get(at + 1), Some(b':' | b'.' | b'=')) => {
                let mark = text[at + 1];
                let end = text[at + 2..]
                    .windows(2)
                    .position(|pair| pair == [mark, b']'])?;
                at += end + 4;
            }
            _ => at += 1,
        }
    }
    None
}

/// The byte of an escape whose letter is `letter`, and how many bytes more it takes.
fn escape(letter: u8, rest: &[u8]) -> Option<(u8, usize)> {
    let digits = |base: u32, most: usize| {
        let digits = rest
            .iter()
            .take(most)
            .map_while(|byte| char::from(*byte).to_digit(base));
        digits.fold((0u32, 0), |(value, count), digit| {
            (value * base + digit, count + 1)
        })
    };
    let numeric = |base, most| match digits(base, most) {
        (_, 0) => None,
        (value, count) => Some((value as u8, count)),
    };
    match letter {
        b'a' => Some((7, 0)),
        b'f' => Some((12, 0)),
        b'n' => Some((b'\n', 0)),
        b'r' => Some((b'\r', 0)),
        b't' => Some((b'\t', 0)),
        b'v' => Some((11, 0)),
        b'c' => rest
            .first()
            .map(|byte| (byte.to_ascii_uppercase() ^ 0x40, 1)),
        b'd' => numeric(10, 3),
        b'o' => numeric(8, 3),
        b'x' => numeric(16, 2),
        _ => None,
    }
}

/// Replaces the escapes of a pattern that the pattern syntax does not have, also inside brackets.
fn escapes(source: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut at = 0;
    while at < source.len() {
        let byte = source[at];
        at += 1;
        let Some(&next) = source.get(at).filter(|_| byte == b'\\') else {
            out.push(byte);
            continue;
        };
        at += 1;
        match escape(next, &source[at..]) {
            Some((value, used)) => {
                at += used;
                // A character that is given by number is no operator.
                if b"dox".contains(&next) && b"*.[]^$\\/+?(){}|".contains(&value) {
                    out.push(b'\\');
                }
                out.push(value);
            }
            None => out.extend([byte, next]),
        }
    }
    out
}

/// The characters of a `y` string.
fn characters(text: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\\' && at + 1 < text.len() {
            let next = text[at + 1];
            at += 2;
            match escape(next, &text[at..]) {
                Some((byte, used)) => {
                    found.push(vec![byte]);
                    at += used;
                }
                None if next == b'\\' => found.push(vec![b'\\']),
                None => found.extend([vec![b'\\'], vec![next]]),
            }
            continue;
        }
        let length = crate::pattern::character_length(&text[at..]);
        found.push(text[at..at + length].to_vec());
        at += length;
    }
    found
}

/// Refuses what GNU's sed refuses in an extended expression, and its grep takes literally.
fn check_extended(source: &[u8]) -> Outcome<()> {
    if matches!(source.first(), Some(b'*' | b'+' | b'?')) {
        return Err("Invalid preceding regular expression".to_owned());
    }
    let mut at = 0;
    while at < source.len() {
        match source[at] {
            b'\\' => at += 1,
            // Brackets hide everything; where they end is for the compiler to say.
            b'[' => return Ok(()),
            b'{' if at > 0 => {
                let body = &source[at + 1..];
                let inside = |byte: &u8| byte.is_ascii_digit() || *byte == b',';
                let length = body.iter().take_while(|byte| inside(byte)).count();
                if length == body.len() {
                    return Err("Unmatched \\{".to_owned());
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}
