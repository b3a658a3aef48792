//! The identity of a process: its numbers, users and groups, capabilities.

use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ids::Pid;
use crate::state::process::{Process, ProcessIds};

/// The argument that leaves a number as it is.
const UNCHANGED: u32 = u32::MAX;

pub(crate) fn getpid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().volatile.running.0.0.into()))
}

pub(crate) fn gettid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().volatile.running.1.0.into()))
}

pub(crate) fn getppid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().process().parent.0.into()))
}

// ---- users and groups ----------------------------------------------------------------------

/// Real, effective and saved number of a user or group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct IdTriple {
    real: u32,
    effective: u32,
    saved: u32,
}

impl IdTriple {
    fn has(self, id: u32) -> bool {
        [self.real, self.effective, self.saved].contains(&id)
    }

    /// The numbers after `setuid`.
    fn set(self, id: u32, privileged: bool) -> Result<IdTriple, Errno> {
        if id == UNCHANGED {
            Err(Errno::EINVAL)
        } else if privileged {
            Ok(IdTriple { real: id, effective: id, saved: id })
        } else if id == self.real || id == self.saved {
            Ok(IdTriple { effective: id, ..self })
        } else {
            Err(Errno::EPERM)
        }
    }

    /// The numbers after `setreuid`.
    fn set_two(self, real: u32, effective: u32, privileged: bool) -> Result<IdTriple, Errno> {
        let mut new = self;
        if real != UNCHANGED {
            if !privileged && real != self.real && real != self.effective {
                return Err(Errno::EPERM);
            }
            new.real = real;
        }
        if effective != UNCHANGED {
            if !privileged && !self.has(effective) {
                return Err(Errno::EPERM);
            }
            new.effective = effective;
        }
        if real != UNCHANGED || (effective != UNCHANGED && effective != self.real) {
            new.saved = new.effective;
        }
        Ok(new)
    }

    /// The numbers after `setresuid`.
    fn set_three(self, asked: [u32; 3], privileged: bool) -> Result<IdTriple, Errno> {
        if !privileged && asked.iter().any(|id| *id != UNCHANGED && !self.has(*id)) {
            return Err(Errno::EPERM);
        }
        let [real, effective, saved] = asked;
        let or = |new, old| if new == UNCHANGED { old } else { new };
        Ok(IdTriple {
            real: or(real, self.real),
            effective: or(effective, self.effective),
            saved: or(saved, self.saved),
        })
    }
}

fn users(ids: &ProcessIds) -> IdTriple {
    IdTriple { real: ids.real_uid, effective: ids.effective_uid, saved: ids.saved_uid }
}

fn groups(ids: &ProcessIds) -> IdTriple {
    IdTriple { real: ids.real_gid, effective: ids.effective_gid, saved: ids.saved_gid }
}

fn change_users<X: Guest>(
    call: &mut Call<'_, '_, X>,
    change: impl FnOnce(IdTriple, bool) -> Result<IdTriple, Errno>,
) -> Answer {
    let ids = &mut call.node_mut().process_mut().ids;
    let IdTriple { real, effective, saved } = change(users(ids), ids.effective_uid == 0)?;
    (ids.real_uid, ids.effective_uid, ids.saved_uid) = (real, effective, saved);
    Ok(Reply::Value(0))
}

fn change_groups<X: Guest>(
    call: &mut Call<'_, '_, X>,
    change: impl FnOnce(IdTriple, bool) -> Result<IdTriple, Errno>,
) -> Answer {
    let ids = &mut call.node_mut().process_mut().ids;
    let IdTriple { real, effective, saved } = change(groups(ids), ids.effective_uid == 0)?;
    (ids.real_gid, ids.effective_gid, ids.saved_gid) = (real, effective, saved);
    Ok(Reply::Value(0))
}

pub(crate) fn getuid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().process().ids.real_uid.into()))
}

pub(crate) fn geteuid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().process().ids.effective_uid.into()))
}

pub(crate) fn getgid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().process().ids.real_gid.into()))
}

pub(crate) fn getegid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().process().ids.effective_gid.into()))
}

pub(crate) fn setuid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let id = call.arg32(0)?;
    change_users(call, |three, privileged| three.set(id, privileged))
}

pub(crate) fn setgid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let id = call.arg32(0)?;
    change_groups(call, |three, privileged| three.set(id, privileged))
}

pub(crate) fn setreuid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (real, effective) = (call.arg32(0)?, call.arg32(1)?);
    change_users(call, |three, privileged| three.set_two(real, effective, privileged))
}

pub(crate) fn setregid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (real, effective) = (call.arg32(0)?, call.arg32(1)?);
    change_groups(call, |three, privileged| three.set_two(real, effective, privileged))
}

pub(crate) fn setresuid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let asked = [call.arg32(0)?, call.arg32(1)?, call.arg32(2)?];
    change_users(call, |three, privileged| three.set_three(asked, privileged))
}

pub(crate) fn setresgid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let asked = [call.arg32(0)?, call.arg32(1)?, call.arg32(2)?];
    change_groups(call, |three, privileged| three.set_three(asked, privileged))
}

pub(crate) fn getresuid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let three = users(&call.node().process().ids);
    write_three(call, three)
}

pub(crate) fn getresgid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let three = groups(&call.node().process().ids);
    write_three(call, three)
}

fn write_three<X: Guest>(call: &mut Call<'_, '_, X>, three: IdTriple) -> Answer {
    let IdTriple { real, effective, saved } = three;
    let places = [call.arg(0)?, call.arg(1)?, call.arg(2)?];
    for (address, id) in places.into_iter().zip([real, effective, saved]) {
        call.write_u32(address, id)?;
    }
    Ok(Reply::Value(0))
}

/// The number for the file system is the effective one; another one is not implemented.
pub(crate) fn setfsuid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let three = users(&call.node().process().ids);
    set_for_files(call, three)
}

pub(crate) fn setfsgid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let three = groups(&call.node().process().ids);
    set_for_files(call, three)
}

fn set_for_files<X: Guest>(call: &mut Call<'_, '_, X>, three: IdTriple) -> Answer {
    let id = call.arg32(0)?;
    let privileged = call.node().process().ids.effective_uid == 0;
    if id != three.effective && id != UNCHANGED && (privileged || three.has(id)) {
        return Err(call.unsupported("another user or group for files than the effective one"));
    }
    // It never fails, and tells the number from before.
    Ok(Reply::Value(three.effective.into()))
}

pub(crate) fn getgroups<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (room, address) = (call.arg32(0)? as i32, call.arg(1)?);
    let groups = call.node().process().ids.groups.clone();
    let Ok(room) = usize::try_from(room) else { return Err(Errno::EINVAL.into()) };
    if room > 0 {
        if room < groups.len() {
            return Err(Errno::EINVAL.into());
        }
        let bytes: Vec<u8> = groups.iter().flat_map(|group| group.to_le_bytes()).collect();
        call.write_concrete(address, &bytes)?;
    }
    Ok(Reply::Value(groups.len() as u64))
}

pub(crate) fn setgroups<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const MOST: u32 = 65536;
    let (count, address) = (call.arg32(0)?, call.arg(1)?);
    if call.node().process().ids.effective_uid != 0 {
        return Err(Errno::EPERM.into());
    }
    if count > MOST {
        return Err(Errno::EINVAL.into());
    }
    let mut groups = Vec::with_capacity(count as usize);
    for i in 0..u64::from(count) {
        groups.push(call.read_u32(address.wrapping_add(i * 4))?);
    }
    call.node_mut().process_mut().ids.groups = groups;
    Ok(Reply::Value(0))
}

// ---- process groups and sessions -----------------------------------------------------------

/// The process that argument 0 names; 0 is the running one.
fn process_arg<'c, X: Guest>(
    call: &'c mut Call<'_, '_, X>,
) -> Result<(Pid, &'c Process), CallHalt> {
    let pid = call.arg32(0)?;
    let node = call.node();
    let pid = if pid == 0 { node.volatile.running.0 } else { Pid(pid) };
    Ok((pid, node.find(pid).ok_or(Errno::ESRCH)?))
}

pub(crate) fn getpgrp<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    Ok(Reply::Value(call.node().process().group.0.into()))
}

pub(crate) fn getpgid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, process) = process_arg(call)?;
    Ok(Reply::Value(process.group.0.into()))
}

pub(crate) fn getsid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, process) = process_arg(call)?;
    Ok(Reply::Value(process.session.0.into()))
}

pub(crate) fn setpgid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let group = call.arg32(1)? as i32;
    if group < 0 {
        return Err(Errno::EINVAL.into());
    }
    let (pid, target) = process_arg(call)?;
    let (session, parent, executed, is_leader) =
        (target.session, target.parent, target.executed, target.session == pid);
    let node = call.node();
    let own = node.volatile.running.0;
    let group = if group == 0 { pid } else { Pid(group as u32) };
    if pid != own {
        if parent != own {
            return Err(Errno::ESRCH.into());
        }
        if session != node.process().session {
            return Err(Errno::EPERM.into());
        }
        if executed {
            return Err(Errno::EACCES.into());
        }
    }
    let exists = |p: &Process| p.group == group && p.session == node.process().session;
    if is_leader
        || (group != pid && !node.volatile.processes.values().any(|process| exists(process)))
    {
        return Err(Errno::EPERM.into());
    }
    if let Some(process) = call.node_mut().find_mut(pid) {
        process.group = group;
    }
    Ok(Reply::Value(0))
}

pub(crate) fn setsid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let node = call.node_mut();
    let own = node.volatile.running.0;
    if node.volatile.processes.values().any(|process| process.group == own) {
        return Err(Errno::EPERM.into());
    }
    let process = node.process_mut();
    (process.group, process.session) = (own, own);
    Ok(Reply::Value(own.0.into()))
}

// ---- capabilities --------------------------------------------------------------------------

/// All capabilities, which root has; others have none.
const ALL: u64 = (1 << 41) - 1;
/// The version of the header that the kernel prefers.
const VERSION_3: u32 = 0x2008_0522;

/// The number of triples of words that the header in argument 0 stands for.
fn header<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<u64, CallHalt> {
    const VERSION_1: u32 = 0x1998_0330;
    const VERSION_2: u32 = 0x2007_1026;
    let address = call.arg(0)?;
    match call.read_u32(address)? {
        VERSION_1 => Ok(1),
        VERSION_2 | VERSION_3 => Ok(2),
        _ => {
            call.write_u32(address, VERSION_3)?;
            Err(Errno::EINVAL.into())
        }
    }
}

pub(crate) fn capget<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (head, address) = (call.arg(0)?, call.arg(1)?);
    let triples = match header(call) {
        // Without room for an answer, this is how programs ask for the version.
        Err(CallHalt::Errno(Errno::EINVAL)) if address == 0 => return Ok(Reply::Value(0)),
        other => other?,
    };
    let pid = call.read_u32(head.wrapping_add(4))?;
    if pid as i32 <= -1 {
        return Err(Errno::EINVAL.into());
    }
    let node = call.node();
    let pid = if pid == 0 { node.volatile.running.0 } else { Pid(pid) };
    let ids = &node.find(pid).ok_or(Errno::ESRCH)?.ids;
    let held = if ids.effective_uid == 0 { ALL } else { 0 };
    if address == 0 {
        return Ok(Reply::Value(0));
    }
    let words =
        (0..triples).flat_map(|i| [(held >> (32 * i)) as u32, (held >> (32 * i)) as u32, 0]);
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

pub(crate) fn capset<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (head, address) = (call.arg(0)?, call.arg(1)?);
    let triples = header(call)?;
    let pid = call.read_u32(head.wrapping_add(4))?;
    if pid != 0 && Pid(pid) != call.node().volatile.running.0 {
        return Err(Errno::EPERM.into());
    }
    let mut sets = [0u64; 3];
    for i in 0..triples {
        for (j, set) in (0u64..).zip(&mut sets) {
            let word = call.read_u32(address.wrapping_add((i * 3 + j) * 4))?;
            *set |= u64::from(word) << (32 * i);
        }
    }
    let [effective, permitted, inheritable] = sets;
    let held = if call.node().process().ids.effective_uid == 0 { ALL } else { 0 };
    if permitted & !held != 0 || effective & !permitted != 0 {
        return Err(Errno::EPERM.into());
    }
    if effective != held || permitted != held || inheritable != 0 {
        return Err(call.unsupported("giving up some capabilities"));
    }
    Ok(Reply::Value(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: IdTriple = IdTriple { real: 1000, effective: 1000, saved: 7 };

    #[test]
    fn a_user_changes_only_between_its_own_numbers() {
        assert_eq!(USER.set(7, false), Ok(IdTriple { effective: 7, ..USER }));
        assert_eq!(USER.set(8, false), Err(Errno::EPERM));
        assert_eq!(USER.set_three([7, 1000, UNCHANGED], false), Ok(IdTriple { real: 7, ..USER }));
        assert_eq!(USER.set_three([7, 0, 7], false), Err(Errno::EPERM));
        assert_eq!(USER.set_two(7, UNCHANGED, false), Err(Errno::EPERM), "not the saved one");
    }

    #[test]
    fn dropping_root_by_setuid_is_final() {
        let root = IdTriple { real: 0, effective: 0, saved: 0 };
        let dropped = root.set(1000, true).unwrap();
        assert_eq!(dropped, IdTriple { real: 1000, effective: 1000, saved: 1000 });
        assert_eq!(dropped.set(0, false), Err(Errno::EPERM));
        let kept = root.set_two(1000, 0, true).unwrap();
        assert_eq!(kept, IdTriple { real: 1000, effective: 0, saved: 0 });
    }
}
