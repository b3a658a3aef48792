//! Reading and writing: the calls, and the one place that knows how each kind of file does it.
//!
//! A kind of file that can make a thread wait has in its own module
//!
//! - `read(call, file: FileId, want: u64) -> Result<TransferProgress<ByteData>, CallHalt>`: takes up to
//!   `want` (more than 0) bytes out of the file; no bytes are the end of the file;
//! - `write(call, file: FileId, data: &ByteData) -> Result<TransferProgress<u64>, CallHalt>`: puts bytes
//!   (at least one) into it and says how many it took.
//!
//! Both find the file open for the access, and its flags (`O_NONBLOCK`) in the node. What they have
//! taken is written to the program's memory here, so they need not know about buffers.

mod buffers;
pub(super) mod copy;
mod data;
pub(super) mod extent;
pub(super) mod position;
pub(super) mod vector;

use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::kernel::{Guest, Kernel};
use crate::state::file::{FileKind, KernelDevice, StandardStream};
use crate::state::ids::FileId;
use crate::sys::{eventfd, inotify, pipe, signalfd, socket, terminal, timerfd};

#[cfg(test)]
mod tests;

use syscalls::Errno;

pub(crate) use self::buffers::{AccessPosition, Buffers, MOST_BUFFERS, MOST_BYTES};
pub(crate) use self::copy::read_data;
pub(crate) use self::data::TransferProgress;
pub(crate) use self::data::{gather, known_or_mixed, replace, scatter};
pub(crate) use crate::state::data::ByteData;

pub(crate) fn read<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = readable(call, 0)?;
    let buffers = Buffers::to_fill(call, file, 1, 2)?;
    read_file(call, file, AccessPosition::Own, &buffers)
}

pub(crate) fn write<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = writable(call, 0)?;
    let buffers = Buffers::one(call, 1, 2)?;
    write_file(call, file, AccessPosition::Own, &buffers)
}

/// The file of a descriptor that was opened to be read from.
fn readable<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<FileId, CallHalt> {
    let file = call.file_arg(index)?;
    if call.node().file(file).readable() { Ok(file) } else { Err(Errno::EBADF.into()) }
}

/// The file of a descriptor that was opened to be written to.
fn writable<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<FileId, CallHalt> {
    let file = call.file_arg(index)?;
    if call.node().file(file).writable() { Ok(file) } else { Err(Errno::EBADF.into()) }
}

// ---- reading -------------------------------------------------------------------------------

/// Reads from an open file into buffers.
pub(crate) fn read_file<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    position: AccessPosition,
    buffers: &Buffers,
) -> Answer {
    let answer = read_known(call, file, position, buffers)?;
    let open = call.node().file(file);
    // A socket has done so itself.
    if let (Reply::Value(count), true) = (&answer, open.is_symbolic())
        && !matches!(open.kind, FileKind::Socket(_))
    {
        data::replace(call, buffers, *count)?;
    }
    Ok(answer)
}

/// Reads what is there.
fn read_known<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    position: AccessPosition,
    buffers: &Buffers,
) -> Answer {
    let want = buffers.total();
    let progress = match &call.node().file(file).kind {
        FileKind::Regular(inode) => {
            let inode = *inode;
            return data::read_regular(call, file, inode, position, buffers);
        }
        FileKind::Directory(_) => return Err(Errno::EISDIR.into()),
        FileKind::Path(_) => return Err(Errno::EBADF.into()),
        FileKind::Epoll(_) => return Err(Errno::EINVAL.into()),
        _ if want == 0 => return Ok(Reply::Value(0)),
        FileKind::Generated { text, .. } => {
            let text = text.clone();
            let from = data::offset(call, file, position).min(text.len() as u64) as usize;
            let to = text.len().min(from.saturating_add(want as usize));
            data::advance(call, file, position, (to - from) as u64);
            TransferProgress::Done(ByteData::Known(text[from..to].into()))
        }
        FileKind::Stream(StandardStream::In) => TransferProgress::Done(take_input(call, want)?),
        FileKind::Stream(StandardStream::Out(_)) => return Err(Errno::EBADF.into()),
        FileKind::Device { device, .. } => match device {
            KernelDevice::Null => return Ok(Reply::Value(0)),
            KernelDevice::Zero | KernelDevice::Full => return data::fill_zero(call, buffers),
            KernelDevice::Random => {
                // Nothing may fail once an input was made.
                let want = buffers.writable(call, want.min(data::RANDOM_MOST))?;
                let bytes = super::random::bytes(call, want)?;
                TransferProgress::Done(ByteData::from(bytes))
            }
        },
        FileKind::Pipe { .. } => pipe::read(call, file, want)?,
        FileKind::EventCounter(_) => eventfd::read(call, file, want)?,
        FileKind::Timer(_) => timerfd::read(call, file, want)?,
        FileKind::Signal(_) => signalfd::read(call, file, want)?,
        FileKind::Inotify(_) => inotify::read(call, file, want)?,
        FileKind::Terminal { .. } => terminal::read(call, file, want)?,
        FileKind::Queue(_) => return Err(call.unsupported("the status of a message queue")),
        FileKind::Socket(socket) => {
            let socket = *socket;
            return socket::receive::read(call, (file, socket), buffers);
        }
    };
    match progress {
        TransferProgress::Wait(wait) => Ok(Reply::Wait(wait)),
        TransferProgress::Done(data) => data::scatter(call, buffers, &data),
    }
}

/// Takes bytes of standard input, whose position all that read it share.
fn take_input<X: Guest>(call: &mut Call<'_, '_, X>, want: u64) -> Result<ByteData, CallHalt> {
    let left = call.node().path.input.len() - call.node().volatile.input_position;
    let count = call.shorten_read(want.min(left as u64))? as usize;
    let node = call.node_mut();
    let from = node.volatile.input_position;
    node.volatile.input_position += count;
    Ok(ByteData::from(&node.path.input[from..from + count]))
}

// ---- writing -------------------------------------------------------------------------------

/// Writes from buffers to an open file.
pub(crate) fn write_file<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    position: AccessPosition,
    buffers: &Buffers,
) -> Answer {
    let data = match &call.node().file(file).kind {
        FileKind::Device {
            device: KernelDevice::Null | KernelDevice::Zero | KernelDevice::Random,
            ..
        } => {
            // Nobody looks at the bytes.
            return Ok(Reply::Value(buffers.total()));
        }
        FileKind::Device { device: KernelDevice::Full, .. } => return Err(Errno::ENOSPC.into()),
        _ => data::gather(call, buffers)?,
    };
    write_data(call, file, position, &data)
}

/// Writes bytes to an open file.
pub(crate) fn write_data<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    position: AccessPosition,
    data: &ByteData,
) -> Answer {
    let total = data.len() as u64;
    let progress = match &call.node().file(file).kind {
        FileKind::Regular(inode) => {
            let inode = *inode;
            return data::write_regular(call, file, inode, position, data);
        }
        FileKind::Directory(_) => return Err(Errno::EISDIR.into()),
        FileKind::Path(_) | FileKind::Stream(StandardStream::In) => return Err(Errno::EBADF.into()),
        FileKind::Timer(_) | FileKind::Signal(_) | FileKind::Epoll(_) | FileKind::Queue(_) => {
            return Err(Errno::EINVAL.into());
        }
        FileKind::Inotify(_) => return Err(Errno::EBADF.into()),
        // What is in `/proc` to be written to is not simulated.
        FileKind::Generated { .. } => return Err(call.unsupported("a file of /proc")),
        FileKind::EventCounter(_) => eventfd::write(call, file, data)?,
        FileKind::Socket(socket) => {
            let socket = *socket;
            return socket::send::write(call, (file, socket), data);
        }
        _ if total == 0 => TransferProgress::Done(0),
        FileKind::Stream(StandardStream::Out(number)) => {
            let number = *number;
            show(call, number, data);
            TransferProgress::Done(total)
        }
        FileKind::Device { device, .. } => match device {
            KernelDevice::Null | KernelDevice::Zero | KernelDevice::Random => {
                TransferProgress::Done(total)
            }
            KernelDevice::Full => return Err(Errno::ENOSPC.into()),
        },
        FileKind::Pipe { .. } => pipe::write(call, file, data)?,
        FileKind::Terminal { .. } => terminal::write(call, file, data)?,
    };
    match progress {
        TransferProgress::Wait(wait) => Ok(Reply::Wait(wait)),
        TransferProgress::Done(count) => Ok(Reply::Value(count)),
    }
}

/// Bytes at once, and pieces, of output above which it is fetched before the program goes on.
const MUCH_OUTPUT: (usize, usize) = (64 << 10, 1024);

/// Output on a standard stream.
fn show<X: Guest>(call: &mut Call<'_, '_, X>, stream: u32, data: &ByteData) {
    if data.len() > MUCH_OUTPUT.0 || call.kernel.written.len() > MUCH_OUTPUT.1 {
        call.cx.wants_pause = true;
    }
    match data {
        ByteData::Known(bytes) => {
            call.kernel.written.push((stream, bytes.to_vec()));
            call.node_mut().wrote(stream, &data.to_values());
        }
        ByteData::Mixed(bytes) => {
            let example = Kernel::example(call.cx, call.st, bytes);
            call.kernel.written.push((stream, example));
            call.node_mut().wrote(stream, bytes);
        }
    }
}
