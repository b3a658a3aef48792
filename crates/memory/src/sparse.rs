//! Reads at symbolic offsets from tables that have the same entry nearly everywhere.
//!
//! Hash tables, pages of zeros and tables of rare flags are such tables. As an array, a table of 65,536
//! pointers is half a million bytes that a solver has to choose among. Here the read becomes its few
//! exceptions: a choice of constants, by comparisons of the offset. Where the offset only reaches equal
//! entries, the read is a constant.
//!
//! Not here: tables with symbolic bytes or with stores, whose reads stay reads from arrays.

use everett_expr::{Pool, TermId};

/// Entries that differ from all others, at most.
const MAX_EXCEPTIONS: usize = 16;
/// A table with exceptions has at least so many entries for each; smaller ones are as good as arrays.
const ENTRIES_FOR_EACH: u64 = 16;
/// Entries that are looked at for one read, at most: a tenth of a millisecond.
const MAX_ENTRIES: u64 = 1 << 16;

/// A read of `bytes` bytes, in the order of the machine, from a table at an index of 64 bits that keeps the
/// read within `first` and `last`, the first and the last index. Answers `None` where the read is not better
/// off without the array.
pub(crate) fn read(
    pool: &Pool,
    table: &[u8],
    index: TermId,
    bytes: u32,
    (first, last): (u64, u64),
) -> Option<TermId> {
    let range = pool.range(index)?;
    let (first, last) = (first.max(range.umin), last.min(range.umax));
    let step = 1u64 << pool.known_bits(index).zeros.trailing_ones().min(63);
    let first = first.checked_next_multiple_of(step)?;
    if !matches!(bytes, 1 | 2 | 4 | 8)
        || step < u64::from(bytes)
        || last < first
        || (last - first) / step >= MAX_ENTRIES
    {
        return None;
    }
    let entries = (last - first) / step + 1;
    let entry_at = |number: u64| entry(table, first + number * step, bytes);
    let usual = usual_entry(&entry_at, entries);
    let mut exceptions = Vec::new();
    for number in 0..entries {
        let value = entry_at(number);
        if value == usual {
            continue;
        }
        exceptions.push((first + number * step, value));
        if exceptions.len() > MAX_EXCEPTIONS || exceptions.len() as u64 * ENTRIES_FOR_EACH > entries
        {
            return None;
        }
    }
    let constant = |value| pool.constant(8 * bytes, value);
    Some(exceptions.iter().rev().fold(constant(usual), |others, &(at, value)| {
        pool.ite(pool.eq(index, pool.constant(64, at)), constant(value), others)
    }))
}

/// The entry at an index; bytes beyond the end of the table are 0.
fn entry(table: &[u8], at: u64, bytes: u32) -> u64 {
    let mut value = [0; 8];
    if let Some(rest) = usize::try_from(at).ok().and_then(|at| table.get(at..)) {
        let len = rest.len().min(bytes as usize);
        value[..len].copy_from_slice(&rest[..len]);
    }
    u64::from_le_bytes(value)
}

/// The entry that more than half of the entries are, if there is such an entry; else any.
fn usual_entry(entry_at: &impl Fn(u64) -> u64, entries: u64) -> u64 {
    // Few entries, evenly apart, tell the usual one of a table with few exceptions.
    let looked_at = entries.min(64);
    let (mut candidate, mut lead) = (0, 0u32);
    for number in 0..looked_at {
        let value = entry_at(number * (entries / looked_at));
        match lead {
            0 => (candidate, lead) = (value, 1),
            _ if value == candidate => lead += 1,
            _ => lead -= 1,
        }
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a read at each index that it may have.
    fn check(
        pool: &Pool,
        table: &[u8],
        index: TermId,
        bytes: u32,
        limits: (u64, u64),
    ) -> Option<TermId> {
        let term = read(pool, table, index, bytes, limits)?;
        for low in 0..=255u8 {
            for high in [0, 1, 7, 255] {
                let value = |byte| if pool.var_owner(byte).1 == 0 { low } else { high };
                let at = pool.eval_u64(index, &value);
                if (limits.0..=limits.1).contains(&at) {
                    assert_eq!(pool.eval_u64(term, &value), entry(table, at, bytes), "at {at}");
                }
            }
        }
        Some(term)
    }

    fn index(pool: &Pool, shift: u64) -> TermId {
        let symbol = pool.symbol("i", 2);
        let word = pool.concat(pool.byte(symbol, 1), pool.byte(symbol, 0));
        pool.mul(pool.zext(word, 64), pool.constant(64, 1 << shift))
    }

    #[test]
    fn equal_entries_are_a_constant() {
        let pool = Pool::new();
        let read = check(&pool, &[7; 0x1_0000 * 4], index(&pool, 2), 4, (0, 0x3_fffc));
        assert_eq!(read.and_then(|term| pool.as_const(term)), Some(0x0707_0707));
        // Two bytes of an index reach no further than the zeros behind the first entries.
        let mut table = vec![0; 1 << 12];
        table[..8].fill(1);
        let behind = pool.add(index(&pool, 0), pool.constant(64, 16));
        let read = check(&pool, &table, behind, 1, (0, (1 << 12) - 1));
        assert_eq!(read.and_then(|term| pool.as_const(term)), Some(0));
    }

    #[test]
    fn exceptions_are_chosen_by_the_index() {
        let pool = Pool::new();
        let mut table = vec![0; 0x1_0000 * 8];
        for (number, value) in [(0, 5u64), (257, u64::MAX), (0x7ff, 1 << 40)] {
            table[number * 8..number * 8 + 8].copy_from_slice(&value.to_le_bytes());
        }
        let read = check(&pool, &table, index(&pool, 3), 8, (0, 0x7_fff8));
        assert!(read.is_some_and(|term| pool.as_const(term).is_none()));
        // The same entries as halves: every second index is between two of the others.
        assert!(check(&pool, &table[..0x4_0000], index(&pool, 2), 4, (0, 0x3_fffc)).is_some());
    }

    #[test]
    fn other_reads_stay_reads_from_arrays() {
        let pool = Pool::new();
        let different: Vec<u8> = (0..=u16::MAX).map(|at| at as u8).collect();
        assert_eq!(check(&pool, &different, index(&pool, 0), 1, (0, 0xffff)), None);
        // Entries at any offset overlap.
        assert_eq!(check(&pool, &[0; 0x1_0000], index(&pool, 0), 4, (0, 0xfffc)), None);
        let mut small = vec![0; 8];
        small[3] = 1;
        assert_eq!(check(&pool, &small, index(&pool, 0), 1, (0, 7)), None);
    }
}
