//! Descriptors: duplicates and flags.

use std::sync::Arc;

use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::FileKind;
use crate::state::file::descriptor::Descriptor;
use crate::state::ids::FileId;
use crate::sys::{close, lock, memory_file, pipe};

/// Status flags that `F_SETFL` can change.
const CHANGEABLE: u32 =
    linux::O_APPEND | linux::O_NONBLOCK | linux::O_DIRECT | linux::O_NOATIME | linux::FASYNC;

pub(crate) fn dup<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    duplicate(call, file, 0, false)
}

/// A second descriptor of an open file: the lowest free one from `least` on.
fn duplicate<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    least: u32,
    close_on_exec: bool,
) -> Answer {
    let node = call.node_mut();
    let limit = node.process().limits.open_files();
    let number = node.process().descriptors.lowest_free(least, limit)?;
    node.retain_file(file);
    let table = Arc::make_mut(&mut node.process_mut().descriptors);
    table.set(number, Descriptor { file, close_on_exec });
    Ok(Reply::Value(number.into()))
}

pub(crate) fn dup2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let (old, new) = (call.arg32(0)?, call.arg32(1)?);
    if old == new {
        return Ok(Reply::Value(new.into()));
    }
    duplicate_to(call, file, new, false)
}

pub(crate) fn dup3<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (old, new, flags) = (call.arg32(0)?, call.arg32(1)?, call.arg32(2)?);
    if flags & !linux::O_CLOEXEC != 0 || old == new {
        return Err(Errno::EINVAL.into());
    }
    let file = call.file_arg(0)?;
    duplicate_to(call, file, new, flags & linux::O_CLOEXEC != 0)
}

fn duplicate_to<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    number: u32,
    close_on_exec: bool,
) -> Answer {
    let node = call.node_mut();
    if u64::from(number) >= node.process().limits.open_files() {
        return Err(Errno::EBADF.into());
    }
    node.retain_file(file);
    let table = Arc::make_mut(&mut node.process_mut().descriptors);
    if let Some(old) = table.set(number, Descriptor { file, close_on_exec }) {
        close::close_entry(node, old);
    }
    Ok(Reply::Value(number.into()))
}

pub(crate) fn fcntl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let Descriptor { file, close_on_exec } = call.descriptor_arg(0)?;
    let number = call.arg32(0)?;
    let command = call.arg32(1)?;
    let is_path = matches!(call.node().file(file).kind, FileKind::Path(_));
    match command {
        linux::F_DUPFD | linux::F_DUPFD_CLOEXEC => {
            let least = call.arg(2)?;
            if least >= call.node().process().limits.open_files() {
                return Err(Errno::EINVAL.into());
            }
            duplicate(call, file, least as u32, command == linux::F_DUPFD_CLOEXEC)
        }
        linux::F_GETFD => Ok(Reply::Value(u64::from(close_on_exec) * u64::from(linux::FD_CLOEXEC))),
        linux::F_SETFD => {
            let on = call.arg32(2)? & linux::FD_CLOEXEC != 0;
            close::set_close_on_exec(call.node_mut(), number, on)?;
            Ok(Reply::Value(0))
        }
        linux::F_GETFL => Ok(Reply::Value(call.node().file(file).flags.into())),
        _ if is_path => Err(Errno::EBADF.into()),
        linux::F_SETFL => set_status(call, file),
        linux::F_GETLK | linux::F_SETLK | linux::F_SETLKW => lock::record(call, file, command),
        linux::F_OFD_GETLK | linux::F_OFD_SETLK | linux::F_OFD_SETLKW => {
            lock::record(call, file, command)
        }
        linux::F_GETPIPE_SZ | linux::F_SETPIPE_SZ => pipe::capacity(call, file, command),
        linux::F_ADD_SEALS | linux::F_GET_SEALS => memory_file::seals(call, file, command),
        linux::F_SETLEASE
        | linux::F_GETLEASE
        | linux::F_NOTIFY
        | linux::F_SETSIG
        | linux::F_GETSIG
        | linux::F_SETOWN
        | linux::F_GETOWN
        | linux::F_SETOWN_EX
        | linux::F_GETOWN_EX => Err(call.unsupported(format!("command {command}"))),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `F_SETFL`: only some flags can be changed, the others are passed over.
fn set_status<X: Guest>(call: &mut Call<'_, '_, X>, file: FileId) -> Result<Reply, CallHalt> {
    let wanted = call.arg32(2)?;
    let flags = &mut call.node_mut().file_mut(file).flags;
    *flags = *flags & !CHANGEABLE | wanted & CHANGEABLE;
    Ok(Reply::Value(0))
}
