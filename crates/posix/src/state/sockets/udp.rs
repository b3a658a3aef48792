//! The part of a socket that only UDP has: [`Udp`].
//!
//! Not here: the protocol (`net/udp.rs`).

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use syscalls::Errno;

use crate::state::data::ByteData;
use crate::state::ids::Time;
use crate::state::sockets::datagram::ReceivedDatagram;

/// The part of a socket that only UDP has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Udp {
    pub(crate) queue: Arc<VecDeque<ReceivedDatagram>>,
    /// The cost of the queue.
    pub(crate) queued: usize,
    /// An error that will be there at a time.
    pub(crate) fails: Option<(Time, Errno)>,
    /// The round in which it last sent to other hosts, and how much.
    pub(crate) sent: (u64, usize),
    /// A datagram that is not complete yet (`MSG_MORE`), and where it goes.
    pub(crate) corked: Option<(SocketAddr, ByteData)>,
    /// Groups that it joined, and on which of the host's addresses.
    pub(crate) groups: Vec<(IpAddr, IpAddr)>,
}

everett_base::portable!(struct Udp { queue, queued, fails, sent, corked, groups });

impl Udp {
    pub(crate) fn fails_at(&self) -> Option<Time> {
        self.fails.map(|(time, _)| time)
    }

    /// The error that has come to be told, if there is one.
    pub(crate) fn failure_due(&self, now: Time) -> Option<Errno> {
        self.fails.filter(|(time, _)| *time <= now).map(|(_, errno)| errno)
    }

    /// Bytes of the next datagram.
    pub(crate) fn next_len(&self) -> u64 {
        self.queue.front().map_or(0, |datagram| datagram.data.len() as u64)
    }
}
