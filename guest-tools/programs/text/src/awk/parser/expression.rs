//! Expressions, from the weakest operator to the strongest: `?:`, `||`, `&&`, `in`, `~`, comparison, concatenation,
//! `+`, `*`, unary, `^`, `++`, `$`, grouping. Assignment is read with its left side, at the level of `++`.
//!
//! ```text
//! a = b c + 1       Assign(a, Concatenate(b, Arithmetic(Add, c, 1)))
//! -2 ^ 2            Negate(Arithmetic(Power, 2, 2))
//! $i++              Step(Field(i))
//! "cmd" | getline x Getline(Command("cmd"), x)
//! ```

use super::*;

impl Parser {
    /// Reads where `>` and `in` have their usual meaning again.
    pub(super) fn free<T>(&mut self, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let outer = (self.no_greater, self.no_in);
        (self.no_greater, self.no_in) = (false, false);
        let found = read(self);
        (self.no_greater, self.no_in) = outer;
        found
    }

    /// Expressions with commas between them. With `close`, the list may be empty and have newlines; without it, it ends
    /// where no comma follows.
    pub(super) fn list(&mut self, close: &str) -> Outcome<Vec<Expression>> {
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

    /// A whole expression.
    pub(super) fn expression(&mut self) -> Outcome<Expression> {
        self.nested(Self::ternary)
    }

    /// `condition ? yes : no`, to the right.
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

    /// Operands of `||`.
    fn or(&mut self) -> Outcome<Expression> {
        let mut left = self.and()?;
        while self.take("||")? {
            self.newlines()?;
            left = Expression::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    /// Operands of `&&`.
    fn and(&mut self) -> Outcome<Expression> {
        let mut left = self.membership()?;
        while self.take("&&")? {
            self.newlines()?;
            left = Expression::And(Box::new(left), Box::new(self.membership()?));
        }
        Ok(left)
    }

    /// `key in array`, unless a `for` wants the `in`.
    fn membership(&mut self) -> Outcome<Expression> {
        let mut left = self.matching()?;
        while !self.no_in && self.take_keyword("in")? {
            let array = self.array()?;
            left = Expression::In(vec![left], Box::new(array));
        }
        Ok(left)
    }

    /// Operands of `~` and `!~`.
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

    /// A comparison, which does not associate: `a < b < c` is an error. `>` is a redirection in `print`.
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
    pub(super) fn concatenation(&mut self, target: bool) -> Outcome<Expression> {
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

    /// Operands of `+` and `-`.
    fn sum(&mut self) -> Outcome<Expression> {
        let left = self.product()?;
        self.sum_after(left)
    }

    /// Further operands behind the first.
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

    /// Operands of `*`, `/` and `%`. Division of a constant by zero is refused here, as gawk folds constants.
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
            let right = self.unary()?;
            if let (Expression::Number(_), Expression::Number(0.0)) = (bare(&left), bare(&right)) {
                match operator {
                    Operator::Divide => return Err("division by zero attempted".to_owned()),
                    Operator::Remainder => {
                        return Err("division by zero attempted in `%'".to_owned());
                    }
                    _ => {}
                }
            }
            left = Expression::Arithmetic(operator, Box::new(left), Box::new(right));
        }
    }

    /// `!`, `-`, `+` before an operand.
    pub(super) fn unary(&mut self) -> Outcome<Expression> {
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

    /// `^`, to the right.
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

    /// A primary with `++`, `--` or an assignment behind it, where it can be assigned to.
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

    /// A constant, variable, field, call, group, `getline` or what begins with `++`.
    fn primary(&mut self) -> Outcome<Expression> {
        if let Token::Symbol(symbol @ ("/" | "/=")) = self.token {
            self.regex(symbol.len())?;
        }
        let began = self.lexer.began;
        match self.advance()? {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Text(text) => Ok(Expression::Text(Rc::new(text))),
            Token::Regex(source) => {
                let pattern = self.pattern(&source)?;
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
                self.lexer.began = began;
                Err(self.unexpected())
            }
        }
    }

    /// Reads a regular expression whose opening slash is the token at hand, of `consumed` bytes.
    fn regex(&mut self, consumed: usize) -> Outcome<()> {
        self.token = self.lexer.regex(consumed)?;
        if let Token::Regex(source) = &self.token {
            for message in regex_escapes(source) {
                self.warn(&message);
            }
        }
        Ok(())
    }

    /// The pattern of a literal.
    fn pattern(&self, source: &[u8]) -> Outcome<Pattern> {
        Pattern::new(source, &Settings::new(Dialect::Awk)).map_err(|message| {
            let shown = String::from_utf8_lossy(source);
            format!("{message}: /{shown}/")
        })
    }

    /// An expression in parentheses, or `(i, j) in array`.
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
            self.regex(symbol.len())?;
            if let Token::Regex(source) = self.advance()? {
                self.pattern(&source)?;
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

    /// A variable, or an element of an array, of whatever depth; the name of a function is refused.
    pub(super) fn variable(&mut self, name: &[u8]) -> Outcome<Expression> {
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

    /// `[a, b]`; at least one.
    fn subscripts(&mut self) -> Outcome<Vec<Expression>> {
        self.require("[")?;
        let subscripts = self.free(|parser| parser.list("]"))?;
        if subscripts.is_empty() {
            return Err(self.unexpected());
        }
        self.require("]")?;
        Ok(subscripts)
    }

    /// A call of a function of the program.
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

    /// A call of a function of awk's; only `length` may do without parentheses.
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
        if builtin == Builtin::Index && matches!(arguments[1], Expression::Regex(_)) {
            let message = "index: regexp constant as second argument is not allowed";
            return Err(format!("fatal: {message}"));
        }
        Ok(Expression::Builtin(builtin, arguments))
    }

    /// `getline [variable] [< file]`, after the keyword.
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
    pub(super) fn outside(&self) -> Outcome<()> {
        if self.sandbox {
            return Err("fatal: redirection not allowed in sandbox mode".to_owned());
        }
        Ok(())
    }

    /// An operand that stops before operators, for the file of `getline <`.
    fn postfix_only(&mut self) -> Outcome<Expression> {
        self.nested(Self::primary)
    }

    /// What `getline` reads into, if it is named.
    fn optional_variable(&mut self) -> Outcome<Option<Box<Expression>>> {
        match self.token {
            Token::Name(_) | Token::Symbol("$") => Ok(Some(Box::new(self.nested(Self::primary)?))),
            _ => Ok(None),
        }
    }
}

/// An expression without the parentheses around it.
fn bare(mut expression: &Expression) -> &Expression {
    while let Expression::Group(inner) = expression {
        expression = inner;
    }
    expression
}

/// Whether an expression can be assigned to.
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
