//! Side tables of control ops: call sites, switches, targets of indirect jumps.

use serde::{Deserialize, Serialize};

use crate::ids::{FuncId, SignatureId};
use crate::op::operand::{Operand, Pc, Slot};
use crate::signature::ValueClass;

/// The thing that a call calls.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A known function, defined or not.
    Direct(FuncId),
    /// The function whose address the operand holds.
    Indirect(Operand),
}

/// One call instruction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallSite {
    /// The thing that is called.
    pub callee: Callee,
    /// The type that the function is called as.
    pub signature: SignatureId,
    /// Fixed arguments, flattened: one operand a parameter slot.
    pub args: Vec<Operand>,
    /// Width in bits of each entry of `args`.
    pub widths: Vec<u8>,
    /// Aggregates passed by value: the callee gets the address of a copy.
    pub by_val: Vec<ByVal>,
    /// Arguments after the fixed ones.
    pub var_args: Vec<VarArg>,
    /// First slot of the result.
    pub dst: Slot,
    /// Slots of the result; 0 for `void`.
    pub ret_slots: u16,
    /// Width in bits of each result slot.
    pub ret_widths: Vec<u8>,
    /// True if anything in the caller reads the result.
    pub result_used: bool,
}

/// An argument passed by value in memory.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ByVal {
    /// Index into [`CallSite::args`].
    pub arg: u16,
    /// Bytes to copy.
    pub size: u32,
    /// Alignment of the copy.
    pub align: u32,
}

/// A variable argument, as it is laid out in the callee's argument area.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VarArg {
    /// First slot of the value (for `by_val`, of its address).
    pub value: Operand,
    /// The class by which the calling convention passes it.
    pub class: ValueClass,
    /// Width in bits of each slot; one entry a slot.
    pub widths: Vec<u8>,
    /// Bytes taken in the argument area, before rounding up to 8.
    pub size: u32,
    /// Alignment in the argument area: 8 or 16.
    pub align: u32,
    /// True if `value` is the address of `size` bytes to copy.
    pub by_val: bool,
}

/// A switch: sorted cases and a default.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SwitchTable {
    /// The op that follows when no case matches.
    pub default: Pc,
    /// Case values, sorted, and their targets.
    pub cases: Vec<(u64, Pc)>,
}

impl SwitchTable {
    /// The target for a concrete value.
    pub fn target(&self, value: u64) -> Pc {
        // Most switches are dense and start near zero: try the obvious place first.
        if let Some(first) = self.cases.first() {
            let guess = value.wrapping_sub(first.0) as usize;
            if let Some(case) = self.cases.get(guess)
                && case.0 == value
            {
                return case.1;
            }
        }
        match self.cases.binary_search_by_key(&value, |case| case.0) {
            Ok(found) => self.cases[found].1,
            Err(_) => self.default,
        }
    }
}

/// The blocks that an `indirectbr` may reach.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IndirectTargets {
    /// First ops of the blocks, and where control really goes (through the edge's copies).
    pub targets: Vec<(Pc, Pc)>,
}
