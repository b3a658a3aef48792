//! Independence: the constraints of a path that matter to a question.
//!
//! The slice for a term is the smallest set of constraints that is closed under sharing bytes with
//! the term or with one another. Everything else is satisfied by the path's model whatever the
//! slice's bytes become, so a query never mentions it. Bytes that an equality has fixed connect
//! nothing: constraints are taken with such bytes replaced by their values.

use everett_base::{Map, Set};
use everett_expr::{Pool, Support, TermId, VarId};

use crate::model::PersistentModel;
use crate::path::{ConstraintEntry, ConstraintList};

/// A set of small numbers that is cheap to empty.
#[derive(Default)]
struct BitSet {
    words: Vec<u64>,
    touched: Vec<u32>,
}

impl BitSet {
    fn clear(&mut self) {
        for word in self.touched.drain(..) {
            self.words[word as usize] = 0;
        }
    }

    /// Returns `true` if the number was new.
    fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1u64 << (number % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let old = self.words[word];
        if old == 0 {
            self.touched.push(word as u32);
        }
        self.words[word] = old | bit;
        old & bit == 0
    }

    fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Returns `true` if some number from `first` to `last` is in the set.
    fn meets(&self, first: usize, last: usize) -> bool {
        (first / 64..=last / 64).any(|word| {
            let low = if word == first / 64 { u64::MAX << (first % 64) } else { u64::MAX };
            let high = if word == last / 64 { u64::MAX >> (63 - last % 64) } else { u64::MAX };
            self.words.get(word).is_some_and(|bits| bits & low & high != 0)
        })
    }
}

/// Computes slices; keeps its working memory, and what substitution gave, between calls.
#[derive(Default)]
pub(crate) struct QuerySlicer {
    bytes: BitSet,
    signature: u64,
    taken: BitSet,
    entries: Vec<ConstraintEntry>,
    replaced: Map<(TermId, FixedBytes), TermId>,
}

/// Bytes with the values that a path has fixed them to.
type FixedBytes = Box<[(VarId, u8)]>;

/// Substitutions remembered at most.
const REPLACED_MAX: usize = 1 << 16;

impl QuerySlicer {
    /// The slice of `constraints` for `query`, oldest first, written to `slice`. `fixed` is the
    /// model whose fixed bytes are replaced, if they are to be.
    pub(crate) fn slice(
        &mut self,
        pool: &Pool,
        constraints: &ConstraintList,
        fixed: Option<&PersistentModel>,
        query: TermId,
        slice: &mut Vec<TermId>,
    ) {
        slice.clear();
        self.bytes.clear();
        self.taken.clear();
        self.entries.clear();
        self.signature = 0;
        self.add(pool.support(query), fixed);
        loop {
            pool.interrupt().check();
            let mut has_grown = false;
            constraints.search(self.signature, |entry| {
                let support = pool.support(entry.term);
                if self.meets(support) && self.taken.insert(entry.position as usize) {
                    self.entries.push(entry);
                    has_grown |= self.add(support, fixed);
                }
                self.signature
            });
            // A constraint that brought new bytes may share them with constraints that this pass had
            // already passed by, so there is another pass. Most constraints bring none: a path asks about
            // the same bytes again and again.
            if !has_grown {
                break;
            }
        }
        self.entries.sort_unstable_by_key(|entry| entry.position);
        for at in 0..self.entries.len() {
            pool.interrupt().check();
            let mut term = self.entries[at].term;
            if let Some(model) = fixed {
                term = self.replace_fixed(pool, model, term);
            }
            if pool.as_const(term) != Some(1) {
                slice.push(term);
            }
        }
    }

    fn meets(&self, support: &Support) -> bool {
        support.signature() & self.signature != 0
            && support.ranges().any(|(first, last)| self.bytes.meets(first.index(), last.index()))
    }

    /// Adds the bytes of a constraint that are not fixed; returns `true` if one of them is new.
    fn add(&mut self, support: &Support, fixed: Option<&PersistentModel>) -> bool {
        let fixed = fixed.filter(|model| model.may_fix(support));
        let mut has_grown = false;
        for var in support.iter() {
            let free = || fixed.is_none_or(|model| model.fixed(var).is_none());
            if !self.bytes.contains(var.index()) && free() {
                self.bytes.insert(var.index());
                self.signature |= 1 << (var.index() % 64);
                has_grown = true;
            }
        }
        has_grown
    }

    /// The term with the path's fixed bytes replaced by their values.
    pub(crate) fn replace_fixed(
        &mut self,
        pool: &Pool,
        model: &PersistentModel,
        term: TermId,
    ) -> TermId {
        let fixed = fixed_bytes(pool, model, term);
        if fixed.is_empty() {
            return term;
        }
        let key = (term, fixed.into_boxed_slice());
        if let Some(&known) = self.replaced.get(&key) {
            return known;
        }
        let result = pool.substitute(term, &|var| {
            model.fixed(var).map(|value| pool.constant(8, u64::from(value)))
        });
        if self.replaced.len() >= REPLACED_MAX {
            self.replaced.clear();
        }
        self.replaced.insert(key, result);
        result
    }
}

/// The bytes of a term that the path has fixed, with their values.
fn fixed_bytes(pool: &Pool, model: &PersistentModel, term: TermId) -> Vec<(VarId, u8)> {
    let support = pool.support(term);
    if !model.may_fix(support) {
        return Vec::new();
    }
    support.iter().filter_map(|var| Some((var, model.fixed(var)?))).collect()
}

/// Splits terms into groups that share no byte; each group in the given order.
pub(crate) fn groups(pool: &Pool, terms: &[TermId]) -> Vec<Vec<TermId>> {
    let mut owner: Map<VarId, usize> = Map::default();
    let mut parent: Vec<usize> = (0..terms.len()).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for (at, &term) in terms.iter().enumerate() {
        for var in pool.support(term).iter() {
            let other = *owner.entry(var).or_insert(at);
            let (a, b) = (root(&mut parent, at), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<TermId>> = vec![Vec::new(); terms.len()];
    let mut seen: Set<TermId> = Set::default();
    for (at, &term) in terms.iter().enumerate() {
        if seen.insert(term) {
            groups[root(&mut parent, at)].push(term);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}
