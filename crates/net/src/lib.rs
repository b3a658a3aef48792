//! Messages between simulated hosts, and the networks that carry them.
//!
//! * A [`Message`] is what one host sends to another: a datagram, a piece of a stream, a request for a
//!   connection, its answer, its end. Its payload is generic in the byte type, so that symbolic bytes
//!   travel as they are.
//! * A [`Topology`] holds networks, hosts and routes. A [`TopologyBuilder`] checks them, and fills in
//!   what was left out. It never changes afterwards, and is shared by all states.
//! * [`LinkTiming`] is the latency and the bandwidth of a network or a link; a [`WayTiming`] sums them up.
//! * [`Topology::route`] says whom a packet reaches, on which way, or what its sender is told.
//!
//! Not here: sockets (`everett-posix`); which states get a message (`everett-world`).
//!
//! ```
//! use everett_net::{HostId, HostSpec, PacketPath, TopologyBuilder};
//!
//! let mut builder = TopologyBuilder::new();
//! builder.node(HostSpec::new("server")).node(HostSpec::new("client"));
//! let topology = builder.build()?;
//! let server = topology.host(HostId(0)).address();
//! assert_eq!(server.to_string(), "10.0.0.1");
//! let PacketPath::Remote(journey) = topology.route(HostId(1), server, 64).unwrap() else { panic!() };
//! assert_eq!(journey.hosts[..], [HostId(0)]);
//! # Ok::<(), everett_net::TopologyError>(())
//! ```
#![forbid(unsafe_code)]

mod builder;
mod draw;
mod error;
mod hosts_file;
mod link_local;
mod message;
mod route;
mod subnet;
mod timing;
mod topology;
mod way;

pub use builder::{HostSpec, InterfaceSpec, RouteSpec, TopologyBuilder};
pub use error::{TopologyError, TopologyPlace, TopologyProblem};
pub use link_local::{hardware_address, is_link_local, needs_scope};
pub use message::{DEFAULT_TTL, Message, MessageKind, Protocol};
pub use route::{
    CastKind, NetworkLink, PacketJourney, PacketPath, RouteError, is_limited_broadcast,
    loopback_like,
};
pub use subnet::{Address, AddressError, AddressSpec, Subnet};
pub use timing::LinkTiming;
pub use topology::{Host, HostId, HostKind, Interface, Network, NetworkId, RouteEntry, Topology};
pub use way::WayTiming;
