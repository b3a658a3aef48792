//! The calls of `netklee.h`: what a program declares, how it becomes a node, and which events it puts
//! and gets.
//!
//! They have nothing below them natively: what comes of one is told, and what the program says is compared.

use everett_interp::{Interp, State};
use everett_replay::script::{EventFlags, ScriptApi, ScriptEvent};

use super::ended_call::EndedCall;
use super::happening;
use crate::kernel::{Guest, Kernel};
use crate::state::sockets::inbox::{EventRecord, MOST_MASKS};

/// Fills in what a call on events is about, beside its result.
pub(super) fn fill<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let args = call.pending.args;
    let word = |at: usize| u64::from(args[at] as u32);
    match call.event.api {
        ScriptApi::EventPut => {
            call.event.data2 = records(call, args[0], 1);
            let object = call.st.mem.check(args[1], 0).map_or(0, |object| object.object.size);
            call.event.data = call.bytes(args[1], if args[1] == 0 { 0 } else { object });
        }
        ScriptApi::WillGetEvents => {
            call.event.aux[..3].copy_from_slice(&[word(2), word(3), word(4)]);
            call.event.data2 = records(call, args[0], word(1));
        }
        ScriptApi::HasPendingEvents => {
            call.event.aux[0] = word(2);
            call.event.data2 = records(call, args[0], word(1));
        }
        ScriptApi::EventsGet => {
            call.event.aux[0] = word(1);
            call.event.data2 = records(call, args[2], word(3));
            let count = call.event.result.max(0) as u64;
            call.event.data = records(call, args[0], count);
        }
        ScriptApi::EventRemove => call.event.aux[0] = args[0],
        ScriptApi::EventDataAlloc => {
            call.event.aux[0] = args[0];
            let inbox = &call.st.extra.node().net.table.inbox;
            let payload = inbox.payload(args[0]).unwrap_or_default();
            let values: Vec<_> = payload.values().collect();
            call.event.data = Kernel::example(call.cx, call.st, &values);
            // Where the copy is has no meaning outside.
            call.event.result = 0;
        }
        _ => {}
    }
}

/// The records of events in an array of the program.
fn records<X: Guest>(call: &mut EndedCall<'_, '_, X>, at: u64, count: u64) -> Vec<u8> {
    call.bytes(at, count.min(MOST_MASKS) * EventRecord::BYTES as u64)
}

impl Kernel {
    /// The program declares something of its networks, or becomes a node: `said` has the function, what it
    /// was given, and what it returns.
    pub fn note_network<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        said: ScriptEvent,
    ) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let site = self.api_now(cx, st).unwrap_or_default().1;
        let ScriptEvent { realtime_ns, monotonic_ns, .. } =
            happening::event(st.extra.node(), said.api);
        let flags = if said.flags.has(EventFlags::BLOCKS) {
            said.flags
        } else {
            said.flags.with(EventFlags::FED)
        };
        let event = ScriptEvent { realtime_ns, monotonic_ns, site, flags, ..said };
        self.push(st, 0, event, Vec::new(), None);
    }

    /// The call of `netklee.h` that the program is in makes no sense, and ends it.
    pub fn note_refusal<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>, why: &str) {
        let Some(api) = st.extra.node().thread().tracked.last else { return };
        let (flags, data) = (EventFlags::REFUSED, why.as_bytes().to_vec());
        self.note_network(cx, st, ScriptEvent { flags, data, ..ScriptEvent::new(0, api) });
    }
}
