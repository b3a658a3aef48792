//! The part of a socket that only TCP has: [`Tcp`].
//!
//! Not here: the protocol (`net/tcp.rs`).

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use syscalls::Errno;

use crate::state::ids::{SocketId, Time};
use crate::state::sockets::message::Packet;
use crate::state::sockets::queue::ByteQueue;
use crate::state::sockets::unix::LocalNames;

/// The part of a socket that only TCP has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tcp {
    pub(crate) phase: TcpPhase,
    /// The progress of `connect`, as the program was told.
    pub(crate) told: ConnectAnswer,
    /// Of one that listens: how many connections may wait, those that do, and requests beyond.
    pub(crate) backlog: u32,
    pub(crate) waiting: Arc<VecDeque<SocketId>>,
    pub(crate) held: Arc<VecDeque<Packet>>,
    /// Of one whose program decides about requests: who has asked, was admitted, and has gone before the
    /// connection could be accepted.
    pub(crate) departed: Arc<VecDeque<SocketAddr>>,
    /// Of a connection that cannot be accepted yet: who listens.
    pub(crate) listener: Option<SocketId>,
    /// Of one that connects: what it asked, and when it gives up with what.
    pub(crate) request: u64,
    pub(crate) fails: Option<(Time, Errno)>,
    /// Identifies the connection, together with its addresses.
    pub(crate) connection: u64,
    pub(crate) incoming: ByteQueue,
    /// Bytes sent that were not acknowledged.
    pub(crate) in_flight: usize,
    /// Bytes that the other side has room for.
    pub(crate) window: usize,
    /// Bytes that were read and not acknowledged, and how many may be on their way.
    pub(crate) unacknowledged: usize,
    pub(crate) expected: usize,
    /// The end of the stream was received, or sent.
    pub(crate) fin_in: bool,
    pub(crate) fin_out: bool,
    /// Of one that is a UNIX socket to its program: the names of both ends.
    pub(crate) local_names: Option<Arc<LocalNames>>,
    /// This side closed first.
    pub(crate) closed_first: bool,
    /// Some of the bytes that have come are not those that were sent.
    pub(crate) is_corrupted: bool,
}

everett_base::portable!(struct Tcp {
    phase, told, backlog, waiting, held, departed, listener, request, fails, connection, incoming,
    in_flight, window, unacknowledged, expected, fin_in, fin_out, local_names, closed_first,
    is_corrupted,
});

/// The phase that a TCP socket is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TcpPhase {
    /// Nothing yet.
    #[default]
    Idle,
    Listening,
    Connecting,
    /// It has answered a request, and waits for the acknowledgement. No program has such a socket.
    Opening,
    Established,
    /// The connection is over.
    Over,
}

everett_base::portable!(enum TcpPhase {
    0 = Idle, 1 = Listening, 2 = Connecting, 3 = Opening, 4 = Established, 5 = Over,
});

/// The state of Linux in which there is no connection (`TCP_CLOSE`).
const CLOSED: u8 = 7;

/// The last answer of `connect` to the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ConnectAnswer {
    #[default]
    Nothing,
    /// The connection is being made.
    Begun,
    /// It is there.
    Connected,
}

everett_base::portable!(enum ConnectAnswer { 0 = Nothing, 1 = Begun, 2 = Connected });

impl Tcp {
    pub(crate) fn is_listening(&self) -> bool {
        self.phase == TcpPhase::Listening
    }

    pub(crate) fn fails_at(&self) -> Option<Time> {
        (self.phase == TcpPhase::Connecting).then_some(self.fails?.0)
    }

    /// Bytes that can be read.
    pub(crate) fn readable(&self) -> usize {
        self.incoming.len()
    }

    /// Bytes that were sent and not acknowledged.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns true if the other side has ended its stream.
    pub(crate) fn has_ended(&self) -> bool {
        self.fin_in
    }

    /// Returns true if there is neither a connection nor anyone who listens for one.
    pub(crate) fn is_closed(&self) -> bool {
        self.state_number() == CLOSED
    }

    /// The number of the state that Linux has for this (`TCP_INFO`).
    pub(crate) fn state_number(&self) -> u8 {
        match (self.phase, self.fin_out, self.fin_in) {
            (TcpPhase::Listening, ..) => 10,
            (TcpPhase::Connecting, ..) => 2,
            (TcpPhase::Opening, ..) => 3,
            (TcpPhase::Established, false, false) => 1,
            (TcpPhase::Established, true, false) => 5,
            (TcpPhase::Established, false, true) => 8,
            (TcpPhase::Established, true, true) | (TcpPhase::Idle | TcpPhase::Over, ..) => CLOSED,
        }
    }
}
