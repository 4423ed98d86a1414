//! Cells: pieces of a program that come one after the other and share what they declare.

mod rewrite;

use std::cell::{Cell, RefCell};
use std::io;
use std::time::{Duration, Instant};

use boa_engine::{Context, JsError, JsNativeError, JsResult, JsString, JsValue};

use crate::host::{Function, bytes, text};
use crate::{modules, rejections, sandbox};

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] =
    &[("rewrite", rewrite_cell), ("frame", frame), ("look", look)];

/// The descriptor that cells come by.
const CELLS: u32 = 3;
/// What is written at once goes into a pipe as one piece.
const PIECE: usize = 3072;
/// Rounds of loops until the clock is looked at, and the time until the flag is.
const ROUNDS: u32 = 500;
const LOOK: Duration = Duration::from_millis(20);

/// What interrupts a cell: a file that somebody makes.
#[derive(Default)]
struct Interrupt {
    flag: RefCell<Option<String>>,
    armed: Cell<bool>,
    rounds: Cell<u32>,
    next: Cell<Option<Instant>>,
}

thread_local! {
    static INTERRUPT: Interrupt = Interrupt::default();
    static TOKEN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Whether the cell that runs is to end; said once.
pub fn is_interrupted() -> bool {
    INTERRUPT.with(|interrupt| {
        let now = Instant::now();
        if !interrupt.armed.get() || interrupt.next.get().is_some_and(|next| now < next) {
            return false;
        }
        interrupt.next.set(Some(now + LOOK));
        let flag = interrupt.flag.borrow();
        let raised = flag
            .as_ref()
            .is_some_and(|flag| std::fs::metadata(flag).is_ok());
        if raised {
            interrupt.armed.set(false);
        }
        raised
    })
}

/// `look()`: ends a loop of a cell that was interrupted.
fn look(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let rounds = INTERRUPT.with(|interrupt| {
        interrupt.rounds.set(interrupt.rounds.get().wrapping_add(1));
        interrupt.rounds.get()
    });
    match rounds % ROUNDS {
        0 => look_now(),
        _ => Ok(JsValue::undefined()),
    }
}

/// Fails where the cell that runs is to end.
pub fn look_now() -> JsResult<JsValue> {
    if is_interrupted() {
        let error = JsNativeError::error().with_message("KeyboardInterrupt");
        return Err(error.into());
    }
    Ok(JsValue::undefined())
}

/// `rewrite(code, watch)`: the code as it is run; `A` before it where its value is a promise of the cell's
/// value, `V` where that of its last expression is shown, `N` where it has none.
fn rewrite_cell(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let code = text(arguments, 0, context)?;
    let watch = arguments.get(1).is_some_and(JsValue::to_boolean);
    match rewrite::rewrite(&code, watch) {
        Ok(code) => Ok(JsString::from(code.as_str()).into()),
        Err(message) => Err(JsNativeError::syntax().with_message(message).into()),
    }
}

/// `frame(kind, content)`: tells of the cell that runs.
fn frame(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let kind = text(arguments, 0, context)?;
    let content = bytes(arguments, 1, context)?;
    tell(&kind, &content)
        .map(|()| JsValue::undefined())
        .map_err(|error| crate::host::failure(&error))
}

fn tell(kind: &str, content: &[u8]) -> io::Result<()> {
    let token = TOKEN.with_borrow(Clone::clone);
    let mut rest = content;
    loop {
        let (piece, left) = rest.split_at(rest.len().min(PIECE));
        let more = if left.is_empty() { '.' } else { '+' };
        let mut frame = format!("\x1e{token}{kind}{more}{}\n", piece.len()).into_bytes();
        frame.extend_from_slice(piece);
        sandbox::write_output(&frame)?;
        if left.is_empty() {
            return Ok(());
        }
        rest = left;
    }
}

/// Runs cells until there are no more.
pub fn serve(flag: &str, is_interruptible: bool, context: &mut Context) -> JsResult<()> {
    INTERRUPT.with(|interrupt| {
        *interrupt.flag.borrow_mut() = is_interruptible.then(|| flag.to_owned());
    });
    modules::call("__require", &[JsString::from("_cells").into()], context)?;
    let mut lines = Lines::default();
    while let Some(line) = lines.next() {
        let line = JsString::from(String::from_utf8_lossy(&line).as_ref());
        let token = modules::call("__cellToken", &[line.clone().into()], context)?;
        TOKEN.set(token.to_string(context)?.to_std_string_lossy());
        INTERRUPT.with(|interrupt| interrupt.armed.set(true));
        modules::call(
            "__cellBegin",
            &[line.into(), is_interruptible.into()],
            context,
        )?;
        while let Err(error) = run(context) {
            failed(error, context)?;
        }
        INTERRUPT.with(|interrupt| interrupt.armed.set(false));
        modules::call("__cellEnd", &[], context)?;
    }
    Ok(())
}

/// What a callback threw, or a promise that nobody listens to was rejected with.
fn failed(error: JsError, context: &mut Context) -> JsResult<()> {
    let error = error.into_opaque(context)?;
    modules::call("__cellFailed", &[error], context).map(drop)
}

/// Goes on until the cell has its value, or nothing is left that could give it one.
fn run(context: &mut Context) -> JsResult<()> {
    loop {
        loop {
            let ticked = modules::call("__ticks", &[], context)?.to_boolean();
            context.run_jobs()?;
            if !ticked {
                break;
            }
        }
        if let Some((_, error)) = rejections::next()? {
            return Err(error);
        }
        if modules::call("__cellIsOver", &[], context)?.to_boolean() {
            return Ok(());
        }
        if is_interrupted() {
            modules::call("__cellInterrupt", &[], context)?;
            continue;
        }
        if !modules::call("__tick", &[], context)?.to_boolean() {
            return Ok(());
        }
    }
}

/// The lines that arrive.
#[derive(Default)]
struct Lines {
    arrived: Vec<u8>,
}

impl Lines {
    fn next(&mut self) -> Option<Vec<u8>> {
        let mut pause = Duration::from_micros(20);
        loop {
            if let Some(end) = self.arrived.iter().position(|byte| *byte == b'\n') {
                let line = self.arrived.drain(..=end).collect();
                return Some(line);
            }
            match sandbox::read(CELLS, 65_536) {
                Ok(piece) if piece.is_empty() => return None,
                Ok(piece) => self.arrived.extend_from_slice(&piece),
                Err("EAGAIN") => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(2));
                }
                Err(_) => return None,
            }
        }
    }
}
