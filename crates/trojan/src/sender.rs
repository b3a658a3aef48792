//! [`SenderSet`]: everything that senders can send, as predicates over the bytes of a message.
//!
//! A [`SenderPath`] is what exploration of a sender leaves: the condition of a path, and the bytes that it
//! sends, as terms over the sender's inputs. Added to a set, its inputs are eliminated (`eliminate.rs`). What
//! is left is one or more *rows*, each a conjunction over message bytes, and each row is split into
//! independent *groups* of bytes. Groups are interned: paths of one program differ in few of them, so
//! thousands of rows share tens of groups, and whatever is found out about a group holds for all of these.
//!
//! Invariant: a path can send a message exactly if the message satisfies all groups of one of its rows, for
//! some values of the inputs that are left in them.

use std::collections::BTreeMap;
use std::ops::Range;

use everett_base::{Map, Set};
use everett_expr::{Pool, Support, SymbolId, TermId, VarId};

use crate::eliminate::{Elimination, EliminationLimits, GivenBytes};

/// One path of a sender up to the point where it sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SenderPath {
    /// The path condition: terms of width 1 that all hold.
    pub conditions: Vec<TermId>,
    /// The bytes that are sent, terms of width 8.
    pub message: Vec<TermId>,
}

everett_base::portable!(struct SenderPath { conditions, message });

/// The number of a sender path, in the order in which paths were added to a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SenderPathId(pub u32);

/// The number of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GroupId(u32);

impl GroupId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Conditions that share message bytes or inputs with one another, and none with those of other groups.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) terms: Box<[TermId]>,
    /// The offsets of the message bytes that the group is about, ascending.
    pub(crate) bytes: Box<[u32]>,
    /// The inputs that could not be eliminated. Without any, the group is a plain predicate.
    pub(crate) inputs: Box<[VarId]>,
    /// Bytes that senders and the receiver have in common.
    pub(crate) shared: Box<[VarId]>,
    /// All of these bytes.
    pub(crate) support: Support,
}

impl Group {
    /// Returns `true` if the group has no inputs, so that its negation is exact.
    pub(crate) fn is_exact(&self) -> bool {
        self.inputs.is_empty()
    }
}

/// One way to send messages: the conjunction of some groups.
#[derive(Debug)]
pub(crate) struct SenderRow {
    /// The groups, those with the fewest bytes first.
    pub(crate) groups: Box<[GroupId]>,
    /// The paths that have this row, ascending.
    pub(crate) paths: Vec<SenderPathId>,
}

/// The rows for messages of one length.
#[derive(Default, Debug)]
pub(crate) struct RowTable {
    pub(crate) rows: Vec<SenderRow>,
    by_groups: Map<Box<[GroupId]>, usize>,
}

/// The options of a [`SenderSet`].
#[derive(Clone, Default, Debug)]
pub struct SenderOptions {
    /// Ranges of message offsets that are not looked at: a message that differs from one that can be sent
    /// only in these bytes counts as one that can be sent.
    pub masked: Vec<Range<u32>>,
    /// Bytes that senders and the receiver have in common, such as a sequence number that they agreed
    /// on. All other bytes that sender paths mention are the sender's own inputs, free in each path.
    pub shared: Vec<VarId>,
    /// Limits on the elimination of inputs.
    pub limits: EliminationLimits,
}

/// All messages that senders can send.
///
/// ```
/// use everett_expr::Pool;
/// use everett_trojan::{SenderOptions, SenderPath, SenderSet};
///
/// let pool = Pool::new();
/// let mut senders = SenderSet::new("message", SenderOptions::default());
/// let input = pool.byte(pool.symbol("input", 1), 0);
/// // The sender sends twice its input, which is below 100.
/// let conditions = vec![pool.ult(input, pool.constant(8, 100))];
/// let message = vec![pool.shl(input, pool.constant(8, 1))];
/// senders.add(&pool, &SenderPath { conditions, message });
/// assert!(senders.is_exact(1));
/// ```
#[derive(Debug)]
pub struct SenderSet {
    symbol_name: String,
    options: SenderOptions,
    shared: Set<VarId>,
    tables: BTreeMap<u32, RowTable>,
    groups: Vec<Group>,
    by_terms: Map<Box<[TermId]>, GroupId>,
    path_count: u32,
    is_explored_to_end: bool,
}

impl SenderSet {
    /// A set without senders. Messages of each length are symbols of this name ([`SenderSet::message`]).
    pub fn new(symbol_name: &str, options: SenderOptions) -> SenderSet {
        SenderSet {
            symbol_name: symbol_name.to_owned(),
            shared: options.shared.iter().copied().collect(),
            options,
            tables: BTreeMap::new(),
            groups: Vec::new(),
            by_terms: Map::default(),
            path_count: 0,
            is_explored_to_end: false,
        }
    }

    /// The symbol whose bytes are a message of this length. A receiver that is to be analysed receives
    /// these bytes.
    pub fn message(&self, pool: &Pool, length: u32) -> SymbolId {
        pool.symbol(&self.symbol_name, length)
    }

    /// Adds a path. Paths whose condition contradicts itself add nothing.
    ///
    /// # Panics
    /// When a condition has not width 1, or a byte not width 8.
    pub fn add(&mut self, pool: &Pool, path: &SenderPath) -> SenderPathId {
        let id = SenderPathId(self.path_count);
        self.path_count += 1;
        let length = u32::try_from(path.message.len()).expect("a message is shorter than 4 GiB");
        assert!(path.conditions.iter().all(|&term| pool.width(term) == 1), "conditions are bits");
        assert!(path.message.iter().all(|&term| pool.width(term) == 8), "messages are bytes");
        let symbol = self.message(pool, length);
        let alternatives = {
            let given = GivenBytes { message: symbol, offsets: None, shared: &self.shared };
            let equations = (0..length).zip(&path.message);
            let equations = equations
                .filter(|&(offset, _)| !self.is_masked(offset))
                .map(|(offset, &sent)| (sent, pool.byte(symbol, offset)));
            let elimination = Elimination::new(pool, given, self.options.limits);
            elimination.run(&path.conditions, equations)
        };
        for terms in alternatives {
            let terms = self.rename_inputs(pool, symbol, &terms);
            let groups = self.intern_groups(pool, symbol, &terms);
            let table = self.tables.entry(length).or_default();
            match table.by_groups.get(&groups) {
                Some(&row) => {
                    let paths = &mut table.rows[row].paths;
                    if paths.last() != Some(&id) {
                        paths.push(id);
                    }
                }
                None => {
                    table.by_groups.insert(groups.clone(), table.rows.len());
                    table.rows.push(SenderRow { groups, paths: vec![id] });
                }
            }
        }
        id
    }

    /// Says that all paths of all senders were added. Until then, a Trojan message is one that was not
    /// seen from a sender so far.
    pub fn set_explored_to_end(&mut self, is_explored_to_end: bool) {
        self.is_explored_to_end = is_explored_to_end;
    }

    /// Returns `true` if all paths of all senders were added.
    pub fn is_explored_to_end(&self) -> bool {
        self.is_explored_to_end
    }

    /// The lengths of messages that senders send, ascending.
    pub fn lengths(&self) -> impl Iterator<Item = u32> + '_ {
        self.tables.keys().copied()
    }

    /// The number of paths that were added.
    pub fn path_count(&self) -> u32 {
        self.path_count
    }

    /// The number of different ways to send messages of this length: paths that send the same messages
    /// are one.
    pub fn row_count(&self, length: u32) -> usize {
        self.rows(length).len()
    }

    /// The number of different groups of message bytes, over all lengths.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// Returns `true` if all inputs of all paths for this length were eliminated, so that the messages that
    /// cannot be sent are known exactly and without a search.
    pub fn is_exact(&self, length: u32) -> bool {
        let mut groups = self.rows(length).iter().flat_map(|row| row.groups.iter());
        groups.all(|&group| self.group(group).is_exact())
    }

    pub(crate) fn rows(&self, length: u32) -> &[SenderRow] {
        self.tables.get(&length).map_or(&[], |table| &table.rows)
    }

    pub(crate) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.index()]
    }

    /// Gives the inputs that are left names of their own: a receiver of the same program may have inputs of
    /// the same names, which are not those of the sender.
    fn rename_inputs(&self, pool: &Pool, message: SymbolId, terms: &[TermId]) -> Vec<TermId> {
        let given = GivenBytes { message, offsets: None, shared: &self.shared };
        let rename = |var: VarId| {
            let (symbol, index) = pool.var_owner(var);
            let name = || format!("{}/{}", self.symbol_name, pool.symbol_name(symbol));
            let renamed = || pool.symbol(&name(), pool.symbol_size(symbol));
            (!given.contains(pool, var)).then(|| pool.byte(renamed(), index))
        };
        terms.iter().map(|&term| pool.substitute(term, &rename)).collect()
    }

    /// The shared bytes that rows for this length depend on, ascending.
    pub(crate) fn shared_by(&self, length: u32) -> Vec<VarId> {
        let groups = self.rows(length).iter().flat_map(|row| row.groups.iter());
        let mut shared: Vec<VarId> =
            groups.flat_map(|&id| self.group(id).shared.iter().copied()).collect();
        shared.sort_unstable();
        shared.dedup();
        shared
    }

    /// The condition that some values of the other message bytes satisfy these groups, which all are about
    /// bytes at `offsets`. Bytes that stay in it are named after `purpose`.
    pub(crate) fn project(
        &self,
        pool: &Pool,
        length: u32,
        groups: &[GroupId],
        offsets: &[u32],
        purpose: &str,
    ) -> TermId {
        let message = self.message(pool, length);
        let given = GivenBytes { message, offsets: Some(offsets), shared: &self.shared };
        let terms = groups.iter().flat_map(|&id| self.group(id).terms.iter().copied());
        let terms: Vec<TermId> = terms.collect();
        let alternatives = Elimination::new(pool, given, self.options.limits).run(&terms, []);
        let rename = |var: VarId| {
            let (symbol, index) = pool.var_owner(var);
            let name = || format!("{}/{purpose}/{}", self.symbol_name, pool.symbol_name(symbol));
            let renamed = || pool.symbol(&name(), pool.symbol_size(symbol));
            (!given.contains(pool, var)).then(|| pool.byte(renamed(), index))
        };
        let conjunction = |terms: Vec<TermId>| {
            let renamed = terms.iter().map(|&term| pool.substitute(term, &rename));
            renamed.fold(pool.bool(true), |all, term| pool.and(all, term))
        };
        let alternatives = alternatives.into_iter().map(conjunction);
        alternatives.fold(pool.bool(false), |any, one| pool.or(any, one))
    }

    fn is_masked(&self, offset: u32) -> bool {
        self.options.masked.iter().any(|range| range.contains(&offset))
    }

    /// Splits a conjunction into groups, and numbers those that are new.
    fn intern_groups(
        &mut self,
        pool: &Pool,
        message: SymbolId,
        terms: &[TermId],
    ) -> Box<[GroupId]> {
        let mut ids: Vec<GroupId> = split(pool, terms, &self.shared)
            .into_iter()
            .map(|terms| self.intern_group(pool, message, terms))
            .collect();
        // Groups of few bytes are the cheapest to ask.
        ids.sort_unstable_by_key(|&id| (self.group(id).bytes.len(), id));
        ids.into()
    }

    fn intern_group(&mut self, pool: &Pool, message: SymbolId, terms: Vec<TermId>) -> GroupId {
        let terms: Box<[TermId]> = terms.into();
        if let Some(&id) = self.by_terms.get(&terms) {
            return id;
        }
        let supports = terms.iter().map(|&term| pool.support(term));
        let support = supports.fold(Support::default(), |all, support| all.union(support));
        let (mut bytes, mut inputs, mut shared) = (Vec::new(), Vec::new(), Vec::new());
        for var in support.iter() {
            let (owner, offset) = pool.var_owner(var);
            if owner == message {
                bytes.push(offset);
            } else if self.shared.contains(&var) {
                shared.push(var);
            } else {
                inputs.push(var);
            }
        }
        let id = GroupId(u32::try_from(self.groups.len()).expect("fewer than 2^32 groups"));
        self.by_terms.insert(terms.clone(), id);
        let (bytes, inputs, shared) = (bytes.into(), inputs.into(), shared.into());
        self.groups.push(Group { terms, bytes, inputs, shared, support });
        id
    }
}

/// Splits terms into sets that share no byte except shared ones; each in the given order.
pub(crate) fn split(pool: &Pool, terms: &[TermId], shared: &Set<VarId>) -> Vec<Vec<TermId>> {
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    let mut parent: Vec<usize> = (0..terms.len()).collect();
    let mut owner: Map<VarId, usize> = Map::default();
    for (at, &term) in terms.iter().enumerate() {
        for var in pool.support(term).iter().filter(|var| !shared.contains(var)) {
            let other = *owner.entry(var).or_insert(at);
            let (a, b) = (root(&mut parent, at), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut sets: Vec<Vec<TermId>> = vec![Vec::new(); terms.len()];
    for (at, &term) in terms.iter().enumerate() {
        sets[root(&mut parent, at)].push(term);
    }
    sets.retain(|set| !set.is_empty());
    sets
}
