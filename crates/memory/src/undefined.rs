//! Bytes that were never written, as terms.
//!
//! A byte of a variable or of a heap object that was never written is a byte of an undefined symbol
//! ([`Pool::undefined_symbol`]), the same one at each read. The symbol is named by the origin of the object:
//! its kind, its name, the place of its allocation. Objects of the same origin that are made one after the
//! other have different symbols, but only [`ORIGIN_SERIALS`] of them: so a program that runs for long needs
//! no more symbols than one that is large.

use everett_base::hash::Map;
use everett_expr::{Pool, SymbolId, VarId};

use crate::layout::{AddressSlot, PAGE_BYTES};
use crate::object::{ObjRef, Object, ObjectKind, ObjectNameId, SiteId};
use crate::page::ByteCell;

/// Objects of one origin whose symbols differ.
const ORIGIN_SERIALS: u64 = 16;

/// A byte that was never written, as its symbol tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UndefinedByte {
    /// The owner of its object.
    pub kind: ObjectKind,
    /// The place of the allocation.
    pub site: SiteId,
    /// The name of the object, or [`ObjectNameId::NONE`].
    pub name: ObjectNameId,
    /// The number of the object among those of the same origin, modulo [`ORIGIN_SERIALS`].
    serial: u64,
    /// Its place in the object.
    pub offset: u64,
}

impl UndefinedByte {
    /// The byte at an offset of an object.
    pub(crate) fn of_object(object: ObjRef, offset: u64) -> UndefinedByte {
        let Object { kind, site, name, .. } = object.object;
        let serial = AddressSlot::of(object.base).map_or(0, AddressSlot::number) % ORIGIN_SERIALS;
        UndefinedByte { kind, site, name, serial, offset }
    }

    /// The byte that a variable stands for, if it is one that was never written.
    pub fn of(pool: &Pool, var: VarId) -> Option<UndefinedByte> {
        let (symbol, index) = pool.var_owner(var);
        let mut parts = pool.undefined_name(symbol)?.split(' ');
        let kind = match parts.next()? {
            "heap" => ObjectKind::Heap,
            _ => ObjectKind::Stack,
        };
        let mut number = || parts.next()?.parse::<u64>().ok();
        let (site, name, serial) = (number()?, number()?, number()?);
        let offset = number()? * PAGE_BYTES + u64::from(index);
        let (site, name) = (SiteId(site as u32), ObjectNameId(name as u32));
        Some(UndefinedByte { kind, site, name, serial, offset })
    }

    /// The symbol for all bytes of a page of the object.
    fn symbol(&self, pool: &Pool) -> Option<SymbolId> {
        let UndefinedByte { kind, site, name, serial, offset } = self;
        let page = offset / PAGE_BYTES;
        let text = format!("{} {} {} {serial} {page}", kind.name(), site.0, name.0);
        pool.undefined_symbol(&text, PAGE_BYTES as u32)
    }
}

/// The symbols for one object, which are looked up by page.
pub(crate) struct UnwrittenCells {
    object: ObjRef,
    symbols: Map<u64, Option<SymbolId>>,
}

impl UnwrittenCells {
    pub(crate) fn of(object: ObjRef) -> UnwrittenCells {
        UnwrittenCells { object, symbols: Map::default() }
    }

    /// The symbol for the page of an object that an address is in.
    pub(crate) fn symbol_at(pool: &Pool, object: ObjRef, address: u64) -> Option<SymbolId> {
        UndefinedByte::of_object(object, address - object.base).symbol(pool)
    }

    /// The cell for a byte at an offset that was never written.
    pub(crate) fn cell(&mut self, pool: &Pool, offset: u64) -> ByteCell {
        let byte = UndefinedByte::of_object(self.object, offset);
        let find = || byte.symbol(pool);
        let symbol = *self.symbols.entry(offset / PAGE_BYTES).or_insert_with(find);
        let fill = self.object.object.fill;
        // With too many symbolic bytes, all that is lost are findings.
        let Some(symbol) = symbol else { return ByteCell::Byte(fill) };
        let unknown = pool.byte(symbol, (offset % PAGE_BYTES) as u32);
        let term = match fill {
            0 => unknown,
            fill => pool.xor(unknown, pool.constant(8, fill.into())),
        };
        ByteCell::Term { term, index: 0 }
    }
}

impl Object {
    /// A byte that was never written.
    pub(crate) fn unwritten(&self) -> ByteCell {
        if self.undefined { ByteCell::Unwritten } else { ByteCell::Byte(self.fill) }
    }
}
