//! Modules: what a program imports and includes, and their definitions.
//!
//! Definitions of all modules go into one table (`Program::globals`). A module is read once, however often it is
//! imported, and its names are copied into the table of names of each importer, with `ALIAS::` before them for `import
//! … as ALIAS`.

use std::rc::Rc;

use super::terms::constant;
use super::{Names, Parse, Parser, folder};
use crate::jq::token;
use crate::jq::token::{Kind, Origin, Part, Token, Wrong};
use crate::jq::value::{Members, Nested, Value};
use crate::system;

impl Parser<'_> {
    /// `module METADATA;` and then all imports and includes, for a text in `directory`.
    pub(super) fn directives(&mut self, directory: &[u8]) -> Parse<()> {
        if self.is_name("module") {
            self.at += 1;
            self.metadata()?;
            self.require(";")?;
        }
        while self.is_name("import") || self.is_name("include") {
            self.directive(directory)?;
        }
        Ok(())
    }

    /// The constant object that tells about a module or an import.
    fn metadata(&mut self) -> Parse<Rc<Nested<Members>>> {
        let start = self.at;
        let node = self.pipe()?;
        let message = match constant(&node) {
            Some(Value::Object(members)) => return Ok(members),
            Some(_) => "Module metadata must be an object",
            None => "Module metadata must be constant",
        };
        self.at = start;
        self.wrong(message)
    }

    /// One import or include.
    ///
    /// `import PATH as NAME;`, `import PATH as $NAME;` for data, `include PATH;`, each perhaps with metadata. `search`
    /// in it replaces the search list, `optional` makes a module that is not found no error, `raw` takes a data file
    /// as text. Data is known as `$NAME` and `$NAME::NAME`.
    fn directive(&mut self, directory: &[u8]) -> Parse<()> {
        let include = self.is_name("include");
        self.at += 1;
        let path = match self.next() {
            Some(Kind::String(parts)) => match parts.as_slice() {
                [Part::Text(text)] => text.clone(),
                _ => {
                    self.at -= 1;
                    return self.wrong("Import path must be constant");
                }
            },
            _ => return self.wrong("Import path must be constant"),
        };
        let mut data = None;
        let mut prefix = None;
        if !include {
            if !self.take_name("as") {
                return self.unexpected();
            }
            match self.next() {
                Some(Kind::Name(name)) => prefix = Some(name),
                Some(Kind::Variable(name)) => data = Some(name),
                _ => return self.unexpected(),
            }
        }
        let options = match self.is(";") {
            true => Rc::default(),
            false => self.metadata()?,
        };
        self.require(";")?;
        let raw = options.get("raw").is_some_and(Value::is_true);
        let optional = options.get("optional").is_some_and(Value::is_true);
        let found = self
            .modules
            .find(&path, options.get("search"), directory, data.is_some());
        let found = match found {
            Err(_) if optional => return Ok(()),
            found => found.map_err(Wrong::nowhere)?,
        };
        if let Some(name) = data {
            let value = self.modules.data(&found, raw).map_err(Wrong::nowhere)?;
            self.constants
                .insert(format!("{name}::{name}"), value.clone());
            self.constants.insert(name, value);
            return Ok(());
        }
        let names = self.module(&found)?;
        for ((name, arity), index) in names {
            let name = prefix
                .as_ref()
                .map_or(name.clone(), |prefix| format!("{prefix}::{name}"));
            self.names.insert((name, arity), index);
        }
        Ok(())
    }

    /// Reads a module's definitions as globals, the first time that it is imported.
    ///
    /// # Errors
    /// `circular import of FILE`; a file that cannot be read; an error in its text, with the file as its origin.
    pub(super) fn module(&mut self, path: &[u8]) -> Parse<Names> {
        let known = system::canonicalize(path).unwrap_or_else(|_| path.to_vec());
        let shown = || String::from_utf8_lossy(&known).into_owned();
        match self.loaded.get(&known) {
            Some(Some(names)) => return Ok(names.clone()),
            Some(None) => {
                return Err(Wrong::nowhere(format!("circular import of {}", shown())));
            }
            None => {}
        }
        self.loaded.insert(known.clone(), None);
        let source = self.modules.source(path).map_err(Wrong::nowhere)?;
        let names = self.definitions(&source, path).map_err(|mut wrong| {
            if matches!(wrong.origin, Origin::Program) {
                wrong.origin = Origin::Module(known.clone(), source.clone());
            }
            wrong
        })?;
        self.loaded.insert(known, Some(names.clone()));
        Ok(names)
    }

    /// The definitions of a module's text.
    ///
    /// The parser's own state is set aside meanwhile. Nothing but definitions may follow the imports.
    fn definitions(&mut self, source: &str, path: &[u8]) -> Parse<Names> {
        let tokens = std::mem::replace(&mut self.tokens, token::tokens(source)?);
        let (at, names) = (
            std::mem::take(&mut self.at),
            std::mem::take(&mut self.names),
        );
        let scope = std::mem::take(&mut self.scope);
        self.directives(folder(path))?;
        while self.is_name("def") {
            self.global()?;
        }
        self.end()?;
        self.tokens = tokens;
        self.at = at;
        self.scope = scope;
        Ok(std::mem::replace(&mut self.names, names))
    }

    /// A definition whose function becomes a global.
    ///
    /// It is in the table before its body is read, so it may call itself.
    pub(super) fn global(&mut self) -> Parse<()> {
        let Some(Token {
            kind: Kind::Name(name),
            ..
        }) = self.tokens.get(self.at + 1).cloned()
        else {
            return self.unexpected();
        };
        let arity = self.arity_ahead(self.at + 2);
        let index = self.program.globals.len();
        self.program.globals.push(None);
        self.names.insert((name, arity), index);
        let function = self.definition(true)?;
        self.program.globals[index] = Some(function);
        Ok(())
    }

    /// The number of parameters of the definition whose name was before `at`.
    ///
    /// Counts semicolons up to the closing parenthesis, which works because parameters have no parentheses.
    pub(super) fn arity_ahead(&self, at: usize) -> usize {
        if self.tokens.get(at).map(|token| &token.kind) != Some(&Kind::Mark("(")) {
            return 0;
        }
        let rest = &self.tokens[at..];
        let end = rest
            .iter()
            .position(|token| token.kind == Kind::Mark(")"))
            .unwrap_or(0);
        1 + rest[..end]
            .iter()
            .filter(|token| token.kind == Kind::Mark(";"))
            .count()
    }
}
