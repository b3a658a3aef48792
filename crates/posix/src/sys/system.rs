//! The machine and how a process stands to it: its names, processors, priorities, oddities.

pub(super) mod prctl;

use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::time;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::signal;
use crate::state::ids::{Pid, Tid};
use crate::state::node::Node;
use crate::state::process::Process;

/// Sends a process the signal that it asked for when its parent ends.
pub(crate) fn parent_ended(node: &mut Node, pid: Pid) {
    let signal = node.find(pid).map_or(0, |process| process.settings.parent_death_signal);
    if signal != 0 {
        // Somebody who has ended, too, needs no signal.
        let _ = signal::send(node, pid, None, signal::from_kernel(signal));
    }
}

pub(crate) fn nothing<X: Guest>(_call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(0))
}

fn is_root(node: &Node) -> bool {
    node.process().ids.effective_uid == 0
}

// ---- the machine ---------------------------------------------------------------------------

/// Bytes of a field of `struct utsname`.
const NAME_BYTES: usize = 65;

pub(crate) fn uname<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(0)?;
    let node = call.node();
    let fields: [&[u8]; 6] =
        [b"Linux", &node.volatile.hostname, b"6.1.0", b"#1 SMP", b"x86_64", b"(none)"];
    let mut bytes = [0; 6 * NAME_BYTES];
    for (field, text) in bytes.chunks_mut(NAME_BYTES).zip(fields) {
        let len = text.len().min(NAME_BYTES - 1);
        field[..len].copy_from_slice(&text[..len]);
    }
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

/// The new name in arguments 0 and 1, if the running process may set one.
fn name_arg<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<Vec<u8>, CallHalt> {
    let (address, len) = (call.arg(0)?, call.arg32(1)?);
    if !is_root(call.node()) {
        return Err(Errno::EPERM.into());
    }
    if len as usize >= NAME_BYTES {
        return Err(Errno::EINVAL.into());
    }
    call.read_settled(address, len.into())
}

pub(crate) fn sethostname<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let name = name_arg(call)?;
    call.node_mut().volatile.hostname = name.into();
    Ok(Reply::Value(0))
}

pub(crate) fn setdomainname<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    name_arg(call)?;
    Err(call.unsupported("a domain name"))
}

pub(crate) fn sysinfo<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const TOTAL: u64 = 8 << 30;
    let address = call.arg(0)?;
    let node = call.node();
    let uptime = node.monotonic_ns() as u64 / time::SECOND;
    let mut bytes = [0; 112];
    let mut put = |at: usize, word: u64| bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
    put(0, uptime);
    put(32, TOTAL);
    put(40, TOTAL / 2);
    put(80, node.volatile.processes.len() as u64 & 0xffff);
    put(104, 1);
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

pub(crate) fn syslog<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    if is_root(call.node()) {
        return Err(call.unsupported("the log of the kernel"));
    }
    Err(Errno::EPERM.into())
}

// ---- processors ----------------------------------------------------------------------------

/// The process whose thread has the number in an argument; 0 is the running one.
fn thread_arg<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<Pid, CallHalt> {
    let number = call.arg32(index)?;
    let node = call.node();
    if number == 0 {
        return Ok(node.volatile.running.0);
    }
    let has = |process: &Process| process.threads.contains_key(&Tid(number));
    let found = node.volatile.processes.iter().find(|(_, process)| has(process));
    Ok(found.map(|(pid, _)| *pid).ok_or(Errno::ESRCH)?)
}

pub(crate) fn sched_getaffinity<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (len, address) = (call.arg32(1)?, call.arg(2)?);
    if len == 0 || !len.is_multiple_of(8) {
        return Err(Errno::EINVAL.into());
    }
    thread_arg(call, 0)?;
    call.write_u64(address, 1)?;
    Ok(Reply::Value(8))
}

pub(crate) fn sched_setaffinity<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (len, address) = (call.arg32(1)?, call.arg(2)?);
    let first = if len == 0 { 0 } else { call.read_settled(address, 1)?[0] };
    thread_arg(call, 0)?;
    // There is one processor, the first.
    if first & 1 == 0 { Err(Errno::EINVAL.into()) } else { Ok(Reply::Value(0)) }
}

pub(crate) fn getcpu<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    for address in [call.arg(0)?, call.arg(1)?] {
        if address != 0 {
            call.write_u32(address, 0)?;
        }
    }
    Ok(Reply::Value(0))
}

/// The lowest and highest priority of a way of scheduling.
fn priorities(policy: u32) -> Result<(u32, u32), Errno> {
    match policy {
        linux::SCHED_FIFO | linux::SCHED_RR => Ok((1, 99)),
        linux::SCHED_NORMAL | linux::SCHED_BATCH | linux::SCHED_IDLE | linux::SCHED_DEADLINE => {
            Ok((0, 0))
        }
        _ => Err(Errno::EINVAL),
    }
}

pub(crate) fn sched_get_priority_max<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let policy = call.arg32(0)?;
    Ok(Reply::Value(priorities(policy)?.1.into()))
}

pub(crate) fn sched_get_priority_min<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let policy = call.arg32(0)?;
    Ok(Reply::Value(priorities(policy)?.0.into()))
}

pub(crate) fn sched_getscheduler<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let pid = thread_arg(call, 0)?;
    let policy = call.node().find(pid).map_or(0, |process| process.settings.policy);
    Ok(Reply::Value(policy.into()))
}

pub(crate) fn sched_setscheduler<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (policy, address) = (call.arg32(1)?, call.arg(2)?);
    if address == 0 || (policy as i32) < 0 {
        return Err(Errno::EINVAL.into());
    }
    let priority = call.read_u32(address)?;
    set_policy(call, policy & !linux::SCHED_RESET_ON_FORK, priority)
}

pub(crate) fn sched_setparam<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(1)?;
    if address == 0 {
        return Err(Errno::EINVAL.into());
    }
    let priority = call.read_u32(address)?;
    let pid = thread_arg(call, 0)?;
    let policy = call.node().find(pid).map_or(0, |process| process.settings.policy);
    set_policy(call, policy, priority)
}

fn set_policy<X: Guest>(call: &mut Call<'_, '_, X>, policy: u32, priority: u32) -> Answer {
    let pid = thread_arg(call, 0)?;
    let (least, most) = priorities(policy)?;
    if !(least..=most).contains(&priority) {
        return Err(Errno::EINVAL.into());
    }
    if policy == linux::SCHED_DEADLINE {
        return Err(Errno::EINVAL.into());
    }
    if most > 0 {
        if !is_root(call.node()) {
            return Err(Errno::EPERM.into());
        }
        return Err(call.unsupported("real-time scheduling"));
    }
    if let Some(process) = call.node_mut().find_mut(pid) {
        process.settings.policy = policy;
    }
    Ok(Reply::Value(0))
}

pub(crate) fn sched_getparam<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(1)?;
    if address == 0 {
        return Err(Errno::EINVAL.into());
    }
    thread_arg(call, 0)?;
    call.write_u32(address, 0)?;
    Ok(Reply::Value(0))
}

pub(crate) fn sched_rr_get_interval<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const SLICE: i128 = 4_000_000;
    let address = call.arg(1)?;
    thread_arg(call, 0)?;
    time::write_timespec(call, address, SLICE)?;
    Ok(Reply::Value(0))
}

/// The processes that arguments 0 and 1 of `getpriority` name.
fn prioritised<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<Vec<Pid>, CallHalt> {
    let which = call.arg32(0)?;
    let who = call.arg32(1)?;
    let node = call.node();
    let or_own = |own: u32| if who == 0 { own } else { who };
    let chosen: Vec<Pid> = match which {
        linux::PRIO_PROCESS => vec![thread_arg(call, 1)?],
        linux::PRIO_PGRP => {
            let group = Pid(or_own(node.process().group.0));
            let processes =
                node.volatile.processes.iter().filter(|(_, process)| process.group == group);
            processes.map(|(pid, _)| *pid).collect()
        }
        linux::PRIO_USER => {
            let uid = or_own(node.process().ids.real_uid);
            let processes = node.volatile.processes.iter().filter(|(_, p)| p.ids.real_uid == uid);
            processes.map(|(pid, _)| *pid).collect()
        }
        _ => return Err(Errno::EINVAL.into()),
    };
    if chosen.is_empty() { Err(Errno::ESRCH.into()) } else { Ok(chosen) }
}

pub(crate) fn getpriority<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let chosen = prioritised(call)?;
    let node = call.node();
    let nice = chosen.iter().filter_map(|pid| node.find(*pid)).map(|p| p.settings.nice).min();
    // 40 to 1 instead of -20 to 19, so that it is no error number.
    Ok(Reply::Value((20 - nice.unwrap_or(0)) as u64))
}

pub(crate) fn setpriority<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let chosen = prioritised(call)?;
    let nice = (call.arg32(2)? as i32).clamp(-20, 19);
    let node = call.node();
    let ids = node.process().ids.clone();
    for process in chosen.iter().filter_map(|pid| node.find(*pid)) {
        if ids.effective_uid == 0 {
            break;
        }
        if ![process.ids.real_uid, process.ids.effective_uid].contains(&ids.effective_uid) {
            return Err(Errno::EPERM.into());
        }
        if nice < process.settings.nice {
            return Err(Errno::EACCES.into());
        }
    }
    for pid in chosen {
        if let Some(process) = call.node_mut().find_mut(pid) {
            process.settings.nice = nice;
        }
    }
    Ok(Reply::Value(0))
}

// ---- the process ---------------------------------------------------------------------------

pub(crate) fn personality<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const ASK: u32 = u32::MAX;
    const FLAGS: u32 = 0xffff_0000;
    let asked = call.arg32(0)?;
    let before = call.node().process().settings.personality;
    if asked != ASK {
        // Flags are about addresses and times that are as they are; other systems are not here.
        if asked & !FLAGS != 0 {
            return Err(call.unsupported(format!("personality {asked:#x}")));
        }
        call.node_mut().process_mut().settings.personality = asked;
    }
    Ok(Reply::Value(before.into()))
}

pub(crate) fn arch_prctl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const ARCH_SET_GS: u32 = 0x1001;
    const ARCH_SET_FS: u32 = 0x1002;
    const ARCH_GET_FS: u32 = 0x1003;
    const ARCH_GET_GS: u32 = 0x1004;
    let (code, address) = (call.arg32(0)?, call.arg(1)?);
    match code {
        ARCH_SET_FS => call.st.thread_pointer = address,
        ARCH_GET_FS => {
            let pointer = call.st.thread_pointer;
            call.write_u64(address, pointer)?;
        }
        ARCH_SET_GS | ARCH_GET_GS => return Err(call.unsupported("the GS register")),
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(Reply::Value(0))
}

/// Memory is never moved out, so it only has to be there.
pub(crate) fn mlock<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, len) = (call.arg(0)?, call.arg(1)?);
    if len > 0 && call.st.mem.check(address, len).is_err() {
        return Err(Errno::ENOMEM.into());
    }
    Ok(Reply::Value(0))
}
