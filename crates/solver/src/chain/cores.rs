//! A cache of unsatisfiable cores: the reasons for which earlier queries were unsatisfiable.
//!
//! A core is a set of terms that cannot hold together. The constraints of a path are satisfiable,
//! so a query over them can only contain a core that contains the new term: cores are filed under
//! each of their members, and only the few filed under the new term are compared.

use everett_base::Map;
use everett_expr::TermId;
use smallvec::SmallVec;

/// Cores with more members are filed under none: they would hardly ever be met again.
const MEMBERS_MAX: usize = 24;
/// Cores filed under one term; the oldest is replaced.
const FILED_MAX: usize = 8;

type UnsatCore = std::sync::Arc<[TermId]>;

/// The cores that contain one term: a ring of at most [`FILED_MAX`].
#[derive(Default)]
struct FiledCores {
    cores: SmallVec<[UnsatCore; 1]>,
    oldest: u8,
}

/// The cores known so far.
pub(crate) struct CoreCache {
    by_term: Map<TermId, FiledCores>,
    capacity: usize,
}

impl CoreCache {
    pub(crate) fn new(capacity: usize) -> CoreCache {
        CoreCache { by_term: Map::default(), capacity }
    }

    /// Returns `true` if some core is part of the query; `sorted` holds all assertions, `query` among
    /// them.
    pub(crate) fn refute(&self, sorted: &[TermId], query: TermId) -> bool {
        let Some(filed) = self.by_term.get(&query) else { return false };
        filed.cores.iter().any(|core| is_subset(core, sorted))
    }

    /// Files an unsatisfiable set.
    pub(crate) fn insert(&mut self, core: &[TermId]) {
        if core.len() > MEMBERS_MAX || core.is_empty() {
            return;
        }
        if self.by_term.len() + core.len() > self.capacity {
            self.by_term.clear();
        }
        let mut sorted: SmallVec<[TermId; MEMBERS_MAX]> = SmallVec::from_slice(core);
        sorted.sort_unstable();
        sorted.dedup();
        let core: UnsatCore = sorted.as_slice().into();
        for &member in core.iter() {
            let filed = self.by_term.entry(member).or_default();
            if filed.cores.iter().any(|known| is_subset(known, &core)) {
                continue;
            }
            if filed.cores.len() < FILED_MAX {
                filed.cores.push(core.clone());
            } else {
                filed.cores[filed.oldest as usize] = core.clone();
                filed.oldest = (filed.oldest + 1) % FILED_MAX as u8;
            }
        }
    }
}

/// Returns `true` if every element of `small` is in `large`; both sorted.
fn is_subset(small: &[TermId], large: &[TermId]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.by_ref().find(|&found| found >= wanted) == Some(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use everett_expr::Pool;

    #[test]
    fn a_superset_of_a_core_is_refuted_and_nothing_else() {
        let pool = Pool::new();
        let terms: Vec<TermId> = (0..6).map(|n| pool.constant(16, n)).collect();
        let sorted = |picked: &[usize]| {
            let mut set: Vec<TermId> = picked.iter().map(|&at| terms[at]).collect();
            set.sort_unstable();
            set
        };
        let mut cores = CoreCache::new(100);
        cores.insert(&sorted(&[1, 3]));
        assert!(cores.refute(&sorted(&[0, 1, 2, 3]), terms[3]));
        assert!(cores.refute(&sorted(&[1, 3]), terms[1]));
        assert!(!cores.refute(&sorted(&[0, 1, 2]), terms[1]));
        assert!(!cores.refute(&sorted(&[0, 2, 3]), terms[3]));
        assert!(!cores.refute(&sorted(&[0, 1, 3]), terms[0]));
    }

    #[test]
    fn filed_cores_are_bounded() {
        let pool = Pool::new();
        let terms: Vec<TermId> = (0..100).map(|n| pool.constant(16, n)).collect();
        let mut cores = CoreCache::new(1000);
        for &other in &terms[1..] {
            cores.insert(&[terms[0], other]);
        }
        assert_eq!(cores.by_term[&terms[0]].cores.len(), FILED_MAX);
        let mut small = CoreCache::new(10);
        for pair in terms.chunks(2) {
            small.insert(pair);
        }
        assert!(small.by_term.len() <= 10);
    }
}
