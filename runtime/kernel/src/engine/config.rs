//! The configuration of wasmtime. Each line has a test that fails when it drifts.

use std::path::PathBuf;

use wasmtime::{
    Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy, WasmFeatures,
};

use crate::limit::{self, MOST_MEMORY};

/// Bytes that a guest may use of the stack it runs on, unless more are asked for (T21).
pub(crate) const STACK: usize = 512 << 10;
/// Bytes of the same stack for the host calls that a guest makes, since a host call that runs out of
/// stack ends the whole process.
const HOST_STACK: usize = 1536 << 10;
/// Bytes of stack that are cleared by writing instead of by giving the pages back. A short command
/// stays within them, which saves a page fault for each page.
const STACK_KEPT: usize = 32 << 10;
/// Bytes of a table that are cleared by writing.
const TABLE_KEPT: usize = 32 << 10;
/// How much larger the default pool is than the one that is tried where address space is short.
const REDUCTION: u32 = 16;

/// Instances for which there is room beyond those of sandboxes.
const SPARE: u32 = 16;

/// What all sandboxes of the process together may use: the machine's budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOptions {
    /// Processes that run at once in all sandboxes, shells included (T20, T27). Setting up and taking
    /// down the pool costs about 10 µs for each: a program that ends soon should ask for few.
    pub processes: u32,
    /// Bytes of linear memory that one process may have at most, whatever the limits of its sandbox say; a multiple
    /// of 64 KiB and at most 4 GiB, which is what a place in the pool has of address space anyway (T27).
    pub process_memory: usize,
    /// Bytes of stack that a guest's calls may use, beside the stack that its compiler keeps in its linear
    /// memory; a guest that needs more ends (T21). They are the host's memory as far as they are used, until
    /// the process ends. 512 KiB suffice for what is compiled from Rust; CPython is made for 16 MiB.
    pub stack: usize,
    /// Where the machine code of components is kept that were packed and not compiled ahead of time
    /// ([`crate::Artifact::packed`]), with what [`crate::Program::component_cached`] says of such a directory.
    /// None: they are compiled in every process.
    pub cache: Option<PathBuf>,
}

impl Default for EngineOptions {
    /// 256 processes of at most 4 GiB ([`crate::Limits::memory`] says what each gets) and 512 KiB of stack, fewer
    /// where the machine has little memory, and the cache of [`crate::user_cache`].
    fn default() -> EngineOptions {
        let machine = EngineOptions::for_machine();
        EngineOptions {
            processes: machine.processes.min(256),
            ..machine
        }
    }
}

impl EngineOptions {
    /// What suits a server on this machine: a process for each 64 MiB of memory and 512 for each
    /// core, 64 at least and 4,096 at most.
    pub fn for_machine() -> EngineOptions {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let by_memory = memory().map_or(256, |bytes| bytes / (64 << 20));
        let by_cores = cores as u64 * 512;
        EngineOptions {
            processes: by_memory.min(by_cores).clamp(64, 4096) as u32,
            process_memory: MOST_MEMORY as usize,
            stack: STACK,
            cache: user_cache(),
        }
    }

    /// What is tried where address space is short.
    pub(crate) fn reduced(&self) -> EngineOptions {
        EngineOptions {
            processes: self.processes.div_ceil(REDUCTION),
            ..self.clone()
        }
    }
}

/// The user's directory for machine code, `~/.cache/offshoot/compiled`; as the XDG's rules say, a relative
/// path counts as none.
pub fn user_cache() -> Option<PathBuf> {
    let absolute = |name| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Some(base?.join("offshoot/compiled"))
}

/// Bytes of memory that this process may use, where the system tells: the machine's, or those of
/// its control group.
fn memory() -> Option<u64> {
    let read = |path| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kib << 10)
    });
    let group = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(group).min()
}

/// Where instances come from.
pub(crate) enum Allocation {
    /// From places reserved beforehand.
    Pool(EngineOptions),
    /// From the system, each time.
    OnDemand,
}

/// The configuration. Everything but the allocation is the same for compiling and for running.
pub(crate) fn config(allocation: &Allocation, stack: usize) -> Config {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .memory_init_cow(true)
        .memory_reservation(MOST_MEMORY)
        .memory_guard_size(32 << 20)
        .guard_before_linear_memory(true)
        .epoch_interruption(true)
        // Decision: no fuel. It costs 13 % on call-heavy code, and the shell counts its own steps.
        .consume_fuel(false)
        .max_wasm_stack(stack)
        .async_stack_size(stack.saturating_add(HOST_STACK))
        .async_stack_zeroing(true)
        // A user sees why a program trapped, never addresses or names of its source.
        .wasm_backtrace_max_frames(None)
        // So nothing is kept that only backtraces and debuggers read: it is a third of an artifact.
        .generate_address_map(false)
        .native_unwind_info(false)
        .wasm_memory64(false)
        // Composed components need it: an adapter between two copies from one memory to the other. What
        // a module may have of its own is the pool's to say.
        .wasm_multi_memory(true)
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
    // Places are counted before their instances are made, and given back as they go; connectors take
    // some as well.
    let spare = options.processes.saturating_add(SPARE);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(spare)
        // A component built by rustc is three core instances and one memory.
        .total_core_instances(spare.saturating_mul(4))
        // A composed component has several memories.
        .total_memories(spare.saturating_add(options.processes / 8))
        .total_tables(spare.saturating_mul(3))
        .total_stacks(spare)
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
        // The lowest bytes of a memory are the far end of a stack, which hardly any guest reaches.
        .linear_memory_keep_resident(0)
        .table_keep_resident(TABLE_KEPT)
        // Decision: a fault with swapped pages is known (wasmtime #14357, T31).
        .pagemap_scan(Enabled::No);
    pool
}
