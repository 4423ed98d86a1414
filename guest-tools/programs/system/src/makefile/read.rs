//! Reading makefiles line by line (GNU make manual, "Writing Makefiles").
//!
//! A physical line that ends in a backslash goes on in the next one. In a recipe the backslash and the newline stay,
//! for the shell; elsewhere they become one blank. A line that begins with the recipe prefix belongs to the open rule,
//! if there is one. Everything else is, in this order: part of a conditional, `include` or `vpath`, `define`, `export`
//! and the like, a definition, or a rule.

use std::rc::Rc;

use super::parse::{self, Definition, Operator};
use super::record::Open;
use super::rules::{Body, Local, Recipe};
use super::variables::Origin;
use super::{Make, Outcome, Place, text};
use crate::system;

/// The rules and variables that need no makefile.
pub const BUILTIN: &str = "\
.SUFFIXES: .out .a .o .c .cc .C .cpp .p .f .F .s .S .y .l .sh .h .tex .txt
AR = ar
ARFLAGS = rv
AS = as
CC = cc
CXX = g++
CPP = $(CC) -E
LD = ld
RM = rm -f
COMPILE.c = $(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c
COMPILE.cc = $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c
LINK.o = $(CC) $(LDFLAGS) $(TARGET_ARCH)
LINK.c = $(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)
LINK.cc = $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)
OUTPUT_OPTION = -o $@
%.o: %.c
\t$(COMPILE.c) $(OUTPUT_OPTION) $<
%.o: %.cc
\t$(COMPILE.cc) $(OUTPUT_OPTION) $<
%.o: %.cpp
\t$(COMPILE.cc) $(OUTPUT_OPTION) $<
%: %.o
\t$(LINK.o) $^ $(LOADLIBES) $(LDLIBS) -o $@
%: %.c
\t$(LINK.c) $^ $(LOADLIBES) $(LDLIBS) -o $@
%: %.cc
\t$(LINK.cc) $^ $(LOADLIBES) $(LDLIBS) -o $@
%: %.cpp
\t$(LINK.cc) $^ $(LOADLIBES) $(LDLIBS) -o $@
%: %.sh
\tcat $< >$@
\tchmod a+x $@
";

/// A conditional that has begun.
struct Condition {
    /// What surrounds it is read.
    outer: bool,
    /// One of its branches was read.
    taken: bool,
    /// The present branch is read.
    active: bool,
    /// Its plain `else` has come.
    ended: bool,
}

/// A text that is being read.
struct Reader<'a> {
    /// The physical lines.
    lines: Vec<&'a str>,
    /// The index of the next one.
    at: usize,
    /// The number of the first line; more than 1 for the text of an `eval`.
    first: usize,
    /// The name for messages.
    name: &'a str,
    /// The origin of what it defines.
    origin: Origin,
    /// Conditionals that are open, the innermost last.
    conditions: Vec<Condition>,
    /// The rule whose recipe may go on.
    open: Option<Open>,
}

impl Reader<'_> {
    /// Whether lines here are read.
    fn active(&self) -> bool {
        self.conditions.last().is_none_or(|last| last.active)
    }

    /// The place of the next line.
    fn place(&self) -> Place {
        Place {
            file: self.name.to_owned(),
            line: self.first + self.at,
        }
    }

    /// The next lines that belong together, joined by `join`.
    fn logical(&mut self, join: impl Fn(&mut String, &str)) -> String {
        let mut text = self.lines[self.at].trim_end_matches('\r').to_owned();
        self.at += 1;
        while parse::continues(&text) && self.at < self.lines.len() {
            join(&mut text, self.lines[self.at].trim_end_matches('\r'));
            self.at += 1;
        }
        text
    }
}

/// Joins lines outside recipes: blanks around the line end become one.
fn join_line(text: &mut String, next: &str) {
    text.pop();
    text.truncate(text.trim_end().len());
    text.push(' ');
    text.push_str(next.trim_start());
}

/// Joins lines of a recipe: the backslash and the line end stay, one prefix is dropped.
fn join_recipe(text: &mut String, next: &str) {
    text.push('\n');
    text.push_str(next.strip_prefix('\t').unwrap_or(next));
}

/// Words, with references as parts of them. A `./` before a name is dropped.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut start = 0;
    let spaces = parse::outside(text).filter(|(_, letter)| letter.is_whitespace());
    let ends: Vec<usize> = spaces.map(|(at, _)| at).chain([text.len()]).collect();
    for end in ends {
        let word = text[start..end].trim();
        if !word.is_empty() {
            words.push(
                word.strip_prefix("./")
                    .filter(|w| !w.is_empty())
                    .unwrap_or(word)
                    .to_owned(),
            );
        }
        start = end;
    }
    words
}

/// Words with the files that their shell patterns name.
///
/// A pattern that names nothing stays as it is, as do words with a `$`, which are expanded later.
fn globbed(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for word in words(text) {
        if word.contains(['*', '?', '[']) && !word.contains('$') {
            let found = text::glob(&word);
            if !found.is_empty() {
                names.extend(found);
                continue;
            }
        }
        names.push(word.replace("\\:", ":"));
    }
    names
}

impl Make {
    /// Reads the makefiles that are asked for, or the usual one; false where there is none.
    pub fn read_makefiles(&mut self) -> Outcome<bool> {
        let named = self.settings.makefiles.clone();
        for name in &named {
            if !self.read_file(name)? {
                self.complain(&format!("{name}: No such file or directory"));
                self.place = None;
                return self.fatal(&format!("No rule to make target '{name}'"));
            }
        }
        if !named.is_empty() {
            return Ok(true);
        }
        for name in ["GNUmakefile", "makefile", "Makefile"] {
            if self.read_file(name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a makefile; false where it cannot be read.
    ///
    /// Its name is added to `MAKEFILE_LIST`.
    pub fn read_file(&mut self, name: &str) -> Outcome<bool> {
        let Ok(content) = system::read_whole(name.as_bytes()) else {
            return Ok(false);
        };
        let place = self.place.clone();
        self.append("MAKEFILE_LIST", name);
        self.read_text(&String::from_utf8_lossy(&content), name, Origin::File)?;
        self.place = place;
        Ok(true)
    }

    /// Reads a text from its first line.
    pub fn read_text(&mut self, text: &str, name: &str, origin: Origin) -> Outcome<()> {
        self.read_lines(text, name, 1, origin)
    }

    /// Reads a text whose first line has a number.
    ///
    /// Conditionals must end in the text they begin in.
    pub fn read_lines(
        &mut self,
        text: &str,
        name: &str,
        first: usize,
        origin: Origin,
    ) -> Outcome<()> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let mut reader = Reader {
            lines: text.split('\n').collect(),
            at: 0,
            first,
            name,
            origin,
            conditions: Vec::new(),
            open: None,
        };
        while reader.at < reader.lines.len() {
            self.place = Some(reader.place());
            let prefix = self.prefix();
            let is_recipe = reader.lines[reader.at].starts_with(prefix);
            if is_recipe && reader.open.is_some() {
                let number = first + reader.at;
                let line = reader.logical(join_recipe);
                if reader.active()
                    && let Some(open) = &mut reader.open
                {
                    open.lines
                        .push((number, line[prefix.len_utf8()..].to_owned()));
                }
                continue;
            }
            let line = reader.logical(join_line);
            self.line(&mut reader, &line, is_recipe)?;
        }
        if !reader.conditions.is_empty() {
            self.place = Some(reader.place());
            return self.fatal("missing 'endif'");
        }
        self.close(&mut reader)?;
        self.place = None;
        Ok(())
    }

    /// The character that recipes begin with: a tab, unless `.RECIPEPREFIX` says another.
    fn prefix(&self) -> char {
        let set = self.variables.get(".RECIPEPREFIX");
        set.and_then(|set| set.value.chars().next()).unwrap_or('\t')
    }

    /// One logical line.
    fn line(&mut self, reader: &mut Reader, line: &str, is_recipe: bool) -> Outcome<()> {
        let (word, rest) = parse::first_word(line);
        if self.conditional(reader, word, rest)? || !reader.active() {
            return Ok(());
        }
        if parse::without_comment(line).trim().is_empty() {
            return Ok(());
        }
        let definition = parse::definition(line);
        if definition.is_none() {
            match word {
                "include" | "-include" | "sinclude" => {
                    self.close(reader)?;
                    return self.include(rest, word == "include");
                }
                "vpath" => {
                    self.close(reader)?;
                    return self.vpath(rest);
                }
                _ => {}
            }
        }
        if self.keyword(reader, line)? {
            return Ok(());
        }
        if let Some(definition) = definition {
            self.close(reader)?;
            let definition = bare(definition);
            return self.define(&definition, reader.origin, None);
        }
        if is_recipe
            && !self
                .files
                .values()
                .any(|file| file.is_target && !file.phony)
        {
            return self.fatal("recipe commences before first target");
        }
        self.close(reader)?;
        self.rule(reader, line)
    }

    /// Whether the line is a part of a conditional.
    ///
    /// `else ifeq …` opens another branch of the same conditional.
    fn conditional(&mut self, reader: &mut Reader, word: &str, rest: &str) -> Outcome<bool> {
        let rest = parse::without_comment(rest);
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let outer = reader.active();
                let holds = outer && self.holds(word, &rest)?;
                reader.conditions.push(Condition {
                    outer,
                    taken: holds,
                    active: holds,
                    ended: false,
                });
            }
            "else" => {
                let (word, rest) = parse::first_word(&rest);
                let (word, rest) = (word.to_owned(), rest.to_owned());
                let Some(last) = reader.conditions.last() else {
                    return self.fatal("extraneous 'else'");
                };
                if last.ended {
                    return self.fatal("only one 'else' per conditional");
                }
                let open = last.outer && !last.taken;
                let holds = open && (word.is_empty() || self.holds(&word, &rest)?);
                if let Some(last) = reader.conditions.last_mut() {
                    last.active = holds;
                    last.taken |= holds;
                    last.ended = word.is_empty();
                }
            }
            "endif" => {
                if reader.conditions.pop().is_none() {
                    return self.fatal("extraneous 'endif'");
                }
            }
            _ => match word.split_once('(') {
                // `ifeq(a,b)` lacks a space.
                Some(("ifeq" | "ifneq", _)) => return self.fatal("missing separator"),
                _ => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Whether a condition holds. `ifdef` looks at the value as it is written, without expanding it.
    fn holds(&mut self, word: &str, text: &str) -> Outcome<bool> {
        match word {
            "ifdef" | "ifndef" => {
                let name = self.expand(text)?;
                let known = self.variables.get(name.trim());
                Ok(known.is_some_and(|known| !known.value.is_empty()) == (word == "ifdef"))
            }
            "ifeq" | "ifneq" => {
                let Some((left, right)) = parse::compared(text) else {
                    return self.fatal("invalid syntax in conditional");
                };
                let equal = self.expand(left)? == self.expand(right)?;
                Ok(equal == (word == "ifeq"))
            }
            _ => self.fatal("invalid syntax in conditional"),
        }
    }

    /// Whether the line begins with `export`, `override`, `define` or the like, and is done.
    ///
    /// A word before an operator is a name: `export = 1` is a definition.
    fn keyword(&mut self, reader: &mut Reader, line: &str) -> Outcome<bool> {
        let mut text = line;
        let (mut exported, mut origin) = (None, reader.origin);
        loop {
            let (word, rest) = parse::first_word(text);
            let is_name = parse::operator(rest).is_some();
            match word {
                _ if is_name => break,
                "export" => exported = Some(true),
                "unexport" => exported = Some(false),
                "override" => origin = Origin::Override,
                "private" => {}
                "define" => {
                    self.close(reader)?;
                    let name = self.block(reader, rest, origin)?;
                    if let Some(exported) = exported {
                        self.variables.export(&name, exported);
                    }
                    return Ok(true);
                }
                "undefine" => {
                    self.close(reader)?;
                    let name = self.expand(rest)?;
                    self.variables.remove(name.trim(), origin);
                    return Ok(true);
                }
                _ => break,
            }
            text = rest;
        }
        if exported.is_none() && origin == reader.origin && text.trim_start() == line.trim_start() {
            return Ok(false);
        }
        self.close(reader)?;
        if let Some(definition) = parse::definition(text) {
            let definition = bare(definition);
            self.define(&definition, origin, None)?;
            let name = self.expand(&definition.name)?;
            if let Some(exported) = exported {
                self.variables.export(name.trim(), exported);
            }
            return Ok(true);
        }
        let names = self.expand(&parse::without_comment(text))?;
        if names.trim().is_empty() && exported.is_some() {
            self.export_all = exported == Some(true);
        }
        for name in names.split_whitespace() {
            self.variables.export(name, exported == Some(true));
        }
        Ok(true)
    }

    /// Reads the lines up to `endef`; `define` within them nests. Gives the variable's name.
    fn block(&mut self, reader: &mut Reader, head: &str, origin: Origin) -> Outcome<String> {
        let place = self.place.clone();
        let head = parse::without_comment(head);
        let found = parse::definition(&head);
        let (name, operator) = match found {
            Some(found) => (found.name, found.operator),
            None => (head.trim().to_owned(), Operator::Recursive),
        };
        let name = self.expand(&name)?;
        let (mut lines, mut depth) = (Vec::new(), 1);
        loop {
            if reader.at >= reader.lines.len() {
                self.place = place;
                return self.fatal("missing 'endef', unterminated 'define'");
            }
            let line = reader.logical(|text, next| {
                text.push('\n');
                text.push_str(next);
            });
            match parse::first_word(&line).0 {
                "define" => depth += 1,
                "endef" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            lines.push(line);
        }
        let definition = Definition {
            name: name.clone(),
            operator,
            value: lines.join("\n"),
        };
        self.define(&definition, origin, None)?;
        Ok(name)
    }

    /// Reads makefiles by name or pattern, in the present and the `-I` directories. What is missing is made later.
    fn include(&mut self, text: &str, needed: bool) -> Outcome<()> {
        let names = self.expand(&parse::without_comment(text))?;
        let place = self.place.clone().unwrap_or_default();
        for name in globbed(&names) {
            let folders = self.settings.include.iter();
            let mut places: Vec<String> =
                folders.map(|folder| format!("{folder}/{name}")).collect();
            places.insert(0, name.clone());
            let mut found = false;
            for path in places {
                if self.read_file(&path)? {
                    found = true;
                    break;
                }
            }
            if !found {
                self.missing.push((name, place.clone(), needed));
            }
        }
        self.place = Some(place);
        Ok(())
    }

    /// `vpath PATTERN DIRECTORIES`; without directories the pattern is forgotten, without anything all are.
    fn vpath(&mut self, text: &str) -> Outcome<()> {
        let text = self.expand(&parse::without_comment(text))?;
        let mut words = text.split_whitespace();
        let Some(pattern) = words.next() else {
            self.search.clear();
            return Ok(());
        };
        let folders = words
            .flat_map(|word| word.split(':'))
            .filter(|word| !word.is_empty());
        let folders: Vec<String> = folders.map(str::to_owned).collect();
        match folders.is_empty() {
            true => self.search.retain(|(known, _)| known != pattern),
            false => self.search.push((pattern.to_owned(), folders)),
        }
        Ok(())
    }

    /// A line that is a rule, or expands to nothing.
    ///
    /// Targets are expanded before the colon is looked for only where none is written. What follows `;` is the first
    /// line of the recipe and is not expanded yet.
    fn rule(&mut self, reader: &mut Reader, line: &str) -> Outcome<()> {
        let comment = parse::find(line, '#').unwrap_or(line.len());
        let semicolon = parse::find(line, ';').unwrap_or(line.len());
        let head = &line[..comment.min(semicolon)];
        let (targets, rest) = match parse::find(head, ':') {
            Some(colon) => (self.expand(&line[..colon])?, line[colon + 1..].to_owned()),
            None => {
                let whole = self.expand(head)?;
                if whole.trim().is_empty() && semicolon > comment.min(line.len() - 1) {
                    return Ok(());
                }
                let Some(colon) = whole.find(':') else {
                    if whole.trim().is_empty() {
                        return Ok(());
                    }
                    return self.fatal("missing separator");
                };
                let after = whole[colon + 1..].replace('$', "$$");
                (
                    whole[..colon].to_owned(),
                    format!("{after}{}", &line[head.len()..]),
                )
            }
        };
        let (double, rest) = match rest.strip_prefix(':') {
            Some(rest) => (true, rest),
            None => (false, rest.as_str()),
        };
        let (grouped, targets) = match targets.trim_end().strip_suffix('&') {
            Some(targets) => (true, targets.to_owned()),
            None => (false, targets),
        };
        let targets = globbed(&targets);
        if targets.is_empty() {
            return Ok(());
        }
        if self.local(&targets, rest, reader.origin)? {
            return Ok(());
        }
        let comment = parse::find(rest, '#').unwrap_or(rest.len());
        let (head, command) = match parse::find(rest, ';') {
            Some(at) if at < comment => (&rest[..at], Some(rest[at + 1..].trim_start())),
            _ => (&rest[..comment], None),
        };
        let head = self.expand(head)?;
        let (pattern, head) = match parse::find(&head, ':') {
            Some(colon) => (
                Some(head[..colon].trim().to_owned()),
                head[colon + 1..].to_owned(),
            ),
            None => (None, head),
        };
        let (normal, order_only) = match parse::find(&head, '|') {
            Some(bar) => (&head[..bar], &head[bar + 1..]),
            None => (head.as_str(), ""),
        };
        let body = Body {
            prerequisites: globbed(normal),
            order_only: globbed(order_only),
            expands_again: self.expands_again,
            recipe: None,
        };
        let place = self.place.clone().unwrap_or_default();
        let lines = command.map(|command| (place.line, command.to_owned()));
        reader.open = Some(Open {
            targets,
            pattern,
            body,
            lines: lines.into_iter().collect(),
            place,
            double,
            grouped,
        });
        // A recipe of nothing is one as well.
        if command == Some("")
            && let Some(open) = &mut reader.open
        {
            open.lines.push((open.place.line, String::new()));
        }
        Ok(())
    }

    /// `targets: NAME = VALUE`.
    ///
    /// Whether the rule is such a definition. The value of `:=` is expanded now, others when the target is made.
    fn local(&mut self, targets: &[String], text: &str, origin: Origin) -> Outcome<bool> {
        let (mut text, mut origin, mut exported) = (text.trim_start(), origin, false);
        loop {
            match parse::first_word(text) {
                ("export", rest) if parse::operator(rest).is_none() => exported = true,
                ("override", rest) if parse::operator(rest).is_none() => origin = Origin::Override,
                ("private", rest) if parse::operator(rest).is_none() => {}
                _ => break,
            }
            text = parse::first_word(text).1;
        }
        let Some(definition) = parse::definition(text).filter(|found| !found.name.is_empty())
        else {
            return Ok(false);
        };
        let mut definition = bare(definition);
        if definition.operator == Operator::Simple {
            definition.value = self.expand(&definition.value)?.replace('$', "$$");
        }
        for target in targets {
            let local = Local {
                definition: definition.clone(),
                origin,
                exported,
            };
            self.file(target).locals.push(local);
        }
        Ok(true)
    }

    /// Ends the rule that is open.
    ///
    /// The rule is recorded under the place at which it began.
    fn close(&mut self, reader: &mut Reader) -> Outcome<()> {
        let Some(mut open) = reader.open.take() else {
            return Ok(());
        };
        let place = self.place.replace(open.place.clone());
        if !open.lines.is_empty() {
            open.body.recipe = Some(Rc::new(Recipe {
                file: open.place.file.clone(),
                lines: std::mem::take(&mut open.lines),
            }));
        }
        let recorded = self.record(open, reader.origin);
        self.place = place;
        recorded
    }
}

/// A definition without the comment behind its value.
fn bare(mut definition: Definition) -> Definition {
    definition.value = parse::without_comment(&definition.value);
    definition
}
