//! A table by number, for numbers that come in clusters: [`PagedTable`].
//!
//! Rows live in pages of consecutive numbers, so that finding one costs two loads and a table over
//! few, distant numbers stays small. A page without rows is freed, unless it is the last one, which new rows
//! come to.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};

/// Rows of a page. States that are alive together mostly have numbers near to each other, so a page is well
/// filled, and one that is not costs a few kilobytes.
const PAGE: usize = 512;

/// A table of optional rows.
pub(crate) struct PagedTable<T> {
    pages: Vec<Option<Page<T>>>,
}

struct Page<T> {
    rows: Box<[Option<T>]>,
    /// The number of rows that there are.
    filled: u32,
}

impl<T: Portable> Portable for PagedTable<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let pages = self.pages.iter().enumerate();
        let pages = pages.filter_map(|(number, page)| Some((number, page.as_ref()?)));
        let rows = pages.flat_map(|(number, page)| page.rows.iter().zip(number * PAGE..));
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
        page.rows[number as usize % PAGE].as_ref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        let page = self.pages.get_mut(number as usize / PAGE)?.as_mut()?;
        page.rows[number as usize % PAGE].as_mut()
    }

    /// Sets a row and returns what it was.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32, row: T) -> Option<T> {
        let page = number as usize / PAGE;
        if page >= self.pages.len() {
            self.add_pages(page + 1);
        }
        let page = self.pages[page].get_or_insert_with(Page::new);
        let old = page.rows[number as usize % PAGE].replace(row);
        page.filled += u32::from(old.is_none());
        old
    }

    #[inline]
    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let index = number as usize / PAGE;
        let is_last = index + 1 == self.pages.len();
        let place = self.pages.get_mut(index)?;
        let page = place.as_mut()?;
        let row = page.rows[number as usize % PAGE].take()?;
        page.filled -= 1;
        if page.filled == 0 && !is_last {
            *place = None;
        }
        Some(row)
    }

    /// Makes room for the numbers of so many pages.
    fn add_pages(&mut self, count: usize) {
        if let Some(last) = self.pages.last_mut() {
            last.take_if(|page| page.filled == 0);
        }
        self.pages.resize_with(count, || None);
    }
}

impl<T> Page<T> {
    fn new() -> Page<T> {
        Page { rows: (0..PAGE).map(|_| None).collect(), filled: 0 }
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

    #[test]
    fn pages_without_rows_are_freed() {
        let pages = |table: &PagedTable<u32>| table.pages.iter().flatten().count();
        let mut table = PagedTable::new();
        let numbers = 0..10 * PAGE as u32;
        for number in numbers.clone() {
            table.insert(number, number);
            // Those that come and go one by one do not make and free pages.
            assert_eq!(table.remove(number), Some(number));
            assert_eq!(pages(&table), 1);
        }
        numbers.clone().for_each(|number| assert_eq!(table.insert(number, number), None));
        assert_eq!(pages(&table), 10);
        numbers.clone().skip(1).for_each(|number| assert_eq!(table.remove(number), Some(number)));
        assert_eq!((pages(&table), table.get(0)), (2, Some(&0)));
        assert_eq!(table.insert(PAGE as u32, 7), None);
        assert_eq!((pages(&table), table.remove(PAGE as u32)), (3, Some(7)));
    }
}
