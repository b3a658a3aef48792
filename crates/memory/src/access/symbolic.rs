//! Accesses to bytes that may be symbolic, at concrete addresses.
//!
//! A stored term is kept as one cell a byte, each naming the term and which of its bytes it is.
//! Reading those bytes back in order gives the very term; other reads put the pieces together.

use everett_expr::{BitVec, Pool, SymbolId, TermId};
use smallvec::SmallVec;

use crate::error::MemoryFault;
use crate::object::ObjRef;
use crate::page::ByteCell;
use crate::space::AddressSpace;
use crate::undefined::UnwrittenCells;

/// The cells of a read; most reads are short.
pub(crate) type ReadCells = SmallVec<[ByteCell; 16]>;

/// The result of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadValue {
    /// A number of at most 8 bytes.
    Concrete(u64),
    /// A term of 8 bits a byte; constant only if wider than 64 bits.
    Term(TermId),
}

impl ReadValue {
    /// The value as a term of the given width, which must be that of the read.
    pub fn term(self, pool: &Pool, width: u32) -> TermId {
        match self {
            ReadValue::Concrete(value) => pool.constant(width, value),
            ReadValue::Term(term) => term,
        }
    }
}

/// One byte of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ByteValue {
    /// A known value.
    Concrete(u8),
    /// A term of width 8.
    Symbolic(TermId),
}

everett_base::portable!(enum ByteValue { 0 = Concrete(value), 1 = Symbolic(value) });

impl ByteValue {
    /// The byte that a term of width 8 is.
    pub fn of_term(pool: &Pool, term: TermId) -> ByteValue {
        pool.as_const(term)
            .map_or(ByteValue::Symbolic(term), |known| ByteValue::Concrete(known as u8))
    }
}

impl From<u8> for ByteValue {
    fn from(byte: u8) -> ByteValue {
        ByteValue::Concrete(byte)
    }
}

/// The value of a concrete byte; a symbolic one has none.
impl TryFrom<ByteValue> for u8 {
    type Error = TermId;

    fn try_from(byte: ByteValue) -> Result<u8, TermId> {
        match byte {
            ByteValue::Concrete(byte) => Ok(byte),
            ByteValue::Symbolic(term) => Err(term),
        }
    }
}

impl AddressSpace {
    /// Reads a little-endian value of `bytes` bytes, at least 1.
    pub fn read(
        &mut self,
        pool: &Pool,
        address: u64,
        bytes: u32,
    ) -> Result<ReadValue, MemoryFault> {
        if bytes <= 8
            && let Some(value) = self.load_concrete(address, bytes as u8)
        {
            return Ok(ReadValue::Concrete(value));
        }
        let object = self.check(address, u64::from(bytes))?;
        let mut cells = ReadCells::new();
        self.cells(pool, object, address, u64::from(bytes), |cell| cells.push(cell));
        let term = assemble(pool, &cells);
        Ok(match pool.as_const(term) {
            Some(value) => ReadValue::Concrete(value),
            None => ReadValue::Term(term),
        })
    }

    /// Writes a term whose width is a multiple of 8, little-endian.
    pub fn write(&mut self, pool: &Pool, address: u64, value: TermId) -> Result<(), MemoryFault> {
        let width = pool.width(value);
        assert!(width.is_multiple_of(8), "memory holds whole bytes, not {width} bits");
        let bytes = width / 8;
        if let Some(known) = pool.as_bitvec(value) {
            return self.write_bytes(address, &known.to_bytes_le()[..bytes as usize]);
        }
        let object = self.check_write(address, u64::from(bytes))?;
        let cells: ReadCells =
            (0..bytes).map(|index| ByteCell::Term { term: value, index: index as u16 }).collect();
        self.write_cells(object, address, &cells);
        Ok(())
    }

    /// Reads bytes one by one; a symbolic one is a term of width 8.
    pub fn read_each(
        &self,
        pool: &Pool,
        address: u64,
        bytes: u64,
    ) -> Result<Vec<ByteValue>, MemoryFault> {
        let object = self.check(address, bytes)?;
        let mut values = Vec::with_capacity(bytes as usize);
        self.cells(pool, object, address, bytes, |cell| values.push(byte_value(pool, cell)));
        Ok(values)
    }

    /// Writes bytes one by one; a symbolic one is a term of width 8.
    pub fn write_each(
        &mut self,
        pool: &Pool,
        address: u64,
        values: &[ByteValue],
    ) -> Result<(), MemoryFault> {
        let object = self.check_write(address, values.len() as u64)?;
        let cells: Vec<ByteCell> = values.iter().map(|value| cell_of(pool, *value)).collect();
        self.write_cells(object, address, &cells);
        Ok(())
    }

    /// Makes the bytes at `address` those of a symbol, all of them.
    pub fn make_symbolic(
        &mut self,
        pool: &Pool,
        address: u64,
        symbol: SymbolId,
    ) -> Result<(), MemoryFault> {
        let size = pool.symbol_size(symbol);
        let object = self.check_write(address, u64::from(size))?;
        let cells: Vec<ByteCell> =
            (0..size).map(|i| ByteCell::Term { term: pool.byte(symbol, i), index: 0 }).collect();
        self.write_cells(object, address, &cells);
        Ok(())
    }

    /// Hands every byte of a range inside an object to `each`; each cell is a byte or a term.
    pub(crate) fn cells(
        &self,
        pool: &Pool,
        object: ObjRef,
        address: u64,
        bytes: u64,
        mut each: impl FnMut(ByteCell),
    ) {
        let mut unwritten = UnwrittenCells::of(object);
        for segment in self.segments(object, address, bytes) {
            pool.interrupt().check_growth();
            let page = self.page(&object.object, &segment);
            for at in segment.at..segment.at + segment.len {
                each(match page.cell(at) {
                    ByteCell::Array => {
                        let offset = segment.page_start + at as u64 - object.base;
                        self.array_cell(pool, object, offset)
                    }
                    ByteCell::Unwritten => {
                        let offset = segment.page_start + at as u64 - object.base;
                        unwritten.cell(pool, offset)
                    }
                    cell => cell,
                });
            }
        }
    }

    /// Writes cells to a range inside an object.
    pub(crate) fn write_cells(&mut self, object: ObjRef, address: u64, cells: &[ByteCell]) {
        if self.config.undefined && self.write_line(address, cells) {
            return;
        }
        self.begin_write(object, address, cells.len() as u64);
        self.put_cells(object, address, cells);
    }

    /// Writes cells to a line of the cache; false, and nothing is written, if they do not fit into one.
    pub(crate) fn write_line(&mut self, address: u64, cells: &[ByteCell]) -> bool {
        let in_line = |space: &mut AddressSpace| {
            space.existing_cache_mut().is_some_and(|cache| cache.store_cells(address, cells))
        };
        in_line(self) || self.cache_page(address) && in_line(self)
    }

    /// Writes cells, without touching the cache or what is derived from the content.
    pub(crate) fn put_cells(&mut self, object: ObjRef, address: u64, cells: &[ByteCell]) {
        let mut done = 0;
        for segment in self.segments(object, address, cells.len() as u64) {
            let new = &cells[done..done + segment.len];
            done += segment.len;
            let page = self.page_mut(object, segment.key, segment.page_len);
            page.set_cells(segment.page_len, segment.at, new);
        }
    }

    /// The element of the object's array at an offset, as a cell of its own.
    fn array_cell(&self, pool: &Pool, object: ObjRef, offset: u64) -> ByteCell {
        let overlay =
            self.overlay(object.base).expect("only an object with an array has bytes in it");
        cell_of(pool, ByteValue::Symbolic(overlay.element(pool, offset)))
    }
}

/// The cell of a byte; a constant term becomes concrete.
pub(crate) fn cell_of(pool: &Pool, value: ByteValue) -> ByteCell {
    match value {
        ByteValue::Concrete(byte) => ByteCell::Byte(byte),
        ByteValue::Symbolic(term) => {
            assert_eq!(pool.width(term), 8, "a byte has 8 bits");
            match pool.as_const(term) {
                Some(byte) => ByteCell::Byte(byte as u8),
                None => ByteCell::Term { term, index: 0 },
            }
        }
    }
}

/// The value of a cell that is not in an array.
pub(crate) fn byte_value(pool: &Pool, cell: ByteCell) -> ByteValue {
    match cell {
        ByteCell::Byte(byte) => ByteValue::Concrete(byte),
        ByteCell::Term { term, index } => {
            ByteValue::of_term(pool, pool.extract(term, u32::from(index) * 8, 8))
        }
        ByteCell::Array | ByteCell::Unwritten => {
            unreachable!("cells that depend on their object are looked up first")
        }
    }
}

/// The term of a cell that is not in an array, width 8.
pub(crate) fn byte_term(pool: &Pool, cell: ByteCell) -> TermId {
    match byte_value(pool, cell) {
        ByteValue::Concrete(byte) => pool.constant(8, u64::from(byte)),
        ByteValue::Symbolic(term) => term,
    }
}

/// The little-endian value of cells, none of them in an array.
fn assemble(pool: &Pool, cells: &[ByteCell]) -> TermId {
    let mut rest = cells;
    let mut value: Option<TermId> = None;
    while let Some(first) = rest.first() {
        let run = run_length(rest, *first);
        let (piece, after) = rest.split_at(run);
        rest = after;
        let piece = piece_term(pool, *first, piece);
        value = Some(value.map_or(piece, |low| pool.concat(piece, low)));
    }
    value.expect("a read has at least one byte")
}

/// Returns the number of cells from the first on that are neighbours in one term, or concrete.
fn run_length(cells: &[ByteCell], first: ByteCell) -> usize {
    let continues = |(position, cell): (usize, &ByteCell)| match (first, *cell) {
        (ByteCell::Byte(_), ByteCell::Byte(_)) => true,
        (ByteCell::Term { term, index }, ByteCell::Term { term: other, index: at }) => {
            term == other && usize::from(at) == usize::from(index) + position
        }
        _ => false,
    };
    cells.iter().enumerate().take_while(|cell| continues(*cell)).count()
}

/// The value of one run of cells.
fn piece_term(pool: &Pool, first: ByteCell, run: &[ByteCell]) -> TermId {
    let width = run.len() as u32 * 8;
    match first {
        ByteCell::Term { term, index } => {
            if index == 0 && pool.width(term) == width {
                return term;
            }
            pool.extract(term, u32::from(index) * 8, width)
        }
        ByteCell::Byte(_) => {
            let bytes: SmallVec<[u8; 16]> = run
                .iter()
                .map(|cell| match cell {
                    ByteCell::Byte(byte) => *byte,
                    ByteCell::Term { .. } | ByteCell::Array | ByteCell::Unwritten => {
                        unreachable!("the run is concrete")
                    }
                })
                .collect();
            pool.big_constant(&BitVec::from_bytes_le(width, &bytes))
        }
        ByteCell::Array | ByteCell::Unwritten => {
            unreachable!("cells that depend on their object are looked up first")
        }
    }
}
