//! The waits of threads that do not run.

use std::sync::Arc;

use linux_raw_sys::general as linux;
use smallvec::SmallVec;

use crate::state::ids::{FileId, Pid, SocketId, Time};
use crate::state::sockets::inbox::WantedEvents;

/// Events of files that always count, whether they were asked for or not.
pub(crate) const ALWAYS_AWAITED: u32 = linux::POLLERR | linux::POLLHUP | linux::POLLNVAL;

/// The wait of a blocked thread. When its event comes, or when the deadline passes, the system call is
/// executed again and finds out by [`crate::kernel::call::Call::resumed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) event: WaitEvent,
    /// The time at which the thread goes on in any case.
    pub(crate) deadline: Option<Time>,
}

everett_base::portable!(struct Wait { event, deadline });

/// The event that ends a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WaitEvent {
    /// Nothing but the deadline or a signal.
    Never,
    /// The same, of a sleep; `left` is where to write what is left of it when a signal comes.
    Sleep { left: u64 },
    /// One of these files is ready for one of these events (`POLLIN`, `POLLOUT`, ...; errors and
    /// hang-ups always count).
    Files(SmallVec<[(FileId, u16); 2]>),
    /// Something comes that a look shows which is later than it could be; signals do not end this.
    Look(HeldLook),
    /// Somebody wakes this futex; `mask` is that of `FUTEX_WAIT_BITSET`.
    Futex { key: FutexKey, mask: u32 },
    /// A child has ended or executes another program (`vfork`); signals do not end this.
    Executed(Pid),
    /// Nothing but the deadline, after a call that is over: the thread only lets time pass.
    Pause,
    /// Another thread has changed something; the count is [`crate::Node`]'s `turns`.
    Turn(u64),
    /// The node is woken again, at whatever time; the count is [`crate::Node`]'s `rounds`.
    Round(u64),
    /// One of these signals is pending for the thread (`sigtimedwait`).
    Signal(u64),
    /// Events that programs handle themselves.
    Plain(Arc<WantedEvents>),
    /// Anything in the node changes from what it was at this count ([`crate::Node`]'s `changes`): for
    /// rare waits such as locks.
    Change(u64),
    /// The same, for a call that waits for more bytes of a stream than those by which its file is ready.
    More { file: FileId, since: u64 },
    /// The same, for a semaphore of System V.
    Semaphore(SemaphoreWait),
}

everett_base::portable!(enum WaitEvent {
    0 = Never, 1 = Sleep { left }, 2 = Files(value), 3 = Look(value), 4 = Futex { key, mask },
    5 = Executed(value), 6 = Pause, 7 = Turn(value), 8 = Round(value), 9 = Signal(value),
    10 = Plain(value), 11 = Change(value), 12 = More { file, since }, 13 = Semaphore(value),
});

/// The wait for a semaphore of System V to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SemaphoreWait {
    /// The number of its set, and its own in that.
    pub(crate) set: u32,
    pub(crate) semaphore: u16,
    /// The thread waits for zero, and not for a larger value.
    pub(crate) for_zero: bool,
    /// The count of the node's changes at which the wait began.
    pub(crate) since: u64,
}

everett_base::portable!(struct SemaphoreWait { set, semaphore, for_zero, since });

/// A look that does not wait, which is held until something comes that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeldLook {
    /// At files, for these events.
    Files(SmallVec<[(FileId, u16); 2]>),
    /// At the further pieces of a stream of which it shows some already.
    Stream(SocketId),
    /// At events that programs handle themselves.
    Events(Arc<WantedEvents>),
}

everett_base::portable!(enum HeldLook { 0 = Files(value), 1 = Stream(value), 2 = Events(value) });

/// A word of memory that threads wait on. Processes that share memory have it at one address, so
/// only private futexes need to know whose memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FutexKey {
    /// The process; `None` for a word in memory shared between processes.
    pub(crate) process: Option<Pid>,
    pub(crate) address: u64,
}

everett_base::portable!(struct FutexKey { process, address });

impl Wait {
    /// Waits for an event, however long it takes.
    pub(crate) fn until(event: WaitEvent) -> Wait {
        Wait { event, deadline: None }
    }

    /// The same, until a deadline at most.
    pub(crate) fn by(self, deadline: Option<Time>) -> Wait {
        Wait { deadline, ..self }
    }

    /// Waits until a file is ready for events, or will never be again.
    pub(crate) fn file(file: FileId, events: u32) -> Wait {
        let events = (events | ALWAYS_AWAITED) as u16;
        Wait::until(WaitEvent::Files(SmallVec::from_iter([(file, events)])))
    }
}

/// The end of a thread's wait; its system call is being executed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndedWait {
    /// The deadline that the first execution computed.
    pub(crate) deadline: Option<Time>,
    /// The deadline has passed.
    pub(crate) timed_out: bool,
}

everett_base::portable!(struct EndedWait { deadline, timed_out });
