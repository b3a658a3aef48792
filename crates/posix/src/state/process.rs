//! Processes and threads of a node.

pub(crate) mod limits;
pub(crate) mod mappings;
pub(crate) mod rare;
pub(crate) mod settings;
pub(crate) mod signals;
pub(crate) mod status;
pub(crate) mod timers;

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::{Apart, Copies, shares_nothing};
use everett_fs::InodeId;
use everett_interp::{ProgramId, ThreadContext};
use everett_memory::AddressSpace;
use syscalls::Sysno;

use crate::state::asked_locks::AskedLocks;
use crate::state::faults::FaultAnswers;
use crate::state::file::descriptor::DescriptorTable;
use crate::state::ids::{Pid, Tid, Time};
use crate::state::process::limits::ResourceLimits;
use crate::state::process::mappings::Mappings;
use crate::state::process::rare::{Rare, rare};
use crate::state::process::settings::ProcessSettings;
use crate::state::process::signals::{PendingSignals, SigSet, SignalActions};
use crate::state::process::status::WaitStatus;
use crate::state::process::timers::ProcessTimers;
use crate::state::recording::{ApiCallCounts, TrackedThread};
use crate::state::thread_event::EventState;
use crate::state::wait::{EndedWait, HeldLook, Wait};

/// User and group numbers of a process.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct ProcessIds {
    pub(crate) real_uid: u32,
    pub(crate) effective_uid: u32,
    pub(crate) saved_uid: u32,
    pub(crate) real_gid: u32,
    pub(crate) effective_gid: u32,
    pub(crate) saved_gid: u32,
    pub(crate) groups: Vec<u32>,
}

everett_base::portable!(struct ProcessIds {
    real_uid, effective_uid, saved_uid, real_gid, effective_gid, saved_gid, groups,
});

/// A process.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) parent: Pid,
    pub(crate) group: Pid,
    pub(crate) session: Pid,
    pub(crate) program: ProgramId,
    /// Its memory while none of its threads runs.
    pub(crate) memory: Option<AddressSpace>,
    pub(crate) threads: BTreeMap<Tid, Arc<Thread>>,
    pub(crate) descriptors: Arc<DescriptorTable>,
    pub(crate) cwd: InodeId,
    pub(crate) root: InodeId,
    pub(crate) umask: u32,
    pub(crate) ids: ProcessIds,
    pub(crate) limits: ResourceLimits,
    pub(crate) actions: Arc<SignalActions>,
    /// Signals sent to the process as a whole.
    pub(crate) pending: PendingSignals,
    pub(crate) mappings: Arc<Mappings>,
    /// The interval timer of real time (`alarm`, `setitimer`).
    pub(crate) alarm: Option<IntervalTimer>,
    /// Timers that it made itself.
    pub(crate) timers: ProcessTimers,
    pub(crate) settings: ProcessSettings,
    /// Wait status, once it has ended and nobody has asked for it.
    pub(crate) ended: Option<WaitStatus>,
    /// The signal that its parent gets at its end; 0 for none.
    pub(crate) exit_signal: u8,
    /// Absolute name of the program's file.
    pub(crate) executable: Arc<[u8]>,
    /// Arguments, for `/proc/self/cmdline`; `None` if bytes of them are symbolic.
    pub(crate) arguments: Option<Arc<[Vec<u8>]>>,
    /// Name, as `prctl` sets it.
    pub(crate) name: Vec<u8>,
    /// The change from outside since its parent last waited (stopped, continued).
    pub(crate) news: Option<WaitStatus>,
    /// True if `execve` has happened since `fork`, for `setpgid`.
    pub(crate) executed: bool,
    /// True if a stop signal holds it.
    pub(crate) stopped: bool,
    /// The number of calls of functions by its own code, for the recorder.
    pub(crate) api_calls: ApiCallCounts,
}

everett_base::portable!(struct Process {
    parent, group, session, program, memory, threads, descriptors, cwd, root, umask, ids, limits,
    actions, pending, mappings, alarm, timers, settings, ended, exit_signal, executable, arguments,
    name, news, executed, stopped, api_calls,
});

/// An armed interval timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntervalTimer {
    pub(crate) at: Time,
    /// Nanoseconds between further expirations; 0 for none.
    pub(crate) interval: Time,
}

everett_base::portable!(struct IntervalTimer { at, interval });

/// A thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    /// Its stack and registers while it does not run.
    pub(crate) context: Option<Arc<ThreadContext>>,
    /// The wait that it is in.
    pub(crate) blocked: Option<Wait>,
    /// The system call that it waits in.
    pub(crate) blocked_in: Option<Sysno>,
    /// The how-manieth wait of the node its wait is.
    pub(crate) blocked_at: u64,
    /// The end of its last wait, until its system call is done.
    pub(crate) resumed: Option<EndedWait>,
    /// Signals that it does not want now.
    pub(crate) mask: SigSet,
    /// The mask to return to once a signal was handled (`sigsuspend`, `ppoll`).
    pub(crate) saved_mask: Option<SigSet>,
    /// Signals sent to it alone.
    pub(crate) pending: PendingSignals,
    /// The address to write 0 to, and to wake a futex at, when it ends.
    pub(crate) clear_tid: u64,
    /// The list of robust mutexes that it holds.
    pub(crate) robust_list: u64,
    /// The alternative signal stack, as the program gave it: address, flags, size.
    pub(crate) alternative_stack: Option<(u64, u32, u64)>,
    /// Its event, and the last one.
    pub(crate) events: Rare<EventState>,
    /// The depths of the stack below handlers that it runs, where these may run at any place.
    pub(crate) handlers: Vec<u32>,
    /// Somebody woke the futex that it waited on.
    pub(crate) woken: bool,
    /// Name, as `prctl` sets it; the first thread's is its process's.
    pub(crate) name: Option<Vec<u8>>,
    /// Bytes that its call has transferred before it has to wait.
    pub(crate) done: u64,
    /// The faults that happen to its call, as far as that was asked, until the call is done.
    pub(crate) answers: FaultAnswers,
    /// It was decided what its call sees of the messages that have come, when that woke it. Of a stream, a
    /// read sees at least so many further pieces.
    pub(crate) observed: Option<u32>,
    /// Its call, which is about to be executed again, is to wait first.
    pub(crate) held_look: Option<HeldLook>,
    /// The bytes of a stream that its call would take, if it reads from one and orders are explored.
    pub(crate) asked_bytes: u64,
    /// Its call only asked whether something has happened.
    pub(crate) polled: bool,
    /// Such calls in a row, clock readings too, without doing anything else.
    pub(crate) idle_readings: u32,
    /// The locks that it has asked for, if the run looks for misuse of locks.
    pub(crate) asked_locks: AskedLocks,
    /// For the recorder.
    pub(crate) tracked: Rare<TrackedThread>,
}

everett_base::portable!(struct Thread {
    context, blocked, blocked_in, blocked_at, resumed, mask, saved_mask, pending, clear_tid,
    robust_list, alternative_stack, events, handlers, woken, name, done, answers, observed,
    held_look, asked_bytes, polled, idle_readings, asked_locks, tracked,
});

rare!(EventState, TrackedThread);

impl Apart for Process {
    fn apart(&mut self, copies: &mut Copies) {
        let Process {
            parent: _,
            group: _,
            session: _,
            program: _,
            memory,
            threads,
            descriptors,
            cwd: _,
            root: _,
            umask: _,
            ids: _,
            limits: _,
            actions,
            pending: _,
            mappings,
            alarm: _,
            timers: _,
            settings: _,
            ended: _,
            exit_signal: _,
            executable,
            arguments,
            name: _,
            news: _,
            executed: _,
            stopped: _,
            api_calls: _,
        } = self;
        memory.apart(copies);
        threads.apart(copies);
        descriptors.apart(copies);
        actions.apart(copies);
        mappings.apart(copies);
        executable.apart(copies);
        arguments.apart(copies);
    }
}

impl Apart for Thread {
    fn apart(&mut self, copies: &mut Copies) {
        let Thread {
            context,
            blocked: _,
            blocked_in: _,
            blocked_at: _,
            resumed: _,
            mask: _,
            saved_mask: _,
            pending: _,
            clear_tid: _,
            robust_list: _,
            alternative_stack: _,
            events: _,
            handlers: _,
            woken: _,
            name: _,
            done: _,
            answers: _,
            observed: _,
            held_look: _,
            asked_bytes: _,
            polled: _,
            idle_readings: _,
            asked_locks: _,
            tracked: _,
        } = self;
        context.apart(copies);
    }
}

shares_nothing!(DescriptorTable, SignalActions, Mappings);

impl Process {
    /// A thread of it.
    pub(crate) fn thread(&self, tid: Tid) -> Option<&Thread> {
        self.threads.get(&tid).map(|thread| &**thread)
    }

    /// A thread of it, to change it.
    pub(crate) fn thread_mut(&mut self, tid: Tid) -> Option<&mut Thread> {
        self.threads.get_mut(&tid).map(Arc::make_mut)
    }

    /// All of its threads, to change them.
    pub(crate) fn threads_mut(&mut self) -> impl Iterator<Item = &mut Thread> {
        self.threads.values_mut().map(Arc::make_mut)
    }

    /// Returns true if it has ended.
    pub(crate) fn is_zombie(&self) -> bool {
        self.ended.is_some()
    }
}
