//! Declarations of a state that is to become a node: [`BootDeclarations`].
//!
//! Not here: how nodes are made from that (`booted_system.rs`, `explore/worker/boot.rs`).

use std::net::IpAddr;

use everett_expr::{Assignment, Pool};
use everett_interp::{Omission, Stop};
use everett_ir::Program;
use everett_net::{AddressSpec, HostSpec, InterfaceSpec, RouteSpec, Subnet};
use everett_world::Stamp;

use crate::state::node_state::{Interpreter, PathState};

/// The function that makes a state a node.
pub(crate) const HOST_SETUP: &str = "klee_net_host_setup";

/// The networks, routers and interfaces that a state has declared, and the stage of its node.
#[derive(Clone, Default)]
pub(crate) struct BootDeclarations {
    pub(crate) networks: Vec<String>,
    pub(crate) routers: Vec<HostDraft>,
    /// The node itself.
    pub(crate) own: HostDraft,
    pub(crate) stage: BootStage,
}

everett_base::portable!(struct BootDeclarations { networks, routers, own, stage });

/// A host as far as it is declared.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct HostDraft {
    pub(crate) name: String,
    pub(crate) interfaces: Vec<InterfaceDraft>,
    /// Destination and gateway of each route.
    pub(crate) routes: Vec<(Subnet, IpAddr)>,
}

everett_base::portable!(struct HostDraft { name, interfaces, routes });

/// An interface as far as it is declared.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct InterfaceDraft {
    pub(crate) identifier: u32,
    pub(crate) network: String,
    /// The primary one first, if there is one.
    pub(crate) addresses: Vec<(IpAddr, u8)>,
    pub(crate) has_primary: bool,
}

everett_base::portable!(struct InterfaceDraft { identifier, network, addresses, has_primary });

/// The stages in which a state becomes a node.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum BootStage {
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

everett_base::portable!(enum BootStage {
    0 = Declares, 1 = Waits(value), 2 = Begins(value), 3 = Done,
});

/// The arguments of the call that makes a state a node.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct HostSetup {
    pub(crate) server: bool,
    pub(crate) sequence: u32,
}

everett_base::portable!(struct HostSetup { server, sequence });

impl BootDeclarations {
    /// Returns `true` if the state waits until it can become a node.
    pub(crate) fn is_waiting(&self) -> bool {
        self.host_setup().is_some()
    }

    /// The call that the state waits in, if it waits until it can become a node.
    pub(crate) fn host_setup(&self) -> Option<&HostSetup> {
        match &self.stage {
            BootStage::Waits(setup) => Some(setup),
            BootStage::Declares | BootStage::Begins(_) | BootStage::Done => None,
        }
    }

    /// Returns `true` if the state is a node that does not run yet at this stamp.
    pub(crate) fn begins_after(&self, now: Stamp) -> bool {
        matches!(self.stage, BootStage::Begins(at) if now < at)
    }

    /// Returns `true` if the state was booted.
    pub(crate) fn is_node(&self) -> bool {
        matches!(self.stage, BootStage::Begins(_) | BootStage::Done)
    }
}

impl HostDraft {
    /// As the topology wants it.
    pub(crate) fn spec(&self) -> HostSpec {
        // The address that stands for the host is the first primary one.
        let first = self.interfaces.iter().position(|each| each.has_primary);
        let interface = |(at, each): (usize, &InterfaceDraft)| InterfaceSpec {
            name: None,
            network: Some(each.network.clone()),
            addresses: { each.addresses.iter() }
                .map(|(ip, prefix)| AddressSpec { ip: *ip, prefix: Some(*prefix) })
                .collect(),
            primary: Some(at) == first,
            ..InterfaceSpec::default()
        };
        HostSpec {
            name: self.name.clone(),
            hostname: None,
            interfaces: self.interfaces.iter().enumerate().map(interface).collect(),
            routes: self.routes.iter().map(|(to, via)| RouteSpec::via(*to, *via)).collect(),
        }
    }
}

/// Returns `true` if a program may boot nodes.
pub(crate) fn boots(program: &Program) -> bool {
    program.function_named(HOST_SETUP).is_some_and(|func| !program.function(func).defined)
}

/// Gives every input so far the smallest value that the path allows, and lets the path forget what it
/// assumed of them. Those that could have had another value are counted.
pub(crate) fn settle_inputs(cx: &mut Interpreter<'_>, st: &mut PathState) -> Result<(), Stop> {
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
pub(crate) fn settled_inputs(pool: &Pool, st: &PathState) -> Vec<u8> {
    let symbols = st.inputs.iter().map(|input| input.symbol);
    let bytes = symbols.flat_map(|symbol| (0..pool.symbol_size(symbol)).map(move |i| (symbol, i)));
    bytes.map(|(symbol, i)| st.path.model().byte(pool.symbol_var(symbol, i))).collect()
}
