//! The memory of a component whose build gave its host a way to it (`guest-tools/python/reach.py`).

use wasmtime::component::{Component, ComponentExportIndex, Instance, TypedFunc, WasmList};
use wasmtime::{Store, error::Context as _};

use super::interrupt::Way;
use super::pages::Place;
use crate::guest::Guest;
use crate::limit::HOST_CALL_BYTES;

/// What such a component exports.
const INTERFACE: &str = "offshoot:sandbox/memory@0.1.0";
/// Bytes of a page of WebAssembly.
pub(super) const PAGE: usize = 64 << 10;
/// Bytes that are compared and kept as one.
pub(super) const BLOCK: usize = 4 << 10;

/// Bytes of memory and where they begin.
pub(super) type Region = (u32, bytes::Bytes);

/// The functions that reach the memory.
pub(super) struct Reach {
    size: TypedFunc<(), (u32,)>,
    grow: TypedFunc<(u32,), (u32,)>,
    read: TypedFunc<(u32, u32), (WasmList<u8>,)>,
    stack: TypedFunc<(), (u32,)>,
    identity: TypedFunc<(), (u64,)>,
    interrupt: TypedFunc<(u32,), (u32,)>,
}

impl Reach {
    /// Whether instances of a component have them.
    pub(super) fn is_in(component: &Component) -> bool {
        component.get_export_index(None, INTERFACE).is_some()
    }

    /// The functions of an instance; none where its component has none.
    pub(super) fn of(
        store: &mut Store<Guest>,
        instance: &Instance,
    ) -> wasmtime::Result<Option<Reach>> {
        let Some(interface) = instance.get_export_index(&mut *store, None, INTERFACE) else {
            return Ok(None);
        };
        let mut find = |name: &str| -> wasmtime::Result<ComponentExportIndex> {
            let found = instance.get_export_index(&mut *store, Some(&interface), name);
            found.with_context(|| format!("{INTERFACE} has no {name}"))
        };
        let names = ["size", "grow", "read", "stack", "identity", "interrupt"];
        let mut at = Vec::with_capacity(names.len());
        for name in names {
            at.push(find(name)?);
        }
        Ok(Some(Reach {
            size: instance.get_typed_func(&mut *store, at[0])?,
            grow: instance.get_typed_func(&mut *store, at[1])?,
            read: instance.get_typed_func(&mut *store, at[2])?,
            stack: instance.get_typed_func(&mut *store, at[3])?,
            identity: instance.get_typed_func(&mut *store, at[4])?,
            interrupt: instance.get_typed_func(&mut *store, at[5])?,
        }))
    }

    /// Pages of [`PAGE`] bytes.
    pub(super) async fn size(&self, store: &mut Store<Guest>) -> wasmtime::Result<u32> {
        Ok(self.size.call_async(store, ()).await?.0)
    }

    /// Where the stack is.
    pub(super) async fn stack(&self, store: &mut Store<Guest>) -> wasmtime::Result<u32> {
        Ok(self.stack.call_async(store, ()).await?.0)
    }

    /// Which component it is, by its content.
    pub(super) async fn identity(&self, store: &mut Store<Guest>) -> wasmtime::Result<u64> {
        Ok(self.identity.call_async(store, ()).await?.0)
    }

    /// How it is interrupted.
    pub(super) async fn way(&self, store: &mut Store<Guest>) -> wasmtime::Result<Way> {
        let mut words = [0; Way::WORDS];
        for (number, word) in (0..).zip(&mut words) {
            (*word,) = self.interrupt.call_async(&mut *store, (number,)).await?;
        }
        Ok(Way::new(words))
    }

    /// Lets `look` see the whole memory.
    pub(super) async fn view<T>(
        &self,
        store: &mut Store<Guest>,
        look: impl FnOnce(&[u8]) -> T,
    ) -> wasmtime::Result<T> {
        let size = self.size(store).await? as usize * PAGE;
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        // Nothing is copied out of the guest here, but it is counted as if it were.
        store.set_hostcall_fuel(usize::MAX);
        let list = self.read.call_async(&mut *store, (0, size)).await;
        store.set_hostcall_fuel(HOST_CALL_BYTES);
        let (list,) = list?;
        Ok(look(list.as_le_slice(&*store)))
    }

    /// The numbers of the blocks that may have been written to since the instance was made.
    pub(super) async fn touched(&self, store: &mut Store<Guest>) -> wasmtime::Result<Touched> {
        Ok(self.place(store).await?.written())
    }

    /// Makes the memory as large as this.
    pub(super) async fn grow_to(
        &self,
        store: &mut Store<Guest>,
        pages: u32,
    ) -> wasmtime::Result<()> {
        let present = self.size(store).await?;
        let more = pages
            .checked_sub(present)
            .context("the image has less memory than the program begins with")?;
        if more > 0 && self.grow.call_async(store, (more,)).await?.0 == u32::MAX {
            return Err(wasmtime::Error::msg("the memory of the image does not fit"));
        }
        Ok(())
    }

    /// Writes regions, each of which must lie within the memory.
    pub(super) async fn write(
        &self,
        store: &mut Store<Guest>,
        regions: &[(u32, &[u8])],
    ) -> wasmtime::Result<()> {
        let place = self.place(store).await?;
        match place.write(store, regions) {
            true => Ok(()),
            false => Err(wasmtime::Error::msg("a region is outside the memory")),
        }
    }

    /// Where the memory is.
    pub(super) async fn place(&self, store: &mut Store<Guest>) -> wasmtime::Result<Place> {
        self.view(store, Place::of).await
    }
}

/// The numbers of blocks in their order; none where nobody can tell.
pub(super) type Touched = Option<Vec<u32>>;
