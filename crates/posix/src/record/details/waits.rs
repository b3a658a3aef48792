//! Details of the calls that wait for several descriptors: those that are ready.

use linux_raw_sys::general as linux;

use crate::kernel::Guest;
use crate::record::ended_call::EndedCall;

/// Nanoseconds of a unit of `tv_nsec`, and of one of `tv_usec`.
const NANOSECOND: u64 = 1;
const MICROSECOND: u64 = 1000;

fn ready(list: impl Iterator<Item = (u32, u32)>) -> Vec<u8> {
    list.flat_map(|(fd, events)| [fd.to_le_bytes(), events.to_le_bytes()]).flatten().collect()
}

pub(super) fn poll<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let timeout = call.pending.args[2];
    polled(call, i64::from(timeout as i32) as u64);
}

pub(super) fn ppoll<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let at = call.pending.args[2];
    let timeout = milliseconds(call, at, NANOSECOND);
    polled(call, timeout);
}

fn polled<X: Guest>(call: &mut EndedCall<'_, '_, X>, timeout_ms: u64) {
    let [list, count, ..] = call.pending.args;
    call.event.aux[..2].copy_from_slice(&[count, timeout_ms]);
    let mut found = Vec::new();
    for i in 0..if call.event.result > 0 { count } else { 0 } {
        let fd = call.number(list + 8 * i, 4) as u32;
        let events = call.number(list + 8 * i + 6, 2) as u32;
        if events != 0 {
            found.push((fd, events));
        }
    }
    call.event.data = ready(found.into_iter());
}

pub(super) fn select<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    selected(call, MICROSECOND);
}

pub(super) fn pselect6<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    selected(call, NANOSECOND);
}

fn selected<X: Guest>(call: &mut EndedCall<'_, '_, X>, unit: u64) {
    let [count, read, write, except, timeout, ..] = call.pending.args;
    call.event.aux[0] = count;
    call.event.aux[1] = milliseconds(call, timeout, unit);
    let sets = [(read, linux::POLLIN), (write, linux::POLLOUT), (except, linux::POLLPRI)];
    let mut found = Vec::new();
    for fd in 0..if call.event.result > 0 { count } else { 0 } {
        let mut events = 0;
        for (set, bit) in sets.into_iter().filter(|(set, _)| *set != 0) {
            if call.number(set + fd / 8, 1) >> (fd % 8) & 1 != 0 {
                events |= bit;
            }
        }
        if events != 0 {
            found.push((fd as u32, events));
        }
    }
    call.event.data = ready(found.into_iter());
}

/// A timeout that is a structure, in milliseconds; -1 if there is none.
fn milliseconds<X: Guest>(call: &mut EndedCall<'_, '_, X>, at: u64, unit: u64) -> u64 {
    if at == 0 {
        return u64::MAX;
    }
    let (seconds, rest) = (call.number(at, 8), call.number(at + 8, 8));
    seconds.saturating_mul(1000).saturating_add(rest.saturating_mul(unit) / 1_000_000)
}

/// Of `epoll_wait` and its versions, which note what they tell themselves.
pub(super) fn epoll_wait<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let list = &call.pending.ready;
    call.event.aux[1] = i64::from(call.pending.args[3] as i32) as u64;
    call.event.data = ready(list.iter().map(|(fd, events, _)| (*fd, *events)));
    call.event.data2 = list.iter().flat_map(|(.., data)| data.to_le_bytes()).collect();
}

pub(super) fn epoll_ctl<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [_, operation, fd, at, ..] = call.pending.args;
    call.event.aux[..2].copy_from_slice(&[operation, fd]);
    // A `struct epoll_event` is packed.
    call.event.aux[2] = call.number(at, 4);
    call.event.aux[3] = call.number(at + 4, 8);
}
