//! The data of the recorder: notes of a node, and its knowledge of the calls in progress.

use std::collections::BTreeMap;

use everett_base::plist::List;
use everett_interp::ProgramId;
use everett_ir::Pc;
use everett_replay::script::{ApiKind, EventFlags, ScriptApi, ScriptEvent};
use syscalls::Sysno;

use crate::state::sockets::datagram::ReceivedDatagram;

/// An event of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// Grows with each note of all nodes.
    pub order: u64,
    /// The number of earlier starts of the node.
    pub boot: u32,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The parent of the process.
    pub parent: u32,
    /// The how-manieth call of the thread into the C library it belongs to.
    pub call: u64,
    /// The event. Threads are named by their numbers in the node.
    pub event: ScriptEvent,
    /// Of a call that sends datagrams: their numbers.
    pub sent: Vec<u64>,
    /// Of a call that receives a datagram.
    pub got: Option<RecordedDatagram>,
}

everett_base::portable!(struct RecordedEvent {
    order, boot, pid, tid, parent, call, event, sent, got,
});

/// The recording of what the programs of a node did with the outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeRecording {
    /// The events, in order.
    pub notes: Vec<RecordedEvent>,
    /// The beginnings of the first program, one for each start.
    pub launches: Vec<ProgramLaunch>,
    /// The reasons why it cannot be reproduced natively, if it cannot.
    pub troubles: Vec<String>,
}

everett_base::portable!(struct NodeRecording { notes, launches, troubles });

/// A datagram that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedDatagram {
    /// Its number, of those of its sender.
    pub id: u64,
    /// All bytes that have arrived.
    pub arrived: Vec<u8>,
}

everett_base::portable!(struct RecordedDatagram { id, arrived });

/// The recorder of a node, with its notes so far.
#[derive(Clone)]
pub(crate) struct NodeRecorder {
    /// Newest first.
    pub(crate) notes: List<RecordedEvent>,
    /// The reasons why it cannot be reproduced natively, newest first.
    pub(crate) troubles: List<String>,
    /// The number of restarts of the node.
    pub(crate) boot: u32,
    /// The beginnings of its program, the newest first.
    pub(crate) launches: List<ProgramLaunch>,
    /// Its program, once that has begun.
    pub(crate) program: Option<ProgramId>,
}

everett_base::portable!(struct NodeRecorder { notes, troubles, boot, launches, program });

/// The recorder's knowledge of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackedThread {
    /// It has run.
    pub(crate) started: bool,
    /// It has to be noted when it goes on.
    pub(crate) paused: bool,
    /// The system call that it is about to make, if others could run or a signal come before it.
    pub(crate) next_call: Option<(Sysno, [u64; 6])>,
    /// The call before which a signal comes.
    pub(crate) signalled: Option<SignalledCall>,
    /// It waits in a loop of this function.
    pub(crate) spins: Option<ScriptApi>,
    /// Calls of the program's own code into the C library so far.
    pub(crate) calls: u64,
    /// The function that was called last.
    pub(crate) last: Option<ScriptApi>,
    /// Calls of functions that synchronise so far.
    pub(crate) syncs: u32,
    /// System calls on files within the last call, by what they do.
    pub(crate) within: BTreeMap<u32, u32>,
    pub(crate) pending: Option<Box<PendingCall>>,
    pub(crate) accesses: TrackedAccesses,
}

everett_base::portable!(struct TrackedThread {
    started, paused, next_call, signalled, spins, calls, last, syncs, within, pending, accesses,
});

/// The accesses by which a thread may communicate, since its last note.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackedAccesses {
    /// The times that it has come to each op.
    pub(crate) arrivals: BTreeMap<Pc, u32>,
    /// The times that it has performed each op.
    pub(crate) performed: BTreeMap<Pc, u32>,
    /// The last thing that it has done.
    pub(crate) last: Option<LastStep>,
    /// The accesses that it has come to and not performed, with the number of frames there; several if
    /// handlers of signals run before one. They outlast notes.
    pub(crate) current: Vec<(Pc, u32)>,
}

everett_base::portable!(struct TrackedAccesses { arrivals, performed, last, current });

/// Something that a thread has done and that others may notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastStep {
    /// It has performed an op.
    Access(Pc),
    /// It has called a function that synchronises: the last one that it has called.
    Function(ScriptApi),
}

everett_base::portable!(enum LastStep { 0 = Access(value), 1 = Function(value) });

impl TrackedAccesses {
    /// Counts anew.
    pub(crate) fn count_anew(&mut self) {
        self.arrivals.clear();
        self.performed.clear();
        self.last = None;
    }

    /// The same after a note. A function that synchronises is not over with the end of its wait.
    pub(crate) fn forget(&mut self, note: &ScriptEvent) {
        self.count_anew();
        let is_within = note.flags.has(EventFlags::RETURN) && note.api.kind() == ApiKind::Sync;
        self.last = is_within.then_some(LastStep::Function(note.api));
    }
}

/// A call before which a signal comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignalledCall {
    /// It has an event of its own.
    Noted,
    /// It is in no script: the call of a function with a number among those of its process.
    Counted(ScriptApi, u32),
}

everett_base::portable!(enum SignalledCall { 0 = Noted, 1 = Counted(a, b) });

/// Calls of each function of the table by the program's own code, by process.
pub(crate) type ApiCallCounts = BTreeMap<ScriptApi, u32>;

/// A system call that has begun.
#[derive(Clone, Debug)]
pub(crate) struct PendingCall {
    pub(crate) sysno: Sysno,
    pub(crate) args: [u64; 6],
    pub(crate) verdict: ScriptVerdict,
    pub(crate) subject: ScriptSubject,
    pub(crate) call: u64,
    pub(crate) site: String,
    /// Its wait was noted.
    pub(crate) waits: bool,
    /// Faults, events sent, and datagrams sent within the node when it began.
    pub(crate) faults: u32,
    pub(crate) sent: u64,
    pub(crate) datagrams: u64,
    /// Datagrams that it has received.
    pub(crate) received: Vec<ReceivedDatagram>,
    /// Descriptors that it says are ready, in which way, and the data that the program has given for each.
    pub(crate) ready: Vec<(u32, u32, u64)>,
    /// The places to which it has written times of a file that are not the file's own.
    pub(crate) times: Option<[u64; 3]>,
}

everett_base::portable!(struct PendingCall {
    sysno, args, verdict, subject, call, site, waits, faults, sent, datagrams, received, ready,
    times,
});

impl TrackedThread {
    /// Of a thread that has begun, in a program that begins.
    pub(crate) fn begun() -> TrackedThread {
        TrackedThread { started: true, ..TrackedThread::default() }
    }
}

/// The part that a system call has in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScriptVerdict {
    /// It is an event.
    Event(ScriptApi),
    /// It is one although a function of stdio makes it: as `api`, and `function` is the one.
    Through { api: ScriptApi, function: ScriptApi },
    /// It is one if it waits.
    Sync(ScriptApi),
    /// It is one if it waits, if a fault happens to it, or if it meets a limit.
    Local(ScriptApi),
    /// It never is one.
    Nothing,
}

everett_base::portable!(enum ScriptVerdict {
    0 = Event(value), 1 = Through { api, function }, 2 = Sync(value), 3 = Local(value), 4 = Nothing,
});

/// The subject of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScriptSubject {
    /// A descriptor of something that is not a file.
    pub(crate) outside: bool,
    /// It follows time, signals or chance: what is read from it is not really there.
    pub(crate) simulated: bool,
    pub(crate) flags: EventFlags,
}

everett_base::portable!(struct ScriptSubject { outside, simulated, flags });

/// A start of a node's program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramLaunch {
    /// Arguments, the program's name first.
    pub argv: Vec<Vec<u8>>,
    /// Environment, as `NAME=value`.
    pub env: Vec<Vec<u8>>,
    /// The working directory.
    pub cwd: Vec<u8>,
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// The bytes of standard input.
    pub stdin: Vec<u8>,
    /// All files, but for those in `/proc` and `/dev`; directories come before what is in them.
    pub files: Vec<TreeFile>,
}

everett_base::portable!(struct ProgramLaunch { argv, env, cwd, uid, gid, stdin, files });

/// A file of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// The absolute path.
    pub path: Vec<u8>,
    /// Its mode: kind and permission bits.
    pub mode: u32,
    /// The owner.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// The content of a file, or the target of a link.
    pub bytes: Vec<u8>,
}

everett_base::portable!(struct TreeFile { path, mode, uid, gid, bytes });
