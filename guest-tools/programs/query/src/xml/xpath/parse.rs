//! Expressions: from text to a tree.

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Itself,
    Child,
    Parent,
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
    Any,
    Name(String),
    Node,
    Text,
    Comment,
    Instruction(String),
}

/// One step of a path.
#[derive(Clone, Debug)]
pub struct Step {
    pub axis: Axis,
    pub test: Test,
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
    Union,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(f64),
    Text(String),
    Negative(Box<Expression>),
    Call(String, Vec<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    Filter(Box<Expression>, Vec<Expression>),
    /// Steps from an expression, or from where we are.
    Path(Option<Box<Expression>>, Vec<Step>),
    Root,
}

type Read<T> = Result<T, String>;

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 100;

/// Reads an expression.
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

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_-.".contains(c)
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

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

    fn binary(&mut self, level: usize) -> Read<Expression> {
        if level == UNARY && self.take("-") {
            return Ok(Expression::Negative(Box::new(self.binary(UNARY)?)));
        }
        if level == LEVELS.len() {
            return self.path();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(level) {
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

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
