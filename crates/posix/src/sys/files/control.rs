//! `ioctl`: what files answer beside reading and writing.

use linux_raw_sys::ioctl;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, Reply};
use crate::state::file::FileKind;
use crate::state::sockets::socket_of;
use crate::sys::{close, poll, socket, terminal};

/// `EVERETT_IOC_FAULTS`, `EVERETT_IOC_SYMBOLIC` and `EVERETT_IOC_FRAGMENT` of `everett.h`.
const FAULTS: u32 = 0x4004_e701;
const SYMBOLIC: u32 = 0x4004_e702;
const FRAGMENT: u32 = 0x4004_e703;

pub(crate) fn ioctl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let entry = call.descriptor_arg(0)?;
    let number = call.arg32(0)?;
    let (command, argument) = (call.arg32(1)?, call.arg(2)?);
    if matches!(call.node().file(entry.file).kind, FileKind::Path(_)) {
        return Err(Errno::EBADF.into());
    }
    match command {
        FAULTS => call.node_mut().file_mut(entry.file).spare(argument == 0),
        SYMBOLIC => call.node_mut().file_mut(entry.file).make_symbolic(argument != 0),
        FRAGMENT => {
            call.node_mut().file_mut(entry.file).give_pieces(argument);
            call.node_mut().faults_mut().allow_pieces();
        }
        ioctl::FIOCLEX | ioctl::FIONCLEX => {
            close::set_close_on_exec(call.node_mut(), number, command == ioctl::FIOCLEX)?;
        }
        ioctl::FIONBIO => {
            let on = call.read_u32(argument)? != 0;
            let flags = &mut call.node_mut().file_mut(entry.file).flags;
            let bit = linux_raw_sys::general::O_NONBLOCK;
            *flags = if on { *flags | bit } else { *flags & !bit };
        }
        command if matches!(call.node().file(entry.file).kind, FileKind::Terminal { .. }) => {
            return terminal::control(call, entry.file, command, argument);
        }
        command if let Some(socket) = socket_of(call.node().file(entry.file)) => {
            return socket::control(call, (entry.file, socket), command, argument);
        }
        ioctl::FIONREAD => {
            let Some(bytes) = poll::readable_bytes(call.node(), entry.file)? else {
                return Err(Errno::ENOTTY.into());
            };
            call.write_u32(argument, u32::try_from(bytes).unwrap_or(u32::MAX))?;
        }
        // What a terminal answers, and nothing else.
        _ => return Err(Errno::ENOTTY.into()),
    }
    Ok(Reply::Value(0))
}
