//! [`Pool`]: the one table of terms.
//!
//! Terms are found by structural hash in sharded, mutex-protected tables, and read without locks. They are
//! never freed. This file holds the storage and the plain (not simplifying) constructors; what users call
//! is in [`rules`](crate::rules).
//!
//! Invariant: no two ids of one pool have the same structure.

pub(crate) mod array;
pub(crate) mod recent;
pub(crate) mod support;
pub(crate) mod symbol;

use std::sync::{Mutex, PoisonError};

use everett_base::Interrupt;
use hashbrown::HashTable;

use crate::facts::{KnownBits, TermFacts, UnsignedRange};
use crate::float::{FloatCircuits, FloatOp};
use crate::id::{ArrayId, SymbolId, TermId, VarId};
use crate::node::{SIZE_MAX, StoredNode, TermNode, binary_tag, mix, tag, tag_binary};
use crate::op::{BinOp, UnOp, mask};
use crate::pool::array::ArrayTable;
use crate::pool::recent::RecentOperations;
use crate::pool::support::{Support, SupportTable};
use crate::pool::symbol::SymbolTable;
use crate::{BitVec, MAX_WIDTH};

const SHARDS: usize = 64;
/// The tags that recent constants and bytes are remembered by; tags of operators are smaller.
const RECENT_CONSTANT: u32 = 1 << 31;
const RECENT_BYTE: u32 = 1 << 30;

/// The hash-consing table of all terms. `Send + Sync`; every method takes `&self`.
#[derive(Debug)]
pub struct Pool {
    nodes: boxcar::Vec<StoredNode>,
    shards: [Mutex<HashTable<u32>>; SHARDS],
    facts: boxcar::Vec<TermFacts>,
    big: boxcar::Vec<BitVec>,
    big_ids: Mutex<HashTable<u32>>,
    symbols: SymbolTable,
    supports: SupportTable,
    arrays: ArrayTable,
    recent: RecentOperations,
    float_circuits: FloatCircuits,
    interrupt: Interrupt,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

/// Width, value and symbols.
impl Pool {
    /// An empty pool.
    pub fn new() -> Pool {
        Pool::with_interrupt(Interrupt::new())
    }

    /// An empty pool for a run that an interrupt ends: walks over its terms are left then.
    pub fn with_interrupt(interrupt: Interrupt) -> Pool {
        let pool = Pool {
            nodes: boxcar::Vec::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
            facts: boxcar::Vec::new(),
            big: boxcar::Vec::new(),
            big_ids: Mutex::default(),
            symbols: SymbolTable::default(),
            supports: SupportTable::new(),
            arrays: ArrayTable::default(),
            recent: RecentOperations::new(),
            float_circuits: FloatCircuits::default(),
            interrupt,
        };
        // Index 0 has no id, so that `Option<TermId>` needs no room; the two truth values come next.
        pool.nodes.push(StoredNode::new(tag::CONST, 1, [0; 3], 0, 1));
        pool.facts.push(TermFacts::top(64));
        assert_eq!(pool.constant(1, 0).index(), 1);
        assert_eq!(pool.constant(1, 1).index(), 2);
        pool
    }

    /// The interrupt of the run that the terms belong to.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The symbol of this name and size; the same one every time.
    pub fn symbol(&self, name: &str, size: u32) -> SymbolId {
        self.symbols.intern(name, size)
    }

    /// The undefined symbol of this name and size, which stands for memory that was not written; `None` if
    /// there are too many symbolic bytes.
    pub fn undefined_symbol(&self, name: &str, size: u32) -> Option<SymbolId> {
        self.symbols.try_intern_undefined(name, size)
    }

    /// The name that an undefined symbol was made with; `None` for one that stands for an input.
    pub fn undefined_name(&self, symbol: SymbolId) -> Option<&str> {
        self.symbols.undefined_name(symbol)
    }

    /// Returns true if a variable is a byte of an undefined symbol.
    pub fn is_undefined(&self, var: VarId) -> bool {
        self.symbols.is_undefined(var)
    }

    /// Returns true if a term mentions bytes of undefined symbols.
    #[inline]
    pub fn mentions_undefined(&self, term: TermId) -> bool {
        self.support(term).has_undefined()
    }

    /// The term with zero in place of all bytes of undefined symbols.
    pub fn without_undefined(&self, term: TermId) -> TermId {
        if !self.mentions_undefined(term) {
            return term;
        }
        self.substitute(term, &|var| self.is_undefined(var).then(|| self.constant(8, 0)))
    }

    /// The name a symbol was made with.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols.get(symbol).name
    }

    /// The number of bytes of a symbol.
    pub fn symbol_size(&self, symbol: SymbolId) -> u32 {
        self.symbols.get(symbol).size
    }

    /// All symbols so far, by name and size.
    pub fn names_of_symbols(&self) -> Vec<(String, u32)> {
        let all = (0..self.symbol_count() as u32).map(SymbolId);
        all.map(|s| (self.symbol_name(s).to_owned(), self.symbol_size(s))).collect()
    }

    /// The number of symbols so far.
    pub fn symbol_count(&self) -> usize {
        self.symbols.count()
    }

    /// The variable that is byte `index` of a symbol.
    pub fn symbol_var(&self, symbol: SymbolId, index: u32) -> VarId {
        self.symbols.var(symbol, index)
    }

    /// The symbol and byte index of a variable.
    pub fn var_owner(&self, var: VarId) -> (SymbolId, u32) {
        self.symbols.owner(var)
    }

    /// The term for byte `index` of a symbol, width 8.
    pub fn byte(&self, symbol: SymbolId, index: u32) -> TermId {
        let var = self.symbols.var(symbol, index);
        self.recent.get_or([RECENT_BYTE, var.0, 0, 0], || {
            let of = self.symbols.get(symbol).hash;
            let hash = mix(mix(u64::from(tag::VAR), of), u64::from(index));
            self.intern(StoredNode::new(tag::VAR, 8, [var.0, 0, 0], hash, 1))
        })
    }

    /// The term for a variable, width 8.
    pub fn var(&self, var: VarId) -> TermId {
        let (symbol, index) = self.var_owner(var);
        self.byte(symbol, index)
    }

    /// A constant: the low `width` bits of `value`, zero-extended above 64.
    pub fn constant(&self, width: u32, value: u64) -> TermId {
        if width > 64 {
            return self.big_constant(&BitVec::from_u64(width, value));
        }
        assert!(width >= 1, "a term has at least one bit");
        let value = value & mask(width);
        let (low, high) = (value as u32, (value >> 32) as u32);
        self.recent.get_or([RECENT_CONSTANT | width, low, high, 0], || {
            let hash = mix(mix(u64::from(tag::CONST), u64::from(width)), value);
            self.intern(StoredNode::new(tag::CONST, width, [low, high, 0], hash, 1))
        })
    }

    /// A constant of any width.
    pub fn big_constant(&self, value: &BitVec) -> TermId {
        let width = value.width();
        if width <= 64 {
            return self.constant(width, value.low_u64());
        }
        let hash = value.words().iter().fold(u64::from(width), |hash, &word| mix(hash, word));
        let mut ids = self.big_ids.lock().unwrap_or_else(PoisonError::into_inner);
        let index = match ids.find(hash, |&at| self.big[at as usize] == *value) {
            Some(&at) => at,
            None => {
                let at =
                    u32::try_from(self.big.push(value.clone())).expect("fewer than 2^32 constants");
                let rehash = |&at: &u32| {
                    let value = &self.big[at as usize];
                    value
                        .words()
                        .iter()
                        .fold(u64::from(value.width()), |hash, &word| mix(hash, word))
                };
                ids.insert_unique(hash, at, rehash);
                at
            }
        };
        drop(ids);
        self.intern(StoredNode::new(
            tag::BIG,
            width,
            [index, 0, 0],
            mix(u64::from(tag::BIG), hash),
            1,
        ))
    }

    /// The truth value, width 1.
    pub fn bool(&self, value: bool) -> TermId {
        TermId::from_index(1 + usize::from(value))
    }

    /// The value of a constant of at most 64 bits.
    pub fn as_const(&self, term: TermId) -> Option<u64> {
        let node = self.stored(term);
        (node.tag() == tag::CONST).then(|| node.word())
    }

    /// The value of a constant of any width.
    pub fn as_bitvec(&self, term: TermId) -> Option<BitVec> {
        match self.node(term) {
            TermNode::Const(value) => Some(BitVec::from_u64(self.width(term), value)),
            TermNode::BigConst(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// Returns `true` if the term is a constant of any width.
    pub fn is_const(&self, term: TermId) -> bool {
        matches!(self.stored(term).tag(), tag::CONST | tag::BIG)
    }

    /// The number of bits.
    pub fn width(&self, term: TermId) -> u32 {
        self.stored(term).width()
    }

    /// One level of the term.
    pub fn node(&self, term: TermId) -> TermNode<'_> {
        let node = self.stored(term);
        match node.tag() {
            tag::CONST => TermNode::Const(node.word()),
            tag::BIG => TermNode::BigConst(&self.big[node.args[0] as usize]),
            tag::VAR => TermNode::Var(VarId(node.args[0])),
            tag::NOT => TermNode::Unary(UnOp::Not, node.term(0)),
            tag::NEG => TermNode::Unary(UnOp::Neg, node.term(0)),
            tag::ITE => TermNode::Ite(node.term(0), node.term(1), node.term(2)),
            tag::CONCAT => TermNode::Concat(node.term(0), node.term(1)),
            tag::EXTRACT => TermNode::Extract { term: node.term(0), low: node.args[1] },
            tag::ZEXT => TermNode::ZExt(node.term(0)),
            tag::SEXT => TermNode::SExt(node.term(0)),
            tag::SELECT => TermNode::Select(ArrayId(node.args[0]), node.term(1)),
            tag::FLOAT => {
                let (op, a, b) = node.float();
                TermNode::Float(op, a, b)
            }
            other => TermNode::Binary(tag_binary(other), node.term(0), node.term(1)),
        }
    }

    /// The bytes that the term mentions.
    pub fn support(&self, term: TermId) -> &Support {
        self.supports.get(self.stored(term).support)
    }

    /// A small integer that is equal for two terms exactly when their supports are equal.
    pub fn support_id(&self, term: TermId) -> u32 {
        self.stored(term).support
    }

    /// The bits known under every assignment, for terms of at most 64 bits; above, nothing is known.
    pub fn known_bits(&self, term: TermId) -> KnownBits {
        if self.width(term) > 64 {
            return KnownBits { zeros: 0, ones: 0 };
        }
        let TermFacts { zeros, ones, .. } = self.facts(term);
        KnownBits { zeros, ones }
    }

    /// The unsigned range; `None` for terms of more than 64 bits.
    pub fn range(&self, term: TermId) -> Option<UnsignedRange> {
        (self.width(term) <= 64).then(|| {
            let TermFacts { umin, umax, .. } = self.facts(term);
            UnsignedRange { umin, umax }
        })
    }

    /// A digest of the structure: equal in every run and every pool for the same structure over symbols
    /// of the same names. Good for orders that must not depend on ids.
    pub fn structural_hash(&self, term: TermId) -> u64 {
        self.stored(term).hash
    }

    /// The number of terms so far.
    pub fn term_count(&self) -> usize {
        self.nodes.count() - 1
    }

    /// The number of nodes of the term as a tree, counted up to about a thousand.
    pub fn tree_size(&self, term: TermId) -> u32 {
        self.stored(term).tree_size()
    }
}

/// Storage and plain constructors, for the rest of the crate.
impl Pool {
    pub(crate) fn stored(&self, term: TermId) -> &StoredNode {
        &self.nodes[term.index()]
    }

    pub(crate) fn symbols(&self) -> &SymbolTable {
        &self.symbols
    }

    pub(crate) fn supports(&self) -> &SupportTable {
        &self.supports
    }

    pub(crate) fn arrays(&self) -> &ArrayTable {
        &self.arrays
    }

    pub(crate) fn recent(&self) -> &RecentOperations {
        &self.recent
    }

    pub(crate) fn float_circuits(&self) -> &FloatCircuits {
        &self.float_circuits
    }

    /// The facts of a term of at most 64 bits.
    pub(crate) fn facts(&self, term: TermId) -> TermFacts {
        let node = self.stored(term);
        match (node.tag(), node.facts) {
            (tag::CONST, _) => TermFacts::constant(node.width(), node.word()),
            (_, 0) => TermFacts::top(node.width()),
            (_, at) => self.facts[at as usize],
        }
    }

    /// Returns `true` if `a` comes before `b` in the canonical order of commutative operands.
    pub(crate) fn ordered(&self, a: TermId, b: TermId) -> bool {
        let (left, right) = (self.stored(a).hash, self.stored(b).hash);
        left < right || left == right && a <= b
    }

    pub(crate) fn raw_unary(&self, op: UnOp, a: TermId) -> TermId {
        let tag = match op {
            UnOp::Not => tag::NOT,
            UnOp::Neg => tag::NEG,
        };
        let node = self.stored(a);
        let hash = mix(u64::from(tag), node.hash);
        self.intern(StoredNode::new(tag, node.width(), [a.raw(), 0, 0], hash, 1 + node.tree_size()))
    }

    pub(crate) fn raw_binary(&self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let (left, right) = (self.stored(a), self.stored(b));
        debug_assert_eq!(left.width(), right.width());
        let swap = op.is_commutative() && !self.operands_ordered(left, a, right, b);
        let (a, b, left, right) = if swap { (b, a, right, left) } else { (a, b, left, right) };
        let tag = binary_tag(op);
        let width = if op.is_comparison() { 1 } else { left.width() };
        let hash = mix(mix(u64::from(tag), left.hash), right.hash);
        let size = 1 + left.tree_size() + right.tree_size();
        self.intern(StoredNode::new(tag, width, [a.raw(), b.raw(), 0], hash, size))
    }

    /// Constants come last; the rest by structural hash.
    fn operands_ordered(
        &self,
        left: &StoredNode,
        a: TermId,
        right: &StoredNode,
        b: TermId,
    ) -> bool {
        let constant = |node: &StoredNode| matches!(node.tag(), tag::CONST | tag::BIG);
        match (constant(left), constant(right)) {
            (true, false) => false,
            (false, true) => true,
            _ => self.ordered(a, b),
        }
    }

    pub(crate) fn raw_ite(&self, c: TermId, t: TermId, e: TermId) -> TermId {
        let (first, second, third) = (self.stored(c), self.stored(t), self.stored(e));
        let hash = mix(mix(mix(u64::from(tag::ITE), first.hash), second.hash), third.hash);
        let size = 1 + first.tree_size() + second.tree_size() + third.tree_size();
        let args = [c.raw(), t.raw(), e.raw()];
        self.intern(StoredNode::new(tag::ITE, second.width(), args, hash, size))
    }

    pub(crate) fn raw_concat(&self, high: TermId, low: TermId) -> TermId {
        let (above, below) = (self.stored(high), self.stored(low));
        let width = above.width() + below.width();
        assert!(width <= MAX_WIDTH, "a term has at most {MAX_WIDTH} bits");
        let hash = mix(mix(u64::from(tag::CONCAT), above.hash), below.hash);
        let size = 1 + above.tree_size() + below.tree_size();
        self.intern(StoredNode::new(tag::CONCAT, width, [high.raw(), low.raw(), 0], hash, size))
    }

    pub(crate) fn raw_extract(&self, term: TermId, low: u32, width: u32) -> TermId {
        let node = self.stored(term);
        let place = u64::from(low) << 32 | u64::from(width);
        let hash = mix(mix(u64::from(tag::EXTRACT), node.hash), place);
        let args = [term.raw(), low, 0];
        self.intern(StoredNode::new(tag::EXTRACT, width, args, hash, 1 + node.tree_size()))
    }

    pub(crate) fn raw_extend(&self, signed: bool, term: TermId, width: u32) -> TermId {
        let tag = if signed { tag::SEXT } else { tag::ZEXT };
        let node = self.stored(term);
        let hash = mix(mix(u64::from(tag), node.hash), u64::from(width));
        self.intern(StoredNode::new(tag, width, [term.raw(), 0, 0], hash, 1 + node.tree_size()))
    }

    pub(crate) fn raw_select(&self, array: ArrayId, index: TermId) -> TermId {
        let (from, at) = (self.arrays.get(array), self.stored(index));
        let hash = mix(mix(u64::from(tag::SELECT), from.hash), at.hash);
        let size = (1 + from.tree_size + at.tree_size()).min(SIZE_MAX);
        self.intern(StoredNode::new(tag::SELECT, 8, [array.0, index.raw(), 0], hash, size))
    }

    pub(crate) fn raw_float(
        &self,
        op: FloatOp,
        width: u32,
        a: TermId,
        b: Option<TermId>,
    ) -> TermId {
        let (first, second) = (self.stored(a), b.map(|b| self.stored(b)));
        let mut hash = mix(u64::from(tag::FLOAT) | u64::from(op.code()) << 8, first.hash);
        hash = mix(hash, second.map_or(u64::from(width), |second| second.hash));
        let size = 1 + first.tree_size() + second.map_or(0, StoredNode::tree_size);
        let args = [op.code(), a.raw(), b.map_or(0, TermId::raw)];
        self.intern(StoredNode::new(tag::FLOAT, width, args, hash, size))
    }

    fn intern(&self, node: StoredNode) -> TermId {
        // The low bits choose the bucket inside a shard, so the shard comes from higher ones.
        let shard = &self.shards[(node.hash >> 40) as usize % SHARDS];
        let mut table = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |&id: &u32| self.nodes[id as usize].same_structure(&node);
        if let Some(&id) = table.find(node.hash, same) {
            return TermId::from_raw(id);
        }
        drop(table);
        // A loop that makes new terms is left here when the run ends.
        self.interrupt.check_growth();
        let facts = self.derive_facts(&node);
        if node.tag() != tag::CONST
            && let Some(value) = facts.and_then(|facts| facts.value())
        {
            return self.constant(node.width(), value);
        }
        let node = StoredNode { support: self.derive_support(&node), ..node };
        table = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = table.find(node.hash, same) {
            return TermId::from_raw(id);
        }
        let facts = match facts {
            Some(facts) if node.tag() != tag::CONST => self.facts.push(facts),
            _ => 0,
        };
        let facts = u32::try_from(facts).expect("fewer facts than terms");
        let id = TermId::from_index(self.nodes.push(StoredNode { facts, ..node }));
        table.insert_unique(node.hash, id.raw(), |&other| self.nodes[other as usize].hash);
        id
    }

    fn derive_support(&self, node: &StoredNode) -> u32 {
        let of = |at: usize| self.stored(node.term(at)).support;
        match node.tag() {
            tag::CONST | tag::BIG => 0,
            tag::VAR => {
                let is_undefined = self.symbols.is_undefined(VarId(node.args[0]));
                self.supports.intern(Support::range(node.args[0], 1, is_undefined))
            }
            tag::NOT | tag::NEG | tag::EXTRACT | tag::ZEXT | tag::SEXT => of(0),
            tag::ITE => self.supports.union(of(0), self.supports.union(of(1), of(2))),
            tag::SELECT => {
                self.supports.union(self.arrays.get(ArrayId(node.args[0])).support, of(1))
            }
            tag::FLOAT => match node.float() {
                (_, _, Some(_)) => self.supports.union(of(1), of(2)),
                _ => of(1),
            },
            _ => self.supports.union(of(0), of(1)),
        }
    }
}
