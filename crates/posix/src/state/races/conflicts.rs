//! Events of threads that conflict, whatever their order: [`EventLog`].

use std::collections::BTreeMap;

use everett_base::pmap::RadixMap;
use everett_interp::{MOST_LOGGED_BYTES, ProgramId};
use everett_ir::Pc;
use smallvec::SmallVec;

use super::VectorClock;
use crate::state::ids::Tid;

/// Bytes of memory that one cell of the log stands for: as many as a mask has bits.
const CELL_BYTES: u64 = 8;

/// Events that touch more bytes than this are followed for the first of them only. Whoever logs such an event
/// logs it as one that may touch anything.
const MOST_BYTES: u64 = MOST_LOGGED_BYTES as u64;

/// The operation of an event.
pub(crate) type EventOp = (ProgramId, Pc);

/// A touch of a cell: the last one by this operation of this thread.
#[derive(Clone, Debug)]
struct LoggedTouch {
    /// The bytes of the cell.
    mask: u8,
    changes: bool,
    /// The place of the thread in vector clocks.
    thread: usize,
    /// The thread's own part of its clock at the event.
    at: u32,
    op: EventOp,
}

everett_base::portable!(struct LoggedTouch { mask, changes, thread, at, op });

/// The places that the events of a node's threads have touched. Events are ordered by nothing but the starts
/// of threads and the waits for their ends. Threads of all processes are in one log, as they may share
/// memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog {
    /// The clock of each thread, with its place in clocks.
    threads: BTreeMap<Tid, (usize, VectorClock)>,
    /// The clocks that threads have left where others learn of their ends.
    ends: BTreeMap<u64, VectorClock>,
    cells: RadixMap<SmallVec<[LoggedTouch; 2]>>,
}

everett_base::portable!(struct EventLog { threads, ends, cells });

impl EventLog {
    fn thread(&mut self, tid: Tid) -> &mut (usize, VectorClock) {
        let index = self.threads.len();
        self.threads.entry(tid).or_insert_with(|| {
            let mut clock = VectorClock::default();
            clock.advance(index);
            (index, clock)
        })
    }

    /// A thread starts another one.
    pub(crate) fn start(&mut self, parent: Tid, child: Tid) {
        let (index, clock) = self.thread(parent);
        let begin = clock.clone();
        clock.advance(*index);
        let (index, clock) = self.thread(child);
        clock.join(&begin);
        clock.advance(*index);
    }

    /// A thread ends, or learns that another one has ended, by the word at an address.
    pub(crate) fn end_or_join(&mut self, tid: Tid, address: u64) {
        let (index, clock) = self.thread(tid).clone();
        let left = self.ends.entry(address).or_default();
        left.join(&clock);
        let mut joined = left.clone();
        joined.advance(index);
        self.threads.insert(tid, (index, joined));
    }

    /// An event of a thread touches bytes. Gives the operations of other threads that conflict with it.
    pub(crate) fn touch(
        &mut self,
        tid: Tid,
        (address, bytes): (u64, u64),
        changes: bool,
        op: EventOp,
    ) -> Vec<EventOp> {
        let (thread, clock) = self.thread(tid).clone();
        let mut conflicts = Vec::new();
        let end = address.saturating_add(bytes.min(MOST_BYTES));
        let mut base = address - address % CELL_BYTES;
        while base < end {
            let (from, to) = (address.max(base) - base, end.min(base + CELL_BYTES) - base);
            let mask = (((1_u32 << to) - 1) & !((1_u32 << from) - 1)) as u8;
            let touch = LoggedTouch { mask, changes, thread, at: clock.get(thread), op };
            self.touch_cell(base / CELL_BYTES, touch, &clock, &mut conflicts);
            base += CELL_BYTES;
        }
        conflicts
    }

    fn touch_cell(
        &mut self,
        cell: u64,
        touch: LoggedTouch,
        clock: &VectorClock,
        conflicts: &mut Vec<EventOp>,
    ) {
        let Some(cell) = self.cells.get_mut(cell) else {
            self.cells.insert(cell, SmallVec::from_iter([touch]));
            return;
        };
        let is_conflict = |earlier: &&LoggedTouch| {
            earlier.thread != touch.thread
                && earlier.mask & touch.mask != 0
                && (earlier.changes || touch.changes)
                && earlier.at > clock.get(earlier.thread)
        };
        conflicts.extend(cell.iter().filter(is_conflict).map(|earlier| earlier.op));
        let is_same = |earlier: &&mut LoggedTouch| {
            (earlier.thread, earlier.op) == (touch.thread, touch.op)
                && (earlier.mask, earlier.changes) == (touch.mask, touch.changes)
        };
        match cell.iter_mut().find(is_same) {
            Some(earlier) => *earlier = touch,
            None => cell.push(touch),
        }
    }

    /// The operations of all events.
    pub(crate) fn ops(&self) -> impl Iterator<Item = EventOp> + '_ {
        self.cells.iter().flat_map(|(_, cell)| cell.iter()).map(|touch| touch.op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: Tid = Tid(100);
    const A: Tid = Tid(101);
    const B: Tid = Tid(102);

    fn op(pc: Pc) -> EventOp {
        (ProgramId::from_index(0), pc)
    }

    fn two_threads() -> EventLog {
        let mut log = EventLog::default();
        log.start(MAIN, A);
        log.start(MAIN, B);
        log
    }

    #[test]
    fn events_of_two_threads_conflict_where_they_overlap_and_one_changes_something() {
        let mut log = two_threads();
        assert!(log.touch(A, (0x104, 4), true, op(1)).is_empty());
        assert!(log.touch(B, (0x100, 4), true, op(2)).is_empty(), "other bytes");
        assert_eq!(log.touch(B, (0x102, 8), false, op(3)), [op(1)]);
        assert!(log.touch(A, (0x200, 4), false, op(4)).is_empty());
        assert!(log.touch(B, (0x200, 4), false, op(5)).is_empty(), "both look");
    }

    #[test]
    fn all_operations_of_a_thread_are_remembered() {
        let mut log = two_threads();
        assert!(log.touch(A, (0x100, 4), true, op(1)).is_empty());
        assert!(log.touch(A, (0x100, 4), true, op(2)).is_empty());
        assert_eq!(log.touch(B, (0x100, 4), true, op(3)), [op(1), op(2)]);
        assert_eq!(log.ops().count(), 3);
    }

    #[test]
    fn starts_and_ends_of_threads_order_events() {
        let mut log = EventLog::default();
        assert!(log.touch(MAIN, (0x100, 4), true, op(1)).is_empty());
        log.start(MAIN, A);
        assert!(log.touch(A, (0x100, 4), true, op(2)).is_empty());
        log.end_or_join(A, 0x900);
        log.start(MAIN, B);
        assert_eq!(log.touch(B, (0x100, 4), true, op(3)), [op(2)], "B has not waited for A");
        log.end_or_join(MAIN, 0x900);
        assert_eq!(log.touch(MAIN, (0x100, 4), true, op(4)), [op(3)]);
    }
}
