//! The order of accesses that is certain, whatever the schedule: [`RaceDetector`].
//!
//! An access *happens before* another one if a chain of the program's own making leads from the first to the
//! second: the order of one thread, the start and the end of threads, and atomic operations, of which all
//! locks are made. Vector clocks tell: a thread's clock has, for each thread, how much of that thread has
//! happened before. Two accesses to the same bytes of which none happens before the other, of which one
//! writes and one is not atomic, race.
//!
//! Not here: where accesses come from (`schedule/races.rs`).

use std::sync::Arc;

use everett_base::pmap::RadixMap;
use everett_interp::{FrameView, LoggedAccess, MOST_LOGGED_BYTES, ProgramId};
use everett_ir::Pc;
use smallvec::SmallVec;

use crate::state::ids::{Pid, ThreadKey};

pub(crate) mod event_log;
pub(crate) mod kept_choice;

/// Bytes that one cell of the detector stands for: as many as [`CellMask`] has bits. Arrays are followed by
/// few cells, and the fields of a structure are in one or two.
const CELL_BYTES: u64 = 32;

/// Bytes of a cell, a bit for each.
type CellMask = u32;

/// Accesses to more bytes than this are followed for the first of them only.
const MOST_BYTES: u64 = MOST_LOGGED_BYTES as u64;

/// Cells that there may be before those of memory that is gone are looked for.
const FEW_CELLS: usize = 4096;

/// For each thread, by its index, how much of it has happened before.
#[derive(Debug, Default, PartialEq, Eq)]
struct VectorClock(SmallVec<[u32; 4]>);

everett_base::portable!(struct VectorClock(value));

impl Clone for VectorClock {
    fn clone(&self) -> VectorClock {
        VectorClock(SmallVec::from_slice(&self.0))
    }
}

impl VectorClock {
    #[inline]
    fn get(&self, index: usize) -> u32 {
        self.0.get(index).copied().unwrap_or(0)
    }

    fn advance(&mut self, index: usize) {
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] += 1;
    }

    fn set(&mut self, index: usize, value: u32) {
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] = value;
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
    key: ThreadKey,
    clock: VectorClock,
    /// Its clock at its last fence: an atomic write after it leaves this, even if it does not release.
    fenced: VectorClock,
    /// What others have left where it has read without acquiring: its next fence takes that over.
    seen: VectorClock,
}

everett_base::portable!(struct FollowedThread { key, clock, fenced, seen });

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

/// What an access does to a cell, in one word: its bytes, as in [`CellMask`], and a bit each for
/// [`WRITES`](CellTouch::WRITES) and [`IS_PLAIN`](CellTouch::IS_PLAIN). The more bits, the more accesses race
/// with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CellTouch(u64);

everett_base::portable!(struct CellTouch(value));

/// An access in a cell.
#[derive(Clone, Debug)]
struct CellEntry {
    touch: CellTouch,
    /// The thread, as the place that it has in vector clocks.
    thread: u32,
    /// The thread's own part of its clock at the access.
    at: u32,
    site: AccessSite,
}

everett_base::portable!(struct CellEntry { touch, thread, at, site });

/// The accesses to the bytes of a cell.
type Cell = SmallVec<[CellEntry; 2]>;

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
    /// By their places in vector clocks.
    threads: Vec<FollowedThread>,
    /// The clocks of those who have left something at an address.
    objects: RadixMap<VectorClock>,
    /// By the first byte of each cell, in units of cells: neighbours share nodes of the map.
    cells: RadixMap<Cell>,
    /// Twice as many cells as there were when those of memory that is gone were last forgotten.
    crowd: usize,
}

everett_base::portable!(struct RaceDetector { threads, objects, cells, crowd });

/// Bits of the addresses of programs.
const ADDRESS_BITS: u32 = 47;

/// The key of an address in a process, and the address of a key.
fn key(pid: Pid, address: u64) -> u64 {
    address ^ u64::from(pid.0) << ADDRESS_BITS
}

impl RaceDetector {
    /// A thread starts another one.
    pub(crate) fn start(&mut self, parent: ThreadKey, child: ThreadKey) {
        let parent = self.follow(parent);
        let clock = self.threads[parent].clock.clone();
        self.add(child, clock);
        self.threads[parent].clock.advance(parent);
    }

    /// All that two threads have done so far happens before all that they do next.
    pub(crate) fn order(&mut self, one: ThreadKey, other: ThreadKey) {
        let both = [self.follow(one), self.follow(other)];
        let mut clock = self.threads[both[0]].clock.clone();
        clock.join(&self.threads[both[1]].clock);
        for index in both {
            let own = &mut self.threads[index].clock;
            own.clone_from(&clock);
            own.advance(index);
        }
    }

    /// The place of a thread in vector clocks; a thread that is not known yet gets one.
    fn follow(&mut self, who: ThreadKey) -> usize {
        match self.threads.iter().rposition(|thread| thread.key == who) {
            Some(index) => index,
            None => self.add(who, VectorClock::default()),
        }
    }

    /// Follows another thread, which begins after all that is in a clock.
    fn add(&mut self, key: ThreadKey, mut clock: VectorClock) -> usize {
        let index = self.threads.len();
        clock.advance(index);
        let (fenced, seen) = Default::default();
        self.threads.push(FollowedThread { key, clock, fenced, seen });
        index
    }

    /// A thread performs an atomic operation at a place.
    pub(crate) fn synchronise(&mut self, who: ThreadKey, place: u64, how: Synchronisation) {
        self.take_over(who, place, how);
        self.leave(who, place, how);
    }

    /// The first part of an atomic operation: its thread takes over what others have left at the place.
    pub(crate) fn take_over(&mut self, who: ThreadKey, place: u64, how: Synchronisation) {
        let index = self.follow(who);
        if how.reads
            && let Some(left) = self.objects.get(key(who.0, place))
        {
            let thread = &mut self.threads[index];
            let taken = if how.acquires { &mut thread.clock } else { &mut thread.seen };
            taken.join(left);
        }
    }

    /// The second part of an atomic operation: its thread leaves what it has done. The access of the
    /// operation itself comes before that, as it happens before all that those do who take this over.
    pub(crate) fn leave(&mut self, who: ThreadKey, place: u64, how: Synchronisation) {
        let index = self.follow(who);
        let Some(write) = how.writes else { return };
        let thread = &mut self.threads[index];
        let left = if how.releases { &thread.clock } else { &thread.fenced };
        let place = key(who.0, place);
        match self.objects.get_mut(place) {
            Some(before) if write == AtomicWrite::Update => before.join(left),
            Some(before) => before.clone_from(left),
            None => {
                self.objects.insert(place, left.clone());
            }
        }
        if how.releases {
            thread.clock.advance(index);
        }
    }

    /// A thread performs a fence, of the strongest order.
    pub(crate) fn fence(&mut self, who: ThreadKey) {
        let index = self.follow(who);
        let thread = &mut self.threads[index];
        thread.clock.join(&std::mem::take(&mut thread.seen));
        thread.fenced = thread.clock.clone();
        thread.clock.advance(index);
    }

    /// A thread accesses memory. Gives the earlier accesses that it races with.
    pub(crate) fn access(&mut self, who: ThreadKey, access: &ThreadAccess) -> Vec<RacingAccess> {
        let mut races = Vec::new();
        let (thread, cells) = self.accessing(who);
        let (first, last) = access.cells();
        for number in first..=last {
            change_cell(cells, (who.0, number), |cell| {
                thread.access(cell, number, access, &mut |_, race| races.push(race));
            });
        }
        races
    }

    /// A thread makes accesses, between which it does not synchronise. Each of them is handed over with each
    /// of the earlier ones that it races with.
    pub(crate) fn access_all(
        &mut self,
        who: ThreadKey,
        program: ProgramId,
        mut log: &[LoggedAccess],
        mut found: impl FnMut(&ThreadAccess, RacingAccess),
    ) {
        let (thread, cells) = self.accessing(who);
        while let [access, rest @ ..] = log {
            log = rest;
            let access = ThreadAccess::logged(program, access);
            let (first, last) = access.cells();
            for number in first..last {
                change_cell(cells, (who.0, number), |cell| {
                    thread.access(cell, number, &access, &mut found);
                });
            }
            change_cell(cells, (who.0, last), |cell| {
                thread.access(cell, last, &access, &mut found);
                // Accesses to the fields of a structure come one after the other.
                while let [access, rest @ ..] = log {
                    let access = ThreadAccess::logged(program, access);
                    if access.cells() != (last, last) {
                        break;
                    }
                    thread.access(cell, last, &access, &mut found);
                    log = rest;
                }
            });
        }
    }

    /// Forgets accesses to memory of a process that is gone, once there are many cells. Whoever accesses such
    /// memory makes an error that is found anyway.
    pub(crate) fn forget_gone(&mut self, pid: Pid, is_there: impl Fn(u64) -> bool) {
        if self.cells.len() < self.crowd.max(FEW_CELLS) {
            return;
        }
        let is_gone = |cell: u64| {
            let address = key(pid, cell * CELL_BYTES);
            // Cells of other processes are at addresses that this one cannot have.
            address >> ADDRESS_BITS == 0 && !is_there(address)
        };
        let gone: Vec<u64> =
            self.cells.iter().map(|(cell, _)| cell).filter(|c| is_gone(*c)).collect();
        for cell in gone {
            self.cells.remove(cell);
        }
        self.crowd = 2 * self.cells.len();
    }

    /// A thread that accesses memory, and the cells of its process.
    fn accessing(&mut self, who: ThreadKey) -> (AccessingThread<'_>, &mut RadixMap<Cell>) {
        let index = self.follow(who);
        let RaceDetector { threads, objects: _, cells, crowd: _ } = self;
        let clock = &threads[index].clock;
        let (index, at, clock) = (index as u32, clock.get(index), &clock.0[..]);
        let thread = AccessingThread { index, at, clock, threads };
        (thread, cells)
    }
}

/// Changes the cell with a number in the memory of a process.
fn change_cell(
    cells: &mut RadixMap<Cell>,
    (pid, number): (Pid, u64),
    change: impl FnOnce(&mut Cell),
) {
    let key = key(pid, number * CELL_BYTES) / CELL_BYTES;
    match cells.get_mut(key) {
        Some(cell) => change(cell),
        None => {
            let mut cell = Cell::new();
            change(&mut cell);
            cells.insert(key, cell);
        }
    }
}

impl ThreadAccess {
    #[inline]
    fn logged(program: ProgramId, access: &LoggedAccess) -> ThreadAccess {
        let LoggedAccess { address, bytes, is_write, pc } = *access;
        let (bytes, is_atomic) = (bytes.into(), false);
        let site = AccessSite { program, pc, stack: None };
        ThreadAccess { address, bytes, is_write, is_atomic, site }
    }

    /// The numbers of the first and the last cell that it touches.
    #[inline]
    fn cells(&self) -> (u64, u64) {
        let last = self.end().saturating_sub(1).max(self.address);
        (self.address / CELL_BYTES, last / CELL_BYTES)
    }

    /// The end of the bytes that are followed.
    #[inline]
    fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes.min(MOST_BYTES))
    }

    /// What it does to a cell.
    #[inline]
    fn touch(&self, cell: u64) -> CellTouch {
        let base = cell * CELL_BYTES;
        let (from, to) = (self.address.max(base) - base, self.end().min(base + CELL_BYTES) - base);
        let mask = (((1_u64 << to) - 1) & !((1_u64 << from) - 1)) as CellMask;
        CellTouch::new(mask, self.is_write, self.is_atomic)
    }
}

impl CellTouch {
    /// It writes.
    const WRITES: u64 = 1 << CellMask::BITS;
    /// It is not atomic.
    const IS_PLAIN: u64 = 2 << CellMask::BITS;

    #[inline]
    fn new(mask: CellMask, is_write: bool, is_atomic: bool) -> CellTouch {
        let kind = u64::from(is_write) | u64::from(!is_atomic) << 1;
        CellTouch(u64::from(mask) | kind << CellMask::BITS)
    }

    #[inline]
    fn mask(self) -> CellMask {
        self.0 as CellMask
    }

    #[inline]
    fn is_write(self) -> bool {
        self.0 & Self::WRITES != 0
    }

    #[inline]
    fn is_atomic(self) -> bool {
        self.0 & Self::IS_PLAIN == 0
    }

    /// Returns true if whoever races with this access races with one that comes after it, too: the later one
    /// has all bytes of this one, writes if this one does, and is plain if this one is.
    #[inline]
    fn is_covered_by(self, later: CellTouch) -> bool {
        self.0 & !later.0 == 0
    }

    /// The bytes for which two accesses race if nothing orders them, if there are any.
    #[inline]
    fn conflict(self, other: CellTouch) -> Option<CellMask> {
        let common = self.mask() & other.mask();
        let is_conflict = common != 0
            && (self.is_write() || other.is_write())
            && !(self.is_atomic() && other.is_atomic());
        is_conflict.then_some(common)
    }
}

/// The thread that accesses memory.
struct AccessingThread<'a> {
    /// Its place in vector clocks.
    index: u32,
    /// Its own part of its clock.
    at: u32,
    /// Its clock.
    clock: &'a [u32],
    threads: &'a [FollowedThread],
}

impl AccessingThread<'_> {
    /// Adds an access to a cell, of the number `number`, and hands over the earlier ones that it races with.
    /// It takes the place of those that it covers.
    fn access(
        &self,
        cell: &mut Cell,
        number: u64,
        access: &ThreadAccess,
        found: &mut impl FnMut(&ThreadAccess, RacingAccess),
    ) {
        let touch = access.touch(number);
        let (mut covered, mut first_covered, mut last_covered) = (0, 0, 0);
        for (at, earlier) in cell.iter().enumerate() {
            if earlier.thread == self.index {
                if earlier.at == self.at && earlier.is_repeated_by(touch, &access.site) {
                    return;
                }
            } else if !self.comes_after(earlier) {
                if let Some(common) = earlier.touch.conflict(touch) {
                    let address = number * CELL_BYTES + u64::from(common.trailing_zeros());
                    found(access, self.race(earlier, address));
                }
                continue;
            }
            if earlier.touch.is_covered_by(touch) {
                first_covered = if covered == 0 { at } else { first_covered };
                (covered, last_covered) = (covered + 1, at);
            }
        }
        let (thread, at, site) = (self.index, self.at, access.site.clone());
        let entry = CellEntry { touch, thread, at, site };
        match covered {
            0 => return cell.push(entry),
            1 => {}
            2 => drop(cell.swap_remove(last_covered)),
            _ => {
                let mut at = 0;
                cell.retain(|earlier| {
                    at += 1;
                    at <= first_covered + 1
                        || !(earlier.touch.is_covered_by(touch) && self.comes_after(earlier))
                });
            }
        }
        cell[first_covered] = entry;
    }

    /// Returns true if an access has happened before what the thread does now.
    #[inline]
    fn comes_after(&self, earlier: &CellEntry) -> bool {
        earlier.at <= self.clock.get(earlier.thread as usize).copied().unwrap_or(0)
    }

    /// An earlier access that the thread's access to a byte races with.
    #[cold]
    #[inline(never)]
    fn race(&self, earlier: &CellEntry, address: u64) -> RacingAccess {
        let (is_write, is_atomic) = (earlier.touch.is_write(), earlier.touch.is_atomic());
        let thread = self.threads[earlier.thread as usize].key;
        RacingAccess { thread, is_write, is_atomic, site: earlier.site.clone(), address }
    }
}

impl CellEntry {
    /// Returns true if an access of the same thread at the same time says nothing new.
    #[inline]
    fn is_repeated_by(&self, touch: CellTouch, site: &AccessSite) -> bool {
        self.site.pc == site.pc
            && (self.touch.0 ^ touch.0) >> CellMask::BITS == 0
            && touch.is_covered_by(self.touch)
            && site.stack.is_none()
    }
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
    fn an_access_takes_the_place_of_all_that_it_covers() {
        let mut detector = two_threads();
        let at = |address, is_write, pc| {
            let access = access(address, 4, is_write);
            ThreadAccess { site: AccessSite { pc, ..access.site.clone() }, ..access }
        };
        for (address, pc) in [(0x100, 1), (0x104, 2), (0x108, 3), (0x10c, 4)] {
            assert!(detector.access(A, &at(address, false, pc)).is_empty());
        }
        let races = |detector: &RaceDetector| {
            let races =
                detector.clone().access(B, &ThreadAccess { bytes: 16, ..at(0x100, true, 9) });
            let mut ops: Vec<Pc> = races.iter().map(|race| race.site.pc).collect();
            ops.sort();
            ops
        };
        assert_eq!(races(&detector), [1, 2, 3, 4]);
        detector.access(A, &at(0x104, true, 5));
        assert_eq!(races(&detector), [1, 3, 4, 5]);
        detector.access(A, &ThreadAccess { bytes: 8, ..at(0x108, false, 6) });
        assert_eq!(races(&detector), [1, 5, 6]);
        detector.access(A, &ThreadAccess { bytes: 16, ..at(0x100, true, 7) });
        assert_eq!(races(&detector), [7]);
    }

    #[test]
    fn accesses_to_memory_that_is_gone_are_forgotten_once_there_are_many() {
        let mut detector = two_threads();
        let other = (Pid(101), Tid(103));
        let objects: Vec<u64> = (1..=FEW_CELLS as u64).map(|object| object << 12).collect();
        for (number, object) in objects.iter().enumerate() {
            assert_eq!(detector.cells.len(), number);
            detector.forget_gone(A.0, |_| false);
            assert!(detector.access(A, &access(*object, 4, true)).is_empty());
        }
        assert!(detector.access(other, &access(objects[0], 4, true)).is_empty());
        let last = objects[FEW_CELLS - 1];
        detector.forget_gone(A.0, |address| address == last);
        assert_eq!(detector.cells.len(), 2, "one is there, and one is in another process");
        assert!(detector.access(B, &access(objects[0], 4, true)).is_empty());
        assert_eq!(detector.access(B, &access(last, 4, true)).len(), 1);
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
