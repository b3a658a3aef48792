//! Queries over a single byte: trying all of its values.
//!
//! Programs compare bytes one at a time, so many slices mention only one; 256 evaluations decide
//! them faster than a solver starts, and no arithmetic on a byte is hard that way. The answer is
//! the smallest value, whatever was asked before.
//!
//! Most of these terms only compare the byte with constants: then all values are tried at once, as a set
//! of 256 bits.

use std::sync::Arc;

use everett_expr::{BinOp, Evaluator, Node, Pool, TermId, UnOp, VarId};

use super::exact::Verdict;
use crate::budget::Budget;
use crate::model::Model;

/// Nodes that all terms together may have; beyond it a solver is cheaper.
const MAX_NODES: u64 = 4096;

/// Whether the terms can hold together, if they depend on one byte only and are small. `None` also when
/// the budget is used up.
pub(crate) fn decide(
    pool: &Pool,
    constraints: &[TermId],
    query: TermId,
    budget: &Budget,
) -> Option<Verdict> {
    let var = only_byte(pool, query)?;
    let mut nodes = u64::from(pool.tree_size(query));
    for constraint in constraints {
        nodes += u64::from(pool.tree_size(*constraint));
        if nodes > MAX_NODES || only_byte(pool, *constraint) != Some(var) {
            return None;
        }
    }
    if let Some(values) = all(pool, constraints, query) {
        return Some(verdict(var, values.smallest()));
    }
    let holds = |value: &u8| {
        let assignment = |_: VarId| *value;
        let mut evaluator = Evaluator::new(pool, &assignment);
        evaluator.eval_u64(query) == 1
            && constraints.iter().all(|term| evaluator.eval_u64(*term) == 1)
    };
    for value in 0..=u8::MAX {
        // The size of a term is counted up to a thousand only: one evaluation can take a while.
        if budget.is_spent() {
            return None;
        }
        if holds(&value) {
            return Some(verdict(var, Some(value)));
        }
    }
    Some(verdict(var, None))
}

fn verdict(var: VarId, value: Option<u8>) -> Verdict {
    match value {
        Some(value) => Verdict::Sat(Arc::new(Model::new([(var, value)]))),
        None => Verdict::Unsat,
    }
}

/// Values of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Values([u64; 4]);

impl Values {
    const ALL: Values = Values([u64::MAX; 4]);
    const NONE: Values = Values([0; 4]);

    /// The values for which something holds.
    fn with(holds: impl Fn(u64) -> bool) -> Values {
        let word = |first: u64| {
            (0..64u64).fold(0, |word, bit| word | u64::from(holds(first + bit)) << bit)
        };
        Values([word(0), word(64), word(128), word(192)])
    }

    /// One value, if it is one of a byte.
    fn only(value: u64) -> Values {
        let mut values = Values::NONE;
        if value < 256 {
            values.0[value as usize / 64] |= 1 << (value % 64);
        }
        values
    }

    fn not(self) -> Values {
        Values(self.0.map(|word| !word))
    }

    fn merge(self, other: Values, merge: impl Fn(u64, u64) -> u64) -> Values {
        Values(std::array::from_fn(|i| merge(self.0[i], other.0[i])))
    }

    fn smallest(self) -> Option<u8> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some((word as u32 * 64 + self.0[word].trailing_zeros()) as u8)
    }
}

/// Levels of terms that are looked into.
const MAX_DEPTH: u32 = 32;

/// The values for which all terms hold, if they only compare the byte with constants.
fn all(pool: &Pool, constraints: &[TermId], query: TermId) -> Option<Values> {
    let mut values = satisfying(pool, query, MAX_DEPTH)?;
    for constraint in constraints {
        values = values.merge(satisfying(pool, *constraint, MAX_DEPTH)?, |a, b| a & b);
    }
    Some(values)
}

/// The values for which a term of one bit holds.
fn satisfying(pool: &Pool, term: TermId, depth: u32) -> Option<Values> {
    let depth = depth.checked_sub(1)?;
    match pool.node(term) {
        Node::Const(0) => Some(Values::NONE),
        Node::Const(_) => Some(Values::ALL),
        Node::Unary(UnOp::Not, a) => Some(satisfying(pool, a, depth)?.not()),
        Node::Extract { term, low } if matches!(pool.node(term), Node::Var(_)) => {
            Some(Values::with(|byte| byte >> low & 1 == 1))
        }
        Node::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), a, b) => {
            let (a, b) = (satisfying(pool, a, depth)?, satisfying(pool, b, depth)?);
            Some(match op {
                BinOp::And => a.merge(b, |a, b| a & b),
                BinOp::Or => a.merge(b, |a, b| a | b),
                _ => a.merge(b, |a, b| a ^ b),
            })
        }
        Node::Binary(BinOp::Eq, a, b) if pool.width(a) == 1 => {
            let (a, b) = (satisfying(pool, a, depth)?, satisfying(pool, b, depth)?);
            Some(a.merge(b, |a, b| !(a ^ b)))
        }
        Node::Binary(op @ (BinOp::Eq | BinOp::Ult | BinOp::Slt), a, b) => {
            let width = pool.width(a);
            match (op, side(pool, a)?, side(pool, b)?) {
                (BinOp::Eq, Side::Byte, Side::Known(value))
                | (BinOp::Eq, Side::Known(value), Side::Byte) => Some(Values::only(value)),
                (op, a, b) => {
                    Some(Values::with(|byte| op.apply(width, a.value(byte), b.value(byte)) == 1))
                }
            }
        }
        _ => None,
    }
}

/// What is compared.
#[derive(Clone, Copy)]
enum Side {
    Known(u64),
    /// The byte, with zeros above it.
    Byte,
    /// The byte, with copies of its sign above it, as so many bits.
    Signed(u32),
}

impl Side {
    fn value(self, byte: u64) -> u64 {
        match self {
            Side::Known(value) => value,
            Side::Byte => byte,
            Side::Signed(width) => i64::from(byte as u8 as i8) as u64 & (u64::MAX >> (64 - width)),
        }
    }
}

fn side(pool: &Pool, term: TermId) -> Option<Side> {
    let width = pool.width(term);
    let is_byte = |term| matches!(pool.node(term), Node::Var(_));
    match pool.node(term) {
        Node::Const(value) => Some(Side::Known(value)),
        Node::Var(_) => Some(Side::Byte),
        Node::ZExt(inner) if width <= 64 && is_byte(inner) => Some(Side::Byte),
        Node::SExt(inner) if width <= 64 && is_byte(inner) => Some(Side::Signed(width)),
        _ => None,
    }
}

fn only_byte(pool: &Pool, term: TermId) -> Option<VarId> {
    let support = pool.support(term);
    if support.len() == 1 { support.iter().next() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All values, one by one.
    fn tried(pool: &Pool, term: TermId) -> Values {
        Values::with(|value| pool.eval_u64(term, &|_: VarId| value as u8) == 1)
    }

    #[test]
    fn sets_of_values_are_those_that_satisfy_the_term() {
        let pool = Pool::new();
        let symbol = pool.symbol("x", 1);
        let byte = pool.byte(symbol, 0);
        let mut bits = vec![pool.bool(true), pool.bool(false)];
        for width in [8, 16, 32, 64] {
            for signed in [false, true] {
                let side = match (width, signed) {
                    (8, _) => byte,
                    (_, true) => pool.sext(byte, width),
                    (_, false) => pool.zext(byte, width),
                };
                for value in [0, 1, 65, 127, 128, 255, 256, u64::MAX - 3, u64::MAX] {
                    let value = pool.constant(width, value & (u64::MAX >> (64 - width)));
                    bits.push(pool.eq(side, value));
                    bits.push(pool.ult(side, value));
                    bits.push(pool.ult(value, side));
                    bits.push(pool.slt(side, value));
                    bits.push(pool.slt(value, side));
                }
            }
        }
        for (i, &a) in bits.iter().enumerate() {
            let b = bits[(i * 7 + 3) % bits.len()];
            let terms = [
                a,
                pool.not(a),
                pool.and(a, b),
                pool.or(a, b),
                pool.eq(a, b),
                pool.binary(BinOp::Xor, a, b),
            ];
            for term in terms {
                // What the pool has rewritten into something else is left to the other way.
                if let Some(values) = satisfying(&pool, term, MAX_DEPTH) {
                    assert_eq!(values, tried(&pool, term), "{}", pool.display(term));
                }
            }
            assert!(satisfying(&pool, a, MAX_DEPTH).is_some(), "{}", pool.display(a));
        }
    }

    #[test]
    fn smallest_value_is_found_in_any_word() {
        for value in 0..=255 {
            assert_eq!(Values::only(value).smallest(), Some(value as u8));
        }
        assert_eq!(Values::only(256).smallest(), None);
        assert_eq!(Values::ALL.smallest(), Some(0));
    }
}
