//! Our own backend: terms to gates to clauses, decided by CaDiCaL.
//!
//! [`Bitblast`] keeps circuits and SAT solvers between queries. A query is a set of assumptions, so
//! the next query of the same path, or of a sibling path, starts with everything that was
//! translated and learnt before. For small byte-wise queries, the usual ones, this is several times
//! faster than an SMT library; `docs/maintainers/solver.md` has the figures.

mod circuits;
mod gates;
mod instance;
mod memory;
#[cfg(test)]
mod tests;
mod words;

use everett_expr::{Pool, TermId};

use self::circuits::TermCircuits;
use self::gates::Lit;
use self::instance::{SatInstance, SatResult};
use super::{Backend, SolverAnswer, collect_vars};
use crate::budget::QueryBudget;
use crate::error::SolverError;
use crate::model::Model;

/// The conditions under which SAT instances are replaced; the defaults were measured
/// (`docs/maintainers/solver.md`).
#[derive(Clone, Copy, Debug)]
pub struct ResetPolicy {
    /// An instance smaller than this many variables is always kept.
    pub keep_below_vars: usize,
    /// Beyond that, an instance is kept while it has at most this many times the variables that
    /// the query itself needs.
    pub growth_max: usize,
    /// All circuits are forgotten when they hold this many gates and literals.
    pub circuits_max: usize,
}

impl Default for ResetPolicy {
    fn default() -> Self {
        ResetPolicy { keep_below_vars: 2_000, growth_max: 4, circuits_max: 16 << 20 }
    }
}

/// The bit-blasting backend.
pub struct Bitblast {
    policy: ResetPolicy,
    circuits: TermCircuits,
    instance: SatInstance,
    core: Vec<TermId>,
    resets: u64,
}

impl Bitblast {
    /// A backend with the measured reset policy.
    pub fn new() -> Bitblast {
        Bitblast::with_policy(ResetPolicy::default())
    }

    /// A backend with a reset policy of one's own.
    pub fn with_policy(policy: ResetPolicy) -> Bitblast {
        Bitblast {
            policy,
            circuits: TermCircuits::new(),
            instance: SatInstance::new(),
            core: Vec::new(),
            resets: 0,
        }
    }

    /// Returns the number of times that an instance was replaced.
    pub fn resets(&self) -> u64 {
        self.resets
    }

    fn model(&self, pool: &Pool, assertions: &[TermId]) -> Model {
        let values = collect_vars(pool, assertions).into_iter().map(|var| {
            let bits = self.circuits.input(var).unwrap_or([Lit::FALSE; 8]);
            let value =
                (0..8).fold(0, |byte, bit| byte | u8::from(self.instance.value(bits[bit])) << bit);
            (var, value)
        });
        Model::new(values)
    }

    /// Replaces the instance if it has outgrown the query.
    fn make_room(&mut self, lits: &[Lit]) {
        let len = self.instance.len();
        if len <= self.policy.keep_below_vars {
            return;
        }
        let needed = self.circuits.gates.cone_len(lits);
        if len > needed.saturating_mul(self.policy.growth_max) {
            self.instance = SatInstance::new();
            self.resets += 1;
        }
    }
}

impl Default for Bitblast {
    fn default() -> Self {
        Bitblast::new()
    }
}

impl Backend for Bitblast {
    fn name(&self) -> &'static str {
        "bitblast"
    }

    fn check(
        &mut self,
        pool: &Pool,
        assertions: &[TermId],
        budget: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError> {
        self.core.clear();
        if self.circuits.size() > self.policy.circuits_max || budget.is_short_of_memory() {
            self.circuits = TermCircuits::new();
            self.instance = SatInstance::new();
            self.resets += 1;
        }
        let budget = budget.begun();
        let mut lits = Vec::with_capacity(assertions.len());
        let mut terms = Vec::with_capacity(assertions.len());
        for &term in assertions {
            let Some(lit) = self.circuits.truth(pool, term, &budget) else {
                return Ok(SolverAnswer::Unknown);
            };
            match lit {
                Lit::TRUE => {}
                Lit::FALSE => {
                    self.core.push(term);
                    return Ok(SolverAnswer::Unsat);
                }
                lit => {
                    lits.push(lit);
                    terms.push(term);
                }
            }
        }
        self.make_room(&lits);
        let gates = &self.circuits.gates;
        let literal = |&lit: &Lit| self.instance.literal(gates, lit, &budget);
        let Some(assumptions) = lits.iter().map(literal).collect::<Option<Vec<i32>>>() else {
            return Ok(SolverAnswer::Unknown);
        };
        match self.instance.solve(&assumptions, &budget) {
            SatResult::Sat => Ok(SolverAnswer::Sat(self.model(pool, assertions))),
            SatResult::Unknown => Ok(SolverAnswer::Unknown),
            SatResult::Unsat => {
                let used = terms.iter().zip(&assumptions);
                let failed = used.filter(|&(_, &assumption)| self.instance.failed(assumption));
                self.core.extend(failed.map(|(&term, _)| term));
                Ok(SolverAnswer::Unsat)
            }
        }
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}
