//! The engine with all that runs before every program. Where the component was prepared when it was built, its
//! memory has it.

use std::cell::RefCell;
use std::hash::RandomState;
use std::path::Path;
use std::rc::Rc;
use std::time::SystemTime;

use boa_engine::context::time::{Clock, JsInstant};
use boa_engine::{Context, JsNativeError, JsResult, Source};

use crate::{date, host, json, modules, rejections};

/// How deep calls may be, which is about as deep as in Node. Calls that go through functions of the engine's own end
/// before, where the stack is short.
const CALLS: usize = 11_000;
/// How many values all calls together may have.
const VALUES: usize = 2 << 20;

/// An engine that no program has run in.
pub struct Prepared {
    /// The engine.
    pub context: Context,
    /// What loads its modules.
    pub loader: Rc<modules::Loader>,
}

thread_local! {
    static PREPARED: RefCell<Option<Prepared>> = const { RefCell::new(None) };
}

/// Makes the one that [`take`] gives. Nothing of it may ask for time, randomness or anything else that is another
/// where the program runs.
///
/// # Errors
/// What the prelude throws.
#[cfg(target_os = "wasi")]
pub fn prepare() -> JsResult<()> {
    let mut made = make()?;
    modules::compile_all(&mut made.context)?;
    boa_engine::gc::force_collect();
    PREPARED.set(Some(made));
    Ok(())
}

/// The one that was prepared, or a new one.
///
/// # Errors
/// What the prelude throws.
pub fn take() -> JsResult<Prepared> {
    let Some(prepared) = PREPARED.take() else {
        return make();
    };
    seed()?;
    Ok(prepared)
}

/// Moves the keys that maps are hashed with on by a number that nobody knows: those that were prepared are the same
/// in every process, and texts that collide under them could be made ahead.
fn seed() -> JsResult<()> {
    let mut steps = [0; 2];
    getrandom::fill(&mut steps)
        .map_err(|error| JsNativeError::error().with_message(error.to_string()))?;
    for _ in 0..u16::from_le_bytes(steps) {
        // Each has the next keys.
        std::hint::black_box(RandomState::new());
    }
    Ok(())
}

fn make() -> JsResult<Prepared> {
    let loader = Rc::new(modules::Loader::default());
    let mut context = Context::builder()
        .clock(Rc::new(Now))
        .module_loader(loader.clone())
        .host_hooks(Rc::new(rejections::Tracker))
        .job_executor(Rc::new(rejections::Jobs::default()))
        .build()?;
    let limits = context.runtime_limits_mut();
    limits.set_recursion_limit(CALLS);
    limits.set_stack_size_limit(VALUES);
    host::install(&mut context)?;
    json::install(&mut context)?;
    date::install(&mut context)?;
    for (name, text) in modules::PRELUDE {
        context.eval(Source::from_bytes(text).with_path(Path::new(name)))?;
    }
    Ok(Prepared { context, loader })
}

/// The clock, which is first looked at when a program asks.
struct Now;

impl Clock for Now {
    fn now(&self) -> JsInstant {
        let passed = host::elapsed();
        JsInstant::new(passed.as_secs(), passed.subsec_nanos())
    }

    fn system_time_millis(&self) -> i64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| since.as_millis() as i64)
    }
}
