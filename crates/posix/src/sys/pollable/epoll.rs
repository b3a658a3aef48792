//! `epoll`.
//!
//! An instance keeps what it watches by descriptor number and open file. It looks at the files when
//! it is asked; what tells an edge from the one before are the files' own counts of how often they
//! became ready ([`poll::edges`]), which each entry remembers from its last report.

use std::sync::Arc;

use linux_raw_sys::general as linux;
use smallvec::SmallVec;
use syscalls::Errno;

use super::poll;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::epoll::{ALWAYS, EpollInstance, MODES, WatchEntry, WatchKey};
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::{FileId, ThreadKey, Time};
use crate::state::node::Node;
use crate::state::process::signals::SigSet;
use crate::state::wait::WaitEvent;

/// Instances that may watch one another in a row.
const MAX_NESTS: u32 = 5;
/// Bytes of `struct epoll_event`, which is packed.
const EVENT_BYTES: u64 = 12;
/// The most that one call reports.
const MAX_EVENTS: u32 = i32::MAX as u32 / EVENT_BYTES as u32;
/// Events of reading and of writing, each with what tells its edges.
const READING: u32 = linux::EPOLLIN
    | linux::EPOLLRDNORM
    | linux::EPOLLRDBAND
    | linux::EPOLLPRI
    | linux::EPOLLRDHUP
    | linux::EPOLLHUP
    | linux::EPOLLERR;
const WRITING: u32 =
    linux::EPOLLOUT | linux::EPOLLWRNORM | linux::EPOLLWRBAND | linux::EPOLLHUP | linux::EPOLLERR;

impl WatchEntry {
    /// The events to report about a file.
    pub(crate) fn report(&self, node: &Node, who: ThreadKey, file: FileId) -> u32 {
        if self.off || node.volatile.files.get(file.0.into()).is_none() {
            return 0;
        }
        let found = u32::from(poll::events(node, who, file)) & self.wanted();
        if found == 0 || self.events & linux::EPOLLET == 0 {
            return found;
        }
        let Some(seen) = self.seen else { return found };
        let now = poll::edges(node, file);
        let reading = seen[0] != now[0] && self.wanted() & READING != 0;
        let writing = seen[1] != now[1] && self.wanted() & WRITING & !ALWAYS != 0;
        if reading || writing { found } else { 0 }
    }
}

impl EpollInstance {
    /// Returns true if there is anything to report.
    pub(crate) fn is_ready(&self, node: &Node, who: ThreadKey) -> bool {
        self.entries.iter().any(|((_, file), entry)| entry.report(node, who, *file) != 0)
    }

    /// The time at which a file that it watches will be ready by itself.
    pub(crate) fn next_event(&self, node: &Node) -> Option<Time> {
        self.entries.keys().filter_map(|(_, file)| poll::next_event(node, *file)).min()
    }

    /// The reports to make: the entry, the events, the program's data.
    fn reports(&self, node: &Node, who: ThreadKey, most: usize) -> Vec<(WatchKey, u32, u64)> {
        let after = |key: &WatchKey| self.last.is_none_or(|last| *key > last);
        let first = self.entries.iter().filter(|(key, _)| after(key));
        let then = self.entries.iter().filter(|(key, _)| !after(key));
        { first.chain(then) }
            .filter_map(|(key, entry)| {
                let found = entry.report(node, who, key.1);
                (found != 0).then_some((*key, found, entry.data))
            })
            .take(most)
            .collect()
    }
}

/// An open file is gone: no instance watches it any longer.
pub(crate) fn closed(node: &mut Node, file: FileId) {
    // Every path closes its files at its end, and few programs have an instance to look for.
    if !node.volatile.has_epoll {
        return;
    }
    let watching = |open: &OpenFile| match &open.kind {
        FileKind::Epoll(instance) => instance.entries.keys().any(|(_, watched)| *watched == file),
        _ => false,
    };
    let instances: Vec<u64> =
        node.volatile.files.iter().filter(|(_, open)| watching(open)).map(|(id, _)| id).collect();
    for id in instances {
        if let Some(FileKind::Epoll(instance)) =
            node.volatile.files.get_mut(id).map(|open| &mut open.kind)
        {
            Arc::make_mut(&mut instance.entries).retain(|(_, watched), _| *watched != file);
        }
    }
}

pub(crate) fn epoll_create<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    if call.arg32(0)? as i32 <= 0 {
        return Err(Errno::EINVAL.into());
    }
    make(call, 0)
}

pub(crate) fn epoll_create1<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(0)?;
    if flags & !linux::O_CLOEXEC != 0 {
        return Err(Errno::EINVAL.into());
    }
    make(call, flags)
}

fn make<X: Guest>(call: &mut Call<'_, '_, X>, flags: u32) -> Answer {
    let file = OpenFile::new(FileKind::Epoll(EpollInstance::default()), linux::O_RDWR);
    let node = call.node_mut();
    let number = node.open(file, flags & linux::O_CLOEXEC != 0)?;
    node.volatile.has_epoll = true;
    Ok(Reply::Value(number.into()))
}

fn instance(node: &Node, file: FileId) -> Result<&EpollInstance, Errno> {
    poll::is_instance(node, file).ok_or(Errno::EINVAL)
}

fn instance_mut(node: &mut Node, file: FileId) -> Result<&mut EpollInstance, Errno> {
    match &mut node.file_mut(file).kind {
        FileKind::Epoll(instance) => Ok(instance),
        _ => Err(Errno::EINVAL),
    }
}

pub(crate) fn epoll_ctl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let operation = call.arg32(1)?;
    let address = call.arg(3)?;
    let (events, data) = if operation == linux::EPOLL_CTL_DEL {
        (0, 0)
    } else {
        (call.read_u32(address)?, call.read_kept(address.wrapping_add(4), 8)?)
    };
    let file = call.file_arg(0)?;
    let target = call.file_arg(2)?;
    let number = call.arg32(2)?;
    let node = call.node();
    if !poll::can_be_watched(&node.file(target).kind) {
        return Err(Errno::EPERM.into());
    }
    if file == target {
        return Err(Errno::EINVAL.into());
    }
    let own = instance(node, file)?;
    let key = (number, target);
    let exclusive = events & linux::EPOLLEXCLUSIVE != 0;
    if exclusive {
        let allowed = linux::EPOLLIN | linux::EPOLLOUT | ALWAYS | MODES & !linux::EPOLLONESHOT;
        let nested = poll::is_instance(node, target).is_some();
        let adds = operation == linux::EPOLL_CTL_ADD;
        if !adds || nested || events & !allowed != 0 {
            return Err(Errno::EINVAL.into());
        }
    }
    let entry = own.entries.get(&key).copied();
    match operation {
        linux::EPOLL_CTL_ADD => {
            if entry.is_some() {
                return Err(Errno::EEXIST.into());
            }
            check_nesting(node, file, target)?;
        }
        linux::EPOLL_CTL_DEL => {
            entry.ok_or(Errno::ENOENT)?;
        }
        linux::EPOLL_CTL_MOD => {
            let entry = entry.ok_or(Errno::ENOENT)?;
            if entry.events & linux::EPOLLEXCLUSIVE != 0 {
                return Err(Errno::EINVAL.into());
            }
        }
        _ => return Err(Errno::EINVAL.into()),
    }
    let node = call.node_mut();
    let entries = Arc::make_mut(&mut instance_mut(node, file)?.entries);
    if operation == linux::EPOLL_CTL_DEL {
        entries.remove(&key);
    } else {
        entries.insert(key, WatchEntry { events, data, off: false, seen: None });
    }
    node.changed();
    Ok(Reply::Value(0))
}

/// Instances must not watch one another in a circle, nor too many in a row.
fn check_nesting(node: &Node, file: FileId, target: FileId) -> Result<(), Errno> {
    let depth = depth_below(node, target, file, 0)?;
    if depth >= MAX_NESTS { Err(Errno::EINVAL) } else { Ok(()) }
}

/// The number of instances that are watched in a row from `from` on; `ELOOP` if one of them is `avoid`.
fn depth_below(node: &Node, from: FileId, avoid: FileId, depth: u32) -> Result<u32, Errno> {
    if from == avoid || depth > MAX_NESTS {
        return Err(Errno::ELOOP);
    }
    let Some(instance) = poll::is_instance(node, from) else { return Ok(0) };
    let mut deepest = 0;
    for (_, file) in instance.entries.keys() {
        deepest = deepest.max(depth_below(node, *file, avoid, depth + 1)?);
    }
    Ok(deepest + 1)
}

pub(crate) fn epoll_wait<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let timeout = poll::milliseconds(call.arg32(3)?);
    wait(call, timeout, None)
}

pub(crate) fn epoll_pwait<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let timeout = poll::milliseconds(call.arg32(3)?);
    let (mask, bytes) = (call.arg(4)?, call.arg(5)?);
    let mask = poll::mask_at(call, mask, bytes)?;
    wait(call, timeout, mask)
}

pub(crate) fn epoll_pwait2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(3)?;
    let timeout = poll::timeout_at(call, address)?;
    let (mask, bytes) = (call.arg(4)?, call.arg(5)?);
    let mask = poll::mask_at(call, mask, bytes)?;
    wait(call, timeout, mask)
}

fn wait<X: Guest>(
    call: &mut Call<'_, '_, X>,
    timeout: Option<Time>,
    mask: Option<SigSet>,
) -> Answer {
    let (address, most) = (call.arg(1)?, call.arg32(2)?);
    if most == 0 || most > MAX_EVENTS {
        return Err(Errno::EINVAL.into());
    }
    let file = call.file_arg(0)?;
    call.look(&[(file, linux::POLLIN as u16)], timeout != Some(0))?;
    let node = call.node();
    let reports = instance(node, file)?.reports(node, node.volatile.running, most as usize);
    call.check_writable(address, reports.len() as u64 * EVENT_BYTES)?;
    // Waiting for the instance is waiting for what it watches, now or later.
    let watched = || WaitEvent::Files(SmallVec::from_iter([(file, linux::POLLIN as u16)]));
    if let Some(wait) = poll::wait_or_end(call, !reports.is_empty(), watched, timeout, mask) {
        return Ok(Reply::Wait(wait));
    }
    write_events(call, address, &reports)?;
    let node = call.node_mut();
    node.note_ready(reports.iter().map(|(key, events, data)| (key.0, *events, *data)));
    let seen: Vec<(WatchKey, [u64; 2])> =
        reports.iter().map(|(key, _, _)| (*key, poll::edges(node, key.1))).collect();
    instance_mut(node, file)?.reported(&seen);
    Ok(Reply::Value(reports.len() as u64))
}

fn write_events<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    reports: &[(WatchKey, u32, u64)],
) -> Result<(), CallHalt> {
    let mut bytes = Vec::with_capacity(reports.len() * EVENT_BYTES as usize);
    for (_, events, data) in reports {
        bytes.extend_from_slice(&events.to_le_bytes());
        bytes.extend_from_slice(&data.to_le_bytes());
    }
    call.write_concrete(address, &bytes)
}
