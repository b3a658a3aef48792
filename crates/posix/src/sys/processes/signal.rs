//! Signals: actions, masks, sending, waiting.

use std::sync::Arc;

use everett_interp::Reg;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::signal;
use crate::state::ids::{Pid, Tid};
use crate::state::process::Process;
use crate::state::process::signals::{SIGNALS, SigSet, SignalAction, SignalInfo, UNSTOPPABLE, bit};
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::time;

/// Bytes of a signal set.
const SET_BYTES: u64 = 8;
/// `si_code` of `kill`, `sigqueue` and `tkill`.
const SI_USER: i32 = 0;
const SI_TKILL: i32 = -6;

/// The signal in argument `index`.
fn signal_arg<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<u32, CallHalt> {
    let signal = call.arg32(index)?;
    if (1..=SIGNALS).contains(&signal) { Ok(signal) } else { Err(Errno::EINVAL.into()) }
}

fn check_set_size<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<(), CallHalt> {
    if call.arg(index)? == SET_BYTES { Ok(()) } else { Err(Errno::EINVAL.into()) }
}

pub(crate) fn rt_sigaction<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    check_set_size(call, 3)?;
    let signal = signal_arg(call, 0)?;
    let (new, old) = (call.arg(1)?, call.arg(2)?);
    let action = if new == 0 {
        None
    } else {
        if bit(signal) & UNSTOPPABLE != 0 {
            return Err(Errno::EINVAL.into());
        }
        Some(SignalAction {
            handler: call.read_u64(new)?,
            flags: call.read_u64(new.wrapping_add(8))?,
            restorer: call.read_u64(new.wrapping_add(16))?,
            mask: call.read_u64(new.wrapping_add(24))?,
        })
    };
    if old != 0 {
        let SignalAction { handler, flags, restorer, mask } =
            call.node().process().actions.get(signal);
        let words = [handler, flags, restorer, mask].map(u64::to_le_bytes);
        call.write_concrete(old, words.as_flattened())?;
    }
    if let Some(action) = action {
        let process = call.node_mut().process_mut();
        Arc::make_mut(&mut process.actions).set(signal, action);
        signal::forget_ignored(process, signal);
    }
    Ok(Reply::Value(0))
}

pub(crate) fn rt_sigprocmask<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    check_set_size(call, 3)?;
    let (how, new, old) = (call.arg32(0)?, call.arg(1)?, call.arg(2)?);
    let before = call.node().thread().mask;
    let after = if new == 0 {
        before
    } else {
        let set = call.read_u64(new)?;
        match how {
            linux::SIG_BLOCK => before | set,
            linux::SIG_UNBLOCK => before & !set,
            linux::SIG_SETMASK => set,
            _ => return Err(Errno::EINVAL.into()),
        }
    };
    if old != 0 {
        call.write_u64(old, before)?;
    }
    call.node_mut().thread_mut().mask = after & !UNSTOPPABLE;
    Ok(Reply::Value(0))
}

pub(crate) fn rt_sigpending<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    check_set_size(call, 1)?;
    let address = call.arg(0)?;
    let node = call.node();
    let set = signal::pending(node, node.volatile.running) & node.thread().mask;
    call.write_u64(address, set)?;
    Ok(Reply::Value(0))
}

pub(crate) fn rt_sigsuspend<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    check_set_size(call, 1)?;
    let address = call.arg(0)?;
    let mask = call.read_u64(address)?;
    replace_mask(call, Some(mask));
    Ok(Reply::Wait(Wait::until(WaitEvent::Never)))
}

/// Sets a mask for the time of this call; [`signal`] restores it.
pub(crate) fn replace_mask<X: Guest>(call: &mut Call<'_, '_, X>, mask: Option<SigSet>) {
    let Some(mask) = mask else { return };
    let thread = call.node_mut().thread_mut();
    if thread.saved_mask.is_none() {
        thread.saved_mask = Some(thread.mask);
    }
    thread.mask = mask & !UNSTOPPABLE;
}

pub(crate) fn pause<X: Guest>(_call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Wait(Wait::until(WaitEvent::Never)))
}

pub(crate) fn rt_sigtimedwait<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    check_set_size(call, 3)?;
    let (set, info, timeout) = (call.arg(0)?, call.arg(1)?, call.arg(2)?);
    let set = call.read_u64(set)? & !UNSTOPPABLE;
    let timeout = match timeout {
        0 => None,
        address => Some(time::duration(time::read_timespec(call, address)?)?),
    };
    if info != 0 {
        call.check_writable(info, 128)?;
    }
    let node = call.node_mut();
    let own = node.thread_mut().pending.take(set);
    if let Some(taken) = own.or_else(|| node.process_mut().pending.take(set)) {
        if info != 0 {
            write_info(call, info, &taken)?;
        }
        return Ok(Reply::Value(taken.signal.into()));
    }
    if call.timed_out() || timeout == Some(0) {
        return Err(Errno::EAGAIN.into());
    }
    let deadline = call.deadline(timeout);
    Ok(Reply::Wait(Wait::until(WaitEvent::Signal(set)).by(deadline)))
}

/// Writes a `siginfo_t`.
pub(super) fn write_info<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    info: &SignalInfo,
) -> Result<(), CallHalt> {
    let mut bytes = [0u8; 128];
    bytes[0..4].copy_from_slice(&info.signal.to_le_bytes());
    bytes[8..12].copy_from_slice(&info.code.to_le_bytes());
    bytes[16..20].copy_from_slice(&info.pid.to_le_bytes());
    bytes[20..24].copy_from_slice(&info.uid.to_le_bytes());
    call.write_concrete(address, &bytes)?;
    call.write(address.wrapping_add(24), &info.value_bytes(call.cx.pool))
}

pub(crate) fn sigaltstack<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (new, old) = (call.arg(0)?, call.arg(1)?);
    let requested = if new == 0 {
        None
    } else {
        let (address, flags) = (call.read_u64(new)?, call.read_u32(new.wrapping_add(8))?);
        let size = call.read_u64(new.wrapping_add(16))?;
        if flags & !linux::SS_DISABLE != 0 {
            return Err(Errno::EINVAL.into());
        }
        if flags == 0 && size < u64::from(linux::MINSIGSTKSZ) {
            return Err(Errno::ENOMEM.into());
        }
        Some((address, flags, size))
    };
    if old != 0 {
        let current = call.node().thread().alternative_stack;
        let (address, flags, size) = current.unwrap_or((0, linux::SS_DISABLE, 0));
        let words = [address, flags.into(), size].map(u64::to_le_bytes);
        call.write_concrete(old, words.as_flattened())?;
    }
    if let Some((address, flags, size)) = requested {
        let stack = (flags & linux::SS_DISABLE == 0).then_some((address, flags, size));
        call.node_mut().thread_mut().alternative_stack = stack;
    }
    Ok(Reply::Value(0))
}

/// Returns true if the running process may send a signal to another one (kill(2)).
fn may_signal(from: &Process, to: &Process, signal: u32) -> bool {
    let (sender, target) = (&from.ids, &to.ids);
    sender.effective_uid == 0
        || [sender.real_uid, sender.effective_uid]
            .iter()
            .any(|uid| [target.real_uid, target.saved_uid].contains(uid))
        || (signal == linux::SIGCONT && from.session == to.session)
}

/// Sends a signal to one process, or says why not. Signal 0 only asks.
fn send_to<X: Guest>(
    call: &mut Call<'_, '_, X>,
    to: Pid,
    only: Option<Tid>,
    info: SignalInfo,
) -> Result<(), Errno> {
    let node = call.node();
    let target = node.find(to).ok_or(Errno::ESRCH)?;
    if only.is_some_and(|tid| !target.threads.contains_key(&tid)) {
        return Err(Errno::ESRCH);
    }
    if !may_signal(node.process(), target, info.signal) {
        return Err(Errno::EPERM);
    }
    if info.signal == 0 { Ok(()) } else { signal::send(call.node_mut(), to, only, info) }
}

fn sent_by_running<X: Guest>(call: &Call<'_, '_, X>, signal: u32, code: i32) -> SignalInfo {
    let node = call.node();
    let (pid, uid) = (node.volatile.running.0.0, node.process().ids.real_uid);
    SignalInfo { signal, code, pid, uid, value: Reg::word(0) }
}

/// A signal number that may be 0, which only asks whether the target is there.
fn signal_or_none<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<u32, CallHalt> {
    let signal = call.arg32(index)?;
    if signal <= SIGNALS { Ok(signal) } else { Err(Errno::EINVAL.into()) }
}

pub(crate) fn kill<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let target = call.arg32(0)? as i32;
    let signal = signal_or_none(call, 1)?;
    let info = sent_by_running(call, signal, SI_USER);
    if target > 0 {
        send_to(call, Pid(target as u32), None, info)?;
        return Ok(Reply::Value(0));
    }
    let node = call.node();
    let (own, group) = (node.volatile.running.0, node.process().group);
    let chosen = |pid: &Pid, process: &Process| match target {
        0 => process.group == group,
        -1 => *pid != own,
        group => process.group == Pid(group.unsigned_abs()),
    };
    let targets: Vec<Pid> = node
        .volatile
        .processes
        .iter()
        .filter(|(pid, p)| chosen(pid, p))
        .map(|(pid, _)| *pid)
        .collect();
    let results: Vec<Result<(), Errno>> =
        targets.into_iter().map(|pid| send_to(call, pid, None, info)).collect();
    match results.iter().find(|result| result.is_ok()).or(results.first()) {
        Some(result) => (*result)?,
        None => return Err(Errno::ESRCH.into()),
    }
    Ok(Reply::Value(0))
}

/// The process of a thread.
fn process_of<X: Guest>(call: &Call<'_, '_, X>, tid: Tid) -> Result<Pid, Errno> {
    let mut processes = call.node().volatile.processes.iter();
    let found = processes.find(|(_, process)| process.threads.contains_key(&tid));
    found.map(|(pid, _)| *pid).ok_or(Errno::ESRCH)
}

pub(crate) fn tkill<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let tid = call.arg32(0)? as i32;
    let signal = signal_or_none(call, 1)?;
    if tid <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let tid = Tid(tid as u32);
    let pid = process_of(call, tid)?;
    let info = sent_by_running(call, signal, SI_TKILL);
    send_to(call, pid, Some(tid), info)?;
    Ok(Reply::Value(0))
}

pub(crate) fn tgkill<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (pid, tid) = (call.arg32(0)? as i32, call.arg32(1)? as i32);
    let signal = signal_or_none(call, 2)?;
    if pid <= 0 || tid <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let info = sent_by_running(call, signal, SI_TKILL);
    send_to(call, Pid(pid as u32), Some(Tid(tid as u32)), info)?;
    Ok(Reply::Value(0))
}

/// The `siginfo_t` that a program made up itself.
fn read_info<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    signal: u32,
) -> Result<SignalInfo, CallHalt> {
    let code = call.read_u32(address.wrapping_add(8))? as i32;
    let (pid, uid) =
        (call.read_u32(address.wrapping_add(16))?, call.read_u32(address.wrapping_add(20))?);
    let value = call.read_reg(address.wrapping_add(24), 8)?;
    Ok(SignalInfo { signal, code, pid, uid, value })
}

pub(crate) fn rt_sigqueueinfo<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let pid = Pid(call.arg32(0)?);
    let signal = signal_or_none(call, 1)?;
    let address = call.arg(2)?;
    let info = read_info(call, address, signal)?;
    if info.code >= 0 && pid != call.node().volatile.running.0 {
        return Err(Errno::EPERM.into());
    }
    send_to(call, pid, None, info)?;
    Ok(Reply::Value(0))
}

pub(crate) fn rt_tgsigqueueinfo<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (pid, tid) = (Pid(call.arg32(0)?), Tid(call.arg32(1)?));
    let signal = signal_or_none(call, 2)?;
    let address = call.arg(3)?;
    let info = read_info(call, address, signal)?;
    if info.code >= 0 && pid != call.node().volatile.running.0 {
        return Err(Errno::EPERM.into());
    }
    send_to(call, pid, Some(tid), info)?;
    Ok(Reply::Value(0))
}
