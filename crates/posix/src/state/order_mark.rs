//! The last choice in an order of threads or messages along a path: [`OrderMark`].

use std::hash::{BuildHasher, Hash};

use everett_base::hash::FixedState;

/// The last choice in an order along a path, for searches that prefer some threads or flows to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OrderMark {
    /// The number of choices so far.
    count: u32,
    /// The number of forks on the path by then.
    forks: u32,
    actor: u64,
}

everett_base::portable!(struct OrderMark { count, forks, actor });

impl OrderMark {
    /// Counts a choice, after so many forks on the path.
    pub(crate) fn choose(&mut self, number: u32, forks: u32) {
        (self.count, self.forks) = (number, forks);
    }

    /// The number of the next choice.
    pub(crate) fn next(&self) -> u32 {
        self.count + 1
    }

    /// Says who is chosen: a thread, the flows whose messages are seen, or nobody.
    pub(crate) fn set_actor(&mut self, actor: impl Hash) {
        self.actor = FixedState.hash_one(actor);
    }

    /// The number of the choice, and who was chosen, if nothing else has forked since.
    pub(crate) fn after(&self, forks: u32) -> Option<(u32, u64)> {
        (self.count > 0 && self.forks == forks).then_some((self.count, self.actor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_told_until_the_path_forks_again() {
        let mut mark = OrderMark::default();
        assert_eq!(mark.after(0), None);
        mark.set_actor((1, 2));
        mark.choose(mark.next(), 5);
        let told = mark.after(5);
        assert_eq!(told.map(|(number, _)| number), Some(1));
        assert_eq!(mark.after(6), None);
        mark.set_actor((1, 3));
        assert_ne!(mark.after(5), told);
    }
}
