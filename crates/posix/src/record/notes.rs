//! What the recorder keeps: notes of a node, and what it knows of the calls in progress.

use std::collections::BTreeMap;

use everett_base::plist::List;
use everett_replay::script::{Api, Event, Flags};
use syscalls::Sysno;

use crate::net::datagram::Datagram;

/// An event of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Grows with each note of all nodes.
    pub order: u64,
    /// How often the node was started before.
    pub boot: u32,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The parent of the process.
    pub parent: u32,
    /// The how-manieth call of the thread into the C library it belongs to.
    pub call: u64,
    /// What happened. Threads are named by their numbers in the node.
    pub event: Event,
    /// Of a call that sends datagrams: their numbers.
    pub sent: Vec<u64>,
    /// Of a call that receives a datagram.
    pub got: Option<Got>,
}

/// What the programs of a node did with the outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// What happened, in order.
    pub notes: Vec<Noted>,
    /// What the first program began with, each time.
    pub launches: Vec<Launch>,
    /// Why what happened cannot be reproduced natively, if it cannot.
    pub troubles: Vec<String>,
}

/// A datagram that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Got {
    /// Its number, of those of its sender.
    pub id: u64,
    /// What has arrived, all of it.
    pub arrived: Vec<u8>,
}

/// What a node that is recorded has noted.
#[derive(Clone)]
pub(crate) struct Record {
    /// Newest first.
    pub(crate) notes: List<Noted>,
    /// Why what happened cannot be reproduced natively, newest first.
    pub(crate) troubles: List<String>,
    /// How often the node was started again.
    pub(crate) boot: u32,
    /// What its program began with, the newest start first.
    pub(crate) launches: List<Launch>,
}

/// What is known about a thread for the recorder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracked {
    /// It has run.
    pub(crate) started: bool,
    /// It has to be noted when it goes on.
    pub(crate) paused: bool,
    /// It waits in a loop of this function.
    pub(crate) spins: Option<Api>,
    /// Calls of the program's own code into the C library so far.
    pub(crate) calls: u64,
    /// The function that was called last.
    pub(crate) last: Option<Api>,
    /// Calls of functions that synchronise so far.
    pub(crate) syncs: u32,
    /// Atomic operations within the last of them.
    pub(crate) points: u32,
    /// System calls on files within the last call, by what they do.
    pub(crate) within: BTreeMap<u32, u32>,
    pub(crate) pending: Option<Box<Pending>>,
}

/// Calls of each function of the table by the program's own code, by process.
pub(crate) type Counts = BTreeMap<Api, u32>;

/// A system call that has begun.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) sysno: Sysno,
    pub(crate) args: [u64; 6],
    pub(crate) verdict: Verdict,
    pub(crate) subject: Subject,
    pub(crate) call: u64,
    pub(crate) site: String,
    /// Its wait was noted.
    pub(crate) waits: bool,
    /// Faults, events sent, and datagrams sent within the node when it began.
    pub(crate) faults: u32,
    pub(crate) sent: u64,
    pub(crate) datagrams: u64,
    /// Datagrams that it has received.
    pub(crate) received: Vec<Datagram>,
    /// Descriptors that it says are ready, in which way, and the data that the program has given for each.
    pub(crate) ready: Vec<(u32, u32, u64)>,
    /// Where it has put times of a file that are not those of the file.
    pub(crate) times: Option<[u64; 3]>,
}

impl Tracked {
    /// Of a thread that has begun, in a program that begins.
    pub(crate) fn begun() -> Tracked {
        Tracked { started: true, ..Tracked::default() }
    }
}

/// What is done about a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is an event.
    Event(Api),
    /// It is one although a function of stdio makes it: as `api`, and `function` is the one.
    Through { api: Api, function: Api },
    /// It is one if it waits.
    Sync(Api),
    /// It is one if it waits, if a fault happens to it, or if it meets a limit.
    Local(Api),
    /// It never is one.
    Nothing,
}

/// What a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    /// A descriptor of something that is not a file.
    pub(crate) outside: bool,
    /// It follows time, signals or chance: what is read from it is not really there.
    pub(crate) simulated: bool,
    pub(crate) flags: Flags,
}

/// A start of a node's program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
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
    /// What standard input gives.
    pub stdin: Vec<u8>,
    /// All files, but for those in `/proc` and `/dev`; directories come before what is in them.
    pub files: Vec<TreeFile>,
}

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
