//! Choice of the backend that decides a query, from the query's structure.
//!
//! Measured in `docs/maintainers/solver.md`: the bit-blaster wins wherever queries are small or alike, and on
//! products and quotients of any width; Boolector wins on many reads through many stores at unknown
//! indices, where rewriting pays before any bit is looked at. The measure is the number of index
//! comparisons that the reads need.

use everett_base::{Map, Set};
use everett_expr::{ArrayNode, Pool, TermId, TermNode};

use crate::budget::QueryBudget;

/// Comparisons of unknown indices in one query, from which on Boolector is faster.
pub(super) const COMPARISONS_MIN: usize = 192;

/// Remembers which terms contain reads through stores at unknown indices.
#[derive(Default)]
pub(crate) struct BackendChooser {
    with_stores: Map<TermId, bool>,
}

impl BackendChooser {
    /// Returns whether Boolector should decide this conjunction; `None` if the budget was used up
    /// first.
    pub(crate) fn prefers_boolector(
        &mut self,
        pool: &Pool,
        terms: &[TermId],
        budget: &QueryBudget,
    ) -> Option<bool> {
        let mut hard = Vec::new();
        for &term in terms {
            if self.has_stores(pool, term, budget)? {
                hard.push(term);
            }
        }
        // Nearly all queries end here.
        Some(!hard.is_empty() && self.are_many_comparisons(pool, hard))
    }

    fn has_stores(&mut self, pool: &Pool, root: TermId, budget: &QueryBudget) -> Option<bool> {
        let mut steps = 0;
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if budget.is_spent_at_step(&mut steps) {
                return None;
            }
            if self.with_stores.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            let mut found = own_comparisons(pool, term).next().is_some();
            pool.for_each_operand(term, |operand| match self.with_stores.get(&operand) {
                Some(&below) => found |= below,
                None => stack.push(operand),
            });
            if stack.len() == waiting {
                stack.pop();
                self.with_stores.insert(term, found);
            }
        }
        Some(self.with_stores[&root])
    }

    /// Returns `true` if there are comparisons enough in terms that are known to have some; shared
    /// terms count once. It looks no further than it has to: reads times stores can be billions.
    fn are_many_comparisons(&self, pool: &Pool, mut stack: Vec<TermId>) -> bool {
        let mut seen: Set<TermId> = Set::default();
        let mut sum = 0;
        while let Some(term) = stack.pop() {
            if self.with_stores.get(&term) == Some(&true) && seen.insert(term) {
                sum += own_comparisons(pool, term).take(COMPARISONS_MIN - sum).count();
                if sum == COMPARISONS_MIN {
                    return true;
                }
                pool.for_each_operand(term, |operand| stack.push(operand));
            }
        }
        false
    }
}

/// For a read: the stores below it where store or read is at an unknown index.
fn own_comparisons(pool: &Pool, term: TermId) -> impl Iterator<Item = ()> {
    let (mut array, at) = match pool.node(term) {
        TermNode::Select(array, at) => (Some(array), Some(at)),
        _ => (None, None),
    };
    let stores = std::iter::from_fn(move || {
        let ArrayNode::Store { array: below, index, .. } = pool.array_node(array?) else {
            return None;
        };
        array = Some(below);
        Some(index)
    });
    let is_known = move |index| pool.is_const(index) && at.is_some_and(|at| pool.is_const(at));
    stores.filter(move |index| !is_known(*index)).map(drop)
}
