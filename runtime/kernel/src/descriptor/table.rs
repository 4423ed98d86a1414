//! The numbers by which a process knows its open objects.

use std::sync::Arc;

use super::Object;
use crate::guest::Errno;

/// A process's descriptors. The lowest free number is given out first, as POSIX has it.
#[derive(Default)]
pub(crate) struct Descriptors {
    slots: Vec<Option<Arc<Object>>>,
    open: usize,
    /// How many may be open at once.
    most: usize,
}

impl Descriptors {
    pub(crate) fn new(most: usize) -> Descriptors {
        Descriptors {
            slots: Vec::new(),
            open: 0,
            most,
        }
    }

    /// Gives `object` the lowest free number.
    pub(crate) fn insert(&mut self, object: Arc<Object>) -> Result<u32, Errno> {
        self.check()?;
        let free = match self.open == self.slots.len() {
            true => None,
            false => self.slots.iter().position(Option::is_none),
        };
        let number = free.unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[number] = Some(object);
        self.open += 1;
        u32::try_from(number).map_err(|_| Errno::Overflow)
    }

    /// Gives `object` this number, closing what had it.
    pub(crate) fn put(&mut self, number: u32, object: Arc<Object>) -> Result<(), Errno> {
        let number = number as usize;
        // A number far above the limit would make the table large (T38).
        if number >= self.most.saturating_mul(4) {
            return Err(Errno::BadDescriptor);
        }
        self.check()?;
        if number >= self.slots.len() {
            self.slots.resize_with(number + 1, || None);
        }
        if self.slots[number].replace(object).is_none() {
            self.open += 1;
        }
        Ok(())
    }

    pub(crate) fn get(&self, number: u32) -> Result<&Arc<Object>, Errno> {
        self.slots
            .get(number as usize)
            .and_then(Option::as_ref)
            .ok_or(Errno::BadDescriptor)
    }

    pub(crate) fn close(&mut self, number: u32) {
        if let Some(slot) = self.slots.get_mut(number as usize)
            && slot.take().is_some()
        {
            self.open -= 1;
        }
    }

    /// Whether another process has the object of this number open too.
    pub(crate) fn is_shared(&self, number: u32) -> bool {
        let Ok(object) = self.get(number) else {
            return false;
        };
        let own = self.slots.iter().flatten();
        let own = own.filter(|known| Arc::ptr_eq(known, object)).count();
        Arc::strong_count(object) > own
    }

    /// How many are open.
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    /// The numbers of all that are open.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        let open = self
            .slots
            .iter()
            .zip(0..)
            .filter(|(slot, _)| slot.is_some());
        open.map(|(_, number)| number)
    }

    fn check(&self) -> Result<(), Errno> {
        if self.open >= self.most {
            return Err(Errno::TooManyDescriptors);
        }
        Ok(())
    }
}
