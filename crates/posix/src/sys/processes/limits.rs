//! Resource limits.

use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ids::Pid;
use crate::state::process::limits::{RESOURCES, ResourceLimit};

fn resource_arg<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<u32, CallHalt> {
    let resource = call.arg32(index)?;
    if (resource as usize) < RESOURCES { Ok(resource) } else { Err(Errno::EINVAL.into()) }
}

fn read_limit<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
) -> Result<ResourceLimit, CallHalt> {
    Ok(ResourceLimit {
        soft: call.read_u64(address)?,
        hard: call.read_u64(address.wrapping_add(8))?,
    })
}

fn write_limit<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    ResourceLimit { soft, hard }: ResourceLimit,
) -> Result<(), CallHalt> {
    call.write_concrete(address, [soft, hard].map(u64::to_le_bytes).as_flattened())
}

pub(crate) fn getrlimit<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let resource = resource_arg(call, 0)?;
    let address = call.arg(1)?;
    let limit = call.node().process().limits.get(resource);
    write_limit(call, address, limit)?;
    Ok(Reply::Value(0))
}

pub(crate) fn setrlimit<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(1)?;
    let new = read_limit(call, address)?;
    let resource = resource_arg(call, 0)?;
    let process = call.node_mut().process_mut();
    let privileged = process.ids.effective_uid == 0;
    process.limits.set(resource, new, privileged)?;
    Ok(Reply::Value(0))
}

pub(crate) fn prlimit64<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (pid, resource) = (call.arg32(0)?, call.arg32(1)?);
    let (new, old) = (call.arg(2)?, call.arg(3)?);
    let new = if new == 0 { None } else { Some(read_limit(call, new)?) };
    let node = call.node();
    let own = node.volatile.running.0;
    let pid = if pid == 0 { own } else { Pid(pid) };
    let target = node.find(pid).ok_or(Errno::ESRCH)?;
    let (ids, theirs) = (&node.process().ids, &target.ids);
    let privileged = ids.effective_uid == 0;
    let same = [theirs.real_uid, theirs.effective_uid, theirs.saved_uid]
        .iter()
        .all(|uid| *uid == ids.real_uid);
    if pid != own && !privileged && !same {
        return Err(Errno::EPERM.into());
    }
    if resource as usize >= RESOURCES {
        return Err(Errno::EINVAL.into());
    }
    let before = target.limits.get(resource);
    if let Some(new) = new {
        target.limits.clone().set(resource, new, privileged)?;
    }
    if old != 0 {
        write_limit(call, old, before)?;
    }
    if let Some((new, process)) = new.zip(call.node_mut().find_mut(pid)) {
        process.limits.set(resource, new, privileged)?;
    }
    Ok(Reply::Value(0))
}
