//! Reads an awk program: its parts here, what they are made of in the modules below. A recursive descent over the
//! tokens of `lexer`, with one token in hand; where more is needed, the lexer is copied and put back.
//!
//! Functions may be called before they are defined: a name gets its index at first sight, and its body later or never
//! (`Function::is_missing`).

mod expression;
mod statement;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::lexer::{Lexer, Token, plain_escape, regex_escapes};
use super::tree::*;
use crate::pattern::{Dialect, Pattern, Settings};

/// A message, to which `located` adds the place.
type Outcome<T> = Result<T, String>;

/// How deep expressions and statements may nest: both the parser and the interpreter recurse.
const MOST_NESTED: usize = 200;

/// A piece of the program: its name in messages, and its text.
pub struct Piece {
    pub name: String,
    pub text: Vec<u8>,
}

/// Reads a program; `sandbox` refuses redirections and `system`.
///
/// # Errors
/// `SOURCE:LINE: message`, for a syntax error with the line and a mark below it.
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
        rule: None,
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
        functions.push(body.unwrap_or_else(|| Function {
            name: name().map(|(name, _)| name.clone()).unwrap_or_default(),
            parameters: Vec::new(),
            body: Vec::new(),
            is_missing: true,
        }));
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

/// The token at hand, where it stands, and what was read so far.
struct Parser {
    lexer: Lexer,
    /// The token at hand, which the lexer is behind.
    token: Token,
    /// The names of all sources; `source` is the one being read.
    sources: Vec<String>,
    source: usize,
    /// Sources that were included, each once.
    included: HashSet<Vec<u8>>,
    /// That of `@namespace`, for names without one.
    namespace: Vec<u8>,
    rules: Vec<Rule>,
    in_place: bool,
    sandbox: bool,
    /// Indexes of global variables by name, and `names` the other way.
    globals: HashMap<Vec<u8>, usize>,
    names: Vec<Vec<u8>>,
    /// Indexes of functions by name, into `bodies`.
    functions: HashMap<Vec<u8>, usize>,
    /// None where a function was called and not defined yet.
    bodies: Vec<Option<Function>>,
    /// The parameters of the function that is read.
    locals: Vec<Vec<u8>>,
    in_function: bool,
    /// The name of the rule that is read, where it has one.
    rule: Option<&'static str>,
    /// Loops and switches around, for `break`.
    loops: usize,
    /// Number of range patterns so far.
    ranges: usize,
    /// Nesting so far, see `nested`.
    depth: usize,
    /// `>` is a redirection here.
    no_greater: bool,
    /// `in` belongs to a `for` here.
    no_in: bool,
    /// RT is mentioned, or SYMTAB, which has it.
    uses_terminator: bool,
}

impl Parser {
    /// Takes the token at hand and reads the next one.
    fn advance(&mut self) -> Outcome<Token> {
        let next = self.lexer.next()?;
        for letter in std::mem::take(&mut self.lexer.unknown) {
            if let Some(message) = plain_escape(letter) {
                self.warn(&message);
            }
        }
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Warns with the place that is read.
    fn warn(&self, message: &str) {
        let place = self.sources.get(self.source);
        let place = place.map_or(String::new(), |source| {
            format!("{source}:{}: ", self.lexer.line)
        });
        crate::awk::warn(&format!("{place}warning: {message}"));
    }

    /// Whether the token at hand is a symbol.
    fn is(&self, symbol: &str) -> bool {
        matches!(&self.token, Token::Symbol(found) if *found == symbol)
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(&self.token, Token::Keyword(found) if *found == keyword)
    }

    /// Takes a symbol, if it is at hand.
    fn take(&mut self, symbol: &str) -> Outcome<bool> {
        let found = self.is(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes a keyword, if it is at hand.
    fn take_keyword(&mut self, keyword: &str) -> Outcome<bool> {
        let found = self.is_keyword(keyword);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes a symbol, or refuses what is there.
    fn require(&mut self, symbol: &str) -> Outcome<()> {
        if self.take(symbol)? {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    /// The message for a token that cannot be here.
    fn unexpected(&self) -> String {
        match &self.token {
            Token::End | Token::Newline => "unexpected newline or end of string".to_owned(),
            _ => "syntax error".to_owned(),
        }
    }

    /// Skips newlines, where the grammar allows them.
    fn newlines(&mut self) -> Outcome<()> {
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }

    /// Skips what ends statements.
    fn terminators(&mut self) -> Outcome<()> {
        while self.token == Token::Newline || self.is(";") {
            self.advance()?;
        }
        Ok(())
    }

    /// The index of a global variable, new or known.
    fn global(&mut self, name: &[u8]) -> usize {
        if let Some(&place) = self.globals.get(name) {
            return place;
        }
        let place = self.names.len();
        self.globals.insert(name.to_vec(), place);
        self.names.push(name.to_vec());
        place
    }

    /// Where a name's variable is: a parameter hides a global one.
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

    /// The index of a function, new or known.
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

    /// Reads something that may contain itself; refuses it beyond `MOST_NESTED`.
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
        const MARKED: [&str; 4] = ["syntax error", "unexpected", "unterminated", "`return'"];
        if !MARKED.iter().any(|start| message.starts_with(start)) {
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

    /// Reads rules, functions and directives up to the end of a source.
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

    /// `@namespace`, whose name must be an identifier and no word of the language.
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

    /// A function, from its keyword on.
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
            is_missing: false,
        });
        Ok(())
    }

    /// Adds a parameter; refuses the function's own name, special variables and duplicates.
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
                "error: function `{shown}': cannot use special variable `{name}' as a function parameter"
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
}

/// Whether a name is a word of the language.
fn is_reserved(name: &[u8]) -> bool {
    let token = Lexer::new(name).next();
    matches!(token, Ok(Token::Keyword(_) | Token::Builtin(_)))
}

/// The file of a name in `@include` or `-f`, with or without `.awk`, looked for in the directories of AWKPATH; a name
/// with a slash only where it says.
pub fn find_source(name: &[u8]) -> Option<Vec<u8>> {
    let exists = |path: &[u8]| crate::system::stat(path, true).is_ok();
    let with_suffix = |path: Vec<u8>| {
        let suffixed = [&path[..], b".awk"].concat();
        [path, suffixed].into_iter().find(|path| exists(path))
    };
    if name.contains(&b'/') {
        return with_suffix(name.to_vec());
    }
    let path = crate::system::variable("AWKPATH");
    let path = path.unwrap_or_else(|| b".:/usr/local/share/awk:/usr/share/awk".to_vec());
    path.split(|&byte| byte == b':').find_map(|directory| {
        with_suffix(match directory {
            b"" | b"." => name.to_vec(),
            _ => [directory, b"/", name].concat(),
        })
    })
}
