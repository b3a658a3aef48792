//! A table by number, for numbers that come in clusters: [`PagedTable`].
//!
//! Rows live in pages of consecutive numbers, so that finding one costs two loads and a table over
//! few, distant numbers stays small.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};

/// Rows of a page. States that are alive together mostly have numbers near to each other, so a page is well
/// filled, and one that is not costs a few kilobytes.
const PAGE: usize = 512;

/// A table of optional rows.
pub(crate) struct PagedTable<T> {
    pages: Vec<Option<Box<[Option<T>]>>>,
}

impl<T: Portable> Portable for PagedTable<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let pages = self.pages.iter().enumerate();
        let rows = pages.flat_map(|(page, rows)| rows.iter().flatten().zip(page * PAGE..));
        let rows = rows.filter_map(|(row, number)| Some((number, row.as_ref()?)));
        to.number(rows.clone().count() as u64);
        for (number, row) in rows {
            to.number(number as u64);
            row.write(to);
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut table = PagedTable::new();
        for _ in 0..from.count()? {
            let number = u32::read(from)?;
            if table.insert(number, T::read(from)?).is_some() {
                return Err(from.unexpected("each row of a table once"));
            }
        }
        Ok(table)
    }
}

impl<T> PagedTable<T> {
    pub(crate) fn new() -> PagedTable<T> {
        PagedTable { pages: Vec::new() }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        let page = self.pages.get(number as usize / PAGE)?.as_ref()?;
        page[number as usize % PAGE].as_ref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        let page = self.pages.get_mut(number as usize / PAGE)?.as_mut()?;
        page[number as usize % PAGE].as_mut()
    }

    /// Sets a row and returns what it was.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32, row: T) -> Option<T> {
        let page = number as usize / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| (0..PAGE).map(|_| None).collect());
        page[number as usize % PAGE].replace(row)
    }

    #[inline]
    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let page = self.pages.get_mut(number as usize / PAGE)?.as_mut()?;
        page[number as usize % PAGE].take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distant_numbers_are_apart() {
        let mut table = PagedTable::new();
        assert_eq!(table.insert(3, "three"), None);
        assert_eq!(table.insert(5_000_000, "far"), None);
        assert_eq!(table.insert(3, "again"), Some("three"));
        assert_eq!((table.get(3), table.get(4), table.get(1 << 31)), (Some(&"again"), None, None));
        *table.get_mut(5_000_000).unwrap() = "changed";
        assert_eq!(table.remove(5_000_000), Some("changed"));
        assert_eq!((table.remove(5_000_000), table.get(5_000_000)), (None, None));
    }
}
