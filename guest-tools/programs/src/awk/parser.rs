//! Reads an awk program.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::lexer::{Lexer, Token};
use super::tree::*;
use crate::pattern::{Dialect, Pattern, Settings};

type Outcome<T> = Result<T, String>;

/// How deep expressions and statements may nest.
const MOST_NESTED: usize = 200;

/// A piece of the program: its name in messages, and its text.
pub struct Piece {
    pub name: String,
    pub text: Vec<u8>,
}

/// Reads a program; the error is `SOURCE:LINE: message`.
pub fn parse(pieces: Vec<Piece>, sandbox: bool) -> Result<Program, String> {
    let mut parser = Parser {
        lexer: Lexer::new(b""),
        token: Token::Newline,
        sources: Vec::new(),
        source: 0,
        included: HashSet::new(),
        namespace: AWK.to_vec(),
        rules: Vec::new(),
        in_place: false,
        sandbox,
        globals: HashMap::new(),
        names: Vec::new(),
        functions: HashMap::new(),
        bodies: Vec::new(),
        locals: Vec::new(),
        in_function: false,
        loops: 0,
        ranges: 0,
        depth: 0,
        no_greater: false,
        no_in: false,
        uses_terminator: false,
    };
    for name in SPECIAL {
        parser.global(name.as_bytes());
    }
    for piece in pieces {
        let read = match piece.text.strip_prefix(INCLUDE) {
            Some(name) => parser
                .include(name)
                .map_err(|message| message.replacen("error: ", "fatal: ", 1)),
            None => parser.piece(&piece),
        };
        read.map_err(|message| parser.located(&message))?;
    }
    let mut functions = Vec::new();
    for (index, body) in std::mem::take(&mut parser.bodies).into_iter().enumerate() {
        let name = || parser.functions.iter().find(|(_, known)| **known == index);
        match body {
            Some(function) => functions.push(function),
            None => {
                let name = name().map_or(&b""[..], |(name, _)| name);
                let name = String::from_utf8_lossy(name);
                let message = format!("fatal: function `{name}' not defined");
                return Err(parser.located(&message));
            }
        }
    }
    Ok(Program {
        rules: parser.rules,
        functions,
        globals: parser.names,
        ranges: parser.ranges,
        uses_terminator: parser.uses_terminator,
        sources: parser.sources,
        in_place: parser.in_place,
    })
}

/// A piece of the program that is the name of a file to include, as `-i` gives it.
pub const INCLUDE: &[u8] = b"\0@include ";

/// The namespace of names without one.
const AWK: &[u8] = b"awk";

struct Parser {
    lexer: Lexer,
    token: Token,
    /// The names of all sources; `source` is the one being read.
    sources: Vec<String>,
    source: usize,
    included: HashSet<Vec<u8>>,
    namespace: Vec<u8>,
    rules: Vec<Rule>,
    in_place: bool,
    sandbox: bool,
    globals: HashMap<Vec<u8>, usize>,
    names: Vec<Vec<u8>>,
    functions: HashMap<Vec<u8>, usize>,
    bodies: Vec<Option<Function>>,
    locals: Vec<Vec<u8>>,
    in_function: bool,
    loops: usize,
    ranges: usize,
    depth: usize,
    /// `>` is a redirection here.
    no_greater: bool,
    /// `in` belongs to a `for` here.
    no_in: bool,
    uses_terminator: bool,
}

impl Parser {
    fn advance(&mut self) -> Outcome<Token> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(&self.token, Token::Symbol(found) if *found == symbol)
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(&self.token, Token::Keyword(found) if *found == keyword)
    }

    fn take(&mut self, symbol: &str) -> Outcome<bool> {
        let found = self.is(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn take_keyword(&mut self, keyword: &str) -> Outcome<bool> {
        let found = self.is_keyword(keyword);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn require(&mut self, symbol: &str) -> Outcome<()> {
        if self.take(symbol)? {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn unexpected(&self) -> String {
        match &self.token {
            Token::End | Token::Newline => {
                "syntax error: unexpected newline or end of string".to_owned()
            }
            _ => "syntax error".to_owned(),
        }
    }

    fn newlines(&mut self) -> Outcome<()> {
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }

    fn terminators(&mut self) -> Outcome<()> {
        while self.token == Token::Newline || self.is(";") {
            self.advance()?;
        }
        Ok(())
    }

    fn global(&mut self, name: &[u8]) -> usize {
        if let Some(&place) = self.globals.get(name) {
            return place;
        }
        let place = self.names.len();
        self.globals.insert(name.to_vec(), place);
        self.names.push(name.to_vec());
        place
    }

    fn place(&mut self, name: &[u8]) -> Place {
        self.uses_terminator |= name == b"RT" || name == b"SYMTAB";
        match self.locals.iter().position(|local| local == name) {
            Some(at) => Place::Local(at),
            None => {
                let name = self.qualified(name);
                Place::Global(self.global(&name))
            }
        }
    }

    /// A name with its namespace; those in capitals, and those of awk itself, have none.
    fn qualified(&self, name: &[u8]) -> Vec<u8> {
        if let Some(name) = name.strip_prefix(b"awk::") {
            return name.to_vec();
        }
        let capitals = name.iter().all(|byte| byte.is_ascii_uppercase());
        let separated = memchr::memmem::find(name, b"::").is_some();
        if self.namespace == AWK || capitals || separated {
            return name.to_vec();
        }
        [&self.namespace[..], b"::", name].concat()
    }

    fn function(&mut self, name: &[u8]) -> usize {
        let name = &self.qualified(name)[..];
        if let Some(&index) = self.functions.get(name) {
            return index;
        }
        let index = self.bodies.len();
        self.functions.insert(name.to_vec(), index);
        self.bodies.push(None);
        index
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err("program nested too deeply".to_owned());
        }
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Where the reading stands, before a message.
    fn located(&self, message: &str) -> String {
        let Some(source) = self.sources.get(self.source) else {
            return message.to_owned();
        };
        if !(message.starts_with("syntax error") || message.starts_with("unterminated")) {
            let kind = match message.split_once(": ") {
                Some(("fatal" | "error", _)) => "",
                _ => "error: ",
            };
            return format!("{source}:{}: {kind}{message}", self.lexer.line);
        }
        // As gawk has it: the line, and below it a mark where the reading stopped.
        let (line, text, before) = self.lexer.last_line();
        let name = crate::awk::name();
        let blanks = " ".repeat(before);
        format!("{source}:{line}: {text}\n{name}: {source}:{line}: {blanks}^ {message}")
    }

    /// Reads one source, in the namespace `awk`; what was being read goes on afterwards.
    fn piece(&mut self, piece: &Piece) -> Outcome<()> {
        let lexer = std::mem::replace(&mut self.lexer, Lexer::new(&piece.text));
        let token = std::mem::replace(&mut self.token, Token::Newline);
        let namespace = std::mem::replace(&mut self.namespace, AWK.to_vec());
        let source = std::mem::replace(&mut self.source, self.sources.len());
        self.sources.push(piece.name.clone());
        self.items()?;
        (self.lexer, self.token, self.namespace, self.source) = (lexer, token, namespace, source);
        Ok(())
    }

    fn items(&mut self) -> Outcome<()> {
        self.advance()?;
        loop {
            self.terminators()?;
            if self.is("@") && self.directive()? {
                continue;
            }
            match self.token {
                Token::End => return Ok(()),
                Token::Keyword("function") => self.definition()?,
                _ => {
                    // It ends with its block, a newline or a semicolon.
                    let rule = self.rule()?;
                    self.rules.push(rule);
                }
            }
        }
    }

    /// `@include`, `@load` and `@namespace`; false where another use of `@` follows.
    fn directive(&mut self) -> Outcome<bool> {
        let mut ahead = self.lexer.clone();
        let Ok(Token::Name(name)) = ahead.next() else {
            return Ok(false);
        };
        if !matches!(name.as_slice(), b"include" | b"load" | b"namespace") {
            return Ok(false);
        }
        let Token::Text(text) = ahead.next()? else {
            return Ok(false);
        };
        (self.lexer, self.token) = (ahead, Token::Newline);
        match name.as_slice() {
            b"include" => self.nested(|parser| parser.include(&text))?,
            b"load" => {
                let library = String::from_utf8_lossy(&text);
                return Err(format!(
                    "error: cannot open shared library `{library}' for reading: extensions are not supported"
                ));
            }
            _ => self.set_namespace(text)?,
        }
        self.advance()?;
        if self.ends() {
            Ok(true)
        } else {
            Err(self.unexpected())
        }
    }

    fn set_namespace(&mut self, name: Vec<u8>) -> Outcome<()> {
        let shown = String::from_utf8_lossy(&name);
        let valid = name.first().is_some_and(|first| !first.is_ascii_digit())
            && name
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if !valid {
            return Err(format!(
                "namespace name `{shown}' must meet identifier naming rules"
            ));
        }
        if is_reserved(&name) {
            return Err(format!(
                "using reserved identifier `{shown}' as a namespace is not allowed"
            ));
        }
        self.namespace = name;
        Ok(())
    }

    /// Reads the source file of a name, once, from a directory of AWKPATH.
    fn include(&mut self, name: &[u8]) -> Outcome<()> {
        let shown = String::from_utf8_lossy(name).into_owned();
        // gawk's library of that name needs an extension; here it is built in.
        if name == b"inplace" {
            self.in_place = true;
            for setting in ["inplace::enable", "inplace::suffix", "INPLACE_SUFFIX"] {
                self.global(setting.as_bytes());
            }
            return Ok(());
        }
        let Some(path) = find_source(name) else {
            return Err(format!(
                "error: cannot open source file `{shown}' for reading: No such file or directory"
            ));
        };
        if !self.included.insert(path.clone()) {
            return Ok(());
        }
        let text = crate::system::read_whole(&path).map_err(|failure| {
            format!(
                "error: cannot open source file `{shown}' for reading: {}",
                failure.0
            )
        })?;
        let name = String::from_utf8_lossy(&path).into_owned();
        self.piece(&Piece { name, text })
    }

    fn definition(&mut self) -> Outcome<()> {
        self.advance()?;
        let name = match self.advance()? {
            Token::Name(name) | Token::Function(name) => name,
            _ => return Err("syntax error: a function needs a name".to_owned()),
        };
        let index = self.function(&name);
        if self.bodies[index].is_some() {
            let name = String::from_utf8_lossy(&name);
            return Err(format!("function name `{name}' previously defined"));
        }
        self.require("(")?;
        self.locals.clear();
        while !self.is(")") {
            self.newlines()?;
            match self.advance()? {
                Token::Name(parameter) => self.parameter(&name, parameter)?,
                _ => return Err("syntax error in parameters".to_owned()),
            }
            self.newlines()?;
            if !self.take(",")? {
                break;
            }
        }
        self.require(")")?;
        self.newlines()?;
        self.in_function = true;
        let body = self.block()?;
        self.in_function = false;
        let parameters = std::mem::take(&mut self.locals);
        self.bodies[index] = Some(Function {
            name,
            parameters,
            body,
        });
        Ok(())
    }

    fn parameter(&mut self, function: &[u8], parameter: Vec<u8>) -> Outcome<()> {
        let text = String::from_utf8_lossy;
        let (shown, name) = (text(function), text(&parameter));
        if parameter == function {
            return Err(format!(
                "error: function `{shown}': cannot use function name as parameter name"
            ));
        }
        if SPECIAL
            .iter()
            .any(|special| special.as_bytes() == parameter)
        {
            return Err(format!(
                "error: function `{shown}': parameter `{name}': POSIX disallows using a special variable as a function parameter"
            ));
        }
        if let Some(first) = self.locals.iter().position(|local| *local == parameter) {
            return Err(format!(
                "error: function `{shown}': parameter #{}, `{name}', duplicates parameter #{}",
                self.locals.len() + 1,
                first + 1
            ));
        }
        self.locals.push(parameter);
        Ok(())
    }

    fn rule(&mut self) -> Outcome<Rule> {
        let trigger = match &self.token {
            Token::Keyword("BEGIN") => Some(Trigger::Begin),
            Token::Keyword("END") => Some(Trigger::End),
            Token::Keyword("BEGINFILE") => Some(Trigger::BeginFile),
            Token::Keyword("ENDFILE") => Some(Trigger::EndFile),
            Token::Symbol("{") => {
                let body = Some(self.block()?);
                return Ok(Rule {
                    trigger: Trigger::Always,
                    body,
                });
            }
            _ => None,
        };
        if let Some(trigger) = trigger {
            self.advance()?;
            self.newlines()?;
            if !self.is("{") {
                return Err(self.unexpected());
            }
            let body = Some(self.block()?);
            return Ok(Rule { trigger, body });
        }
        let from = self.expression()?;
        let trigger = if self.take(",")? {
            self.newlines()?;
            let to = self.expression()?;
            self.ranges += 1;
            Trigger::Range(from, to, self.ranges - 1)
        } else {
            Trigger::When(from)
        };
        if self.is("{") {
            let body = Some(self.block()?);
            return Ok(Rule { trigger, body });
        }
        match self.token {
            Token::Newline | Token::End | Token::Symbol(";") => Ok(Rule {
                trigger,
                body: None,
            }),
            _ => Err(self.unexpected()),
        }
    }

    fn block(&mut self) -> Outcome<Vec<Statement>> {
        self.require("{")?;
        let mut statements = Vec::new();
        loop {
            self.terminators()?;
            if self.take("}")? {
                return Ok(statements);
            }
            statements.push(Statement::Line(self.source as u16, self.lexer.line));
            statements.push(self.statement()?);
        }
    }

    fn statement(&mut self) -> Outcome<Statement> {
        self.nested(Self::statement_inner)
    }

    fn statement_inner(&mut self) -> Outcome<Statement> {
        match &self.token {
            Token::Symbol("{") => return Ok(Statement::Block(self.block()?)),
            Token::Symbol(";") => {
                self.advance()?;
                return Ok(Statement::Block(Vec::new()));
            }
            Token::Keyword("if") => return self.if_statement(),
            Token::Keyword("for") => return self.for_statement(),
            Token::Keyword("switch") => return self.switch(),
            Token::Keyword("while") => {
                self.advance()?;
                let condition = self.condition()?;
                if self.take(";")? {
                    return Ok(Statement::While(
                        condition,
                        Box::new(Statement::Block(Vec::new())),
                    ));
                }
                let body = self.loop_body()?;
                return Ok(Statement::While(condition, body));
            }
            Token::Keyword("do") => {
                self.advance()?;
                let body = self.loop_body()?;
                self.terminators()?;
                if !self.take_keyword("while")? {
                    return Err(self.unexpected());
                }
                let condition = self.condition()?;
                self.end_simple()?;
                return Ok(Statement::Do(body, condition));
            }
            _ => {}
        }
        let statement = self.simple()?;
        self.end_simple()?;
        Ok(statement)
    }

    /// A simple statement ends at a newline, a semicolon or a closing brace.
    fn end_simple(&mut self) -> Outcome<()> {
        match self.token {
            Token::Newline | Token::Symbol(";") => {
                self.advance()?;
                Ok(())
            }
            Token::Symbol("}") | Token::End => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    fn condition(&mut self) -> Outcome<Expression> {
        self.require("(")?;
        let condition = self.free(Self::expression)?;
        self.require(")")?;
        Ok(condition)
    }

    fn body(&mut self) -> Outcome<Box<Statement>> {
        let before = self.lexer.line;
        self.newlines()?;
        let line = Statement::Line(self.source as u16, self.lexer.line);
        let moved = self.lexer.line != before && !self.is("{");
        let statement = self.statement()?;
        Ok(Box::new(if moved {
            Statement::Block(vec![line, statement])
        } else {
            statement
        }))
    }

    fn loop_body(&mut self) -> Outcome<Box<Statement>> {
        self.loops += 1;
        let body = self.body();
        self.loops -= 1;
        body
    }

    fn if_statement(&mut self) -> Outcome<Statement> {
        self.advance()?;
        let condition = self.condition()?;
        let then = self.body()?;
        // An `else` may follow on another line.
        let before = (self.lexer.clone(), self.token.clone());
        self.terminators()?;
        if self.take_keyword("else")? {
            let otherwise = self.body()?;
            return Ok(Statement::If(condition, then, Some(otherwise)));
        }
        (self.lexer, self.token) = before;
        Ok(Statement::If(condition, then, None))
    }

    fn for_statement(&mut self) -> Outcome<Statement> {
        self.advance()?;
        self.require("(")?;
        if let Some(place) = self.for_in()? {
            let (variable, array) = place;
            let body = self.loop_body()?;
            return Ok(Statement::ForIn(variable, array, body));
        }
        let start = if self.is(";") {
            None
        } else {
            Some(Box::new(self.simple()?))
        };
        self.require(";")?;
        self.newlines()?;
        let condition = if self.is(";") {
            None
        } else {
            Some(self.expression()?)
        };
        self.require(";")?;
        self.newlines()?;
        let step = if self.is(")") {
            None
        } else {
            Some(Box::new(self.simple()?))
        };
        self.require(")")?;
        if self.take(";")? {
            let body = Box::new(Statement::Block(Vec::new()));
            return Ok(Statement::For(start, condition, step, body));
        }
        let body = self.loop_body()?;
        Ok(Statement::For(start, condition, step, body))
    }

    /// `NAME in NAME )`, after the parenthesis of a `for`.
    fn for_in(&mut self) -> Outcome<Option<(Expression, Expression)>> {
        let Token::Name(variable) = self.token.clone() else {
            return Ok(None);
        };
        let before = (self.lexer.clone(), self.token.clone());
        self.advance()?;
        if self.take_keyword("in")? && matches!(self.token, Token::Name(_)) {
            let array = self.array()?;
            if self.take(")")? {
                let variable = Expression::Variable(self.place(&variable));
                return Ok(Some((variable, array)));
            }
        }
        (self.lexer, self.token) = before;
        Ok(None)
    }

    fn switch(&mut self) -> Outcome<Statement> {
        self.advance()?;
        let subject = self.condition()?;
        self.newlines()?;
        self.require("{")?;
        self.loops += 1;
        let mut cases = Vec::new();
        loop {
            self.terminators()?;
            let label = if self.take("}")? {
                break;
            } else if self.take_keyword("default")? {
                None
            } else if self.take_keyword("case")? {
                Some(self.unary()?)
            } else {
                return Err(self.unexpected());
            };
            self.require(":")?;
            let mut body = Vec::new();
            loop {
                self.terminators()?;
                if self.is("}") || self.is_keyword("case") || self.is_keyword("default") {
                    break;
                }
                body.push(self.statement()?);
            }
            cases.push((label, body));
        }
        self.loops -= 1;
        Ok(Statement::Switch(subject, cases))
    }

    fn ends(&self) -> bool {
        matches!(
            self.token,
            Token::Newline | Token::End | Token::Symbol(";" | "}")
        )
    }

    fn simple(&mut self) -> Outcome<Statement> {
        let Token::Keyword(keyword) = self.token else {
            return Ok(Statement::Expression(self.expression()?));
        };
        if keyword == "getline" {
            return Ok(Statement::Expression(self.expression()?));
        }
        self.advance()?;
        Ok(match keyword {
            "print" => {
                let (arguments, redirect) = self.print()?;
                Statement::Print(arguments, redirect)
            }
            "printf" => {
                let (arguments, redirect) = self.print()?;
                if arguments.is_empty() {
                    return Err("syntax error: printf needs a format".to_owned());
                }
                Statement::Printf(arguments, redirect)
            }
            "next" => Statement::Next,
            "nextfile" => Statement::NextFile,
            "break" if self.loops > 0 => Statement::Break,
            "continue" if self.loops > 0 => Statement::Continue,
            "break" | "continue" => {
                return Err(format!("`{keyword}' is not allowed outside a loop"));
            }
            "exit" => Statement::Exit(if self.ends() {
                None
            } else {
                Some(self.expression()?)
            }),
            "return" if self.in_function => Statement::Return(if self.ends() {
                None
            } else {
                Some(self.expression()?)
            }),
            "delete" => self.delete()?,
            _ => return Err(format!("syntax error at or near {keyword}")),
        })
    }

    fn delete(&mut self) -> Outcome<Statement> {
        if self.take("(")? {
            let array = self.array()?;
            self.require(")")?;
            return Ok(Statement::Delete(array));
        }
        Ok(Statement::Delete(self.array()?))
    }

    /// An array, or an element that is or becomes one.
    fn array(&mut self) -> Outcome<Expression> {
        match self.advance()? {
            Token::Name(name) => self.variable(&name),
            token => {
                self.token = token;
                Err(self.unexpected())
            }
        }
    }

    #[allow(
        clippy::type_complexity,
        reason = "arguments and redirection of a print"
    )]
    fn print(&mut self) -> Outcome<(Vec<Expression>, Option<(Redirect, Expression)>)> {
        let mut arguments = Vec::new();
        let ended = |parser: &Self| parser.ends() || parser.redirects();
        if !ended(self) {
            let listed = if self.is("(") {
                self.print_list()?
            } else {
                None
            };
            arguments = match listed {
                Some(list) => list,
                None => {
                    let outer = std::mem::replace(&mut self.no_greater, true);
                    let list = self.list("");
                    self.no_greater = outer;
                    list?
                }
            };
        }
        let redirect = if self.take(">")? {
            Redirect::Truncate
        } else if self.take(">>")? {
            Redirect::Append
        } else if self.take("|")? {
            Redirect::Pipe
        } else if self.take("|&")? {
            Redirect::TwoWay
        } else {
            return Ok((arguments, None));
        };
        self.outside()?;
        let outer = std::mem::replace(&mut self.no_greater, true);
        let target = self.concatenation(true);
        self.no_greater = outer;
        Ok((arguments, Some((redirect, target?))))
    }

    fn redirects(&self) -> bool {
        matches!(self.token, Token::Symbol(">" | ">>" | "|" | "|&"))
    }

    /// A list in parentheses that is all there is to print; otherwise nothing is read.
    fn print_list(&mut self) -> Outcome<Option<Vec<Expression>>> {
        let before = (self.lexer.clone(), self.token.clone());
        self.advance()?;
        let list = self.free(|parser| parser.list(")"));
        if let Ok(list) = list
            && self.is(")")
        {
            self.advance()?;
            if self.ends() || self.redirects() {
                return Ok(Some(list));
            }
        }
        (self.lexer, self.token) = before;
        Ok(None)
    }

    /// Reads where `>` and `in` have their usual meaning again.
    fn free<T>(&mut self, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let outer = (self.no_greater, self.no_in);
        (self.no_greater, self.no_in) = (false, false);
        let found = read(self);
        (self.no_greater, self.no_in) = outer;
        found
    }

    /// Expressions with commas between them; none right before `close`.
    fn list(&mut self, close: &str) -> Outcome<Vec<Expression>> {
        let mut list = Vec::new();
        if !close.is_empty() {
            self.newlines()?;
            if self.is(close) {
                return Ok(list);
            }
        }
        loop {
            list.push(self.expression()?);
            if !close.is_empty() {
                self.newlines()?;
            }
            if !self.take(",")? {
                return Ok(list);
            }
            self.newlines()?;
        }
    }

    fn expression(&mut self) -> Outcome<Expression> {
        self.nested(Self::ternary)
    }

    fn ternary(&mut self) -> Outcome<Expression> {
        let condition = self.or()?;
        if !self.take("?")? {
            return Ok(condition);
        }
        self.newlines()?;
        let yes = self.expression()?;
        self.newlines()?;
        self.require(":")?;
        self.newlines()?;
        let no = self.expression()?;
        Ok(Expression::Condition(
            Box::new(condition),
            Box::new(yes),
            Box::new(no),
        ))
    }

    fn or(&mut self) -> Outcome<Expression> {
        let mut left = self.and()?;
        while self.take("||")? {
            self.newlines()?;
            left = Expression::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Outcome<Expression> {
        let mut left = self.membership()?;
        while self.take("&&")? {
            self.newlines()?;
            left = Expression::And(Box::new(left), Box::new(self.membership()?));
        }
        Ok(left)
    }

    fn membership(&mut self) -> Outcome<Expression> {
        let mut left = self.matching()?;
        while !self.no_in && self.take_keyword("in")? {
            let array = self.array()?;
            left = Expression::In(vec![left], Box::new(array));
        }
        Ok(left)
    }

    fn matching(&mut self) -> Outcome<Expression> {
        let mut left = self.comparison()?;
        loop {
            let negated = if self.take("~")? {
                false
            } else if self.take("!~")? {
                true
            } else {
                return Ok(left);
            };
            left = Expression::Match(negated, Box::new(left), Box::new(self.comparison()?));
        }
    }

    fn comparison(&mut self) -> Outcome<Expression> {
        let left = self.concatenation(false)?;
        let comparison = match self.token {
            Token::Symbol("<") => Comparison::Less,
            Token::Symbol("<=") => Comparison::LessEqual,
            Token::Symbol("==") => Comparison::Equal,
            Token::Symbol("!=") => Comparison::NotEqual,
            Token::Symbol(">") if !self.no_greater => Comparison::Greater,
            Token::Symbol(">=") => Comparison::GreaterEqual,
            _ => return Ok(left),
        };
        self.advance()?;
        let right = self.concatenation(false)?;
        Ok(Expression::Compare(
            comparison,
            Box::new(left),
            Box::new(right),
        ))
    }

    /// Whether the token can begin an operand of a concatenation.
    fn begins_operand(&self) -> bool {
        match self.token {
            Token::Number(_)
            | Token::Text(_)
            | Token::Regex(_)
            | Token::Name(_)
            | Token::Function(_)
            | Token::Builtin(_) => true,
            Token::Symbol(symbol) => {
                matches!(symbol, "$" | "!" | "(" | "-" | "+" | "++" | "--" | "@")
            }
            Token::Keyword(_) => false,
            _ => false,
        }
    }

    /// Concatenation, and `command | getline`, which takes the whole concatenation.
    fn concatenation(&mut self, target: bool) -> Outcome<Expression> {
        let mut left = self.sum()?;
        while self.begins_operand() && !(self.is("!") && target) {
            let right = self.sum()?;
            left = Expression::Concatenate(Box::new(left), Box::new(right));
        }
        while !target && (self.is("|") || self.is("|&")) {
            let before = (self.lexer.clone(), self.token.clone());
            let both = self.is("|&");
            self.advance()?;
            if !self.take_keyword("getline")? {
                (self.lexer, self.token) = before;
                break;
            }
            self.outside()?;
            let variable = self.optional_variable()?;
            let source = match both {
                true => Source::Coprocess(Box::new(left)),
                false => Source::Command(Box::new(left)),
            };
            left = Expression::Getline(source, variable);
            while self.begins_operand() && !self.is("-") && !self.is("+") {
                let right = self.sum()?;
                left = Expression::Concatenate(Box::new(left), Box::new(right));
            }
            left = self.sum_after(left)?;
        }
        Ok(left)
    }

    fn sum(&mut self) -> Outcome<Expression> {
        let left = self.product()?;
        self.sum_after(left)
    }

    fn sum_after(&mut self, mut left: Expression) -> Outcome<Expression> {
        loop {
            let operator = match self.token {
                Token::Symbol("+") => Operator::Add,
                Token::Symbol("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.advance()?;
            left = Expression::Arithmetic(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Outcome<Expression> {
        let mut left = self.unary()?;
        loop {
            let operator = match self.token {
                Token::Symbol("*") => Operator::Multiply,
                Token::Symbol("/") => Operator::Divide,
                Token::Symbol("%") => Operator::Remainder,
                _ => return Ok(left),
            };
            self.advance()?;
            left = Expression::Arithmetic(operator, Box::new(left), Box::new(self.unary()?));
        }
    }

    fn unary(&mut self) -> Outcome<Expression> {
        let make: fn(Box<Expression>) -> Expression = match self.token {
            Token::Symbol("!") => Expression::Not,
            Token::Symbol("-") => Expression::Negate,
            Token::Symbol("+") => Expression::Plus,
            _ => return self.power(),
        };
        self.advance()?;
        let inner = self.nested(Self::unary)?;
        Ok(make(Box::new(inner)))
    }

    fn power(&mut self) -> Outcome<Expression> {
        let base = self.postfix()?;
        if !self.take("^")? {
            return Ok(base);
        }
        // To the right: `2^3^2`, and `2^-3`.
        let exponent = self.nested(|parser| match parser.token {
            Token::Symbol("-" | "+" | "!") => parser.unary(),
            _ => parser.power(),
        })?;
        Ok(Expression::Arithmetic(
            Operator::Power,
            Box::new(base),
            Box::new(exponent),
        ))
    }

    fn postfix(&mut self) -> Outcome<Expression> {
        let operand = self.primary()?;
        if !is_variable(&operand) {
            return Ok(operand);
        }
        let operator = match self.token {
            Token::Symbol("++") => {
                self.advance()?;
                return Ok(Expression::Step(Box::new(operand), 1.0, true));
            }
            Token::Symbol("--") => {
                self.advance()?;
                return Ok(Expression::Step(Box::new(operand), -1.0, true));
            }
            Token::Symbol("=") => {
                self.advance()?;
                self.newlines()?;
                let value = self.expression()?;
                return Ok(Expression::Assign(Box::new(operand), Box::new(value)));
            }
            Token::Symbol("+=") => Operator::Add,
            Token::Symbol("-=") => Operator::Subtract,
            Token::Symbol("*=") => Operator::Multiply,
            Token::Symbol("/=") => Operator::Divide,
            Token::Symbol("%=") => Operator::Remainder,
            Token::Symbol("^=") => Operator::Power,
            _ => return Ok(operand),
        };
        self.advance()?;
        self.newlines()?;
        let value = self.expression()?;
        Ok(Expression::Update(
            operator,
            Box::new(operand),
            Box::new(value),
        ))
    }

    fn primary(&mut self) -> Outcome<Expression> {
        if let Token::Symbol(symbol @ ("/" | "/=")) = self.token {
            self.token = self.lexer.regex(symbol.len())?;
        }
        match self.advance()? {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Text(text) => Ok(Expression::Text(Rc::new(text))),
            Token::Regex(source) => {
                let settings = Settings::new(Dialect::Awk);
                let pattern = Pattern::new(&source, &settings)?;
                Ok(Expression::Regex(Rc::new(pattern)))
            }
            Token::Symbol("$") => {
                let inner = self.nested(|parser| match parser.token {
                    // In `$$0++` the step belongs to the inner one.
                    Token::Symbol("$") => parser.postfix(),
                    Token::Symbol("++" | "--") => parser.primary(),
                    Token::Symbol("-" | "+" | "!") => parser.unary(),
                    _ => parser.primary(),
                })?;
                Ok(Expression::Field(Box::new(inner)))
            }
            Token::Symbol(symbol @ ("++" | "--")) => {
                let operand = self.nested(Self::primary)?;
                if !is_variable(&operand) {
                    return Err(format!("syntax error at or near {symbol}"));
                }
                let step = if symbol == "++" { 1.0 } else { -1.0 };
                Ok(Expression::Step(Box::new(operand), step, false))
            }
            Token::Symbol("@") => self.indirect(),
            Token::Symbol("-") => Ok(Expression::Negate(Box::new(self.nested(Self::unary)?))),
            Token::Symbol("(") => self.group(),
            Token::Name(name) => self.variable(&name),
            Token::Function(name) => self.call(&name),
            Token::Builtin(name) => self.builtin(&name),
            Token::Keyword("getline") => self.getline(),
            token => {
                self.token = token;
                Err(self.unexpected())
            }
        }
    }

    fn group(&mut self) -> Outcome<Expression> {
        let mut list = self.free(|parser| parser.list(")"))?;
        self.require(")")?;
        if list.len() == 1 {
            return Ok(Expression::Group(Box::new(list.swap_remove(0))));
        }
        if list.is_empty() || !self.take_keyword("in")? {
            return Err(self.unexpected());
        }
        Ok(Expression::In(list, Box::new(self.array()?)))
    }

    /// `@name(…)` or `@/…/`, after the `@`.
    fn indirect(&mut self) -> Outcome<Expression> {
        if let Token::Symbol(symbol @ ("/" | "/=")) = self.token {
            self.token = self.lexer.regex(symbol.len())?;
            if let Token::Regex(source) = self.advance()? {
                Pattern::new(&source, &Settings::new(Dialect::Awk))?;
                return Ok(Expression::TypedRegex(Rc::new(source)));
            }
            return Err(self.unexpected());
        }
        let Token::Function(name) = self.advance()? else {
            return Err(self.unexpected());
        };
        let place = self.place(&name);
        self.require("(")?;
        let arguments = self.free(|parser| parser.list(")"))?;
        self.require(")")?;
        Ok(Expression::Indirect(place, arguments))
    }

    fn variable(&mut self, name: &[u8]) -> Outcome<Expression> {
        let known = self.functions.contains_key(&self.qualified(name));
        if known && !self.locals.iter().any(|local| local == name) {
            let name = String::from_utf8_lossy(name);
            return Err(format!(
                "function `{name}' called with space between name and `(',\nor used as a variable or an array"
            ));
        }
        let place = self.place(name);
        if !self.is("[") {
            return Ok(Expression::Variable(place));
        }
        let mut subscripts = self.subscripts()?;
        let mut element = if place == Place::Global(SYMTAB) && subscripts.len() == 1 {
            Expression::Symbol(Box::new(subscripts.swap_remove(0)))
        } else {
            Expression::Element(place, subscripts)
        };
        while self.is("[") {
            let subscripts = self.subscripts()?;
            element = Expression::Nested(Box::new(element), subscripts);
        }
        Ok(element)
    }

    fn subscripts(&mut self) -> Outcome<Vec<Expression>> {
        self.require("[")?;
        let subscripts = self.free(|parser| parser.list("]"))?;
        if subscripts.is_empty() {
            return Err(self.unexpected());
        }
        self.require("]")?;
        Ok(subscripts)
    }

    fn call(&mut self, name: &[u8]) -> Outcome<Expression> {
        if self.locals.iter().any(|local| local == name) {
            let name = String::from_utf8_lossy(name);
            return Err(format!(
                "attempt to use non-function `{name}' in function call"
            ));
        }
        let index = self.function(name);
        self.require("(")?;
        let arguments = self.free(|parser| parser.list(")"))?;
        self.require(")")?;
        Ok(Expression::Call(index, arguments))
    }

    fn builtin(&mut self, name: &[u8]) -> Outcome<Expression> {
        let Some(builtin) = Builtin::find(name) else {
            return Err(self.unexpected());
        };
        if self.sandbox && builtin == Builtin::System {
            return Err("fatal: `system' function not allowed in sandbox mode".to_owned());
        }
        let mut arguments = Vec::new();
        if self.take("(")? {
            arguments = self.free(|parser| parser.list(")"))?;
            self.require(")")?;
        } else if builtin != Builtin::Length {
            return Err(self.unexpected());
        }
        let (least, most) = builtin.arity();
        if arguments.len() < least || arguments.len() > most {
            let (count, name) = (arguments.len(), String::from_utf8_lossy(name));
            return Err(format!(
                "{count} is invalid as number of arguments for {name}"
            ));
        }
        Ok(Expression::Builtin(builtin, arguments))
    }

    fn getline(&mut self) -> Outcome<Expression> {
        let variable = self.optional_variable()?;
        if self.take("<")? {
            self.outside()?;
            let file = self.postfix_only()?;
            return Ok(Expression::Getline(Source::File(Box::new(file)), variable));
        }
        Ok(Expression::Getline(Source::Input, variable))
    }

    /// Redirections are refused in sandbox mode.
    fn outside(&self) -> Outcome<()> {
        if self.sandbox {
            return Err("fatal: redirection not allowed in sandbox mode".to_owned());
        }
        Ok(())
    }

    /// An operand that stops before operators, for the file of `getline <`.
    fn postfix_only(&mut self) -> Outcome<Expression> {
        self.nested(Self::primary)
    }

    fn optional_variable(&mut self) -> Outcome<Option<Box<Expression>>> {
        match self.token {
            Token::Name(_) | Token::Symbol("$") => Ok(Some(Box::new(self.nested(Self::primary)?))),
            _ => Ok(None),
        }
    }
}

fn is_variable(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Variable(_)
            | Expression::Element(..)
            | Expression::Nested(..)
            | Expression::Symbol(_)
            | Expression::Field(_)
    )
}

/// Whether a name is a word of the language.
fn is_reserved(name: &[u8]) -> bool {
    let token = Lexer::new(name).next();
    matches!(token, Ok(Token::Keyword(_) | Token::Builtin(_)))
}

/// The file of a name in `@include`, looked for in the directories of AWKPATH.
pub fn find_source(name: &[u8]) -> Option<Vec<u8>> {
    let exists = |path: &[u8]| crate::system::stat(path, true).is_ok();
    let with_suffix = |path: Vec<u8>| {
        let suffixed = [&path[..], b".awk"].concat();
        [path, suffixed].into_iter().find(|path| exists(path))
    };
    if name.contains(&b'/') {
        return with_suffix(name.to_vec());
    }
    let path = std::env::var_os("AWKPATH").map(std::ffi::OsString::into_encoded_bytes);
    let path = path.unwrap_or_else(|| b".:/usr/local/share/awk:/usr/share/awk".to_vec());
    path.split(|&byte| byte == b':').find_map(|directory| {
        with_suffix(match directory {
            b"" | b"." => name.to_vec(),
            _ => [directory, b"/", name].concat(),
        })
    })
}
