//! `dc`, as the one of GNU bc 1.07.1: the calculator in reverse Polish notation, on the decimal numbers of any length
//! that `bc` has (`offshoot_calc::Number`).
//!
//! A program is a sequence of one-byte commands on a stack of numbers and strings. `Machine::execute` reads byte after
//! byte, so each command costs a dispatch plus its arithmetic. Macros run on a stack of their own (`Machine::calls`):
//! how deep they call each other is a matter of memory and not of the program's stack, and a macro whose last command
//! calls another one (`[... lax]sa`) gives its entry up, so such loops run in constant space.
//!
//! ```text
//! dc -e '2 3 + p'                        5
//! dc -e '2k 1 3 / p'                     .33
//! dc -e '16i FF p'                       255
//! dc -e '[lip1-dsi0<a]sa 3si lax'        counts 3, 2, 1
//! ```
//!
//! `-e` and `-f` run in the order in which they are given, then the operands, then standard input where there was
//! neither. A command that fails prints `dc: MESSAGE` and the program goes on with the next byte; the exit status is 0
//! all the same, and 1 only where a file cannot be read or standard output fails. `!COMMAND` is refused, since the
//! family starts no shell for it; `!<`, `!>` and `!=` are comparisons.

use std::collections::HashMap;
use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value as Takes};
use crate::output::Output;
use crate::system;
use offshoot_calc::Number;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: dc [OPTION] [file ...]\n  -e, --expression=EXPR    evaluate expression\n  -f, --file=FILE          evaluate contents of file\n  -h, --help               display this help and exit\n  -V, --version            output version information and exit\n",
    options: &[
        Opt("e", "expression", Takes::Required),
        Opt("f", "file", Takes::Required),
        Opt("h", "", Takes::No),
        Opt("V", "", Takes::No),
    ],
    permute: true,
    status: 1,
};

/// How many macros may wait for others. What nests deeper, such as `[lax1]sa lax`, is ended with a message.
const MAX_CALLS: usize = 100_000;
/// The largest scale that `k` sets, and the bound of the exponents that `^` raises to: beyond it one operation takes
/// hours.
const MAX_SCALE: i64 = 100_000;

/// What the stack and the registers hold.
#[derive(Clone, Debug)]
enum Value {
    /// A number, with the scale that its computation gave it.
    Number(Number),
    /// A string, which is a macro where `x`, `<r`, `>r` or `=r` run it.
    Text(Vec<u8>),
}

/// A register, named by one byte.
#[derive(Default)]
struct Register {
    /// The stack of `S` and `L`. `s` replaces its top, `l` copies it; an empty one reads as 0 by `l` and is an error
    /// for `L`.
    values: Vec<Value>,
    /// The array of `:` and `;`. Elements that were never stored are 0.
    array: HashMap<i64, Value>,
}

/// The state of a program; it lasts from one `-e` or file to the next.
struct Machine {
    /// The main stack, the top last.
    stack: Vec<Value>,
    registers: HashMap<u8, Register>,
    /// The macros that run, the innermost last: text and place.
    calls: Vec<(Vec<u8>, usize)>,
    /// The base of numbers that are read, 2 to 16.
    input: u32,
    /// The base of numbers that are printed, from 2.
    output: u32,
    /// How many digits after the point `/`, `*`, `^` and `v` keep.
    scale: u32,
    out: Output,
    /// The line buffer of `?`.
    stdin: Vec<u8>,
    /// Set where `q` or `Q` leaves the outermost level: what is left of `-e`, files and operands does not run.
    quit: bool,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.has("h") {
        print!("{}", SYNTAX.usage);
        return 0;
    }
    if parsed.has("V") {
        print!("{}", crate::model::version("dc"));
        return 0;
    }
    let mut machine = Machine::new();
    let mut status = 0;
    let file = |machine: &mut Machine, path: &[u8]| match system::read_whole(path) {
        Ok(text) => {
            machine.execute(text);
            0
        }
        Err(_) => {
            machine.out.flush();
            call.fail(1, bytes!("Could not open file ", path))
        }
    };
    for (key, value) in &parsed.options {
        if machine.quit {
            break;
        }
        match *key {
            "e" => machine.execute(value.clone()),
            _ => status = file(&mut machine, value).max(status),
        }
    }
    for path in &parsed.operands {
        if !machine.quit {
            status = file(&mut machine, path).max(status);
        }
    }
    if parsed.options.is_empty() && parsed.operands.is_empty() {
        let mut text = Vec::new();
        if std::io::stdin().lock().read_to_end(&mut text).is_ok() {
            machine.execute(text);
        }
    }
    machine.out.finish("dc", status, 1)
}

impl Machine {
    fn new() -> Machine {
        Machine {
            stack: Vec::new(),
            registers: HashMap::new(),
            calls: Vec::new(),
            input: 10,
            output: 10,
            scale: 0,
            out: Output::new(),
            stdin: Vec::new(),
            quit: false,
        }
    }

    /// Prints `dc: MESSAGE` on standard error, behind what was printed before.
    fn complain(&mut self, message: &str) {
        self.out.flush();
        crate::call::complain("dc", message);
    }

    /// The next byte of the innermost macro. The place moves past the end as well, so a `None` is not seen twice.
    fn next(&mut self) -> Option<u8> {
        let (text, at) = self.calls.last_mut()?;
        let byte = text.get(*at).copied();
        *at += 1;
        byte
    }

    /// The byte that `next` would give. `None` means that the command in progress is the last one of its macro.
    fn peek(&self) -> Option<u8> {
        let (text, at) = self.calls.last()?;
        text.get(*at).copied()
    }

    /// Runs a text to its end.
    fn execute(&mut self, text: Vec<u8>) {
        self.calls.push((text, 0));
        while !self.calls.is_empty() && !self.out.is_broken() {
            match self.next() {
                None => {
                    self.calls.pop();
                }
                Some(byte) => self.command(byte),
            }
        }
    }

    /// Runs a string as a macro; a number goes back to the stack, as `x` has it. A macro whose last command this is
    /// loses its entry first (a tail call).
    fn call(&mut self, value: Value) {
        match value {
            Value::Text(text) => {
                if self.peek().is_none() && self.calls.len() > 1 {
                    self.calls.pop();
                }
                if self.calls.len() >= MAX_CALLS {
                    self.complain("macros are nested too deep");
                    self.calls.clear();
                    return;
                }
                self.calls.push((text, 0));
            }
            number => self.stack.push(number),
        }
    }

    /// Runs one command. Letters that name a register or an array, and the second byte of `!<`, are taken from the
    /// text.
    fn command(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'0'..=b'9' | b'A'..=b'F' | b'.' | b'_' => self.number(byte),
            b'[' => self.string(),
            b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'~' => self.arithmetic(byte),
            b'|' => self.modular_power(),
            b'v' => self.square_root(),
            b'p' | b'n' | b'P' | b'f' => self.print(byte),
            b'c' => self.stack.clear(),
            b'd' => match self.stack.last().cloned() {
                Some(top) => self.stack.push(top),
                None => self.complain("stack empty"),
            },
            b'r' => match self.stack.len() {
                0 | 1 => self.complain("stack empty"),
                length => self.stack.swap(length - 1, length - 2),
            },
            b'R' => self.rotate(),
            b's' | b'S' | b'l' | b'L' | b':' | b';' => self.register(byte),
            b'i' | b'o' | b'k' => self.parameter(byte),
            b'I' => self.push(i64::from(self.input)),
            b'O' => self.push(i64::from(self.output)),
            b'K' => self.push(i64::from(self.scale)),
            b'x' => {
                if let Some(value) = self.pop() {
                    self.call(value);
                }
            }
            b'<' | b'>' | b'=' => self.compare(byte, false),
            b'!' => match self.peek() {
                Some(next @ (b'<' | b'>' | b'=')) => {
                    self.next();
                    self.compare(next, true);
                }
                _ => {
                    while self.next().is_some_and(|byte| byte != b'\n') {}
                    self.complain("`!' is not supported: there is no shell to call");
                }
            },
            b'?' => self.read_line(),
            b'q' => self.leave(2),
            b'Q' => {
                if let Some(count) = self.pop_number().and_then(|number| number.to_i64()) {
                    if count < 1 {
                        self.complain("Q command requires a number >= 1");
                    } else {
                        self.leave(usize::try_from(count).unwrap_or(usize::MAX));
                    }
                }
            }
            b'a' => self.make_character(),
            b'Z' | b'X' | b'z' => self.measure(byte),
            b'#' => while self.next().is_some_and(|byte| byte != b'\n') {},
            other => {
                let message = if other.is_ascii_graphic() {
                    format!("'{}' ({other:#05o}) unimplemented", char::from(other))
                        .replace("0o", "0")
                } else {
                    format!("{other:#05o} unimplemented").replace("0o", "0")
                };
                self.complain(&message);
            }
        }
    }

    /// Ends this many levels of macros, of which the text of an `-e` or a file is the outermost: `q` leaves 2.
    fn leave(&mut self, levels: usize) {
        if levels >= self.calls.len() {
            self.calls.clear();
            self.quit = true;
        } else {
            self.calls.truncate(self.calls.len() - levels);
        }
    }

    /// Pushes a whole number.
    fn push(&mut self, value: i64) {
        self.stack.push(Value::Number(Number::from(value)));
    }

    /// The top of the stack; `None` after the message where there is none.
    fn pop(&mut self) -> Option<Value> {
        let value = self.stack.pop();
        if value.is_none() {
            self.complain("stack empty");
        }
        value
    }

    /// The top of the stack where it is a number. A string stays where it is, and the message is printed.
    fn pop_number(&mut self) -> Option<Number> {
        match self.pop()? {
            Value::Number(number) => Some(number),
            text => {
                self.stack.push(text);
                self.complain("non-numeric value");
                None
            }
        }
    }

    /// The two numbers on top, the lower one first. Where there are not two, or one is a string, both stay.
    fn two(&mut self) -> Option<(Number, Number)> {
        if self.stack.len() < 2 {
            self.complain("stack empty");
            return None;
        }
        let tail = &self.stack[self.stack.len() - 2..];
        let [Value::Number(a), Value::Number(b)] = tail else {
            self.complain("non-numeric value");
            return None;
        };
        let pair = (a.clone(), b.clone());
        self.stack.truncate(self.stack.len() - 2);
        Some(pair)
    }

    /// Pushes the number that begins with a byte: digits 0 to 9 and A to F, one point, and `_` as the sign.
    ///
    /// Every digit counts with its own value whatever the input base is, as in GNU dc: `10i AF p` prints 115. A
    /// fraction is divided by a power of the base and cut to as many decimal digits as it has digits.
    fn number(&mut self, first: u8) {
        let negative = first == b'_';
        let mut text = String::new();
        if !negative {
            text.push(char::from(first));
        }
        while let Some(byte @ (b'0'..=b'9' | b'A'..=b'F' | b'.')) = self.peek() {
            if byte == b'.' && text.contains('.') {
                break;
            }
            text.push(char::from(byte));
            self.next();
        }
        let base = Number::from(i64::from(self.input));
        let digit = |c: char| Number::from(i64::from(c.to_digit(16).unwrap_or(0)));
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let mut number = Number::from(0);
        for c in whole.chars() {
            number = number.multiply(&base, 0).add(&digit(c));
        }
        if !fraction.is_empty() {
            let scale = fraction.len() as u32;
            let mut part = Number::from(0);
            let mut unit = Number::from(1);
            for c in fraction.chars() {
                part = part.multiply(&base, 0).add(&digit(c));
                unit = unit.multiply(&base, 0);
            }
            if let Some(part) = part.divide(&unit, scale) {
                number = number.add(&part);
            }
        }
        if negative {
            number = number.negate();
        }
        self.stack.push(Value::Number(number));
    }

    /// Pushes the string up to the `]` that matches. Brackets nest, and there is no escape; an unclosed one ends with
    /// the text.
    fn string(&mut self) {
        let mut depth = 1;
        let mut text = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            text.push(byte);
        }
        self.stack.push(Value::Text(text));
    }

    /// The operators with two operands: they replace both by the result, and `~` by quotient and remainder.
    ///
    /// Where the operation fails (a divisor of zero, an exponent that is too large) both operands stay on the stack. A
    /// fraction in an exponent is warned of and cut off.
    fn arithmetic(&mut self, operator: u8) {
        let Some((a, b)) = self.two() else { return };
        let scale = self.scale;
        if operator == b'^' && b.scale() > 0 {
            self.out.flush();
            eprintln!("Runtime warning: non-zero scale in exponent");
        }
        let result = match operator {
            b'+' => Some(a.add(&b)),
            b'-' => Some(a.subtract(&b)),
            b'*' => Some(a.multiply(&b, scale)),
            b'/' => a.divide(&b, scale),
            b'%' => a.remainder(&b, scale),
            b'~' => a
                .divide(&b, scale)
                .zip(a.remainder(&b, scale))
                .map(|(quotient, rest)| {
                    self.stack.push(Value::Number(quotient));
                    rest
                }),
            _ => match b.to_i64().filter(|exponent| exponent.abs() < MAX_SCALE) {
                Some(exponent) => a.power(exponent, scale),
                None => {
                    self.complain("exponent too large");
                    self.stack.extend([Value::Number(a), Value::Number(b)]);
                    return;
                }
            },
        };
        match result {
            Some(number) => self.stack.push(Value::Number(number)),
            None => {
                let message = if operator == b'%' || operator == b'~' {
                    "remainder by zero"
                } else {
                    "divide by zero"
                };
                self.complain(message);
                self.stack.extend([Value::Number(a), Value::Number(b)]);
            }
        }
    }

    /// `|`: base, exponent and modulus (the top) become base ^ exponent mod modulus.
    fn modular_power(&mut self) {
        let Some(modulus) = self.pop_number() else {
            return;
        };
        let Some((base, exponent)) = self.two() else {
            self.stack.push(Value::Number(modulus));
            return;
        };
        let Some(result) = base.modular_power(&exponent, &modulus) else {
            self.complain(if modulus.is_zero() {
                "remainder by zero"
            } else {
                "negative exponent"
            });
            return;
        };
        self.stack.push(Value::Number(result));
    }

    /// `v`: the square root with `scale` digits; a negative number stays.
    fn square_root(&mut self) {
        let Some(number) = self.pop_number() else {
            return;
        };
        match number.square_root(self.scale) {
            Some(root) => self.stack.push(Value::Number(root)),
            None => {
                self.complain("square root of negative number");
                self.stack.push(Value::Number(number));
            }
        }
    }

    /// A value as `p`, `n` and `f` print it. Numbers longer than 69 characters go on in a new line after a backslash.
    fn shown(&self, value: &Value) -> Vec<u8> {
        const WIDTH: usize = 69;
        match value {
            Value::Text(text) => text.clone(),
            Value::Number(number) => {
                let text = number.text(self.output).into_bytes();
                if text.len() <= WIDTH {
                    return text;
                }
                text.chunks(WIDTH)
                    .collect::<Vec<_>>()
                    .join(b"\\\n".as_slice())
            }
        }
    }

    /// The printing commands: `p` prints the top with a newline, `n` pops it without one, `P` pops it and writes a
    /// number as the bytes of its base-256 digits, `f` prints the whole stack, the top first.
    fn print(&mut self, how: u8) {
        if how == b'f' {
            for place in (0..self.stack.len()).rev() {
                let shown = self.shown(&self.stack[place].clone());
                self.out.line(shown);
            }
            return;
        }
        let Some(value) = self.stack.last().cloned() else {
            self.complain("stack empty");
            return;
        };
        if how == b'p' {
            let shown = self.shown(&value);
            return self.out.line(shown);
        }
        self.stack.pop();
        match value {
            Value::Number(number) if how == b'P' => self.out.put(number.bytes()),
            other => {
                let shown = self.shown(&other);
                self.out.put(shown);
            }
        }
    }

    /// `R`: rotates the N topmost entries, so that with a positive N the N-th from the top comes to the top; with a
    /// negative one the top goes below the others. An N beyond the depth is the whole stack.
    fn rotate(&mut self) {
        let Some(count) = self.pop_number().and_then(|number| number.to_i64()) else {
            return;
        };
        let size = usize::try_from(count.unsigned_abs())
            .unwrap_or(usize::MAX)
            .min(self.stack.len());
        if size < 2 {
            return;
        }
        let start = self.stack.len() - size;
        if count > 0 {
            self.stack[start..].rotate_left(1);
        } else {
            self.stack[start..].rotate_right(1);
        }
    }

    /// The commands whose next byte names a register: `s`, `S`, `l`, `L`, and `:` and `;` for its array.
    fn register(&mut self, command: u8) {
        let Some(name) = self.next() else {
            return self.complain("stack empty");
        };
        match command {
            b's' => {
                if let Some(value) = self.pop() {
                    let values = &mut self.registers.entry(name).or_default().values;
                    values.pop();
                    values.push(value);
                }
            }
            b'S' => {
                if let Some(value) = self.pop() {
                    self.registers.entry(name).or_default().values.push(value);
                }
            }
            b'l' => {
                let top = self
                    .registers
                    .get(&name)
                    .and_then(|register| register.values.last());
                match top.cloned() {
                    Some(value) => self.stack.push(value),
                    None => self.push(0),
                }
            }
            b'L' => match self
                .registers
                .get_mut(&name)
                .and_then(|register| register.values.pop())
            {
                Some(value) => self.stack.push(value),
                None => {
                    let message = format!(
                        "stack register '{}' ({name:#05o}) is empty",
                        char::from(name)
                    );
                    self.complain(&message.replace("0o", "0"));
                }
            },
            b':' => {
                let Some(index) = self.index() else { return };
                if let Some(value) = self.pop() {
                    self.registers
                        .entry(name)
                        .or_default()
                        .array
                        .insert(index, value);
                }
            }
            _ => {
                let Some(index) = self.index() else { return };
                let found = self
                    .registers
                    .get(&name)
                    .and_then(|register| register.array.get(&index));
                match found.cloned() {
                    Some(value) => self.stack.push(value),
                    None => self.push(0),
                }
            }
        }
    }

    /// The array index on the stack: a whole number of at least 0.
    fn index(&mut self) -> Option<i64> {
        let index = self.pop_number()?.to_i64().filter(|index| *index >= 0);
        if index.is_none() {
            self.complain("array index must be a nonnegative integer");
        }
        index
    }

    /// `i`, `o` and `k`. A value out of range leaves the parameter as it was.
    fn parameter(&mut self, which: u8) {
        let Some(number) = self.pop_number() else {
            return;
        };
        let value = number.to_i64();
        match which {
            b'i' => match value.and_then(|value| u32::try_from(value).ok()) {
                Some(base @ 2..=16) => self.input = base,
                _ => self.complain("input base must be a number between 2 and 16 (inclusive)"),
            },
            b'o' => match value.and_then(|value| u32::try_from(value).ok()) {
                Some(base @ 2..=1_000_000) => self.output = base,
                _ => self.complain("output base must be a number greater than 1"),
            },
            _ => match value {
                Some(scale @ 0..=MAX_SCALE) => self.scale = scale as u32,
                _ => self.complain("scale must be a nonnegative number"),
            },
        }
    }

    /// `<r`, `>r`, `=r`, and with `not` their negations: pops two numbers and runs the macro in the register where the
    /// *top* compares so with the one below it. So `1 2 >a` runs `a`.
    fn compare(&mut self, operator: u8, not: bool) {
        let Some(name) = self.next() else {
            return self.complain("stack empty");
        };
        let Some((below, top)) = self.two() else {
            return;
        };
        let order = top.compare(&below);
        let holds = match operator {
            b'<' => order.is_lt(),
            b'>' => order.is_gt(),
            _ => order.is_eq(),
        };
        if holds != not {
            let value = self
                .registers
                .get(&name)
                .and_then(|register| register.values.last())
                .cloned();
            match value {
                Some(value) => self.call(value),
                None => {
                    let message = format!("register '{}' ({name:#05o}) is empty", char::from(name));
                    self.complain(&message.replace("0o", "0"));
                }
            }
        }
    }

    /// `?`: runs the next line of standard input as a macro. Bytes are read one by one, so that what follows stays
    /// unread.
    fn read_line(&mut self) {
        self.out.flush();
        let mut byte = [0];
        let mut line = std::mem::take(&mut self.stdin);
        line.clear();
        let mut input = std::io::stdin().lock();
        while matches!(input.read(&mut byte), Ok(1)) && byte[0] != b'\n' {
            line.push(byte[0]);
        }
        self.calls.push((line, 0));
    }

    /// `a`: a number becomes the string of its lowest byte, a string becomes its first byte.
    fn make_character(&mut self) {
        let byte = match self.pop() {
            None => return,
            Some(Value::Number(number)) => number.to_i64().map_or(0, |value| (value & 0xff) as u8),
            Some(Value::Text(text)) => match text.first() {
                Some(&first) => first,
                None => return self.stack.push(Value::Text(Vec::new())),
            },
        };
        self.stack.push(Value::Text(vec![byte]));
    }

    /// `z` pushes the depth of the stack; `Z` the number of digits or bytes of the top; `X` the scale of the top, 0 for
    /// strings.
    fn measure(&mut self, what: u8) {
        if what == b'z' {
            let depth = self.stack.len() as i64;
            return self.push(depth);
        }
        let size = match self.pop() {
            None => return,
            Some(Value::Text(text)) if what == b'Z' => text.len() as i64,
            Some(Value::Text(_)) => 0,
            Some(Value::Number(number)) if what == b'Z' => number.length() as i64,
            Some(Value::Number(number)) => i64::from(number.scale()),
        };
        self.push(size);
    }
}
