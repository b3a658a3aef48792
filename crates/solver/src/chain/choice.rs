//! Which backend decides a query, from the query's structure.
//!
//! Measured in `docs/solver.md`: the bit-blaster wins wherever queries are small or alike, and on
//! products and quotients of any width; Boolector wins on many reads through many stores at unknown
//! indices, where rewriting pays before any bit is looked at. The measure is the number of index
//! comparisons that the reads need.

use everett_base::{Map, Set};
use everett_expr::{ArrayNode, Node, Pool, TermId};

/// Comparisons of unknown indices in one query, from which on Boolector is faster.
pub(super) const COMPARISONS_MIN: usize = 192;

/// Remembers which terms contain reads through stores at unknown indices.
#[derive(Default)]
pub(crate) struct Chooser {
    with_stores: Map<TermId, bool>,
}

impl Chooser {
    /// Whether Boolector should decide this conjunction.
    pub(crate) fn prefers_boolector(&mut self, pool: &Pool, terms: &[TermId]) -> bool {
        let mut hard = Vec::new();
        for &term in terms {
            if self.has_stores(pool, term) {
                hard.push(term);
            }
        }
        // Nearly all queries end here.
        !hard.is_empty() && self.comparisons(pool, hard) >= COMPARISONS_MIN
    }

    fn has_stores(&mut self, pool: &Pool, root: TermId) -> bool {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.with_stores.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            let mut found = own_comparisons(pool, term) > 0;
            pool.for_each_operand(term, |operand| match self.with_stores.get(&operand) {
                Some(&below) => found |= below,
                None => stack.push(operand),
            });
            if stack.len() == waiting {
                stack.pop();
                self.with_stores.insert(term, found);
            }
        }
        self.with_stores[&root]
    }

    /// All comparisons in terms that are known to have some; shared terms count once.
    fn comparisons(&self, pool: &Pool, mut stack: Vec<TermId>) -> usize {
        let mut seen: Set<TermId> = Set::default();
        let mut sum = 0;
        while let Some(term) = stack.pop() {
            if self.with_stores.get(&term) == Some(&true) && seen.insert(term) {
                sum += own_comparisons(pool, term);
                pool.for_each_operand(term, |operand| stack.push(operand));
            }
        }
        sum
    }
}

/// For a read: the stores below it where store or read is at an unknown index.
fn own_comparisons(pool: &Pool, term: TermId) -> usize {
    let Node::Select(mut array, at) = pool.node(term) else { return 0 };
    let mut count = 0;
    while let ArrayNode::Store { array: below, index, .. } = pool.array_node(array) {
        count += usize::from(!pool.is_const(index) || !pool.is_const(at));
        array = below;
    }
    count
}
