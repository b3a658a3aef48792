//! The part of a socket that only those of `AF_UNIX` have ([`Unix`]), and their names and messages.
//!
//! Not here: what they do (`net/unix.rs`).

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use everett_base::{Apart, Copies};
use everett_fs::InodeId;
use linux_raw_sys::net as linux;

use crate::state::data::ByteData;
use crate::state::ids::{FileId, SocketId};
use crate::state::sockets::message::Packet;

/// The part of a socket that only those of `AF_UNIX` have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unix {
    /// The socket at the other end; it may be gone, and that of datagrams need not know this one.
    pub(crate) peer: Option<SocketId>,
    /// The maker of the socket at the other end, and its name then.
    pub(crate) peer_credentials: Option<PeerCredentials>,
    pub(crate) peer_name: Option<Arc<UnixName>>,
    pub(crate) name: Option<Arc<UnixName>>,
    /// Of one that listens: how many may wait to be accepted, and who called `listen`.
    pub(crate) listening: Option<(u32, PeerCredentials)>,
    pub(crate) waiting: Arc<VecDeque<SocketId>>,
    pub(crate) queue: Arc<VecDeque<UnixMessage>>,
    /// Bytes of the first message that were read.
    pub(crate) taken: usize,
    /// The cost of the queue, and its bytes.
    pub(crate) cost: usize,
    pub(crate) bytes: usize,
    /// Of one that listens: the ports at which other nodes reach it, and their requests for which there is no
    /// room yet.
    pub(crate) ports: Vec<u16>,
    pub(crate) held: Arc<VecDeque<Packet>>,
}

everett_base::portable!(struct Unix {
    peer, peer_credentials, peer_name, name, listening, waiting, queue, taken, cost, bytes, ports,
    held,
});

/// The names that both ends of a connection have for its program, to which it is one of UNIX sockets, while
/// it leads to another node. Each is a `struct sockaddr_un`.
#[derive(Clone, Debug)]
pub(crate) struct LocalNames {
    pub(crate) own: Vec<u8>,
    pub(crate) other: Vec<u8>,
}

everett_base::portable!(struct LocalNames { own, other });

/// The name that a socket is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnixName {
    /// A file, as the program named it. The inode is held.
    Path { inode: InodeId, path: Vec<u8> },
    /// A name that is none of a file.
    Abstract(Vec<u8>),
}

everett_base::portable!(enum UnixName { 0 = Path { inode, path }, 1 = Abstract(value) });

/// Sockets by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnixNames {
    pub(crate) files: Arc<BTreeMap<InodeId, SocketId>>,
    pub(crate) others: Arc<BTreeMap<Vec<u8>, SocketId>>,
    /// Names given to those who did not ask for one.
    pub(crate) given: u32,
}

everett_base::portable!(struct UnixNames { files, others, given });

impl Apart for UnixNames {
    fn apart(&mut self, copies: &mut Copies) {
        let UnixNames { files, others, given: _ } = self;
        files.apart(copies);
        others.apart(copies);
    }
}

/// A process as another one sees it through a socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PeerCredentials {
    pub(crate) pid: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

everett_base::portable!(struct PeerCredentials { pid, uid, gid });

impl PeerCredentials {
    /// `struct ucred`.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        [self.pid, self.uid, self.gid].map(u32::to_le_bytes).concat()
    }
}

/// Bytes that were sent at once.
#[derive(Clone, Debug)]
pub(crate) struct UnixMessage {
    pub(crate) data: ByteData,
    /// The name of the sender, if it has one.
    pub(crate) from: Option<Arc<UnixName>>,
    pub(crate) attached: AncillaryData,
}

everett_base::portable!(struct UnixMessage { data, from, attached });

/// Files and credentials that are sent along with bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct AncillaryData {
    /// Open files (`SCM_RIGHTS`).
    pub(crate) rights: Vec<FileId>,
    /// The process that sent it.
    pub(crate) credentials: Option<PeerCredentials>,
}

everett_base::portable!(struct AncillaryData { rights, credentials });

impl Unix {
    pub(crate) fn is_listening(&self) -> bool {
        self.listening.is_some()
    }

    /// Returns true if more wait to be accepted than may.
    pub(crate) fn is_full(&self) -> bool {
        self.listening.is_some_and(|(backlog, _)| self.waiting.len() > backlog as usize)
    }
}

impl UnixName {
    /// `struct sockaddr_un`.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            UnixName::Path { path, .. } => path_bytes(path),
            UnixName::Abstract(name) => [&unnamed_bytes()[..], &[0], name].concat(),
        }
    }
}

/// `struct sockaddr_un` of a socket without a name: the family alone.
pub(crate) fn unnamed_bytes() -> Vec<u8> {
    (linux::AF_UNIX as u16).to_le_bytes().to_vec()
}

/// `struct sockaddr_un` of a path.
pub(crate) fn path_bytes(path: &[u8]) -> Vec<u8> {
    [&unnamed_bytes()[..], path, &[0]].concat()
}
