//! Sets of numbers as few intervals.

use smallvec::{SmallVec, smallvec};

use super::mask;

/// Numbers of up to 64 bits, as intervals that neither overlap nor touch, ascending.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct IntervalSet(SmallVec<[(u64, u64); 2]>);

impl IntervalSet {
    /// The numbers from `first` to `last`; those from `first` upward and up to `last` if it is smaller.
    pub(super) fn arc(first: u64, last: u64, mask: u64) -> IntervalSet {
        if first <= last {
            return IntervalSet(smallvec![(first, last)]);
        }
        let both = IntervalSet(smallvec![(0, last), (first, mask)]);
        if last + 1 == first { IntervalSet(smallvec![(0, mask)]) } else { both }
    }

    /// All numbers up to `mask` that are not in the set.
    pub(super) fn others(&self, mask: u64) -> IntervalSet {
        let mut others = SmallVec::new();
        let mut next = Some(0);
        for &(first, last) in &self.0 {
            if let Some(next) = next.filter(|next| *next < first) {
                others.push((next, first - 1));
            }
            next = last.checked_add(1).filter(|next| *next <= mask);
        }
        others.extend(next.map(|next| (next, mask)));
        IntervalSet(others)
    }

    /// The numbers that are in both sets.
    pub(super) fn and(&self, other: &IntervalSet) -> IntervalSet {
        let mut both = SmallVec::new();
        let (mut mine, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(&&(first, last)), Some(&&(other_first, other_last))) =
            (mine.peek(), others.peek())
        {
            let (from, to) = (first.max(other_first), last.min(other_last));
            if from <= to {
                both.push((from, to));
            }
            if last <= other_last {
                mine.next()
            } else {
                others.next()
            };
        }
        IntervalSet(both)
    }

    /// Each interval with its ends replaced, left out where there is nothing for it.
    pub(super) fn map(&self, replaced: impl Fn(u64, u64) -> Option<(u64, u64)>) -> IntervalSet {
        let mut result: SmallVec<[(u64, u64); 2]> = SmallVec::new();
        for (first, last) in self.0.iter().filter_map(|&(first, last)| replaced(first, last)) {
            match result.last_mut() {
                Some(before) if before.1.checked_add(1).is_none_or(|next| first <= next) => {
                    before.1 = before.1.max(last);
                }
                _ => result.push((first, last)),
            }
        }
        IntervalSet(result)
    }

    /// The numbers that are in the set when another is added to them, modulo `mask + 1`.
    pub(super) fn turned_back(&self, number: u64, mask: u64) -> IntervalSet {
        let back = |value: u64| value.wrapping_sub(number) & mask;
        self.moved(mask, |first, last| (back(first), back(last)))
    }

    /// The numbers whose negatives are in the set, modulo `mask + 1`.
    pub(super) fn negated(&self, mask: u64) -> IntervalSet {
        self.moved(mask, |first, last| (last.wrapping_neg() & mask, first.wrapping_neg() & mask))
    }

    /// Each interval moved on the circle of all numbers.
    fn moved(&self, mask: u64, moved: impl Fn(u64, u64) -> (u64, u64)) -> IntervalSet {
        let mut pieces: SmallVec<[(u64, u64); 4]> = SmallVec::new();
        for &(first, last) in &self.0 {
            let (first, last) = moved(first, last);
            pieces.extend(IntervalSet::arc(first, last, mask).0);
        }
        pieces.sort_unstable();
        IntervalSet(pieces.into_iter().collect()).map(|first, last| Some((first, last)))
    }

    /// The lower `low_width` bits of the numbers whose upper bits are `high`.
    pub(super) fn behind(&self, high: u64, low_width: u32) -> IntervalSet {
        let from = high << low_width;
        let to = from | mask(low_width);
        self.map(|first, last| {
            (first <= to && from <= last).then(|| (first.max(from) - from, last.min(to) - from))
        })
    }

    /// The upper bits of the numbers whose lower `low_width` bits are `low`.
    pub(super) fn above(&self, low: u64, low_width: u32) -> IntervalSet {
        self.map(|first, last| {
            let to = last.checked_sub(low)? >> low_width;
            let from = (first.saturating_sub(low) >> low_width)
                + u64::from(first.saturating_sub(low) & mask(low_width) != 0);
            (from <= to).then_some((from, to))
        })
    }

    /// The numbers whose upper bits, from bit `low` on, are in the set.
    pub(super) fn with_bits_below(&self, low: u32) -> IntervalSet {
        self.map(|first, last| Some((first << low, last << low | mask(low))))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn smallest(&self) -> Option<u64> {
        self.0.first().map(|interval| interval.0)
    }

    pub(super) fn contains(&self, value: u64) -> bool {
        self.0.iter().any(|&(first, last)| first <= value && value <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets of numbers of four bits, each with a bit for each number.
    fn sets() -> Vec<(IntervalSet, u32)> {
        let arcs = (0..16).flat_map(|first| (0..16).map(move |last| (first, last)));
        let arcs: Vec<IntervalSet> =
            arcs.map(|(first, last)| IntervalSet::arc(first, last, 15)).collect();
        let mut sets = vec![IntervalSet::default()];
        sets.extend(arcs.iter().step_by(3).cloned());
        sets.extend(arcs.iter().step_by(7).zip(arcs.iter().step_by(11)).map(|(a, b)| a.and(b)));
        sets.into_iter().map(|set| (set.clone(), members(&set))).collect()
    }

    fn members(set: &IntervalSet) -> u32 {
        (0..16).filter(|value| set.contains(*value)).fold(0, |bits, value| bits | 1 << value)
    }

    /// No interval touches the next one.
    fn is_normal(set: &IntervalSet) -> bool {
        set.0.iter().all(|(first, last)| first <= last && *last <= 15)
            && set.0.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0)
    }

    #[test]
    fn operations_are_those_on_sets_of_numbers() {
        for (a, of_a) in sets() {
            assert!(is_normal(&a), "{a:?}");
            assert_eq!(members(&a.others(15)), !of_a & 0xffff, "{a:?}");
            assert!(is_normal(&a.others(15)), "{a:?}");
            assert_eq!(a.smallest(), (of_a != 0).then(|| of_a.trailing_zeros().into()));
            assert_eq!(a.is_empty(), of_a == 0);
            for by in 0..16 {
                let back = a.turned_back(by, 15);
                let expected = (0..16).filter(|value| of_a >> ((value + by) % 16) & 1 == 1);
                assert_eq!(members(&back), expected.fold(0, |bits, value| bits | 1 << value));
                assert!(is_normal(&back), "{a:?} {by}");
            }
            let set_of = |is_member: &dyn Fn(u32) -> bool| {
                (0..16).filter(|value| is_member(*value)).fold(0, |bits, value| bits | 1 << value)
            };
            let negatives = set_of(&|value| of_a >> ((16 - value) % 16) & 1 == 1);
            assert_eq!(members(&a.negated(15)), negatives, "{a:?}");
            for part in 0..4 {
                let low = set_of(&|value| value < 4 && of_a >> (part * 4 + value) & 1 == 1);
                assert_eq!(members(&a.behind(part.into(), 2)), low, "{a:?} {part}");
                let high = set_of(&|value| value < 4 && of_a >> (value * 4 + part) & 1 == 1);
                assert_eq!(members(&a.above(part.into(), 2)), high, "{a:?} {part}");
            }
            let upper = a.and(&IntervalSet::arc(0, 3, 15));
            let spread = set_of(&|value| members(&upper) >> (value / 4) & 1 == 1);
            assert_eq!(members(&upper.with_bits_below(2)), spread, "{a:?}");
            for (b, of_b) in sets() {
                assert_eq!(members(&a.and(&b)), of_a & of_b);
                assert!(is_normal(&a.and(&b)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_ends_of_all_numbers_are_no_special_case() {
        let all = IntervalSet::arc(0, u64::MAX, u64::MAX);
        assert!(all.others(u64::MAX).is_empty());
        let turned = IntervalSet::arc(u64::MAX, 0, u64::MAX);
        assert_eq!(turned.others(u64::MAX), IntervalSet::arc(1, u64::MAX - 1, u64::MAX));
        assert_eq!(turned.turned_back(u64::MAX, u64::MAX), IntervalSet::arc(0, 1, u64::MAX));
        assert_eq!(all.turned_back(5, u64::MAX), all);
    }
}
