//! The options of a node at its start: plain data.
//!
//! [`KernelConfig`] has them all. Those about faults are a tree of their own ([`FaultConfig`]), with the
//! table of the kinds of faults ([`FaultKind`]).

mod fault_kind;
mod faults;
mod network_faults;

use std::sync::Arc;

use everett_fs::Credentials;
use everett_net::{HostId, Topology};

pub(crate) use self::fault_kind::FAULT_KIND_COUNT;
pub use self::fault_kind::{FaultBudgets, FaultKind};
pub use self::faults::{FaultConfig, FaultTimes};
pub use self::network_faults::{LinkBudget, NetworkCut, NetworkFaults, PartitionSide};

/// Whose process the first one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeIdentity {
    /// User and group.
    pub uid: u32,
    /// Group.
    pub gid: u32,
}

everett_base::portable!(struct NodeIdentity { uid, gid });

impl Default for NodeIdentity {
    fn default() -> NodeIdentity {
        NodeIdentity { uid: 1000, gid: 1000 }
    }
}

impl NodeIdentity {
    /// As the file system wants it.
    pub fn credentials(&self) -> Credentials {
        Credentials::new(self.uid, self.gid)
    }
}

/// A UNIX socket of a node whose connections lead to a TCP port of another node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketForward {
    /// The path of the socket.
    pub path: Vec<u8>,
    /// The name of the other node.
    pub node: String,
    /// The port.
    pub port: u16,
}

everett_base::portable!(struct SocketForward { path, node, port });

/// A UNIX socket of a node to which connections of other nodes to a TCP port lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExposedSocket {
    /// The path of the socket.
    pub path: Vec<u8>,
    /// The port.
    pub port: u16,
}

everett_base::portable!(struct ExposedSocket { path, port });

/// Options of the simulated kernel.
#[derive(Clone, Debug)]
pub struct KernelConfig {
    /// The node's name.
    pub hostname: String,
    /// User and group of the first process.
    pub identity: NodeIdentity,
    /// Working directory of the first process; made if it is not there.
    pub cwd: Vec<u8>,
    /// Seconds since 1970 at the node's start.
    pub epoch_s: u64,
    /// Seed of random numbers.
    pub seed: u64,
    /// Random numbers are symbolic inputs.
    pub symbolic_random: bool,
    /// Numbers that the C library's generators draw are symbolic inputs.
    pub symbolic_draws: bool,
    /// Times that clocks tell are symbolic inputs.
    pub symbolic_clocks: bool,
    /// Preemptions along a path that are explored; `u32::MAX` for any number, in every order.
    pub preemptions: u32,
    /// Races between threads are looked for although no preemptions are explored.
    pub looks_for_races: bool,
    /// Misuse of locks is a bug: releasing what is not held, destroying or keeping what is.
    pub checks_locks: bool,
    /// With any number of preemptions: orders that no thread can tell apart are explored once.
    pub reduces_orders: bool,
    /// With that, other threads are tried only where an event could come before one of theirs.
    pub keeps_choices: bool,
    /// Instructions after which a thread that does not block lets others run.
    pub slice: u64,
    /// Threads that a node may have.
    pub max_threads: u32,
    /// Concrete names that one symbolic path name is compared with.
    pub max_path_matches: usize,
    /// Size of the file that a symbolic path name may turn out to be.
    pub symbolic_file_bytes: u32,
    /// Bytes that a socket holds in each direction.
    pub socket_buffer: u32,
    /// UNIX sockets whose connections lead to other nodes.
    pub forwards: Vec<SocketForward>,
    /// UNIX sockets to which connections of other nodes lead.
    pub exposed: Vec<ExposedSocket>,
    /// The networks that the node is on; without them it reaches only itself.
    pub topology: Option<Arc<Topology>>,
    /// The number of the host that it is in the networks.
    pub host: HostId,
    /// The virtual time at which its first process begins, in nanoseconds.
    pub start_after_ns: u64,
    /// Faults that may happen.
    pub faults: FaultConfig,
}

everett_base::portable!(struct KernelConfig {
    hostname, identity, cwd, epoch_s, seed, symbolic_random, symbolic_draws, symbolic_clocks,
    preemptions, looks_for_races, checks_locks, reduces_orders, keeps_choices, slice, max_threads,
    max_path_matches, symbolic_file_bytes, socket_buffer, forwards, exposed, topology, host,
    start_after_ns, faults,
});

/// The attention that is paid to the threads of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ThreadMode {
    /// Each runs until it blocks.
    Unwatched,
    /// Each runs until it blocks, and races between them are looked for.
    Watched,
    /// Each is held at its next event, and races are looked for.
    Held,
}

everett_base::portable!(enum ThreadMode { 0 = Unwatched, 1 = Watched, 2 = Held });

impl KernelConfig {
    /// Returns true if accesses to memory are looked at: for races between threads, or for conflicts with
    /// handlers of signals.
    pub fn watches_accesses(&self) -> bool {
        self.thread_mode() != ThreadMode::Unwatched
            || self.faults.budgets.get(FaultKind::Signal) > 0
    }

    pub(crate) fn thread_mode(&self) -> ThreadMode {
        match (self.preemptions, self.looks_for_races) {
            (0, false) => ThreadMode::Unwatched,
            (0, true) => ThreadMode::Watched,
            _ => ThreadMode::Held,
        }
    }
}

impl Default for KernelConfig {
    fn default() -> KernelConfig {
        KernelConfig {
            hostname: "node0".to_owned(),
            identity: NodeIdentity::default(),
            cwd: b"/home/user".to_vec(),
            // 2020-01-01 00:00:00 UTC.
            epoch_s: 1_577_836_800,
            seed: 1,
            symbolic_random: false,
            symbolic_draws: false,
            symbolic_clocks: false,
            preemptions: 0,
            looks_for_races: false,
            checks_locks: false,
            reduces_orders: true,
            keeps_choices: true,
            slice: 1_000_000,
            max_threads: 1024,
            max_path_matches: 8,
            symbolic_file_bytes: 8,
            socket_buffer: 212_992,
            forwards: Vec::new(),
            exposed: Vec::new(),
            topology: None,
            host: HostId(0),
            start_after_ns: 0,
            faults: FaultConfig::default(),
        }
    }
}
