//! Makes of a cell what the engine can run: what it declares is kept beyond it, and it may wait.

use std::ops::ControlFlow;

use boa_ast::declaration::{Binding, Variable};
use boa_ast::expression::Expression;
use boa_ast::operations::bound_names;
use boa_ast::scope::Scope;
use boa_ast::statement::iteration::{DoWhileLoop, ForLoop, WhileLoop};
use boa_ast::visitor::{VisitWith, Visitor};
use boa_ast::{Declaration, ModuleItem, Position, Spanned, Statement, StatementListItem};
use boa_interner::{Interner, Sym};
use boa_parser::{Parser, Source};

/// A piece of text that takes the place of another.
struct Edit {
    at: usize,
    removed: usize,
    text: String,
}

struct Rewriting<'a> {
    code: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
    interner: Interner,
    edits: Vec<Edit>,
    /// What is declared in the global scope before the cell runs.
    declared: Vec<String>,
    /// What is there from the start of the cell.
    hoisted: String,
    /// What is kept at its end.
    kept: String,
}

/// The cell as it is run, after a letter that says what its value is.
pub fn rewrite(code: &str, watch: bool) -> Result<String, String> {
    let mut rewriting = Rewriting::new(code);
    let script = Parser::new(Source::from_bytes(code))
        .parse_script(&Scope::new_global(), &mut rewriting.interner);
    // In a script, `await (x)` is a call.
    let is_module = code.contains("await") && {
        Parser::new(Source::from_bytes(code))
            .parse_module(&Scope::new_global(), &mut Interner::new())
            .is_ok()
    };
    match script {
        Ok(script) if !is_module => {
            if watch {
                rewriting.watch(&script);
            }
            Ok(rewriting.plain(script.statements().statements()))
        }
        script => {
            let mut rewriting = Rewriting::new(code);
            let module = Parser::new(Source::from_bytes(code))
                .parse_module(&Scope::new_global(), &mut rewriting.interner);
            // Where it is neither, it is a script that is wrong, unless it waits.
            let says = |other: String| match script {
                Err(error) if !code.contains("await") => error.to_string(),
                _ => other,
            };
            let module = module.map_err(|other| says(other.to_string()))?;
            if watch {
                rewriting.watch(&module);
            }
            let items = module.items().items().iter();
            let items = items.map(|item| match item {
                ModuleItem::StatementListItem(item) => Ok(item.clone()),
                _ => Err("a cell imports with `await import(…)` and exports nothing".to_owned()),
            });
            let items = items.collect::<Result<Vec<_>, _>>()?;
            Ok(rewriting.waiting(&items))
        }
    }
}

fn last_expression(items: &[StatementListItem]) -> Option<&Expression> {
    match items.last()? {
        StatementListItem::Statement(statement) => match &**statement {
            Statement::Expression(expression) => Some(expression),
            _ => None,
        },
        StatementListItem::Declaration(_) => None,
    }
}

impl<'a> Rewriting<'a> {
    fn new(code: &'a str) -> Rewriting<'a> {
        let ends = code.match_indices(['\n', '\u{2028}', '\u{2029}']);
        let starts = ends.map(|(at, end)| at + end.len());
        Rewriting {
            code,
            lines: std::iter::once(0).chain(starts).collect(),
            interner: Interner::new(),
            edits: Vec::new(),
            declared: Vec::new(),
            hoisted: String::new(),
            kept: String::new(),
        }
    }

    /// A cell that does not wait: a script, whose variables are global.
    fn plain(mut self, items: &[StatementListItem]) -> String {
        for item in items {
            let StatementListItem::Declaration(declaration) = item else {
                continue;
            };
            match &**declaration {
                Declaration::Lexical(list) => {
                    if let Some((at, length)) = self.keyword(list.variable_list().as_ref()) {
                        self.edit(at, length, format!("{:length$}", "var"));
                    }
                }
                Declaration::ClassDeclaration(class) => {
                    let name = self.name(class.name().sym());
                    let at = self.offset(class.name().span().start());
                    self.class(at, &format!("var {name}="));
                }
                _ => {}
            }
        }
        let letter = if last_expression(items).is_some() {
            'V'
        } else {
            'N'
        };
        format!("{letter}{}", self.apply())
    }

    /// A cell that waits: an asynchronous function, which gives its value in a list.
    fn waiting(mut self, items: &[StatementListItem]) -> String {
        for item in items {
            match item {
                StatementListItem::Declaration(declaration) => self.declaration(declaration),
                StatementListItem::Statement(statement) => {
                    if let Statement::Var(list) = &**statement {
                        self.assign(list.0.as_ref());
                    }
                }
            }
        }
        if let Some(value) = last_expression(items) {
            let (start, end) = extent(value);
            let (start, end) = (self.offset(start), self.offset(end));
            let kept = std::mem::take(&mut self.kept);
            self.edit(start, 0, format!("{kept}return [("));
            self.edit(end, 0, ")]".to_owned());
        }
        let declared = match self.declared.is_empty() {
            true => String::new(),
            false => format!("var {};", self.declared.join(",")),
        };
        let (hoisted, kept) = (self.hoisted.clone(), self.kept.clone());
        format!(
            "A{declared}(async()=>{{{hoisted}{}\n{kept}}})()",
            self.apply()
        )
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let name = match declaration {
            Declaration::Lexical(list) => return self.assign(list.variable_list().as_ref()),
            Declaration::ClassDeclaration(class) => {
                let name = self.name(class.name().sym());
                self.kept.push_str(&format!("globalThis.{name}={name};"));
                return;
            }
            Declaration::FunctionDeclaration(function) => function.name(),
            Declaration::GeneratorDeclaration(function) => function.name(),
            Declaration::AsyncFunctionDeclaration(function) => function.name(),
            Declaration::AsyncGeneratorDeclaration(function) => function.name(),
        };
        let name = self.name(name.sym());
        self.hoisted.push_str(&format!("globalThis.{name}={name};"));
    }

    /// A declaration as an assignment to global variables.
    fn assign(&mut self, list: &[Variable]) {
        let Some((at, length)) = self.keyword(list) else {
            return;
        };
        self.edit(at, length, "void (".to_owned());
        let mut end = at;
        for variable in list {
            for name in bound_names(variable) {
                let name = self.name(name);
                self.declared.push(name);
            }
            end = match (variable.init(), variable.binding()) {
                (Some(value), _) => self.offset(extent(value).1),
                (None, binding) => {
                    let end = self.offset(span(binding).1);
                    self.edit(end, 0, "=undefined".to_owned());
                    end
                }
            };
        }
        self.edit(end, 0, ")".to_owned());
    }

    /// Where the word before the first of the variables stands, and its length.
    fn keyword(&self, list: &[Variable]) -> Option<(usize, usize)> {
        let first = self.offset(span(list.first()?.binding()).0);
        let before = self.code[..first].trim_end();
        let words = ["const", "let", "var"];
        let word = words.into_iter().find(|word| before.ends_with(word))?;
        Some((before.len() - word.len(), word.len()))
    }

    /// Puts a text before a class and a semicolon after it; `name` is where its name stands.
    fn class(&mut self, name: usize, text: &str) {
        let before = self.code[..name].trim_end();
        let Some(start) = before.len().checked_sub("class".len()) else {
            return;
        };
        self.edit(start, 0, text.to_owned());
        // It ends at the first brace up to which it is a whole class.
        let ends = self.code[start..].match_indices('}');
        let ends = ends.map(|(at, _)| start + at + 1);
        let is_whole = |end: &usize| {
            Parser::new(Source::from_bytes(&self.code[start..*end]))
                .parse_script(&Scope::new_global(), &mut Interner::new())
                .is_ok()
        };
        if let Some(end) = ends.into_iter().find(is_whole) {
            self.edit(end, 0, ";".to_owned());
        }
    }

    /// Lets loops be ended from outside, wherever they have a condition.
    fn watch<N: VisitWith>(&mut self, code: &N) {
        let mut conditions = Conditions(Vec::new());
        let _ = code.visit_with(&mut conditions);
        for (start, end) in conditions.0 {
            let (start, end) = (self.offset(start), self.offset(end));
            self.edit(start, 0, "(__look(),(".to_owned());
            self.edit(end, 0, "))".to_owned());
        }
    }

    fn name(&self, name: Sym) -> String {
        self.interner.resolve_expect(name).to_string()
    }

    fn edit(&mut self, at: usize, removed: usize, text: String) {
        self.edits.push(Edit { at, removed, text });
    }

    /// The byte at a position, which counts lines and characters from 1.
    fn offset(&self, position: Position) -> usize {
        let line = position.line_number() as usize - 1;
        let start = self.lines.get(line).copied().unwrap_or(self.code.len());
        let mut characters = self.code[start..].char_indices();
        let column = position.column_number() as usize - 1;
        characters
            .nth(column)
            .map_or(self.code.len(), |(at, _)| start + at)
    }

    fn apply(mut self) -> String {
        self.edits.sort_by_key(|edit| edit.at);
        let (mut text, mut done) = (String::new(), 0);
        for edit in &self.edits {
            text.push_str(self.code.get(done..edit.at).unwrap_or_default());
            text.push_str(&edit.text);
            done = edit.at + edit.removed;
        }
        text.push_str(self.code.get(done..).unwrap_or_default());
        text
    }
}

fn span(binding: &Binding) -> (Position, Position) {
    let span = match binding {
        Binding::Identifier(name) => name.span(),
        Binding::Pattern(pattern) => pattern.span(),
    };
    (span.start(), span.end())
}

/// Where an expression begins and ends. The engine's own spans of calls begin at their arguments.
fn extent(expression: &Expression) -> (Position, Position) {
    let mut extent = Extent(expression.span().start(), expression.span().end());
    let _ = extent.visit_expression(expression);
    (extent.0, extent.1)
}

struct Extent(Position, Position);

impl<'ast> Visitor<'ast> for Extent {
    type BreakTy = ();

    fn visit_expression(&mut self, node: &'ast Expression) -> ControlFlow<()> {
        self.0 = self.0.min(node.span().start());
        self.1 = self.1.max(node.span().end());
        node.visit_with(self)
    }
}

/// The conditions of loops.
struct Conditions(Vec<(Position, Position)>);

impl Conditions {
    fn add(&mut self, condition: &Expression) {
        self.0.push(extent(condition));
    }
}

impl<'ast> Visitor<'ast> for Conditions {
    type BreakTy = ();

    fn visit_while_loop(&mut self, node: &'ast WhileLoop) -> ControlFlow<()> {
        self.add(node.condition());
        node.visit_with(self)
    }

    fn visit_do_while_loop(&mut self, node: &'ast DoWhileLoop) -> ControlFlow<()> {
        self.add(node.cond());
        node.visit_with(self)
    }

    fn visit_for_loop(&mut self, node: &'ast ForLoop) -> ControlFlow<()> {
        if let Some(condition) = node.condition() {
            self.add(condition);
        }
        node.visit_with(self)
    }
}
