//! Faults that a world has only so many of, where each node counts its own.

use everett_posix::Guest;

use crate::parallel::context::RunContext;
use crate::state::node_state::{FaultBudget, PathState};

/// Symbols from here on downwards stand for budgets of faults that were used, not for bytes.
pub(crate) const LAST_SYMBOL: u32 = u32::MAX;
/// There are fewer kinds of faults and links than this.
const BUDGETS: u32 = 1 << 17;

/// Returns `true` if a symbol is not one of bytes, but stands for a budget of faults.
pub(crate) fn stands_for_faults(symbol: u32) -> bool {
    LAST_SYMBOL - symbol < BUDGETS
}

/// Budgets of a world whose faults nodes count on their own, with the most that may happen.
pub(crate) fn limited<'s>(
    context: &'s RunContext<'_>,
) -> impl Iterator<Item = (FaultBudget, u32)> + 's {
    context.limited.iter().copied()
}

/// The faults of a budget that a state has spent.
pub(crate) fn count(context: &RunContext<'_>, st: &PathState, of: FaultBudget) -> u32 {
    let faults = st.extra.node().faults();
    match of {
        FaultBudget::Kind(kind) => faults.count(kind),
        FaultBudget::Link(number) => faults.count_on(&context.config.links[number as usize]),
    }
}
