//! The parser's terms: literals, strings, objects, control structures, calls and definitions.
//!
//! Names are resolved here. A variable or local function becomes its distance from the top of the scope, which is also
//! its distance in the environment at run time (`env`), so both must push and pop in the same order. A name is looked
//! for as a local closure or function, as a function of the module or of `~/.jq`, as a prelude function that was read
//! already, as a special form, as a native, and at last as a definition of the prelude, which is read then and there.

use std::collections::HashMap;

use super::{Binding, KEYWORDS, Parse, Parser};
use crate::jq::code::{Assign, Expr, Function, Node, Operator, Special};
use crate::jq::json::is_number;
use crate::jq::modules::Modules;
use crate::jq::token::{Kind, Part};
use crate::jq::value::{Members, Value, parse_number};
use crate::jq::{natives, prelude, token};

impl Parser<'_> {
    /// One term without what may follow it (`.a`, `[…]`, `?`); those are `Parser::postfix`.
    pub(super) fn term(&mut self) -> Parse<Node> {
        let identity = || Box::new(Node::new(Expr::Identity));
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        Ok(Node::new(match self.next() {
            Some(Kind::Number(text)) => Expr::Literal(
                if is_number(&text) {
                    parse_number(&text)
                } else {
                    None
                }
                .unwrap_or(Value::Null),
            ),
            Some(Kind::String(parts)) => return self.string(None, parts),
            Some(Kind::Format(name)) => match self.kind().cloned() {
                Some(Kind::String(parts)) => {
                    self.at += 1;
                    return self.string(Some(name), parts);
                }
                _ => Expr::Format(name),
            },
            Some(Kind::Field(name)) => {
                let key = Node::new(Expr::Literal(Value::from(name.as_str())));
                Expr::Index(identity(), Box::new(key))
            }
            Some(Kind::Variable(name)) => return self.variable(&name, line),
            Some(Kind::Name(name)) => return self.named(name),
            Some(Kind::Mark(".")) => match self.kind().cloned() {
                Some(Kind::String(parts)) => {
                    self.at += 1;
                    let key = self.string(None, parts)?;
                    Expr::Index(identity(), Box::new(key))
                }
                _ => Expr::Identity,
            },
            Some(Kind::Mark("..")) => Expr::Special(Special::Recurse, Vec::new()),
            Some(Kind::Mark("(")) => {
                let inner = self.pipe()?;
                self.require(")")?;
                return Ok(inner);
            }
            Some(Kind::Mark("[")) => {
                if self.take("]") {
                    return Ok(Node::new(Expr::Array(None)));
                }
                let inner = self.pipe()?;
                self.require("]")?;
                Expr::Array(Some(Box::new(inner)))
            }
            Some(Kind::Mark("{")) => return self.object(),
            _ => {
                self.at -= 1;
                return self.unexpected();
            }
        }))
    }

    /// A string with its interpolations, each parsed from the tokens that the lexer kept for it.
    ///
    /// `format` is the `@name` before the string. It applies to interpolated values alone, so a string without any is
    /// a literal: `@base64 "x"` is `"x"`, and `@base64 "\(.)"` encodes.
    pub(super) fn string(&mut self, format: Option<String>, parts: Vec<Part>) -> Parse<Node> {
        if let [Part::Text(text)] = parts.as_slice() {
            return Ok(Node::new(Expr::Literal(Value::from(text.as_str()))));
        }
        let mut pieces = Vec::new();
        for part in parts {
            pieces.push(match part {
                Part::Text(text) => (Some(Value::from(text)), None),
                Part::Code(tokens) => {
                    let outer = std::mem::replace(&mut self.tokens, tokens);
                    let at = std::mem::take(&mut self.at);
                    let code = self.pipe()?;
                    self.end()?;
                    self.tokens = outer;
                    self.at = at;
                    (None, Some(code))
                }
            });
        }
        Ok(Node::new(Expr::String(format, pieces)))
    }

    /// A variable, by its distance, or the value of a constant such as `$ENV` or one of `--arg`. `$__loc__` is a
    /// literal object with the line of the token.
    fn variable(&mut self, name: &str, line: usize) -> Parse<Node> {
        if name == "__loc__" {
            let mut members = Members::new();
            members.insert("file".into(), "<top-level>".into());
            members.insert("line".into(), line.into());
            return Ok(Node::new(Expr::Literal(members.into())));
        }
        let is = |binding: &Binding| matches!(binding, Binding::Variable(other) if other == name);
        if let Some(distance) = self.scope.iter().rev().position(is) {
            return Ok(Node::new(Expr::Variable(distance)));
        }
        match self.constants.get(name) {
            Some(value) => Ok(Node::new(Expr::Literal(value.clone()))),
            None => {
                self.at -= 1;
                self.wrong(format!("${name} is not defined"))
            }
        }
    }

    /// An object after its `{`. Where all names and values are literals, the whole is one literal, made once.
    fn object(&mut self) -> Parse<Node> {
        let mut members = Vec::new();
        while !self.take("}") {
            members.push(self.member()?);
            if !self.take(",") {
                self.require("}")?;
                break;
            }
        }
        let constant = members.iter().all(|(key, value): &(Node, Node)| {
            matches!(
                (&key.expr, &value.expr),
                (Expr::Literal(Value::String(_)), Expr::Literal(_))
            )
        });
        if !constant {
            return Ok(Node::new(Expr::Object(members)));
        }
        let literal = |(key, value): (Node, Node)| match (key.expr, value.expr) {
            (Expr::Literal(Value::String(key)), Expr::Literal(value)) => Some((key, value)),
            _ => None,
        };
        let members: Members = members.into_iter().filter_map(literal).collect();
        Ok(Node::new(Expr::Literal(members.into())))
    }

    /// A member: `a: 1`, `"a": 1`, `(expr): 1`, `@base64 "…": 1`, `$x: 1`, or one of the short forms.
    ///
    /// ```text
    /// {a}        → {a: .a}
    /// {"a\(1)"}  → {"a\(1)": ."a\(1)"}
    /// {$x}       → {x: $x}
    /// {$x: 1}    → {($x): 1}
    /// ```
    fn member(&mut self) -> Parse<(Node, Node)> {
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        let key = match self.next() {
            Some(Kind::Variable(name)) => {
                let value = self.variable(&name, line)?;
                // Before a colon it is what the variable holds that names the member.
                if self.take(":") {
                    return Ok((value, self.member_value()?));
                }
                return Ok((Node::new(Expr::Literal(Value::from(name.as_str()))), value));
            }
            Some(Kind::Name(name)) => Node::new(Expr::Literal(Value::from(name))),
            Some(Kind::String(parts)) => self.string(None, parts)?,
            Some(Kind::Format(name)) => match self.next() {
                Some(Kind::String(parts)) => self.string(Some(name), parts)?,
                _ => {
                    self.at -= 1;
                    return self.unexpected();
                }
            },
            Some(Kind::Mark("(")) => {
                let key = self.computed_key()?;
                self.require(":")?;
                return Ok((key, self.member_value()?));
            }
            Some(Kind::Number(text)) => {
                self.at -= 1;
                return self.wrong(format!("Cannot use number ({text}) as object key"));
            }
            _ => {
                self.at -= 1;
                return self.unexpected();
            }
        };
        if self.take(":") {
            return Ok((key, self.member_value()?));
        }
        // Without a value the member is taken from the input.
        let again = match &key.expr {
            Expr::Literal(value) => Node::new(Expr::Literal(value.clone())),
            _ => {
                let back = self.at;
                self.at = back - 1;
                let again = match self.next() {
                    Some(Kind::String(parts)) => {
                        let format = match self
                            .tokens
                            .get(back.wrapping_sub(2))
                            .map(|token| &token.kind)
                        {
                            Some(Kind::Format(name)) => Some(name.clone()),
                            _ => None,
                        };
                        self.string(format, parts)?
                    }
                    _ => return self.unexpected(),
                };
                self.at = back;
                again
            }
        };
        let input = Box::new(Node::new(Expr::Identity));
        Ok((key, Node::new(Expr::Index(input, Box::new(again)))))
    }

    /// The expression of a key, after its opening parenthesis; a constant must be a string.
    ///
    /// A key that gives something else at run time is an error there.
    pub(super) fn computed_key(&mut self) -> Parse<Node> {
        let start = self.at;
        let key = self.pipe()?;
        self.require(")")?;
        if let Expr::Literal(value) = &key.expr
            && value.text().is_none()
        {
            let shown = crate::jq::json::shortened(value);
            let kind = value.kind();
            self.at = start;
            return self.wrong(format!("Cannot use {kind} ({shown}) as object key"));
        }
        Ok(key)
    }

    /// An object's value: anything but commas outside parentheses.
    fn member_value(&mut self) -> Parse<Node> {
        let first = self.operators(0)?;
        self.stages(first, |parser| parser.operators(0))
    }

    /// A name: a control structure, a constant, or a call with the arguments that follow in parentheses, split at `;`.
    fn named(&mut self, name: String) -> Parse<Node> {
        match name.as_str() {
            "if" => return self.condition(),
            "reduce" => return self.fold(false),
            "foreach" => return self.fold(true),
            "break" => {
                let Some(Kind::Variable(label)) = self.next() else {
                    return self.unexpected();
                };
                let is =
                    |binding: &Binding| matches!(binding, Binding::Label(other) if *other == label);
                return match self.scope.iter().rev().position(is) {
                    Some(distance) => Ok(Node::new(Expr::Break(distance))),
                    None => {
                        self.at -= 2;
                        self.wrong(format!("$*label-{label} is not defined"))
                    }
                };
            }
            "try" | "label" => {
                self.at -= 1;
                return if name == "try" {
                    self.postfix()
                } else {
                    self.pipe()
                };
            }
            "null" => return Ok(Node::new(Expr::Literal(Value::Null))),
            "true" => return Ok(Node::new(Expr::Literal(Value::Bool(true)))),
            "false" => return Ok(Node::new(Expr::Literal(Value::Bool(false)))),
            keyword if KEYWORDS.contains(&keyword) => {
                self.at -= 1;
                return self.unexpected();
            }
            _ => {}
        }
        let mut arguments = Vec::new();
        if self.take("(") {
            loop {
                arguments.push(self.pipe()?);
                if !self.take(";") {
                    break;
                }
            }
            self.require(")")?;
        }
        self.call(name, arguments)
    }

    /// Resolves a call of `name` with that many arguments.
    ///
    /// # Errors
    /// `f/1 is not defined`, at the token before the present one.
    fn call(&mut self, name: String, arguments: Vec<Node>) -> Parse<Node> {
        let arity = arguments.len();
        let is = |binding: &Binding| match binding {
            Binding::Closure(other) => arity == 0 && *other == name,
            Binding::Function(other, parameters) => *parameters == arity && *other == name,
            _ => false,
        };
        if let Some(distance) = self.scope.iter().rev().position(is) {
            return Ok(Node::new(Expr::Call(distance, arguments)));
        }
        let key = (name, arity);
        if let Some(&index) = self.names.get(&key).or_else(|| self.builtins.get(&key)) {
            return Ok(Node::new(Expr::CallGlobal(index, arguments)));
        }
        if let Some(special) = prelude::special(&key.0, arity) {
            return Ok(Node::new(Expr::Special(special, arguments)));
        }
        if let Some(native) = natives::find(&key.0, arity) {
            return Ok(Node::new(Expr::Native(native, arguments)));
        }
        let Some(source) = prelude::definition(&key.0, arity) else {
            self.at -= 1;
            return self.wrong(format!("{}/{arity} is not defined", key.0));
        };
        let index = self.builtin(source)?;
        Ok(Node::new(Expr::CallGlobal(index, arguments)))
    }

    /// Reads a function of the prelude the first time a program uses it.
    ///
    /// Its parser state is set aside meanwhile. The names of prelude functions are a table of their own, so that a
    /// program that defines `map` anew does not change the builtins that use `map`. Gives the index in
    /// `Program::globals`.
    fn builtin(&mut self, source: &str) -> Parse<usize> {
        let tokens = std::mem::replace(&mut self.tokens, token::tokens(source)?);
        let at = std::mem::take(&mut self.at);
        let scope = std::mem::take(&mut self.scope);
        let builtins = std::mem::take(&mut self.builtins);
        let names = std::mem::replace(&mut self.names, builtins);
        let index = self.program.globals.len();
        self.global()?;
        self.builtins = std::mem::replace(&mut self.names, names);
        self.tokens = tokens;
        self.at = at;
        self.scope = scope;
        Ok(index)
    }

    /// `if` after its keyword. `elif` is an `if` in the place of the `else`; they share one `end`.
    fn condition(&mut self) -> Parse<Node> {
        let condition = self.pipe()?;
        self.expect_name("then")?;
        let then = self.pipe()?;
        let otherwise = if self.take_name("elif") {
            Some(Box::new(self.nested(Parser::condition)?))
        } else if self.take_name("else") {
            let otherwise = self.pipe()?;
            self.expect_name("end")?;
            Some(Box::new(otherwise))
        } else {
            self.expect_name("end")?;
            None
        };
        Ok(Node::new(Expr::If(
            Box::new(condition),
            Box::new(then),
            otherwise,
        )))
    }

    /// `reduce` and `foreach` after their keyword: `SOURCE as PATTERN (START; UPDATE)`, for `foreach` perhaps `;
    /// EXTRACT`.
    ///
    /// The pattern's variables are in scope in UPDATE and EXTRACT, and not in START.
    fn fold(&mut self, each: bool) -> Parse<Node> {
        let source = Box::new(self.operators(0)?);
        self.expect_name("as")?;
        let base = self.scope.len();
        let pattern = Box::new(self.pattern()?);
        self.require("(")?;
        let bound = self.scope.split_off(base);
        let start = Box::new(self.pipe()?);
        self.require(";")?;
        self.scope.extend(bound);
        let update = Box::new(self.pipe()?);
        let extract = if each && self.take(";") {
            Some(Box::new(self.pipe()?))
        } else {
            None
        };
        self.scope.truncate(base);
        self.require(")")?;
        Ok(Node::new(if each {
            Expr::Foreach(source, pattern, start, update, extract)
        } else {
            Expr::Reduce(source, pattern, start, update)
        }))
    }

    /// `def NAME(PARAMETERS): BODY;`; the function stays in scope, unless it is a global.
    ///
    /// A parameter `$x` is both a closure `x` and a variable `$x`. Closures of all parameters come first in the scope,
    /// then the variables; `bind_closures` and `Machine::call_with` push in the same order. `arity_ahead` has counted
    /// the parameters before, since a function may call itself.
    pub(super) fn definition(&mut self, global: bool) -> Parse<Function> {
        self.expect_name("def")?;
        let Some(Kind::Name(name)) = self.next() else {
            return self.unexpected();
        };
        let arity = self.arity_ahead(self.at);
        if !global {
            self.scope.push(Binding::Function(name, arity));
        }
        let base = self.scope.len();
        let mut variables = Vec::new();
        let mut names = Vec::new();
        if self.take("(") {
            for index in 0..arity {
                match self.next() {
                    Some(Kind::Name(name)) => self.scope.push(Binding::Closure(name)),
                    Some(Kind::Variable(name)) => {
                        self.scope.push(Binding::Closure(name.clone()));
                        variables.push(index);
                        names.push(name);
                    }
                    _ => {
                        self.at -= 1;
                        return self.unexpected();
                    }
                }
                self.require(if index + 1 == arity { ")" } else { ";" })?;
            }
        }
        self.scope.extend(names.into_iter().map(Binding::Variable));
        self.require(":")?;
        let body = self.pipe()?;
        self.require(";")?;
        self.scope.truncate(base);
        Ok(Function { variables, body })
    }
}

/// The value of an expression that is a literal through and through, as in the metadata of modules; none for any
/// other.
pub(super) fn constant(node: &Node) -> Option<Value> {
    match &node.expr {
        Expr::Literal(value) => Some(value.clone()),
        Expr::Array(None) => Some(Vec::new().into()),
        Expr::Array(Some(inner)) => {
            let items = match &inner.expr {
                Expr::Comma(operands) => operands.iter().map(constant).collect(),
                _ => constant(inner).map(|item| vec![item]),
            };
            items.map(Value::from)
        }
        Expr::Object(members) => {
            let member = |(key, value): &(Node, Node)| match constant(key)? {
                Value::String(key) => Some((key, constant(value)?)),
                _ => None,
            };
            Some(
                members
                    .iter()
                    .map(member)
                    .collect::<Option<Members>>()?
                    .into(),
            )
        }
        _ => None,
    }
}

/// The node of a binary operator, assignments included. The caller has dealt with precedence.
pub(super) fn combine(operator: Option<&Kind>, left: Node, right: Node) -> Node {
    let (left, right) = (Box::new(left), Box::new(right));
    let name = match operator {
        Some(Kind::Mark(mark)) => mark,
        Some(Kind::Name(name)) => name.as_str(),
        _ => "",
    };
    let compute = |mark: &str| match mark {
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        _ => Operator::Remainder,
    };
    Node::new(match name {
        "or" => Expr::Or(left, right),
        "and" => Expr::And(left, right),
        "//" => Expr::Alternative(left, right),
        "=" => Expr::Assign(Assign::Set, left, right),
        "|=" => Expr::Assign(Assign::Update, left, right),
        "//=" => Expr::Assign(Assign::Default, left, right),
        "==" => Expr::Binary(Operator::Equal, left, right),
        "!=" => Expr::Binary(Operator::Unequal, left, right),
        "<" => Expr::Binary(Operator::Less, left, right),
        "<=" => Expr::Binary(Operator::LessOrEqual, left, right),
        ">" => Expr::Binary(Operator::Greater, left, right),
        ">=" => Expr::Binary(Operator::GreaterOrEqual, left, right),
        mark if mark.len() == 2 => Expr::Assign(Assign::Compute(compute(&mark[..1])), left, right),
        mark => Expr::Binary(compute(mark), left, right),
    })
}

/// What `modulemeta` tells of a module: its own metadata, what it imports and defines.
///
/// Nothing is resolved or loaded. Only definitions at the top level are listed, as `NAME/ARITY`.
pub fn describe(source: &str, modules: &Modules) -> Parse<Value> {
    let mut parser = Parser::new(HashMap::new(), modules);
    parser.tokens = token::tokens(source)?;
    let mut about = Members::new();
    if parser.take_name("module") {
        let node = parser.pipe()?;
        if let Some(Value::Object(members)) = constant(&node) {
            about = (**members).clone();
        }
        parser.require(";")?;
    }
    let mut imports = Vec::new();
    while parser.is_name("import") || parser.is_name("include") {
        imports.push(parser.describe_import()?);
    }
    let mut definitions = Vec::new();
    let mut level = 0_usize;
    for (index, token) in parser.tokens.iter().enumerate().skip(parser.at) {
        match (
            &token.kind,
            parser.tokens.get(index + 1).map(|next| &next.kind),
        ) {
            (Kind::Name(word), Some(Kind::Name(name))) if word == "def" => {
                if level == 0 {
                    let arity = parser.arity_ahead(index + 2);
                    definitions.push(Value::from(format!("{name}/{arity}")));
                }
                level += 1;
            }
            (Kind::Mark(";"), _) => level = level.saturating_sub(1),
            _ => {}
        }
    }
    about.insert("deps".into(), imports.into());
    about.insert("defs".into(), definitions.into());
    Ok(about.into())
}

impl Parser<'_> {
    /// One `import` or `include` as an entry of `deps`: its metadata, `as`, `is_data` and `relpath`.
    fn describe_import(&mut self) -> Parse<Value> {
        let include = self.is_name("include");
        self.at += 1;
        let Some(Kind::String(parts)) = self.next() else {
            return self.unexpected();
        };
        let [Part::Text(path)] = parts.as_slice() else {
            return self.unexpected();
        };
        let (mut alias, mut data) = (None, false);
        if !include {
            self.expect_name("as")?;
            match self.next() {
                Some(Kind::Name(name)) => alias = Some(name),
                Some(Kind::Variable(name)) => (alias, data) = (Some(name), true),
                _ => return self.unexpected(),
            }
        }
        let mut import = Members::new();
        if !self.is(";") {
            let node = self.pipe()?;
            if let Some(Value::Object(members)) = constant(&node) {
                import = (**members).clone();
            }
        }
        self.require(";")?;
        if let Some(alias) = alias {
            import.insert("as".into(), alias.into());
        }
        import.insert("is_data".into(), data.into());
        import.insert("relpath".into(), path.as_str().into());
        Ok(import.into())
    }
}
