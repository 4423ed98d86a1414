//! Components that begin where their preparation ended.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use wasmtime::component::{Component, Instance, Lift, Linker, WasmList};
use wasmtime::{Config, Engine, OptLevel, Store};
use wasmtime_wizer::{ComponentInstanceState, Wizer};

use crate::Error;

/// What hash maps begin with while a component is prepared: the same in each build, so that its bytes are.
const SEED: (u64, u64) = (0, 0);

/// The component with the memory that it has when its function `prepare: func() -> result<_, string>` returned.
///
/// `prepare` runs without a host: it fails where it calls an import, so that nothing of the machine that builds is kept.
/// The exception is the seed of hash maps, which is [`SEED`]: the component takes another where it runs.
///
/// # Errors
/// [`Error::Prepare`] where `prepare` is missing or fails, and where the component is of a kind that
/// `wasmtime-wizer` does not take.
pub(crate) fn prepared(component: &[u8]) -> Result<Vec<u8>, Error> {
    run(component).map_err(|error| Error::Prepare(format!("{error:#}")))
}

fn run(component: &[u8]) -> wasmtime::Result<Vec<u8>> {
    let wizer = Wizer::new();
    let (context, instrumented) = wizer.instrument_component(component)?;
    let mut config = Config::new();
    // It runs once, for milliseconds.
    config.cranelift_opt_level(OptLevel::None);
    let engine = Engine::new(&config)?;
    let component = Component::new(&engine, instrumented)?;
    let mut linker = Linker::<()>::new(&engine);
    for (name, _) in component.component_type().imports(&engine) {
        if name.starts_with("wasi:random/insecure-seed@0.2.") {
            let mut seeds = linker.instance(name)?;
            seeds.func_wrap("insecure-seed", |_, ()| Ok((SEED,)))?;
        }
    }
    linker.define_unknown_imports_as_traps(&component)?;
    let mut store = Store::new(&engine, ());
    let instance = linker.instantiate(&mut store, &component)?;
    let prepare = instance
        .get_typed_func::<(), (Result<(), String>,)>(&mut store, "prepare")
        .map_err(|error| error.context("the function prepare"))?;
    let (done,) = prepare.call(&mut store, ())?;
    done.map_err(wasmtime::Error::msg)?;
    let mut state = State {
        store,
        instance,
        failure: None,
    };
    let made = ready(wizer.snapshot_component(&context, &mut state))?;
    state.failure.map_or(Ok(made), Err)
}

/// What becomes of work that waits for nothing.
fn ready<T>(work: impl Future<Output = wasmtime::Result<T>>) -> wasmtime::Result<T> {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => Err(wasmtime::Error::msg(
            "reading the memory waits for something",
        )),
    }
}

/// The component when it is prepared.
struct State {
    store: Store<()>,
    instance: Instance,
    /// Why something could not be read.
    failure: Option<wasmtime::Error>,
}

impl State {
    fn call<R: Lift + 'static>(&mut self, instance: &str, function: &str) -> Option<R> {
        let Self {
            store,
            instance: own,
            failure,
        } = self;
        let mut call = || -> wasmtime::Result<R> {
            let missing = || wasmtime::Error::msg(format!("{function} is missing"));
            let (_, within) = own
                .get_export(&mut *store, None, instance)
                .ok_or_else(missing)?;
            let (_, found) = own
                .get_export(&mut *store, Some(&within), function)
                .ok_or_else(missing)?;
            let function = own.get_typed_func::<(), (R,)>(&mut *store, found)?;
            Ok(function.call(&mut *store, ())?.0)
        };
        call().map_err(|error| *failure = Some(error)).ok()
    }
}

impl ComponentInstanceState for State {
    async fn call_func_ret_list_u8(
        &mut self,
        instance: &str,
        func: &str,
        contents: impl FnOnce(&[u8]) + Send,
    ) {
        match self.call::<WasmList<u8>>(instance, func) {
            Some(list) => contents(list.as_le_slice(&self.store)),
            None => contents(&[]),
        }
    }

    async fn call_func_ret_s32(&mut self, instance: &str, func: &str) -> i32 {
        self.call(instance, func).unwrap_or_default()
    }

    async fn call_func_ret_s64(&mut self, instance: &str, func: &str) -> i64 {
        self.call(instance, func).unwrap_or_default()
    }

    async fn call_func_ret_f32(&mut self, instance: &str, func: &str) -> u32 {
        self.call(instance, func).map_or(0, f32::to_bits)
    }

    async fn call_func_ret_f64(&mut self, instance: &str, func: &str) -> u64 {
        self.call(instance, func).map_or(0, f64::to_bits)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// A component whose `prepare` does what `body` says, and whose `value` reads the memory and a global.
    fn component(body: &str) -> Vec<u8> {
        let text = format!(
            r#"(component
                (import "host" (func $host))
                (core func $lowered (canon lower (func $host)))
                (core module $module
                    (import "" "host" (func $host))
                    (memory (export "memory") 1)
                    (global $global (mut i32) (i32.const 1))
                    (data (i32.const 64) "no")
                    (func (export "prepare") (result i32) {body})
                    (func (export "value") (result i32)
                        (i32.add (i32.load (i32.const 128)) (global.get $global)))
                    (func (export "realloc") (param i32 i32 i32 i32) (result i32) unreachable))
                (core instance $instance (instantiate $module
                    (with "" (instance (export "host" (func $lowered))))))
                (func (export "prepare") (result (result (error string))) (canon lift
                    (core func $instance "prepare")
                    (memory (core memory $instance "memory")) (realloc (core func $instance "realloc"))))
                (func (export "value") (result u32) (canon lift (core func $instance "value"))))"#
        );
        wat::parse_str(text).unwrap()
    }

    fn value(component: &[u8]) -> u32 {
        let engine = Engine::default();
        let component = Component::new(&engine, component).unwrap();
        let mut linker = Linker::<()>::new(&engine);
        linker.define_unknown_imports_as_traps(&component).unwrap();
        let mut store = Store::new(&engine, ());
        let instance = linker.instantiate(&mut store, &component).unwrap();
        let value = instance.get_typed_func::<(), (u32,)>(&mut store, "value");
        value.unwrap().call(&mut store, ()).unwrap().0
    }

    #[test]
    fn a_component_begins_where_its_preparation_ended() {
        let plain = component(
            "(i32.store (i32.const 128) (i32.const 40)) (global.set $global (i32.const 2)) (i32.const 0)",
        );
        assert_eq!(value(&plain), 1);
        assert_eq!(value(&prepared(&plain).unwrap()), 42);
    }

    #[test]
    fn a_preparation_that_fails_says_why() {
        // A result that is an error: its tag, and where its text is.
        let fails = component(
            "(i32.store8 (i32.const 0) (i32.const 1)) (i32.store (i32.const 4) (i32.const 64))
             (i32.store (i32.const 8) (i32.const 2)) (i32.const 0)",
        );
        assert_eq!(
            prepared(&fails).unwrap_err().to_string(),
            "preparing a guest failed: no"
        );
        let asks = prepared(&component("(call $host) (i32.const 0)"));
        assert!(asks.unwrap_err().to_string().contains("host"));
        let missing = prepared(&wat::parse_str("(component)").unwrap());
        assert!(missing.unwrap_err().to_string().contains("prepare"));
    }
}
