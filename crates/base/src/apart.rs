//! Giving a value copies of the parts that it shares: [`Apart`].
//!
//! States share most of what they are made of, which is what makes branching cheap. Two threads that
//! count references to the same parts slow each other down, though: each count is a write to memory
//! that the other one reads. So a thread that takes states over gives them parts of their own first.
//! What several of these states share is copied once, and stays shared between them ([`Copies`]).

use std::any::Any;
use std::sync::Arc;

use triomphe::Arc as LeanArc;

use crate::hash::Map;

/// A value that may share parts with others.
///
/// An implementation names every field of its type, those that stay as they are as `field: _`, so that a
/// new field does not compile before somebody has decided about it.
pub trait Apart {
    /// Replaces what it shares with others by copies. Nothing else about it changes.
    fn apart(&mut self, copies: &mut Copies);
}

/// The copies that were made so far, by the place of their originals.
pub struct Copies {
    known: Map<usize, Box<dyn Any>>,
    /// Keeps the originals, so that their places stay theirs.
    originals: Vec<Box<dyn Any>>,
    left: usize,
}

impl Copies {
    /// At most so many parts are copied; what is beyond stays shared.
    pub fn at_most(parts: usize) -> Copies {
        Copies { known: Map::default(), originals: Vec::new(), left: parts }
    }

    /// The copy of the part at `place`; `None` if there is no room for more.
    fn of<T: Clone + 'static>(
        &mut self,
        place: usize,
        original: &T,
        copy: impl FnOnce(&mut Copies) -> T,
    ) -> Option<T> {
        if let Some(known) = self.known.get(&place).and_then(|known| known.downcast_ref::<T>()) {
            return Some(known.clone());
        }
        self.left = self.left.checked_sub(1)?;
        let made = copy(self);
        self.originals.push(Box::new(original.clone()));
        self.known.insert(place, Box::new(made.clone()));
        Some(made)
    }
}

impl<T: Apart + Clone + 'static> Apart for LeanArc<T> {
    fn apart(&mut self, copies: &mut Copies) {
        if let Some(own) = LeanArc::get_mut(self) {
            return own.apart(copies);
        }
        let copy = copies.of(LeanArc::as_ptr(self) as usize, self, |copies| {
            let mut copy = T::clone(self);
            copy.apart(copies);
            LeanArc::new(copy)
        });
        *self = copy.unwrap_or_else(|| self.clone());
    }
}

impl<T: Apart + Clone + 'static> Apart for Arc<T> {
    fn apart(&mut self, copies: &mut Copies) {
        if let Some(own) = Arc::get_mut(self) {
            return own.apart(copies);
        }
        let copy = copies.of(Arc::as_ptr(self) as usize, self, |copies| {
            let mut copy = T::clone(self);
            copy.apart(copies);
            Arc::new(copy)
        });
        *self = copy.unwrap_or_else(|| self.clone());
    }
}

impl<T: Clone + 'static> Apart for Arc<[T]> {
    fn apart(&mut self, copies: &mut Copies) {
        if Arc::get_mut(self).is_none() {
            let place = self.as_ptr() as usize;
            let copy = copies.of(place, self, |_| Arc::from(self.to_vec()));
            *self = copy.unwrap_or_else(|| self.clone());
        }
    }
}

impl<T: Apart> Apart for Option<T> {
    fn apart(&mut self, copies: &mut Copies) {
        if let Some(value) = self {
            value.apart(copies);
        }
    }
}

/// Sharing among the elements stays as it is.
impl<T> Apart for Vec<T> {
    fn apart(&mut self, _: &mut Copies) {}
}

/// Sharing among the elements stays as it is.
impl<T> Apart for Box<[T]> {
    fn apart(&mut self, _: &mut Copies) {}
}

impl<K, V: Apart> Apart for std::collections::BTreeMap<K, V> {
    fn apart(&mut self, copies: &mut Copies) {
        self.values_mut().for_each(|value| value.apart(copies));
    }
}

impl<A: Apart, B: Apart> Apart for (A, B) {
    fn apart(&mut self, copies: &mut Copies) {
        let (a, b) = self;
        a.apart(copies);
        b.apart(copies);
    }
}

/// Says of types that they share nothing.
#[macro_export]
macro_rules! shares_nothing {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::Apart for $type {
            fn apart(&mut self, _: &mut $crate::Copies) {}
        }
    )*};
}

shares_nothing!(bool, u8, u32, u64, i32, i64, usize);

impl<T, const N: usize> Apart for [T; N]
where
    T: Apart,
{
    fn apart(&mut self, copies: &mut Copies) {
        self.iter_mut().for_each(|value| value.apart(copies));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{List, RadixMap};

    #[test]
    fn what_is_shared_is_copied_once() {
        let common = Arc::new(7u64);
        let (mut a, mut b) = (common.clone(), common.clone());
        let mut copies = Copies::at_most(10);
        a.apart(&mut copies);
        b.apart(&mut copies);
        assert!(Arc::ptr_eq(&a, &b) && !Arc::ptr_eq(&a, &common));
        drop(copies);
        assert_eq!((*a, Arc::strong_count(&common), Arc::strong_count(&a)), (7, 1, 2));
    }

    #[test]
    fn what_is_not_shared_stays() {
        let mut own = Arc::new(7u64);
        let place = Arc::as_ptr(&own);
        own.apart(&mut Copies::at_most(10));
        assert_eq!(Arc::as_ptr(&own), place);
    }

    #[test]
    fn maps_and_lists_keep_their_contents() {
        let mut map: RadixMap<Arc<u64>> = RadixMap::new();
        (0..1000).for_each(|key| {
            map.insert(key * key, Arc::new(key));
        });
        let mut list: List<u64> = List::new();
        (0..10).for_each(|value| list.push(value));
        let (mut other, mut longer) = (map.clone(), list.clone());
        let mut copies = Copies::at_most(100_000);
        other.apart(&mut copies);
        longer.apart(&mut copies);
        assert!(other.iter().eq(map.iter()) && longer.iter().eq(list.iter()));
        drop(copies);
        assert!(map.iter().all(|(_, value)| Arc::strong_count(value) == 1));
    }

    #[test]
    fn without_room_everything_stays_shared() {
        let common = Arc::new(7u64);
        let mut other = common.clone();
        other.apart(&mut Copies::at_most(0));
        assert!(Arc::ptr_eq(&other, &common));
    }
}
