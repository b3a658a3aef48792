//! Identifiers, and when things happen: [`Stamp`] and [`Next`].

use everett_base::define_id;

define_id!(
    /// A node of the system; nodes are numbered from zero.
    pub struct NodeId, "n"
);
define_id!(
    /// A node state. The embedder hands out the numbers; a number may be used again once its state
    /// is gone.
    pub struct StateId, "s"
);
define_id!(
    /// A dstate: a set of states for each node.
    pub struct DStateId, "d"
);

/// A moment of virtual time: nanoseconds, and the round at that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    /// Nanoseconds of virtual time.
    pub time: u64,
    /// The round among those at that time.
    pub round: u32,
}

impl Stamp {
    /// The very beginning.
    pub const ZERO: Stamp = Stamp { time: 0, round: 0 };

    /// Later than everything that happens.
    pub(crate) const NEVER: Stamp = Stamp { time: u64::MAX, round: u32::MAX };

    /// The stamp of a time and a round.
    pub const fn new(time: u64, round: u32) -> Stamp {
        Stamp { time, round }
    }

    /// The round that follows at the same time.
    pub fn next_round(self) -> Stamp {
        let round = self.round.checked_add(1).expect("a time has fewer than 2^32 rounds");
        Stamp { time: self.time, round }
    }

    /// When something arrives that is sent now over a link with this delay.
    pub fn after(self, delay: u64) -> Stamp {
        if delay == 0 {
            self.next_round()
        } else {
            Stamp { time: self.time.saturating_add(delay).min(u64::MAX - 1), round: 0 }
        }
    }

    /// When a state that blocks now wakes by itself.
    pub(crate) fn wake(self, next: Next) -> Stamp {
        match next {
            Next::Never => Stamp::NEVER,
            Next::NextRound => self.next_round(),
            Next::At(time) if time <= self.time => self.next_round(),
            Next::At(time) => Stamp { time: time.min(u64::MAX - 1), round: 0 },
        }
    }
}

/// When a state that blocks wants to go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Only something that arrives wakes it.
    Never,
    /// At this time; in the next round if that is not in the future.
    At(u64),
    /// In the next round of the same time.
    NextRound,
}
