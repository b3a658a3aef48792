//! Messages by a program's own word: `everett_message` names one, `everett_accept` and `everett_reject` judge
//! it, as does a function whose call accepts it.

use everett_interp::{
    AccessPurpose, BugKind, Flow, Halt, MemoryAccess, Reg, SiblingCourse, byte_count,
};
use everett_ir::FuncId;
use everett_memory::ByteValue;
use everett_posix::{FaultKind, FaultOffer, Guest, Payload, TROJAN_INPUT};

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::inputs::fresh_bytes;
use crate::state::node_state::{Interpreter, NodeState, PathState, accepting_stack, bug};
use crate::state::trojan::TrojanVerdict;
use crate::trojans::TrojanPhase;

/// The longest message that a program may name.
const MAX_MESSAGE_BYTES: u64 = 1 << 16;

impl Primitives {
    /// `everett_accept()` and `everett_reject()`: of both, the last call counts.
    pub(super) fn judge_message(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        accepts: bool,
    ) -> Result<Flow, Halt> {
        if call.st.extra.links().trojan.as_ref().is_some_and(|mark| mark.is_open()) {
            let place = accepting_stack(call.cx, call.st);
            set_verdict(
                call.st,
                match accepts {
                    true => TrojanVerdict::Accepts(place),
                    false => TrojanVerdict::Rejects,
                },
            );
        }
        Ok(Flow::Next)
    }

    /// `everett_message(buffer, length)`: a message that is about to be sent, or that has come. One that has
    /// come may be replaced.
    pub(super) fn name_message(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let size = call.settle_size(1)?;
        if size > MAX_MESSAGE_BYTES {
            let message = format!("everett_message of {size} bytes is too long");
            return Ok(bug(BugKind::UserError, message));
        }
        let access = MemoryAccess::new(call.arg(0), size, AccessPurpose::Write);
        let spot = call.cx.locate(call.st, access)?;
        let address = call.settle_spot(spot)?;
        if let Err(fault) = call.st.mem.check_write(address, size) {
            return Err(call.cx.fault(&fault, AccessPurpose::Write).into());
        }
        let bytes = match call.st.mem.read_each(call.cx.pool, address, size) {
            Ok(bytes) => bytes,
            Err(fault) => return Err(call.cx.fault(&fault, AccessPurpose::Read).into()),
        };
        let payload = Payload::from(&bytes[..]);
        let mut senders = None;
        match &self.trojans {
            Some(TrojanPhase::Collects(collector)) => {
                collector.collect_framed(call.cx.pool, call.st, &payload);
            }
            Some(TrojanPhase::Replaces(hunt)) => {
                senders = hunt.framed_senders(call.cx.pool, call.st, &payload);
            }
            None => {}
        }
        call.st.extra.links_mut().framed.push(payload);
        let replaced = self.offer_message(call, address, size as u32, senders)?;
        let bytes = replaced.as_deref().unwrap_or(&bytes);
        self.kernel.note_input(call.cx, call.st, TROJAN_INPUT, bytes);
        Ok(Flow::Next)
    }

    /// Offers that a message of this length at an address is another one; of some senders, if it may be.
    /// Returns the bytes of the other one, where a test says so.
    fn offer_message(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        address: u64,
        size: u32,
        senders: Option<u32>,
    ) -> Result<Option<Vec<ByteValue>>, Halt> {
        let kind = FaultKind::Trojan;
        let faults = call.st.extra.node().faults();
        if !faults.is_possible(kind) || size == 0 {
            return Ok(None);
        }
        let is_replay = call.st.extra.replay.is_some();
        let choices: &[u32] = if senders.is_some() || is_replay { &[size + 1] } else { &[] };
        let what = |_| format!("replaced a message of {} by another one", byte_count(size.into()));
        let passed_over = choices.is_empty();
        let offer = FaultOffer { kind, choices, of_call: true, passed_over, what: &what, links: 0 };
        let make = |cx: &mut Interpreter<'_>, st: &mut PathState| {
            let bytes = fresh_bytes(cx, st, TROJAN_INPUT, size)?;
            NodeState::replaced(st, senders.unwrap_or(0), &bytes);
            st.mem.write_each(cx.pool, address, &bytes).expect("it was checked");
            Ok::<_, Flow>(bytes)
        };
        let prepare = |cx: &mut Interpreter<'_>, sibling: &mut PathState, _| {
            match make(cx, sibling) {
                Ok(_) => {}
                Err(Flow::End(ending)) => return SiblingCourse::Ended(ending),
                Err(_) => {}
            }
            cx.complete_call(sibling, Reg::word(0));
            SiblingCourse::On
        };
        match self.kernel.offer(call.cx, call.st, None, &offer, prepare)? {
            0 => Ok(None),
            _ => Ok(Some(make(call.cx, call.st)?)),
        }
    }
}

/// Accepts the message if a call is one that does.
pub(super) fn accept_at(cx: &Interpreter<'_>, st: &mut PathState, func: FuncId) {
    let is_open = |st: &PathState| {
        st.extra.links().trojan.as_ref().is_some_and(|mark| mark.verdict == TrojanVerdict::Open)
    };
    if !is_open(st) {
        return;
    }
    let name = &st.extra.node().faults().config().network.trojan_accept_at;
    if name.as_ref().is_some_and(|name| cx.image.program.function(func).name == *name) {
        let place = accepting_stack(cx, st);
        set_verdict(st, TrojanVerdict::Accepts(place));
    }
}

fn set_verdict(st: &mut PathState, verdict: TrojanVerdict) {
    if let Some(mark) = st.extra.trojan_mut() {
        mark.verdict = verdict;
    }
}
