//! The Boolector backend.
//!
//! Every query gets a Boolector instance of its own. That costs little (tens of microseconds), lets
//! Boolector simplify the whole query before solving, and keeps its traps out of reach: after one
//! time-out an instance answers "unknown" for ever, and asking for a model after "unsat" or mixing
//! widths ends the process. Here an instance is asked once, a model is read only after "sat", and
//! widths come from terms that the pool has checked.

mod translate;

use std::sync::Arc;

use ::boolector::option::{BtorOption, ModelGen};
use ::boolector::{Btor, SolverResult};
use everett_expr::{Pool, TermId};

use self::translate::BtorTranslator;
use super::{Backend, SolverAnswer, collect_vars};
use crate::budget::QueryBudget;
use crate::error::SolverError;
use crate::model::Model;

/// The SMT backend.
#[derive(Default, Debug)]
pub struct Boolector {
    core: Vec<TermId>,
}

impl Boolector {
    /// A new backend; it keeps nothing between queries.
    pub fn new() -> Boolector {
        Boolector::default()
    }
}

impl Backend for Boolector {
    fn name(&self) -> &'static str {
        "boolector"
    }

    fn check(
        &mut self,
        pool: &Pool,
        assertions: &[TermId],
        budget: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError> {
        self.core.clear();
        if let Some(&term) = assertions.iter().find(|&&term| pool.as_const(term) == Some(0)) {
            self.core.push(term);
            return Ok(SolverAnswer::Unsat);
        }
        let btor = Arc::new(Btor::new());
        btor.set_opt(BtorOption::ModelGen(ModelGen::All));
        let budget = budget.begun();
        let mut translator = BtorTranslator::new(btor.clone());
        for &term in assertions {
            if translator.assert(pool, term, &budget).is_none() {
                return Ok(SolverAnswer::Unknown);
            }
        }
        if let Some(left) = budget.time_left() {
            btor.set_opt(BtorOption::SolverTimeout(Some(left)));
        }
        match btor.sat() {
            SolverResult::Sat => {
                let vars = collect_vars(pool, assertions);
                Ok(SolverAnswer::Sat(Model::new(
                    vars.into_iter().map(|var| (var, translator.solution(var))),
                )))
            }
            SolverResult::Unsat => Ok(SolverAnswer::Unsat),
            SolverResult::Unknown => Ok(SolverAnswer::Unknown),
        }
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}
