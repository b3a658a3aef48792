//! Arrays: maps from 64-bit indices to bytes, built of constant tables, symbols and stores.
//!
//! Every array is total: an index at or above the length of the table or symbol reads 0, unless a store
//! wrote there. So an array has no unknowns but the bytes of symbols.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;

use crate::Pool;
use crate::id::{ArrayId, SymbolId, TermId};
use crate::node::{SIZE_MAX, hash_bytes, mix};
use crate::pool::support::Support;

/// One level of an array term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayNode<'a> {
    /// A constant table.
    Const(&'a [u8]),
    /// The bytes of a symbol.
    Symbol(SymbolId),
    /// An array with one byte replaced.
    Store {
        /// The array before.
        array: ArrayId,
        /// The index, width 64.
        index: TermId,
        /// The value, width 8.
        value: TermId,
    },
}

#[derive(Debug)]
enum ArrayKind {
    Const(Box<[u8]>),
    Symbol(SymbolId),
    Store(ArrayId, TermId, TermId),
}

#[derive(Debug)]
pub(crate) struct StoredArray {
    kind: ArrayKind,
    pub(crate) hash: u64,
    pub(crate) len: u64,
    pub(crate) support: u32,
    pub(crate) tree_size: u32,
}

impl StoredArray {
    fn view(&self) -> ArrayNode<'_> {
        match &self.kind {
            ArrayKind::Const(bytes) => ArrayNode::Const(bytes),
            ArrayKind::Symbol(symbol) => ArrayNode::Symbol(*symbol),
            ArrayKind::Store(array, index, value) => {
                ArrayNode::Store { array: *array, index: *index, value: *value }
            }
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct ArrayTable {
    list: boxcar::Vec<StoredArray>,
    ids: Mutex<HashTable<u32>>,
}

impl ArrayTable {
    pub(crate) fn get(&self, id: ArrayId) -> &StoredArray {
        &self.list[id.index()]
    }

    fn intern(
        &self,
        hash: u64,
        view: ArrayNode<'_>,
        make: impl FnOnce() -> StoredArray,
    ) -> ArrayId {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |&id: &u32| {
            let other = &self.list[id as usize];
            other.hash == hash && other.view() == view
        };
        if let Some(&id) = ids.find(hash, same) {
            return ArrayId(id);
        }
        let id = ArrayId::from_usize(self.list.push(make()));
        ids.insert_unique(hash, id.0, |&other| self.list[other as usize].hash);
        id
    }
}

/// The constructors of arrays. `select` is among the [`rules`](crate::rules).
impl Pool {
    /// A constant table.
    pub fn const_array(&self, bytes: &[u8]) -> ArrayId {
        let hash = mix(1, hash_bytes(bytes));
        self.arrays().intern(hash, ArrayNode::Const(bytes), || StoredArray {
            kind: ArrayKind::Const(bytes.into()),
            hash,
            len: bytes.len() as u64,
            support: 0,
            tree_size: 1,
        })
    }

    /// The bytes of a symbol as an array.
    pub fn symbol_array(&self, symbol: SymbolId) -> ArrayId {
        let info = self.symbols().get(symbol);
        let hash = mix(2, info.hash);
        self.arrays().intern(hash, ArrayNode::Symbol(symbol), || StoredArray {
            kind: ArrayKind::Symbol(symbol),
            hash,
            len: u64::from(info.size),
            support: self.supports().intern(Support::range(
                info.first_var,
                info.size,
                info.is_undefined(),
            )),
            tree_size: 1,
        })
    }

    /// The array with the byte at `index` replaced by `value`.
    ///
    /// A store directly below at the same index is dropped.
    pub fn store(&self, array: ArrayId, index: TermId, value: TermId) -> ArrayId {
        assert_eq!(self.width(index), 64, "an array index has 64 bits");
        assert_eq!(self.width(value), 8, "an array element has 8 bits");
        let array = match self.array_node(array) {
            ArrayNode::Store { array: below, index: other, .. } if other == index => below,
            _ => array,
        };
        let below = self.arrays().get(array);
        let (at, what) = (self.stored(index), self.stored(value));
        let hash = mix(mix(mix(3, below.hash), at.hash), what.hash);
        self.arrays().intern(hash, ArrayNode::Store { array, index, value }, || StoredArray {
            kind: ArrayKind::Store(array, index, value),
            hash,
            len: below.len,
            support: self
                .supports()
                .union(below.support, self.supports().union(at.support, what.support)),
            tree_size: (1 + below.tree_size + at.tree_size() + what.tree_size()).min(SIZE_MAX),
        })
    }

    /// The length of the table or symbol that an array is built on.
    pub fn array_len(&self, array: ArrayId) -> u64 {
        self.arrays().get(array).len
    }

    /// The bytes that an array depends on.
    pub fn array_support(&self, array: ArrayId) -> &Support {
        self.supports().get(self.arrays().get(array).support)
    }

    /// One level of an array.
    pub fn array_node(&self, array: ArrayId) -> ArrayNode<'_> {
        self.arrays().get(array).view()
    }
}
