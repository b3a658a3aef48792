//! The calls of `netklee.h` on events. They are not system calls, but look like some: a call that has
//! to wait is executed again, and an error is the negative of its number.

use std::sync::Arc;

use everett_interp::{AccessPurpose, Bug, BugKind, Flow, PathEnding};
use everett_memory::{AllocRequest, ObjectKind};
use syscalls::Errno;

use super::time;
use crate::kernel::Guest;
use crate::kernel::call::{Call, Handler};
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::sockets::inbox::{EventRecord, MOST_MASKS, WantedEvents};
use crate::state::wait::{Wait, WaitEvent};

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

/// The call that waits, for messages.
pub(crate) const WILL_GET: &str = "klee_net_will_get_events";

fn will_get<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let masks = masks(call, 0, 1)?;
    let minimum = call.arg32(2)?;
    let (seconds, microseconds) = (call.arg32(3)?, call.arg32(4)?);
    let found = call.node().net.table.inbox.matching(&masks).count() as u64;
    if found >= u64::from(minimum) || call.timed_out() {
        return Ok(Reply::Value(found));
    }
    let nanoseconds = u64::from(seconds) * 1_000_000_000 + u64::from(microseconds) * 1000;
    let deadline = call.deadline((nanoseconds > 0).then_some(nanoseconds));
    let wanted = Arc::new(WantedEvents { masks, minimum });
    Ok(Reply::Wait(Wait::until(WaitEvent::Plain(wanted)).by(deadline)))
}

fn has_pending<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let masks = masks(call, 0, 1)?;
    let minimum = call.arg32(2)?;
    let found = call.node().net.table.inbox.matching(&masks).count() as u64;
    let enough = found >= u64::from(minimum);
    if !enough {
        time::polled(call.node_mut());
    }
    Ok(Reply::Value(if enough { found } else { 0 }))
}

fn get<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (events, most) = (call.arg(0)?, call.arg32(1)?);
    let masks = masks(call, 2, 3)?;
    let found = call.node().net.table.inbox.matching(&masks).take(most as usize);
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
    call.read(address, size)
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
