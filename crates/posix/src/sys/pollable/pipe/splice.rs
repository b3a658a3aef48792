//! `splice` and `tee`: moving and copying bytes between pipes and files.

use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::broken;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::data::ByteData;
use crate::state::file::FileKind;
use crate::state::ids::{FileId, PipeId};
use crate::state::node::Node;
use crate::state::wait::Wait;
use crate::sys::io::{AccessPosition, Buffers, gather, read_data, read_file, write_data};

/// Flags, of which only one makes a difference here.
const FLAGS: u32 =
    linux::SPLICE_F_MOVE | linux::SPLICE_F_NONBLOCK | linux::SPLICE_F_MORE | linux::SPLICE_F_GIFT;

/// An end of a pipe, if a file is one.
fn end_of(node: &Node, file: FileId) -> Option<PipeId> {
    match node.file(file).kind {
        FileKind::Pipe { pipe, .. } => Some(pipe),
        _ => None,
    }
}

pub(crate) fn splice<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (len, flags) = (call.arg(4)?, call.arg32(5)?);
    if len == 0 {
        return Ok(Reply::Value(0));
    }
    if flags & !FLAGS != 0 {
        return Err(Errno::EINVAL.into());
    }
    let (from, to) = (call.file_arg(0)?, call.file_arg(2)?);
    let places = [call.arg(1)?, call.arg(3)?];
    let node = call.node();
    if !node.file(from).readable() || !node.file(to).writable() {
        return Err(Errno::EBADF.into());
    }
    let ends = (end_of(node, from), end_of(node, to));
    for (end, place) in [ends.0, ends.1].iter().zip(places) {
        if end.is_some() && place != 0 {
            return Err(Errno::ESPIPE.into());
        }
    }
    match ends {
        (Some(source), Some(target)) => {
            if source == target {
                return Err(Errno::EINVAL.into());
            }
            let Some(count) = ready(call.node_mut(), source, target, len)? else {
                return waiting(call, (from, source), to, flags);
            };
            if count > 0 {
                let node = call.node_mut();
                let data = node.volatile.pipes.get_mut(source).take(count);
                node.volatile.pipes.get_mut(target).push(data);
            }
            Ok(Reply::Value(count as u64))
        }
        (Some(source), None) => {
            from_pipe(call, (from, source), to, FileTransfer { place: places[1], len, flags })
        }
        (None, Some(target)) => {
            to_pipe(call, from, (to, target), FileTransfer { place: places[0], len, flags })
        }
        (None, None) => Err(Errno::EINVAL.into()),
    }
}

/// The number of bytes that can be moved from one pipe to another now: 0 at the end of the input, `None` if
/// one has to wait.
fn ready(
    node: &mut Node,
    source: PipeId,
    target: PipeId,
    len: u64,
) -> Result<Option<usize>, Errno> {
    if node.volatile.pipes.get(target).readers == 0 {
        return Err(broken(node));
    }
    let (input, output) = (node.volatile.pipes.get(source), node.volatile.pipes.get(target));
    let count = input.len.min(output.room()).min(usize::try_from(len).unwrap_or(usize::MAX));
    let over = input.len == 0 && input.writers == 0;
    Ok((count > 0 || over).then_some(count))
}

/// Waits for the pipe that holds things up.
fn waiting<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (from, source): (FileId, PipeId),
    to: FileId,
    flags: u32,
) -> Answer {
    let node = call.node();
    let (file, events) = if node.volatile.pipes.get(source).len == 0 {
        (from, linux::POLLIN)
    } else {
        (to, linux::POLLOUT)
    };
    wait_for(call, file, events, flags)
}

fn wait_for<X: Guest>(call: &mut Call<'_, '_, X>, file: FileId, events: u32, flags: u32) -> Answer {
    if flags & linux::SPLICE_F_NONBLOCK != 0 || call.node().file(file).nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    Ok(Reply::Wait(Wait::file(file, events)))
}

/// The position of an access: an offset that the program keeps, or the file's own.
fn position<X: Guest>(call: &mut Call<'_, '_, X>, place: u64) -> Result<AccessPosition, CallHalt> {
    if place == 0 {
        return Ok(AccessPosition::Own);
    }
    let offset = call.read_u64(place)?;
    call.check_writable(place, 8)?;
    if (offset as i64) < 0 { Err(Errno::EINVAL.into()) } else { Ok(AccessPosition::At(offset)) }
}

/// A transfer between a pipe and a file.
struct FileTransfer {
    /// The address of the offset in the file, 0 for the file's own.
    place: u64,
    /// The most bytes that are moved.
    len: u64,
    /// Flags of `splice`.
    flags: u32,
}

fn from_pipe<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (from, source): (FileId, PipeId),
    to: FileId,
    transfer: FileTransfer,
) -> Answer {
    let FileTransfer { place, len, flags } = transfer;
    if call.node().file(to).flags & linux::O_APPEND != 0 {
        return Err(Errno::EINVAL.into());
    }
    let position = position(call, place)?;
    let pipe = call.node().volatile.pipes.get(source);
    if pipe.len == 0 {
        if pipe.writers == 0 {
            return Ok(Reply::Value(0));
        }
        return wait_for(call, from, linux::POLLIN, flags);
    }
    // A copy, of which only what is written is taken out.
    let want = usize::try_from(len).unwrap_or(usize::MAX);
    let data = pipe.clone().take(want);
    let written = match write_data(call, to, position, &data)? {
        Reply::Value(written) => written,
        other => return Ok(other),
    };
    call.node_mut().volatile.pipes.get_mut(source).take(written as usize);
    if let AccessPosition::At(offset) = position {
        call.write_u64(place, offset + written)?;
    }
    Ok(Reply::Value(written))
}

fn to_pipe<X: Guest>(
    call: &mut Call<'_, '_, X>,
    from: FileId,
    (to, target): (FileId, PipeId),
    transfer: FileTransfer,
) -> Answer {
    let FileTransfer { place, len, flags } = transfer;
    let position = position(call, place)?;
    let node = call.node_mut();
    let FileKind::Regular(inode) = node.file(from).kind else {
        return Err(Errno::EINVAL.into());
    };
    if node.volatile.pipes.get(target).readers == 0 {
        return Err(broken(node).into());
    }
    let room = node.volatile.pipes.get(target).room() as u64;
    if room == 0 {
        return wait_for(call, to, linux::POLLOUT, flags);
    }
    let own = node.file(from).offset;
    let offset = if let AccessPosition::At(offset) = position { offset } else { own };
    let data = read_data(call, inode, offset, len.min(room))?;
    let count = data.len() as u64;
    let node = call.node_mut();
    if count > 0 {
        node.volatile.pipes.get_mut(target).push(data);
    }
    if place == 0 {
        node.file_mut(from).offset = own + count;
    } else {
        call.write_u64(place, offset + count)?;
    }
    Ok(Reply::Value(count))
}

pub(crate) fn vmsplice<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(3)?;
    if flags & !FLAGS != 0 {
        return Err(Errno::EINVAL.into());
    }
    let file = call.file_arg(0)?;
    let pipe = end_of(call.node(), file).ok_or(Errno::EBADF)?;
    let buffers = Buffers::several(call, 1, 2)?;
    if buffers.total() == 0 {
        return Ok(Reply::Value(0));
    }
    let is_input = call.node().file(file).writable();
    let is_patient = flags & linux::SPLICE_F_NONBLOCK == 0;
    let queue = call.node().volatile.pipes.get(pipe);
    let (room, is_empty) = (queue.room(), queue.len == 0 && queue.writers > 0);
    if !is_patient && if is_input { room == 0 && queue.readers > 0 } else { is_empty } {
        return Err(Errno::EAGAIN.into());
    }
    if !is_input {
        return read_file(call, file, AccessPosition::Own, &buffers);
    }
    let data = gather(call, &buffers)?;
    let most = if is_patient { data.len() } else { data.len().min(room) };
    write_data(call, file, AccessPosition::Own, &data.part(0, most))
}

pub(crate) fn tee<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (len, flags) = (call.arg(2)?, call.arg32(3)?);
    if flags & !FLAGS != 0 {
        return Err(Errno::EINVAL.into());
    }
    if len == 0 {
        return Ok(Reply::Value(0));
    }
    let (from, to) = (call.file_arg(0)?, call.file_arg(1)?);
    let node = call.node();
    if !node.file(from).readable() || !node.file(to).writable() {
        return Err(Errno::EBADF.into());
    }
    let (Some(source), Some(target)) = (end_of(node, from), end_of(node, to)) else {
        return Err(Errno::EINVAL.into());
    };
    if source == target {
        return Err(Errno::EINVAL.into());
    }
    let Some(count) = ready(call.node_mut(), source, target, len)? else {
        return waiting(call, (from, source), to, flags);
    };
    if count > 0 {
        let pipes = &mut call.node_mut().volatile.pipes;
        let data: ByteData = pipes.get(source).clone().take(count);
        pipes.get_mut(target).push(data);
    }
    Ok(Reply::Value(count as u64))
}
