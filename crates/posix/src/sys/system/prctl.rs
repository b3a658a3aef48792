//! `prctl`.

use linux_raw_sys::prctl as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::process::settings::TIMER_SLACK_NS;
use crate::state::process::signals::SIGNALS;

/// Bytes of a thread's name with its terminator.
const NAME_BYTES: usize = 16;
/// The last capability.
const LAST_CAPABILITY: u64 = 40;
/// The last of the options that are numbered one by one.
const LAST_OPTION: u32 = 78;
/// Options that a kernel refuses that was built without what they are for.
const PR_SET_PTRACER: u32 = 0x5961_6d61;

pub(crate) fn prctl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let option = call.arg32(0)?;
    let value = match option {
        linux::PR_SET_NAME => set_name(call)?,
        linux::PR_GET_NAME => get_name(call)?,
        linux::PR_SET_PDEATHSIG => set_parent_death_signal(call)?,
        linux::PR_GET_PDEATHSIG => {
            let signal = call.node().process().settings.parent_death_signal;
            let address = call.arg(1)?;
            call.write_u32(address, signal)?;
            0
        }
        linux::PR_GET_DUMPABLE => u64::from(!call.node().process().settings.not_dumpable),
        linux::PR_SET_DUMPABLE => {
            let on = flag(call)?;
            call.node_mut().process_mut().settings.not_dumpable = !on;
            0
        }
        linux::PR_GET_KEEPCAPS => u64::from(call.node().process().settings.keep_capabilities),
        linux::PR_SET_KEEPCAPS => {
            let on = flag(call)?;
            call.node_mut().process_mut().settings.keep_capabilities = on;
            0
        }
        linux::PR_SET_NO_NEW_PRIVS => {
            if call.arg(1)? != 1 {
                return Err(Errno::EINVAL.into());
            }
            rest_is_zero(call, 2)?;
            call.node_mut().process_mut().settings.no_new_privileges = true;
            0
        }
        linux::PR_GET_NO_NEW_PRIVS => {
            rest_is_zero(call, 1)?;
            u64::from(call.node().process().settings.no_new_privileges)
        }
        linux::PR_SET_TIMERSLACK => {
            let asked = call.arg(1)?;
            let slack = if asked == 0 { TIMER_SLACK_NS } else { asked };
            call.node_mut().process_mut().settings.timer_slack_ns = slack;
            0
        }
        linux::PR_GET_TIMERSLACK => call.node().process().settings.timer_slack_ns,
        linux::PR_SET_THP_DISABLE => {
            let on = call.arg(1)? != 0;
            rest_is_zero(call, 2)?;
            call.node_mut().process_mut().settings.no_huge_pages = on;
            0
        }
        linux::PR_GET_THP_DISABLE => {
            rest_is_zero(call, 1)?;
            u64::from(call.node().process().settings.no_huge_pages)
        }
        linux::PR_CAPBSET_READ => {
            let capability = call.arg(1)?;
            if capability > LAST_CAPABILITY {
                return Err(Errno::EINVAL.into());
            }
            1
        }
        linux::PR_GET_SECCOMP => 0,
        linux::PR_SET_SECCOMP | linux::PR_SET_VMA | PR_SET_PTRACER => {
            return Err(Errno::EINVAL.into());
        }
        // What no kernel knows is refused; what some do is not implemented.
        other if !(1..=LAST_OPTION).contains(&other) => return Err(Errno::EINVAL.into()),
        other => return Err(call.unsupported(format!("option {other}"))),
    };
    Ok(Reply::Value(value))
}

/// Argument 1 as 0 or 1.
fn flag<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<bool, CallHalt> {
    match call.arg(1)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Errno::EINVAL.into()),
    }
}

fn rest_is_zero<X: Guest>(call: &mut Call<'_, '_, X>, from: usize) -> Result<(), CallHalt> {
    for index in from..5 {
        if call.arg(index)? != 0 {
            return Err(Errno::EINVAL.into());
        }
    }
    Ok(())
}

fn set_name<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<u64, CallHalt> {
    let address = call.arg(1)?;
    // A longer name is cut.
    let mut name = Vec::new();
    while name.len() < NAME_BYTES - 1 {
        let byte = call.read_settled(address.wrapping_add(name.len() as u64), 1)?[0];
        if byte == 0 {
            break;
        }
        name.push(byte);
    }
    let node = call.node_mut();
    let (pid, tid) = node.volatile.running;
    if pid.0 == tid.0 {
        node.process_mut().name = name;
    } else {
        node.thread_mut().name = Some(name);
    }
    Ok(0)
}

fn get_name<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<u64, CallHalt> {
    let address = call.arg(1)?;
    let node = call.node();
    let name = node.thread().name.as_ref().unwrap_or(&node.process().name);
    let mut bytes = [0; NAME_BYTES];
    let len = name.len().min(NAME_BYTES - 1);
    bytes[..len].copy_from_slice(&name[..len]);
    call.write_concrete(address, &bytes)?;
    Ok(0)
}

fn set_parent_death_signal<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<u64, CallHalt> {
    let signal = call.arg(1)?;
    if signal > SIGNALS.into() {
        return Err(Errno::EINVAL.into());
    }
    call.node_mut().process_mut().settings.parent_death_signal = signal as u32;
    Ok(0)
}
