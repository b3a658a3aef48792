//! Timers that a process makes itself: `timer_create` and what belongs to it.

use everett_interp::Reg;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::{ClockKind, clock, duration, read_timespec, timespec_bytes, until};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::signal;
use crate::state::ids::{Pid, Tid, Time};
use crate::state::node::Node;
use crate::state::process::signals::{SIGNALS, SignalInfo, bit};
use crate::state::process::timers::{ProcessTimer, TimerNotice, after};

/// Timers that a process may have.
const MAX_TIMERS: usize = 1024;
/// `si_code` of a timer's signal.
const SI_TIMER: i32 = -2;

/// Sends the signals of a process's timers whose time has come.
pub(super) fn fire(node: &mut Node, pid: Pid) {
    let now = node.clock.now;
    let Some(process) = node.find_mut(pid) else { return };
    let mut due = Vec::new();
    let waiting = |thread: Option<Tid>| match thread {
        Some(tid) => process.threads.get(&tid).map_or(0, |thread| thread.pending.set()),
        None => process.pending.set(),
    };
    for (id, timer) in &mut process.timers.timers {
        let Some(at) = timer.at.filter(|at| *at <= now) else { continue };
        let (next, periods) = after(at, timer.interval, now);
        timer.at = (timer.interval > 0).then_some(next);
        let expirations = if timer.interval > 0 { periods } else { 1 };
        if let TimerNotice::Signal { signal, value, thread } = timer.notify {
            // One signal stands for all expirations until it is taken.
            if waiting(thread) & bit(signal) != 0 {
                timer.overrun = timer.overrun.saturating_add(expirations);
                continue;
            }
            timer.overrun = expirations - 1;
            due.push((*id, signal, value, thread));
        }
    }
    for (id, signal, value, thread) in due {
        // `siginfo_t` has the timer's number where other signals have the sender's.
        let info = SignalInfo { signal, code: SI_TIMER, pid: id, uid: 0, value };
        // A full queue drops the signal, as an overrun would.
        let _ = signal::send(node, pid, thread, info);
    }
}

/// The notice that a `struct sigevent` asks for.
fn read_event<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<TimerNotice, CallHalt> {
    let value = call.read_reg(address, 8)?;
    let notify = call.read_u32(address.wrapping_add(12))?;
    if notify == linux::SIGEV_NONE {
        return Ok(TimerNotice::Nothing);
    }
    let signal = call.read_u32(address.wrapping_add(8))?;
    let thread = call.read_kept(address.wrapping_add(16), 4)? as u32;
    let thread = match notify {
        linux::SIGEV_SIGNAL => None,
        linux::SIGEV_THREAD_ID => Some(Tid(thread)),
        _ => return Err(Errno::EINVAL.into()),
    };
    let missing = thread.is_some_and(|tid| !call.node().process().threads.contains_key(&tid));
    if missing || !(1..=SIGNALS).contains(&signal) {
        return Err(Errno::EINVAL.into());
    }
    Ok(TimerNotice::Signal { signal, value, thread })
}

pub(crate) fn timer_create<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let id = call.arg32(0)?;
    let (event, result) = (call.arg(1)?, call.arg(2)?);
    let (kind, _) = clock(call, id)?;
    if kind == ClockKind::Processor {
        return Err(call.unsupported("a timer of processor time"));
    }
    let asked = if event == 0 { None } else { Some(read_event(call, event)?) };
    call.check_writable(result, 4)?;
    let timers = &mut call.node_mut().process_mut().timers;
    if timers.timers.len() >= MAX_TIMERS {
        return Err(Errno::EAGAIN.into());
    }
    let number = timers.next;
    timers.next += 1;
    let value = Reg::word(number.into());
    let usual = TimerNotice::Signal { signal: linux::SIGALRM, value, thread: None };
    let timer = ProcessTimer {
        realtime: kind == ClockKind::Realtime,
        notify: asked.unwrap_or(usual),
        at: None,
        interval: 0,
        overrun: 0,
    };
    timers.timers.insert(number, timer);
    call.write_u32(result, number)?;
    Ok(Reply::Value(0))
}

/// The timer that argument 0 names.
fn timer_arg<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<(u32, ProcessTimer), CallHalt> {
    let number = call.arg32(0)?;
    let timer = call.node().process().timers.timers.get(&number).cloned();
    Ok((number, timer.ok_or(Errno::EINVAL)?))
}

/// A timer's setting as a `struct itimerspec`.
pub(crate) fn setting_bytes(at: Option<Time>, interval: Time, now: Time) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&timespec_bytes(interval.into()));
    let left = match at {
        Some(at) if at > now => at - now,
        // A periodic timer that nobody looked at since is between two expirations.
        Some(at) if interval > 0 => after(at, interval, now).0 - now,
        _ => 0,
    };
    bytes[16..].copy_from_slice(&timespec_bytes(left.into()));
    bytes
}

/// Reads a `struct itimerspec`: when it expires first, in time of the node (`None` disarms), and
/// the interval.
pub(crate) fn read_setting<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    absolute: bool,
    realtime: bool,
) -> Result<(Option<Time>, Time), CallHalt> {
    let interval = read_timespec(call, address)?;
    let first = read_timespec(call, address.wrapping_add(16))?;
    let (interval, value) = (duration(interval)?, duration(first)?);
    let node = call.node();
    let wait = if absolute { until(node, first, realtime) } else { value };
    Ok(((value > 0).then(|| node.clock.now.saturating_add(wait)), interval))
}

pub(crate) fn timer_settime<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(1)?;
    let (new, old) = (call.arg(2)?, call.arg(3)?);
    if new == 0 {
        return Err(Errno::EINVAL.into());
    }
    // The setting is read before the timer is looked for.
    let absolute = flags & linux::TIMER_ABSTIME != 0;
    read_setting(call, new, absolute, false)?;
    let (number, timer) = timer_arg(call)?;
    let (at, interval) = read_setting(call, new, absolute, timer.realtime)?;
    if old != 0 {
        let bytes = setting_bytes(timer.at, timer.interval, call.node().clock.now);
        call.write_concrete(old, &bytes)?;
    }
    let node = call.node_mut();
    if let Some(timer) = node.process_mut().timers.timers.get_mut(&number) {
        *timer = ProcessTimer { at, interval, overrun: 0, ..timer.clone() };
    }
    super::fire_alarms(node);
    Ok(Reply::Value(0))
}

pub(crate) fn timer_gettime<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, timer) = timer_arg(call)?;
    let address = call.arg(1)?;
    let bytes = setting_bytes(timer.at, timer.interval, call.node().clock.now);
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

pub(crate) fn timer_getoverrun<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, timer) = timer_arg(call)?;
    Ok(Reply::Value(timer.overrun.min(i32::MAX as u64)))
}

pub(crate) fn timer_delete<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (number, _) = timer_arg(call)?;
    call.node_mut().process_mut().timers.timers.remove(&number);
    Ok(Reply::Value(0))
}
