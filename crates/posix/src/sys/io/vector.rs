//! Buffers of the program, and the calls that take several, or a position.

use linux_raw_sys::general as linux;
use smallvec::SmallVec;
use syscalls::Errno;

use super::{MOST_BYTES, SILENT_FLAGS, read_file, readable, writable, write_file};
use crate::call::Call;
use crate::kernel::Guest;
use crate::reply::{Answer, CallHalt};
use crate::state::file::FileKind;
use crate::state::ids::FileId;

/// Most buffers of one call.
pub(crate) const MOST_BUFFERS: u32 = 1024;

/// The position in a file at which an access begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessPosition {
    /// At the file's own position, which moves.
    Own,
    /// Here, and the file's position stays.
    At(u64),
    /// At the end, and the file's position stays.
    End,
}

/// Ranges of the program's memory, by address and length; no more than [`MOST_BYTES`] together.
#[derive(Clone, Debug)]
pub(crate) struct Buffers {
    ranges: SmallVec<[(u64, u64); 2]>,
}

impl Buffers {
    /// One buffer, from its arguments. A symbolic length forks over the values that lie in the
    /// buffer's object; all that reach beyond are the same mistake.
    pub(crate) fn one<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: usize,
        len: usize,
    ) -> Result<Buffers, CallHalt> {
        let address = call.arg(address)?;
        let len = call.reg(len);
        let len = match len.term() {
            None => len.bits(),
            Some(_) => {
                let room = call.st.mem.check(address, 1).map_or(0, |o| o.end() - address);
                call.length(len, room + 1)?
            }
        };
        if len as i64 <= -1 {
            return Err(Errno::EINVAL.into());
        }
        Ok(Buffers::at(address, len))
    }

    /// One buffer.
    pub(crate) fn at(address: u64, len: u64) -> Buffers {
        Buffers { ranges: SmallVec::from_iter([(address, len.min(MOST_BYTES))]) }
    }

    /// The buffers of a `struct iovec` array.
    fn several<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: usize,
        count: usize,
    ) -> Result<Buffers, CallHalt> {
        let (address, count) = (call.arg(address)?, call.arg32(count)?);
        if count > MOST_BUFFERS {
            return Err(Errno::EINVAL.into());
        }
        Buffers::listed(call, address, count)
    }

    /// The buffers of an array that is somewhere in memory.
    pub(crate) fn listed<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: u64,
        count: u32,
    ) -> Result<Buffers, CallHalt> {
        let mut ranges = SmallVec::new();
        let mut left = MOST_BYTES;
        for i in 0..u64::from(count) {
            let entry = address.wrapping_add(i * 16);
            let base = call.read_u64(entry)?;
            let len = call.read_u64(entry.wrapping_add(8))?;
            if (len as i64) < 0 {
                return Err(Errno::EINVAL.into());
            }
            let len = len.min(left);
            left -= len;
            ranges.push((base, len));
        }
        Ok(Buffers { ranges })
    }

    /// Bytes of all of them.
    pub(crate) fn total(&self) -> u64 {
        self.ranges.iter().map(|(_, len)| len).sum()
    }

    /// The buffers behind the first `count` bytes.
    pub(crate) fn after(&self, count: u64) -> Buffers {
        let mut skipped = count;
        let behind = self.ranges.iter().map(|(address, len)| {
            let gone = skipped.min(*len);
            skipped -= gone;
            (address + gone, len - gone)
        });
        Buffers { ranges: behind.filter(|(_, len)| *len > 0).collect() }
    }

    /// The ranges that the first `count` bytes are in.
    pub(crate) fn first(&self, count: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut left = count;
        self.ranges.iter().map_while(move |(address, len)| {
            let taken = left.min(*len);
            left -= taken;
            (taken > 0 || left > 0).then_some((*address, taken))
        })
    }

    /// The number of the first `count` bytes that can be written: a buffer that is nowhere ends a transfer
    /// that has begun, and fails one that has not.
    pub(crate) fn writable<X: Guest>(
        &self,
        call: &mut Call<'_, '_, X>,
        count: u64,
    ) -> Result<u64, CallHalt> {
        let mut good = 0;
        for (address, len) in self.first(count) {
            match call.check_writable(address, len) {
                Ok(()) => good += len,
                Err(CallHalt::Errno(_)) if good > 0 => break,
                Err(halt) => return Err(halt),
            }
        }
        Ok(good)
    }
}

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
    if let (true, Ok(crate::reply::Reply::Value(_))) = (own, &answer)
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
        | FileKind::Socket(_) => Err(Errno::ESPIPE.into()),
    }
}
