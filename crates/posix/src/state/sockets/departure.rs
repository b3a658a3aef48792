//! [`Departure`]: a message that is leaving a node over a network with a bandwidth.

use everett_net::NetworkId;
use smallvec::SmallVec;

use crate::state::ids::Time;

/// The last departure over each network.
pub(crate) type Departures = SmallVec<[Departure; 1]>;

/// The last message that a node has sent over a network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Departure {
    pub(crate) network: NetworkId,
    /// The number of the message, which may go to several hosts at once.
    pub(crate) message: u64,
    /// The time at which all of it has left.
    pub(crate) done: Time,
}

everett_base::portable!(struct Departure { network, message, done });
