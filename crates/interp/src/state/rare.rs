//! [`RareThreadData`]: what few threads have beside a stack.
//!
//! Plain data; `jump.rs`, `ops/watch.rs` and `ops/poison.rs` work on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::{Apart, Copies};
use everett_ir::{GlobalId, Pc};

use crate::bug::Bug;
use crate::state::reg::Reg;
use crate::state::watch::AccessWatch;

/// Data that few threads have, kept apart so that states are small.
#[derive(Clone, Debug, Default)]
pub(crate) struct RareThreadData {
    /// Instances of thread-local variables; where there is none, the variable itself is the instance.
    pub(crate) locals: BTreeMap<GlobalId, u64>,
    /// Places that the thread may jump back to.
    pub(crate) jumps: Vec<JumpTarget>,
    /// Operations without a result on the path, with the bugs that they are once used.
    pub(crate) poisons: Option<PoisonedResults>,
    /// The watch over its accesses.
    pub(crate) watch: Option<AccessWatch>,
}

everett_base::portable!(struct RareThreadData { locals, jumps, poisons, watch });

/// Nothing in it is shared.
impl Apart for RareThreadData {
    fn apart(&mut self, _: &mut Copies) {}
}

/// A place to come back to.
#[derive(Clone, Debug)]
pub(crate) struct JumpTarget {
    /// Address of the object that marks the frame.
    pub(crate) marker: u64,
    /// The buffer that it was first stored to.
    pub(crate) buffer: u64,
    /// The call that returns again.
    pub(crate) pc: Pc,
    /// Objects that the frame had.
    pub(crate) objects: usize,
    /// Its registers.
    pub(crate) regs: Arc<[Reg]>,
}

everett_base::portable!(struct JumpTarget { marker, buffer, pc, objects, regs });

/// The operations without a result on a path.
#[derive(Clone, Debug)]
pub(crate) struct PoisonedResults {
    /// Depth of the outermost frame that made one: when it returns, none is left.
    pub(crate) depth: u32,
    /// Their ops, and the bugs that they are once used.
    pub(crate) made: Vec<(Pc, Bug)>,
}

everett_base::portable!(struct PoisonedResults { depth, made });
