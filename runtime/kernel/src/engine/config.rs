//! The configuration of wasmtime. Each line has a test that fails when it drifts.

use wasmtime::{
    Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy, WasmFeatures,
};

use crate::limit;

/// Bytes that a guest may use of the stack it runs on (T21).
const WASM_STACK: usize = 512 << 10;
/// Bytes of the stack that a guest and the host calls it makes run on; well above [`WASM_STACK`],
/// since a host call that runs out of stack ends the whole process.
const FIBER_STACK: usize = 2 << 20;
/// Bytes of stack that are cleared by writing instead of by giving the pages back. A short command
/// stays within them, which saves a page fault for each page.
const STACK_KEPT: usize = 32 << 10;
/// Bytes of memory that are cleared by writing instead of by giving the pages back.
const MEMORY_KEPT: usize = 64 << 10;
/// Bytes of a table that are cleared by writing.
const TABLE_KEPT: usize = 32 << 10;
/// How much larger the default pool is than the one that is tried where address space is short.
const REDUCTION: u32 = 16;

/// What all sandboxes of the process together may use: the machine's budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOptions {
    /// Processes that run at once in all sandboxes, shells included (T20, T27). Setting up and taking
    /// down the pool costs about 10 µs for each: a program that ends soon should ask for few.
    pub processes: u32,
    /// Bytes of linear memory that one process may have at most; a multiple of 64 KiB (T27).
    pub process_memory: usize,
}

impl Default for EngineOptions {
    /// 256 processes of at most 256 MiB.
    fn default() -> EngineOptions {
        EngineOptions {
            processes: 256,
            process_memory: 256 << 20,
        }
    }
}

impl EngineOptions {
    /// What is tried where address space is short.
    pub(crate) fn reduced(&self) -> EngineOptions {
        EngineOptions {
            processes: self.processes.div_ceil(REDUCTION),
            ..self.clone()
        }
    }
}

/// Where instances come from.
pub(crate) enum Allocation {
    /// From places reserved beforehand.
    Pool(EngineOptions),
    /// From the system, each time.
    OnDemand,
}

/// The configuration. Everything but the allocation is the same for compiling and for running.
pub(crate) fn config(allocation: &Allocation) -> Config {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .memory_init_cow(true)
        .memory_reservation(4 << 30)
        .memory_guard_size(32 << 20)
        .guard_before_linear_memory(true)
        .epoch_interruption(true)
        // Decision: no fuel. It costs 13 % on call-heavy code, and the shell counts its own steps.
        .consume_fuel(false)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(FIBER_STACK)
        .async_stack_zeroing(true)
        // A user sees why a program trapped, never addresses or names of its source.
        .wasm_backtrace_max_frames(None)
        // So nothing is kept that only backtraces and debuggers read: it is a third of an artifact.
        .generate_address_map(false)
        .native_unwind_info(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_relaxed_simd(false)
        .wasm_tail_call(false)
        .wasm_wide_arithmetic(false)
        .wasm_stack_switching(false)
        .wasm_custom_page_sizes(false)
        // Without these two, typed function references stay on although there is no collector.
        .wasm_features(WasmFeatures::GC, false)
        .wasm_features(WasmFeatures::FUNCTION_REFERENCES, false)
        .gc_support(false);
    super::artifact::pages::configure(&mut config);
    if let Allocation::Pool(options) = allocation {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(options)));
    }
    config
}

/// The pool: totals from the options, and what one process may take of them.
fn pool(options: &EngineOptions) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(options.processes)
        // A component built by rustc is three core instances and one memory.
        .total_core_instances(options.processes.saturating_mul(4))
        .total_memories(options.processes)
        .total_tables(options.processes.saturating_mul(3))
        .total_stacks(options.processes)
        .max_core_instances_per_component(16)
        .max_memories_per_component(limit::MEMORIES as u32)
        .max_tables_per_component(16)
        .max_memories_per_module(1)
        .max_tables_per_module(4)
        .max_memory_size(options.process_memory)
        .table_elements(limit::TABLE_ELEMENTS)
        .max_component_instance_size(1 << 20)
        .max_core_instance_size(1 << 20)
        .async_stack_keep_resident(STACK_KEPT)
        .linear_memory_keep_resident(MEMORY_KEPT)
        .table_keep_resident(TABLE_KEPT)
        // Decision: a fault with swapped pages is known (wasmtime #14357, T31).
        .pagemap_scan(Enabled::No);
    pool
}
