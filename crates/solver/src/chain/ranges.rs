//! Comparisons with constants: refuting a query without a solver.
//!
//! Loops compare one term with one constant after another. A comparison leaves an arc of the circle of all
//! values: unsigned ones begin at 0, signed ones at the least number, those of a sum with a constant are
//! turned by it, and `x != c` leaves all but a point. So all of them are about the same circle. Arcs that do
//! not go through 0 are intervals, and the others exclude one. What the pool itself knows of a term's range
//! is the interval's start; a query that leaves nothing of it is unsatisfiable.

use everett_expr::{BinOp, Pool, TermId, TermNode, UnOp};
use smallvec::SmallVec;

/// What a comparison with a constant says about a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TermBound {
    term: TermId,
    values: Arc,
}

/// The values from the first to the last one; these go through 0 if the first one is larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    pub(super) first: u64,
    pub(super) last: u64,
}

/// Returns `true` if the constraints' comparisons alone contradict `query`.
pub(crate) fn refute(pool: &Pool, constraints: &[TermId], query: TermId) -> bool {
    let Some(asked) = bound(pool, query) else { return false };
    let Some(range) = pool.range(asked.term) else { return false };
    let (mut low, mut high) = (range.umin, range.umax);
    let mut excluded: SmallVec<[(u64, u64); 8]> = SmallVec::new();
    let mut meet = |values: Arc| match values.first <= values.last {
        true => (low, high) = (low.max(values.first), high.min(values.last)),
        false => excluded.push((values.last + 1, values.first - 1)),
    };
    meet(asked.values);
    let bounds = constraints.iter().filter_map(|constraint| bound(pool, *constraint));
    bounds.filter(|bound| bound.term == asked.term).for_each(|bound| meet(bound.values));
    if low > high {
        return true;
    }
    // Excluded values can only trim the ends; as many rounds as there are exclusions suffice.
    for _ in 0..=excluded.len() {
        for &(first, last) in &excluded {
            if first <= low && low <= last {
                low = last + 1;
            }
            if first <= high && high <= last {
                high = first - 1;
            }
            if low > high {
                return true;
            }
        }
    }
    false
}

fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

/// All ones.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}

/// Reads a term as a comparison with a constant of at most 64 bits.
fn bound(pool: &Pool, term: TermId) -> Option<TermBound> {
    let (inner, negated) = match pool.node(term) {
        TermNode::Unary(UnOp::Not, inner) => (inner, true),
        _ => (term, false),
    };
    let (term, values) = match pool.node(inner) {
        TermNode::Binary(op, a, b) => compare(pool, op, a, b)?,
        TermNode::Extract { term, low } => sign(pool, term, low)?,
        _ => return None,
    };
    let mask = mask(pool.width(term));
    let values = if negated { values.others(mask) } else { values };
    let TermNode::Binary(BinOp::Add, a, b) = pool.node(term) else {
        return Some(TermBound { term, values });
    };
    let summand = match (pool.as_const(a), pool.as_const(b)) {
        (Some(value), None) => Some((b, value)),
        (None, Some(value)) => Some((a, value)),
        _ => None,
    };
    Some(match summand {
        Some((term, value)) => TermBound { term, values: values.turned_back(value, mask) },
        None => TermBound { term, values },
    })
}

/// The sign bit of a term is a comparison with zero.
fn sign(pool: &Pool, term: TermId, bit: u32) -> Option<(TermId, Arc)> {
    let width = pool.width(term);
    let is_sign = bit + 1 == width && width <= 64;
    is_sign.then(|| (term, Arc { first: sign_bit(width), last: mask(width) }))
}

/// Reads an operator as a comparison of a term with a constant of at most 64 bits.
pub(super) fn compare(pool: &Pool, op: BinOp, a: TermId, b: TermId) -> Option<(TermId, Arc)> {
    let width = pool.width(a);
    if width > 64 {
        return None;
    }
    let least = if op == BinOp::Slt { sign_bit(width) } else { 0 };
    let greatest = least.wrapping_sub(1) & mask(width);
    match (op, pool.as_const(a), pool.as_const(b)) {
        (BinOp::Eq, None, Some(value)) => Some((a, Arc { first: value, last: value })),
        (BinOp::Eq, Some(value), None) => Some((b, Arc { first: value, last: value })),
        (BinOp::Ult | BinOp::Slt, None, Some(value)) if value != least => {
            Some((a, Arc { first: least, last: value.wrapping_sub(1) & mask(width) }))
        }
        (BinOp::Ult | BinOp::Slt, Some(value), None) if value != greatest => {
            Some((b, Arc { first: value.wrapping_add(1) & mask(width), last: greatest }))
        }
        _ => None,
    }
}

impl Arc {
    /// All other values.
    fn others(self, mask: u64) -> Arc {
        let Arc { first, last } = self;
        Arc { first: last.wrapping_add(1) & mask, last: first.wrapping_sub(1) & mask }
    }

    /// The values that are in the arc when a number is added.
    fn turned_back(self, number: u64, mask: u64) -> Arc {
        let back = |value: u64| value.wrapping_sub(number) & mask;
        Arc { first: back(self.first), last: back(self.last) }
    }
}
