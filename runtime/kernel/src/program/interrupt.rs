//! Interrupts of a program that computes, where its build gave its host a way to them.

use wasmtime::StoreContextMut;

use super::Rounds;
use super::pages::Place;
use crate::guest::Guest;

/// Words of the program's memory, and what is written there. What they are for an interpreter says its build
/// (`guest-tools/python/reach.py`).
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// Where it says whether it may be interrupted, and its two values.
    armed: u32,
    yes: u32,
    no: u32,
    /// Where it finds what is raised, and that.
    pending: u32,
    raised: u32,
    /// What it looks at now and then, and the bits by which it knows that something is pending.
    breaker: u32,
    bits: u32,
}

impl Way {
    /// How many words the program tells.
    pub(super) const WORDS: usize = 7;

    pub(super) fn new([armed, yes, no, pending, raised, breaker, bits]: [u32; Way::WORDS]) -> Way {
        Way {
            armed,
            yes,
            no,
            pending,
            raised,
            breaker,
            bits,
        }
    }
}

/// What interrupts an instance.
#[derive(Clone)]
pub(crate) struct Interrupt {
    rounds: Rounds,
    place: Place,
    way: Way,
}

impl Interrupt {
    pub(super) fn new(rounds: &Rounds, place: Place, way: Way) -> Interrupt {
        Interrupt {
            rounds: rounds.clone(),
            place,
            way,
        }
    }

    /// Whether somebody asked for it.
    pub(crate) fn is_asked(&self) -> bool {
        self.rounds.is_interrupted()
    }

    /// Interrupts the program, which stands still, if it may be; else it stays asked for.
    pub(crate) fn deliver(&self, store: &mut StoreContextMut<'_, Guest>) {
        let (way, place) = (self.way, self.place);
        if place.word(store, way.armed) != Some(way.yes) {
            return;
        }
        let Some(breaker) = place.word(store, way.breaker) else {
            return;
        };
        let words = [
            (way.armed, way.no),
            (way.pending, way.raised),
            (way.breaker, breaker | way.bits),
        ];
        let words = words.map(|(at, word)| (at, word.to_le_bytes()));
        let words = words.each_ref().map(|(at, word)| (*at, &word[..]));
        place.write(store, &words);
        self.rounds.clear_interrupt();
    }
}
