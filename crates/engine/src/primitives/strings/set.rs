//! A set of bytes, some of them symbolic: the second argument of `strspn` and its relatives.

use everett_expr::{Pool, TermId};
use everett_memory::ByteValue;

use super::chain::{ByteTruth, equal};

/// A set of bytes.
pub(super) struct ByteSet {
    concrete: [bool; 256],
    symbolic: Vec<TermId>,
}

impl ByteSet {
    pub(super) fn new(members: &[ByteValue]) -> ByteSet {
        let mut set = ByteSet { concrete: [false; 256], symbolic: Vec::new() };
        for member in members {
            match member {
                ByteValue::Concrete(byte) => set.concrete[usize::from(*byte)] = true,
                ByteValue::Symbolic(term) => set.symbolic.push(*term),
            }
        }
        set
    }

    /// Returns `true` if nothing is known of a concrete byte only if it is a member.
    pub(super) fn is_concrete(&self) -> bool {
        self.symbolic.is_empty()
    }

    /// Returns `true` if a byte is one of the concrete members.
    pub(super) fn has(&self, byte: u8) -> bool {
        self.concrete[usize::from(byte)]
    }

    /// Returns `true` if a byte is a member.
    pub(super) fn contains(&self, pool: &Pool, byte: ByteValue) -> ByteTruth {
        let concrete = match byte {
            ByteValue::Concrete(byte) => self.has(byte).into(),
            ByteValue::Symbolic(term) => self.in_ranges(pool, term),
        };
        self.symbolic.iter().fold(concrete, |found, member| {
            found.or(pool, equal(pool, byte, ByteValue::Symbolic(*member)))
        })
    }

    /// Returns `true` if a symbolic byte is in one of the ranges that the concrete members form.
    fn in_ranges(&self, pool: &Pool, byte: TermId) -> ByteTruth {
        let mut found = ByteTruth::No;
        let mut low = 0;
        while low < 256 {
            if !self.concrete[low] {
                low += 1;
                continue;
            }
            let high = (low..256).take_while(|byte| self.concrete[*byte]).last().unwrap_or(low);
            let within = if low == high {
                pool.eq(byte, pool.constant(8, low as u64))
            } else {
                let distance = pool.sub(byte, pool.constant(8, low as u64));
                pool.ule(distance, pool.constant(8, (high - low) as u64))
            };
            found = found.or(pool, ByteTruth::of(pool, within));
            low = high + 1;
        }
        found
    }
}
