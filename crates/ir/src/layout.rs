//! The places in memory of the slots of a value that has several.

pub(crate) mod structs;
mod values;

use serde::{Deserialize, Serialize};

/// The memory layout of a first-class value that takes several slots.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ValueLayout {
    /// Bytes that an access touches.
    pub size: u32,
    /// One entry a slot, in slot order.
    pub slots: Vec<LayoutSlot>,
}

/// One slot of a [`ValueLayout`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LayoutSlot {
    /// Offset from the start, in bytes.
    pub offset: u32,
    /// Significant bits in the slot.
    pub bits: u8,
    /// Bytes in memory, at most 8.
    pub bytes: u8,
}
