//! A persistent list that grows at one end.
//!
//! Cloning a [`List`] is O(1) and lists share their tails: a state's history costs what was added
//! since it branched. Dropping a list is iterative, so a history of millions does not overflow the
//! stack.

use triomphe::Arc;

use crate::part::{PartError, PartReader, PartWriter, Portable};
use crate::{Apart, Copies};

/// A persistent list; the newest element comes first.
pub struct List<T> {
    head: Option<Arc<ListCell<T>>>,
}

#[derive(Clone)]
struct ListCell<T> {
    value: T,
    /// Elements from here to the oldest.
    len: u32,
    next: List<T>,
}

/// The newest element gets a place of its own; who looks further than that is rare.
impl<T: Clone + 'static> Apart for List<T> {
    fn apart(&mut self, copies: &mut Copies) {
        let List { head } = self;
        head.apart(copies);
    }
}

impl<T> Apart for ListCell<T> {
    fn apart(&mut self, _: &mut Copies) {}
}

/// A list is the number of the shared cells that it goes on with (0 for none), and its other elements, the
/// oldest first, each of which makes a shared cell.
impl<T: Portable + 'static> Portable for List<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let (mut cells, mut rest) = (Vec::new(), self.head.as_ref());
        let mut known = None;
        while let Some(cell) = rest {
            known = to.known(Arc::as_ptr(cell));
            if known.is_some() {
                break;
            }
            cells.push(cell);
            rest = cell.next.head.as_ref();
        }
        to.number(known.map_or(0, |known| known + 1));
        to.number(cells.len() as u64);
        for cell in cells.into_iter().rev() {
            cell.value.write(to);
            to.note(Arc::as_ptr(cell));
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut list = match from.number()?.checked_sub(1) {
            Some(known) => from.known::<List<T>>(known)?,
            None => List::new(),
        };
        for _ in 0..from.count()? {
            list.push(T::read(from)?);
            from.note(list.clone());
        }
        Ok(list)
    }
}

impl<T> List<T> {
    /// The empty list.
    pub const fn new() -> List<T> {
        List { head: None }
    }

    /// Adds an element in front; other lists that share the tail do not see it.
    pub fn push(&mut self, value: T) {
        let next = List { head: self.head.take() };
        let len = u32::try_from(next.len() + 1).expect("a list holds fewer than 2^32 elements");
        self.head = Some(Arc::new(ListCell { value, len, next }));
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.head.as_ref().map_or(0, |cell| cell.len as usize)
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }

    /// The newest element.
    pub fn first(&self) -> Option<&T> {
        self.head.as_ref().map(|cell| &cell.value)
    }

    /// The list without its newest element; the empty list if there is none.
    #[must_use]
    pub fn rest(&self) -> List<T> {
        self.head.as_ref().map_or_else(List::new, |cell| cell.next.clone())
    }

    /// The list without the newest elements for which `is_newer` returns `true`.
    #[must_use]
    pub fn skip_while(&self, mut is_newer: impl FnMut(&T) -> bool) -> List<T> {
        let mut list = self;
        while let Some(cell) = list.head.as_ref().filter(|cell| is_newer(&cell.value)) {
            list = &cell.next;
        }
        list.clone()
    }

    /// The elements, newest first.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { list: self }
    }

    /// Returns `true` if both are the very same cells, which makes them equal without looking at
    /// elements.
    pub fn ptr_eq(&self, other: &List<T>) -> bool {
        match (&self.head, &other.head) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        List { head: self.head.clone() }
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List::new()
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        let mut next = self.head.take();
        while let Some(cell) = next {
            // A cell that another list still uses ends the walk: that list drops the rest.
            next = Arc::try_unwrap(cell).ok().and_then(|mut cell| cell.next.head.take());
        }
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(other) || self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for List<T> {}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        let mut list = List::new();
        iter.into_iter().for_each(|value| list.push(value));
        list
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// Iterates over a [`List`], newest first.
pub struct Iter<'a, T> {
    list: &'a List<T>,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let cell = self.list.head.as_ref()?;
        self.list = &cell.next;
        Some(&cell.value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.list.len(), Some(self.list.len()))
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_tail_and_grow_apart() {
        let mut a: List<u32> = [1, 2].into_iter().collect();
        let mut b = a.clone();
        assert!(a.ptr_eq(&b));
        a.push(3);
        b.push(4);
        assert_eq!(a.iter().copied().collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(b.iter().copied().collect::<Vec<_>>(), [4, 2, 1]);
        assert!(a.rest().ptr_eq(&b.rest()));
        assert_eq!((a.len(), a.first(), a.iter().len()), (3, Some(&3), 3));
        assert!(a.skip_while(|value| *value > 2).ptr_eq(&b.rest()));
        assert!(a.skip_while(|_| true).is_empty());
        assert_ne!(a, b);
    }

    #[test]
    fn empty_list_has_nothing() {
        let list: List<u8> = List::new();
        assert!(list.is_empty() && list.first().is_none() && list.rest().is_empty());
        assert_eq!(format!("{list:?}"), "[]");
    }

    #[test]
    fn dropping_a_million_elements_needs_no_stack() {
        let list: List<u32> = (0..1_000_000).collect();
        let shared = list.clone();
        drop(list);
        assert_eq!(shared.len(), 1_000_000);
        drop(shared);
    }
}
