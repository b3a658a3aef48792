//! A backend made of two that must agree.
//!
//! [`Checking`] asks both, compares, and evaluates every model. Any difference is a
//! [`SolverError`] with the query as an SMT-LIB script, so that a third solver can be asked.

use everett_expr::{Pool, TermId};

use super::{Answer, Backend};
use crate::budget::Budget;
use crate::error::SolverError;

/// Runs two backends on every query; answers with the first one's answer.
pub struct Checking {
    first: Box<dyn Backend>,
    second: Box<dyn Backend>,
}

impl Checking {
    /// Compares these two.
    pub fn new(first: Box<dyn Backend>, second: Box<dyn Backend>) -> Checking {
        Checking { first, second }
    }
}

impl Backend for Checking {
    fn name(&self) -> &'static str {
        "checking"
    }

    fn check(
        &mut self,
        pool: &Pool,
        assertions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        let first = self.first.check(pool, assertions, budget)?;
        let second = self.second.check(pool, assertions, budget)?;
        verify_model(pool, assertions, &first, self.first.name())?;
        verify_model(pool, assertions, &second, self.second.name())?;
        match (&first, &second) {
            (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)) => {
                Err(SolverError::Disagreement {
                    first: self.first.name(),
                    first_says: word(&first),
                    second: self.second.name(),
                    second_says: word(&second),
                    script: pool.smtlib(assertions),
                })
            }
            // One that ran out of budget says nothing against the other.
            (Answer::Unknown, _) => Ok(second),
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
    answer: &Answer,
    backend: &'static str,
) -> Result<(), SolverError> {
    match answer {
        Answer::Sat(model) if !assertions.iter().all(|&term| pool.eval_u64(term, model) == 1) => {
            Err(SolverError::WrongModel { backend, script: pool.smtlib(assertions) })
        }
        _ => Ok(()),
    }
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown => "unknown",
    }
}
