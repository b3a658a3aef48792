//! Which backend decides a query, from the query's structure.
//!
//! Measured in `docs/solver.md`: the bit-blaster wins wherever queries are small and alike, which
//! is nearly always; Boolector wins where rewriting pays before any bit is looked at, that is on
//! wide products and quotients of unknowns, and on many reads through many stores at unknown
//! indices.

use everett_base::Map;
use everett_expr::{ArrayNode, BinOp, Node, Pool, TermId};

/// Products and quotients of unknowns from this width on are hard.
const HARD_WIDTH: u32 = 24;
/// Stores at unknown indices below one read, from which on Boolector is better.
pub(super) const STORES_MIN: u32 = 8;

/// What makes a term hard to bit-blast, in the term or below it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Traits {
    wide_product: bool,
    deep_stores: bool,
}

impl Traits {
    fn or(self, other: Traits) -> Traits {
        Traits {
            wide_product: self.wide_product | other.wide_product,
            deep_stores: self.deep_stores | other.deep_stores,
        }
    }
}

/// Remembers the traits of terms.
#[derive(Default)]
pub(crate) struct Chooser {
    known: Map<TermId, Traits>,
}

impl Chooser {
    /// Whether Boolector should decide this conjunction.
    pub(crate) fn prefers_boolector(&mut self, pool: &Pool, terms: &[TermId]) -> bool {
        let all =
            terms.iter().fold(Traits::default(), |all, &term| all.or(self.traits(pool, term)));
        all.wide_product || all.deep_stores
    }

    fn traits(&mut self, pool: &Pool, root: TermId) -> Traits {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            let mut traits = own_traits(pool, term);
            pool.for_each_operand(term, |operand| match self.known.get(&operand) {
                Some(&below) => traits = traits.or(below),
                None => stack.push(operand),
            });
            if stack.len() == waiting {
                stack.pop();
                self.known.insert(term, traits);
            }
        }
        self.known[&root]
    }
}

fn own_traits(pool: &Pool, term: TermId) -> Traits {
    match pool.node(term) {
        Node::Binary(op, a, b) => {
            let hard = match op {
                BinOp::Mul => !pool.is_const(a) && !pool.is_const(b),
                BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => !pool.is_const(b),
                _ => false,
            };
            let wide_product = hard && pool.width(a) >= HARD_WIDTH;
            Traits { wide_product, deep_stores: false }
        }
        Node::Select(array, _) => {
            let mut array = array;
            let mut unknown_indices = 0;
            while let ArrayNode::Store { array: below, index, .. } = pool.array_node(array) {
                unknown_indices += u32::from(!pool.is_const(index));
                array = below;
            }
            Traits { wide_product: false, deep_stores: unknown_indices >= STORES_MIN }
        }
        _ => Traits::default(),
    }
}
