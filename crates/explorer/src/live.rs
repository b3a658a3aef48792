//! The peers of live nodes: from the scenario to the trees of what is said to them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_engine::{FaultBudgets, FaultKind, LivePeer};
use everett_live::{
    CommandEndpoint, CommandPeer, ConversationTree, Peer, PeerMemory, PortChoice, Reach, Readiness,
    SocketEndpoint, SocketPeer, TreeOptions,
};
use everett_scenario::{
    PeerAddress, PeerClock, PeerEndpoint, PeerReach, PeerReadiness, ScenarioNode, ScenarioPeer,
};
use everett_settings::LiveOptions;

use crate::error::{ExplorerError, Result};

/// The arguments of the gateway of a live node among all nodes: its endpoints.
pub(crate) fn gateway_arguments(peer: &ScenarioPeer, nodes: &[ScenarioNode]) -> Vec<String> {
    let port_of = |name: &str, path: &str| {
        let node = nodes.iter().find(|node| node.name == name);
        node.and_then(|node| node.exposed_port(path)).unwrap_or(0)
    };
    let argument = |endpoint: &PeerEndpoint| match endpoint {
        PeerEndpoint::Tcp(port) => format!("tcp:{port}"),
        PeerEndpoint::Udp(port) => format!("udp:{port}"),
        PeerEndpoint::Connects { node, port } => format!("connect:{node}:{port}"),
        PeerEndpoint::ConnectsToSocket { node, path } => {
            format!("connect:{node}:{}", port_of(node, path))
        }
    };
    peer.endpoints.iter().map(argument).collect()
}

/// Leaves out faults of the machine, which the peer does not run on. What it sends may be lost all the same.
pub(crate) fn only_network_faults(budgets: &mut FaultBudgets) {
    use FaultKind::{
        Connect, Corrupt, Delay, Duplicate, Latency, LinkDown, Loss, Order, Partition, Reorder,
        Reset, Truncate,
    };
    let kept = [
        Connect, Corrupt, Delay, Duplicate, Latency, LinkDown, Loss, Order, Partition, Reorder,
        Reset, Truncate,
    ];
    for kind in FaultKind::ALL.iter().filter(|kind| !kept.contains(kind)) {
        budgets.set(*kind, 0);
    }
}

/// The file with what the peer of a node has said, below an output folder.
pub fn tree_file(folder: &Path, node: &str) -> PathBuf {
    folder.join("live").join(format!("{node}.tree"))
}

/// Peers that the embedder brings, by the names of their nodes.
#[derive(Clone, Default)]
pub(crate) struct EmbedderPeers(pub(crate) BTreeMap<String, Arc<dyn Peer>>);

impl fmt::Debug for EmbedderPeers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The peer of a node, which is not started before somebody talks to it. A library is loaded into a command.
pub(crate) fn live_peer(
    node: &ScenarioNode,
    peer: &ScenarioPeer,
    options: &LiveOptions,
    (embedder, library): (&EmbedderPeers, Option<&Path>),
) -> Result<LivePeer> {
    let tree_options = TreeOptions {
        strict: options.live_strict,
        sessions_max: options.live_connections as usize,
        spill_folder: Some(std::env::temp_dir()),
        ..TreeOptions::default()
    };
    let tree = match &options.live_from {
        Some(folder) => {
            let file = tree_file(folder, &node.hostname);
            let bytes = std::fs::read(&file)
                .map_err(|source| ExplorerError::ReadTree { file: file.clone(), source })?;
            ConversationTree::load(&bytes, None, tree_options)
                .map_err(|source| ExplorerError::Tree { file, source })?
        }
        None => {
            let peer = match embedder.0.get(&node.name) {
                Some(peer) => peer.clone(),
                None => real_peer(peer, options, library)?,
            };
            ConversationTree::new(peer, tree_options)
        }
    };
    Ok(LivePeer {
        tree: Arc::new(tree),
        answer_limit: options.live_timeout,
        values_max: options.live_values,
    })
}

/// The peer that is there already.
fn peer_at(
    address: &PeerAddress,
    peer: &ScenarioPeer,
    options: &LiveOptions,
) -> Result<Arc<dyn Peer>> {
    let memory = if peer.forgets { PeerMemory::Forgets } else { PeerMemory::Keeps };
    let reach = if options.live_remote { Reach::Remote } else { Reach::Loopback };
    let endpoint = match (address, peer.endpoints.first()) {
        (PeerAddress::Unix(path), _) => SocketEndpoint::Unix(path.clone()),
        (PeerAddress::Internet(address), Some(PeerEndpoint::Udp(_))) => {
            SocketEndpoint::Udp(*address)
        }
        (PeerAddress::Internet(address), _) => SocketEndpoint::Tcp(*address),
    };
    let peer = SocketPeer::new(vec![endpoint], memory, reach);
    Ok(Arc::new(peer.map_err(ExplorerError::Peer)?))
}

fn real_peer(
    peer: &ScenarioPeer,
    options: &LiveOptions,
    library: Option<&Path>,
) -> Result<Arc<dyn Peer>> {
    let words = match &peer.reach {
        PeerReach::Command(words) => words,
        PeerReach::Embedder => return Err(ExplorerError::NoPeer),
        PeerReach::Address(address) => return peer_at(address, peer, options),
    };
    let mut words = words.clone();
    let mut endpoints = Vec::with_capacity(peer.endpoints.len());
    for (index, endpoint) in peer.endpoints.iter().enumerate() {
        let named = endpoint.placeholder();
        let is_named = words.iter().any(|word| word.contains(&named));
        let own_socket = || format!("socket{index}").into();
        let socket = peer.socket.clone();
        let choice = |port: u16, free| if is_named { free } else { PortChoice::Fixed(port) };
        let (endpoint, filled) = match (endpoint, socket) {
            (PeerEndpoint::ConnectsToSocket { .. }, socket) => {
                let path: PathBuf = socket.unwrap_or_else(own_socket);
                let filled = format!("{{folder}}/{}", path.display());
                (CommandEndpoint::UnixIncoming(path), filled)
            }
            (PeerEndpoint::Connects { .. }, Some(path)) => {
                (CommandEndpoint::UnixIncoming(path), format!("{{port{index}}}"))
            }
            (PeerEndpoint::Tcp(_) | PeerEndpoint::Udp(_), Some(path)) => {
                (CommandEndpoint::Unix(path), format!("{{port{index}}}"))
            }
            (PeerEndpoint::Tcp(port), None) => {
                let port = choice(*port, PortChoice::Free);
                (CommandEndpoint::Tcp(port), format!("{{port{index}}}"))
            }
            (PeerEndpoint::Udp(port), None) => {
                let port = choice(*port, PortChoice::Free);
                (CommandEndpoint::Udp(port), format!("{{port{index}}}"))
            }
            // Clients tell servers whom they have called.
            (PeerEndpoint::Connects { port, .. }, None) => {
                let port = choice(*port, PortChoice::FreeOnce);
                (CommandEndpoint::TcpIncoming(port), format!("{{port{index}}}"))
            }
        };
        words.iter_mut().for_each(|word| *word = word.replace(&named, &filled));
        endpoints.push(endpoint);
    }
    let ready = match &peer.ready {
        PeerReadiness::Running => Readiness::Running,
        PeerReadiness::Listening => Readiness::Listening,
        PeerReadiness::Line(text) => Readiness::Line(text.clone()),
        PeerReadiness::Delay(time) => Readiness::Delay(*time),
    };
    let library = library.filter(|_| peer.clock == PeerClock::Conversation);
    let peer = CommandPeer::new(words, endpoints, ready, std::env::temp_dir());
    Ok(Arc::new(match library {
        Some(library) => peer.with_variable("LD_PRELOAD", library.display().to_string()),
        None => peer,
    }))
}
