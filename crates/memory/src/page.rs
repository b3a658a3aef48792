//! The bytes of a page, concrete or symbolic.
//!
//! A page knows its content, not its length: that follows from its object. Pages of few bytes are
//! stored where they are referred to, the others behind a count, so that a branch copies a page
//! only when it writes to it.

use everett_base::{Apart, Copies};
use everett_expr::TermId;
use triomphe::Arc;

/// One byte of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ByteCell {
    /// A known value.
    Byte(u8),
    /// A byte of a term: bits `8 * index` and up.
    Term { term: TermId, index: u16 },
    /// The element of the object's array at this byte's offset.
    Array,
    /// A byte of an object with undefined bytes that was never written.
    Unwritten,
}

everett_base::portable!(enum ByteCell {
    0 = Byte(value), 1 = Term { term, index }, 2 = Array, 3 = Unwritten,
});

/// The bytes of up to one page.
#[derive(Clone, Debug)]
pub(crate) enum Page {
    Inline([u8; 15]),
    B32(Arc<[u8; 32]>),
    B64(Arc<[u8; 64]>),
    B128(Arc<[u8; 128]>),
    B256(Arc<[u8; 256]>),
    /// One cell a byte.
    Cells(Arc<Box<[ByteCell]>>),
    /// Every byte is in the object's array.
    InArray,
}

everett_base::portable!(enum Page {
    0 = Inline(value), 1 = B32(value), 2 = B64(value), 3 = B128(value), 4 = B256(value),
    5 = Cells(value), 6 = InArray,
});

impl Apart for Page {
    fn apart(&mut self, copies: &mut Copies) {
        match self {
            Page::Inline(_) | Page::InArray => {}
            Page::B32(bytes) => bytes.apart(copies),
            Page::B64(bytes) => bytes.apart(copies),
            Page::B128(bytes) => bytes.apart(copies),
            Page::B256(bytes) => bytes.apart(copies),
            Page::Cells(cells) => cells.apart(copies),
        }
    }
}

const _: () = assert!(size_of::<ByteCell>() == 8 && size_of::<Option<Page>>() == 16);

impl Page {
    /// A page of concrete bytes, at most 256.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Page {
        fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
            let mut all = [0; N];
            all[..bytes.len()].copy_from_slice(bytes);
            all
        }
        match bytes.len() {
            0..=15 => Page::Inline(padded(bytes)),
            16..=32 => Page::B32(Arc::new(padded(bytes))),
            33..=64 => Page::B64(Arc::new(padded(bytes))),
            65..=128 => Page::B128(Arc::new(padded(bytes))),
            _ => Page::B256(Arc::new(padded(bytes))),
        }
    }

    /// The smallest form of these cells.
    pub(crate) fn from_cells(cells: &[ByteCell]) -> Page {
        if cells.iter().all(|cell| matches!(cell, ByteCell::Array)) {
            return Page::InArray;
        }
        let mut bytes = [0; 256];
        for (byte, cell) in bytes.iter_mut().zip(cells) {
            match cell {
                ByteCell::Byte(value) => *byte = *value,
                ByteCell::Term { .. } | ByteCell::Array | ByteCell::Unwritten => {
                    return Page::Cells(Arc::new(cells.into()));
                }
            }
        }
        Page::from_bytes(&bytes[..cells.len()])
    }

    /// The bytes and what pads them, if all are concrete.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Page::Inline(bytes) => Some(bytes),
            Page::B32(bytes) => Some(&bytes[..]),
            Page::B64(bytes) => Some(&bytes[..]),
            Page::B128(bytes) => Some(&bytes[..]),
            Page::B256(bytes) => Some(&bytes[..]),
            Page::Cells(_) | Page::InArray => None,
        }
    }

    /// Replaces all bytes, in place where the page is not shared.
    pub(crate) fn set_bytes(&mut self, bytes: &[u8]) {
        let own = match self {
            Page::Inline(own) => Some(&mut own[..]),
            Page::B32(own) => Arc::get_mut(own).map(|own| &mut own[..]),
            Page::B64(own) => Arc::get_mut(own).map(|own| &mut own[..]),
            Page::B128(own) => Arc::get_mut(own).map(|own| &mut own[..]),
            Page::B256(own) => Arc::get_mut(own).map(|own| &mut own[..]),
            Page::Cells(_) | Page::InArray => None,
        };
        match own.and_then(|own| own.get_mut(..bytes.len())) {
            Some(own) => own.copy_from_slice(bytes),
            None => *self = Page::from_bytes(bytes),
        }
    }

    /// Replaces some bytes of a concrete page; false if the page is not concrete.
    pub(crate) fn set_range(&mut self, at: usize, new: &[u8]) -> bool {
        let own = match self {
            Page::Inline(own) => &mut own[..],
            Page::B32(own) => &mut Arc::make_mut(own)[..],
            Page::B64(own) => &mut Arc::make_mut(own)[..],
            Page::B128(own) => &mut Arc::make_mut(own)[..],
            Page::B256(own) => &mut Arc::make_mut(own)[..],
            Page::Cells(_) | Page::InArray => return false,
        };
        own[at..at + new.len()].copy_from_slice(new);
        true
    }

    /// Returns `true` if both are certainly the same without looking at more than a few bytes. Those
    /// with elements of arrays never are.
    pub(crate) fn is_same(&self, other: &Page) -> bool {
        match (self, other) {
            (Page::Inline(a), Page::Inline(b)) => a == b,
            (Page::B32(a), Page::B32(b)) => Arc::ptr_eq(a, b),
            (Page::B64(a), Page::B64(b)) => Arc::ptr_eq(a, b),
            (Page::B128(a), Page::B128(b)) => Arc::ptr_eq(a, b),
            (Page::B256(a), Page::B256(b)) => Arc::ptr_eq(a, b),
            (Page::Cells(a), Page::Cells(b)) => Arc::ptr_eq(a, b) && !a.contains(&ByteCell::Array),
            _ => false,
        }
    }

    /// The cells of a page that has one for each byte.
    pub(crate) fn cells(&self) -> Option<&[ByteCell]> {
        if let Page::Cells(cells) = self { Some(cells) } else { None }
    }

    /// One byte.
    pub(crate) fn cell(&self, at: usize) -> ByteCell {
        match self {
            Page::Cells(cells) => cells[at],
            Page::InArray => ByteCell::Array,
            _ => self.bytes().map_or(ByteCell::Array, |bytes| ByteCell::Byte(bytes[at])),
        }
    }

    /// Replaces some bytes of a page of `len`; gives the page its smallest form if that may change.
    pub(crate) fn set_cells(&mut self, len: usize, at: usize, new: &[ByteCell]) {
        if let Page::Cells(cells) = self {
            if new.len() == len && Arc::get_mut(cells).is_none() {
                *self = Page::from_cells(new);
                return;
            }
            let cells = Arc::make_mut(cells);
            cells[at..at + new.len()].copy_from_slice(new);
            let is_mixed =
                |cell: &ByteCell| matches!(cell, ByteCell::Term { .. } | ByteCell::Unwritten);
            if !new.iter().any(is_mixed) && !cells.iter().any(is_mixed) {
                *self = Page::from_cells(cells);
            }
            return;
        }
        if new.len() == len {
            *self = Page::from_cells(new);
            return;
        }
        let mut cells: [ByteCell; 256] = [ByteCell::Byte(0); 256];
        for (index, cell) in cells[..len].iter_mut().enumerate() {
            *cell = self.cell(index);
        }
        cells[at..at + new.len()].copy_from_slice(new);
        *self = Page::from_cells(&cells[..len]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concrete_pages_take_the_smallest_form_and_keep_their_bytes() {
        for len in [0, 1, 15, 16, 32, 33, 64, 65, 128, 129, 256] {
            let bytes: Vec<u8> = (0..len).map(|i| i as u8 ^ 0x5a).collect();
            let page = Page::from_bytes(&bytes);
            assert_eq!(&page.bytes().unwrap()[..len], bytes);
            let cells: Vec<ByteCell> = bytes.iter().map(|byte| ByteCell::Byte(*byte)).collect();
            if len > 0 {
                assert_eq!(&Page::from_cells(&cells).bytes().unwrap()[..len], bytes);
            }
        }
    }

    #[test]
    fn a_page_turns_concrete_again_when_its_last_symbolic_byte_goes() {
        let mut page = Page::InArray;
        page.set_cells(20, 0, &[ByteCell::Byte(1); 19]);
        assert!(page.bytes().is_none() && page.cell(19) == ByteCell::Array);
        page.set_cells(20, 19, &[ByteCell::Byte(2)]);
        assert_eq!(page.bytes().unwrap()[18..20], [1, 2]);
        page.set_cells(20, 0, &[ByteCell::Array; 20]);
        assert!(matches!(page, Page::InArray));
    }

    #[test]
    fn a_shared_page_is_not_changed_in_place() {
        let mut page = Page::from_bytes(&[7; 40]);
        let shared = page.clone();
        page.set_bytes(&[8; 40]);
        assert_eq!(shared.bytes().unwrap()[..40], [7; 40]);
        assert_eq!(page.bytes().unwrap()[..40], [8; 40]);
    }
}
