//! Data that few threads and nodes have: [`Rare`].

use std::ops::{Deref, DerefMut};

/// Data whose default value is the common one. It takes no more than a pointer until it is changed, so that
/// copies of what holds it are small.
#[derive(Clone, Debug)]
pub(crate) struct Rare<T>(Option<Box<T>>);

everett_base::portable!([T: everett_base::part::Portable] struct Rare<T>(value));

/// Data that may be [`Rare`].
pub(crate) trait RareData: Default + 'static {
    /// The default value, to look at.
    fn common() -> &'static Self;
}

/// Implements [`RareData`] for types.
macro_rules! rare {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::state::process::rare::RareData for $type {
            fn common() -> &'static $type {
                static COMMON: std::sync::LazyLock<$type> = std::sync::LazyLock::new(Default::default);
                &COMMON
            }
        }
    )*};
}

pub(crate) use rare;

impl<T> Default for Rare<T> {
    fn default() -> Rare<T> {
        Rare(None)
    }
}

impl<T> From<T> for Rare<T> {
    fn from(value: T) -> Rare<T> {
        Rare(Some(Box::new(value)))
    }
}

impl<T: RareData> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => T::common(),
        }
    }
}

impl<T: RareData> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T> Rare<T> {
    /// Gives the data its default value again.
    pub(crate) fn reset(&mut self) {
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::thread_event::EventState;

    #[test]
    fn the_default_value_is_there_without_memory_for_it() {
        let mut events: Rare<EventState> = Rare::default();
        assert!(events.next.is_none() && events.0.is_none());
        events.yields += 1;
        let copy = events.clone();
        events.reset();
        assert_eq!((events.yields, copy.yields), (0, 1));
        assert!(events.0.is_none() && copy.0.is_some());
    }
}
