//! How long a state has done nothing but follow its timers: [`Idleness`].
//!
//! A world ends when its servers only tick (`Options::grace`). What that takes is known state by
//! state: when something other than a timer happened last, and whether a timer has passed in vain
//! since. So it depends neither on the order of running nor on the mapping.

use crate::Stamp;

/// What a state that blocks waits for, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It has work of its own, or something is under way to it that the universe does not know of.
    Busy,
    /// It has exited, or waits as servers do; but something other than its timers happened in this
    /// activation.
    Stirred,
    /// It has exited, or waits as servers do.
    Idle,
}

/// Why a world is over in which something would still happen by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimedEnd {
    /// Its servers do nothing but follow their timers.
    Idle,
    /// It has come to the horizon.
    Horizon,
}

/// When something other than a timer happened to a state last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Idleness {
    /// The time of that.
    stirred: u64,
    /// Whether it had exited or waited as servers do when it blocked last.
    at_rest: bool,
    /// Whether its last activation was that of a timer and nothing came of it.
    ticked: bool,
}

impl Idleness {
    /// That of a state that has not begun.
    pub(crate) const NEW: Idleness = Idleness { stirred: 0, at_rest: false, ticked: false };

    /// The state is activated, with arrivals or by its own timer.
    pub(crate) fn activated(&mut self, has_arrivals: bool) {
        self.ticked = self.at_rest && !has_arrivals;
    }

    /// The state blocks that was activated at a time.
    pub(crate) fn blocked(&mut self, at: Stamp, rest: Rest, has_sent: bool) {
        self.at_rest = rest != Rest::Busy;
        self.ticked &= rest == Rest::Idle && !has_sent;
        if !self.ticked {
            self.stirred = at.time;
        }
    }

    /// When the grace of a blocked state is over that nothing is under way to and that wakes by
    /// itself then; none if it is to go on in any case. A timer that has not passed since something
    /// happened is part of what happened.
    pub(crate) fn grace_ends(self, own: Stamp, grace: u64) -> Option<u64> {
        let rests = self.at_rest && (self.ticked || own == Stamp::NEVER);
        rests.then(|| self.stirred.saturating_add(grace))
    }
}
