//! Clocks, sleeping and interval timers.
//!
//! Time is virtual: it moves when no thread can run. A program that does nothing but look at a clock
//! waits for time to pass, so after many readings in a row each further one moves time on.

mod symbolic;
pub(super) mod timer;

use everett_interp::State;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::signal;
use crate::state::ids::{Pid, Tid, Time};
use crate::state::node::Node;
use crate::state::process::timers::after;
use crate::state::process::{IntervalTimer, Process};
use crate::state::wait::{Wait, WaitEvent};

pub(crate) use timer::{read_setting, setting_bytes};

/// Nanoseconds of a second.
pub(crate) const SECOND: u64 = 1_000_000_000;
/// Nanoseconds of a microsecond.
const MICROSECOND: u64 = 1000;
/// Nanoseconds between two ticks of coarse clocks.
const TICK: u64 = 4_000_000;
/// Nanoseconds of a unit of `clock_t` (100 a second).
const CLOCK_UNIT: u64 = SECOND / 100;
/// Clock readings in a row after which a program is taken to wait for time to pass.
const PATIENCE: u32 = 1000;
/// Nanoseconds by which each further reading moves time on.
pub(crate) const STEP: u64 = 1_000_000;

/// A `struct timespec`.
pub(crate) type Timespec = (i64, i64);

/// Reads a `struct timespec`.
pub(crate) fn read_timespec<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
) -> Result<Timespec, CallHalt> {
    let seconds = call.read_u64(address)? as i64;
    let nanoseconds = call.read_u64(address.wrapping_add(8))? as i64;
    Ok((seconds, nanoseconds))
}

/// Writes a time as a `struct timespec`.
pub(crate) fn write_timespec<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    time: i128,
) -> Result<(), CallHalt> {
    call.write_concrete(address, &timespec_bytes(time))
}

/// A time as a `struct timespec`.
pub(crate) fn timespec_bytes(time: i128) -> [u8; 16] {
    pair_bytes(time, 1)
}

/// A time as a `struct timeval`.
pub(crate) fn timeval_bytes(time: i128) -> [u8; 16] {
    pair_bytes(time, MICROSECOND)
}

/// A time as a `struct timespec` (unit 1) or `struct timeval` (unit 1000).
fn pair_bytes(time: i128, unit: u64) -> [u8; 16] {
    let second = i128::from(SECOND);
    let (seconds, rest) = (time.div_euclid(second), time.rem_euclid(second));
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&(seconds as i64).to_le_bytes());
    bytes[8..].copy_from_slice(&(rest as i64 / unit as i64).to_le_bytes());
    bytes
}

/// The length of an interval, in nanoseconds; `EINVAL` if it is none.
pub(crate) fn duration((seconds, nanoseconds): Timespec) -> Result<Time, Errno> {
    if seconds < 0 || !(0..SECOND as i64).contains(&nanoseconds) {
        return Err(Errno::EINVAL);
    }
    Ok((seconds as u64).saturating_mul(SECOND).saturating_add(nanoseconds as u64))
}

/// The length of an interval that is a `struct timeval`.
pub(crate) fn duration_us((seconds, microseconds): Timespec) -> Result<Time, Errno> {
    let limit = (SECOND / MICROSECOND) as i64;
    if !(0..limit).contains(&microseconds) {
        return Err(Errno::EINVAL);
    }
    duration((seconds, microseconds * MICROSECOND as i64))
}

/// The time until a clock shows a time; 0 if it is past.
pub(crate) fn until(node: &Node, (seconds, nanoseconds): Timespec, realtime: bool) -> Time {
    let at = i128::from(seconds) * i128::from(SECOND) + i128::from(nanoseconds);
    let now = if realtime { node.wall_clock_ns() } else { node.monotonic_ns() };
    u64::try_from((at - now).max(0)).unwrap_or(u64::MAX)
}

/// Sends the signals of interval timers whose time has come.
pub(crate) fn fire_alarms(node: &mut Node) {
    let now = node.clock.now;
    let due = |process: &Process| next_alarm(process).is_some_and(|at| at <= now);
    let pids: Vec<Pid> = node
        .volatile
        .processes
        .iter()
        .filter(|(_, process)| due(process))
        .map(|(pid, _)| *pid)
        .collect();
    for pid in pids {
        timer::fire(node, pid);
        let Some(process) = node.find_mut(pid) else { continue };
        let Some(IntervalTimer { at, interval }) = process.alarm.filter(|alarm| alarm.at <= now)
        else {
            continue;
        };
        let next =
            (interval > 0).then(|| IntervalTimer { at: after(at, interval, now).0, interval });
        process.alarm = next;
        // A process that is gone needs no signal.
        let _ = signal::send(node, pid, None, signal::from_kernel(linux::SIGALRM));
    }
}

/// The time at which the next timer of a process expires.
pub(crate) fn next_alarm(process: &Process) -> Option<Time> {
    let alarm = process.alarm.map(|alarm| alarm.at);
    alarm.into_iter().chain(process.timers.next()).min()
}

/// Counts a reading of a clock; many in a row move time on.
fn reading<X: Guest>(call: &mut Call<'_, '_, X>) {
    polled(call.node_mut());
}

/// Counts a call that asked whether something has happened, and nothing had.
pub(crate) fn polled(node: &mut Node) {
    let thread = node.thread_mut();
    thread.polled = true;
    thread.idle_readings = thread.idle_readings.saturating_add(1);
}

/// Returns true if the running thread has asked so often in vain that time should pass.
pub(crate) fn is_impatient(node: &Node) -> bool {
    node.thread().idle_readings > PATIENCE
}

/// Processor time of the running process: one nanosecond an instruction, and the time that it spent
/// looking at clocks.
fn processor_time<X: Guest>(call: &Call<'_, '_, X>) -> Time {
    call.st.instructions + call.node().process().settings.polling_ns
}

// ---- clocks --------------------------------------------------------------------------------

/// The time that a clock measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClockKind {
    Realtime,
    Monotonic,
    Processor,
}

/// The clock of a number, and its resolution; `EINVAL` if there is none.
fn clock<X: Guest>(call: &Call<'_, '_, X>, id: u32) -> Result<(ClockKind, Time), Errno> {
    Ok(match id {
        linux::CLOCK_REALTIME | linux::CLOCK_REALTIME_ALARM | linux::CLOCK_TAI => {
            (ClockKind::Realtime, 1)
        }
        linux::CLOCK_REALTIME_COARSE => (ClockKind::Realtime, TICK),
        linux::CLOCK_MONOTONIC
        | linux::CLOCK_MONOTONIC_RAW
        | linux::CLOCK_BOOTTIME
        | linux::CLOCK_BOOTTIME_ALARM => (ClockKind::Monotonic, 1),
        linux::CLOCK_MONOTONIC_COARSE => (ClockKind::Monotonic, TICK),
        linux::CLOCK_PROCESS_CPUTIME_ID | linux::CLOCK_THREAD_CPUTIME_ID => {
            (ClockKind::Processor, 1)
        }
        id if (id as i32) < 0 && is_own_processor_clock(call.node(), id) => {
            (ClockKind::Processor, 1)
        }
        _ => return Err(Errno::EINVAL),
    })
}

/// Returns true if a number made by `clock_getcpuclockid` or `pthread_getcpuclockid` is of a process or
/// thread that is there.
fn is_own_processor_clock(node: &Node, id: u32) -> bool {
    const SCHEDULED: u32 = 2;
    const PER_THREAD: u32 = 4;
    let number = !((id as i32) >> 3) as u32;
    if id & 3 != SCHEDULED {
        return false;
    }
    let own = number == 0;
    if id & PER_THREAD != 0 {
        own || node.process().threads.contains_key(&Tid(number))
    } else {
        own || node.find(Pid(number)).is_some()
    }
}

/// The time that a clock shows.
fn show<X: Guest>(call: &Call<'_, '_, X>, (clock, resolution): (ClockKind, Time)) -> i128 {
    let time = match clock {
        ClockKind::Realtime => call.node().wall_clock_ns(),
        ClockKind::Monotonic => call.node().monotonic_ns(),
        ClockKind::Processor => i128::from(processor_time(call)),
    };
    time - time.rem_euclid(i128::from(resolution))
}

pub(crate) fn clock_gettime<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (id, address) = (call.arg32(0)?, call.arg(1)?);
    let clock = clock(call, id)?;
    call.check_writable(address, 16)?;
    if clock.0 == ClockKind::Realtime {
        call.read_wall_clock()?;
    }
    reading(call);
    let time = show(call, clock);
    match symbolic::reading(call, clock.0, time)? {
        None => write_timespec(call, address, time)?,
        Some(bytes) => call.write(address, &bytes)?,
    }
    Ok(Reply::Value(0))
}

pub(crate) fn clock_getres<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (id, address) = (call.arg32(0)?, call.arg(1)?);
    let (_, resolution) = clock(call, id)?;
    if address != 0 {
        write_timespec(call, address, resolution.into())?;
    }
    Ok(Reply::Value(0))
}

pub(crate) fn clock_settime<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (id, address) = (call.arg32(0)?, call.arg(1)?);
    if id != linux::CLOCK_REALTIME {
        // No other clock can be set; those that measure processor time say so in another way.
        let (clock, _) = clock(call, id)?;
        let errno = if clock == ClockKind::Processor { Errno::EPERM } else { Errno::EINVAL };
        return Err(errno.into());
    }
    let time = duration(read_timespec(call, address)?)?;
    set_wall_clock(call, time)
}

pub(crate) fn settimeofday<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (time, zone) = (call.arg(0)?, call.arg(1)?);
    if zone != 0 {
        return Err(call.unsupported("a time zone"));
    }
    if time == 0 {
        return Ok(Reply::Value(0));
    }
    let time = duration_us(read_timespec(call, time)?)?;
    set_wall_clock(call, time)
}

fn set_wall_clock<X: Guest>(call: &mut Call<'_, '_, X>, time: Time) -> Answer {
    let node = call.node_mut();
    if node.process().ids.effective_uid != 0 {
        return Err(Errno::EPERM.into());
    }
    node.clock.epoch_ns = i128::from(time) - i128::from(node.clock.now);
    node.path.clocks.realtime = None;
    Ok(Reply::Value(0))
}

/// The functions of the C library ask `clock_gettime`. A program that makes other calls by itself would get
/// times that run backwards.
fn refuse_symbolic<X: Guest>(call: &Call<'_, '_, X>) -> Result<(), CallHalt> {
    match call.node().path.clocks.are_on {
        true => Err(call.unsupported("a symbolic time; call the function of the C library")),
        false => Ok(()),
    }
}

pub(crate) fn gettimeofday<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (time, zone) = (call.arg(0)?, call.arg(1)?);
    if time != 0 {
        call.check_writable(time, 16)?;
    }
    if zone != 0 {
        call.write_concrete(zone, &[0; 8])?;
    }
    refuse_symbolic(call)?;
    call.read_wall_clock()?;
    reading(call);
    if time != 0 {
        let now = call.node().wall_clock_ns();
        call.write_concrete(time, &pair_bytes(now, MICROSECOND))?;
    }
    Ok(Reply::Value(0))
}

pub(crate) fn time<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(0)?;
    if address != 0 {
        call.check_writable(address, 8)?;
    }
    refuse_symbolic(call)?;
    call.read_wall_clock()?;
    reading(call);
    let seconds = call.node().wall_clock_ns().div_euclid(i128::from(SECOND)) as u64;
    if address != 0 {
        call.write_u64(address, seconds)?;
    }
    Ok(Reply::Value(seconds))
}

// ---- sleeping ------------------------------------------------------------------------------

pub(crate) fn nanosleep<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (request, left) = (call.arg(0)?, call.arg(1)?);
    let timeout = duration(read_timespec(call, request)?)?;
    sleep(call, timeout, left)
}

pub(crate) fn clock_nanosleep<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (id, flags) = (call.arg32(0)?, call.arg32(1)?);
    let (request, left) = (call.arg(2)?, call.arg(3)?);
    let (kind, resolution) = clock(call, id)?;
    match kind {
        _ if id == linux::CLOCK_THREAD_CPUTIME_ID => return Err(Errno::EINVAL.into()),
        _ if resolution == TICK || id == linux::CLOCK_MONOTONIC_RAW => {
            return Err(Errno::EOPNOTSUPP.into());
        }
        ClockKind::Processor => return Err(call.unsupported("sleeping for processor time")),
        ClockKind::Realtime | ClockKind::Monotonic => {}
    }
    let time = read_timespec(call, request)?;
    let timeout = duration(time)?;
    if flags & linux::TIMER_ABSTIME != 0 {
        let timeout = until(call.node(), time, kind == ClockKind::Realtime);
        return sleep(call, timeout, 0);
    }
    sleep(call, timeout, left)
}

fn sleep<X: Guest>(call: &mut Call<'_, '_, X>, timeout: Time, left: u64) -> Answer {
    if call.timed_out() {
        return Ok(Reply::Value(0));
    }
    let deadline = call.deadline(Some(timeout));
    Ok(Reply::Wait(Wait::until(WaitEvent::Sleep { left }).by(deadline)))
}

/// Tells a sleeper that a signal interrupts how much was left of its sleep.
pub(crate) fn interrupted<X: Guest>(st: &mut State<X>, wait: &Wait) {
    let (WaitEvent::Sleep { left }, Some(deadline)) = (&wait.event, wait.deadline) else { return };
    if *left != 0 {
        let rest = deadline.saturating_sub(st.extra.node().clock.now);
        // The call fails in any case.
        let _ = st.mem.write_bytes(*left, &timespec_bytes(rest.into()));
    }
}

// ---- processor time ------------------------------------------------------------------------

pub(crate) fn times<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(0)?;
    if address != 0 {
        let mut bytes = [0; 32];
        let units = processor_time(call) / CLOCK_UNIT;
        bytes[..8].copy_from_slice(&units.to_le_bytes());
        call.write_concrete(address, &bytes)?;
    }
    let now = call.node().monotonic_ns() as u64 / CLOCK_UNIT;
    Ok(Reply::Value(now))
}

pub(crate) fn getrusage<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const BYTES: usize = 144;
    let (who, address) = (call.arg32(0)?, call.arg(1)?);
    let time = match who as i32 {
        linux::RUSAGE_CHILDREN => 0,
        0 | 1 => processor_time(call),
        _ => return Err(Errno::EINVAL.into()),
    };
    let mut bytes = [0; BYTES];
    bytes[..16].copy_from_slice(&pair_bytes(time.into(), MICROSECOND));
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

// ---- interval timers -----------------------------------------------------------------------

/// The alarm of the running process as a `struct itimerval`.
fn alarm_bytes(node: &Node) -> [u8; 32] {
    let mut bytes = [0; 32];
    if let Some(IntervalTimer { at, interval }) = node.process().alarm {
        // A timer that is armed never shows 0.
        let left = at.saturating_sub(node.clock.now).max(MICROSECOND);
        bytes[..16].copy_from_slice(&pair_bytes(interval.into(), MICROSECOND));
        bytes[16..].copy_from_slice(&pair_bytes(left.into(), MICROSECOND));
    }
    bytes
}

/// The interval timer that argument 0 names; only that of real time is implemented.
fn interval_timer<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<u32, CallHalt> {
    let which = call.arg32(0)?;
    if which <= linux::ITIMER_PROF { Ok(which) } else { Err(Errno::EINVAL.into()) }
}

pub(crate) fn getitimer<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let which = interval_timer(call)?;
    let address = call.arg(1)?;
    let bytes = if which == linux::ITIMER_REAL { alarm_bytes(call.node()) } else { [0; 32] };
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

pub(crate) fn setitimer<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let which = call.arg32(0)?;
    let (new, old) = (call.arg(1)?, call.arg(2)?);
    let (interval, value) = if new == 0 {
        (0, 0)
    } else {
        let interval = read_timespec(call, new)?;
        let value = read_timespec(call, new.wrapping_add(16))?;
        (duration_us(interval)?, duration_us(value)?)
    };
    let which = if which <= linux::ITIMER_PROF { which } else { return Err(Errno::EINVAL.into()) };
    let real = which == linux::ITIMER_REAL;
    if !real && value > 0 {
        return Err(call.unsupported("a timer of processor time"));
    }
    if old != 0 {
        let bytes = if real { alarm_bytes(call.node()) } else { [0; 32] };
        call.write_concrete(old, &bytes)?;
    }
    if real {
        set_alarm(call.node_mut(), value, interval);
    }
    Ok(Reply::Value(0))
}

fn set_alarm(node: &mut Node, value: Time, interval: Time) {
    let at = node.clock.now.saturating_add(value);
    node.process_mut().alarm = (value > 0).then_some(IntervalTimer { at, interval });
}

pub(crate) fn alarm<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let seconds = call.arg32(0)?;
    let node = call.node_mut();
    let left =
        node.process().alarm.map_or(0, |alarm| alarm.at.saturating_sub(node.clock.now).max(1));
    set_alarm(node, u64::from(seconds) * SECOND, 0);
    // Rounded to the nearest second, but never to none (alarm(2)).
    let rounded = (left + SECOND / 2) / SECOND;
    Ok(Reply::Value(if left > 0 { rounded.max(1) } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_with_too_many_nanoseconds_are_refused() {
        assert_eq!(duration((1, 5)), Ok(SECOND + 5));
        for wrong in [(0, SECOND as i64), (0, -1), (-1, 0)] {
            assert_eq!(duration(wrong), Err(Errno::EINVAL));
        }
        assert_eq!(duration_us((0, 1)), Ok(1000));
        assert_eq!(duration_us((0, 1_000_000)), Err(Errno::EINVAL));
        assert_eq!(duration((i64::MAX, 0)), Ok(u64::MAX), "for ever");
    }

    #[test]
    fn times_before_1970_have_a_positive_rest() {
        let bytes = timespec_bytes(-1);
        assert_eq!(bytes[..8], (-1i64).to_le_bytes());
        assert_eq!(bytes[8..], 999_999_999i64.to_le_bytes());
    }

    #[test]
    fn a_late_timer_counts_every_expiration() {
        assert_eq!(after(10, 5, 10), (15, 1));
        assert_eq!(after(10, 5, 14), (15, 1));
        assert_eq!(after(10, 5, 15), (20, 2));
        assert_eq!(after(10, 5, 29), (30, 4));
    }
}
