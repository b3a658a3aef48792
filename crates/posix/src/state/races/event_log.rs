//! The events of a node's threads along a path, and which of them come after which: [`EventLog`].
//!
//! An event comes after those of its own thread, after those before it that its order to can be told, and
//! after what these come after. Where threads are started, woken or waited for, the events of one come after
//! those of the other. Events of two threads of which neither comes after the other could have happened in
//! any order, and nobody could tell.
//!
//! The log finds pairs of events that *could be reversed*: the later one could come before the earlier one,
//! and that can be told. It says which threads would have to go first for that.
//!
//! Not here: the choices at which other threads are tried (`schedule/source_sets.rs`).

use std::collections::BTreeMap;

use everett_base::RadixMap;
use everett_base::plist::List;
use everett_interp::MOST_LOGGED_BYTES;
use smallvec::SmallVec;

use super::VectorClock;
use crate::state::ids::Tid;
use crate::state::thread_event::{EventPlace, EventTouch, Footprint, TouchEffect, depend};

/// Bytes of memory that are looked up together.
const CELL_BYTES: u64 = 8;

/// The number of an event along a path, from 1.
pub(crate) type EventNumber = u32;

/// An event of a thread.
#[derive(Clone, Debug)]
struct LoggedEvent {
    /// The place of its thread in clocks.
    place: usize,
    footprint: Footprint,
    /// For each thread, the last of its events that this one comes after; for its own thread, this one.
    clock: VectorClock,
}

everett_base::portable!(struct LoggedEvent { place, footprint, clock });

/// The clock of a thread: for each thread, the last of its events that come before all that this one does
/// next.
#[derive(Clone, Debug)]
struct ThreadClock {
    tid: Tid,
    clock: VectorClock,
}

everett_base::portable!(struct ThreadClock { tid, clock });

/// The events of a node's threads, since all of them came to rest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog {
    /// Threads by their places in clocks. Numbers of threads are never used twice.
    threads: Vec<ThreadClock>,
    /// The clocks that threads have left where others learn of their ends.
    ends: BTreeMap<u64, VectorClock>,
    count: EventNumber,
    events: RadixMap<LoggedEvent>,
    /// The events that touch a cell of memory, newest first.
    cells: RadixMap<List<EventNumber>>,
    /// Those that touch anything but memory.
    outside: List<EventNumber>,
    /// Those that may touch everything.
    anywhere: List<EventNumber>,
}

everett_base::portable!(struct EventLog {
    threads, ends, count, events, cells, outside, anywhere,
});

/// A thread at an event that it has not performed yet.
#[derive(Clone, Copy)]
pub(crate) struct PendingEvent<'a> {
    pub(crate) tid: Tid,
    pub(crate) footprint: &'a Footprint,
    /// The thread may have to wait before it performs the event.
    pub(crate) may_wait: bool,
}

impl EventLog {
    /// The events so far.
    pub(crate) fn count(&self) -> EventNumber {
        self.count
    }

    fn place(&self, tid: Tid) -> Option<usize> {
        self.threads.iter().position(|thread| thread.tid == tid)
    }

    fn place_of(&mut self, tid: Tid) -> usize {
        self.place(tid).unwrap_or_else(|| {
            self.threads.push(ThreadClock { tid, clock: VectorClock::default() });
            self.threads.len() - 1
        })
    }

    /// All that a thread does next comes after what another one has done: it starts or wakes it.
    pub(crate) fn order(&mut self, before: Tid, after: Tid) {
        let (before, after) = (self.place_of(before), self.place_of(after));
        let clock = self.threads[before].clock.clone();
        self.threads[after].clock.join(&clock);
    }

    /// A thread ends, or learns that another one has ended, by the word at an address.
    pub(crate) fn end_or_join(&mut self, tid: Tid, address: u64) {
        let place = self.place_of(tid);
        let left = self.ends.entry(address).or_default();
        left.join(&self.threads[place].clock);
        self.threads[place].clock = left.clone();
    }

    /// Returns true if what a thread does next comes after all events so far.
    pub(crate) fn is_after_all(&self, tid: Tid) -> bool {
        let own = self.place(tid).map(|place| &self.threads[place].clock);
        let knows = |(place, thread): (usize, &ThreadClock)| {
            let last = thread.clock.get(place);
            last == 0 || own.is_some_and(|own| own.get(place) >= last)
        };
        self.threads.iter().enumerate().all(knows)
    }

    /// A thread performs an event, which gets the next number.
    pub(crate) fn add(&mut self, tid: Tid, footprint: &Footprint) {
        let place = self.place_of(tid);
        let mut clock = self.threads[place].clock.clone();
        for number in self.touching(footprint) {
            if number <= self.floor(&clock, place) {
                break;
            }
            let Some(event) = self.events.get(number.into()) else { continue };
            if clock.get(event.place) < number && depend(&event.footprint, footprint) {
                clock.join(&event.clock);
            }
            if event.hides_earlier(footprint) {
                break;
            }
        }
        self.count += 1;
        clock.set(place, self.count);
        self.threads[place].clock = clock.clone();
        self.index(footprint);
        let footprint = footprint.clone();
        self.events.insert(self.count.into(), LoggedEvent { place, footprint, clock });
    }

    /// Enters the last event where it is looked up.
    fn index(&mut self, footprint: &Footprint) {
        let number = self.count;
        if footprint.iter().any(is_anywhere) {
            return self.anywhere.push(number);
        }
        let mut is_outside = false;
        for touch in footprint {
            let Some(cells) = cells_of(touch.place) else {
                is_outside = true;
                continue;
            };
            for cell in cells {
                match self.cells.get_mut(cell) {
                    Some(events) if events.first() == Some(&number) => {}
                    Some(events) => events.push(number),
                    None => {
                        let mut events = List::new();
                        events.push(number);
                        self.cells.insert(cell, events);
                    }
                }
            }
        }
        if is_outside {
            self.outside.push(number);
        }
    }

    /// Nothing happens after the last event: what other threads are at could only come before it.
    pub(crate) fn let_last_touch_everything(&mut self, everything: Footprint) {
        let number = self.count;
        let Some(event) = self.events.get_mut(number.into()) else { return };
        event.footprint = everything;
        if self.anywhere.first() != Some(&number) {
            self.anywhere.push(number);
        }
    }

    /// Finds events of other threads that the event of a thread could come before, newest first. `try_first`
    /// is given the number of such an event and the threads one of which goes first then, and returns true
    /// if one of them does on some path. With it, what comes before that event is found on that path.
    pub(crate) fn reverse(
        &self,
        pending: PendingEvent<'_>,
        mut try_first: impl FnMut(EventNumber, &[Tid]) -> bool,
    ) {
        let PendingEvent { tid, footprint, may_wait } = pending;
        let place = self.place(tid).unwrap_or(self.threads.len());
        let own = self.threads.get(place).map(|thread| thread.clock.clone()).unwrap_or_default();
        let mut covered = own.clone();
        for number in self.touching(footprint) {
            if number <= self.floor(&covered, place) {
                break;
            }
            let Some(event) = self.events.get(number.into()) else { continue };
            let is_known = event.place == place || covered.get(event.place) >= number;
            if !is_known && depend(&event.footprint, footprint) {
                let first = self.first_threads(number, (place, tid), &own, footprint);
                if try_first(number, &first) && !may_wait {
                    covered.join(&event.clock);
                }
            }
            if covered.get(event.place) >= number && event.hides_earlier(footprint) {
                break;
            }
        }
    }

    /// The threads one of which goes first where an event comes before an earlier one: those that all
    /// else waits for of what happens up to it and does not come after the earlier one.
    fn first_threads(
        &self,
        earlier: EventNumber,
        (place, tid): (usize, Tid),
        own: &VectorClock,
        footprint: &Footprint,
    ) -> SmallVec<[Tid; 4]> {
        let mut first: SmallVec<[Tid; 4]> = SmallVec::new();
        let Some(reversed) = self.events.get(earlier.into()) else { return first };
        // Threads that do something then, with the first event of each.
        let mut begun: SmallVec<[(usize, EventNumber); 8]> = SmallVec::new();
        let mut is_held_up = false;
        for number in earlier + 1..=self.count {
            let Some(event) = self.events.get(number.into()) else { continue };
            if event.clock.get(reversed.place) >= earlier {
                continue;
            }
            is_held_up |= depend(&event.footprint, footprint);
            if begun.iter().any(|(other, _)| *other == event.place) {
                continue;
            }
            if !begun.iter().any(|(other, begin)| event.clock.get(*other) >= *begin) {
                first.push(self.threads[event.place].tid);
            }
            begun.push((event.place, number));
        }
        let waits = is_held_up || begun.iter().any(|(other, begin)| own.get(*other) >= *begin);
        if !waits && begun.iter().all(|(other, _)| *other != place) {
            first.push(tid);
        }
        first
    }

    /// All events up to this number are before a clock.
    fn floor(&self, clock: &VectorClock, own: usize) -> EventNumber {
        let threads = self.threads.iter().enumerate();
        let others = threads.filter(|(place, of)| *place != own && of.clock.get(*place) > 0);
        others.map(|(place, _)| clock.get(place)).min().unwrap_or(EventNumber::MAX)
    }

    /// The events that may touch what a footprint touches, newest first.
    fn touching(&self, footprint: &Footprint) -> TouchingEvents<'_> {
        if footprint.iter().any(is_anywhere) {
            return TouchingEvents { all: self.count, lists: SmallVec::new() };
        }
        let mut lists: SmallVec<[&List<EventNumber>; 4]> = SmallVec::from_iter([&self.anywhere]);
        for touch in footprint {
            match cells_of(touch.place) {
                Some(cells) => lists.extend(cells.filter_map(|cell| self.cells.get(cell))),
                None => lists.push(&self.outside),
            }
        }
        let lists = lists.into_iter().map(List::iter).map(Iterator::peekable).collect();
        TouchingEvents { all: 0, lists }
    }
}

/// Events that may touch something, newest first.
struct TouchingEvents<'a> {
    /// All events up to this number.
    all: EventNumber,
    lists: SmallVec<[std::iter::Peekable<everett_base::plist::Iter<'a, EventNumber>>; 4]>,
}

impl Iterator for TouchingEvents<'_> {
    type Item = EventNumber;

    fn next(&mut self) -> Option<EventNumber> {
        if let Some(before) = self.all.checked_sub(1) {
            return Some(std::mem::replace(&mut self.all, before));
        }
        let newest =
            self.lists.iter_mut().filter_map(|list| list.peek().copied()).max().copied()?;
        for list in &mut self.lists {
            list.next_if(|number| **number == newest);
        }
        Some(newest)
    }
}

impl LoggedEvent {
    /// Returns true if earlier events that touch what a footprint touches come before this one.
    fn hides_earlier(&self, footprint: &Footprint) -> bool {
        let [EventTouch { place: EventPlace::Memory { address, bytes }, .. }] = footprint[..]
        else {
            return false;
        };
        self.footprint.iter().any(|touch| match touch.place {
            _ if touch.effect != TouchEffect::Writes => false,
            EventPlace::Everything => true,
            EventPlace::Memory { address: from, bytes: count } => {
                from <= address
                    && address.saturating_add(bytes.into()) <= from.saturating_add(count.into())
            }
            _ => false,
        })
    }
}

/// Returns true if a touch may be one of everything.
fn is_anywhere(touch: &EventTouch) -> bool {
    match touch.place {
        EventPlace::Everything => true,
        EventPlace::Memory { bytes, .. } => bytes > MOST_LOGGED_BYTES,
        _ => false,
    }
}

/// The cells of memory that a place is in, if it is in memory.
fn cells_of(place: EventPlace) -> Option<std::ops::RangeInclusive<u64>> {
    let EventPlace::Memory { address, bytes } = place else { return None };
    let last = address.saturating_add(u64::from(bytes.max(1)) - 1);
    Some(address / CELL_BYTES..=last / CELL_BYTES)
}
