//! `signalfd`.

use everett_expr::Pool;
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::data::ByteData;
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::FileId;
use crate::state::process::signals::{SignalFile, SignalInfo, UNSTOPPABLE};
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::TransferProgress;

/// Bytes of `struct signalfd_siginfo`.
const INFO_BYTES: u64 = 128;
/// `si_code` of a timer's signal.
const SI_TIMER: i32 = -2;

pub(crate) fn signalfd<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make(call, 0)
}

pub(crate) fn signalfd4<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(3)?;
    if flags & !(linux::O_CLOEXEC | linux::O_NONBLOCK) != 0 {
        return Err(Errno::EINVAL.into());
    }
    make(call, flags)
}

fn make<X: Guest>(call: &mut Call<'_, '_, X>, flags: u32) -> Answer {
    const SET_BYTES: u64 = 8;
    let (address, bytes) = (call.arg(1)?, call.arg(2)?);
    if bytes != SET_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let set = call.read_u64(address)? & !UNSTOPPABLE;
    let number = call.arg32(0)?;
    if number == u32::MAX {
        let status = linux::O_RDWR | flags & linux::O_NONBLOCK;
        let file = OpenFile::new(FileKind::Signal(SignalFile { set }), status);
        let number = call.node_mut().open(file, flags & linux::O_CLOEXEC != 0)?;
        return Ok(Reply::Value(number.into()));
    }
    let file = call.file_arg(0)?;
    match &mut call.node_mut().file_mut(file).kind {
        FileKind::Signal(signals) => signals.set = set,
        _ => return Err(Errno::EINVAL.into()),
    }
    call.node_mut().changed();
    Ok(Reply::Value(number.into()))
}

/// Takes bytes out; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    want: u64,
) -> Result<TransferProgress<ByteData>, CallHalt> {
    let node = call.st.extra.node_mut();
    let FileKind::Signal(SignalFile { set }) = node.file(file).kind else {
        return Err(Errno::EBADF.into());
    };
    if want < INFO_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let mut bytes = Vec::new();
    while (bytes.len() as u64) + INFO_BYTES <= want {
        let own = node.thread_mut().pending.take(set);
        let Some(info) = own.or_else(|| node.process_mut().pending.take(set)) else { break };
        bytes.extend_from_slice(&describe(call.cx.pool, &info));
    }
    if !bytes.is_empty() {
        return Ok(TransferProgress::Done(ByteData::from(bytes)));
    }
    if node.file(file).nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    Ok(TransferProgress::Wait(Wait::until(WaitEvent::Signal(set))))
}

/// A `struct signalfd_siginfo`.
fn describe(pool: &Pool, info: &SignalInfo) -> [ByteValue; INFO_BYTES as usize] {
    let SignalInfo { signal, code, pid, uid, value: _ } = *info;
    let mut bytes = [ByteValue::Concrete(0); INFO_BYTES as usize];
    let mut put = |at: usize, word: &[ByteValue]| bytes[at..at + word.len()].copy_from_slice(word);
    let word = |word: u32| word.to_le_bytes().map(ByteValue::Concrete);
    put(0, &word(signal));
    put(8, &word(code as u32));
    if code == SI_TIMER {
        put(24, &word(pid));
    } else {
        put(12, &word(pid));
        put(16, &word(uid));
    }
    let value = info.value_bytes(pool);
    if signal == linux::SIGCHLD && code > 0 {
        put(40, &value[..4]);
    } else {
        put(44, &value[..4]);
        put(48, &value);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use everett_interp::Reg;

    use super::*;

    #[test]
    fn a_child_s_end_tells_its_status_and_others_their_value() {
        let pool = Pool::new();
        let known =
            |info: &SignalInfo| describe(&pool, info).map(|byte| u8::try_from(byte).unwrap());
        let value = Reg::word(9);
        let bytes = known(&SignalInfo { signal: linux::SIGCHLD, code: 1, pid: 7, uid: 8, value });
        assert_eq!((bytes[0], bytes[8], bytes[12], bytes[16], bytes[40]), (17, 1, 7, 8, 9));
        let value = Reg::word(1 << 40 | 5);
        let bytes = known(&SignalInfo { signal: 34, code: -1, pid: 7, uid: 8, value });
        assert_eq!((bytes[44], &bytes[48..56]), (5, &(1u64 << 40 | 5).to_le_bytes()[..]));
    }
}
