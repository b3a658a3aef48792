//! Bytes on their way between files and the program's memory.
//!
//! Concrete bytes travel as `u8`s; only data with a symbolic byte in it is a list of [`ByteValue`]s.

use everett_fs::{ContentPiece, InodeId};
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::buffers::{AccessPosition, Buffers};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::data::ByteData;
use crate::state::faults::crash_marks::WrittenRange;
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::state::wait::Wait;
use crate::sys::path::{self, with_context};

/// Random bytes that one read gives at most.
pub(super) const RANDOM_MOST: u64 = 1 << 20;
/// Zeros that are written to memory at a time.
const ZEROS: [u8; 4096] = [0; 4096];

/// The progress of a transfer.
#[derive(Clone, Debug)]
pub(crate) enum TransferProgress<T> {
    Done(T),
    /// The thread has to wait; nothing was changed.
    Wait(Wait),
}

/// The offset at which an access begins.
pub(super) fn offset<X: Guest>(
    call: &Call<'_, '_, X>,
    file: FileId,
    position: AccessPosition,
) -> u64 {
    match position {
        AccessPosition::Own => call.node().file(file).offset,
        AccessPosition::At(offset) => offset,
        AccessPosition::End => u64::MAX,
    }
}

/// Moves the file's own position on.
pub(super) fn advance<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    position: AccessPosition,
    by: u64,
) {
    if position == AccessPosition::Own && by > 0 {
        call.node_mut().file_mut(file).offset += by;
    }
}

/// Reads a regular file straight into the program's memory.
pub(super) fn read_regular<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    inode: InodeId,
    position: AccessPosition,
    buffers: &Buffers,
) -> Answer {
    let start = offset(call, file, position);
    let size = call.node().disk.fs.stat(inode)?.size;
    let total = buffers.total().min(size.saturating_sub(start));
    let total = buffers.writable(call, total)?;
    let total = call.shorten_read(total)?;
    let mut at = start;
    for (address, len) in buffers.first(total) {
        read_piecewise(call, inode, at, address, len)?;
        at += len;
    }
    let node = call.node_mut();
    if node.file(file).flags & linux::O_NOATIME == 0 && total > 0 {
        let now = node.stamp();
        node.disk.fs.accessed(inode, now)?;
    }
    advance(call, file, position, total);
    Ok(Reply::Value(total))
}

/// Replaces bytes that were just read by a symbolic input.
pub(crate) fn replace<X: Guest>(
    call: &mut Call<'_, '_, X>,
    buffers: &Buffers,
    count: u64,
) -> Result<(), CallHalt> {
    let size = u32::try_from(count).expect("a transfer has at most 2^31 bytes");
    if size > 0 {
        let bytes = X::new_input(call.cx, call.st, "read-data", size)?;
        scatter(call, buffers, &ByteData::from(bytes))?;
    }
    Ok(())
}

fn read_piecewise<X: Guest>(
    call: &mut Call<'_, '_, X>,
    inode: InodeId,
    offset: u64,
    address: u64,
    len: u64,
) -> Result<(), CallHalt> {
    let pool = call.cx.pool;
    let (fs, memory) = (&call.st.extra.node().disk.fs, &mut call.st.mem);
    let (mut at, mut fault) = (address, None);
    fs.read_pieces(inode, offset, len as usize, |piece| {
        let mut written = match piece {
            ContentPiece::Bytes(bytes) => memory.write_bytes(at, bytes),
            ContentPiece::Cells(cells) => memory.write_each(pool, at, cells),
            ContentPiece::Zeros(count) => {
                memory.fill(pool, at, ByteValue::Concrete(0), count as u64)
            }
        };
        at += piece.len() as u64;
        if fault.is_none() {
            fault = written.as_mut().err().map(|fault| *fault);
        }
    })?;
    match fault {
        None => Ok(()),
        // The buffers were checked before.
        Some(_) => Err(Errno::EFAULT.into()),
    }
}

/// Fills buffers with zeros.
pub(super) fn fill_zero<X: Guest>(call: &mut Call<'_, '_, X>, buffers: &Buffers) -> Answer {
    let total = buffers.writable(call, buffers.total())?;
    for (address, len) in buffers.first(total) {
        let mut done = 0;
        while done < len {
            let step = (len - done).min(ZEROS.len() as u64);
            call.write_concrete(address + done, &ZEROS[..step as usize])?;
            done += step;
        }
    }
    Ok(Reply::Value(total))
}

/// Writes what was read to the buffers.
pub(crate) fn scatter<X: Guest>(
    call: &mut Call<'_, '_, X>,
    buffers: &Buffers,
    data: &ByteData,
) -> Answer {
    let mut from = 0;
    for (address, len) in buffers.first(data.len() as u64) {
        let to = from + len as usize;
        let written = match data {
            ByteData::Known(bytes) => call.write_concrete(address, &bytes[from..to]),
            ByteData::Mixed(bytes) => call.write(address, &bytes[from..to]),
        };
        match written {
            Err(CallHalt::Errno(_)) if from > 0 => break,
            written => written?,
        }
        from = to;
    }
    Ok(Reply::Value(from as u64))
}

/// The bytes in the buffers, which leave the process.
pub(crate) fn gather<X: Guest>(
    call: &mut Call<'_, '_, X>,
    buffers: &Buffers,
) -> Result<ByteData, CallHalt> {
    let mut data = ByteData::default();
    for (address, len) in buffers.first(buffers.total()) {
        let part = match call.read_concrete(address, len) {
            Ok(Some(bytes)) => ByteData::Known(bytes.into()),
            Ok(None) => {
                let bytes = call.read(address, len)?;
                ByteData::from(call.hand_out(bytes))
            }
            // What comes before a bad buffer is written.
            Err(CallHalt::Errno(_)) if data.len() > 0 => break,
            Err(halt) => return Err(halt),
        };
        if data.len() == 0 {
            data = part;
        } else {
            data.append(part);
        }
    }
    Ok(data)
}

/// The bytes at an address, which leave the process.
pub(crate) fn known_or_mixed<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    len: u64,
) -> Result<ByteData, CallHalt> {
    match call.read_concrete(address, len)? {
        Some(bytes) => Ok(ByteData::Known(bytes.into())),
        None => {
            let bytes = call.read(address, len)?;
            Ok(ByteData::from(call.hand_out(bytes)))
        }
    }
}

/// Writes to a regular file.
pub(super) fn write_regular<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    inode: InodeId,
    position: AccessPosition,
    data: &ByteData,
) -> Answer {
    let appends = call.node().file(file).flags & linux::O_APPEND != 0;
    let start = if appends || position == AccessPosition::End {
        call.node().disk.fs.stat(inode)?.size
    } else {
        offset(call, file, position)
    };
    if data.len() == 0 {
        return Ok(Reply::Value(0));
    }
    let fits = within_limit(call, start, data.len() as u64)?;
    check_seals(call.node(), inode, start + fits)?;
    let fits = call.shorten_write(fits)? as usize;
    let node = call.node_mut();
    let written = with_context(node, |fs, ctx| match data {
        ByteData::Known(bytes) => fs.write_bytes(ctx, inode, start, &bytes[..fits]),
        ByteData::Mixed(bytes) => fs.write(ctx, inode, start, &bytes[..fits]),
    })? as u64;
    if position == AccessPosition::Own {
        node.file_mut(file).offset = start + written;
    }
    if node.path.faults.are_used() {
        node.path.faults.since_boot.written =
            Some(WrittenRange { inode, offset: start, len: written });
        if node.file(file).flags & linux::O_DSYNC != 0 {
            node.path.faults.since_boot.sync_due = Some(inode);
        }
    }
    Ok(Reply::Value(written))
}

/// Fails if a file is sealed against a write up to a place.
pub(super) fn check_seals(node: &Node, inode: InodeId, end: u64) -> Result<(), CallHalt> {
    let seals = &node.volatile.seals;
    if seals.of(inode).is_none() {
        return Ok(());
    }
    let size = node.disk.fs.stat(inode)?.size;
    let is_forbidden = seals.forbid_writes(inode) || seals.forbid_size(inode, size, end.max(size));
    if is_forbidden { Err(Errno::EPERM.into()) } else { Ok(()) }
}

/// Fails with `EFBIG`, and a signal, where a file would grow beyond the process's limit; otherwise
/// says how much of `len` bytes from `offset` on fits.
fn within_limit<X: Guest>(
    call: &mut Call<'_, '_, X>,
    offset: u64,
    len: u64,
) -> Result<u64, CallHalt> {
    let limit = call.node().process().limits.file_size();
    if limit == u64::MAX {
        return Ok(len);
    }
    if offset >= limit {
        return Err(path::too_large(call));
    }
    Ok(len.min(limit - offset))
}
