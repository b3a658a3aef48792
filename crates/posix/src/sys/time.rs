//! Clocks, sleeping and interval timers.

use syscalls::{Errno, Sysno};

use super::Handler;
use crate::call::Call;
use crate::kernel::Guest;
use crate::node::Node;
use crate::reply::Halt;
use crate::wait::Time;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// Nanoseconds of a second.
pub(crate) const SECOND: u64 = 1_000_000_000;

/// A `struct timespec`.
pub(crate) type Timespec = (i64, i64);

/// Reads a `struct timespec`.
pub(crate) fn read_timespec<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
) -> Result<Timespec, Halt> {
    let seconds = call.read_u64(address)? as i64;
    let nanoseconds = call.read_u64(address.wrapping_add(8))? as i64;
    Ok((seconds, nanoseconds))
}

/// The length of an interval, in nanoseconds; `EINVAL` if it is none.
pub(crate) fn duration((seconds, nanoseconds): Timespec) -> Result<Time, Errno> {
    if seconds < 0 || !(0..SECOND as i64).contains(&nanoseconds) {
        return Err(Errno::EINVAL);
    }
    Ok((seconds as u64).saturating_mul(SECOND).saturating_add(nanoseconds as u64))
}

/// How long it is until a clock shows a time; 0 if it is past.
pub(crate) fn until(node: &Node, (seconds, nanoseconds): Timespec, realtime: bool) -> Time {
    let at = i128::from(seconds) * i128::from(SECOND) + i128::from(nanoseconds);
    let now = if realtime { node.wall_clock_ns() } else { i128::from(node.now) };
    u64::try_from((at - now).max(0)).unwrap_or(u64::MAX)
}

/// Sends the signals of interval timers whose time has come.
pub(crate) fn fire_alarms(node: &mut Node) {
    let _ = node;
}
