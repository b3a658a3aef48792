//! Accesses at symbolic offsets: the content of an object as an array term.
//!
//! A read at a symbolic offset needs the content of all bytes it may reach, its window, as an array;
//! that snapshot is kept until the object is written to. A write appends stores to the snapshot and
//! marks the window's bytes as being in the array; a later write at a concrete offset takes its
//! bytes out again.
//!
//! Invariant: an object has an overlay if one of its bytes is in an array, and the window of the
//! overlay's `written` holds all such bytes.

use everett_expr::{ArrayId, ArrayNode, Pool, SymbolId, TermId, TermNode};

use crate::access::symbolic::{ReadValue, byte_term};
use crate::layout::page_key;
use crate::object::{GuardState, ObjRef};
use crate::page::{ByteCell, Page};
use crate::space::{AddressSpace, PageRef, segments};
use crate::sparse;
use crate::undefined::UnwrittenCells;

/// The widest window that is made into an array: 16 MiB.
const MAX_WINDOW_BYTES: u64 = 1 << 24;

/// Bytes of a window that were never written and have a term each. With more of them, a table says which they
/// are, and all reads have one term for them; a write at a symbolic offset takes them as written.
const MAX_UNWRITTEN_TERMS: usize = 256;

/// A symbolic offset ranges over more bytes than an array should have: bound it, or choose a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a symbolic offset ranges over {bytes} bytes; at most {MAX_WINDOW_BYTES} can be an array")]
pub struct ArrayTooLarge {
    /// The bytes that the access may reach.
    pub bytes: u64,
}

/// Part of an object as an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ArrayWindow {
    array: ArrayId,
    /// The offset in the object whose byte is element 0; wraps where the array starts before the
    /// object.
    origin: u64,
    /// The offsets that the array is right for, the last one excluded.
    from: u64,
    to: u64,
}

everett_base::portable!(struct ArrayWindow { array, origin, from, to });

impl ArrayWindow {
    fn covers(&self, from: u64, to: u64) -> bool {
        self.from <= from && to <= self.to
    }

    fn index(&self, pool: &Pool, offset: TermId) -> TermId {
        pool.sub(offset, pool.constant(64, self.origin))
    }

    fn element(&self, pool: &Pool, offset: u64) -> TermId {
        pool.select(self.array, pool.constant(64, offset.wrapping_sub(self.origin)))
    }

    fn with_byte(self, pool: &Pool, offset: u64, value: TermId) -> ArrayWindow {
        let index = pool.constant(64, offset.wrapping_sub(self.origin));
        ArrayWindow { array: pool.store(self.array, index, value), ..self }
    }
}

/// The parts of one object that are kept as arrays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct ArrayOverlay {
    /// The array of the bytes that were written at symbolic offsets.
    written: Option<ArrayWindow>,
    /// The current content for reads at symbolic offsets; the next write forgets it.
    snapshot: Option<ArrayWindow>,
}

everett_base::portable!(struct ArrayOverlay { written, snapshot });

impl ArrayOverlay {
    pub(crate) fn has_snapshot(&self) -> bool {
        self.snapshot.is_some()
    }

    /// The element for an offset that is in the array.
    pub(crate) fn element(&self, pool: &Pool, offset: u64) -> TermId {
        self.written.expect("a byte is in the array that was written").element(pool, offset)
    }
}

impl AddressSpace {
    /// Reads `bytes` bytes at a symbolic offset (width 64) into a live object.
    ///
    /// The caller has checked that the access is in bounds: all of it lies in the object, and the
    /// offset is within `range` (inclusive), if one is given.
    pub fn read_at_term(
        &mut self,
        pool: &Pool,
        object: ObjRef,
        offset: TermId,
        bytes: u32,
        range: Option<(u64, u64)>,
    ) -> Result<ReadValue, ArrayTooLarge> {
        let (from, to) = reach(object, bytes, range);
        check_alone(object)?;
        let window = self.snapshot(pool, object, from, to)?;
        let unwritten = self.unwritten_table(pool, object, window);
        if unwritten.is_none()
            && let ArrayNode::Const(table) = pool.array_node(window.array)
        {
            let reach = (
                from.wrapping_sub(window.origin),
                (to - u64::from(bytes)).wrapping_sub(window.origin),
            );
            if let Some(term) = sparse::read(pool, table, window.index(pool, offset), bytes, reach)
            {
                return Ok(pool.as_const(term).map_or(ReadValue::Term(term), ReadValue::Concrete));
            }
        }
        let mut value = None;
        for position in 0..u64::from(bytes) {
            let at = pool.add(offset, pool.constant(64, position));
            let mut byte = pool.select(window.array, window.index(pool, at));
            if let Some((table, unknown)) = unwritten {
                let is_unwritten = pool.select(table, window.index(pool, at));
                byte = pool.xor(byte, pool.and(is_unwritten, unknown));
            }
            value = Some(value.map_or(byte, |low| pool.concat(byte, low)));
        }
        let term = value.expect("a read has at least one byte");
        Ok(pool.as_const(term).map_or(ReadValue::Term(term), ReadValue::Concrete))
    }

    /// Writes a term at a symbolic offset (width 64) into a live object that is not constant.
    ///
    /// The caller has checked that the access is in bounds, as for
    /// [`read_at_term`](AddressSpace::read_at_term).
    pub fn write_at_term(
        &mut self,
        pool: &Pool,
        object: ObjRef,
        offset: TermId,
        value: TermId,
        range: Option<(u64, u64)>,
    ) -> Result<(), ArrayTooLarge> {
        let bytes = pool.width(value) / 8;
        assert_eq!(bytes * 8, pool.width(value), "memory holds whole bytes");
        let (from, to) = reach(object, bytes, range);
        check_alone(object)?;
        let mut window = self.snapshot(pool, object, from, to)?;
        for position in 0..bytes {
            let at = pool.add(offset, pool.constant(64, u64::from(position)));
            let byte = pool.extract(value, position * 8, 8);
            window.array = pool.store(window.array, window.index(pool, at), byte);
        }
        self.mark_in_array(object, window.from, window.to);
        let overlay = self.overlay_of(object);
        // A window within the one written before shares its array, so the old bounds still hold.
        let written = match overlay.written {
            Some(old) if old.covers(window.from, window.to) && old.origin == window.origin => {
                ArrayWindow { array: window.array, ..old }
            }
            _ => window,
        };
        let overlay = ArrayOverlay { written: Some(written), snapshot: Some(window) };
        self.set_overlay(object, overlay);
        Ok(())
    }

    /// Forgets the array of an object's content, because the object is about to be written to.
    pub(crate) fn forget_snapshot(&mut self, object: ObjRef) {
        if let Some(ArrayOverlay { written, snapshot: Some(_) }) = self.overlay(object.base) {
            let written = *written;
            self.set_overlay(object, ArrayOverlay { written, snapshot: None });
        }
    }

    /// The bytes `from..to` of an object as an array.
    fn snapshot(
        &mut self,
        pool: &Pool,
        object: ObjRef,
        from: u64,
        to: u64,
    ) -> Result<ArrayWindow, ArrayTooLarge> {
        let overlay = self.overlay_of(object);
        if let Some(snapshot) = overlay.snapshot
            && snapshot.covers(from, to)
        {
            return Ok(snapshot);
        }
        if to - from > MAX_WINDOW_BYTES {
            return Err(ArrayTooLarge { bytes: to - from });
        }
        let window = match overlay.written {
            Some(written) if written.covers(from, to) => {
                self.override_array(pool, object, written, from, to)
            }
            // One array an object: a window beside the one written before is widened to hold both.
            Some(written) => {
                let (from, to) = (from.min(written.from), to.max(written.to));
                let wide = self.widened_array(pool, object, written, from, to);
                wide.unwrap_or_else(|| self.build_array(pool, object, from, to))
            }
            None => self.build_array(pool, object, from, to),
        };
        self.set_overlay(object, ArrayOverlay { snapshot: Some(window), ..overlay });
        Ok(window)
    }

    /// The array written before with a longer table below its stores, which holds the bytes of `from..to`
    /// around the window; `None` if it is not built on a table.
    ///
    /// So widening costs as many stores as there were before, and not one for each byte.
    fn widened_array(
        &self,
        pool: &Pool,
        object: ObjRef,
        written: ArrayWindow,
        from: u64,
        to: u64,
    ) -> Option<ArrayWindow> {
        let mut stores = Vec::new();
        let mut below = written.array;
        while let ArrayNode::Store { array, index, value } = pool.array_node(below) {
            stores.push((index, value));
            below = array;
        }
        let ArrayNode::Const(old) = pool.array_node(below) else { return None };
        let mut cells = Vec::with_capacity((to - from) as usize);
        let around = |from: u64, to: u64, cells: &mut Vec<ByteCell>| {
            self.cells(pool, object, object.base + from, to - from, |cell| cells.push(cell));
        };
        around(from, written.from, &mut cells);
        // Beyond its end the old table reads 0.
        cells.extend((written.from..written.to).map(|offset| {
            let at = usize::try_from(offset.wrapping_sub(written.origin)).ok();
            ByteCell::Byte(at.and_then(|at| old.get(at)).copied().unwrap_or(0))
        }));
        around(written.to, to, &mut cells);
        let table: Vec<u8> = cells.iter().map(|cell| concrete_byte(*cell)).collect();
        let moved = pool.constant(64, written.origin.wrapping_sub(from));
        let array = stores.iter().rev().fold(pool.const_array(&table), |array, (index, value)| {
            pool.store(array, pool.add(*index, moved), *value)
        });
        let wide = with_symbolic(pool, ArrayWindow { array, origin: from, from, to }, &cells);
        let inner = self.override_array(pool, object, wide, written.from, written.to);
        Some(ArrayWindow { from, to, ..inner })
    }

    /// The array written before, with the bytes of `from..to` that were taken out of it since.
    fn override_array(
        &self,
        pool: &Pool,
        object: ObjRef,
        written: ArrayWindow,
        from: u64,
        to: u64,
    ) -> ArrayWindow {
        let mut window = ArrayWindow { from, to, ..written };
        let mut unwritten = UnwrittenCells::of(object);
        for segment in segments(object, object.base + from, to - from) {
            let page = self.page(&object.object, &segment);
            if let PageRef::Cells(Page::InArray) = page {
                continue;
            }
            for at in segment.at..segment.at + segment.len {
                let offset = segment.page_start + at as u64 - object.base;
                let cell = match page.cell(at) {
                    ByteCell::Unwritten => unwritten.cell(pool, offset),
                    cell => cell,
                };
                if cell != ByteCell::Array {
                    window = window.with_byte(pool, offset, byte_term(pool, cell));
                }
            }
        }
        window
    }

    /// The bytes of a window that were never written, as an array of ones and zeros, and a term for all of
    /// them; `None` where the window's array has them as they are.
    fn unwritten_table(
        &self,
        pool: &Pool,
        object: ObjRef,
        window: ArrayWindow,
    ) -> Option<(ArrayId, TermId)> {
        let ArrayWindow { from, to, .. } = window;
        if !object.object.undefined || self.overlay_of(object).written.is_some() {
            return None;
        }
        let places = self.many_unwritten(object, from, to)?;
        let mut table = vec![0; (to - from) as usize];
        places.iter().for_each(|offset| table[(offset - from) as usize] = u8::MAX);
        let first = UnwrittenCells::of(object).cell(pool, *places.first()?);
        let unknown = pool.xor(byte_term(pool, first), pool.constant(8, object.object.fill.into()));
        Some((pool.const_array(&table), unknown))
    }

    /// The offsets in a window that were never written, if there are too many to have a term each.
    fn many_unwritten(&self, object: ObjRef, from: u64, to: u64) -> Option<Vec<u64>> {
        let mut places = Vec::new();
        for segment in segments(object, object.base + from, to - from) {
            let page = self.page(&object.object, &segment);
            let start = segment.page_start - object.base;
            let all = segment.at..segment.at + segment.len;
            let unwritten = all.filter(|at| page.cell(*at) == ByteCell::Unwritten);
            places.extend(unwritten.map(|at| start + at as u64));
        }
        (places.len() > MAX_UNWRITTEN_TERMS).then_some(places)
    }

    /// An array of the bytes `from..to`: a constant table, or a symbol if most bytes are its, with
    /// stores for the bytes that differ.
    fn build_array(&self, pool: &Pool, object: ObjRef, from: u64, to: u64) -> ArrayWindow {
        let mut cells = Vec::with_capacity((to - from) as usize);
        self.cells(pool, object, object.base + from, to - from, |cell| cells.push(cell));
        if object.object.undefined
            && let Some(places) = self.many_unwritten(object, from, to)
        {
            let fill = ByteCell::Byte(object.object.fill);
            places.iter().for_each(|offset| cells[(offset - from) as usize] = fill);
        }
        if let Some((symbol, origin)) = common_symbol(pool, from, &cells) {
            let mut window = ArrayWindow { array: pool.symbol_array(symbol), origin, from, to };
            for (offset, cell) in (from..).zip(&cells) {
                if symbol_origin(pool, *cell, offset) != Some((symbol, origin)) {
                    window = window.with_byte(pool, offset, byte_term(pool, *cell));
                }
            }
            return window;
        }
        let table: Vec<u8> = cells.iter().map(|cell| concrete_byte(*cell)).collect();
        let array = pool.const_array(&table);
        with_symbolic(pool, ArrayWindow { array, origin: from, from, to }, &cells)
    }

    /// Marks the bytes `from..to` as being in the object's array.
    fn mark_in_array(&mut self, object: ObjRef, from: u64, to: u64) {
        self.evict_range(object, object.base + from, to - from);
        for segment in segments(object, object.base + from, to - from) {
            if segment.len == segment.page_len {
                self.pages.insert(segment.key, Page::InArray);
            } else {
                let page = self.page_mut(object, segment.key, segment.page_len);
                page.set_cells(
                    segment.page_len,
                    segment.at,
                    &[ByteCell::Array; 256][..segment.len],
                );
            }
        }
    }

    fn overlay_of(&self, object: ObjRef) -> ArrayOverlay {
        self.overlay(object.base).copied().unwrap_or_default()
    }

    /// Sets what is kept as arrays for an object that is in the tree or is put there.
    fn set_overlay(&mut self, object: ObjRef, overlay: ArrayOverlay) {
        // A cache line takes writes without telling anybody, and a snapshot must not outlive a write.
        let writable = !object.object.constant && !overlay.has_snapshot();
        if let Some(cache) = self.existing_cache_mut() {
            // The lines of a guarded object differ in whether they may be written.
            if cache.has_partial()
                || cache.fresh_object(object.base).is_some()
                || object.object.guarded != GuardState::Unguarded
            {
                self.evict_range(object, object.base, object.object.size);
            } else {
                cache.set_writable(object.base, object.end(), writable);
            }
        }
        if overlay == ArrayOverlay::default() {
            self.rare_mut().overlays.remove(page_key(object.base));
        } else {
            self.rare_mut().overlays.insert(page_key(object.base), overlay);
        }
    }
}

/// The entry of a table for a cell; a symbolic one is stored over it.
fn concrete_byte(cell: ByteCell) -> u8 {
    if let ByteCell::Byte(byte) = cell { byte } else { 0 }
}

/// An array with those of its cells that a table cannot hold.
fn with_symbolic(pool: &Pool, window: ArrayWindow, cells: &[ByteCell]) -> ArrayWindow {
    let symbolic = (window.from..).zip(cells);
    let symbolic = symbolic.filter(|(_, cell)| !matches!(cell, ByteCell::Byte(_)));
    symbolic.fold(window, |window, (offset, cell)| {
        window.with_byte(pool, offset, byte_term(pool, *cell))
    })
}

/// Bytes that two objects have in common are not kept in the array of one.
fn check_alone(object: ObjRef) -> Result<(), ArrayTooLarge> {
    match object.object.guarded {
        GuardState::Unguarded | GuardState::Guarded => Ok(()),
        GuardState::Aliased => Err(ArrayTooLarge { bytes: object.object.size }),
    }
}

/// The offsets that an access may reach, the last one excluded.
fn reach(object: ObjRef, bytes: u32, range: Option<(u64, u64)>) -> (u64, u64) {
    let size = object.object.size;
    assert!(u64::from(bytes) <= size, "an access in bounds is not larger than its object");
    let (first, last) = range.unwrap_or((0, u64::MAX));
    let last = last.min(size - u64::from(bytes));
    (first.min(last), last + u64::from(bytes))
}

/// The symbol that at least half of the cells are consecutive bytes of, and the offset of its first
/// byte.
fn common_symbol(pool: &Pool, from: u64, cells: &[ByteCell]) -> Option<(SymbolId, u64)> {
    let origins =
        || (from..).zip(cells).filter_map(|(offset, cell)| symbol_origin(pool, *cell, offset));
    let candidate = origins().next()?;
    let count = origins().filter(|origin| *origin == candidate).count();
    (count * 2 >= cells.len()).then_some(candidate)
}

/// The symbol that a cell is a byte of, and where the symbol would start.
fn symbol_origin(pool: &Pool, cell: ByteCell, offset: u64) -> Option<(SymbolId, u64)> {
    let ByteCell::Term { term, index: 0 } = cell else { return None };
    let TermNode::Var(var) = pool.node(term) else { return None };
    if pool.mentions_undefined(term) {
        return None;
    }
    let (symbol, index) = pool.var_owner(var);
    Some((symbol, offset.wrapping_sub(u64::from(index))))
}
