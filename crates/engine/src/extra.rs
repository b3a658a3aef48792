//! The engine's part of a state: what primitives remember along a path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use everett_base::plist::List;
use everett_expr::TermId;
use everett_interp::Reg;
use everett_ir::FuncId;

/// Shared between branches until one of them changes it: most states never do.
pub(crate) type Extra = Arc<Notebook>;

/// What primitives remember.
#[derive(Clone, Default)]
pub(crate) struct Notebook {
    /// What the program wrote, newest first.
    pub(crate) output: List<Arc<[u8]>>,
    /// Bytes in `output`.
    pub(crate) output_bytes: usize,
    /// Functions to call at exit, the next one last.
    pub(crate) at_exit: Vec<ExitHandler>,
    /// Set once the program is exiting.
    pub(crate) exiting: Option<Reg>,
    /// Conditions that tests should satisfy if they can, oldest first.
    pub(crate) preferences: Vec<TermId>,
    /// How often each name was used for an input.
    pub(crate) names: BTreeMap<String, u32>,
    /// Calls that the program has redirected; a later entry wins over an earlier one.
    pub(crate) aliases: Vec<Alias>,
    /// Addresses that the program has declared to be in use for ever.
    pub(crate) marked: BTreeSet<u64>,
    /// Inputs taken from the test case that is replayed.
    pub(crate) replayed: usize,
}

/// Calls of some functions that go to another one.
#[derive(Clone)]
pub(crate) struct Alias {
    /// The name or pattern that the program gave.
    pub(crate) pattern: String,
    /// The functions whose calls are redirected.
    pub(crate) from: Vec<FuncId>,
    /// Where they go.
    pub(crate) to: FuncId,
}

/// A function registered to run at exit, with its argument.
#[derive(Clone, Copy)]
pub(crate) struct ExitHandler {
    pub(crate) function: FuncId,
    pub(crate) argument: Option<Reg>,
}

/// Bytes of output that are kept along a path; what comes later is counted but not kept.
pub(crate) const MAX_OUTPUT_BYTES: usize = 1 << 20;

impl Notebook {
    /// Records output.
    pub(crate) fn wrote(&mut self, bytes: &[u8]) {
        let room = MAX_OUTPUT_BYTES.saturating_sub(self.output_bytes);
        self.output_bytes += bytes.len();
        if room > 0 {
            self.output.push(bytes[..bytes.len().min(room)].into());
        }
    }

    /// All output kept so far.
    pub(crate) fn output(&self) -> Vec<u8> {
        let mut chunks: Vec<_> = self.output.iter().collect();
        chunks.reverse();
        chunks.into_iter().flat_map(|chunk| chunk.iter().copied()).collect()
    }
}
