//! Strings of terminals with their parameters put in, as `tparm` of ncurses does it, and without padding.
//!
//! A string is a program for a stack machine (terminfo(5), "Parameterized Strings"):
//!
//! | code | what it does |
//! |---|---|
//! | `%p1` … `%p9` | pushes a parameter |
//! | `%{12}` `%'c'` | pushes a constant |
//! | `%+ %- %* %/ %m %& %^ %= %< %> %A %O %! %~` | calculates with the topmost values; or is `%\|` |
//! | `%d` `%s` `%c` `%02x` | pops and prints |
//! | `%i` | adds 1 to the first two parameters |
//! | `%Px` `%gx` | sets and pushes a variable |
//! | `%? … %t … %e … %;` | if, then, else |
//!
//! For example `\E[%i%p1%d;%p2%dH` with 4 and 9 gives `\E[5;10H`. A string without `%p` is of the old form: its
//! parameters lie on the stack when it begins. Missing parameters and values are 0, division by zero gives 0.

/// A parameter, or what stands on the stack.
#[derive(Clone, Debug)]
pub enum Item {
    /// A number.
    Number(i64),
    /// A text, which calculations take for 0.
    Text(Vec<u8>),
}

impl Item {
    /// The number, 0 for a text.
    fn number(&self) -> i64 {
        match self {
            Item::Number(number) => *number,
            Item::Text(_) => 0,
        }
    }
}

/// How many parameters a string takes: the highest that it names, or of the old form one for each that it prints.
pub fn arity(text: &[u8]) -> usize {
    let pairs = text.windows(3).filter(|part| part.starts_with(b"%p"));
    let digits = pairs.filter_map(|part| char::from(part[2]).to_digit(10));
    let named = digits.max().unwrap_or(0) as usize;
    if named > 0 { named } else { unnamed(text) }
}

/// How many parameters a string of the old form takes, which does not say which it means.
fn unnamed(text: &[u8]) -> usize {
    let pairs = text
        .windows(2)
        .filter(|part| matches!(part, [b'%', b'd' | b's' | b'x' | b'o']));
    pairs.count()
}

/// Leaves out `$<5>`, which slow terminals want to be a pause.
pub fn without_padding(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let pause = rest.strip_prefix(b"$<").and_then(|inner| {
            let length = inner
                .iter()
                .take_while(|byte| b"0123456789.*/".contains(byte))
                .count();
            inner[length..].strip_prefix(b">")
        });
        rest = pause.unwrap_or_else(|| {
            out.push(byte);
            &rest[1..]
        });
    }
    out
}

/// Puts parameters into a string.
pub fn expand(text: &[u8], parameters: &[Item]) -> Vec<u8> {
    let mut given = parameters.to_vec();
    given.resize(9, Item::Number(0));
    let is_old = !text.windows(2).any(|part| part == b"%p");
    let count = if is_old { unnamed(text) } else { 0 };
    let mut machine = Machine {
        text,
        at: 0,
        stack: given.iter().take(count).cloned().collect(),
        given,
        variables: [0; 128],
        out: Vec::with_capacity(text.len()),
    };
    machine.run();
    machine.out
}

/// The machine while a string is put together.
struct Machine<'a> {
    text: &'a [u8],
    /// The next byte of the text.
    at: usize,
    /// The parameters, at least nine.
    given: Vec<Item>,
    stack: Vec<Item>,
    /// The variables, by the letter of their name.
    variables: [i64; 128],
    out: Vec<u8>,
}

impl Machine<'_> {
    /// Takes the next byte.
    fn byte(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied();
        self.at += 1;
        byte
    }

    /// The topmost number; 0 where there is none.
    fn pop(&mut self) -> i64 {
        self.stack.pop().map_or(0, |item| item.number())
    }

    fn run(&mut self) {
        while let Some(byte) = self.byte() {
            if byte == b'%' {
                self.operator();
            } else {
                self.out.push(byte);
            }
        }
    }

    /// Does what stands behind a `%`.
    fn operator(&mut self) {
        let Some(letter) = self.byte() else {
            return;
        };
        match letter {
            b'%' => self.out.push(b'%'),
            b'c' => {
                let value = self.pop() as u8;
                // A zero would end the string.
                self.out.push(if value == 0 { 0x80 } else { value });
            }
            b'p' => {
                let digit = self.byte().unwrap_or(b'1');
                let index = usize::from(digit.wrapping_sub(b'1'));
                let item = self.given.get(index).cloned().unwrap_or(Item::Number(0));
                self.stack.push(item);
            }
            b'P' => {
                let name = self.byte().unwrap_or(0) & 0x7f;
                self.variables[usize::from(name)] = self.pop();
            }
            b'g' => {
                let name = self.byte().unwrap_or(0) & 0x7f;
                self.push(self.variables[usize::from(name)]);
            }
            b'\'' => {
                let value = self.byte().unwrap_or(0);
                self.at += 1;
                self.push(i64::from(value));
            }
            b'{' => self.constant(),
            b'l' => {
                let length = match self.stack.pop() {
                    Some(Item::Text(text)) => text.len(),
                    _ => 0,
                };
                self.push(length as i64);
            }
            b'i' => {
                let pushed = self.stack.iter_mut().take(2);
                for item in self.given[..2].iter_mut().chain(pushed) {
                    if let Item::Number(number) = item {
                        *number += 1;
                    }
                }
            }
            b'?' | b';' => {}
            b't' => {
                if self.pop() == 0 {
                    self.skip(true);
                }
            }
            b'e' => self.skip(false),
            b'!' => {
                let value = self.pop();
                self.push(i64::from(value == 0));
            }
            b'~' => {
                let value = self.pop();
                self.push(!value);
            }
            b'+' | b'-' | b'*' | b'/' | b'm' | b'&' | b'|' | b'^' | b'=' | b'<' | b'>' | b'A'
            | b'O' => self.calculate(letter),
            _ => self.formatted(letter),
        }
    }

    fn push(&mut self, value: i64) {
        self.stack.push(Item::Number(value));
    }

    /// `{12}`.
    fn constant(&mut self) {
        let mut value = 0_i64;
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        }
        self.push(value);
    }

    /// The operators with two operands, of which the topmost is the right one.
    fn calculate(&mut self, operator: u8) {
        let (y, x) = (self.pop(), self.pop());
        let value = match operator {
            b'+' => x.wrapping_add(y),
            b'-' => x.wrapping_sub(y),
            b'*' => x.wrapping_mul(y),
            b'/' => x.checked_div(y).unwrap_or(0),
            b'm' => x.checked_rem(y).unwrap_or(0),
            b'&' => x & y,
            b'|' => x | y,
            b'^' => x ^ y,
            b'=' => i64::from(x == y),
            b'<' => i64::from(x < y),
            b'>' => i64::from(x > y),
            b'A' => i64::from(x != 0 && y != 0),
            _ => i64::from(x != 0 || y != 0),
        };
        self.push(value);
    }

    /// Goes to the end of the branch, over those within it: behind its `%;`, or with `alternative` behind its `%e`.
    fn skip(&mut self, alternative: bool) {
        let mut depth = 0;
        while let Some(byte) = self.byte() {
            if byte != b'%' {
                continue;
            }
            match self.byte() {
                Some(b'?') => depth += 1,
                Some(b';') if depth == 0 => return,
                Some(b';') => depth -= 1,
                Some(b'e') if depth == 0 && alternative => return,
                _ => {}
            }
        }
    }

    /// `%[:][flags][width[.precision]]` and one of `doxXs`.
    fn formatted(&mut self, first: u8) {
        let mut letter = first;
        let (mut minus, mut zero, mut plus) = (false, false, false);
        while let b':' | b'-' | b'+' | b' ' | b'#' | b'0' = letter {
            minus |= letter == b'-';
            plus |= letter == b'+';
            zero |= letter == b'0';
            letter = self.byte().unwrap_or(b'd');
        }
        let (mut numbers, mut part) = ([0_usize; 2], 0);
        while let b'0'..=b'9' | b'.' = letter {
            if letter == b'.' {
                part = 1;
            } else {
                let digit = usize::from(letter - b'0');
                numbers[part] = (numbers[part] * 10 + digit).min(10_000);
            }
            letter = self.byte().unwrap_or(b'd');
        }
        let [width, precision] = numbers;
        let item = self.stack.pop().unwrap_or(Item::Number(0));
        let text = match (letter, &item) {
            (b's', Item::Text(text)) => {
                let most = if part == 1 { precision } else { text.len() };
                text[..most.min(text.len())].to_vec()
            }
            (b's', Item::Number(number)) => number.to_string().into_bytes(),
            (b'o', _) => format!("{:0precision$o}", item.number()).into_bytes(),
            (b'x', _) => format!("{:0precision$x}", item.number()).into_bytes(),
            (b'X', _) => format!("{:0precision$X}", item.number()).into_bytes(),
            (b'd', _) if plus => format!("{:+}", item.number()).into_bytes(),
            (b'd', _) => format!("{:0precision$}", item.number()).into_bytes(),
            _ => return,
        };
        let padding = width.saturating_sub(text.len());
        let fill = if zero && !minus { b'0' } else { b' ' };
        if minus {
            self.out.extend_from_slice(&text);
        }
        self.out.extend(std::iter::repeat_n(fill, padding));
        if !minus {
            self.out.extend_from_slice(&text);
        }
    }
}
