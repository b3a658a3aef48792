//! Symbols: named sequences of symbolic bytes, and the variables those bytes are.
//!
//! An *undefined* symbol stands for bytes of memory that a program has not written. It is no input: nothing
//! is ever assumed of its bytes, which are zero wherever a value is asked for. Its name tells it from others.
//!
//! Invariant: symbols get consecutive blocks of [`VarId`]s in the order of their creation, so the owner
//! of a variable is found by binary search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use everett_base::hash::Map;

use crate::id::{SymbolId, VarId};
use crate::node::{hash_bytes, mix};

/// The character that names of undefined symbols begin with, and that no name of an input has.
const UNDEFINED_MARK: char = '\0';

#[derive(Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Box<str>,
    pub(crate) size: u32,
    pub(crate) first_var: u32,
    pub(crate) hash: u64,
}

#[derive(Debug, Default)]
pub(crate) struct SymbolTable {
    list: boxcar::Vec<Symbol>,
    by_name: Mutex<SymbolIndex>,
    has_undefined: AtomicBool,
}

impl Symbol {
    /// Returns true if the symbol stands for memory that was not written.
    pub(crate) fn is_undefined(&self) -> bool {
        self.name.starts_with(UNDEFINED_MARK)
    }
}

#[derive(Debug, Default)]
struct SymbolIndex {
    ids: Map<(Box<str>, u32), SymbolId>,
    next_var: u32,
}

impl SymbolTable {
    pub(crate) fn intern(&self, name: &str, size: u32) -> SymbolId {
        self.try_intern(name, size).expect("a pool has fewer than 2^32 symbolic bytes")
    }

    /// The symbol, unless there would be too many bytes.
    pub(crate) fn try_intern(&self, name: &str, size: u32) -> Option<SymbolId> {
        let mut index = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (Box::from(name), size);
        if let Some(&id) = index.ids.get(&key) {
            return Some(id);
        }
        let first_var = index.next_var;
        index.next_var = first_var.checked_add(size)?;
        if name.starts_with(UNDEFINED_MARK) {
            self.has_undefined.store(true, Ordering::Release);
        }
        let hash = mix(hash_bytes(name.as_bytes()), u64::from(size));
        let id = SymbolId::from_usize(self.list.push(Symbol {
            name: name.into(),
            size,
            first_var,
            hash,
        }));
        index.ids.insert(key, id);
        Some(id)
    }

    /// The undefined symbol of this name and size, unless there would be too many bytes.
    pub(crate) fn try_intern_undefined(&self, name: &str, size: u32) -> Option<SymbolId> {
        self.try_intern(&format!("{UNDEFINED_MARK}{name}"), size)
    }

    /// Returns true if a variable is a byte of an undefined symbol.
    pub(crate) fn is_undefined(&self, var: VarId) -> bool {
        // Whoever has a variable of such a symbol has seen the symbol being made.
        self.has_undefined.load(Ordering::Acquire) && self.get(self.owner(var).0).is_undefined()
    }

    /// The name of an undefined symbol as it was given.
    pub(crate) fn undefined_name(&self, id: SymbolId) -> Option<&str> {
        self.get(id).name.strip_prefix(UNDEFINED_MARK)
    }

    pub(crate) fn get(&self, id: SymbolId) -> &Symbol {
        &self.list[id.index()]
    }

    pub(crate) fn count(&self) -> usize {
        self.list.count()
    }

    pub(crate) fn var(&self, id: SymbolId, index: u32) -> VarId {
        let symbol = self.get(id);
        assert!(
            index < symbol.size,
            "byte {index} of symbol {} of {} bytes",
            symbol.name,
            symbol.size
        );
        VarId(symbol.first_var + index)
    }

    pub(crate) fn owner(&self, var: VarId) -> (SymbolId, u32) {
        let (mut low, mut high) = (0, self.list.count());
        // A symbol that another thread is adding right now lies above every variable in use.
        while low + 1 < high {
            let middle = low.midpoint(high);
            match self.list.get(middle) {
                Some(symbol) if symbol.first_var <= var.0 => low = middle,
                _ => high = middle,
            }
        }
        let mut owner = low;
        // Symbols of no bytes share their first variable with the symbol after them.
        while owner > 0 && self.list[owner].size == 0 {
            owner -= 1;
        }
        (SymbolId::from_usize(owner), var.0 - self.list[owner].first_var)
    }
}
