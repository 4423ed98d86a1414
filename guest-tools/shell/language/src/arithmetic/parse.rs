//! From text to code, by operator precedence with a stack of its own (the manual's Shell Arithmetic).
//!
//! Operators that wait for their right side lie in `waiting`; one that binds less tight makes those above it emit their
//! instruction. So `1+2*x` becomes `1 2 x * +` on a machine with a stack, and neither the parser nor what runs the code
//! calls itself. `&&`, `||` and `?:` are jumps, assignments are emitted behind their value. It takes O(n).
//!
//! bash reads an expression and evaluates it in one go, so an error late in the text comes after the effects of what
//! stands before it. That is kept: where the text is wrong the code ends in `Op::Fail`, behind the code of all that was
//! read. `Kind` of the last two tokens decides, as in bash, whether `-` is a sign and `++` a step.

use std::cell::OnceCell;
use std::ops::Range;

use super::Symbol;
use super::error::Problem;
use super::expression::{BinaryOp, Expression, Fault, Op, Subscript};
use super::token::{HOLE, Kind, Lexer, LexicalError, Token};
use crate::text::Text;

/// How tight operators bind.
mod level {
    /// What no operator may pass: `(` and `?`.
    pub(super) const BARRIER: u8 = 0;
    /// Assignments; the comma binds less tight, and reduces to this.
    pub(super) const ASSIGN: u8 = 2;
    /// `?:`
    pub(super) const CONDITIONAL: u8 = 3;
    /// `||`
    pub(super) const OR: u8 = 4;
    /// `&&`
    pub(super) const AND: u8 = 5;
    /// `**`, which binds to the right and less tight than signs.
    pub(super) const POWER: u8 = 14;
    /// `!`, `~` and signs.
    pub(super) const UNARY: u8 = 15;
}

/// How tight a binary operator binds.
fn level_of(operator: BinaryOp) -> u8 {
    match operator {
        BinaryOp::BitOr => 6,
        BinaryOp::BitXor => 7,
        BinaryOp::BitAnd => 8,
        BinaryOp::Equal | BinaryOp::NotEqual => 9,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 10,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 11,
        BinaryOp::Add | BinaryOp::Subtract => 12,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 13,
        BinaryOp::Power => level::POWER,
    }
}

/// An operator that waits for its operand.
enum Waiting {
    /// A sign; `+` does nothing.
    Unary(Option<Op>),
    /// An operator, and where its right side begins, for messages.
    Binary(BinaryOp, u32),
    /// The place of the jump over the right side.
    And(usize),
    /// The place of the jump over the right side.
    Or(usize),
    /// `?`; the place of the jump to what stands after `:`.
    Question(usize),
    /// `:`; the place of the jump to the end.
    Colon(usize),
    /// What is assigned to, and the operator of `+=` and its kin.
    Assign(Target, Option<BinaryOp>),
    /// `(`
    Open,
}

impl Waiting {
    /// How tight it binds.
    fn level(&self) -> u8 {
        match self {
            Waiting::Unary(_) => level::UNARY,
            Waiting::Binary(operator, _) => level_of(*operator),
            Waiting::And(_) => level::AND,
            Waiting::Or(_) => level::OR,
            Waiting::Colon(_) => level::CONDITIONAL,
            Waiting::Assign(..) => level::ASSIGN,
            Waiting::Question(_) | Waiting::Open => level::BARRIER,
        }
    }
}

/// A variable or an element.
#[derive(Clone, Copy)]
struct Target {
    /// The variable.
    name: Symbol,
    /// The index of its subscript in the code.
    subscript: Option<u32>,
    /// Where the name is.
    at: u32,
}

/// The parser of one expression.
pub(super) struct Parser<'a> {
    /// Where tokens come from.
    lexer: Lexer<'a>,
    /// Gives a name its number.
    intern: &'a mut dyn FnMut(&[u8]) -> Symbol,
    /// What is made.
    expression: Expression,
    /// Operators that wait, the innermost last.
    waiting: Vec<Waiting>,
    /// The token at hand, its kind (as bash has it) and the kind of the one before.
    token: Token,
    current: Kind,
    last: Kind,
    /// The variable that was read last: what an assignment is made to.
    target: Option<Target>,
    /// How many places for expansions were passed.
    holes: u32,
}

/// A step that a wrong text ends.
type Step<T = ()> = Result<T, LexicalError>;

impl<'a> Parser<'a> {
    /// A parser at the start of a text.
    pub(super) fn new(text: &'a [u8], intern: &'a mut dyn FnMut(&[u8]) -> Symbol) -> Parser<'a> {
        let expression = Expression {
            code: Vec::new(),
            subscripts: Vec::new(),
            faults: Vec::new(),
            text: Text::from(text),
            holes: Vec::new(),
        };
        Parser {
            lexer: Lexer::new(text),
            intern,
            expression,
            waiting: Vec::new(),
            token: Token::End,
            current: Kind::Start,
            last: Kind::Start,
            target: None,
            holes: 0,
        }
    }

    /// Reads all of it. There is code in any case: that of a wrong text fails where it is run.
    pub(super) fn parse(mut self) -> Expression {
        if let Err(error) = self.whole() {
            let fault = Fault {
                problem: error.problem,
                token: self.lexer.start,
                end: error.end,
            };
            // Parts that are skipped may not be wrong either.
            for waiting in std::mem::take(&mut self.waiting) {
                if let Waiting::And(at)
                | Waiting::Or(at)
                | Waiting::Question(at)
                | Waiting::Colon(at) = waiting
                {
                    self.patch(at);
                }
            }
            self.emit(Op::Fail(self.expression.faults.len() as u32));
            self.expression.faults.push(fault);
        }
        self.expression
    }

    /// Reads the expression; an empty one is 0.
    fn whole(&mut self) -> Step {
        self.advance()?;
        if self.token == Token::End {
            self.emit(Op::Number(0));
            return Ok(());
        }
        loop {
            self.operand()?;
            if !self.operator()? {
                return Ok(());
            }
        }
    }

    /// Takes the next token.
    fn advance(&mut self) -> Step {
        self.token = self.lexer.next(self.current, self.last)?;
        self.last = self.current;
        self.current = self.token.kind();
        Ok(())
    }

    /// A problem at the token at hand.
    fn error<T>(&self, problem: Problem) -> Step<T> {
        Err(LexicalError {
            problem,
            end: self.lexer.text.len(),
        })
    }

    /// Adds an instruction; its place.
    fn emit(&mut self, op: Op) -> usize {
        self.expression.code.push(op);
        self.expression.code.len() - 1
    }

    /// Makes the jump at `at` go to what comes next.
    fn patch(&mut self, at: usize) {
        let next = self.expression.code.len() as u32;
        match &mut self.expression.code[at] {
            Op::And(to) | Op::Or(to) | Op::JumpIfZero(to) | Op::Jump(to) => *to = next,
            _ => {}
        }
    }

    /// Reads an operand with the signs before it, up to the token after it.
    fn operand(&mut self) -> Step {
        loop {
            match std::mem::replace(&mut self.token, Token::End) {
                Token::Not => self.waiting.push(Waiting::Unary(Some(Op::Not))),
                Token::Complement => self.waiting.push(Waiting::Unary(Some(Op::Complement))),
                Token::Binary(BinaryOp::Subtract) => {
                    self.waiting.push(Waiting::Unary(Some(Op::Negate)))
                }
                Token::Binary(BinaryOp::Add) => self.waiting.push(Waiting::Unary(None)),
                Token::Open => self.waiting.push(Waiting::Open),
                Token::Before { up } => {
                    self.advance()?;
                    return self.step_before(up);
                }
                Token::Number(value) => {
                    self.emit(Op::Number(value));
                    return self.advance();
                }
                Token::Hole => {
                    self.emit(Op::Hole(self.holes));
                    self.holes += 1;
                    return self.advance();
                }
                Token::Variable { name, subscript } => return self.variable(name, subscript),
                _ => return self.error(Problem::OperandExpected),
            }
            self.advance()?;
        }
    }

    /// Notes a variable or an element, with the holes in its subscript.
    fn resolve(&mut self, name: Range<usize>, subscript: Option<Range<usize>>) -> Target {
        let text = self.lexer.text;
        let at = name.start as u32;
        let name = (self.intern)(&text[name]);
        let subscript = subscript.map(|range| {
            let first_hole = self.holes as usize;
            let text = &text[range];
            self.holes += text.iter().filter(|&&byte| byte == HOLE).count() as u32;
            let subscripts = &mut self.expression.subscripts;
            subscripts.push(Subscript {
                text: Text::from(text),
                first_hole,
                expression: OnceCell::new(),
            });
            subscripts.len() as u32 - 1
        });
        Target {
            name,
            subscript,
            at,
        }
    }

    /// Reads what follows a variable: `++`, `--`, an assignment, or nothing, where its value is loaded.
    fn variable(&mut self, name: Range<usize>, subscript: Option<Range<usize>>) -> Step {
        let target = self.resolve(name, subscript);
        self.target = Some(target);
        if self.lexer.before_assignment() {
            // The value is not needed, and may not be there. An operator takes it for 0 before the
            // assignment to its result is refused.
            if let Some(Waiting::Binary(..)) = self.waiting.last() {
                self.emit(Op::Number(0));
            }
            return self.advance();
        }
        self.advance()?;
        match self.token {
            Token::After { up } => {
                self.load(target, true);
                self.step(target, up, true);
                self.current = Kind::Value;
                self.advance()
            }
            Token::AssignWith(_) => {
                self.load(target, true);
                Ok(())
            }
            _ => {
                self.look_behind(self.token.clone())?;
                self.load(target, false);
                Ok(())
            }
        }
    }

    /// `++x` and `--x`, past the operator.
    fn step_before(&mut self, up: bool) -> Step {
        let Token::Variable { name, subscript } = self.token.clone() else {
            return self.error(Problem::OperandExpected);
        };
        let target = self.resolve(name, subscript);
        self.load(target, true);
        self.step(target, up, false);
        self.current = Kind::Value;
        self.advance()
    }

    /// Loads a value; `keep` leaves the place of an element for a store that follows.
    fn load(&mut self, target: Target, keep: bool) {
        let Target { name, at, .. } = target;
        if self.element(target, true) {
            self.emit(Op::LoadElement { name, keep, at });
        } else {
            self.emit(Op::Load(name, at));
        }
    }

    /// Changes a variable by 1; `post` gives the value before.
    fn step(&mut self, target: Target, up: bool, post: bool) {
        let name = target.name;
        self.emit(match target.subscript {
            Some(_) => Op::StepElement { name, up, post },
            None => Op::Step { name, up, post },
        });
    }

    /// Finds the element, to read it or to set it; says whether there is one to find.
    fn element(&mut self, target: Target, read: bool) -> bool {
        let Some(subscript) = target.subscript else {
            return false;
        };
        self.emit(Op::Subscript {
            name: target.name,
            subscript,
            at: target.at,
            read,
        });
        self.emit(Op::TakeIndex);
        true
    }

    /// Reads what follows an operand; false at the end of the expression.
    fn operator(&mut self) -> Step<bool> {
        loop {
            match std::mem::replace(&mut self.token, Token::End) {
                Token::Binary(operator) => {
                    let level = level_of(operator);
                    self.reduce(level + u8::from(operator == BinaryOp::Power));
                    self.advance()?;
                    self.waiting
                        .push(Waiting::Binary(operator, self.lexer.start as u32));
                }
                Token::And => {
                    self.reduce(level::AND);
                    let jump = self.emit(Op::And(0));
                    self.waiting.push(Waiting::And(jump));
                    self.advance()?;
                }
                Token::Or => {
                    self.reduce(level::OR);
                    let jump = self.emit(Op::Or(0));
                    self.waiting.push(Waiting::Or(jump));
                    self.advance()?;
                }
                Token::Question => self.question()?,
                Token::Colon => self.colon()?,
                Token::Assign => self.assign(None)?,
                Token::AssignWith(operator) => self.assign(Some(operator))?,
                Token::Comma => {
                    self.reduce(level::ASSIGN);
                    self.emit(Op::Pop);
                    self.advance()?;
                }
                Token::Close => {
                    self.reduce(level::ASSIGN);
                    self.barrier(|waiting| matches!(waiting, Waiting::Open))?;
                    self.advance()?;
                    continue;
                }
                other => {
                    self.read_behind(&other)?;
                    self.reduce(level::ASSIGN);
                    if self.waiting.is_empty() && other == Token::End {
                        return Ok(false);
                    }
                    self.token = other;
                    self.barrier(|_| false)?;
                }
            }
            return Ok(true);
        }
    }

    /// Behind a variable bash looks for an assignment before it evaluates the variable or complains
    /// of it.
    fn look_behind(&mut self, token: Token) -> Step {
        let (start, at) = (self.lexer.start, self.lexer.at);
        let mut ahead = token;
        while matches!(ahead, Token::Variable { .. }) && !self.lexer.before_assignment() {
            ahead = self.lexer.next(Kind::Variable, Kind::Variable)?;
        }
        (self.lexer.start, self.lexer.at) = (start, at);
        Ok(())
    }

    /// A variable where nothing can stand is evaluated all the same, as it is read.
    fn read_behind(&mut self, token: &Token) -> Step {
        self.look_behind(token.clone())?;
        if let Token::Variable { name, subscript } = token
            && !self.lexer.before_assignment()
        {
            let target = self.resolve(name.clone(), subscript.clone());
            self.load(target, false);
            self.emit(Op::Pop);
        }
        Ok(())
    }

    /// `?`: its right side is skipped where the condition is 0.
    fn question(&mut self) -> Step {
        self.reduce(level::OR);
        let jump = self.emit(Op::JumpIfZero(0));
        self.waiting.push(Waiting::Question(jump));
        self.advance()?;
        if matches!(self.token, Token::End | Token::Colon) {
            return self.error(Problem::ExpressionExpected);
        }
        Ok(())
    }

    /// `:` of `?:`, which closes what stands between the two.
    fn colon(&mut self) -> Step {
        self.reduce(level::ASSIGN);
        let Waiting::Question(jump) =
            self.barrier(|waiting| matches!(waiting, Waiting::Question(_)))?
        else {
            return self.error(Problem::Trailing);
        };
        let end = self.emit(Op::Jump(0));
        self.patch(jump);
        self.waiting.push(Waiting::Colon(end));
        self.advance()?;
        if self.token == Token::End {
            return self.error(Problem::ExpressionExpected);
        }
        Ok(())
    }

    /// An assignment operator: what stands before it has to be a variable.
    fn assign(&mut self, operator: Option<BinaryOp>) -> Step {
        self.reduce(level::CONDITIONAL);
        let Some(target) = self.target.take().filter(|_| self.last == Kind::Variable) else {
            return self.error(Problem::NotAssignable);
        };
        self.waiting.push(Waiting::Assign(target, operator));
        self.advance()
    }

    /// Takes off the `(` or `?` that the expression is in; it must be the wanted one.
    fn barrier(&mut self, wanted: fn(&Waiting) -> bool) -> Step<Waiting> {
        match self.waiting.pop() {
            Some(waiting) if wanted(&waiting) => Ok(waiting),
            None => self.error(Problem::Trailing),
            Some(waiting) => {
                let problem = match waiting {
                    Waiting::Question(_) => Problem::MissingColon,
                    _ => Problem::MissingParenthesis,
                };
                self.waiting.push(waiting);
                self.error(problem)
            }
        }
    }

    /// Emits the operators that bind at least as tight as `level`.
    fn reduce(&mut self, level: u8) {
        while let Some(waiting) = self.waiting.pop_if(|waiting| waiting.level() >= level) {
            match waiting {
                Waiting::Unary(op) => {
                    op.map(|op| self.emit(op));
                }
                Waiting::Binary(operator, at) => {
                    // bash notices a negative exponent one token later than a division by 0.
                    let at = if operator == BinaryOp::Power {
                        self.lexer.start as u32
                    } else {
                        at
                    };
                    self.emit(Op::Binary(operator, at));
                }
                Waiting::And(jump) | Waiting::Or(jump) => {
                    self.emit(Op::Truth);
                    self.patch(jump);
                }
                Waiting::Colon(jump) => self.patch(jump),
                Waiting::Assign(target, operator) => self.store(target, operator),
                Waiting::Question(_) | Waiting::Open => {}
            }
            // The result is a value, and no variable to assign to.
            self.last = Kind::Value;
        }
    }

    /// Emits the assignment behind its value.
    fn store(&mut self, target: Target, operator: Option<BinaryOp>) {
        if let Some(operator) = operator {
            self.emit(Op::Binary(operator, self.lexer.start as u32));
        } else {
            self.element(target, false);
        }
        self.emit(match target.subscript {
            Some(_) => Op::StoreElement(target.name),
            None => Op::Store(target.name),
        });
    }
}
