//! Comparisons of one byte with constants: all values at once.
//!
//! Most terms over one byte only compare it with constants, and combine the results. Then the set of
//! values that satisfy the term follows from its structure, without trying any.

use everett_expr::{BinOp, Pool, TermId, TermNode, UnOp};

use super::sets::ByteSet;

/// Levels of terms that are looked into.
const MAX_DEPTH: u32 = 32;
/// Nodes of a tree that is looked into; a shared term counts as often as it occurs.
const MAX_NODES: u32 = 256;

/// The values for which a term of one bit holds, if it only compares the byte with constants.
pub(super) fn satisfying(pool: &Pool, term: TermId) -> Option<ByteSet> {
    (pool.tree_size(term) <= MAX_NODES).then(|| satisfying_below(pool, term, MAX_DEPTH))?
}

fn satisfying_below(pool: &Pool, term: TermId, depth: u32) -> Option<ByteSet> {
    let depth = depth.checked_sub(1)?;
    match pool.node(term) {
        TermNode::Const(0) => Some(ByteSet::NONE),
        TermNode::Const(_) => Some(ByteSet::ALL),
        TermNode::Unary(UnOp::Not, a) => Some(satisfying_below(pool, a, depth)?.not()),
        TermNode::Extract { term, low } if matches!(pool.node(term), TermNode::Var(_)) => {
            Some(ByteSet::with(|byte| byte >> low & 1 == 1))
        }
        TermNode::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), a, b) => {
            let (a, b) = (satisfying_below(pool, a, depth)?, satisfying_below(pool, b, depth)?);
            Some(match op {
                BinOp::And => a.merge(b, |a, b| a & b),
                BinOp::Or => a.merge(b, |a, b| a | b),
                _ => a.merge(b, |a, b| a ^ b),
            })
        }
        TermNode::Binary(BinOp::Eq, a, b) if pool.width(a) == 1 => {
            let (a, b) = (satisfying_below(pool, a, depth)?, satisfying_below(pool, b, depth)?);
            Some(a.merge(b, |a, b| !(a ^ b)))
        }
        TermNode::Binary(op @ (BinOp::Eq | BinOp::Ult | BinOp::Slt), a, b) => {
            let width = pool.width(a);
            match (op, side(pool, a)?, side(pool, b)?) {
                (BinOp::Eq, ComparisonSide::Byte, ComparisonSide::Known(value))
                | (BinOp::Eq, ComparisonSide::Known(value), ComparisonSide::Byte) => {
                    Some(ByteSet::only(value))
                }
                (op, a, b) => {
                    Some(ByteSet::with(|byte| op.apply(width, a.value(byte), b.value(byte)) == 1))
                }
            }
        }
        _ => None,
    }
}

/// One side of a comparison.
#[derive(Clone, Copy)]
enum ComparisonSide {
    Known(u64),
    /// The byte, with zeros above it.
    Byte,
    /// The byte, with copies of its sign above it, as so many bits.
    Signed(u32),
}

impl ComparisonSide {
    fn value(self, byte: u64) -> u64 {
        match self {
            ComparisonSide::Known(value) => value,
            ComparisonSide::Byte => byte,
            ComparisonSide::Signed(width) => {
                i64::from(byte as u8 as i8) as u64 & (u64::MAX >> (64 - width))
            }
        }
    }
}

fn side(pool: &Pool, term: TermId) -> Option<ComparisonSide> {
    let width = pool.width(term);
    let is_byte = |term| matches!(pool.node(term), TermNode::Var(_));
    match pool.node(term) {
        TermNode::Const(value) => Some(ComparisonSide::Known(value)),
        TermNode::Var(_) => Some(ComparisonSide::Byte),
        TermNode::ZExt(inner) if width <= 64 && is_byte(inner) => Some(ComparisonSide::Byte),
        TermNode::SExt(inner) if width <= 64 && is_byte(inner) => {
            Some(ComparisonSide::Signed(width))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use everett_expr::VarId;

    use super::*;

    /// All values, one by one.
    fn tried(pool: &Pool, term: TermId) -> ByteSet {
        ByteSet::with(|value| pool.eval_u64(term, &|_: VarId| value as u8) == 1)
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
                if let Some(values) = satisfying(&pool, term) {
                    assert_eq!(values, tried(&pool, term), "{}", pool.display(term));
                }
            }
            assert!(satisfying(&pool, a).is_some(), "{}", pool.display(a));
        }
    }
}
