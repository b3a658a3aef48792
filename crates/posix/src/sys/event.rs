//! The calls of `netklee.h` on events. They are not system calls, but look like some: a call that has
//! to wait is executed again, and an error is the negative of its number.

use std::sync::Arc;

use everett_interp::{AccessPurpose, Bug, BugKind, Flow, PathEnding};
use everett_memory::{AllocRequest, ObjectKind};
use syscalls::Errno;

use super::pollable::look::LookViews;
use super::time;
use crate::config::FaultKind;
use crate::fault::observation::event_views;
use crate::kernel::Guest;
use crate::kernel::call::{Call, Handler};
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::pending::View;
use crate::state::ids::SocketId;
use crate::state::sockets::inbox::{EventRecord, MOST_MASKS, WantedEvents};
use crate::state::wait::{HeldLook, Wait, WaitEvent};

/// Alignment of the memory that holds what an event carries.
const ALIGN: u64 = 16;

/// A call of `netklee.h` on events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventCall {
    /// `klee_net_will_get_events(masks, count, minimum, seconds, microseconds)`
    WillGet,
    /// `klee_net_has_pending_events(masks, count, minimum)`
    HasPending,
    /// `klee_net_events_get(events, most, masks, count)`
    Get,
    /// `klee_net_event_put(event, data)`
    Put,
    /// `klee_net_event_remove(identifier)`
    Remove,
    /// `klee_net_event_data_alloc(identifier, size)`
    DataAlloc,
}

impl EventCall {
    /// Its name, for messages, and its handler.
    pub(crate) fn handler<X: Guest>(self) -> (&'static str, Handler<X>) {
        match self {
            EventCall::WillGet => (WILL_GET, will_get),
            EventCall::HasPending => ("klee_net_has_pending_events", has_pending),
            EventCall::Get => ("klee_net_events_get", get),
            EventCall::Put => ("klee_net_event_put", put),
            EventCall::Remove => ("klee_net_event_remove", remove),
            EventCall::DataAlloc => ("klee_net_event_data_alloc", data_alloc),
        }
    }
}

/// Stands for the inbox where looks in vain are counted, which no socket has as its number.
const INBOX: SocketId = SocketId(u32::MAX);

/// The call that waits, for messages.
pub(crate) const WILL_GET: &str = "klee_net_will_get_events";

impl<X: Guest> Call<'_, '_, X> {
    /// Decides which of the events that have come a call sees that looks for some and does not wait.
    pub(crate) fn look_for_events(&mut self, wanted: &Arc<WantedEvents>) -> Result<(), CallHalt> {
        if !self.node().decides_looks() || self.is_answered(FaultKind::Order) {
            return Ok(());
        }
        let node = self.node_mut();
        // What ended its wait is decided already.
        if node.thread().observed.is_some()
            || node.thread().resumed.is_some_and(|end| end.timed_out)
        {
            return Ok(());
        }
        if !node.may_vary_orders() && node.volatile.pending.hold().is_none() {
            node.receive_pending();
            return Ok(());
        }
        let pending = &node.volatile.pending;
        if node.net.table.inbox.matching(wanted).count() >= wanted.most as usize {
            return Ok(());
        }
        let (mut views, mut is_cut) = event_views(node, wanted);
        let all: View =
            (0..pending.iter().count()).filter(|at| pending.get(*at).is_event()).collect();
        let is_overdue = |view: &View| view.last().is_some_and(|at| pending.get(*at).is_overdue());
        let is_missed = !views.iter().any(is_overdue);
        is_cut |= !is_missed;
        if is_missed {
            views.push(View::new());
        }
        if pending.hold().is_some() {
            views.retain(|view| view.is_empty() || pending.is_new(view));
        }
        let ends: View = views.first().and_then(|view| view.last()).into_iter().copied().collect();
        let open = if node.has_others() { vec![INBOX] } else { Vec::new() };
        let look = HeldLook::Events(wanted.clone());
        self.offer_views(LookViews { views, is_cut, all, ends, open, is_settled: false, look })
    }
}

fn will_get<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let masks = masks(call, 0, 1)?;
    let wanted = Arc::new(WantedEvents { masks, minimum: call.arg32(2)?, most: u32::MAX });
    let (seconds, microseconds) = (call.arg32(3)?, call.arg32(4)?);
    if wanted.is_there(&call.node().net.table.inbox) {
        call.look_for_events(&wanted)?;
    }
    let found = call.node().net.table.inbox.matching(&wanted).count() as u64;
    if found >= u64::from(wanted.minimum) || call.timed_out() {
        return Ok(Reply::Value(found));
    }
    let nanoseconds = u64::from(seconds) * 1_000_000_000 + u64::from(microseconds) * 1000;
    let deadline = call.deadline((nanoseconds > 0).then_some(nanoseconds));
    Ok(Reply::Wait(Wait::until(WaitEvent::Plain(wanted)).by(deadline)))
}

fn has_pending<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let masks = masks(call, 0, 1)?;
    let wanted = Arc::new(WantedEvents { masks, minimum: call.arg32(2)?, most: u32::MAX });
    call.look_for_events(&wanted)?;
    let found = call.node().net.table.inbox.matching(&wanted).count() as u64;
    let enough = found >= u64::from(wanted.minimum);
    if !enough {
        time::polled(call.node_mut());
    }
    Ok(Reply::Value(if enough { found } else { 0 }))
}

fn get<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (events, most) = (call.arg(0)?, call.arg32(1)?);
    let wanted = Arc::new(WantedEvents { masks: masks(call, 2, 3)?, minimum: 0, most });
    call.look_for_events(&wanted)?;
    let found = call.node().net.table.inbox.matching(&wanted).take(most as usize);
    let bytes: Vec<u8> = found.flat_map(|record| record.to_bytes()).collect();
    call.write_concrete(events, &bytes)?;
    Ok(Reply::Value((bytes.len() / EventRecord::BYTES) as u64))
}

fn put<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (event, data) = (call.arg(0)?, call.arg(1)?);
    let record = record(call, event)?;
    let payload = if data == 0 { Vec::new() } else { whole_object(call, data)? };
    let node = call.node_mut();
    node.net.put(&record, &payload)?;
    node.changed();
    Ok(Reply::Value(0))
}

fn remove<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let identifier = call.arg(0)?;
    if call.node_mut().net.table.inbox.remove(identifier) {
        Ok(Reply::Value(0))
    } else {
        Err(Errno::ENOENT.into())
    }
}

fn data_alloc<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (identifier, size_at) = (call.arg(0)?, call.arg(1)?);
    let payload = call.node().net.table.inbox.payload(identifier).unwrap_or_default();
    let size = payload.len() as u64;
    if size_at != 0 {
        call.write_u32(size_at, size as u32)?;
    }
    if size == 0 {
        return Ok(Reply::Value(0));
    }
    let site = call.cx.image.site(call.st.pc());
    let request = AllocRequest::new(size, ObjectKind::Heap, site).aligned(ALIGN);
    let Ok(address) = call.st.mem.alloc_with(request) else {
        return Err(call.unsupported(format!("an object of {size} bytes")));
    };
    call.write(address, &payload.values().collect::<Vec<_>>())?;
    Ok(Reply::Value(address))
}

/// The bytes of the object that begins at an address.
fn whole_object<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
) -> Result<Vec<everett_memory::ByteValue>, CallHalt> {
    let object = match call.st.mem.check(address, 0) {
        Ok(object) => (object.base, object.object.size),
        Err(fault) => return Err(call.cx.fault(&fault, AccessPurpose::Read).into()),
    };
    let (base, size) = object;
    if base != address {
        let inside = address - base;
        return Err(user_error(format!(
            "{} sends whole objects, and its data begins {inside} bytes behind the beginning of one \
             of {size} bytes",
            call.name
        )));
    }
    let bytes = call.read(address, size)?;
    Ok(call.hand_out(bytes))
}

fn user_error(message: String) -> CallHalt {
    let bug = Bug::new(BugKind::UserError, message);
    Flow::End(PathEnding::Bug(Box::new(bug))).into()
}

/// The masks at argument `at`, as many as argument `count` says.
fn masks<X: Guest>(
    call: &mut Call<'_, '_, X>,
    at: usize,
    count: usize,
) -> Result<Vec<EventRecord>, CallHalt> {
    let (address, count) = (call.arg(at)?, u64::from(call.arg32(count)?));
    if count > MOST_MASKS {
        return Err(Errno::EINVAL.into());
    }
    (0..count).map(|i| record(call, address + i * EventRecord::BYTES as u64)).collect()
}

/// The record at an address; fields that are symbolic fork.
fn record<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<EventRecord, CallHalt> {
    let bytes = call.read_settled(address, EventRecord::BYTES as u64)?;
    let bytes = bytes.first_chunk().expect("as many were read as a record has");
    Ok(EventRecord::of_bytes(bytes))
}
