//! The places that ops name: program counters, slots of a frame, and [`Operand`]s.

use serde::{Deserialize, Serialize};

/// Index of an op in [`crate::Program::ops`].
pub type Pc = u32;

/// A numbered register of a stack frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Slot(pub u32);

impl Slot {
    /// The slot `n` after this one: where the next word of a wide value lives.
    pub fn plus(self, n: u32) -> Slot {
        Slot(self.0 + n)
    }
}

/// A source of a value: a frame slot, or an entry of [`crate::Program::consts`].
///
/// Encoded in one signed word: slots are non-negative, constants are complemented.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(i32);

impl Operand {
    /// The operand that reads a frame slot.
    #[inline(always)]
    pub fn slot(slot: Slot) -> Operand {
        debug_assert!(slot.0 <= i32::MAX as u32);
        Operand(slot.0 as i32)
    }

    /// The operand that reads entry `index` of the constant table.
    #[inline(always)]
    pub fn constant(index: u32) -> Operand {
        debug_assert!(index <= i32::MAX as u32);
        Operand(!(index as i32))
    }

    /// The raw encoding: `>= 0` is a slot, `< 0` is the complement of a constant's index.
    #[inline(always)]
    pub fn raw(self) -> i32 {
        self.0
    }

    /// The slot it reads, if it reads one.
    pub fn as_slot(self) -> Option<Slot> {
        (self.0 >= 0).then_some(Slot(self.0 as u32))
    }

    /// The index of the constant it reads, if it reads one.
    pub fn as_constant(self) -> Option<u32> {
        (self.0 < 0).then_some(!self.0 as u32)
    }

    /// The operand of the word `n` words further on, for values of several slots.
    #[inline(always)]
    pub fn plus(self, n: u32) -> Operand {
        if self.0 >= 0 { Operand(self.0 + n as i32) } else { Operand(self.0 - n as i32) }
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_slot() {
            Some(slot) => write!(f, "%{}", slot.0),
            None => write!(f, "#{}", !self.0),
        }
    }
}

/// The number of slots that an integer of `width` bits takes.
pub fn words(width: u32) -> u32 {
    width.div_ceil(64).max(1)
}
