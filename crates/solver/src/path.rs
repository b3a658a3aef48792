//! Path conditions: what a path has assumed, and one input that takes it there.

mod condition;
mod constraints;
mod extremes;
mod join;
mod settle;
#[cfg(test)]
mod tests;
mod undefined;

pub use self::condition::{BranchFeasibility, BranchWitness, PathCondition};
pub(crate) use self::constraints::{ConstraintEntry, ConstraintList};
pub use self::undefined::{CountedUse, UndefinedUses};
