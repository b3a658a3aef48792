//! The engine's side of the set of worlds: the states behind its numbers, and invariants over worlds.
//!
//! The set itself, which knows numbers only, is the crate `everett-world`.

pub(crate) mod arrivals;
pub(crate) mod budgets;
pub(crate) mod invariants;
pub(crate) mod owner;
pub(crate) mod state_table;
pub(crate) mod world_set;
