//! Values of a large term for all pairs of two bytes: [`ValueTable`].
//!
//! A program that hashes two bytes looks at the hash many times: for an index into a table, for the bucket
//! after it, for a comparison. Each look is a condition of its own with the same hash inside. The hash is
//! computed once for all pairs; what the conditions do with it is little.

use everett_expr::{Pool, TermId};
use smallvec::SmallVec;

use crate::compiled::LaneValues;

/// The number of pairs.
pub(super) const PAIRS: usize = 1 << 16;

/// The values of a term, by the first byte times 256 plus the second.
pub(super) struct ValueTable(pub(super) Box<[u64]>);

/// The part of a term on which all of it depends: what is above it has no other operands than constants.
/// It has at most 64 bits.
pub(super) fn core(pool: &Pool, term: TermId) -> TermId {
    let (mut core, mut part) = (term, term);
    loop {
        let mut operands: SmallVec<[TermId; 4]> = SmallVec::new();
        pool.for_each_operand(part, |operand| {
            if !pool.is_const(operand) && !operands.contains(&operand) {
                operands.push(operand);
            }
        });
        let [only] = operands[..] else { return core };
        part = only;
        if pool.width(part) <= 64 {
            core = part;
        }
    }
}

impl ValueTable {
    /// The value for a pair.
    pub(super) fn value(&self, pair: [u8; 2]) -> u64 {
        self.0[usize::from(u16::from_be_bytes(pair))]
    }

    /// The values for 64 pairs from one on.
    pub(super) fn lanes(&self, first: [u8; 2]) -> LaneValues {
        let first = usize::from(u16::from_be_bytes(first));
        std::array::from_fn(|lane| self.0[first + lane])
    }
}
