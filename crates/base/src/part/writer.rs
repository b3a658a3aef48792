//! [`PartWriter`]: the bytes of a part as they are written.

use std::any::{Any, TypeId};
use std::marker::PhantomData;

use super::Portable;
use crate::hash::Map;

/// Writes values as bytes. What is written is borrowed for `'a`, so that addresses name shared parts.
pub struct PartWriter<'a> {
    bytes: Vec<u8>,
    /// The numbers of the shared parts that are written, by type and address.
    shared: Map<(TypeId, usize), u64>,
    references: Vec<(TypeId, ReferenceTable)>,
    handles: Vec<&'a dyn Any>,
    written: PhantomData<&'a ()>,
}

/// The ids of one kind that were met, in the order of meeting.
#[derive(Default)]
struct ReferenceTable {
    numbers: Map<u32, u32>,
    met: Vec<u32>,
}

impl<'a> PartWriter<'a> {
    /// A writer without bytes. Values find the data that they refer to among the handles, by its type.
    pub fn new(handles: &[&'a dyn Any]) -> PartWriter<'a> {
        PartWriter {
            bytes: Vec::new(),
            shared: Map::default(),
            references: Vec::new(),
            handles: handles.to_vec(),
            written: PhantomData,
        }
    }

    /// Writes a number: seven bits a byte, the lowest first (LEB128).
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Writes bytes as they are. Their number is the reader's to know.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes bytes after their number.
    pub fn byte_string(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    /// Writes the number of some values, and the values.
    pub fn sequence<T: Portable + 'a>(&mut self, values: impl ExactSizeIterator<Item = &'a T>) {
        self.number(values.len() as u64);
        values.for_each(|value| value.write(self));
    }

    /// Writes the part of type `T` at an address: its number if it is known, or its contents.
    pub fn shared<T: ?Sized + 'static>(
        &mut self,
        address: *const T,
        contents: impl FnOnce(&mut PartWriter<'a>),
    ) {
        match self.known(address) {
            Some(number) => self.number(number + 1),
            None => {
                self.number(0);
                contents(self);
                self.note(address);
            }
        }
    }

    /// The number of the part of type `T` at an address, if it was noted.
    pub fn known<T: ?Sized + 'static>(&self, address: *const T) -> Option<u64> {
        self.shared.get(&(TypeId::of::<T>(), address.addr())).copied()
    }

    /// Gives the part of type `T` at an address the next number. The reader gives it the same one if it notes
    /// parts in the same order ([`PartReader::note`](super::PartReader::note)).
    pub fn note<T: ?Sized + 'static>(&mut self, address: *const T) {
        let number = self.shared.len() as u64;
        self.shared.insert((TypeId::of::<T>(), address.addr()), number);
    }

    /// Writes an id of the kind `K` as its number among the ids of that kind that were met.
    pub fn reference<K: 'static>(&mut self, id: u32) {
        let kind = TypeId::of::<K>();
        let at = self.references.iter().position(|(of, _)| *of == kind).unwrap_or_else(|| {
            self.references.push((kind, ReferenceTable::default()));
            self.references.len() - 1
        });
        let ReferenceTable { numbers, met } = &mut self.references[at].1;
        let number = *numbers.entry(id).or_insert_with(|| {
            met.push(id);
            u32::try_from(met.len() - 1).expect("there are fewer references than ids of 32 bits")
        });
        self.number(number.into());
    }

    /// The ids of the kind `K` that were met, in the order of their numbers.
    pub fn references<K: 'static>(&self) -> &[u32] {
        let kind = TypeId::of::<K>();
        let table = self.references.iter().find(|(of, _)| *of == kind);
        table.map_or(&[], |(_, table)| &table.met)
    }

    /// The handle of type `T`.
    ///
    /// # Panics
    ///
    /// If the writer was made without such a handle.
    pub fn handle<T: 'static>(&self) -> &'a T {
        let found = self.handles.iter().find_map(|handle| handle.downcast_ref());
        found.expect("the writer is given all handles that the values need")
    }

    /// The bytes that were written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
