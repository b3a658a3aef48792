//! The branching tree of what nodes under exploration and a real peer have said to each other.
//!
//! A node under exploration has many states at the same time, and its peer, a database or a service, is
//! real and has one. [`ConversationTree`] stands between the two. It holds all that was ever said to the
//! peer and heard from it. A state holds a [`Position`] in the tree, which is copied when the state is
//! cloned. What a state sends leads along the tree as long as it is the same, and then onto a branch of
//! its own. What it receives comes out of the tree, or, the first time, from the peer.
//!
//! The peer is reached by the trait [`Peer`]. A [`PeerSession`] is one conversation with it, from the
//! beginning. A branch that no session stands at is continued in a fresh session, to which the way from
//! the root is said again. The answers are compared. A peer that answers otherwise than before is not
//! deterministic, which is counted, kept as a [`Difference`], and never passed over.
//!
//! One tree belongs to one peer with all its connections, and a position is a place in one order of all
//! that happened on them: what the peer answers on one connection may depend on all others.
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use everett_live::*;
//!
//! // The peer answers each message with its size.
//! let peer = ScriptedPeer::new(|| Box::new(|action| match action {
//!     Some(PeerAction::Send(c, bytes)) => vec![PeerEvent::Bytes(c, bytes.len().to_string().into())],
//!     _ => Vec::new(),
//! }));
//! let tree = ConversationTree::new(Arc::new(peer), TreeOptions::default());
//! let limit = Duration::from_secs(1);
//! let start = tree.open(Position::ROOT, Endpoint(0))?;
//! let connection = start.newest_connection().unwrap();
//! let start = tree.receive(start, Source::Connection(connection), limit)?.position;
//! for (message, size) in [("hello", "5"), ("hi", "2"), ("hello", "5")] {
//!     let sent = tree.send(start, connection, message.as_bytes())?;
//!     let heard = tree.receive(sent, Source::Connection(connection), limit)?;
//!     assert_eq!(heard.event.bytes(), size.as_bytes());
//! }
//! assert_eq!(tree.statistics().sessions_started, 2);
//! # Ok::<(), LiveError>(())
//! ```
//!
//! [`SocketPeer`] is a peer that is there already, and [`CommandPeer`] one that is started as a command,
//! anew for each session. [`ScriptedPeer`] is a function, for tests.
//!
//! # Memory
//!
//! The way from the root has to be known to the last byte as long as any state may go back. The tree keeps
//! it in a nameless file, if it is given a folder ([`TreeOptions::spill_folder`]), and in memory
//! otherwise. While there is only one way, one session goes along with it, and nothing is repeated.
//!
//! # Time
//!
//! Peers are real, so they answer in real time, and waiting has limits in real time. An answer that comes
//! after the limit is heard later, as one that a network has held up. A peer that acts by its own clock,
//! such as one that closes idle connections, sees the pauses that exploration makes.
#![forbid(unsafe_code)]

mod clock;
mod command;
mod error;
mod event;
mod ids;
mod log;
mod peer;
mod record;
mod scripted;
mod sockets;
mod strands;
mod tree;

pub use self::command::{CommandEndpoint, CommandPeer, PortChoice, Readiness};
pub use self::error::{LiveError, LoadError};
pub use self::event::{Closing, PeerAction, PeerEvent, Source};
pub use self::ids::{ConnectionId, Endpoint, Position};
pub use self::peer::{Peer, PeerError, PeerSession};
pub use self::scripted::{Script, ScriptedPeer};
pub use self::sockets::{PeerMemory, Reach, SocketEndpoint, SocketPeer};
pub use self::tree::{ConversationTree, Difference, Heard, TreeOptions, TreeStatistics};
