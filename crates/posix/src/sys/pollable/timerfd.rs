//! `timerfd`.

use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::data::ByteData;
use crate::state::file::timerfd::TimerFile;
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::state::wait::Wait;
use crate::sys::io::TransferProgress;
use crate::sys::time::{self, read_setting, setting_bytes};

pub(crate) fn timerfd_create<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (clock, flags) = (call.arg32(0)?, call.arg32(1)?);
    let realtime = match clock {
        linux::CLOCK_REALTIME => true,
        linux::CLOCK_MONOTONIC | linux::CLOCK_BOOTTIME => false,
        linux::CLOCK_REALTIME_ALARM | linux::CLOCK_BOOTTIME_ALARM => {
            if call.node().process().ids.effective_uid != 0 {
                return Err(Errno::EPERM.into());
            }
            clock == linux::CLOCK_REALTIME_ALARM
        }
        _ => return Err(Errno::EINVAL.into()),
    };
    if flags & !(linux::TFD_CLOEXEC | linux::TFD_NONBLOCK) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let timer = TimerFile { realtime, ..TimerFile::default() };
    let status = linux::O_RDWR | flags & linux::TFD_NONBLOCK;
    let file = OpenFile::new(FileKind::Timer(timer), status);
    let number = call.node_mut().open(file, flags & linux::TFD_CLOEXEC != 0)?;
    Ok(Reply::Value(number.into()))
}

fn timer(node: &mut Node, file: FileId) -> Result<&mut TimerFile, Errno> {
    match &mut node.file_mut(file).kind {
        FileKind::Timer(timer) => Ok(timer),
        _ => Err(Errno::EINVAL),
    }
}

pub(crate) fn timerfd_settime<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(1)?;
    let (new, old) = (call.arg(2)?, call.arg(3)?);
    if flags & !(linux::TFD_TIMER_ABSTIME | linux::TFD_TIMER_CANCEL_ON_SET) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let absolute = flags & linux::TFD_TIMER_ABSTIME != 0;
    // The setting is looked at before the descriptor.
    read_setting(call, new, absolute, false)?;
    let file = call.file_arg(0)?;
    let before = timer(call.node_mut(), file)?.clone();
    call.reject_flags((flags & linux::TFD_TIMER_CANCEL_ON_SET).into())?;
    let (at, interval) = read_setting(call, new, absolute, before.realtime)?;
    if old != 0 {
        let bytes = setting_bytes(before.at, before.interval, call.node().clock.now);
        call.write_concrete(old, &bytes)?;
    }
    let timer = timer(call.node_mut(), file)?;
    *timer = TimerFile { at, interval, settings: before.settings + 1, ..before };
    Ok(Reply::Value(0))
}

pub(crate) fn timerfd_gettime<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let address = call.arg(1)?;
    let now = call.node().clock.now;
    let timer = timer(call.node_mut(), file)?;
    let bytes = setting_bytes(timer.at, timer.interval, now);
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
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
    let now = node.clock.now;
    let count = timer(node, file)?.take(now);
    if count > 0 {
        return Ok(TransferProgress::Done(ByteData::Known(count.to_le_bytes()[..].into())));
    }
    if node.file(file).nonblocking() {
        time::polled(node);
        return Err(Errno::EAGAIN.into());
    }
    Ok(TransferProgress::Wait(Wait::file(file, linux::POLLIN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_periodic_timer_counts_what_nobody_read() {
        let mut timer = TimerFile { at: Some(100), interval: 10, ..TimerFile::default() };
        assert_eq!((timer.events(99), timer.next(99)), (0, Some(100)));
        assert_eq!((timer.events(100), timer.next(100)), (linux::POLLIN, Some(110)));
        let edge = timer.edges(100);
        assert_ne!(timer.edges(110), edge);
        assert_eq!((timer.take(125), timer.take(125)), (3, 0));
        assert_eq!(timer.at, Some(130));
    }

    #[test]
    fn a_timer_without_interval_expires_once() {
        let mut timer = TimerFile { at: Some(100), ..TimerFile::default() };
        assert_eq!((timer.take(1000), timer.take(2000)), (1, 0));
        assert_eq!(timer.next(2000), None);
    }
}
