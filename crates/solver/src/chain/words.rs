//! Queries that compare words with constants: the moments between which a network is cut, and the like.
//!
//! Each message that arrives, or does not, says of one of few moments that it is earlier or later than a
//! known one. Such conditions, combined by "and" and "or", leave intervals of each word, and the words do
//! not depend on one another. So a search over the alternatives with intervals as domains decides them, in
//! microseconds, where a SAT solver looks at hundreds of bits.
//!
//! A word is a sequence of symbolic bytes, the highest first. A comparison with a constant that ends in zeros
//! is about the upper bytes only, so that a beginning of a word counts as the word itself.
//!
//! Terms of any other form are *opaque*: they count as words that may have any value, although their values
//! may hang together. So a query with opaque terms is only ever refuted here. That is tried where such a term
//! is large, as the hash is whose values are compared with those of a table.
//!
//! Searches that take long are left to other layers.
//!
//! The answer depends on the terms and their order alone.

mod intervals;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use everett_base::{Map, Set};
use everett_expr::{BinOp, Pool, TermId, TermNode, UnOp, VarId};
use smallvec::{SmallVec, smallvec};

use self::intervals::IntervalSet;
use super::exact::DefiniteAnswer;
use super::generations::GenerationCache;
use super::ranges::{compare, mask};
use crate::model::Model;

/// Levels of a term that are looked into.
const MAX_DEPTH: u32 = 64;
/// Nodes of a condition that are looked into; the others are opaque.
const MAX_NODES: u32 = 1 << 9;
/// Conditions whose form is kept in each of two generations.
const KEPT: usize = 1 << 14;
/// Conditions that a search looks at, at most: about a millisecond.
const STEPS_MAX: u32 = 1 << 15;
/// Queries over fewer bytes are left to enumeration.
const BYTES_MIN: usize = 3;
/// An opaque term is large from so many nodes on. Backends settle queries about smaller ones as quickly.
const LARGE_TERM: u32 = 1 << 7;

/// The bytes of a word, the highest first.
type WordBytes = SmallVec<[VarId; 8]>;

/// A word, by what it is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum WordName {
    Bytes(WordBytes),
    /// A term of at most 64 bits of which nothing is known.
    Opaque(TermId),
}

/// A condition on words; `W` names a word.
#[derive(Debug)]
enum WordCondition<W> {
    Known(bool),
    /// The word has one of these values.
    Within(W, IntervalSet),
    All(Vec<WordCondition<W>>),
    Any(Vec<WordCondition<W>>),
}

/// What the domains of words say about a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Holds,
    Fails,
    Open,
}

/// Decides queries that compare words with constants. Serves one pool.
pub(crate) struct WordComparisons {
    conditions: GenerationCache<TermId, Arc<WordCondition<WordName>>>,
}

impl Default for WordComparisons {
    fn default() -> Self {
        WordComparisons { conditions: GenerationCache::new(KEPT) }
    }
}

impl WordComparisons {
    /// Returns whether the terms can hold together; `None` if that does not follow from comparisons.
    pub(crate) fn decide(
        &mut self,
        pool: &Pool,
        constraints: &[TermId],
        query: TermId,
    ) -> Option<DefiniteAnswer> {
        let terms = constraints.iter().copied().chain([query]);
        let conditions: Vec<Arc<WordCondition<WordName>>> =
            terms.map(|term| self.condition(pool, term)).collect();
        let words = WordTable::new(pool, &conditions)?;
        let conditions: Vec<WordCondition<usize>> =
            conditions.iter().map(|condition| words.resolve(condition)).collect();
        let search = WordSearch { conditions: &conditions, steps_left: STEPS_MAX };
        match search.run(words.domains(pool)).ok()? {
            None => Some(DefiniteAnswer::Unsat),
            Some(domains) => Some(DefiniteAnswer::Sat(Arc::new(words.model(&domains)?))),
        }
    }

    /// The form of a term of one bit.
    fn condition(&mut self, pool: &Pool, term: TermId) -> Arc<WordCondition<WordName>> {
        if let Some(known) = self.conditions.get(&term) {
            return known;
        }
        let mut reader = ConditionReader { pool, nodes_left: MAX_NODES };
        let form = Arc::new(reader.read(term, false, MAX_DEPTH));
        self.conditions.insert(term, form.clone(), 1);
        form
    }
}

/// Reads terms of one bit as conditions on words.
struct ConditionReader<'p> {
    pool: &'p Pool,
    nodes_left: u32,
}

impl ConditionReader<'_> {
    /// The form of a term, or of its negation.
    fn read(&mut self, term: TermId, negated: bool, depth: u32) -> WordCondition<WordName> {
        let opaque = || {
            let value = u64::from(!negated);
            WordCondition::Within(WordName::Opaque(term), IntervalSet::arc(value, value, 1))
        };
        let (Some(depth), Some(nodes_left)) =
            (depth.checked_sub(1), self.nodes_left.checked_sub(1))
        else {
            return opaque();
        };
        self.nodes_left = nodes_left;
        let pool = self.pool;
        match pool.node(term) {
            TermNode::Const(value) => WordCondition::Known((value == 1) != negated),
            TermNode::Unary(UnOp::Not, inner) => self.read(inner, !negated, depth),
            TermNode::Binary(op @ (BinOp::And | BinOp::Or), ..) => {
                self.read_operands(term, op, negated, depth)
            }
            TermNode::Ite(cond, then, other) => {
                let mut side = |cond_negated, side| {
                    let cond = self.read(cond, cond_negated, depth);
                    WordCondition::All(vec![cond, self.read(side, negated, depth)])
                };
                WordCondition::Any(vec![side(false, then), side(true, other)])
            }
            TermNode::Binary(op, a, b) => match compare(pool, op, a, b) {
                Some((compared, arc)) => {
                    let mask = mask(pool.width(compared));
                    let values = IntervalSet::arc(arc.first, arc.last, mask);
                    self.read_values(
                        compared,
                        if negated { values.others(mask) } else { values },
                        depth,
                    )
                }
                None => opaque(),
            },
            TermNode::Extract { .. } => {
                let value = u64::from(!negated);
                self.read_values(term, IntervalSet::arc(value, value, 1), depth)
            }
            _ => opaque(),
        }
    }

    /// The condition that a term of at most 64 bits has one of some values.
    fn read_values(
        &mut self,
        term: TermId,
        values: IntervalSet,
        depth: u32,
    ) -> WordCondition<WordName> {
        let pool = self.pool;
        let (term, values) = undone(pool, term, values);
        if let Some(bytes) = word_bytes(pool, term) {
            return WordCondition::Within(WordName::Bytes(bytes), values);
        }
        let left = depth.checked_sub(1).zip(self.nodes_left.checked_sub(1));
        match (pool.node(term), left) {
            (TermNode::Const(value), _) => WordCondition::Known(values.contains(value)),
            (TermNode::Ite(cond, then, other), Some((depth, nodes_left))) => {
                self.nodes_left = nodes_left;
                let mut side = |negated, side| {
                    let cond = self.read(cond, negated, depth);
                    WordCondition::All(vec![cond, self.read_values(side, values.clone(), depth)])
                };
                WordCondition::Any(vec![side(false, then), side(true, other)])
            }
            _ => WordCondition::Within(WordName::Opaque(term), values),
        }
    }

    /// The form of a conjunction or a disjunction, or of its negation.
    fn read_operands(
        &mut self,
        term: TermId,
        op: BinOp,
        negated: bool,
        depth: u32,
    ) -> WordCondition<WordName> {
        let pool = self.pool;
        let is_all = (op == BinOp::And) != negated;
        let mut parts = Vec::new();
        let mut bytes = EqualBytes::new();
        for (part, negated) in operands(pool, term, op, negated) {
            match equal_byte(pool, part, negated != is_all) {
                Some(equal) => bytes.push(equal),
                None => parts.push(self.read(part, negated, depth)),
            }
        }
        let words = equal_words(pool, bytes).into_iter();
        parts.extend(words.map(|(bytes, value)| {
            let mask = mask(8 * bytes.len() as u32);
            let value = IntervalSet::arc(value, value, mask);
            let values = if is_all { value } else { value.others(mask) };
            WordCondition::Within(WordName::Bytes(bytes), values)
        }));
        // Of some words, one differs from its value where not all of them have theirs.
        if is_all { WordCondition::All(parts) } else { WordCondition::Any(parts) }
    }
}

/// Bytes with a value each.
type EqualBytes = SmallVec<[(VarId, u8); 8]>;

/// The operands of a tree of one operator, or its negation, from left to right, without their own negations.
fn operands(pool: &Pool, term: TermId, op: BinOp, negated: bool) -> Vec<(TermId, bool)> {
    let mut found = Vec::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match pool.node(term) {
            TermNode::Binary(same, a, b) if same == op => stack.extend([b, a]),
            TermNode::Unary(UnOp::Not, inner) => found.push((inner, !negated)),
            _ => found.push((term, negated)),
        }
    }
    found
}

/// The byte and its value of a comparison for equality, if it is one and `is_wanted`.
fn equal_byte(pool: &Pool, term: TermId, is_wanted: bool) -> Option<(VarId, u8)> {
    let TermNode::Binary(BinOp::Eq, a, b) = pool.node(term) else { return None };
    let (byte, value) = match (pool.node(a), pool.node(b)) {
        (TermNode::Var(byte), TermNode::Const(value)) => (byte, value),
        (TermNode::Const(value), TermNode::Var(byte)) => (byte, value),
        _ => return None,
    };
    is_wanted.then_some((byte, value as u8))
}

/// Words out of bytes that are equal to constants. An equality of a word is one of each of its bytes, and
/// words have their highest byte last in memory.
fn equal_words(pool: &Pool, mut bytes: EqualBytes) -> SmallVec<[(WordBytes, u64); 2]> {
    bytes.sort_unstable_by_key(|(byte, _)| {
        let (symbol, at) = pool.var_owner(*byte);
        (pool.symbol_name(symbol), pool.symbol_size(symbol), std::cmp::Reverse(at))
    });
    let mut words: SmallVec<[(WordBytes, u64); 2]> = SmallVec::new();
    for (byte, value) in bytes {
        let (symbol, at) = pool.var_owner(byte);
        let is_below = |above: &VarId| pool.var_owner(*above) == (symbol, at + 1);
        match words.last_mut() {
            Some((word, known)) if word.len() < 8 && word.last().is_some_and(is_below) => {
                word.push(byte);
                *known = *known << 8 | u64::from(value);
            }
            _ => words.push((smallvec![byte], value.into())),
        }
    }
    words
}

/// A term without the operators around it that can be undone, and the values that it may have for the whole
/// to have one of some values.
fn undone(pool: &Pool, mut term: TermId, mut values: IntervalSet) -> (TermId, IntervalSet) {
    for _ in 0..MAX_DEPTH {
        let all = mask(pool.width(term));
        let inner = match pool.node(term) {
            TermNode::ZExt(inner) => {
                let fitting = IntervalSet::arc(0, mask(pool.width(inner)), all);
                Some((inner, values.and(&fitting)))
            }
            TermNode::Binary(BinOp::Add, a, b) => match (pool.as_const(a), pool.as_const(b)) {
                (Some(by), None) => Some((b, values.turned_back(by, all))),
                (None, Some(by)) => Some((a, values.turned_back(by, all))),
                _ => None,
            },
            // The pool writes c - x as -x + c.
            TermNode::Unary(UnOp::Neg, inner) => Some((inner, values.negated(all))),
            TermNode::Concat(high, low) => match (pool.as_const(high), pool.as_const(low)) {
                (Some(known), None) => Some((low, values.behind(known, pool.width(low)))),
                (None, Some(known)) => Some((high, values.above(known, pool.width(low)))),
                _ => None,
            },
            TermNode::Extract { term: inner, low } => {
                let is_top = low + pool.width(term) == pool.width(inner) && pool.width(inner) <= 64;
                is_top.then(|| (inner, values.with_bits_below(low)))
            }
            _ => None,
        };
        match inner {
            Some(inner) => (term, values) = inner,
            None => break,
        }
    }
    (term, values)
}

/// The bytes of a term that is nothing but symbolic bytes, one above the other.
fn word_bytes(pool: &Pool, term: TermId) -> Option<WordBytes> {
    let mut bytes = WordBytes::new();
    let mut stack: SmallVec<[TermId; 8]> = smallvec![term];
    while let Some(term) = stack.pop() {
        match pool.node(term) {
            TermNode::Var(byte) => bytes.push(byte),
            TermNode::Concat(high, low) => stack.extend([low, high]),
            _ => return None,
        }
    }
    Some(bytes)
}

/// The words of a query.
struct WordTable {
    words: Vec<WordName>,
    /// The word that begins with a byte.
    by_first: Map<VarId, usize>,
    /// Opaque words, and words of bytes that are not the beginning of another.
    others: Map<WordName, usize>,
    /// No word is opaque, and none shares a byte with another.
    is_exact: bool,
}

impl WordTable {
    /// The longest words of some conditions; `None` where a search is not worth it.
    fn new(pool: &Pool, conditions: &[Arc<WordCondition<WordName>>]) -> Option<WordTable> {
        let mut table = WordTable {
            words: Vec::new(),
            by_first: Map::default(),
            others: Map::default(),
            is_exact: true,
        };
        let mut stack: Vec<&WordCondition<WordName>> =
            conditions.iter().map(|condition| &**condition).collect();
        while let Some(condition) = stack.pop() {
            match condition {
                WordCondition::Known(_) => {}
                WordCondition::All(parts) | WordCondition::Any(parts) => stack.extend(parts),
                WordCondition::Within(WordName::Bytes(bytes), _) => table.add(bytes),
                WordCondition::Within(opaque, _) => table.add_other(opaque),
            }
        }
        let mut seen: Set<VarId> = Set::default();
        let bytes = table.words.iter().filter_map(|word| match word {
            WordName::Bytes(bytes) => Some(bytes),
            WordName::Opaque(_) => None,
        });
        table.is_exact &= bytes.flatten().all(|byte| seen.insert(*byte));
        let is_large = |word: &WordName| match word {
            WordName::Bytes(_) => false,
            WordName::Opaque(term) => {
                pool.tree_size(*term) >= LARGE_TERM && pool.support(*term).len() >= BYTES_MIN
            }
        };
        let is_worth_it = match table.is_exact {
            true => seen.len() >= BYTES_MIN,
            false => table.words.iter().any(is_large),
        };
        is_worth_it.then_some(table)
    }

    fn add(&mut self, bytes: &WordBytes) {
        let first = *bytes.first().expect("a word has at least one byte");
        let number = *self.by_first.entry(first).or_insert(self.words.len());
        match self.words.get_mut(number) {
            Some(WordName::Bytes(known)) if known.starts_with(bytes) => {}
            Some(WordName::Bytes(known)) if bytes.starts_with(known) => known.clone_from(bytes),
            Some(_) => self.add_other(&WordName::Bytes(bytes.clone())),
            None => self.words.push(WordName::Bytes(bytes.clone())),
        }
    }

    fn add_other(&mut self, word: &WordName) {
        self.is_exact = false;
        if !self.others.contains_key(word) {
            self.others.insert(word.clone(), self.words.len());
            self.words.push(word.clone());
        }
    }

    /// The condition on the words of the table.
    fn resolve(&self, condition: &WordCondition<WordName>) -> WordCondition<usize> {
        let all = |parts: &[WordCondition<WordName>]| {
            parts.iter().map(|part| self.resolve(part)).collect()
        };
        match condition {
            WordCondition::Known(value) => WordCondition::Known(*value),
            WordCondition::All(parts) => WordCondition::All(all(parts)),
            WordCondition::Any(parts) => WordCondition::Any(all(parts)),
            WordCondition::Within(word, values) => {
                if let Some(number) = self.others.get(word) {
                    return WordCondition::Within(*number, values.clone());
                }
                let WordName::Bytes(bytes) = word else { unreachable!("opaque words are others") };
                let number = self.by_first[&bytes[0]];
                let below = 8 * (self.len(number) - bytes.len()) as u32;
                WordCondition::Within(number, values.with_bits_below(below))
            }
        }
    }

    /// The bytes of a word that is not opaque.
    fn len(&self, number: usize) -> usize {
        match &self.words[number] {
            WordName::Bytes(bytes) => bytes.len(),
            WordName::Opaque(_) => 0,
        }
    }

    /// All values of each word.
    fn domains(&self, pool: &Pool) -> Vec<IntervalSet> {
        let all = |word: &WordName| match word {
            WordName::Bytes(bytes) => mask(8 * bytes.len() as u32),
            WordName::Opaque(term) => mask(pool.width(*term)),
        };
        self.words.iter().map(|word| IntervalSet::arc(0, all(word), all(word))).collect()
    }

    /// The smallest value of each domain, as bytes; `None` if words may hang together.
    fn model(&self, domains: &[IntervalSet]) -> Option<Model> {
        if !self.is_exact {
            return None;
        }
        let values = self.words.iter().zip(domains).flat_map(|(word, domain)| {
            let value = domain.smallest().expect("a domain of a solution is not empty");
            let bytes = match word {
                WordName::Bytes(bytes) => &bytes[..],
                WordName::Opaque(_) => &[],
            };
            let lowest_first = bytes.iter().rev().enumerate();
            lowest_first.map(move |(at, byte)| (*byte, (value >> (8 * at)) as u8))
        });
        Some(Model::new(values))
    }
}

/// The search was given up.
struct TooLong;

/// A point of the search at which one of several conditions has to hold.
struct ChoicePoint<'a> {
    domains: Vec<IntervalSet>,
    pending: Vec<&'a WordCondition<usize>>,
    left: &'a [WordCondition<usize>],
}

/// A search for values of words.
struct WordSearch<'a> {
    conditions: &'a [WordCondition<usize>],
    steps_left: u32,
}

impl<'a> WordSearch<'a> {
    /// Domains all of whose values satisfy the conditions.
    fn run(mut self, domains: Vec<IntervalSet>) -> Result<Option<Vec<IntervalSet>>, TooLong> {
        let mut choices: Vec<ChoicePoint<'a>> = Vec::new();
        let (mut domains, mut pending) = (domains, self.conditions.iter().collect::<Vec<_>>());
        loop {
            if self.narrow(&mut domains, &mut pending)? {
                // What is left has alternatives, of which the first condition's are tried.
                let Some(condition) = pending.first() else { return Ok(Some(domains)) };
                let WordCondition::Any(parts) = condition else {
                    unreachable!("all that is no choice has narrowed the domains")
                };
                choices.push(ChoicePoint { domains, pending, left: parts });
            }
            (domains, pending) = loop {
                let Some(choice) = choices.last_mut() else { return Ok(None) };
                let Some((next, left)) = choice.left.split_first() else {
                    choices.pop();
                    continue;
                };
                choice.left = left;
                let mut pending = choice.pending.clone();
                pending[0] = next;
                break (choice.domains.clone(), pending);
            };
        }
    }

    /// Draws conclusions until there are none, and leaves the conditions that are open. Returns `false` if
    /// some condition cannot hold.
    fn narrow(
        &mut self,
        domains: &mut [IntervalSet],
        pending: &mut Vec<&'a WordCondition<usize>>,
    ) -> Result<bool, TooLong> {
        loop {
            let mut has_narrowed = false;
            let mut open = Vec::with_capacity(pending.len());
            let mut stack: Vec<&WordCondition<usize>> = pending.drain(..).rev().collect();
            while let Some(condition) = stack.pop() {
                match condition {
                    WordCondition::Known(true) => {}
                    WordCondition::Known(false) => return Ok(false),
                    WordCondition::All(parts) => stack.extend(parts.iter().rev()),
                    WordCondition::Within(word, values) => {
                        let narrowed = domains[*word].and(values);
                        if narrowed.is_empty() {
                            return Ok(false);
                        }
                        has_narrowed |= narrowed != domains[*word];
                        domains[*word] = narrowed;
                    }
                    WordCondition::Any(parts) => match self.alternatives(domains, parts)? {
                        Alternatives::Settled => {}
                        Alternatives::None => return Ok(false),
                        Alternatives::One(part) => stack.push(part),
                        Alternatives::Several => open.push(condition),
                    },
                }
            }
            *pending = open;
            if !has_narrowed || pending.is_empty() {
                return Ok(true);
            }
        }
    }

    /// What the domains leave of several alternatives.
    fn alternatives(
        &mut self,
        domains: &[IntervalSet],
        parts: &'a [WordCondition<usize>],
    ) -> Result<Alternatives<'a>, TooLong> {
        let mut only = Alternatives::None;
        for part in parts {
            match (self.judge(domains, part)?, &only) {
                (Verdict::Holds, _) => return Ok(Alternatives::Settled),
                (Verdict::Fails, _) => {}
                (Verdict::Open, Alternatives::None) => only = Alternatives::One(part),
                (Verdict::Open, _) => only = Alternatives::Several,
            }
        }
        Ok(only)
    }

    fn judge(
        &mut self,
        domains: &[IntervalSet],
        condition: &WordCondition<usize>,
    ) -> Result<Verdict, TooLong> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(TooLong)?;
        let (parts, settles) = match condition {
            WordCondition::Known(true) => return Ok(Verdict::Holds),
            WordCondition::Known(false) => return Ok(Verdict::Fails),
            WordCondition::Within(word, values) => {
                let left = domains[*word].and(values);
                return Ok(match left {
                    left if left.is_empty() => Verdict::Fails,
                    left if left == domains[*word] => Verdict::Holds,
                    _ => Verdict::Open,
                });
            }
            WordCondition::All(parts) => (parts, Verdict::Fails),
            WordCondition::Any(parts) => (parts, Verdict::Holds),
        };
        let mut is_open = false;
        for part in parts {
            match self.judge(domains, part)? {
                verdict if verdict == settles => return Ok(settles),
                verdict => is_open |= verdict == Verdict::Open,
            }
        }
        Ok(match (is_open, settles) {
            (true, _) => Verdict::Open,
            (false, Verdict::Fails) => Verdict::Holds,
            (false, _) => Verdict::Fails,
        })
    }
}

/// What is left of several alternatives.
enum Alternatives<'a> {
    /// One of them holds in any case.
    Settled,
    None,
    One(&'a WordCondition<usize>),
    Several,
}
