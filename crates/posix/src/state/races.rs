//! The order of accesses that is certain, whatever the schedule: [`RaceDetector`].
//!
//! An access *happens before* another one if a chain of the program's own making leads from the first to the
//! second: the order of one thread, the start and the end of threads, and atomic operations, of which all
//! locks are made. Vector clocks tell: a thread's clock has, for each thread, how much of that thread has
//! happened before. Two accesses to the same bytes of which none happens before the other, of which one
//! writes and one is not atomic, race.
//!
//! Not here: where accesses come from (`schedule/races.rs`).

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::pmap::RadixMap;
use everett_interp::{FrameView, MOST_LOGGED_BYTES, ProgramId};
use everett_ir::Pc;
use smallvec::SmallVec;

use crate::state::ids::{Pid, ThreadKey};

pub(crate) mod conflicts;

/// Bytes that one cell of the detector stands for: as many as [`CellMask`] has bits. Arrays are followed by
/// few cells, and the fields of a structure are in one or two.
const CELL_BYTES: u64 = 32;

/// Bytes of a cell, a bit for each.
type CellMask = u32;

/// Accesses to more bytes than this are followed for the first of them only.
const MOST_BYTES: u64 = MOST_LOGGED_BYTES as u64;

/// For each thread, by its index, how much of it has happened before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct VectorClock(SmallVec<[u32; 4]>);

everett_base::portable!(struct VectorClock(value));

impl VectorClock {
    fn get(&self, index: usize) -> u32 {
        self.0.get(index).copied().unwrap_or(0)
    }

    fn advance(&mut self, index: usize) {
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] += 1;
    }

    fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*other);
        }
    }
}

/// A thread that is followed.
#[derive(Clone, Debug)]
struct FollowedThread {
    /// Its place in vector clocks.
    index: usize,
    clock: VectorClock,
    /// Its clock at its last fence: an atomic write after it leaves this, even if it does not release.
    fenced: VectorClock,
    /// What others have left where it has read without acquiring: its next fence takes that over.
    seen: VectorClock,
}

everett_base::portable!(struct FollowedThread { index, clock, fenced, seen });

impl FollowedThread {
    fn new(index: usize, clock: VectorClock) -> FollowedThread {
        let (fenced, seen) = Default::default();
        FollowedThread { index, clock, fenced, seen }
    }
}

/// The kind of an atomic write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicWrite {
    /// A store: who reads it sees nothing of what was left there before.
    Store,
    /// An update of what was there, which goes on with what was left there.
    Update,
}

/// The part that an atomic operation has in the order of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Synchronisation {
    pub(crate) reads: bool,
    /// What it reads happens before all that its thread does next.
    pub(crate) acquires: bool,
    pub(crate) writes: Option<AtomicWrite>,
    /// What its thread has done happens before those that read what it writes.
    pub(crate) releases: bool,
}

impl Synchronisation {
    /// It takes over what others have left, and leaves all that its thread has done.
    pub(crate) const STRONGEST: Synchronisation = Synchronisation {
        reads: true,
        acquires: true,
        writes: Some(AtomicWrite::Update),
        releases: true,
    };
}

/// An operation of a program that accesses memory, with its callers if they are known.
#[derive(Clone, Debug)]
pub(crate) struct AccessSite {
    pub(crate) program: ProgramId,
    pub(crate) pc: Pc,
    pub(crate) stack: Option<Arc<[FrameView]>>,
}

everett_base::portable!(struct AccessSite { program, pc, stack });

/// An access of a thread to memory.
#[derive(Clone, Debug)]
pub(crate) struct ThreadAccess {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) is_write: bool,
    pub(crate) is_atomic: bool,
    pub(crate) site: AccessSite,
}

/// An access in a cell.
#[derive(Clone, Debug)]
struct CellEntry {
    /// The bytes of the cell that it touches.
    mask: CellMask,
    is_write: bool,
    is_atomic: bool,
    thread: ThreadKey,
    index: usize,
    /// The thread's own part of its clock at the access.
    at: u32,
    site: AccessSite,
}

everett_base::portable!(struct CellEntry { mask, is_write, is_atomic, thread, index, at, site });

/// The earlier one of two accesses that race.
#[derive(Clone, Debug)]
pub(crate) struct RacingAccess {
    pub(crate) thread: ThreadKey,
    pub(crate) is_write: bool,
    pub(crate) is_atomic: bool,
    pub(crate) site: AccessSite,
    /// The first byte that both touch.
    pub(crate) address: u64,
}

/// Two operations that race, in the order in which a path has executed them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RacingPair {
    /// The one that came first.
    pub earlier: (ProgramId, Pc),
    /// The other one.
    pub later: (ProgramId, Pc),
}

everett_base::portable!(struct RacingPair { earlier, later });

/// The accesses of a process's threads, as far as a later one may race with them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RaceDetector {
    threads: BTreeMap<ThreadKey, FollowedThread>,
    /// The clocks of those who have left something at an address.
    objects: RadixMap<VectorClock>,
    cells: RadixMap<SmallVec<[CellEntry; 2]>>,
}

everett_base::portable!(struct RaceDetector { threads, objects, cells });

/// The key of an address in a process. Addresses of programs have fewer bits than 47.
fn key(pid: Pid, address: u64) -> u64 {
    address ^ u64::from(pid.0) << 47
}

impl RaceDetector {
    /// Forgets everything: one thread is left, after all that has happened.
    pub(crate) fn clear(&mut self) {
        if !self.threads.is_empty() {
            *self = RaceDetector::default();
        }
    }

    /// A thread starts another one.
    pub(crate) fn start(&mut self, parent: ThreadKey, child: ThreadKey) {
        let mut clock = self.followed(parent).clock.clone();
        let index = self.threads.len();
        clock.advance(index);
        self.threads.insert(child, FollowedThread::new(index, clock));
        let parent = self.followed(parent);
        parent.clock.advance(parent.index);
    }

    /// All that two threads have done so far happens before all that they do next.
    pub(crate) fn order(&mut self, one: ThreadKey, other: ThreadKey) {
        let mut clock = self.followed(one).clock.clone();
        clock.join(&self.followed(other).clock);
        for who in [one, other] {
            let thread = self.followed(who);
            thread.clock = clock.clone();
            thread.clock.advance(thread.index);
        }
    }

    fn followed(&mut self, who: ThreadKey) -> &mut FollowedThread {
        let index = self.threads.len();
        self.threads.entry(who).or_insert_with(|| {
            let mut clock = VectorClock::default();
            clock.advance(index);
            FollowedThread::new(index, clock)
        })
    }

    /// A thread performs an atomic operation at a place.
    pub(crate) fn synchronise(&mut self, who: ThreadKey, place: u64, how: Synchronisation) {
        self.take_over(who, place, how);
        self.leave(who, place, how);
    }

    /// The first part of an atomic operation: its thread takes over what others have left at the place.
    pub(crate) fn take_over(&mut self, who: ThreadKey, place: u64, how: Synchronisation) {
        let place = key(who.0, place);
        self.followed(who);
        let Some(thread) = self.threads.get_mut(&who) else { return };
        if how.reads
            && let Some(left) = self.objects.get(place)
        {
            let taken = if how.acquires { &mut thread.clock } else { &mut thread.seen };
            taken.join(left);
        }
    }

    /// The second part of an atomic operation: its thread leaves what it has done. The access of the
    /// operation itself comes before that, as it happens before all that those do who take this over.
    pub(crate) fn leave(&mut self, who: ThreadKey, place: u64, how: Synchronisation) {
        let place = key(who.0, place);
        self.followed(who);
        let Some(thread) = self.threads.get_mut(&who) else { return };
        let Some(write) = how.writes else { return };
        let left = if how.releases { thread.clock.clone() } else { thread.fenced.clone() };
        if how.releases {
            thread.clock.advance(thread.index);
        }
        match self.objects.get_mut(place) {
            Some(before) if write == AtomicWrite::Update => before.join(&left),
            Some(before) => *before = left,
            None => {
                self.objects.insert(place, left);
            }
        }
    }

    /// A thread performs a fence, of the strongest order.
    pub(crate) fn fence(&mut self, who: ThreadKey) {
        let thread = self.followed(who);
        thread.clock.join(&std::mem::take(&mut thread.seen));
        thread.fenced = thread.clock.clone();
        thread.clock.advance(thread.index);
    }

    /// A thread accesses memory. Gives the earlier accesses that it races with.
    pub(crate) fn access(&mut self, who: ThreadKey, access: &ThreadAccess) -> Vec<RacingAccess> {
        self.followed(who);
        let RaceDetector { threads, cells, .. } = self;
        let Some(FollowedThread { index, clock, .. }) = threads.get(&who) else {
            return Vec::new();
        };
        let index = *index;
        let mut races = Vec::new();
        let end = access.address.saturating_add(access.bytes.min(MOST_BYTES));
        let mut base = access.address - access.address % CELL_BYTES;
        while base < end {
            let (from, to) = (access.address.max(base) - base, end.min(base + CELL_BYTES) - base);
            let mask = (((1_u64 << to) - 1) & !((1_u64 << from) - 1)) as CellMask;
            let (thread, at) = (who, clock.get(index));
            let (is_write, is_atomic) = (access.is_write, access.is_atomic);
            let site = access.site.clone();
            let entry = CellEntry { mask, is_write, is_atomic, thread, index, at, site };
            access_cell(cells, (key(who.0, base), base), entry, clock, &mut races);
            base += CELL_BYTES;
        }
        races
    }
}

/// Adds an access to the cell at a key, which stands for the bytes from `base`.
fn access_cell(
    cells: &mut RadixMap<SmallVec<[CellEntry; 2]>>,
    (key, base): (u64, u64),
    entry: CellEntry,
    clock: &VectorClock,
    races: &mut Vec<RacingAccess>,
) {
    let Some(cell) = cells.get_mut(key) else {
        cells.insert(key, SmallVec::from_iter([entry]));
        return;
    };
    let is_repeated = |earlier: &CellEntry| {
        (earlier.at, earlier.site.pc) == (entry.at, entry.site.pc)
            && (earlier.is_write, earlier.is_atomic) == (entry.is_write, entry.is_atomic)
            && entry.mask & !earlier.mask == 0
            && entry.site.stack.is_none()
    };
    // Whoever races with an access that this one comes after, and covers, races with this one, too.
    let is_covered = |earlier: &CellEntry| {
        earlier.mask & !entry.mask == 0
            && (entry.is_write || !earlier.is_write)
            && (!entry.is_atomic || earlier.is_atomic)
            && (earlier.thread == entry.thread || earlier.at <= clock.get(earlier.index))
    };
    let mut has_covered = false;
    for earlier in cell.iter() {
        if earlier.thread == entry.thread {
            if is_repeated(earlier) {
                return;
            }
            has_covered |= is_covered(earlier);
            continue;
        }
        if earlier.at <= clock.get(earlier.index) {
            has_covered |= is_covered(earlier);
            continue;
        }
        let common = earlier.mask & entry.mask;
        let is_conflict = common != 0
            && (earlier.is_write || entry.is_write)
            && !(earlier.is_atomic && entry.is_atomic);
        if is_conflict {
            let address = base + u64::from(common.trailing_zeros());
            let CellEntry { thread, is_write, is_atomic, ref site, .. } = *earlier;
            let site = site.clone();
            races.push(RacingAccess { thread, is_write, is_atomic, site, address });
        }
    }
    if has_covered {
        cell.retain(|earlier| !is_covered(earlier));
    }
    cell.push(entry);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::ids::Tid;

    const MAIN: ThreadKey = (Pid(100), Tid(100));
    const A: ThreadKey = (Pid(100), Tid(101));
    const B: ThreadKey = (Pid(100), Tid(102));

    fn access(address: u64, bytes: u64, is_write: bool) -> ThreadAccess {
        let site = AccessSite { program: ProgramId::from_index(0), pc: 1, stack: None };
        ThreadAccess { address, bytes, is_write, is_atomic: false, site }
    }

    fn two_threads() -> RaceDetector {
        let mut detector = RaceDetector::default();
        detector.start(MAIN, A);
        detector.start(MAIN, B);
        detector
    }

    #[test]
    fn accesses_of_two_threads_race_where_they_overlap_and_one_writes() {
        let mut detector = two_threads();
        assert!(detector.access(A, &access(0x100, 4, true)).is_empty());
        assert!(detector.access(B, &access(0x104, 4, true)).is_empty(), "other bytes of the cell");
        assert_eq!(detector.access(B, &access(0x102, 4, false)).len(), 1);
        assert!(detector.access(A, &access(0x200, 8, false)).is_empty());
        assert!(detector.access(B, &access(0x200, 8, false)).is_empty(), "both read");
    }

    #[test]
    fn a_lock_orders_accesses_and_so_does_a_start() {
        let mut detector = RaceDetector::default();
        assert!(detector.access(MAIN, &access(0x100, 4, true)).is_empty());
        detector.start(MAIN, A);
        detector.start(MAIN, B);
        assert!(detector.access(A, &access(0x100, 4, true)).is_empty());
        detector.synchronise(A, 0x900, Synchronisation::STRONGEST);
        detector.synchronise(B, 0x900, Synchronisation::STRONGEST);
        assert!(detector.access(B, &access(0x100, 4, true)).is_empty());
        assert_eq!(detector.access(A, &access(0x100, 4, false)).len(), 1, "A has not come back");
    }

    #[test]
    fn what_a_parent_does_after_a_start_races_with_the_child() {
        let mut detector = two_threads();
        assert!(detector.access(A, &access(0x100, 1, false)).is_empty());
        let races = detector.access(MAIN, &access(0x100, 1, true));
        assert_eq!(races.iter().map(|race| race.thread).collect::<Vec<_>>(), [A]);
    }

    #[test]
    fn atomic_accesses_race_only_with_others() {
        let mut detector = two_threads();
        let atomic = ThreadAccess { is_atomic: true, ..access(0x100, 4, true) };
        assert!(detector.access(A, &atomic).is_empty());
        assert!(detector.access(B, &atomic).is_empty());
        assert!(!detector.access(MAIN, &access(0x100, 4, false)).is_empty());
    }

    #[test]
    fn an_atomic_access_happens_before_what_those_do_who_acquire_it() {
        for releases in [true, false] {
            let mut detector = two_threads();
            let atomic = ThreadAccess { is_atomic: true, ..access(0x100, 4, true) };
            let how = Synchronisation { releases, ..Synchronisation::STRONGEST };
            for who in [A, B] {
                detector.take_over(who, 0x100, how);
                assert!(detector.access(who, &atomic).is_empty());
                detector.leave(who, 0x100, how);
            }
            assert_eq!(detector.access(B, &access(0x100, 4, true)).is_empty(), releases);
        }
    }

    /// A stores with or without releasing, B loads with or without acquiring, and both access a byte.
    fn races_across(releases: bool, acquires: bool, fences: bool) -> bool {
        let mut detector = two_threads();
        let store = Synchronisation {
            reads: false,
            acquires: false,
            writes: Some(AtomicWrite::Store),
            releases,
        };
        let load = Synchronisation { reads: true, acquires, writes: None, releases: false };
        assert!(detector.access(A, &access(0x100, 1, true)).is_empty());
        if fences {
            detector.fence(A);
        }
        detector.synchronise(A, 0x900, store);
        detector.synchronise(B, 0x900, load);
        if fences {
            detector.fence(B);
        }
        !detector.access(B, &access(0x100, 1, true)).is_empty()
    }

    #[test]
    fn only_a_release_that_is_acquired_orders_unless_there_are_fences() {
        assert!(!races_across(true, true, false));
        assert!(races_across(true, false, false) && races_across(false, true, false));
        assert!(races_across(false, false, false) && !races_across(false, false, true));
        assert!(!races_across(true, false, true) && !races_across(false, true, true));
    }

    #[test]
    fn a_store_hides_what_was_released_before_and_an_update_does_not() {
        for (write, is_hidden) in [(AtomicWrite::Store, true), (AtomicWrite::Update, false)] {
            let mut detector = two_threads();
            let relaxed = |writes| Synchronisation {
                reads: writes == AtomicWrite::Update,
                acquires: false,
                writes: Some(writes),
                releases: false,
            };
            assert!(detector.access(A, &access(0x100, 1, true)).is_empty());
            detector.synchronise(A, 0x900, Synchronisation::STRONGEST);
            detector.synchronise(MAIN, 0x900, relaxed(write));
            detector.synchronise(B, 0x900, Synchronisation::STRONGEST);
            assert_eq!(!detector.access(B, &access(0x100, 1, true)).is_empty(), is_hidden);
        }
    }
}
