//! Closing descriptors.

use std::sync::Arc;

use syscalls::Errno;

use super::lock;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, Reply};
use crate::state::file::OpenFile;
use crate::state::file::descriptor::{Descriptor, DescriptorTable};
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::sys::inotify::file_events;
use crate::sys::posix_queue;

impl Node {
    /// Gives up a reference; the last one closes the file.
    pub(crate) fn release_file(&mut self, id: FileId) {
        if self.file(id).references > 1 {
            self.file_mut(id).references -= 1;
        } else if let Some(file) = self.volatile.files.remove(id.0.into()) {
            last_close(self, id, &file);
            self.changed();
        }
    }
}

/// Flags of `close_range`.
const CLOSE_RANGE_UNSHARE: u32 = 2;
const CLOSE_RANGE_CLOEXEC: u32 = 4;

pub(crate) fn close<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    // A symbolic descriptor forks over the open ones first.
    call.descriptor_arg(0)?;
    let number = call.arg32(0)?;
    close_number(call.node_mut(), number)?;
    Ok(Reply::Value(0))
}

pub(crate) fn close_range<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (first, last, flags) = (call.arg32(0)?, call.arg32(1)?, call.arg32(2)?);
    if first > last || flags & !(CLOSE_RANGE_CLOEXEC | CLOSE_RANGE_UNSHARE) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let node = call.node_mut();
    let open = node.process().descriptors.iter().map(|(number, _)| number);
    let chosen: Vec<u32> = open.filter(|number| (first..=last).contains(number)).collect();
    for number in chosen {
        if flags & CLOSE_RANGE_CLOEXEC != 0 {
            set_close_on_exec(node, number, true)?;
        } else {
            close_number(node, number)?;
        }
    }
    Ok(Reply::Value(0))
}

/// Sets or clears the flag that closes a descriptor when another program is executed.
pub(crate) fn set_close_on_exec(node: &mut Node, number: u32, on: bool) -> Result<(), Errno> {
    let entry = node.descriptor(number)?;
    let table = Arc::make_mut(&mut node.process_mut().descriptors);
    table.set(number, Descriptor { close_on_exec: on, ..entry });
    Ok(())
}

/// Closes a descriptor of the running process.
pub(crate) fn close_number(node: &mut Node, number: u32) -> Result<(), Errno> {
    let table = Arc::make_mut(&mut node.process_mut().descriptors);
    let entry = table.remove(number).ok_or(Errno::EBADF)?;
    close_entry(node, entry);
    Ok(())
}

/// Closes an entry of a descriptor table of the running process, which is out of the table already.
/// The process loses its record locks on the file, however many descriptors of it are left.
pub(crate) fn close_entry(node: &mut Node, entry: Descriptor) {
    lock::closed(node, node.file(entry.file).inode());
    posix_queue::descriptor_closed(node, entry.file);
    node.release_file(entry.file);
}

/// Closes all descriptors of the running process, which ends.
pub(crate) fn close_all(node: &mut Node, descriptors: &DescriptorTable) {
    let entries = || descriptors.iter().map(|(_, entry)| entry);
    // Where nobody else has files open, their table goes as a whole. It is shared with other states as a
    // rule, and would be copied only to be emptied.
    let is_whole = node.volatile.files.len() == entries().count()
        && node.volatile.files.iter().all(|(_, file)| file.references == 1);
    if !is_whole {
        return entries().for_each(|entry| close_entry(node, entry));
    }
    let files = std::mem::take(&mut node.volatile.files);
    for Descriptor { file: id, .. } in entries() {
        let file = files.get(id.0.into()).expect("a descriptor stands for an open file");
        lock::closed(node, file.inode());
        last_close(node, id, file);
        node.changed();
    }
}

/// Closes an open file whose last reference has gone; it is out of the table already.
pub(crate) fn last_close(node: &mut Node, id: FileId, file: &OpenFile) {
    lock::gone(node, id);
    crate::sys::pipe::closed(node, file);
    crate::sys::epoll::closed(node, id);
    posix_queue::closed(node, file);
    crate::sys::inotify::closed(node, file);
    crate::sys::terminal::closed(node, file);
    crate::net::closed(node, file);
    if let Some(inode) = file.inode() {
        file_events::closing(node, file);
        node.disk.fs.release(inode);
        file_events::forget_gone(node);
        if node.disk.fs.stat(inode).is_err() && node.volatile.seals.of(inode).is_some() {
            node.volatile.seals.forget(inode);
        }
    }
}
