//! Backends: what finally decides a conjunction of terms.
//!
//! [`Backend`] is the seam, small on purpose. [`Bitblast`] and [`Boolector`] are the two real ones,
//! [`BruteForce`] tries all values (for tests), [`CheckingBackend`] runs two and compares.

mod bitblast;
mod boolector;
mod brute;
mod checking;

use everett_expr::{Pool, TermId, VarId};

pub use self::bitblast::{Bitblast, ResetPolicy};
pub use self::boolector::Boolector;
pub use self::brute::BruteForce;
pub use self::checking::CheckingBackend;
pub(crate) use self::checking::verify_model;
use crate::budget::QueryBudget;
use crate::error::SolverError;
use crate::model::Model;

/// The answer of a backend about a conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverAnswer {
    /// These values make all assertions true.
    Sat(Model),
    /// No values do.
    Unsat,
    /// The budget was used up first.
    Unknown,
}

/// Decides conjunctions of terms of width 1.
///
/// A backend serves one [`Pool`]: it may remember terms by their ids.
pub trait Backend: Send {
    /// A short name for statistics and reports.
    fn name(&self) -> &'static str;

    /// Returns whether all `assertions` can hold together.
    fn check(
        &mut self,
        pool: &Pool,
        assertions: &[TermId],
        budget: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError>;

    /// After [`SolverAnswer::Unsat`]: assertions that are unsatisfiable by themselves. Empty if the
    /// backend does not know a smaller set than all of them.
    fn core(&self) -> &[TermId] {
        &[]
    }
}

/// All bytes that the terms mention, ascending.
pub(crate) fn collect_vars(pool: &Pool, terms: &[TermId]) -> Vec<VarId> {
    let mut ranges: Vec<(usize, usize)> = terms
        .iter()
        .flat_map(|&term| pool.support(term).ranges())
        .map(|(first, last)| (first.index(), last.index()))
        .collect();
    ranges.sort_unstable();
    let mut vars: Vec<VarId> = Vec::new();
    let mut next = 0;
    for (first, last) in ranges {
        vars.extend((first.max(next)..=last).map(VarId::from_index));
        next = next.max(last + 1);
    }
    vars
}
