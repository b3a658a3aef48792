//! Faults that a world has only so many of, where each node counts its own.

use everett_posix::Guest;

use crate::parallel::context::Shared;
use crate::state::node_state::{Budget, St};

/// Symbols from here on downwards stand for budgets of faults that were used, not for bytes.
pub(crate) const LAST_SYMBOL: u32 = u32::MAX;
/// There are fewer kinds of faults and links than this.
const BUDGETS: u32 = 1 << 17;

/// Whether a symbol is not one of bytes, but stands for a budget of faults.
pub(crate) fn stands_for_faults(symbol: u32) -> bool {
    LAST_SYMBOL - symbol < BUDGETS
}

/// What is limited in a world, where nodes count on their own, and how often it may happen.
pub(crate) fn limited<'s>(shared: &'s Shared<'_>) -> impl Iterator<Item = (Budget, u32)> + 's {
    shared.limited.iter().copied()
}

/// How often a state has spent of a budget.
pub(crate) fn count(shared: &Shared<'_>, st: &St, of: Budget) -> u32 {
    let faults = st.extra.node().faults();
    match of {
        Budget::Kind(kind) => faults.count(kind),
        Budget::Link(number) => faults.count_on(&shared.config.links[number as usize]),
    }
}
