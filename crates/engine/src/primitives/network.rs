//! `netklee.h`: networks and nodes that a program declares, and becoming a node.
//!
//! Declarations are kept with the path; what they come to is in `boot.rs`. Events are the kernel's
//! (`everett-posix`).

use std::net::IpAddr;
use std::sync::Arc;

use everett_interp::{BugKind, Flow, Halt, Reg, Stop};
use everett_net::Subnet;
use everett_replay::script::{EventFlags, ScriptApi, ScriptEvent};

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::boot::{
    self, BootDeclarations, BootStage, HOST_SETUP, HostDraft, HostSetup, InterfaceDraft,
};
use crate::state::node_state::{Interpreter, PathState, bug};

/// The length of the prefix of an address that was given none.
const DEFAULT_PREFIX: u8 = 24;
/// Longest name of a network or a host, with its terminator.
const NAME_BYTES: u64 = 64;

/// Why a declaration is not accepted: the error numbers that it returns the negative of.
#[derive(Clone, Copy)]
enum DeclarationError {
    /// Something that was not declared.
    NotThere = 2,
    /// Something that was declared already.
    Exists = 17,
    /// Something that cannot be.
    Invalid = 22,
    /// The state is a node already, or cannot become one.
    TooLate = 114,
}

impl Primitives {
    /// Executes a declaration, once its arguments are settled: `change` makes it. `said` is what it says,
    /// for native replay.
    fn declare(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        said: ScriptEvent,
        change: impl FnOnce(&mut BootDeclarations) -> Result<(), DeclarationError>,
    ) -> Result<Flow, Halt> {
        let declares = self.booting && call.st.extra.boot.stage == BootStage::Declares;
        let done = if declares {
            let mut changed = (*call.st.extra.boot).clone();
            let done = change(&mut changed);
            if done.is_ok() {
                call.st.extra.notebook_mut().boot = Arc::new(changed);
            }
            done
        } else {
            Err(DeclarationError::TooLate)
        };
        let value = done.map_or_else(|refusal| -(refusal as i64), |()| 0);
        self.kernel.note_network(call.cx, call.st, ScriptEvent { result: value, ..said });
        call.returns(Reg::word(value as u64))
    }

    /// `klee_net_make_ipv4(a, b, c, d)`
    pub(super) fn net_make_ipv4(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        // In network byte order the first number is the lowest byte.
        let pool = call.cx.pool;
        let low = [0, 1, 2, 3]
            .map(|i| pool.extract(call.cx.reg_term(call.arg(i), call.args.width(i)), 0, 8));
        let term = low.into_iter().rev().reduce(|high, low| pool.concat(high, low));
        let value = call.cx.term_reg(term.expect("there are four"));
        call.returns(value)
    }

    /// `klee_net_add_network(name)`
    pub(super) fn net_add_network(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let name = call.net_name(call.arg(0))?;
        let said = said(ScriptApi::AddNetwork, &[], name.as_deref(), None);
        self.declare(call, said, |boot| {
            let name = name.ok_or(DeclarationError::Invalid)?;
            if boot.networks.contains(&name) {
                return Err(DeclarationError::Exists);
            }
            boot.networks.push(name);
            Ok(())
        })
    }

    /// `klee_net_add_router(hostname)`
    pub(super) fn net_add_router(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let name = call.net_name(call.arg(0))?;
        let said = said(ScriptApi::AddRouter, &[], name.as_deref(), None);
        self.declare(call, said, |boot| {
            let name = name.ok_or(DeclarationError::Invalid)?;
            if boot.routers.iter().any(|router| router.name == name) {
                return Err(DeclarationError::Exists);
            }
            boot.routers.push(HostDraft { name, ..HostDraft::default() });
            Ok(())
        })
    }

    /// `klee_net_add_interface(identifier, network, router)`
    pub(super) fn net_add_interface(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let identifier = call.number(0)?;
        let network = call.net_name(call.arg(1))?;
        let router = call.router_name(call.arg(2))?;
        let said =
            said(ScriptApi::AddInterface, &[identifier], network.as_deref(), router.as_deref());
        self.declare(call, said, |boot| {
            let network = network.ok_or(DeclarationError::Invalid)?;
            if !boot.networks.contains(&network) {
                return Err(DeclarationError::NotThere);
            }
            let host = host(boot, router)?;
            if host.interfaces.iter().any(|each| each.identifier == identifier) {
                return Err(DeclarationError::Exists);
            }
            let (addresses, has_primary) = (Vec::new(), false);
            host.interfaces.push(InterfaceDraft { identifier, network, addresses, has_primary });
            Ok(())
        })
    }

    /// `klee_net_add_ipv4_address(address, mask, primary, interface, router)`
    pub(super) fn net_add_address(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let address = call.number(0)?;
        let mask = call.number(1)?;
        let primary = call.number(2)? != 0;
        let identifier = call.number(3)?;
        let router = call.router_name(call.arg(4))?;
        let ip = IpAddr::from(address.to_le_bytes());
        let numbers = [address, mask, primary.into(), identifier];
        let said = said(ScriptApi::AddAddress, &numbers, None, router.as_deref());
        self.declare(call, said, |boot| {
            let prefix = prefix(mask).ok_or(DeclarationError::Invalid)?;
            let interfaces = &mut host(boot, router)?.interfaces;
            let interface = interfaces.iter_mut().find(|each| each.identifier == identifier);
            let interface = interface.ok_or(DeclarationError::NotThere)?;
            let known = interface.addresses.iter().any(|(known, _)| *known == ip);
            if known || (primary && interface.has_primary) {
                return Err(DeclarationError::Exists);
            }
            let at = if primary { 0 } else { interface.addresses.len() };
            interface.addresses.insert(at, (ip, prefix));
            interface.has_primary |= primary;
            Ok(())
        })
    }

    /// `klee_net_add_route(destination, mask, gateway, router)`
    pub(super) fn net_add_route(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let (to, mask) = (call.number(0)?, call.number(1)?);
        let via = call.number(2)?;
        let router = call.router_name(call.arg(3))?;
        let [destination, gateway] = [to, via].map(|word| IpAddr::from(word.to_le_bytes()));
        let said = said(ScriptApi::AddRoute, &[to, mask, via], None, router.as_deref());
        self.declare(call, said, |boot| {
            let everywhere = destination.is_unspecified() && mask == 0;
            let prefix = if everywhere { Some(0) } else { prefix(mask) };
            let to = prefix.and_then(|prefix| Subnet::around(destination, prefix));
            let to = to.ok_or(DeclarationError::Invalid)?;
            host(boot, router)?.routes.push((to, gateway));
            Ok(())
        })
    }

    /// `klee_net_host_setup(hostname, server, sequence)`: the state waits until all others do. It is
    /// executed again when it has become a node.
    pub(super) fn net_host_setup(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        match call.st.extra.boot.stage {
            BootStage::Begins(_) => {
                Arc::make_mut(&mut call.st.extra.notebook_mut().boot).stage = BootStage::Done;
                let returned = ScriptEvent {
                    flags: EventFlags::RETURN,
                    ..ScriptEvent::new(0, ScriptApi::HostSetup)
                };
                self.kernel.note_network(call.cx, call.st, returned);
                return call.returns(Reg::word(0));
            }
            BootStage::Declares if self.booting => {}
            BootStage::Declares => {
                let message = "the nodes of this system are made already; only a program that \
                               runs alone from the beginning makes its own";
                return Ok(self.refuse(call.cx, call.st, message));
            }
            BootStage::Waits(_) | BootStage::Done => {
                let result = -(DeclarationError::TooLate as i64);
                let said = ScriptEvent { result, ..ScriptEvent::new(0, ScriptApi::HostSetup) };
                self.kernel.note_network(call.cx, call.st, said);
                return call.returns(Reg::word(result as u64));
            }
        }
        let name = call.net_name(call.arg(0))?;
        let server = call.number(1)? != 0;
        let sequence = call.number(2)?;
        let Some(name) = name else {
            return Ok(self.refuse(call.cx, call.st, "the name of the node is not a name"));
        };
        if call.st.extra.boot.own.interfaces.is_empty() {
            let message = format!("`{name}` has no interface: add one that is on a network");
            return Ok(self.refuse(call.cx, call.st, &message));
        }
        let said = said(ScriptApi::HostSetup, &[server.into(), sequence], Some(&name), None);
        self.kernel.note_network(
            call.cx,
            call.st,
            ScriptEvent { flags: EventFlags::BLOCKS, ..said },
        );
        boot::settle_inputs(call.cx, call.st)?;
        let boot = Arc::make_mut(&mut call.st.extra.notebook_mut().boot);
        boot.own.name = name;
        boot.stage = BootStage::Waits(HostSetup { server, sequence });
        Ok(Flow::Idle)
    }

    /// A state cannot become a node.
    fn refuse(&mut self, cx: &Interpreter<'_>, st: &mut PathState, why: &str) -> Flow {
        let message = format!("{HOST_SETUP}: {why}");
        self.kernel.note_refusal(cx, st, &message);
        bug(BugKind::UserError, message)
    }
}

/// The arguments of a call, for native replay; what is no name is left out.
fn said(api: ScriptApi, numbers: &[u32], name: Option<&str>, router: Option<&str>) -> ScriptEvent {
    let mut event = ScriptEvent::new(0, api);
    event.aux.iter_mut().zip(numbers).for_each(|(word, number)| *word = u64::from(*number));
    event.data = name.unwrap_or_default().as_bytes().to_vec();
    event.data2 = router.unwrap_or_default().as_bytes().to_vec();
    event
}

/// The host that a declaration is about: a router, or the node itself.
fn host(
    boot: &mut BootDeclarations,
    router: Option<String>,
) -> Result<&mut HostDraft, DeclarationError> {
    match router {
        None => Ok(&mut boot.own),
        Some(name) => {
            let mut routers = boot.routers.iter_mut();
            routers.find(|router| router.name == name).ok_or(DeclarationError::NotThere)
        }
    }
}

/// The length of a prefix that is given as such, as a mask in network byte order, or left out as 0.
fn prefix(mask: u32) -> Option<u8> {
    match mask {
        0 => Some(DEFAULT_PREFIX),
        1..=32 => Some(mask as u8),
        _ => {
            let bits = u32::from_be_bytes(mask.to_le_bytes());
            let prefix = bits.leading_ones();
            (prefix + bits.trailing_zeros() == 32).then_some(prefix as u8)
        }
    }
}

impl PrimitiveCall<'_, '_> {
    /// Argument `index` as a number of 32 bits; a symbolic one forks over its values.
    fn number(&mut self, index: usize) -> Result<u32, Stop> {
        Ok(self.settle(index)? as u32)
    }

    /// A name that may be left out.
    fn router_name(&mut self, pointer: Reg) -> Result<Option<String>, Halt> {
        let address = self.settle_value(pointer)?;
        if address == 0 {
            return Ok(None);
        }
        // What is not a name is not the name of a router either.
        Ok(Some(self.net_name(Reg::word(address))?.unwrap_or_default()))
    }

    /// The name at a pointer, `None` if it cannot be one. Symbolic bytes fork.
    fn net_name(&mut self, pointer: Reg) -> Result<Option<String>, Halt> {
        let address = self.settle_value(pointer)?;
        let mut name = String::new();
        for i in 0..NAME_BYTES {
            let byte = self.cx.read_word(self.st, Reg::word(address.wrapping_add(i)), 1)?;
            match self.settle_value(byte)? as u8 {
                0 => return Ok((!name.is_empty()).then_some(name)),
                byte @ (b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.') => {
                    name.push(byte.into());
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_lengths_or_addresses() {
        let dotted = |a, b, c, d| prefix(u32::from_le_bytes([a, b, c, d]));
        assert_eq!((prefix(0), prefix(8), prefix(32)), (Some(24), Some(8), Some(32)));
        assert_eq!((dotted(255, 255, 255, 0), dotted(128, 0, 0, 0)), (Some(24), Some(1)));
        assert_eq!((dotted(255, 0, 255, 0), dotted(0, 0, 0, 255), prefix(33)), (None, None, None));
    }
}
