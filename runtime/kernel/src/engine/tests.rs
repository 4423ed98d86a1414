//! Each line of the configuration, by what the engine refuses and by what it reports.

#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

use std::thread;
use std::time::{Duration, Instant};

use super::artifact::pages;
use super::config::{Allocation, EngineOptions, config};
use super::ticker::Ticker;
use super::{Artifact, Cpu, Engine, PageAligned};
use crate::{Error, Program};

/// A component around a core module.
fn component(module: &str) -> Vec<u8> {
    wat::parse_str(format!("(component (core module {module}))")).unwrap()
}

#[test]
fn plain_modules_compile() {
    for module in [
        "",
        "(memory 1) (func (export \"f\") (result i32) i32.const 0 i32.load)",
        "(table 10 funcref) (func (memory.copy (i32.const 0) (i32.const 0) (i32.const 0))) (memory 1)",
        "(func (result v128) v128.const i64x2 0 0)",
        "(func (result i32 i32) i32.const 0 i32.const 0)",
    ] {
        assert!(Engine::precompile(&component(module)).is_ok(), "{module}");
    }
}

#[test]
fn what_is_left_out_is_refused() {
    for (feature, module) in [
        ("memory64", "(memory i64 1)"),
        ("table64", "(table i64 1 funcref)"),
        ("threads", "(memory 1 2 shared)"),
        (
            "atomics",
            "(memory 1) (func (drop (i32.atomic.load (i32.const 0))))",
        ),
        ("tail calls", "(func $f (return_call $f))"),
        ("exceptions", "(tag $t) (func (throw $t))"),
        ("gc", "(type (struct (field i32)))"),
        ("gc arrays", "(type (array i8))"),
        ("i31", "(func (param (ref null i31)))"),
        ("externref", "(func (param externref))"),
        ("externref tables", "(table 1 externref)"),
        (
            "typed function references",
            "(type $f (func)) (func (param (ref $f)))",
        ),
        (
            "relaxed simd",
            "(func (param v128 v128) (result v128)
                (i8x16.relaxed_swizzle (local.get 0) (local.get 1)))",
        ),
        (
            "wide arithmetic",
            "(func (param i64 i64) (result i64 i64)
                (i64.mul_wide_u (local.get 0) (local.get 1)))",
        ),
        ("custom page sizes", "(memory 1 (pagesize 1))"),
        (
            "stack switching",
            "(type $f (func)) (type $c (cont $f)) (func (param (ref $f)) (drop (cont.new $c (local.get 0))))",
        ),
    ] {
        let refused = Engine::precompile(&component(module)).map(drop);
        assert!(
            matches!(refused, Err(Error::Refused(_))),
            "{feature}: {refused:?}"
        );
    }
}

#[test]
fn t27_what_does_not_fit_into_the_pool_is_refused() {
    let options = EngineOptions {
        process_memory: 256 << 20,
        ..EngineOptions::default()
    };
    let engine = Engine::new(&options).unwrap();
    assert!(engine.pooled());
    for (what, module) in [
        ("memory above 256 MiB", "(memory 4097)".to_owned()),
        ("a huge table", "(table 20001 funcref)".to_owned()),
        ("two memories", "(memory 1) (memory 1)".to_owned()),
        ("many tables", "(table 1 funcref)".repeat(5)),
    ] {
        let bytes = component(&format!("$m {module}) (core instance (instantiate $m)"));
        let error = Program::component(&engine, &bytes).unwrap_err();
        assert!(matches!(error, Error::Refused(_)), "{what}: {error}");
    }
}

#[test]
fn foreign_imports_are_refused_by_name() {
    let engine = Engine::new(&EngineOptions::default()).unwrap();
    let sockets = "(component (import \"wasi:sockets/tcp-create-socket@0.2.0\" (instance
        (export \"create\" (func)))))";
    let error = Program::component(&engine, &wat::parse_str(sockets).unwrap()).unwrap_err();
    assert!(
        matches!(&error, Error::Interface(text) if text.contains("wasi:sockets")),
        "{error}"
    );
    let nothing = wat::parse_str("(component)").unwrap();
    let error = Program::component(&engine, &nothing).unwrap_err();
    assert!(
        matches!(&error, Error::Interface(text) if text.contains("wasi:cli/run")),
        "{error}"
    );
    for bytes in [&b"no wasm"[..], b"\0asm\x01\0\0\0", b""] {
        assert!(matches!(
            Program::component(&engine, bytes),
            Err(Error::Refused(_))
        ));
    }
}

#[test]
fn the_configuration_has_not_drifted() {
    let options = EngineOptions::default();
    let config =
        wasmtime::Engine::new(&config(&Allocation::Pool(options.clone()), options.stack)).unwrap();
    assert_eq!(config.get_memory_reservation(), 4 << 30);
    assert_eq!(config.get_memory_guard_size(), 32 << 20);
    assert!(config.get_guard_before_linear_memory());
    assert!(config.get_memory_init_cow());
    assert!(config.get_epoch_interruption());
    assert!(!config.get_consume_fuel());
    assert_eq!(config.get_max_wasm_stack(), 512 << 10);
    assert_eq!(config.get_async_stack_size(), 2 << 20);
    assert!(config.get_async_stack_zeroing());
    assert!(!config.get_shared_memory());
    let pool = config.get_pooling_config().unwrap();
    assert_eq!(pool.get_total_component_instances(), options.processes + 16);
    assert_eq!(pool.get_total_stacks(), options.processes + 16);
    assert_eq!(pool.get_max_memory_size(), 4 << 30);
    assert_eq!(pool.get_max_memories_per_module(), 1);
    assert_eq!(pool.get_max_memories_per_component(), 4);
    assert_eq!(pool.get_max_tables_per_module(), 4);
    assert_eq!(pool.get_max_core_instances_per_component(), 16);
    assert_eq!(pool.get_memory_protection_keys(), wasmtime::Enabled::No);
}

#[test]
fn short_address_space_falls_back() {
    for (processes, pooled) in [(8, true), (100_000, true), (1_000_000, false)] {
        let options = EngineOptions {
            processes,
            ..EngineOptions::default()
        };
        let engine = Engine::new(&options).unwrap();
        assert_eq!(engine.pooled(), pooled, "{processes}");
    }
}

#[test]
fn artifacts_load_however_instances_are_allocated() {
    let bytes = Engine::precompile(&component("(memory 1) (func)"))
        .unwrap()
        .leak();
    for processes in [8, 1_000_000] {
        let options = EngineOptions {
            processes,
            ..EngineOptions::default()
        };
        let engine = Engine::new(&options).unwrap();
        assert!(
            Artifact::trusted(bytes).load(&engine).is_ok(),
            "{processes}"
        );
    }
}

/// What the binary embeds runs in place once, and as a copy beside that.
#[test]
fn embedded_artifacts_run_where_they_are() {
    let code = Engine::precompile(&component("(func (export \"run\"))")).unwrap();
    let mut pages = Box::new(PageAligned([0; 1 << 20]));
    pages.0[..code.len()].copy_from_slice(&code);
    let pages: &'static PageAligned<[u8]> = Box::leak(pages);
    let options = EngineOptions {
        processes: 8,
        ..EngineOptions::default()
    };
    let first = Engine::new(&options).unwrap();
    let second = Engine::new(&options).unwrap();
    for (engine, in_place) in [(first, pages::ENABLED), (second, false)] {
        let component = Artifact::embedded(pages).load(&engine).unwrap();
        let begin = component.image_range().start;
        assert_eq!(pages.0.as_ptr_range().contains(&begin), in_place);
        let mut store = wasmtime::Store::new(engine.wasm(), ());
        store.set_epoch_deadline(1);
        let linker = wasmtime::component::Linker::new(engine.wasm());
        assert!(linker.instantiate(&mut store, &component).is_ok());
    }
}

#[test]
fn artifacts_of_other_configurations_are_refused() {
    let other = wasmtime::Engine::default();
    let bytes = other
        .precompile_component(&component("(func)"))
        .unwrap()
        .leak();
    let engine = Engine::new(&EngineOptions {
        processes: 8,
        ..EngineOptions::default()
    })
    .unwrap();
    let error = Artifact::trusted(bytes).load(&engine).unwrap_err();
    assert!(matches!(error, Error::Artifact(_)), "{error}");
    assert!(Artifact::trusted(b"\0asm").load(&engine).is_err());
}

/// A machine of the baseline: whatever this one has beyond it is not there.
#[cfg(target_arch = "x86_64")]
fn oldest(feature: &str) -> Option<bool> {
    Some(["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"].contains(&feature))
}

#[cfg(target_arch = "x86_64")]
#[test]
#[allow(
    unsafe_code,
    reason = "a processor with less is played, and machine code loaded"
)]
fn code_for_the_baseline_loads_on_an_older_processor() {
    let wasm = component(
        "(func (export \"run\") (param i64 v128) (result i64)
            (i64.add (i64.clz (local.get 0)) (i64.popcnt (i64x2.extract_lane 0 (local.get 1)))))",
    );
    let mut older = config(&Allocation::OnDemand, super::config::STACK);
    Cpu::Baseline.configure(&mut older).unwrap();
    // SAFETY: this machine has at least what `oldest` admits.
    unsafe { older.detect_host_feature(oldest) };
    let older = wasmtime::Engine::new(&older).unwrap();
    let loads = |code: &[u8]| {
        // SAFETY: the bytes come from `precompile_for`.
        unsafe { wasmtime::component::Component::deserialize(&older, code) }.map(drop)
    };
    let baseline = Engine::precompile(&wasm).unwrap();
    loads(&baseline).unwrap();
    let here = Engine::new(&EngineOptions {
        processes: 8,
        ..EngineOptions::default()
    })
    .unwrap();
    assert!(Artifact::trusted(baseline.leak()).load(&here).is_ok());
    if std::is_x86_feature_detected!("avx") {
        let native = Engine::precompile_for(&wasm, Cpu::Host).unwrap();
        let refused = loads(&native).unwrap_err();
        assert!(format!("{refused:#}").contains("has_"), "{refused:#}");
    }
}

#[test]
fn fingerprints_are_stable() {
    assert_eq!(Engine::fingerprint(), Engine::fingerprint());
}

#[test]
fn the_ticker_ticks_while_something_runs_and_parks_otherwise() {
    let ticker = Ticker::new(super::compiler(Cpu::Host).unwrap());
    eventually(|| ticker.is_parked());
    let ticks = ticker.ticks();
    thread::sleep(Duration::from_millis(20));
    assert_eq!(ticker.ticks(), ticks);
    let running = ticker.running();
    eventually(|| ticker.ticks() > ticks + 5);
    drop(running);
    eventually(|| ticker.is_parked());
}

fn eventually(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(10));
        thread::sleep(Duration::from_millis(1));
    }
}
