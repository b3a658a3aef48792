//! A datagram that has arrived: [`ReceivedDatagram`].

use std::net::SocketAddr;

use crate::state::data::ByteData;
use crate::state::ids::Time;

/// A datagram that has arrived.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedDatagram {
    pub(crate) source: SocketAddr,
    pub(crate) destination: SocketAddr,
    pub(crate) ttl: u8,
    /// The time at which it arrived.
    pub(crate) time: Time,
    pub(crate) data: ByteData,
    /// Its number, of those of its sender.
    pub(crate) id: u64,
}

everett_base::portable!(struct ReceivedDatagram { source, destination, ttl, time, data, id });

/// Numbers of datagrams that do not leave their node begin here.
pub const WITHIN_NODE: u64 = 1 << 63;
