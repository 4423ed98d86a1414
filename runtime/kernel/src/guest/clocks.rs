//! `wasi:clocks`, over the sandbox's time.

use std::sync::Arc;
use std::time::Duration;

use offshoot_boxed::boxed;
use wasmtime::component::Resource;
use wasmtime_wasi_io::poll::{DynPollable, Pollable, subscribe};

use super::Guest;
use super::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use crate::Time;

impl wall_clock::Host for Guest {
    fn now(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        let now = self.kernel.settings().time.wall();
        let seconds = u64::try_from(now.seconds).unwrap_or(0);
        Ok(wall_clock::Datetime {
            seconds,
            nanoseconds: now.nanoseconds,
        })
    }

    fn resolution(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        let step = Duration::from_nanos(self.kernel.settings().time.resolution());
        Ok(wall_clock::Datetime {
            seconds: step.as_secs(),
            nanoseconds: step.subsec_nanos(),
        })
    }
}

impl monotonic_clock::Host for Guest {
    fn now(&mut self) -> wasmtime::Result<u64> {
        Ok(self.kernel.settings().time.monotonic())
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(self.kernel.settings().time.resolution())
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let time = Arc::clone(&self.kernel.settings().time);
        let timer = self.resources.push(Timer::new(time, when))?;
        subscribe(&mut self.resources, timer)
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.kernel.settings().time.monotonic();
        self.subscribe_instant(now.saturating_add(duration))
    }
}

/// Waits for an instant on the sandbox's monotonic clock.
pub(crate) struct Timer {
    time: Arc<dyn Time>,
    instant: u64,
    /// It ran out once, so that it stays ready.
    reached: bool,
}

impl Timer {
    pub(crate) fn new(time: Arc<dyn Time>, instant: u64) -> Timer {
        Timer {
            time,
            instant,
            reached: false,
        }
    }

    pub(crate) async fn wait(&mut self) {
        while !self.reached {
            let now = self.time.monotonic();
            if now >= self.instant {
                self.reached = true;
                return;
            }
            let left = self.instant - now;
            tokio::time::sleep(Duration::from_nanos(left)).await;
            self.time.reached(self.instant);
        }
    }
}

#[boxed]
impl Pollable for Timer {
    async fn ready(&mut self) {
        self.wait().await;
    }
}
