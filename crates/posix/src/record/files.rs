//! Calls on files that are noted only where a fault or a limit makes them differ from native ones.

use everett_interp::{Interp, State};
use syscalls::Sysno;

use super::memory::{bytes, number};
use super::verdict;
use crate::kernel::Guest;
use crate::state::recording::PendingCall;

/// The number of bytes that a call is to write to a file.
pub(super) fn bytes_to_write<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
) -> Option<u64> {
    let [_, at, count, ..] = pending.args;
    let is_full = st.extra.node().path.faults.config().disk_bytes.is_some();
    match pending.sysno {
        Sysno::write | Sysno::pwrite64 => Some(count),
        // The end of what is copied is a reason, too: then it does no harm to note it.
        Sysno::sendfile if is_full => Some(pending.args[3]),
        Sysno::copy_file_range if is_full => Some(pending.args[4]),
        Sysno::writev | Sysno::pwritev => {
            Some((0..count).map(|i| number(cx, st, at + 16 * i + 8, 8)).sum())
        }
        _ => None,
    }
}

/// The bytes that a call on files tells the program other than a native one would: three times, each as
/// seconds and nanoseconds; a limit; how much room there is on the disk.
pub(super) fn told<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
) -> Vec<u8> {
    if let Some(places) = pending.times {
        return places.into_iter().flat_map(|place| bytes(cx, st, place, 16)).collect();
    }
    match (verdict::resource(pending), pending.sysno) {
        (Some((_, at)), _) => bytes(cx, st, at, 16),
        (None, Sysno::statfs | Sysno::fstatfs) => bytes(cx, st, pending.args[1], 120),
        _ => Vec::new(),
    }
}
