//! The constraints of a path: a persistent list that can be searched without walking all of it.
//!
//! Each cell knows, besides its own term, the signatures of the stretch of older cells that a jump
//! pointer skips (skew-binary jumps: O(1) to add, and any place is O(log n) jumps away). A search
//! for constraints over some bytes leaps over stretches whose signatures miss.
//!
//! Invariant: a cell's jump target is also reachable through `next`, so the jump never holds the
//! last reference and dropping a list is iterative.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::{Apart, Copies, shares_nothing};
use everett_expr::{Pool, TermId};
use triomphe::Arc;

/// The list; cloning is O(1).
#[derive(Clone, Default)]
pub(crate) struct ConstraintList {
    head: Option<Arc<ConstraintCell>>,
}

#[derive(Clone)]
struct ConstraintCell {
    term: TermId,
    /// Cells from here to the oldest.
    len: u32,
    signature: FoldedSignature,
    /// All signatures strictly between this cell and `jump`.
    skipped: FoldedSignature,
    next: Option<Arc<ConstraintCell>>,
    jump: Option<Arc<ConstraintCell>>,
}

/// The newest cell gets a place of its own: it is the one whose owners are counted at each branch.
impl Apart for ConstraintList {
    fn apart(&mut self, copies: &mut Copies) {
        let ConstraintList { head } = self;
        head.apart(copies);
    }
}

shares_nothing!(ConstraintCell);

/// A list is the number of the shared cells that it goes on with (0 for none), and its other terms, the
/// oldest first, each of which makes a shared cell. Signatures and jumps follow from the terms.
impl Portable for ConstraintList {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let (mut cells, mut rest) = (Vec::new(), self.head.as_ref());
        let mut known = None;
        while let Some(cell) = rest {
            known = to.known(Arc::as_ptr(cell));
            if known.is_some() {
                break;
            }
            cells.push(cell);
            rest = cell.next.as_ref();
        }
        to.number(known.map_or(0, |known| known + 1));
        to.number(cells.len() as u64);
        for cell in cells.into_iter().rev() {
            cell.term.write(to);
            to.note(Arc::as_ptr(cell));
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut list = match from.number()?.checked_sub(1) {
            Some(known) => from.known::<ConstraintList>(known)?,
            None => ConstraintList::default(),
        };
        let pool = from.handle::<Pool>();
        for _ in 0..from.count()? {
            let term = TermId::read(from)?;
            list.push(term, pool.support(term).signature());
            from.note(list.clone());
        }
        Ok(list)
    }
}

/// A signature folded in two: cells are many, and a false hit costs only an exact look.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FoldedSignature(u32);

impl FoldedSignature {
    const NONE: FoldedSignature = FoldedSignature(0);

    fn new(signature: u64) -> FoldedSignature {
        FoldedSignature(signature as u32 | (signature >> 32) as u32)
    }

    fn meets(self, other: FoldedSignature) -> bool {
        self.0 & other.0 != 0
    }

    fn or(self, other: FoldedSignature) -> FoldedSignature {
        FoldedSignature(self.0 | other.0)
    }
}

/// A constraint as a walk sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ConstraintEntry {
    pub(crate) term: TermId,
    /// Its place: the oldest constraint has position 0.
    pub(crate) position: u32,
}

impl ConstraintList {
    pub(crate) fn len(&self) -> usize {
        self.head.as_ref().map_or(0, |cell| cell.len as usize)
    }

    pub(crate) fn push(&mut self, term: TermId, signature: u64) {
        let next = self.head.take();
        let len = next.as_ref().map_or(0, |cell| cell.len) + 1;
        let (jump, skipped) = match &next {
            None => (None, FoldedSignature::NONE),
            Some(cell) => jump_over(cell),
        };
        let signature = FoldedSignature::new(signature);
        self.head = Some(Arc::new(ConstraintCell { term, len, signature, skipped, next, jump }));
    }

    /// All terms, newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = TermId> + '_ {
        let mut cell = self.head.as_deref();
        std::iter::from_fn(move || {
            let here = cell?;
            cell = here.next.as_deref();
            Some(here.term)
        })
    }

    /// Visits, newest first, at least those constraints whose signature meets `wanted`, which may
    /// grow under way; `visit` answers with the signature to look for from there on.
    pub(crate) fn search(&self, wanted: u64, mut visit: impl FnMut(ConstraintEntry) -> u64) {
        let mut wanted = FoldedSignature::new(wanted);
        let mut cell = self.head.as_deref();
        while let Some(here) = cell {
            if here.signature.meets(wanted) {
                wanted = FoldedSignature::new(visit(ConstraintEntry {
                    term: here.term,
                    position: here.len - 1,
                }));
            }
            let leap = !here.skipped.meets(wanted);
            cell = if leap { here.jump.as_deref() } else { here.next.as_deref() };
        }
    }
}

/// Returns the cell that a new cell in front of `cell` jumps to, and the signature of the cells that it
/// skips.
fn jump_over(cell: &Arc<ConstraintCell>) -> (Option<Arc<ConstraintCell>>, FoldedSignature) {
    let len_of = |jump: &Option<Arc<ConstraintCell>>| jump.as_ref().map_or(0, |cell| cell.len);
    if let Some(first) = &cell.jump {
        let second_len = len_of(&first.jump);
        if cell.len - first.len == first.len - second_len {
            let near = cell.signature.or(cell.skipped);
            let skipped = near.or(first.signature).or(first.skipped);
            return (first.jump.clone(), skipped);
        }
    }
    (Some(cell.clone()), FoldedSignature::NONE)
}

impl Drop for ConstraintCell {
    fn drop(&mut self) {
        self.jump = None;
        let mut next = self.next.take();
        // A cell that another path still uses ends the walk: that path drops the rest.
        while let Some(mut cell) = next {
            next = Arc::get_mut(&mut cell).and_then(|cell| {
                cell.jump = None;
                cell.next.take()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(pool: &Pool, number: u64) -> TermId {
        pool.constant(32, number)
    }

    #[test]
    fn a_search_sees_every_constraint_with_a_wanted_signature() {
        let pool = Pool::new();
        let mut list = ConstraintList::default();
        for number in 0..200u64 {
            list.push(term(&pool, number), 1 << (number % 7) | 1 << (number % 64));
        }
        for bit in 0..64 {
            let mut seen = Vec::new();
            list.search(1 << bit, |entry| {
                seen.push(entry.position);
                1 << bit
            });
            let meets = |n: u32| n % 7 % 32 == bit % 32 || n % 32 == bit % 32;
            let expected: Vec<u32> = (0..200).rev().filter(|&n| meets(n)).collect();
            assert_eq!(seen, expected, "bit {bit}");
        }
    }

    #[test]
    fn a_search_leaps_over_stretches_that_miss() {
        let pool = Pool::new();
        let mut list = ConstraintList::default();
        list.push(term(&pool, 0), 1);
        (1..10_000).for_each(|number| list.push(term(&pool, number), 2));
        let mut cell = list.head.as_deref();
        let mut steps = 0;
        while let Some(here) = cell {
            steps += 1;
            cell = if !here.skipped.meets(FoldedSignature(1)) {
                here.jump.as_deref()
            } else {
                here.next.as_deref()
            };
        }
        assert!(steps < 64, "{steps} steps");
    }

    #[test]
    fn clones_share_their_tail_and_a_long_list_drops_without_recursion() {
        let pool = Pool::new();
        let mut list = ConstraintList::default();
        (0..300_000).for_each(|number| list.push(term(&pool, number % 9), 1));
        let mut other = list.clone();
        other.push(term(&pool, 77), 2);
        assert_eq!((list.len(), other.len()), (300_000, 300_001));
        assert_eq!(other.iter().next(), Some(term(&pool, 77)));
        drop(list);
        assert_eq!(other.iter().count(), 300_001);
    }

    #[test]
    fn a_cell_stays_small() {
        assert!(
            std::mem::size_of::<ConstraintCell>() <= 32,
            "{}",
            std::mem::size_of::<ConstraintCell>()
        );
    }
}
