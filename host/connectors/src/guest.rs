//! The host's side of an instance: its state, and what it can import.

use wasmtime::component::{HasSelf, Linker, ResourceTable};
use wasmtime::{Engine, ResourceLimiter, Store, UpdateDeadline};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::random::WasiRandom;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

use crate::bindings::websocket;
use crate::log::Log;
use crate::manifest::Limits;
use crate::outgoing::{Outgoing, Way};

/// Resources that an instance may have open (T28).
const RESOURCES: usize = 1_024;
/// Bytes that one call may move out of an instance (T28): a file with room to spare.
const CALL_BYTES: usize = 192 << 20;
/// Random bytes of one call (T28).
const RANDOM_BYTES: u64 = 64 << 10;
/// Bytes of the headers of one message, as they lie in memory (T37).
const HEADER_BYTES: usize = 128 << 10;
/// Elements of an instance's tables (T27), as the engine's pool has them.
const TABLE_ELEMENTS: usize = 20_000;

/// The state of one instance.
pub(crate) struct Guest {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    outgoing: Outgoing,
    table: ResourceTable,
    pub(crate) log: Log,
    limits: Limits,
    /// Bytes of memory that it has.
    pub(crate) memory: u64,
    pub(crate) spent: Spent,
    /// Ticks that it computed in this call; one is about a millisecond.
    ticks: u64,
}

/// The limit that an instance ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Spent {
    #[default]
    Nothing,
    Memory,
    Compute,
}

impl Guest {
    pub(crate) fn new(limits: Limits, way: Option<Way>) -> Guest {
        let log = Log::default();
        let mut wasi = WasiCtx::builder();
        wasi.stdout(log.clone())
            .stderr(log.clone())
            .max_random_size(RANDOM_BYTES);
        let mut http = WasiHttpCtx::new();
        http.set_field_size_limit(HEADER_BYTES);
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES);
        Guest {
            wasi: wasi.build(),
            http,
            outgoing: Outgoing { way },
            table,
            log,
            limits,
            memory: 0,
            spent: Spent::Nothing,
            ticks: 0,
        }
    }

    /// Where its requests go, if anywhere.
    pub(crate) fn way(&self) -> Option<Way> {
        self.outgoing.way.clone()
    }

    /// What it has open.
    pub(crate) fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }

    /// Begins to count anew.
    pub(crate) fn begin(&mut self) {
        self.ticks = 0;
        self.log.clear();
    }

    fn tick(&mut self) -> wasmtime::Result<UpdateDeadline> {
        self.ticks += 1;
        if self.ticks > self.limits.compute_ms {
            self.spent = Spent::Compute;
            return Err(wasmtime::format_err!("the time to compute is used up"));
        }
        Ok(UpdateDeadline::Yield(1))
    }
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl WasiHttpView for Guest {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView {
            hooks: &mut self.outgoing,
            table: &mut self.table,
            ctx: &mut self.http,
        }
    }
}

impl ResourceLimiter for Guest {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let after = self.memory + desired.saturating_sub(current) as u64;
        let fits = after <= self.limits.memory_bytes;
        match fits {
            true => self.memory = after,
            false => self.spent = Spent::Memory,
        }
        Ok(fits)
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.spent = Spent::Memory;
        Ok(())
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE_ELEMENTS)
    }

    fn instances(&self) -> usize {
        32
    }

    fn tables(&self) -> usize {
        32
    }

    fn memories(&self) -> usize {
        4
    }
}

/// A store that lets others run at every tick, and counts them.
pub(crate) fn store(engine: &Engine, guest: Guest) -> Store<Guest> {
    let mut store = Store::new(engine, guest);
    store.limiter(|guest| guest);
    store.set_hostcall_fuel(CALL_BYTES);
    store.epoch_deadline_callback(|mut context| context.data_mut().tick());
    store.set_epoch_deadline(1);
    store
}

/// Everything that a connector can import: HTTP, WebSockets, clocks, randomness, and what a standard library
/// wants to be there. There are no sockets; of the filesystem there is the interface and no
/// directory, of the environment nothing.
pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<Guest>> {
    use wasmtime_wasi::p2::bindings::{cli, filesystem, random};

    let mut linker = Linker::new(engine);
    let l = &mut linker;
    wasmtime_wasi_http::p2::add_to_linker_async(l)?;
    websocket::add_to_linker::<Guest, HasSelf<Guest>>(l, |guest| guest)?;
    cli::environment::add_to_linker::<Guest, WasiCli>(l, Guest::cli)?;
    cli::exit::add_to_linker::<Guest, WasiCli>(l, Guest::cli)?;
    cli::terminal_input::add_to_linker::<Guest, WasiCli>(l, Guest::cli)?;
    cli::terminal_output::add_to_linker::<Guest, WasiCli>(l, Guest::cli)?;
    cli::terminal_stdin::add_to_linker::<Guest, WasiCli>(l, Guest::cli)?;
    cli::terminal_stdout::add_to_linker::<Guest, WasiCli>(l, Guest::cli)?;
    cli::terminal_stderr::add_to_linker::<Guest, WasiCli>(l, Guest::cli)?;
    filesystem::types::add_to_linker::<Guest, WasiFilesystem>(l, Guest::filesystem)?;
    filesystem::preopens::add_to_linker::<Guest, WasiFilesystem>(l, Guest::filesystem)?;
    random::insecure::add_to_linker::<Guest, WasiRandom>(l, |t| t.ctx().ctx.random())?;
    random::insecure_seed::add_to_linker::<Guest, WasiRandom>(l, |t| t.ctx().ctx.random())?;
    Ok(linker)
}
