//! Scripts: the calls by which the programs of a test touch the outside, in one order, for native replay.
//!
//! A [`Script`] is the total order of all calls by which the programs of one world touch the outside
//! ([`ScriptEvent`]), with their results. Natively a library in each process makes every such call wait for
//! its turn, and gives it the recorded result where the outside is involved. As a rule one thread of the
//! whole system runs between two events, the one whose event was last.
//!
//! The file is mapped by all processes. All numbers are little-endian; `layout.rs` has the offsets, and
//! `runtime-c/replay/script.h`, which is generated from it, is the same for C:
//!
//! ```text
//! header          what is where; words that change while the script is run
//! text            the first difference, once there is one
//! nodes           fixed size: name, addresses, first thread
//! threads         fixed size: node, process, numbers; then words that change
//! events          fixed size
//! data            what the others refer to, by offset from the beginning of the file and length
//! ```
//!
//! Not here: how a script is made (`everett-engine`, `everett`), and how it is run (`runtime-c/replay`).

pub mod api;
mod header;
mod layout;
mod reader;
mod text;
mod writer;

#[cfg(test)]
mod tests;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddrV4};

pub use api::{ApiKind, ScriptApi};
pub use header::c_header;
pub use layout::{
    EVENT_BYTES, HEADER_BYTES, MAGIC, NODE_BYTES, NONE, STATE_DIVERGED, STATE_DONE, STATE_RUNNING,
    TEXT_BYTES, THREAD_BYTES, VERSION, at,
};
pub use reader::ScriptError;

/// The calls by which the programs of one world reach the outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Nodes, in the order of the test.
    pub nodes: Vec<ScriptNode>,
    /// Threads of all nodes; an event names one by its place here.
    pub threads: Vec<ScriptThread>,
    /// The events, in order.
    pub events: Vec<ScriptEvent>,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptNode {
    /// Its name in the test.
    pub name: String,
    /// Its addresses of IPv4, the one that stands for it first.
    pub addresses: Vec<ScriptAddress>,
    /// Its first thread, which begins with the program.
    pub first_thread: u32,
}

/// An address of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptAddress {
    /// The address.
    pub real: Ipv4Addr,
    /// The one that it has when all nodes are on one network stack: 127.x.y.z.
    pub loopback: Ipv4Addr,
    /// An address of IPv6 of the same interface. Natively, a socket of IPv6 is one of IPv4.
    pub ipv6: Option<Ipv6Addr>,
}

impl ScriptAddress {
    pub(crate) const BYTES: usize = 24;
}

/// A thread. A node that starts again after a crash has new ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptThread {
    /// The node.
    pub node: u32,
    /// The first thread of its process, which may be itself.
    pub process: u32,
    /// Number of the process, as the program sees it.
    pub pid: u32,
    /// Number of the thread, as the program sees it.
    pub tid: u32,
    /// Number of the parent process, as the program sees it.
    pub parent_pid: u32,
    /// The thread that made it (`fork`, `pthread_create`); `None` for the first one of a node.
    pub maker: Option<u32>,
    /// The number of times that the node was started before.
    pub boot: u32,
}

/// The special properties of an event: a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventFlags(pub u16);

everett_base::portable!(struct EventFlags(value));

impl EventFlags {
    /// The call has to wait and gives up its turn; a later event, with [`EventFlags::RETURN`], has its
    /// result.
    pub const BLOCKS: EventFlags = EventFlags(1);
    /// The end of a call that had to wait; [`ScriptEvent::partner`] is where it began to.
    pub const RETURN: EventFlags = EventFlags(2);
    /// The call is not carried out: the program gets what is recorded.
    pub const FED: EventFlags = EventFlags(4);
    /// A fault of a call that is otherwise not in scripts: the one number [`ScriptEvent::ordinal`] of the
    /// process.
    pub const LOCAL: EventFlags = EventFlags(8);
    /// A datagram that was received before comes again.
    pub const DUPLICATE: EventFlags = EventFlags(16);
    /// The data that is received is not the data that was sent. Of a datagram, that is in
    /// [`ScriptEvent::data2`]; bytes of a stream are not compared.
    pub const DAMAGED: EventFlags = EventFlags(32);
    /// After the call the thread waits for its event [`ScriptApi::Pause`].
    pub const PAUSES: EventFlags = EventFlags(64);
    /// The data that is received stays to be received again (`MSG_PEEK`).
    pub const PEEK: EventFlags = EventFlags(128);
    /// The call is about datagrams.
    pub const DATAGRAM: EventFlags = EventFlags(256);
    /// The call is about descriptors of the node alone: pipes, UNIX sockets, event counters.
    pub const WITHIN: EventFlags = EventFlags(512);
    /// The call does not wait for its descriptor (`O_NONBLOCK`, `MSG_DONTWAIT`).
    pub const NONBLOCK: EventFlags = EventFlags(1024);
    /// The call makes no sense where it is made, and ends the program; [`ScriptEvent::data`] says why.
    pub const REFUSED: EventFlags = EventFlags(2048);
    /// The next event of the thread is another message that the same call receives.
    pub const MORE: EventFlags = EventFlags(4096);
    /// The signal comes when the thread makes its next call, not when it is through with its last one.
    pub const BEFORE: EventFlags = EventFlags(8192);

    /// All of them, with their names.
    pub const ALL: [(EventFlags, &'static str); 14] = [
        (EventFlags::BLOCKS, "BLOCKS"),
        (EventFlags::RETURN, "RETURN"),
        (EventFlags::FED, "FED"),
        (EventFlags::LOCAL, "LOCAL"),
        (EventFlags::DUPLICATE, "DUPLICATE"),
        (EventFlags::DAMAGED, "DAMAGED"),
        (EventFlags::PAUSES, "PAUSES"),
        (EventFlags::PEEK, "PEEK"),
        (EventFlags::DATAGRAM, "DATAGRAM"),
        (EventFlags::WITHIN, "WITHIN"),
        (EventFlags::NONBLOCK, "NONBLOCK"),
        (EventFlags::REFUSED, "REFUSED"),
        (EventFlags::MORE, "MORE"),
        (EventFlags::BEFORE, "BEFORE"),
    ];

    /// Returns `true` if all bits of another set are here.
    pub const fn has(self, other: EventFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: EventFlags) -> EventFlags {
        EventFlags(self.0 | other.0)
    }

    /// The set without the bits of another.
    #[must_use]
    pub const fn without(self, other: EventFlags) -> EventFlags {
        EventFlags(self.0 & !other.0)
    }
}

/// An event of a script: a call, or something that happens to a thread or a node.
///
/// The meaning of [`ScriptEvent::aux`] and of the data depends on the function; `docs/maintainers/script.md`
/// has the table. An address of the Internet in `aux` is [`address_word`]. Results are those of system
/// calls: -1 and `errno` for failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptEvent {
    /// The thread, by its place in [`Script::threads`].
    pub thread: u32,
    /// The function.
    pub api: ScriptApi,
    /// Its special properties.
    pub flags: EventFlags,
    /// The result that it returns.
    pub result: i64,
    /// The error number if it fails, otherwise 0.
    pub errno: i32,
    /// The descriptor that it is about, or -1.
    pub fd: i32,
    /// `CLOCK_REALTIME` of the node after the call, in nanoseconds.
    pub realtime_ns: i64,
    /// `CLOCK_MONOTONIC` of the node after the call, in nanoseconds.
    pub monotonic_ns: i64,
    /// Further numbers.
    pub aux: [u64; 4],
    /// Bytes.
    pub data: Vec<u8>,
    /// More bytes.
    pub data2: Vec<u8>,
    /// The place in the program: `file:line in function`, for messages.
    pub site: String,
    /// Of a fault or a preemption: which call, from 1.
    pub ordinal: u32,
    /// Another event that belongs to this one, such as the beginning of a call that had to wait.
    pub partner: Option<u32>,
    /// Parts of [`ScriptEvent::data`] that come from memory that the program has never written: offset and
    /// number of bytes of each. Natively these bytes have other values.
    pub unwritten: Vec<(u32, u32)>,
}

everett_base::portable!(struct ScriptEvent {
    thread, api, flags, result, errno, fd, realtime_ns, monotonic_ns, aux, data, data2, site,
    ordinal, partner, unwritten,
});

impl ScriptEvent {
    /// An event without anything special.
    pub fn new(thread: u32, api: ScriptApi) -> ScriptEvent {
        ScriptEvent {
            thread,
            api,
            flags: EventFlags::default(),
            result: 0,
            errno: 0,
            fd: -1,
            realtime_ns: 0,
            monotonic_ns: 0,
            aux: [0; 4],
            data: Vec::new(),
            data2: Vec::new(),
            site: String::new(),
            ordinal: 0,
            partner: None,
            unwritten: Vec::new(),
        }
    }
}

/// In the number of an address: the program sees it inside of an address of IPv6 (`::ffff:10.0.0.1`).
pub const WORD_IS_MAPPED: u64 = 1 << 48;
/// In the number of an address: the program sees the address of IPv6 of that host.
pub const WORD_IS_IPV6: u64 = 1 << 49;

/// An address and port in one number: the address, its first byte the highest, above the port.
pub fn address_word(address: SocketAddrV4) -> u64 {
    u64::from(address.ip().to_bits()) << 16 | u64::from(address.port())
}

/// The address of a number.
pub fn word_address(word: u64) -> SocketAddrV4 {
    SocketAddrV4::new(Ipv4Addr::from_bits((word >> 16) as u32), word as u16)
}
