//! Comparisons with constants: refuting a query without a solver.
//!
//! Loops compare one term with one constant after another. The constraints `x < c` and `!(x < c)`
//! on a term leave an interval (and `x != c` may trim its ends); a query that leaves the interval
//! empty is unsatisfiable. What the pool itself knows of a term's range is the interval's start.
//! Signed comparisons are intervals too, with the sign bit flipped.

use everett_expr::{BinOp, Pool, TermId, TermNode, UnOp};

/// A comparison of a term with a constant: `low <= term <= high`, or outside of that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TermBound {
    term: TermId,
    signed: bool,
    low: u64,
    high: u64,
    outside: bool,
}

/// Returns `true` if the constraints' comparisons alone contradict `query`.
pub(crate) fn refute(pool: &Pool, constraints: &[TermId], query: TermId) -> bool {
    let Some(asked) = bound(pool, query) else { return false };
    let Some((mut low, mut high)) = limits(pool, asked) else { return false };
    let mut meet = |bound: TermBound| {
        if !bound.outside {
            low = low.max(bound.low);
            high = high.min(bound.high);
        }
    };
    meet(asked);
    let of_same_term = |&constraint: &TermId| {
        bound(pool, constraint).filter(|b| b.term == asked.term && b.signed == asked.signed)
    };
    constraints.iter().filter_map(of_same_term).for_each(&mut meet);
    if low > high {
        return true;
    }
    // Excluded values can only trim the ends; as many rounds as there are exclusions suffice.
    let excluded: Vec<(u64, u64)> = std::iter::once(asked)
        .chain(
            constraints
                .iter()
                .filter_map(|constraint| bound(pool, *constraint).filter(|b| b.term == asked.term)),
        )
        .filter(|bound| bound.outside)
        .map(|bound| shifted(pool, bound, asked.signed))
        .collect();
    for _ in 0..=excluded.len() {
        for &(first, last) in &excluded {
            if first <= low && low <= last {
                match last.checked_add(1) {
                    Some(next) => low = next,
                    None => return true,
                }
            }
            if first <= high && high <= last {
                match first.checked_sub(1) {
                    Some(next) => high = next,
                    None => return true,
                }
            }
            if low > high {
                return true;
            }
        }
    }
    false
}

/// An excluded value in the order (signed or not) of the question.
fn shifted(pool: &Pool, bound: TermBound, signed: bool) -> (u64, u64) {
    let flip = if bound.signed == signed { 0 } else { sign_bit(pool.width(bound.term)) };
    (bound.low ^ flip, bound.high ^ flip)
}

fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Returns the bounds of the term without constraints, in the question's order.
fn limits(pool: &Pool, asked: TermBound) -> Option<(u64, u64)> {
    let width = pool.width(asked.term);
    if asked.signed {
        return Some((0, mask(width)));
    }
    let range = pool.range(asked.term)?;
    Some((range.umin, range.umax))
}

/// Reads a term as a comparison with a constant of at most 64 bits.
fn bound(pool: &Pool, term: TermId) -> Option<TermBound> {
    let (inner, negated) = match pool.node(term) {
        TermNode::Unary(UnOp::Not, inner) => (inner, true),
        _ => (term, false),
    };
    match pool.node(inner) {
        TermNode::Binary(op, a, b) => compare(pool, op, a, b, negated),
        TermNode::Extract { term, low } => sign(pool, term, low, negated),
        _ => None,
    }
}

/// The sign bit of a term is a comparison with zero.
fn sign(pool: &Pool, term: TermId, bit: u32, negated: bool) -> Option<TermBound> {
    let width = pool.width(term);
    if bit + 1 != width || width > 64 {
        return None;
    }
    let zero = sign_bit(width);
    let (low, high) = if negated { (zero, mask(width)) } else { (0, zero - 1) };
    Some(TermBound { term, signed: true, low, high, outside: false })
}

fn compare(pool: &Pool, op: BinOp, a: TermId, b: TermId, negated: bool) -> Option<TermBound> {
    let width = pool.width(a);
    if width > 64 {
        return None;
    }
    let signed = op == BinOp::Slt;
    let flip = if signed { sign_bit(width) } else { 0 };
    let interval = |term, low, high| Some(TermBound { term, signed, low, high, outside: false });
    match (op, pool.as_const(a), pool.as_const(b)) {
        (BinOp::Eq, None, Some(value)) | (BinOp::Eq, Some(value), None) => {
            let term = if pool.as_const(a).is_some() { b } else { a };
            Some(TermBound { term, signed, low: value, high: value, outside: negated })
        }
        (BinOp::Ult | BinOp::Slt, None, Some(value)) => {
            let value = value ^ flip;
            if negated {
                interval(a, value, mask(width))
            } else {
                interval(a, 0, value.checked_sub(1)?)
            }
        }
        (BinOp::Ult | BinOp::Slt, Some(value), None) => {
            let value = value ^ flip;
            if negated {
                interval(b, 0, value)
            } else {
                interval(b, value.checked_add(1).filter(|&v| v <= mask(width))?, mask(width))
            }
        }
        _ => None,
    }
}
