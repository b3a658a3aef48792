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
    /// The place where the caller goes on when the call ends by an exception. Without one, the caller ends
    /// too.
    pub landing: Option<Box<LandingPad>>,
}

/// The place where a function goes on when a call of its ends by an exception.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LandingPad {
    /// The op that comes next.
    pub target: Pc,
    /// The first of two slots: the address of the exception, and the number of the clause that stops it,
    /// or 0.
    pub dst: Slot,
    /// The exceptions that it stops; the first clause that fits counts.
    pub clauses: Vec<LandingClause>,
    /// True if it is entered by exceptions that it does not stop, too: to clean up.
    pub cleans_up: bool,
}

/// A kind of exceptions that a landing pad stops. Types are addresses, which only the language's own library
/// understands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum LandingClause {
    /// Those that a handler of this type takes; null takes all.
    Catch {
        /// The type.
        ty: Operand,
        /// The number of the type in this program.
        number: u32,
    },
    /// Those that no handler of these types takes: the function has promised to throw no others.
    Filter {
        /// The types.
        types: Vec<Operand>,
    },
}

impl LandingClause {
    /// What the function finds in the second slot if this clause stops an exception.
    pub fn selector(&self) -> i32 {
        match self {
            LandingClause::Catch { number, .. } => *number as i32,
            LandingClause::Filter { .. } => -1,
        }
    }

    /// The types that it names.
    pub fn types(&self) -> &[Operand] {
        match self {
            LandingClause::Catch { ty, .. } => std::slice::from_ref(ty),
            LandingClause::Filter { types } => types,
        }
    }

    /// The types that it names, to change.
    pub(crate) fn types_mut(&mut self) -> &mut [Operand] {
        match self {
            LandingClause::Catch { ty, .. } => std::slice::from_mut(ty),
            LandingClause::Filter { types } => types,
        }
    }
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
