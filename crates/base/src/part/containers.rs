//! Containers and shared pointers as bytes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use smallvec::SmallVec;
use triomphe::Arc as LeanArc;

use super::{PartError, PartReader, PartWriter, Portable};
use crate::hash::{Map, Set};

impl<T: Portable> Portable for Option<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.is_some().into());
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        match from.number()? {
            0 => Ok(None),
            1 => T::read(from).map(Some),
            _ => Err(from.unexpected("a value or none")),
        }
    }
}

impl<T: Portable> Portable for Box<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        T::write(self, to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        T::read(from).map(Box::new)
    }
}

impl<T: Portable + 'static> Portable for Arc<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.shared(Arc::as_ptr(self), |to| T::write(self, to));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.shared(|from| T::read(from).map(Arc::new))
    }
}

impl<T: Portable + 'static> Portable for LeanArc<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        // A standard pointer to the same type has another number.
        to.shared(LeanArc::as_ptr(self).cast::<LeanArc<T>>(), |to| T::write(self, to));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.shared(|from| T::read(from).map(LeanArc::new))
    }
}

impl<T: Portable + 'static> Portable for Arc<[T]> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.shared(Arc::as_ptr(self), |to| to.sequence(self.iter()));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.shared(|from| from.sequence().map(Arc::from))
    }
}

macro_rules! sequences {
    ($([$($bounds:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($bounds)*> Portable for $type {
            fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
                to.sequence(self.iter());
            }

            fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
                from.sequence().map(|values| values.into_iter().collect())
            }
        }
    )*};
}

sequences!(
    [T: Portable] Vec<T>,
    [T: Portable] Box<[T]>,
    [T: Portable] VecDeque<T>,
    [T: Portable + Ord] BTreeSet<T>,
    [A: smallvec::Array<Item: Portable>] SmallVec<A>,
);

/// Written in order, since the order of a table tells of its history.
impl<T: Portable + Ord + Hash> Portable for Set<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let sorted: BTreeSet<&T> = self.iter().collect();
        to.number(sorted.len() as u64);
        sorted.into_iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.sequence().map(|values| values.into_iter().collect())
    }
}

/// Written in order, since the order of a table tells of its history.
impl<K: Portable + Ord + Hash, V: Portable> Portable for Map<K, V> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let sorted: BTreeMap<&K, &V> = self.iter().collect();
        to.number(sorted.len() as u64);
        for (key, value) in sorted {
            key.write(to);
            value.write(to);
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.sequence::<(K, V)>().map(|entries| entries.into_iter().collect())
    }
}

impl<K: Portable + Ord, V: Portable> Portable for BTreeMap<K, V> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.len() as u64);
        for (key, value) in self {
            key.write(to);
            value.write(to);
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.sequence::<(K, V)>().map(|entries| entries.into_iter().collect())
    }
}

impl<T: Portable, const N: usize> Portable for [T; N] {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut values = Vec::with_capacity(N);
        for _ in 0..N {
            values.push(T::read(from)?);
        }
        values.try_into().map_err(|_| from.unexpected("as many values as an array has"))
    }
}

macro_rules! tuples {
    ($(($($name:ident),*)),*) => {$(
        impl<$($name: Portable),*> Portable for ($($name,)*) {
            #[allow(non_snake_case, reason = "values are named after their types")]
            fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
                let ($($name,)*) = self;
                $($name.write(to);)*
            }

            fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
                Ok(($($name::read(from)?,)*))
            }
        }
    )*};
}

tuples!((A, B), (A, B, C), (A, B, C, D));
