//! Values of a large term for all pairs of two bytes: [`ValueTable`].
//!
//! A program that hashes two bytes looks at the hash many times: for an index into a table, for the bucket
//! after it, for a comparison. Each look is a condition of its own with the same hash inside. The hash is
//! computed once for all pairs; what the conditions do with it is little.

use everett_expr::{Assignment, Pool, TermEvaluator, TermId, VarId};
use smallvec::SmallVec;

/// The number of pairs.
pub(super) const PAIRS: usize = 1 << 16;

/// The values of a term, by the first byte times 256 plus the second.
pub(super) struct ValueTable(pub(super) Box<[u64]>);

/// No byte has a value, as nobody asks for one.
struct NoBytes;

impl Assignment for NoBytes {
    fn byte(&self, _: VarId) -> u8 {
        0
    }
}

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
    /// The values of a term for some pairs. The term depends on nothing but its core, of which the table is.
    pub(super) fn values<'t>(
        &'t self,
        pool: &'t Pool,
        core: TermId,
        term: TermId,
        pairs: impl Iterator<Item = u16> + 't,
    ) -> impl Iterator<Item = u64> + 't {
        let mut evaluator = TermEvaluator::new(pool, &NoBytes);
        pairs.map(move |pair| {
            evaluator.assume(core, self.0[usize::from(pair)]);
            evaluator.eval_u64(term)
        })
    }
}
