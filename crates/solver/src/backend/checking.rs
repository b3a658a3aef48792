//! A backend made of two that must agree.
//!
//! [`CheckingBackend`] asks both, compares, and evaluates every model. Any difference is a
//! [`SolverError`] with the query as an SMT-LIB script, so that a third solver can be asked.

use everett_expr::{Pool, TermId};

use super::{Backend, SolverAnswer};
use crate::budget::QueryBudget;
use crate::error::SolverError;

/// Runs two backends on every query; answers with the first one's answer.
pub struct CheckingBackend {
    first: Box<dyn Backend>,
    second: Box<dyn Backend>,
}

impl CheckingBackend {
    /// Compares these two.
    pub fn new(first: Box<dyn Backend>, second: Box<dyn Backend>) -> CheckingBackend {
        CheckingBackend { first, second }
    }
}

impl Backend for CheckingBackend {
    fn name(&self) -> &'static str {
        "checking"
    }

    fn check(
        &mut self,
        pool: &Pool,
        assertions: &[TermId],
        budget: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError> {
        let first = self.first.check(pool, assertions, budget)?;
        let second = self.second.check(pool, assertions, budget)?;
        verify_model(pool, assertions, &first, self.first.name())?;
        verify_model(pool, assertions, &second, self.second.name())?;
        match (&first, &second) {
            (SolverAnswer::Sat(_), SolverAnswer::Unsat)
            | (SolverAnswer::Unsat, SolverAnswer::Sat(_)) => Err(SolverError::Disagreement {
                first: self.first.name(),
                first_says: word(&first),
                second: self.second.name(),
                second_says: word(&second),
                script: pool.smtlib(assertions),
            }),
            // One that ran out of budget says nothing against the other.
            (SolverAnswer::Unknown, _) => Ok(second),
            _ => Ok(first),
        }
    }

    fn core(&self) -> &[TermId] {
        self.first.core()
    }
}

/// An error if the answer is a model under which some assertion is false.
pub(crate) fn verify_model(
    pool: &Pool,
    assertions: &[TermId],
    answer: &SolverAnswer,
    backend: &'static str,
) -> Result<(), SolverError> {
    match answer {
        SolverAnswer::Sat(model)
            if !assertions.iter().all(|&term| pool.eval_u64(term, model) == 1) =>
        {
            Err(SolverError::WrongModel { backend, script: pool.smtlib(assertions) })
        }
        _ => Ok(()),
    }
}

fn word(answer: &SolverAnswer) -> &'static str {
    match answer {
        SolverAnswer::Sat(_) => "sat",
        SolverAnswer::Unsat => "unsat",
        SolverAnswer::Unknown => "unknown",
    }
}
