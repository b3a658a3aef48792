//! Booting: a program that makes the nodes of a system itself (`netklee.h`).
//!
//! Such a program branches on an input, and each branch declares the interfaces of its node and calls
//! `klee_net_host_setup`. A state that has done so waits. When no other state is left, those that wait
//! become the nodes of the first world ([`Worker::boot`]), and the run goes on as one of a system.
//!
//! The branches contradict each other by what they assume of the input. What a state had made symbolic
//! before it became a node is given one value, and the path forgets what it assumed of it
//! ([`settle_inputs`]).

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::sync::Arc;

use everett_expr::Assignment;
use everett_interp::{Bug, BugKind, Omission, Stop};
use everett_ir::Program;
use everett_net::{
    AddressSpec, HostSpec, InterfaceSpec, Place, RouteSpec, Subnet, Topology, TopologyBuilder,
    TopologyError,
};
use everett_posix::{Guest, KernelConfig};
use everett_world::{NodeId, Stamp, StateId};

use crate::api::report::PathOutcome;
use crate::explore::start::Setup;
use crate::explore::worker::{self, Worker};
use crate::primitives::{Cx, St};

/// The function that makes a state a node.
pub(crate) const HOST_SETUP: &str = "klee_net_host_setup";

/// What a state has declared, and how far its node is.
#[derive(Clone, Default)]
pub(crate) struct Boot {
    pub(crate) networks: Vec<String>,
    pub(crate) routers: Vec<Draft>,
    /// The node itself.
    pub(crate) own: Draft,
    pub(crate) stage: Stage,
}

/// A host as far as it is declared.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) interfaces: Vec<Attached>,
    /// Destination and gateway of each route.
    pub(crate) routes: Vec<(Subnet, Ipv4Addr)>,
}

/// An interface as far as it is declared.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Attached {
    pub(crate) identifier: u32,
    pub(crate) network: String,
    /// The primary one first, if there is one.
    pub(crate) addresses: Vec<(Ipv4Addr, u8)>,
    pub(crate) has_primary: bool,
}

/// How far a state is with becoming a node.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It may declare.
    #[default]
    Declares,
    /// It waits for the others.
    Waits(HostSetup),
    /// It is a node, and will return from the call that made it one when it begins.
    Begins(Stamp),
    /// It is a node.
    Done,
}

/// What a node wants to be.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct HostSetup {
    pub(crate) server: bool,
    pub(crate) sequence: u32,
}

impl Boot {
    /// Whether the state waits until it can become a node.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.stage, Stage::Waits(_))
    }

    /// Whether the state is a node that does not run yet at this stamp.
    pub(crate) fn begins_after(&self, now: Stamp) -> bool {
        matches!(self.stage, Stage::Begins(at) if now < at)
    }

    /// Whether the state was booted.
    pub(crate) fn is_node(&self) -> bool {
        matches!(self.stage, Stage::Begins(_) | Stage::Done)
    }
}

impl Draft {
    /// As the topology wants it.
    fn spec(&self) -> HostSpec {
        // The address that stands for the host is the first primary one.
        let first = self.interfaces.iter().position(|each| each.has_primary);
        let interface = |(at, each): (usize, &Attached)| InterfaceSpec {
            name: None,
            network: Some(each.network.clone()),
            addresses: { each.addresses.iter() }
                .map(|(ip, prefix)| AddressSpec { ip: *ip, prefix: Some(*prefix) })
                .collect(),
            primary: Some(at) == first,
        };
        HostSpec {
            name: self.name.clone(),
            hostname: None,
            interfaces: self.interfaces.iter().enumerate().map(interface).collect(),
            routes: self.routes.iter().map(|(to, via)| RouteSpec::via(*to, *via)).collect(),
        }
    }
}

/// Whether a program may boot nodes.
pub(crate) fn boots(program: &Program) -> bool {
    program.function_named(HOST_SETUP).is_some_and(|func| !program.function(func).defined)
}

/// Gives every input so far the smallest value that the path allows, and lets the path forget what it
/// assumed of them. Those that could have had another value are counted.
pub(crate) fn settle_inputs(cx: &mut Cx<'_>, st: &mut St) -> Result<(), Stop> {
    let mut symbols: Vec<_> = st.inputs.iter().map(|input| input.symbol).collect();
    symbols.reverse();
    for symbol in symbols {
        let mut several = false;
        // Numbers have their highest byte last.
        for i in (0..cx.pool.symbol_size(symbol)).rev() {
            if st.path.model().fixed(cx.pool.symbol_var(symbol, i)).is_some() {
                continue;
            }
            let byte = cx.pool.byte(symbol, i);
            let least = st.path.min_value(cx.solver, cx.pool, byte)?;
            let equal = cx.pool.eq(byte, cx.pool.big_constant(&least));
            several |= !st.path.is_always(cx.solver, cx.pool, equal)?;
            st.path.assume(cx.solver, cx.pool, equal)?;
        }
        if several {
            cx.omit(st, Omission::BootInput);
        }
    }
    st.path.forget_settled(cx.pool);
    Ok(())
}

/// The values of all inputs of a state that has settled them.
fn inputs(cx: &everett_expr::Pool, st: &St) -> Vec<u8> {
    let symbols = st.inputs.iter().map(|input| input.symbol);
    let bytes = symbols.flat_map(|symbol| (0..cx.symbol_size(symbol)).map(move |i| (symbol, i)));
    bytes.map(|(symbol, i)| st.path.model().byte(cx.symbol_var(symbol, i))).collect()
}

/// Why nodes cannot be put together, and whose fault it is.
struct Refused {
    /// The position of the node.
    node: usize,
    message: String,
}

/// The topology of nodes in their order.
fn connect(nodes: &[&Boot]) -> Result<Arc<Topology>, Refused> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    if let Some(node) = nodes.iter().position(|boot| !names.insert(&boot.own.name)) {
        let name = &nodes[node].own.name;
        let message = format!("two nodes are called `{name}`: each needs a name of its own");
        return Err(Refused { node, message });
    }
    let mut networks: Vec<&String> = Vec::new();
    let mut routers: Vec<&Draft> = Vec::new();
    for (node, boot) in nodes.iter().enumerate() {
        for network in &boot.networks {
            if !networks.contains(&network) {
                networks.push(network);
            }
        }
        for router in &boot.routers {
            match routers.iter().find(|known| known.name == router.name) {
                None => routers.push(router),
                Some(known) if *known == router => {}
                Some(_) => {
                    let name = &router.name;
                    let message = format!("router `{name}` is not declared alike by all nodes");
                    return Err(Refused { node, message });
                }
            }
        }
    }
    if let Some(router) = routers.iter().find(|router| router.interfaces.is_empty()) {
        let message = format!("router `{}` has no interface", router.name);
        return Err(Refused { node: 0, message });
    }
    let mut builder = TopologyBuilder::new();
    let hosts = || nodes.iter().map(|boot| &boot.own).chain(routers.iter().copied());
    for network in networks {
        let subnet = hosts().find_map(|host| first_address(host, network));
        builder.network(network, subnet.and_then(|(ip, prefix)| Subnet::around(ip, prefix)));
    }
    for boot in nodes {
        builder.node(boot.own.spec());
    }
    for router in &routers {
        builder.router(router.spec());
    }
    builder.build().map_err(|error| {
        let node = guilty(&error).filter(|host| *host < nodes.len()).unwrap_or(0);
        Refused { node, message: format!("the nodes cannot be connected: {error}") }
    })
}

/// The first address of a host on a network, with the length of its prefix.
fn first_address(host: &Draft, network: &str) -> Option<(Ipv4Addr, u8)> {
    let here = host.interfaces.iter().filter(|each| each.network == network);
    here.flat_map(|each| &each.addresses).copied().next()
}

/// The host that an error is about.
fn guilty(error: &TopologyError) -> Option<usize> {
    match error.place {
        Place::Network(_) => None,
        Place::Host(host)
        | Place::Interface { host, .. }
        | Place::Address { host, .. }
        | Place::Route { host, .. } => Some(host),
    }
}

/// The rounds in which nodes begin: servers first, so that they wait for the others when these begin,
/// and among them, and among the others, those with lower sequence numbers.
fn rounds(nodes: &[&HostSetup]) -> Vec<u32> {
    let key = |node: &HostSetup| (!node.server, node.sequence);
    let order: BTreeSet<(bool, u32)> = nodes.iter().map(|node| key(node)).collect();
    nodes.iter().map(|node| order.range(..key(node)).count() as u32).collect()
}

impl Worker<'_, '_> {
    /// Lets the one program of the run make the nodes of a system, if it is one that does.
    pub(crate) fn boot(&mut self) {
        let [setup] = self.shared.nodes() else { return };
        if !boots(&self.shared.images.image(setup.program).program) {
            return;
        }
        self.machine.booting = true;
        let done = self.work();
        self.machine.booting = false;
        if done {
            self.put_together(setup);
        }
    }

    /// A state waits until all others do.
    pub(crate) fn await_boot(&mut self, mut st: Box<St>) {
        if std::mem::take(&mut st.extra.ready) {
            self.searcher.removed(st.extra.id);
        }
        self.park(st);
    }

    /// Makes the states that wait the nodes of the first world.
    fn put_together(&mut self, first: &Setup) {
        let mut waiting: Vec<_> = { self.states.values() }
            .filter_map(|st| match &st.extra.boot.stage {
                Stage::Waits(setup) => {
                    let boot = st.extra.boot.clone();
                    let key = (setup.sequence, boot.own.name.clone());
                    Some((key, inputs(self.shared.pool, st), st.extra.id, boot, setup.clone()))
                }
                _ => None,
            })
            .collect();
        waiting.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        if waiting.is_empty() {
            return;
        }
        let ids: Vec<StateId> = waiting.iter().map(|(_, _, id, ..)| *id).collect();
        let boots: Vec<&Boot> = waiting.iter().map(|(.., boot, _)| &**boot).collect();
        let hosts: Vec<&HostSetup> = waiting.iter().map(|(.., setup)| setup).collect();
        let made = connect(&boots).and_then(|topology| {
            let made = boots.iter().zip(&hosts).zip(rounds(&hosts)).enumerate();
            made.map(|(node, ((boot, host), start))| {
                make_node(first, &topology, node, boot, host, start).map_err(|error| Refused {
                    node,
                    message: format!("the files of `{}` cannot be made: {error}", boot.own.name),
                })
            })
            .collect::<Result<Vec<Setup>, Refused>>()
        });
        match made {
            Ok(nodes) => self.begin_system(first, nodes, &ids),
            Err(Refused { node, message }) => {
                let message = format!("{HOST_SETUP}: {message}");
                self.refuse(ids[node], Bug::new(BugKind::UserError, message), &ids);
            }
        }
    }

    /// The states have become nodes: from now on the run is one of a system.
    fn begin_system(&mut self, before: &Setup, nodes: Vec<Setup>, ids: &[StateId]) {
        let nodes = self.shared.booted(nodes);
        self.machine.start = nodes.iter().map(|setup| setup.node.fs.clone()).collect();
        self.universe = worker::universe(self.shared);
        let mut first = Vec::with_capacity(nodes.len());
        for ((index, setup), id) in nodes.iter().enumerate().zip(ids) {
            let st = self.states.get_mut(id).expect("a state that waits is there");
            let of = NodeId::from_index(index);
            st.extra.of = of;
            let begins = Stamp { time: 0, round: setup.start };
            let book = st.extra.book();
            Arc::make_mut(&mut book.boot).stage = Stage::Begins(begins);
            if nodes.len() > 1 {
                book.symbol_prefix = format!("{}:", setup.name());
            }
            let (before, after) = (&before.config.kernel, &setup.config.kernel);
            if let Err(error) = st.extra.node_mut().join(before, after) {
                let message = format!("{}: files in /etc are not changed: {error}", setup.name());
                self.shared.front().observer.warning(&message);
            }
            first.push((of, *id, begins));
        }
        self.in_universe(|universe, owner| universe.begin(owner, &first));
    }

    /// The states cannot become nodes, which is the fault of one of them.
    fn refuse(&mut self, guilty: StateId, bug: Bug, all: &[StateId]) {
        self.found(guilty, bug, None, &[guilty]);
        for id in all {
            if *id != guilty {
                self.set_outcome(*id, PathOutcome::WorldEnded);
            }
            self.in_universe(|universe, owner| universe.ended(owner, *id));
        }
    }
}

/// A node that was booted, as it would have been at the start.
fn make_node(
    first: &Setup,
    topology: &Arc<Topology>,
    number: usize,
    boot: &Boot,
    host: &HostSetup,
    start: u32,
) -> Result<Setup, everett_fs::FsError> {
    let mut config = first.config.clone();
    config.kernel = KernelConfig {
        hostname: boot.own.name.clone(),
        topology: Some(topology.clone()),
        host: number as u32,
        seed: config.kernel.seed.wrapping_add((number as u64) << 32),
        ..config.kernel
    };
    let mut node = first.node.clone();
    node.join(&first.config.kernel, &config.kernel)?;
    let server = Some(host.server);
    let Setup { program, entry, .. } = *first;
    Ok(Setup { config, program, entry, node, start, server })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_begin_before_others_whatever_their_numbers() {
        let node = |server, sequence| HostSetup { server, sequence };
        let nodes = [node(false, 0), node(true, 1), node(true, u32::MAX), node(false, 7)];
        assert_eq!(rounds(&nodes.each_ref()), [2, 0, 1, 3]);
        let alike = [node(false, 3), node(false, 3)];
        assert_eq!(rounds(&alike.each_ref()), [0, 0]);
    }
}
