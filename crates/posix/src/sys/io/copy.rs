//! Copying between files without the program's memory: `sendfile`, `copy_file_range`.

use everett_fs::{ContentPiece, InodeId, InodeKind};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::buffers::AccessPosition;
use super::{MOST_BYTES, readable, writable, write_data};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::data::ByteData;
use crate::state::file::FileKind;
use crate::state::ids::FileId;

/// Bytes that are copied at a time.
const STEP: u64 = 64 << 10;

/// Up to `len` bytes of a regular file.
pub(crate) fn read_data<X: Guest>(
    call: &Call<'_, '_, X>,
    inode: InodeId,
    offset: u64,
    len: u64,
) -> Result<ByteData, CallHalt> {
    let mut data = ByteData::default();
    call.node().disk.fs.read_pieces(inode, offset, len as usize, |piece| match piece {
        ContentPiece::Bytes(bytes) => data.append(ByteData::Known(bytes.into())),
        ContentPiece::Cells(cells) => data.append(ByteData::from(cells)),
        ContentPiece::Zeros(count) => data.append(ByteData::Known(vec![0; count].into())),
    })?;
    Ok(data)
}

pub(crate) fn sendfile<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let place = call.arg(2)?;
    let offset = if place == 0 { None } else { Some(call.read_u64(place)?) };
    let count = call.arg(3)?.min(MOST_BYTES);
    let from = readable(call, 1)?;
    let source = call.node().file(from);
    let (inode, own) = match source.kind {
        FileKind::Regular(inode) => (inode, source.offset),
        FileKind::Stream(_) | FileKind::Pipe { .. } if offset.is_some() => {
            return Err(Errno::ESPIPE.into());
        }
        _ => return Err(Errno::EINVAL.into()),
    };
    if offset.is_some_and(|offset| (offset as i64) < 0) {
        return Err(Errno::EINVAL.into());
    }
    let to = writable(call, 0)?;
    if call.node().file(to).flags & linux::O_APPEND != 0 {
        return Err(Errno::EINVAL.into());
    }
    if place != 0 {
        call.check_writable(place, 8)?;
    }
    let start = offset.unwrap_or(own);
    let done = match copy(call, (inode, start), to, AccessPosition::Own, count)? {
        CopyStep::Copied(done) => done,
        CopyStep::Waits(reply) => return Ok(reply),
    };
    match offset {
        Some(offset) => call.write_u64(place, offset + done)?,
        None => call.node_mut().file_mut(from).offset = own + done,
    }
    Ok(Reply::Value(done))
}

/// The outcome of a copy in steps.
enum CopyStep {
    /// So many bytes were copied.
    Copied(u64),
    /// The first step has to wait, with this answer.
    Waits(Reply),
}

/// Copies from a regular file in steps.
fn copy<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (inode, start): (InodeId, u64),
    to: FileId,
    position: AccessPosition,
    count: u64,
) -> Result<CopyStep, CallHalt> {
    let mut done = 0;
    while done < count {
        let data = read_data(call, inode, start + done, (count - done).min(STEP))?;
        if data.len() == 0 {
            break;
        }
        let at = match position {
            AccessPosition::At(offset) => AccessPosition::At(offset + done),
            other => other,
        };
        match write_data(call, to, at, &data) {
            Ok(Reply::Value(written)) => {
                done += written;
                if written < data.len() as u64 {
                    break;
                }
            }
            // What was written counts.
            Ok(_) | Err(CallHalt::Errno(_)) if done > 0 => {
                done += std::mem::take(&mut call.node_mut().thread_mut().done);
                break;
            }
            Ok(reply) => return Ok(CopyStep::Waits(reply)),
            Err(halt) => return Err(halt),
        }
    }
    let node = call.node_mut();
    let now = node.stamp();
    node.disk.fs.accessed(inode, now)?;
    Ok(CopyStep::Copied(done))
}

pub(crate) fn copy_file_range<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(5)?;
    let places = [call.arg(1)?, call.arg(3)?];
    let count = call.arg(4)?;
    let (from, to) = (call.file_arg(0)?, call.file_arg(2)?);
    let mut given = [None; 2];
    for (given, place) in given.iter_mut().zip(places) {
        if place != 0 {
            *given = Some(call.read_u64(place)?);
            call.check_writable(place, 8)?;
        }
    }
    if flags != 0 {
        return Err(Errno::EINVAL.into());
    }
    let (source, target) = (ends(call, from)?, ends(call, to)?);
    let (open_from, open_to) = (call.node().file(from), call.node().file(to));
    let appends = open_to.flags & linux::O_APPEND != 0;
    if !open_from.readable() || !open_to.writable() || appends {
        return Err(Errno::EBADF.into());
    }
    let start = given[0].unwrap_or(open_from.offset);
    let end = given[1].unwrap_or(open_to.offset);
    let ends = (start.checked_add(count), end.checked_add(count));
    let (Some(start_end), Some(target_end)) = ends else { return Err(Errno::EOVERFLOW.into()) };
    if source == target && start < target_end && end < start_end {
        return Err(Errno::EINVAL.into());
    }
    let count = count.min(MOST_BYTES);
    let done = match copy(call, (source, start), to, AccessPosition::At(end), count)? {
        CopyStep::Copied(done) => done,
        CopyStep::Waits(reply) => return Ok(reply),
    };
    for ((given, place), file) in given.iter().zip(places).zip([from, to]) {
        match given {
            Some(offset) => call.write_u64(place, offset + done)?,
            None => call.node_mut().file_mut(file).offset += done,
        }
    }
    Ok(Reply::Value(done))
}

/// The inode of a regular file.
fn ends<X: Guest>(call: &Call<'_, '_, X>, file: FileId) -> Result<InodeId, CallHalt> {
    match call.node().file(file).kind {
        FileKind::Regular(inode) => Ok(inode),
        FileKind::Directory(_) => Err(Errno::EISDIR.into()),
        FileKind::Path(inode) if call.node().disk.fs.stat(inode)?.kind == InodeKind::File => {
            Err(Errno::EBADF.into())
        }
        _ => Err(Errno::EINVAL.into()),
    }
}
