//! Expressions: from text to a tree. The grammar is that of XPath 1.0, section 3, without variables, prefixes and the
//! namespace axis.
//!
//! The parser works on the text itself. Whether `*` multiplies and whether `div` is a name follows from where they
//! stand: an operator is looked for only after an operand.

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// `self`, and `.`
    Itself,
    /// `child`, and no axis at all
    Child,
    Parent,
    /// `attribute`, and `@`
    Attribute,
    Ancestor,
    AncestorOrItself,
    Descendant,
    DescendantOrItself,
    Following,
    FollowingSibling,
    Preceding,
    PrecedingSibling,
}

/// Which nodes of an axis count.
#[derive(Clone, Debug)]
pub enum Test {
    /// `*`: every node of the axis's own kind, which is elements except on `attribute`.
    Any,
    /// Such a node of that name, in no namespace.
    Name(String),
    /// `node()`
    Node,
    /// `text()`
    Text,
    /// `comment()`
    Comment,
    /// `processing-instruction(NAME)`; an empty name is any.
    Instruction(String),
}

/// One step of a path.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it leads.
    pub axis: Axis,
    /// Which nodes count.
    pub test: Test,
    /// Conditions, applied one after the other; positions count in what the one before left.
    pub predicates: Vec<Expression>,
}

/// What stands between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    /// `|`
    Union,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(f64),
    Text(String),
    Negative(Box<Expression>),
    /// A function and its arguments.
    Call(String, Vec<Expression>),
    /// An operator between two expressions.
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `(EXPRESSION)[PREDICATE]…`: positions count in the order of the document.
    Filter(Box<Expression>, Vec<Expression>),
    /// Steps from an expression, or from where we are.
    Path(Option<Box<Expression>>, Vec<Step>),
    /// `/`
    Root,
}

/// A result, or libxml2's message.
type Read<T> = Result<T, String>;

/// How deep paths may be nested, in parentheses and predicates.
const MAX_DEPTH: usize = 100;

/// How many operands one chain of operators may have: it is computed from its last one inwards.
const MAX_CHAIN: usize = 3_000;

/// Reads an expression.
///
/// # Errors
/// `Invalid expression` and other messages of libxml2.
pub fn parse(text: &str) -> Read<Expression> {
    let mut parser = Parser {
        rest: text,
        depth: 0,
    };
    let expression = parser.binary(0)?;
    parser.skip();
    if parser.rest.is_empty() {
        Ok(expression)
    } else {
        invalid()
    }
}

fn invalid<T>() -> Read<T> {
    Err("Invalid expression".to_owned())
}

/// Operators from the loosest to the tightest; longer ones before those they begin with.
const LEVELS: [&[(&str, Operator)]; 7] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[("!=", Operator::NotEqual), ("=", Operator::Equal)],
    &[
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[
        ("*", Operator::Multiply),
        ("div", Operator::Divide),
        ("mod", Operator::Modulo),
    ],
    &[("|", Operator::Union)],
];

/// The level at which a sign may stand before an expression.
const UNARY: usize = 6;

/// Whether a name may have the character; colons are looked at separately.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_-.".contains(c)
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// Skips white space.
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes the mark where it comes next, after white space.
    fn take(&mut self, mark: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Takes a name where one comes next.
    fn name(&mut self) -> Option<&'a str> {
        self.skip();
        if !self
            .rest
            .starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            return None;
        }
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(name)
    }

    /// Takes an operator of the level where one comes next; words must end where the operator does.
    fn operator(&mut self, level: usize) -> Option<Operator> {
        self.skip();
        for (mark, operator) in LEVELS[level] {
            let Some(rest) = self.rest.strip_prefix(mark) else {
                continue;
            };
            let word = mark.starts_with(|c: char| c.is_alphabetic());
            if !(word && rest.starts_with(is_name)) {
                self.rest = rest;
                return Some(*operator);
            }
        }
        None
    }

    /// An expression of operators of at least that level; all bind to the left.
    fn binary(&mut self, level: usize) -> Read<Expression> {
        if level == UNARY {
            return self.signed();
        }
        if level == LEVELS.len() {
            return self.path();
        }
        self.chain(level)
    }

    /// An expression of the tightest operator, with any number of signs before it: an even number makes a number of
    /// it and nothing else.
    fn signed(&mut self) -> Read<Expression> {
        let (mut signed, mut negative) = (false, false);
        while self.take("-") {
            (signed, negative) = (true, !negative);
        }
        let found = self.chain(UNARY)?;
        if !signed {
            return Ok(found);
        }
        let once = Expression::Negative(Box::new(found));
        Ok(if negative {
            once
        } else {
            Expression::Negative(Box::new(once))
        })
    }

    /// Expressions of the next level, joined by operators of this one.
    fn chain(&mut self, level: usize) -> Read<Expression> {
        let mut left = self.binary(level + 1)?;
        let mut operands = 1;
        while let Some(operator) = self.operator(level) {
            operands += 1;
            if operands > MAX_CHAIN {
                return Err("Expression is too long".to_owned());
            }
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// A path, or a value with predicates and steps.
    fn path(&mut self) -> Read<Expression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("Expression is nested too deep".to_owned());
        }
        self.skip();
        let found = if self.rest.starts_with('/') {
            self.absolute()
        } else if self.is_primary() {
            self.filtered()
        } else {
            let steps = self.steps()?;
            Ok(Expression::Path(None, steps))
        };
        self.depth -= 1;
        found
    }

    /// A path from the root: `/`, `/a`, `//a`.
    fn absolute(&mut self) -> Read<Expression> {
        let mut steps = Vec::new();
        if self.take("//") {
            steps.push(anywhere());
        } else {
            self.take("/");
            self.skip();
            let starts = |c: char| c.is_alphabetic() || "_@.*".contains(c);
            if !self.rest.starts_with(starts) {
                return Ok(Expression::Root);
            }
        }
        steps.extend(self.steps()?);
        Ok(Expression::Path(Some(Box::new(Expression::Root)), steps))
    }

    /// Whether a value comes, and no step.
    fn is_primary(&self) -> bool {
        let first = self.rest.chars().next().unwrap_or(' ');
        if "(\"'".contains(first) || first.is_ascii_digit() {
            return true;
        }
        if first == '.' {
            return self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
        }
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let test = matches!(
            &self.rest[..end],
            "node" | "text" | "comment" | "processing-instruction"
        );
        end > 0 && !test && self.rest[end..].trim_start().starts_with('(')
    }

    /// A value with predicates, and perhaps steps from it.
    fn filtered(&mut self) -> Read<Expression> {
        let mut found = self.primary()?;
        let predicates = self.predicates()?;
        if !predicates.is_empty() {
            found = Expression::Filter(Box::new(found), predicates);
        }
        self.skip();
        if !self.rest.starts_with('/') {
            return Ok(found);
        }
        let mut steps = Vec::new();
        if self.take("//") {
            steps.push(anywhere());
        } else {
            self.take("/");
        }
        steps.extend(self.steps()?);
        Ok(Expression::Path(Some(Box::new(found)), steps))
    }

    /// A parenthesis, a literal, a number or a call.
    fn primary(&mut self) -> Read<Expression> {
        if self.take("(") {
            let inside = self.binary(0)?;
            return if self.take(")") {
                Ok(inside)
            } else {
                invalid()
            };
        }
        for quote in ['"', '\''] {
            if let Some(rest) = self.rest.strip_prefix(quote) {
                let Some((text, rest)) = rest.split_once(quote) else {
                    return Err("Unfinished literal".to_owned());
                };
                self.rest = rest;
                return Ok(Expression::Text(text.to_owned()));
            }
        }
        if self
            .rest
            .starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            let end = self
                .rest
                .find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            self.rest = rest;
            return digits
                .parse()
                .map(Expression::Number)
                .or_else(|_| invalid());
        }
        let Some(name) = self.name() else {
            return invalid();
        };
        let name = name.to_owned();
        self.take("(");
        let mut arguments = Vec::new();
        if !self.take(")") {
            loop {
                arguments.push(self.binary(0)?);
                if self.take(")") {
                    break;
                }
                if !self.take(",") {
                    return invalid();
                }
            }
        }
        Ok(Expression::Call(name, arguments))
    }

    /// Steps joined by `/` and `//`.
    fn steps(&mut self) -> Read<Vec<Step>> {
        let mut steps = vec![self.step()?];
        loop {
            if self.take("//") {
                steps.push(anywhere());
            } else if !self.take("/") {
                return Ok(steps);
            }
            steps.push(self.step()?);
        }
    }

    /// One step with its predicates.
    fn step(&mut self) -> Read<Step> {
        let plain = |axis| Step {
            axis,
            test: Test::Node,
            predicates: Vec::new(),
        };
        if self.take("..") {
            return Ok(plain(Axis::Parent));
        }
        if self.take(".") {
            return Ok(plain(Axis::Itself));
        }
        let axis = self.axis()?;
        let test = self.test()?;
        let predicates = self.predicates()?;
        Ok(Step {
            axis,
            test,
            predicates,
        })
    }

    /// The axis before `::`, or `child`.
    fn axis(&mut self) -> Read<Axis> {
        if self.take("@") {
            return Ok(Axis::Attribute);
        }
        let Some((name, rest)) = self.rest.split_once("::") else {
            return Ok(Axis::Child);
        };
        let axis = match name.trim() {
            "self" => Axis::Itself,
            "child" => Axis::Child,
            "parent" => Axis::Parent,
            "attribute" => Axis::Attribute,
            "ancestor" => Axis::Ancestor,
            "ancestor-or-self" => Axis::AncestorOrItself,
            "descendant" => Axis::Descendant,
            "descendant-or-self" => Axis::DescendantOrItself,
            "following" => Axis::Following,
            "following-sibling" => Axis::FollowingSibling,
            "preceding" => Axis::Preceding,
            "preceding-sibling" => Axis::PrecedingSibling,
            "namespace" => return Err("the namespace axis is not supported".to_owned()),
            _ => return Ok(Axis::Child),
        };
        self.rest = rest;
        Ok(axis)
    }

    /// The node test.
    fn test(&mut self) -> Read<Test> {
        if self.take("*") {
            return Ok(Test::Any);
        }
        let Some(name) = self.name() else {
            return invalid();
        };
        if self.rest.starts_with(':') && !self.rest.starts_with("::") {
            return Err(format!("Undefined namespace prefix {name}"));
        }
        if !self.rest.trim_start().starts_with('(') {
            return Ok(Test::Name(name.to_owned()));
        }
        self.take("(");
        let test = match name {
            "node" => Test::Node,
            "text" => Test::Text,
            "comment" => Test::Comment,
            "processing-instruction" => {
                self.skip();
                match self.rest.starts_with(['"', '\'']) {
                    true => match self.primary()? {
                        Expression::Text(name) => Test::Instruction(name),
                        _ => return invalid(),
                    },
                    false => Test::Instruction(String::new()),
                }
            }
            _ => return invalid(),
        };
        if self.take(")") { Ok(test) } else { invalid() }
    }

    /// Any number of predicates in brackets.
    fn predicates(&mut self) -> Read<Vec<Expression>> {
        let mut found = Vec::new();
        while self.take("[") {
            found.push(self.binary(0)?);
            if !self.take("]") {
                return Err("Invalid predicate".to_owned());
            }
        }
        Ok(found)
    }
}

/// What `//` stands for.
fn anywhere() -> Step {
    Step {
        axis: Axis::DescendantOrItself,
        test: Test::Node,
        predicates: Vec::new(),
    }
}
