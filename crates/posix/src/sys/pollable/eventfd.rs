//! `eventfd`.

use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::data::ByteData;
use crate::state::file::eventfd::EventCounter;
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::TransferProgress;

pub(crate) fn eventfd<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make(call, 0)
}

pub(crate) fn eventfd2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(1)?;
    if flags & !(linux::EFD_SEMAPHORE | linux::EFD_CLOEXEC | linux::EFD_NONBLOCK) != 0 {
        return Err(Errno::EINVAL.into());
    }
    make(call, flags)
}

fn make<X: Guest>(call: &mut Call<'_, '_, X>, flags: u32) -> Answer {
    let count = call.arg32(0)?.into();
    let semaphore = flags & linux::EFD_SEMAPHORE != 0;
    let counter = EventCounter { count, semaphore, writes: 0, reads: 0 };
    let status = linux::O_RDWR | flags & linux::EFD_NONBLOCK;
    let file = OpenFile::new(FileKind::EventCounter(counter), status);
    let number = call.node_mut().open(file, flags & linux::EFD_CLOEXEC != 0)?;
    Ok(Reply::Value(number.into()))
}

fn counter(node: &mut Node, file: FileId) -> Result<&mut EventCounter, Errno> {
    match &mut node.file_mut(file).kind {
        FileKind::EventCounter(counter) => Ok(counter),
        _ => Err(Errno::EBADF),
    }
}

/// Takes bytes out; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    want: u64,
) -> Result<TransferProgress<ByteData>, CallHalt> {
    if want < 8 {
        return Err(Errno::EINVAL.into());
    }
    let node = call.node_mut();
    if let Some(value) = counter(node, file)?.take() {
        // Writers whose value did not fit may try again.
        node.changed();
        return Ok(TransferProgress::Done(ByteData::Known(value.to_le_bytes()[..].into())));
    }
    if node.file(file).nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    Ok(TransferProgress::Wait(Wait::file(file, linux::POLLIN)))
}

/// Puts bytes in; see `sys/io.rs`.
pub(crate) fn write<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    data: &ByteData,
) -> Result<TransferProgress<u64>, CallHalt> {
    if data.len() != 8 {
        return Err(Errno::EINVAL.into());
    }
    let mut word = [0; 8];
    match data {
        ByteData::Known(bytes) => word.copy_from_slice(&bytes[..8]),
        ByteData::Mixed(bytes) => {
            for (place, byte) in word.iter_mut().zip(bytes) {
                *place = call.settle_byte(*byte)?;
            }
        }
    }
    let value = u64::from_le_bytes(word);
    if value == u64::MAX {
        return Err(Errno::EINVAL.into());
    }
    let node = call.node_mut();
    if counter(node, file)?.add(value) {
        return Ok(TransferProgress::Done(8));
    }
    if node.file(file).nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    // It may be ready for smaller values, so only a read helps.
    Ok(TransferProgress::Wait(Wait::until(WaitEvent::Change(node.path.changes))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::file::eventfd::MOST;

    #[test]
    fn a_read_takes_all_or_one() {
        let mut counter = EventCounter { count: 3, ..EventCounter::default() };
        assert_eq!((counter.take(), counter.take()), (Some(3), None));
        let mut semaphore = EventCounter { count: 2, semaphore: true, ..EventCounter::default() };
        assert_eq!(
            (semaphore.take(), semaphore.take(), semaphore.take()),
            (Some(1), Some(1), None)
        );
    }

    #[test]
    fn a_value_that_does_not_fit_changes_nothing() {
        let mut counter = EventCounter { count: 1, ..EventCounter::default() };
        assert!(!counter.add(MOST) && counter.count == 1 && counter.edges() == [0, 0]);
        assert!(counter.add(MOST - 1) && counter.events() == linux::POLLIN);
        assert!(counter.add(0), "nothing always fits");
    }
}
