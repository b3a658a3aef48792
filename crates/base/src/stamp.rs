//! [`Stamp`]: a moment of virtual time; [`NextWake`]: when a node that waits goes on by itself.
//!
//! Kernels, messages and sets of worlds all speak of the same clock, so it is defined below them.

/// A moment of virtual time: nanoseconds, and the round at that time.
///
/// What is sent in a round is received in a later one, so a time can have many rounds.
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
    pub const NEVER: Stamp = Stamp { time: u64::MAX, round: u32::MAX };

    /// The stamp of a time and a round.
    pub const fn new(time: u64, round: u32) -> Stamp {
        Stamp { time, round }
    }

    /// The first round of a time; no time that can come is as late as [`Stamp::NEVER`].
    pub fn first_at(time: u64) -> Stamp {
        Stamp { time: time.min(u64::MAX - 1), round: 0 }
    }

    /// The round that follows at the same time.
    pub fn next_round(self) -> Stamp {
        let round = self.round.checked_add(1).expect("a time has fewer than 2^32 rounds");
        Stamp { time: self.time, round }
    }

    /// The arrival of something that is sent now and travels for so many nanoseconds. Even without a
    /// delay it arrives in a later round: nobody sees in a round what was sent in it.
    pub fn after(self, delay: u64) -> Stamp {
        if delay == 0 {
            self.next_round()
        } else {
            Stamp::first_at(self.time.saturating_add(delay))
        }
    }
}

/// The time at which a node in which nothing can run goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NextWake {
    /// Never: only a message wakes it.
    Never,
    /// In the next round of the same time, as soon as everybody else had a turn.
    NextRound,
    /// At this time; in the next round if that is not in the future.
    At(u64),
}

impl NextWake {
    /// The stamp of that, for a node that begins to wait now.
    pub fn stamp(self, now: Stamp) -> Stamp {
        match self {
            NextWake::Never => Stamp::NEVER,
            NextWake::NextRound => now.next_round(),
            NextWake::At(time) if time <= now.time => now.next_round(),
            NextWake::At(time) => Stamp::first_at(time),
        }
    }
}
