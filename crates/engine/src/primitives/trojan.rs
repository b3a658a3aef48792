//! A receiver's own word on a message: `everett_accept`, `everett_reject`, and a function whose call
//! accepts it.

use everett_interp::{Flow, Halt};
use everett_ir::FuncId;
use everett_posix::Guest;

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::node_state::{Interpreter, PathState, accepting_stack};
use crate::state::trojan::TrojanVerdict;

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
