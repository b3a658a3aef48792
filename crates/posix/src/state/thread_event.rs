//! Operations of threads that other threads can notice: [`ThreadEvent`].
//!
//! An event is what a thread does at once, as far as others can tell: an access to memory, the call of a
//! function such as `pthread_mutex_lock`, a system call. Orders of threads are orders of their events.
//!
//! Not here: the choice of the thread whose event comes next (`schedule/interleave.rs`).

use everett_interp::SharedAccess;
use everett_ir::Pc;
use smallvec::SmallVec;
use syscalls::Sysno;

use crate::state::ids::{FileId, Pid, PipeId, SocketId, ThreadKey};

/// An event that a thread is about to perform, or performs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThreadEvent {
    pub(crate) action: EventAction,
    /// The op that performs it, in the program of the thread.
    pub(crate) pc: Pc,
}

everett_base::portable!(struct ThreadEvent { action, pc });

/// The action of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventAction {
    /// An access to memory.
    Access(SharedAccess),
    /// A call of a function that synchronises threads, with the addresses of its first two arguments.
    Function(SyncFunction, [Option<u64>; 2]),
    /// A system call, with what it touches.
    System(Sysno, [Option<EventTouch>; 2]),
    /// The end of the path, by a finding: it comes first on another path.
    PathEnd,
}

everett_base::portable!(enum EventAction {
    0 = Access(value), 1 = Function(a, b), 2 = System(a, b), 3 = PathEnd,
});

/// A function of the C library by which threads synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncFunction {
    MutexLock,
    /// With a deadline.
    MutexTimedLock,
    MutexTryLock,
    MutexUnlock,
    ReadLock,
    WriteLock,
    TryReadLock,
    TryWriteLock,
    RwUnlock,
    SpinLock,
    SpinTryLock,
    SpinUnlock,
    /// Releases the mutex that is its second argument, and waits.
    ConditionWait,
    /// Wakes threads that wait.
    ConditionSignal,
    SemaphoreWait,
    SemaphoreTimedWait,
    SemaphoreTryWait,
    SemaphorePost,
    SemaphoreValue,
    BarrierWait,
    Once,
    /// The beginning of a region with other orders of threads.
    Region,
}

everett_base::portable!(enum SyncFunction {
    0 = MutexLock, 1 = MutexTimedLock, 2 = MutexTryLock, 3 = MutexUnlock, 4 = ReadLock,
    5 = WriteLock, 6 = TryReadLock, 7 = TryWriteLock, 8 = RwUnlock, 9 = SpinLock, 10 = SpinTryLock,
    11 = SpinUnlock, 12 = ConditionWait, 13 = ConditionSignal, 14 = SemaphoreWait,
    15 = SemaphoreTimedWait, 16 = SemaphoreTryWait, 17 = SemaphorePost, 18 = SemaphoreValue,
    19 = BarrierWait, 20 = Once, 21 = Region,
});

/// A place that events touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventPlace {
    /// Bytes of memory. Processes that share memory have it at one address.
    Memory {
        address: u64,
        bytes: u32,
    },
    /// An open file that is nothing of the below.
    File(FileId),
    /// The content of an inode.
    Inode(u64),
    /// A pipe: both ends.
    Pipe(PipeId),
    Socket(SocketId),
    /// Sockets that are connected within the node.
    LocalSockets,
    /// All files, as `poll` touches any of them.
    AllFiles,
    /// The names of files.
    Names,
    /// The numbers of a process's descriptors, of which a new one is the lowest that is free.
    Descriptors(Pid),
    /// Everything.
    Everything,
    /// Shared memory, semaphores and message queues.
    Ipc,
}

everett_base::portable!(enum EventPlace {
    0 = Memory { address, bytes }, 1 = File(value), 2 = Inode(value), 3 = Pipe(value),
    4 = Socket(value), 5 = LocalSockets, 6 = AllFiles, 7 = Names, 8 = Descriptors(value),
    9 = Everything, 10 = Ipc,
});

/// The effect of an event on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TouchEffect {
    /// It only looks: two of these commute.
    Reads,
    /// It takes or leaves a share, as a reader of a lock does: two of these commute, but a look can tell.
    Shares,
    /// It changes something.
    Writes,
}

everett_base::portable!(enum TouchEffect { 0 = Reads, 1 = Shares, 2 = Writes });

/// A place that an event touches, and its effect there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventTouch {
    pub(crate) place: EventPlace,
    pub(crate) effect: TouchEffect,
}

everett_base::portable!(struct EventTouch { place, effect });

/// All places that an event touches.
pub(crate) type Footprint = SmallVec<[EventTouch; 2]>;

/// A thread whose event can happen now.
#[derive(Clone, Debug)]
pub(crate) struct EnabledThread {
    pub(crate) thread: ThreadKey,
    /// Its number among the threads that are at events, whether these can happen or not.
    pub(crate) choice: u32,
    pub(crate) footprint: Footprint,
}

everett_base::portable!(struct EnabledThread { thread, choice, footprint });

/// A thread whose next event comes later than its turn: that it comes now is explored by another path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SleepingThread {
    pub(crate) thread: ThreadKey,
    pub(crate) footprint: Footprint,
}

everett_base::portable!(struct SleepingThread { thread, footprint });

/// A read of a thread, as a step of a loop in which it may wait for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpinStep {
    pub(crate) access: SharedAccess,
    /// The fingerprint of the thread's stack there.
    pub(crate) stack: u64,
    /// The value that it has read, if it is known.
    pub(crate) value: Option<u64>,
}

everett_base::portable!(struct SpinStep { access, stack, value });

/// The reads of a thread since it last changed anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpinTrace {
    /// Its writes by then that had changed something.
    pub(crate) writes: u64,
    pub(crate) steps: Vec<SpinStep>,
    /// It has come round to the first of the steps: it would do the same again until one of the values is
    /// another one.
    pub(crate) is_round: bool,
}

everett_base::portable!(struct SpinTrace { writes, steps, is_round });

/// The part of a thread that orders of events need.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventState {
    /// The event that it is held at.
    pub(crate) next: Option<ThreadEvent>,
    /// The event that it has performed last, or waits in.
    pub(crate) current: Option<ThreadEvent>,
    /// The regions that it is in and in which it is not preempted.
    pub(crate) unpreempted: u32,
    /// It was chosen to perform its event, and is not held at it again.
    pub(crate) is_chosen: bool,
    /// Its last events, if they were reads only.
    pub(crate) spin: SpinTrace,
    /// The times in a row that it gave up its turn without an event in between.
    pub(crate) yields: u32,
    /// Its writes that had changed something when it last gave up its turn or came to an event.
    pub(crate) writes: u64,
}

everett_base::portable!(struct EventState {
    next, current, unpreempted, is_chosen, spin, yields, writes,
});

impl EventPlace {
    fn meets(self, other: EventPlace) -> bool {
        use EventPlace::{
            AllFiles, Everything, File, Inode, Ipc, LocalSockets, Memory, Names, Pipe, Socket,
        };
        match (self, other) {
            (Everything, _) | (_, Everything) => true,
            (Memory { address: a, bytes: n }, Memory { address: b, bytes: m }) => {
                a < b.saturating_add(m.into()) && b < a.saturating_add(n.into())
            }
            (AllFiles, File(_) | Pipe(_) | Socket(_) | LocalSockets | Ipc | AllFiles) => true,
            (File(_) | Pipe(_) | Socket(_) | LocalSockets | Ipc, AllFiles) => true,
            // A path leads to contents.
            (Names, Inode(_)) | (Inode(_), Names) => true,
            _ => self == other,
        }
    }
}

impl EventTouch {
    fn depends_on(self, other: EventTouch) -> bool {
        let commute = self.effect == other.effect && self.effect != TouchEffect::Writes;
        !commute && self.place.meets(other.place)
    }
}

/// Returns true if the order of two events can be told.
pub(crate) fn depend(a: &Footprint, b: &Footprint) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.depends_on(*b)))
}

impl ThreadEvent {
    /// Returns true if a thread that waits in the event performs it only after it was woken: the order in
    /// which such threads go on can be told.
    pub(crate) fn is_performed_after_its_wait(&self) -> bool {
        match self.action {
            EventAction::Access(_) | EventAction::PathEnd => false,
            EventAction::System(..) => true,
            EventAction::Function(function, _) => {
                !matches!(function, SyncFunction::ConditionWait | SyncFunction::BarrierWait)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(address: u64, bytes: u32, effect: TouchEffect) -> Footprint {
        let place = EventPlace::Memory { address, bytes };
        SmallVec::from_iter([EventTouch { place, effect }])
    }

    #[test]
    fn events_depend_where_they_overlap_and_one_changes_something() {
        let read = touch(0x100, 4, TouchEffect::Reads);
        let write = touch(0x102, 4, TouchEffect::Writes);
        let behind = touch(0x104, 4, TouchEffect::Writes);
        let share = touch(0x100, 4, TouchEffect::Shares);
        assert!(!depend(&read, &read) && depend(&read, &write) && !depend(&read, &behind));
        assert!(!depend(&share, &share) && depend(&share, &read) && depend(&write, &behind));
        let place = EventPlace::Everything;
        let all: Footprint =
            SmallVec::from_iter([EventTouch { place, effect: TouchEffect::Writes }]);
        assert!(depend(&all, &read) && depend(&read, &all));
    }
}
