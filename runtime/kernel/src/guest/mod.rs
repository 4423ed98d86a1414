//! The host's side of a guest: its state, and every function that it can import.

mod bindings;
pub(crate) mod cli;
pub(crate) mod clocks;
mod errno;
pub(crate) mod filesystem;
mod holding;
mod limiter;
mod process;
mod random;
mod sockets;
mod stat;
mod streams;
mod text;
mod vfs;

pub(crate) use bindings::offshoot::sandbox::types as sandbox_types;
pub(crate) use bindings::offshoot::sandbox::types::Errno;
pub(crate) use bindings::shell::exports::offshoot::sandbox::shell as shell_bindings;
pub(crate) use bindings::shell::{ShellGuest, ShellGuestPre as ShellPre};
pub(crate) use bindings::{Command as CommandGuest, CommandPre};
pub(crate) use errno::Failure;
pub(crate) use holding::Holding;
pub(crate) use limiter::Held;

use std::sync::{Arc, Weak};

use offshoot_vfs::Caller;
use wasmtime::component::{HasSelf, Linker, ResourceTable};
use wasmtime::{Engine, Store, UpdateDeadline};
use wasmtime_wasi_io::IoView;

use crate::descriptor::{Descriptors, Object};
use crate::limit::{HOST_CALL_BYTES, RESOURCES};
use crate::process::{Delivery, Entry, Startup};
use crate::program::Interrupt;
use crate::{Kernel, Limit};
use bindings::{offshoot::sandbox, wasi};
use errno::StreamFailure;
use limiter::Limiter;

/// The state of one instance: which process it is and what that process holds.
pub(crate) struct Guest {
    kernel: Kernel,
    entry: Arc<Entry>,
    startup: Startup,
    descriptors: Descriptors,
    /// What a program was started with beside its standard streams, which it knows nothing of and passes on.
    passed_on: Vec<(u32, Weak<Object>)>,
    resources: ResourceTable,
    limiter: Limiter,
    /// Files that it holds as WASI resources, beside its descriptors.
    open_files: usize,
    /// Those of them that are files: a child can inherit one by its inode.
    opened: Vec<Weak<Object>>,
    /// It asked for its working directory, so it resolves relative paths itself.
    knows_directory: bool,
    /// Whether it can act upon `SIGPIPE` itself.
    delivery: Delivery,
    stream_failure: StreamFailure,
    interrupt: Option<Interrupt>,
}

impl Guest {
    pub(crate) fn new(
        kernel: &Kernel,
        entry: Arc<Entry>,
        startup: Startup,
        descriptors: Descriptors,
        delivery: Delivery,
    ) -> Guest {
        let mut resources = ResourceTable::new();
        resources.set_max_capacity(RESOURCES);
        let limiter = Limiter::new(kernel);
        entry.count_memory(limiter.counted());
        // The shell says itself what its children have.
        let passed_on = match delivery {
            Delivery::Guest => Vec::new(),
            Delivery::Default => {
                let beyond = descriptors.numbers().filter(|number| *number > 2);
                let object = |number| Some((number, Arc::downgrade(descriptors.get(number).ok()?)));
                beyond.filter_map(object).collect()
            }
        };
        Guest {
            kernel: kernel.clone(),
            entry,
            startup,
            descriptors,
            passed_on,
            resources,
            limiter,
            open_files: 0,
            opened: Vec::new(),
            knows_directory: false,
            delivery,
            stream_failure: StreamFailure::default(),
            interrupt: None,
        }
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    pub(crate) fn entry(&self) -> &Arc<Entry> {
        &self.entry
    }

    /// Lets the instance act as another process: the shell runs one execution after the other.
    pub(crate) fn become_process(&mut self, entry: Arc<Entry>) {
        entry.count_memory(self.limiter.counted());
        self.entry = entry;
    }

    /// The umask, which is 0 from now on: a shell puts those of its subshells into the modes that it gives.
    pub(crate) fn take_umask(&mut self) -> u32 {
        std::mem::take(&mut self.startup.umask)
    }

    pub(crate) fn caller(&self) -> Caller {
        Caller {
            process: self.entry.pid,
            ..self.kernel.caller(self.startup.umask)
        }
    }

    pub(crate) fn startup(&self) -> &Startup {
        &self.startup
    }

    pub(crate) fn into_startup(self) -> Startup {
        self.startup
    }

    pub(crate) fn descriptors(&mut self) -> &mut Descriptors {
        &mut self.descriptors
    }

    pub(crate) fn open_descriptors(&self) -> &Descriptors {
        &self.descriptors
    }

    /// The open object of this number, or one that refuses everything where it is closed.
    pub(crate) fn descriptor(&self, number: u32) -> Arc<Object> {
        match self.descriptors.get(number) {
            Ok(object) => Arc::clone(object),
            Err(_) => Arc::new(Object::closed()),
        }
    }

    /// The open object of this number.
    pub(crate) fn open(&self, number: u32) -> Option<&Arc<Object>> {
        self.descriptors.get(number).ok()
    }

    /// The numbers of its open descriptors.
    pub(crate) fn open_numbers(&self) -> impl Iterator<Item = u32> {
        self.descriptors.numbers()
    }

    /// Has the instance be interrupted where somebody asks for it while it computes.
    pub(crate) fn interrupted_by(&mut self, interrupt: Interrupt) {
        self.interrupt = Some(interrupt);
    }

    /// What was asked to interrupt it.
    fn asked(&self) -> Option<&Interrupt> {
        self.interrupt
            .as_ref()
            .filter(|interrupt| interrupt.is_asked())
    }

    /// The limit that a request for memory or table elements was refused for.
    pub(crate) fn limit_hit(&self) -> Option<Limit> {
        self.limiter.hit()
    }

    /// Says on the guest's standard error why it ends. What cannot be written at once is lost.
    /// The arguments, its name first.
    pub(crate) fn arguments(&self) -> &[Vec<u8>] {
        &self.startup.arguments
    }

    pub(crate) fn complain(&self, reason: &str) {
        let name = self
            .startup
            .arguments
            .first()
            .map(|name| String::from_utf8_lossy(name));
        let line = format!("{}: {reason}\n", name.as_deref().unwrap_or("program"));
        if let Ok(object) = self.descriptors.get(2) {
            let _ = object.write(line.as_bytes());
        }
    }

    /// Fails where no further descriptor may be opened (T38).
    fn check_open_files(&self, held: usize) -> Result<(), Errno> {
        if self.descriptors.open() + held >= self.kernel.limited().open_files {
            return Err(Errno::TooManyDescriptors);
        }
        Ok(())
    }
}

impl IoView for Guest {
    fn table(&mut self) -> &mut ResourceTable {
        &mut self.resources
    }
}

/// A store for `guest`, within its limits, that lets others run at every tick of the epoch.
pub(crate) fn store(guest: Guest) -> Store<Guest> {
    let engine = guest.kernel.settings().engine.clone();
    let mut store = Store::new(engine.wasm(), guest);
    store.limiter(|guest| &mut guest.limiter);
    store.set_hostcall_fuel(HOST_CALL_BYTES);
    // Decision: tokio's own way to give way. It looks at timers and sockets before it goes on with who
    // gave way; a task that only wakes itself keeps a worker from that for 61 slices (T50).
    store.epoch_deadline_callback(|mut store| {
        if let Some(interrupt) = store.data().asked().cloned() {
            interrupt.deliver(&mut store);
        }
        let others = Box::pin(tokio::task::yield_now());
        Ok(UpdateDeadline::YieldCustom(1, others))
    });
    store.set_epoch_deadline(1);
    store
}

/// Everything that guests can import. What is not here they cannot reach: no HTTP, no files of the
/// host, and no sockets beyond the sandbox's own loopback.
pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<Guest>> {
    let mut linker = Linker::new(engine);
    let l = &mut linker;
    wasmtime_wasi_io::add_to_linker_async(l)?;
    wasi::cli::environment::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::exit::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::stdin::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::stdout::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::stderr::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::terminal_input::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::terminal_output::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::terminal_stdin::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::terminal_stdout::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::cli::terminal_stderr::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::clocks::monotonic_clock::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::clocks::wall_clock::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::filesystem::types::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::filesystem::preopens::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::random::random::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::random::insecure::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::random::insecure_seed::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    let options = wasi::sockets::network::LinkOptions::default();
    wasi::sockets::network::add_to_linker::<_, HasSelf<Guest>>(l, &options, itself)?;
    wasi::sockets::instance_network::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::sockets::ip_name_lookup::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::sockets::tcp::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::sockets::tcp_create_socket::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::sockets::udp::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    wasi::sockets::udp_create_socket::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    sandbox::types::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    sandbox::vfs::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    sandbox::process::add_to_linker::<_, HasSelf<Guest>>(l, itself)?;
    Ok(linker)
}

fn itself(guest: &mut Guest) -> &mut Guest {
    guest
}
