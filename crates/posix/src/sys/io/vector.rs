//! The calls that read and write with several buffers, or at a position.

use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::buffers::{AccessPosition, Buffers};
use super::{read_file, readable, writable, write_file};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt};
use crate::state::file::FileKind;
use crate::state::ids::FileId;

/// Flags of `preadv2` and `pwritev2` that make no difference to what is read or written.
const SILENT_FLAGS: u32 = linux::RWF_HIPRI | linux::RWF_DSYNC | linux::RWF_SYNC | linux::RWF_NOWAIT;

pub(crate) fn readv<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = readable(call, 0)?;
    let buffers = Buffers::several(call, 1, 2)?;
    read_file(call, file, AccessPosition::Own, &buffers)
}

pub(crate) fn writev<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = writable(call, 0)?;
    let buffers = Buffers::several(call, 1, 2)?;
    write_file(call, file, AccessPosition::Own, &buffers)
}

pub(crate) fn pread64<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    reject_negative(call, 3)?;
    let file = readable(call, 0)?;
    let position = read_position(call, file, 3)?;
    let buffers = Buffers::one(call, 1, 2)?;
    read_file(call, file, position, &buffers)
}

pub(crate) fn pwrite64<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    reject_negative(call, 3)?;
    let file = writable(call, 0)?;
    let position = write_position(call, file, 3)?;
    let buffers = Buffers::one(call, 1, 2)?;
    write_file(call, file, position, &buffers)
}

pub(crate) fn preadv<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    reject_negative(call, 3)?;
    let file = readable(call, 0)?;
    let position = read_position(call, file, 3)?;
    let buffers = Buffers::several(call, 1, 2)?;
    read_file(call, file, position, &buffers)
}

pub(crate) fn pwritev<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    reject_negative(call, 3)?;
    let file = writable(call, 0)?;
    let position = write_position(call, file, 3)?;
    let buffers = Buffers::several(call, 1, 2)?;
    write_file(call, file, position, &buffers)
}

/// The fifth argument is the high half of the position where words have 32 bits.
pub(crate) fn preadv2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(5)?;
    if call.arg(3)? != u64::MAX {
        reject(flags & !SILENT_FLAGS)?;
        return preadv(call);
    }
    let file = readable(call, 0)?;
    let buffers = Buffers::several(call, 1, 2)?;
    reject(flags & !SILENT_FLAGS)?;
    read_file(call, file, AccessPosition::Own, &buffers)
}

pub(crate) fn pwritev2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(5)?;
    reject(flags & !(SILENT_FLAGS | linux::RWF_APPEND))?;
    let own = call.arg(3)? == u64::MAX;
    if !own {
        reject_negative(call, 3)?;
    }
    let file = writable(call, 0)?;
    let position = if own { AccessPosition::Own } else { write_position(call, file, 3)? };
    let buffers = Buffers::several(call, 1, 2)?;
    let appends = flags & linux::RWF_APPEND != 0;
    let answer =
        write_file(call, file, if appends { AccessPosition::End } else { position }, &buffers);
    if flags & (linux::RWF_SYNC | linux::RWF_DSYNC) != 0
        && call.node().path.faults.are_used()
        && let (Ok(_), FileKind::Regular(inode)) = (&answer, &call.node().file(file).kind)
    {
        let inode = *inode;
        call.node_mut().path.faults.since_boot.sync_due = Some(inode);
    }
    if !appends {
        return answer;
    }
    if let (true, Ok(crate::kernel::reply::Reply::Value(_))) = (own, &answer)
        && let FileKind::Regular(inode) = call.node().file(file).kind
    {
        let size = call.node().disk.fs.stat(inode)?.size;
        call.node_mut().file_mut(file).offset = size;
    }
    answer
}

fn reject(flags: u32) -> Result<(), CallHalt> {
    if flags == 0 { Ok(()) } else { Err(Errno::EOPNOTSUPP.into()) }
}

/// Fails if the position in an argument is negative.
fn reject_negative<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<(), CallHalt> {
    let value = call.reg(index);
    let negative = match value.term() {
        None => (value.bits() as i64) < 0,
        Some(term) => {
            let pool = call.cx.pool;
            call.decide(pool.slt(term, pool.constant(pool.width(term), 0)))?
        }
    };
    if negative { Err(Errno::EINVAL.into()) } else { Ok(()) }
}

/// The position in an argument to read from. All symbolic ones beyond the end are alike.
fn read_position<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    index: usize,
) -> Result<AccessPosition, CallHalt> {
    has_positions(call, file)?;
    let end = match call.node().file(file).kind {
        FileKind::Regular(inode) => call.node().disk.fs.stat(inode)?.size,
        _ => u64::MAX >> 1,
    };
    Ok(AccessPosition::At(call.length(call.reg(index), end)?))
}

/// The position in an argument to write to.
fn write_position<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    index: usize,
) -> Result<AccessPosition, CallHalt> {
    has_positions(call, file)?;
    Ok(AccessPosition::At(call.arg(index)?))
}

/// Fails for what is read and written in order only.
fn has_positions<X: Guest>(call: &Call<'_, '_, X>, file: FileId) -> Result<(), CallHalt> {
    match call.node().file(file).kind {
        FileKind::Regular(_)
        | FileKind::Generated { .. }
        | FileKind::Directory(_)
        | FileKind::Device { .. } => Ok(()),
        FileKind::Path(_) => Err(Errno::EBADF.into()),
        FileKind::Stream(_)
        | FileKind::Pipe { .. }
        | FileKind::EventCounter(_)
        | FileKind::Timer(_)
        | FileKind::Epoll(_)
        | FileKind::Signal(_)
        | FileKind::Queue(_)
        | FileKind::Inotify(_)
        | FileKind::Terminal { .. }
        | FileKind::Socket(_) => Err(Errno::ESPIPE.into()),
    }
}
