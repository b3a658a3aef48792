//! One CaDiCaL solver and the part of the gate graph that it knows.
//!
//! All clauses are definitions of gates (Tseitin's, in both directions), so they hold whatever is
//! asked; a query only assumes literals. An instance therefore serves any number of queries and
//! keeps what it has learnt. Because the SAT solver assigns all variables that it knows, an
//! instance that has grown far beyond a query's own circuit is slower than a new one. The
//! owner of an instance decides when to replace it.

use cadical::{Callbacks, Solver};
use everett_base::Map;

use super::gates::{Gate, GateGraph, Lit};
use crate::budget::QueryBudget;

/// Lets CaDiCaL ask whether the budget is used up.
struct BudgetWatch {
    budget: QueryBudget,
}

impl Callbacks for BudgetWatch {
    fn terminate(&mut self) -> bool {
        self.budget.is_spent()
    }

    /// Learnt clauses are of no interest: none is short enough.
    fn max_length(&self) -> i32 {
        -1
    }
}

/// The result of a SAT call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SatResult {
    Sat,
    Unsat,
    Unknown,
}

/// A SAT solver with the gates that were put into it.
pub(crate) struct SatInstance {
    solver: Solver<BudgetWatch>,
    /// The SAT literal of a gate's node.
    variables: Map<u32, i32>,
    next_variable: i32,
    stack: Vec<u32>,
}

impl SatInstance {
    pub(crate) fn new() -> SatInstance {
        SatInstance {
            solver: Solver::new(),
            variables: Map::default(),
            next_variable: 1,
            stack: Vec::new(),
        }
    }

    /// Returns the number of variables that the SAT solver has to assign.
    pub(crate) fn len(&self) -> usize {
        self.variables.len()
    }

    /// The SAT literal of a gate literal, with all definitions below it; not for constants. `None` if
    /// the budget was used up first.
    pub(crate) fn literal(
        &mut self,
        gates: &GateGraph,
        lit: Lit,
        budget: &QueryBudget,
    ) -> Option<i32> {
        debug_assert!(!lit.is_constant(), "constants are decided before the SAT solver");
        let variable = match self.variables.get(&lit.node()) {
            Some(&variable) => variable,
            None => self.define(gates, lit.node(), budget)?,
        };
        Some(if lit.is_negated() { -variable } else { variable })
    }

    /// Adds the clauses of a gate after those of its operands. What is defined already stays if the
    /// budget is used up.
    fn define(&mut self, gates: &GateGraph, root: u32, budget: &QueryBudget) -> Option<i32> {
        let mut steps = 0;
        self.stack.clear();
        self.stack.push(root);
        while let Some(&node) = self.stack.last() {
            if budget.is_spent_at_step(&mut steps) {
                return None;
            }
            if self.variables.contains_key(&node) {
                self.stack.pop();
                continue;
            }
            let gate = gates.gate(node);
            let (operands, count) = gate.operands();
            let waiting = self.stack.len();
            for lit in &operands[..count] {
                if !lit.is_constant() && !self.variables.contains_key(&lit.node()) {
                    self.stack.push(lit.node());
                }
            }
            if self.stack.len() == waiting {
                self.stack.pop();
                // CaDiCaL tries true first. Zeros satisfy more of what programs ask than ones do,
                // so the SAT variable is the negation.
                let variable = -self.next_variable;
                self.next_variable += 1;
                self.variables.insert(node, variable);
                self.add_definition(gate, variable);
            }
        }
        Some(self.variables[&root])
    }

    fn known(&self, lit: Lit) -> i32 {
        let variable = self.variables[&lit.node()];
        if lit.is_negated() { -variable } else { variable }
    }

    fn add_definition(&mut self, gate: Gate, z: i32) {
        match gate {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                self.clauses(&[&[-z, a], &[-z, b], &[z, -a, -b]]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                self.clauses(&[&[-z, a, b], &[-z, -a, -b], &[z, -a, b], &[z, a, -b]]);
            }
            Gate::Mux(s, t, e) => {
                let (s, t, e) = (self.known(s), self.known(t), self.known(e));
                self.clauses(&[&[-s, -t, z], &[-s, t, -z], &[s, -e, z], &[s, e, -z]]);
                // Redundant, but lets a value through when both sides agree.
                self.clauses(&[&[-t, -e, z], &[t, e, -z]]);
            }
            Gate::Maj(a, b, c) => {
                let (a, b, c) = (self.known(a), self.known(b), self.known(c));
                self.clauses(&[&[-a, -b, z], &[-a, -c, z], &[-b, -c, z]]);
                self.clauses(&[&[a, b, -z], &[a, c, -z], &[b, c, -z]]);
            }
        }
    }

    fn clauses(&mut self, clauses: &[&[i32]]) {
        for clause in clauses {
            self.solver.add_clause(clause.iter().copied());
        }
    }

    /// Decides the gates under assumptions, within the budget.
    pub(crate) fn solve(&mut self, assumptions: &[i32], budget: &QueryBudget) -> SatResult {
        self.solver.set_callbacks(Some(BudgetWatch { budget: budget.begun() }));
        if let Some(conflicts) = budget.conflicts() {
            let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
            self.solver.set_limit("conflicts", limit).expect("CaDiCaL has a limit of this name");
        }
        let verdict = self.solver.solve_with(assumptions.iter().copied());
        self.solver.set_callbacks(None);
        match verdict {
            Some(true) => SatResult::Sat,
            Some(false) => SatResult::Unsat,
            None => SatResult::Unknown,
        }
    }

    /// The value of a gate literal after [`SatResult::Sat`]; bits that no query mentioned are false.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        if let Some(value) = lit.as_constant() {
            return value;
        }
        let value = self
            .variables
            .get(&lit.node())
            .is_some_and(|&variable| self.solver.value(variable) == Some(true));
        value != lit.is_negated()
    }

    /// Returns `true` if an assumption was used after [`SatResult::Unsat`].
    pub(crate) fn failed(&self, assumption: i32) -> bool {
        self.solver.failed(assumption)
    }
}
