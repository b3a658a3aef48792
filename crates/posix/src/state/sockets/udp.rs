//! The part of a socket that only UDP and ICMP have: [`Udp`].
//!
//! Not here: the protocols (`net/udp.rs`, `net/icmp.rs`).

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use syscalls::Errno;

use crate::state::data::ByteData;
use crate::state::ids::Time;
use crate::state::sockets::datagram::ReceivedDatagram;

/// The part of a socket that only UDP and ICMP have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Udp {
    /// What has come, by its time; some of it may only be there at a later one.
    pub(crate) queue: Arc<VecDeque<ReceivedDatagram>>,
    /// The cost of the queue.
    pub(crate) queued: usize,
    /// Datagrams that found no room in the queue.
    pub(crate) drops: u64,
    /// An error that will be there at a time.
    pub(crate) fails: Option<(Time, Errno)>,
    /// The round in which it last sent to other hosts, and how much.
    pub(crate) sent: (u64, usize),
    /// A datagram that is not complete yet (`MSG_MORE`), and where it goes.
    pub(crate) corked: Option<(SocketAddr, ByteData)>,
    /// Groups that it joined, and on which of the host's addresses.
    pub(crate) groups: Vec<(IpAddr, IpAddr)>,
}

everett_base::portable!(struct Udp { queue, queued, drops, fails, sent, corked, groups });

impl Udp {
    /// The next time at which something happens by itself: an error, or a datagram.
    pub(crate) fn next_event(&self, now: Time) -> Option<Time> {
        let fails = self.fails.map(|(time, _)| time);
        let comes = self.later(now).last().map(|datagram| datagram.time);
        fails.into_iter().chain(comes).filter(|time| *time > now).min()
    }

    /// The error that has come to be told, if there is one.
    pub(crate) fn failure_due(&self, now: Time) -> Option<Errno> {
        self.fails.filter(|(time, _)| *time <= now).map(|(_, errno)| errno)
    }

    /// The next datagram, if it is there.
    pub(crate) fn next(&self, now: Time) -> Option<&ReceivedDatagram> {
        self.queue.front().filter(|datagram| datagram.time <= now)
    }

    /// Datagrams that will be there later.
    pub(crate) fn later(&self, now: Time) -> impl Iterator<Item = &ReceivedDatagram> {
        self.queue.iter().rev().take_while(move |datagram| datagram.time > now)
    }

    /// Bytes of the next datagram.
    pub(crate) fn next_len(&self, now: Time) -> u64 {
        self.next(now).map_or(0, |datagram| datagram.data.len() as u64)
    }
}
