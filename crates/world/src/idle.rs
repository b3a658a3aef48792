//! The time for which a state has done nothing but follow its timers: [`Idleness`].
//!
//! A world ends when its servers only tick (`UniverseOptions::grace`). What that takes is known state by
//! state: when something other than a timer happened last, and whether a timer has passed in vain
//! since. So it depends neither on the order of running nor on the mapping.

use crate::Stamp;

/// The kind of waiting of a state that blocks, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It has work of its own, or something is under way to it that the universe does not know of.
    Busy,
    /// It has exited, or waits as servers do; but something other than its timers happened in this
    /// activation.
    Stirred,
    /// It has exited, or waits as servers do.
    Idle {
        /// Names where in their programs its threads wait: equal numbers, equal places.
        place: u64,
    },
}

/// The reason why a world is over in which something would still happen by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimedEnd {
    /// Its servers do nothing but follow their timers.
    Idle,
    /// It has come to the horizon.
    Horizon,
}

/// Places that are remembered: a server's loop waits at one or two, and more than a few are no loop.
const PLACES: usize = 4;

/// The time since which a state has done nothing but follow its timers, and whether it does so now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Idleness {
    /// The time at which something other than a timer happened last, in nanoseconds.
    stirred: u64,
    /// True if it had exited or waited as servers do when it blocked last.
    at_rest: bool,
    /// True if its last activation was that of a timer and nothing came of it.
    ticked: bool,
    /// The places at which it has waited since anything but a timer happened to it, newest first. A timer
    /// that leads on to another place is more than a tick: the program is on its way through its code.
    places: [Option<u64>; PLACES],
}

everett_base::portable!(struct Idleness { stirred, at_rest, ticked, places });

impl Idleness {
    /// The idleness of a state that has not begun.
    pub(crate) const NEW: Idleness =
        Idleness { stirred: 0, at_rest: false, ticked: false, places: [None; PLACES] };

    /// The state is activated, with arrivals or by its own timer.
    pub(crate) fn activated(&mut self, has_arrivals: bool) {
        self.ticked = self.at_rest && !has_arrivals;
    }

    /// The state, which was activated at a time, blocks.
    pub(crate) fn blocked(&mut self, at: Stamp, rest: Rest, has_sent: bool) {
        self.at_rest = rest != Rest::Busy;
        let is_tick = self.ticked && !has_sent;
        if !is_tick {
            self.places = [None; PLACES];
        }
        let is_back = self.comes_back(rest);
        self.ticked = is_tick && is_back;
        if !self.ticked {
            self.stirred = at.time;
        }
    }

    /// Notes where it waits, and returns true if it has waited there before.
    fn comes_back(&mut self, rest: Rest) -> bool {
        let Rest::Idle { place } = rest else { return false };
        if self.places.contains(&Some(place)) {
            return true;
        }
        self.places.rotate_right(1);
        self.places[0] = Some(place);
        false
    }

    /// The end of the grace of a blocked state to which nothing is under way and which wakes by itself at
    /// `own`; none if it is to go on in any case. A timer that has not passed since something happened is
    /// part of what happened.
    pub(crate) fn grace_ends(self, own: Stamp, grace: u64) -> Option<u64> {
        let rests = self.at_rest && (self.ticked || own == Stamp::NEVER);
        rests.then(|| self.stirred.saturating_add(grace))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: u64 = 10;

    /// The end of the grace of a state that waits at these places, one after the other, each for a tick of
    /// one.
    fn grace_after(places: &[u64]) -> Option<u64> {
        let mut idleness = Idleness::NEW;
        for (time, &place) in (0..).zip(places) {
            idleness.activated(time == 0);
            idleness.blocked(Stamp::new(time, 0), Rest::Idle { place }, false);
        }
        idleness.grace_ends(Stamp::new(places.len() as u64, 0), GRACE)
    }

    #[test]
    fn ticks_at_known_places_are_idle() {
        assert_eq!(grace_after(&[1]), None);
        assert_eq!(grace_after(&[1, 1]), Some(GRACE));
        assert_eq!(grace_after(&[1, 2]), None);
        assert_eq!(grace_after(&[1, 2, 1, 2, 1]), Some(1 + GRACE));
        assert_eq!(grace_after(&[1, 2, 3, 4, 5, 6]), None);
    }

    #[test]
    fn messages_begin_anew() {
        let mut idleness = Idleness::NEW;
        for (time, has_arrivals, has_sent) in
            [(0, true, false), (1, false, true), (2, false, false)]
        {
            idleness.activated(has_arrivals);
            idleness.blocked(Stamp::new(time, 0), Rest::Idle { place: 7 }, has_sent);
        }
        assert_eq!(idleness.grace_ends(Stamp::new(3, 0), GRACE), Some(1 + GRACE));
    }
}
