//! Rules, blocks and statements. A `Statement::Line` before each statement keeps the place for messages while the
//! program runs.

use super::*;
use crate::awk::format::number as number_text;

impl Parser {
    /// A rule: a trigger, a body, or both.
    pub(super) fn rule(&mut self) -> Outcome<Rule> {
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
            self.rule = trigger.name();
            let body = Some(self.block()?);
            self.rule = None;
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

    /// Statements in braces.
    pub(super) fn block(&mut self) -> Outcome<Vec<Statement>> {
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

    /// Any statement with what ends it.
    fn statement(&mut self) -> Outcome<Statement> {
        self.nested(Self::statement_inner)
    }

    /// The same, within the limit on nesting.
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

    /// An expression in parentheses.
    fn condition(&mut self) -> Outcome<Expression> {
        self.require("(")?;
        let condition = self.free(Self::expression)?;
        self.require(")")?;
        Ok(condition)
    }

    /// The statement of a loop or condition, on the same line or the next.
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

    /// A body that `break` and `continue` may be in.
    fn loop_body(&mut self) -> Outcome<Box<Statement>> {
        self.loops += 1;
        let body = self.body();
        self.loops -= 1;
        body
    }

    /// `if`, with an `else` that may follow on another line.
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

    /// `for` in either form.
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

    /// `NAME in NAME )`, after the parenthesis of a `for`; otherwise nothing is read and none is given.
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

    /// `switch`, whose labels must differ. `break` leaves it.
    fn switch(&mut self) -> Outcome<Statement> {
        self.advance()?;
        let subject = self.condition()?;
        self.newlines()?;
        self.require("{")?;
        self.loops += 1;
        let mut cases: Vec<(Option<Expression>, Vec<Statement>)> = Vec::new();
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
            let known = label.as_ref().and_then(label_text);
            let mut others = cases.iter().filter_map(|(other, _)| other.as_ref());
            if let Some(text) = known
                && others.any(|other| label_text(other).as_ref() == Some(&text))
            {
                let text = String::from_utf8_lossy(&text);
                return Err(format!("duplicate case values in switch body: {text}"));
            }
            if label.is_none() && cases.iter().any(|(other, _)| other.is_none()) {
                return Err("duplicate `default' detected in switch body".to_owned());
            }
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

    /// Whether a statement ends here.
    pub(super) fn ends(&self) -> bool {
        matches!(
            self.token,
            Token::Newline | Token::End | Token::Symbol(";" | "}")
        )
    }

    /// A statement without a body.
    fn simple(&mut self) -> Outcome<Statement> {
        let Token::Keyword(keyword) = self.token else {
            return Ok(Statement::Expression(self.expression()?));
        };
        match (keyword, self.rule) {
            ("getline", _) => return Ok(Statement::Expression(self.expression()?)),
            ("return", _) if !self.in_function => {
                return Err("`return' used outside function context".to_owned());
            }
            ("nextfile", Some("BEGINFILE")) => {}
            ("next" | "nextfile", Some(rule)) => {
                return Err(format!("`{keyword}' used in {rule} action"));
            }
            _ => {}
        }
        self.advance()?;
        Ok(match keyword {
            "print" => {
                let (arguments, redirect) = self.print()?;
                Statement::Print(arguments, redirect)
            }
            "printf" => {
                let (arguments, redirect) = self.print()?;
                Statement::Printf(arguments, redirect)
            }
            "next" => Statement::Next,
            "nextfile" => Statement::NextFile,
            "break" if self.loops > 0 => Statement::Break,
            "continue" if self.loops > 0 => Statement::Continue,
            "break" => return Err("`break' is not allowed outside a loop or switch".to_owned()),
            "continue" => return Err("`continue' is not allowed outside a loop".to_owned()),
            "exit" => Statement::Exit(if self.ends() {
                None
            } else {
                Some(self.expression()?)
            }),
            "return" => Statement::Return(if self.ends() {
                None
            } else {
                Some(self.expression()?)
            }),
            "delete" => self.delete()?,
            _ => return Err(format!("syntax error at or near {keyword}")),
        })
    }

    /// `delete` of an array or an element, with or without parentheses.
    fn delete(&mut self) -> Outcome<Statement> {
        if self.take("(")? {
            let array = self.array()?;
            self.require(")")?;
            return Ok(Statement::Delete(array));
        }
        Ok(Statement::Delete(self.array()?))
    }

    /// An array, or an element that is or becomes one.
    pub(super) fn array(&mut self) -> Outcome<Expression> {
        match self.advance()? {
            Token::Name(name) => self.variable(&name),
            token => {
                self.token = token;
                Err(self.unexpected())
            }
        }
    }

    /// The arguments and the redirection of `print` and `printf`. In arguments without parentheses `>` is the
    /// redirection.
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

    /// Whether a redirection is at hand.
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
}

/// The text of a constant that is the label of a case.
fn label_text(label: &Expression) -> Option<Vec<u8>> {
    match label {
        Expression::Text(text) => Some(text.to_vec()),
        Expression::Number(number) => Some(number_text(*number, b"%.6g")),
        _ => None,
    }
}
