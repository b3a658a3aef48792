//! [`MessageCount`]: the number of Trojan messages, where it can be told by counting small parts.
//!
//! The messages that satisfy a conjunction are counted as a product over parts that share no byte, each by
//! trying all values of its one or two bytes. Messages that satisfy none of several rows are counted by
//! inclusion and exclusion; rows of one program mostly exclude each other, so few intersections are there.

use everett_base::Map;
use everett_expr::{Pool, SymbolId, TermId, VarId};

/// The most bytes of a part whose values are tried.
const PART_BYTES_MAX: usize = 2;
/// The most intersections of rows that are counted.
const INTERSECTIONS_MAX: usize = 1 << 12;

/// A number of messages, `count` times 256 to the power of `power_of_256`. Long messages have so many values
/// that no integer holds their number, but most of their bytes can have any value.
///
/// There is one way to write each number: `count` is not divisible by 256, and 0 has no power.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageCount {
    /// The first factor.
    pub count: u128,
    /// The exponent of the second factor.
    pub power_of_256: u32,
}

everett_base::portable!(struct MessageCount { count, power_of_256 });

impl MessageCount {
    /// The number `count` times 256 to the power of `power_of_256`.
    pub fn new(mut count: u128, mut power_of_256: u32) -> Self {
        if count == 0 {
            return MessageCount { count, power_of_256: 0 };
        }
        while count.is_multiple_of(256) {
            count /= 256;
            power_of_256 += 1;
        }
        MessageCount { count, power_of_256 }
    }

    /// The sum of two numbers; `None` if it has too many digits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let power = self.power_of_256.min(other.power_of_256);
        let multiple = |number: Self| {
            let factor = 256u128.checked_pow(number.power_of_256 - power)?;
            number.count.checked_mul(factor)
        };
        match (self.count, other.count) {
            (0, _) => Some(other),
            (_, 0) => Some(self),
            _ => Some(MessageCount::new(multiple(self)?.checked_add(multiple(other)?)?, power)),
        }
    }
}

/// Counts messages of one length.
pub(crate) struct MessageCounter<'a> {
    pool: &'a Pool,
    message: SymbolId,
    /// Conjunctions that were counted, with the number of bytes that they are about.
    known: Map<Vec<TermId>, Option<u128>>,
}

/// An intersection of the conditions with some rows.
struct Intersection {
    terms: Vec<TermId>,
    /// The first row that may be added.
    next_row: usize,
    is_added: bool,
}

impl<'a> MessageCounter<'a> {
    pub(crate) fn new(pool: &'a Pool, message: SymbolId) -> Self {
        MessageCounter { pool, message, known: Map::default() }
    }

    /// The bytes of the message that terms depend on, ascending; `None` if they depend on other bytes.
    pub(crate) fn bytes(&self, terms: impl IntoIterator<Item = TermId>) -> Option<Vec<VarId>> {
        let vars = terms.into_iter().flat_map(|term| self.pool.support(term).iter());
        let mut vars: Vec<VarId> = vars.collect();
        vars.sort_unstable();
        vars.dedup();
        let is_message = |&var: &VarId| self.pool.var_owner(var).0 == self.message;
        vars.iter().all(is_message).then_some(vars)
    }

    /// The number of values of `bytes` bytes that satisfy all conditions and none of the rows, whose terms
    /// are about these bytes only.
    pub(crate) fn count(
        &mut self,
        conditions: &[TermId],
        rows: &[Vec<TermId>],
        bytes: usize,
    ) -> Option<u128> {
        let whole = Intersection { terms: conditions.to_vec(), next_row: 0, is_added: true };
        let (mut added, mut taken) = (0u128, 0u128);
        let mut waiting = vec![whole];
        for _ in 0..INTERSECTIONS_MAX {
            self.pool.interrupt().check();
            let Some(Intersection { terms, next_row, is_added }) = waiting.pop() else {
                return added.checked_sub(taken);
            };
            let count = self.count_conjunction(&terms, bytes)?;
            if count == 0 {
                continue;
            }
            let sum = if is_added { &mut added } else { &mut taken };
            *sum = sum.checked_add(count)?;
            for (row, more) in rows.iter().enumerate().skip(next_row) {
                let terms = terms.iter().chain(more).copied().collect();
                waiting.push(Intersection { terms, next_row: row + 1, is_added: !is_added });
            }
        }
        None
    }

    fn count_conjunction(&mut self, terms: &[TermId], bytes: usize) -> Option<u128> {
        let (mut product, mut covered) = (1u128, 0);
        for mut part in crate::sender::split(self.pool, terms, &Default::default()) {
            part.sort_unstable();
            part.dedup();
            let vars = self.bytes(part.iter().copied())?;
            covered += vars.len();
            let count = match self.known.get(&part) {
                Some(&count) => count,
                None => {
                    let count = self.count_part(&part, &vars);
                    self.known.insert(part, count);
                    count
                }
            };
            product = product.checked_mul(count?)?;
        }
        let free = 256u128.checked_pow(u32::try_from(bytes.checked_sub(covered)?).ok()?)?;
        product.checked_mul(free)
    }

    /// Tries all values of the bytes of a part.
    fn count_part(&self, terms: &[TermId], vars: &[VarId]) -> Option<u128> {
        if vars.len() > PART_BYTES_MAX {
            return None;
        }
        let holds = |number: &u32| {
            let values = number.to_le_bytes();
            let assignment = |var: VarId| vars.iter().zip(values).find(|(of, _)| **of == var);
            let value = |var: VarId| assignment(var).map_or(0, |(_, value)| value);
            terms.iter().all(|&term| self.pool.eval_bool(term, &value))
        };
        Some((0..1u32 << (8 * vars.len())).filter(holds).count() as u128)
    }
}
