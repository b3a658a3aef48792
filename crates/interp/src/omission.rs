//! [`OmissionCounts`]: values and sides of branches that are left out of a run, counted by kind and place.
//!
//! Whoever leaves something out says so here ([`crate::Interp::omit`]), and a run in which anything was
//! left out is not exhaustive.

use std::collections::BTreeMap;

use everett_ir::Pc;

use crate::image::ProgramId;

/// A way in which a path comes to stand for fewer inputs than take it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Omission {
    /// A symbolic floating-point operand has one value from here on.
    FloatOperand,
    /// The program asked for one value of a symbolic one (`klee_get_value`), and has it from here on.
    AskedValue,
    /// A symbolic path name has one value from here on.
    PathName,
    /// An input that a program made symbolic before it set its node up has one value.
    BootInput,
    /// A symbolic value has more values than the path may fork over.
    Values,
    /// A symbolic pointer has more targets than the path may fork over.
    PointerTargets,
    /// A symbolic allocation has more sizes than the path may fork over.
    AllocationSizes,
    /// The program switched forking off: one side of a branch is followed.
    ForkingOff,
    /// A look at sockets could show more parts of what has come than the path may fork over.
    Orders,
    /// The solver reached its budget: one side of a branch is followed.
    SolverTimeout,
    /// Memory was so far above its limit that the solver gave up: one side of a branch is followed.
    SolverMemory,
    /// A peer outside of the exploration was told some values of a symbolic message.
    PeerMessage,
    /// A library of the host carries no bitcode, so that it could not be opened.
    Library,
}

everett_base::portable!(enum Omission {
    0 = FloatOperand, 1 = AskedValue, 2 = PathName, 3 = BootInput, 4 = Values, 5 = PointerTargets,
    6 = AllocationSizes, 7 = ForkingOff, 8 = Orders, 9 = SolverTimeout, 10 = SolverMemory,
    11 = PeerMessage, 12 = Library,
});

/// A place of a program that is executed.
pub type OpPlace = (ProgramId, Pc);

/// The number of omissions of each kind, by their places in the program's own functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OmissionCounts {
    counts: BTreeMap<(Omission, Option<OpPlace>), u64>,
}

everett_base::portable!(struct OmissionCounts { counts });

impl OmissionCounts {
    /// Counts one more.
    pub fn count(&mut self, what: Omission, place: Option<OpPlace>) {
        *self.counts.entry((what, place)).or_insert(0) += 1;
    }

    /// Adds what another interpreter counted.
    pub fn add(&mut self, other: &OmissionCounts) {
        for (key, count) in &other.counts {
            *self.counts.entry(*key).or_insert(0) += count;
        }
    }

    /// Returns true if nothing was left out.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// All of them, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (Omission, Option<OpPlace>, u64)> + '_ {
        self.counts.iter().map(|((what, place), count)| (*what, *place, *count))
    }
}
