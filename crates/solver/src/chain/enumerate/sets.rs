//! Sets of values of one byte, and of two.

/// Values of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByteSet(pub(super) [u64; 4]);

impl ByteSet {
    pub(super) const ALL: ByteSet = ByteSet([u64::MAX; 4]);
    pub(super) const NONE: ByteSet = ByteSet([0; 4]);

    /// The values for which something holds.
    pub(super) fn with(holds: impl Fn(u64) -> bool) -> ByteSet {
        let word = |first: u64| {
            (0..64u64).fold(0, |word, bit| word | u64::from(holds(first + bit)) << bit)
        };
        ByteSet([word(0), word(64), word(128), word(192)])
    }

    /// One value, if it is one of a byte.
    pub(super) fn only(value: u64) -> ByteSet {
        let mut values = ByteSet::NONE;
        if value < 256 {
            values.0[value as usize / 64] |= 1 << (value % 64);
        }
        values
    }

    pub(super) fn not(self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    pub(super) fn merge(self, other: ByteSet, merge: impl Fn(u64, u64) -> u64) -> ByteSet {
        ByteSet(std::array::from_fn(|i| merge(self.0[i], other.0[i])))
    }

    pub(super) fn and(self, other: ByteSet) -> ByteSet {
        self.merge(other, |a, b| a & b)
    }

    pub(super) fn contains(self, value: u8) -> bool {
        self.0[usize::from(value) / 64] >> (value % 64) & 1 == 1
    }

    pub(super) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn smallest(self) -> Option<u8> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some((word as u32 * 64 + self.0[word].trailing_zeros()) as u8)
    }

    /// The values, ascending.
    pub(super) fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |value| self.contains(*value))
    }
}

/// Words of a set of pairs.
const PAIR_WORDS: usize = 1024;

/// Pairs of values of two bytes, the first above the second.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PairSet(Box<[u64; PAIR_WORDS]>);

impl PairSet {
    /// The pairs that `word` has: it is called with the first byte and the least of 64 second bytes.
    pub(super) fn with<E>(mut word: impl FnMut(u8, u8) -> Result<u64, E>) -> Result<PairSet, E> {
        let mut words = Box::new([0; PAIR_WORDS]);
        for (at, target) in words.iter_mut().enumerate() {
            *target = word((at / 4) as u8, (at % 4 * 64) as u8)?;
        }
        Ok(PairSet(words))
    }

    /// All pairs of members of two sets.
    pub(super) fn product(first: ByteSet, second: ByteSet) -> PairSet {
        let mut words = Box::new([0; PAIR_WORDS]);
        for value in first.iter() {
            let row = usize::from(value) * 4;
            words[row..row + 4].copy_from_slice(&second.0);
        }
        PairSet(words)
    }

    /// Keeps the pairs that another set has; or, where it is `negated`, those that it does not have.
    pub(super) fn keep(&mut self, other: &PairSet, negated: bool) {
        let flip = if negated { u64::MAX } else { 0 };
        for (word, other) in self.0.iter_mut().zip(other.0.iter()) {
            *word &= other ^ flip;
        }
    }

    /// The pair with the smallest first byte, and of those the one with the smallest second.
    pub(super) fn smallest(&self) -> Option<[u8; 2]> {
        self.iter().next()
    }

    /// The pairs, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = [u8; 2]> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let bits = std::iter::successors((word != 0).then_some(word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            });
            bits.map(move |word| {
                [(at / 4) as u8, (at % 4 * 64) as u8 + word.trailing_zeros() as u8]
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_value_is_found_in_any_word() {
        for value in 0..=255 {
            assert_eq!(ByteSet::only(value).smallest(), Some(value as u8));
            assert!(ByteSet::only(value).iter().eq([value as u8]));
        }
        assert_eq!(ByteSet::only(256).smallest(), None);
        assert_eq!(ByteSet::ALL.smallest(), Some(0));
        assert_eq!((ByteSet::ALL.len(), ByteSet::NONE.len(), ByteSet::only(7).len()), (256, 0, 1));
    }

    #[test]
    fn pairs_are_ordered_by_their_first_byte() {
        let first = ByteSet::only(3).merge(ByteSet::only(200), |a, b| a | b);
        let second = ByteSet::only(0).merge(ByteSet::only(255), |a, b| a | b);
        let pairs = PairSet::product(first, second);
        assert!(pairs.iter().eq([[3, 0], [3, 255], [200, 0], [200, 255]]));
        let odd = PairSet::with(|_, _| Ok::<u64, ()>(0xaaaa_aaaa_aaaa_aaaa)).unwrap();
        let (mut kept, mut dropped) = (pairs.clone(), pairs);
        kept.keep(&odd, false);
        dropped.keep(&odd, true);
        assert_eq!((kept.smallest(), dropped.smallest()), (Some([3, 255]), Some([3, 0])));
        assert_eq!(PairSet::product(first, ByteSet::NONE).smallest(), None);
    }
}
