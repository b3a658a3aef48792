//! `ioctl` on terminals: settings, size, sessions, and the number of a slave.

use linux_raw_sys::general as linux;
use linux_raw_sys::ioctl;
use syscalls::Errno;

use super::{
    TerminalEnd, controlling, end_of, open_slave, own, signal_group, slave_path, terminal,
};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::OpenFile;
use crate::state::file::terminal::TerminalSettings;
use crate::state::ids::{FileId, Pid};

/// Bytes of the kernel's `struct termios`, and of `struct winsize`.
const SETTINGS_BYTES: u64 = 36;
const SIZE_BYTES: u64 = 8;
/// The queues that `TCFLSH` forgets.
const TCIFLUSH: u64 = 0;
const TCOFLUSH: u64 = 1;
const TCIOFLUSH: u64 = 2;
/// What `TCXONC` does: it holds output up, or lets it go on; the other two are about what is typed.
const TCOOFF: u64 = 0;
const TCOON: u64 = 1;
const TCION: u64 = 3;

/// An `ioctl` on an open file that is a terminal.
pub(crate) fn control<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    command: u32,
    argument: u64,
) -> Answer {
    let end = end_of(call.node(), file)?;
    let number = end.number;
    match command {
        ioctl::TCGETS => {
            let bytes = terminal(call.node_mut(), number)?.settings.to_bytes();
            call.write_concrete(argument, &bytes)?;
        }
        ioctl::TCSETS | ioctl::TCSETSW | ioctl::TCSETSF => {
            let bytes = call.read_settled(argument, SETTINGS_BYTES)?;
            let bytes = bytes.as_slice().try_into().map_err(|_| Errno::EFAULT)?;
            let settings = TerminalSettings::from_bytes(bytes);
            let settings = settings.map_err(|what| call.unsupported(what))?;
            let terminal = terminal(call.node_mut(), number)?;
            if command == ioctl::TCSETSF {
                terminal.forget_input();
            }
            terminal.set(settings);
            call.node_mut().changed();
        }
        ioctl::TIOCGWINSZ => {
            let size = terminal(call.node_mut(), number)?.size;
            let bytes: Vec<u8> = size.iter().flat_map(|part| part.to_le_bytes()).collect();
            call.write_concrete(argument, &bytes)?;
        }
        ioctl::TIOCSWINSZ => set_size(call, number, argument)?,
        ioctl::FIONREAD => {
            let count = call.node().volatile.terminals.readable_bytes(number, end.is_master);
            call.write_u32(argument, count as u32)?;
        }
        ioctl::TIOCOUTQ => call.write_u32(argument, 0)?,
        ioctl::TCFLSH => flush(call, end, argument)?,
        // Everything is shown at once, and a break is nothing.
        ioctl::TCSBRK | ioctl::TCSBRKP => {}
        ioctl::TCXONC if argument > TCION => return Err(Errno::EINVAL.into()),
        ioctl::TCXONC => {
            let is_stopped = &mut terminal(call.node_mut(), number)?.is_stopped;
            *is_stopped = argument == TCOOFF || (*is_stopped && argument != TCOON);
            call.node_mut().changed();
        }
        ioctl::TIOCGPTN | ioctl::TIOCSPTLCK | ioctl::TIOCGPTLCK | ioctl::TIOCGPTPEER => {
            return control_master(call, end, command, argument);
        }
        ioctl::TIOCSCTTY
        | ioctl::TIOCNOTTY
        | ioctl::TIOCGPGRP
        | ioctl::TIOCSPGRP
        | ioctl::TIOCGSID => control_session(call, end, command, argument)?,
        command => return Err(call.unsupported(format!("command {command:#x} of a terminal"))),
    }
    Ok(Reply::Value(0))
}

fn set_size<X: Guest>(
    call: &mut Call<'_, '_, X>,
    number: u32,
    address: u64,
) -> Result<(), CallHalt> {
    let bytes = call.read_settled(address, SIZE_BYTES)?;
    let mut size = [0; 4];
    for (place, pair) in size.iter_mut().zip(bytes.chunks_exact(2)) {
        *place = u16::from_le_bytes([pair[0], pair[1]]);
    }
    let node = call.node_mut();
    let terminal = terminal(node, number)?;
    let has_changed = std::mem::replace(&mut terminal.size, size) != size;
    if let Some(group) = terminal.foreground.filter(|_| has_changed) {
        signal_group(node, group, linux::SIGWINCH);
    }
    Ok(())
}

/// Forgets what was not read. What the one end gets, the other end has written.
fn flush<X: Guest>(
    call: &mut Call<'_, '_, X>,
    end: TerminalEnd,
    which: u64,
) -> Result<(), CallHalt> {
    let terminal = terminal(call.node_mut(), end.number)?;
    let (input, output) = match which {
        TCIFLUSH => (true, false),
        TCOFLUSH => (false, true),
        TCIOFLUSH => (true, true),
        _ => return Err(Errno::EINVAL.into()),
    };
    let (typed, shown) = if end.is_master { (output, input) } else { (input, output) };
    if typed {
        terminal.forget_input();
    }
    if shown {
        terminal.forget_output();
    }
    call.node_mut().changed();
    Ok(())
}

/// What only a master knows: its slave.
fn control_master<X: Guest>(
    call: &mut Call<'_, '_, X>,
    end: TerminalEnd,
    command: u32,
    argument: u64,
) -> Answer {
    if !end.is_master {
        return Err(Errno::ENOTTY.into());
    }
    match command {
        ioctl::TIOCGPTN => call.write_u32(argument, end.number)?,
        ioctl::TIOCSPTLCK => {
            let is_locked = call.read_u32(argument)? != 0;
            terminal(call.node_mut(), end.number)?.is_locked = is_locked;
        }
        ioctl::TIOCGPTLCK => {
            let is_locked = terminal(call.node_mut(), end.number)?.is_locked;
            call.write_u32(argument, is_locked.into())?;
        }
        _ => {
            let flags = argument as u32;
            let known = linux::O_ACCMODE | linux::O_NONBLOCK | linux::O_NOCTTY | linux::O_CLOEXEC;
            call.reject_flags((flags & !known).into())?;
            let path = slave_path(end.number);
            let inode = crate::sys::path::with_context(call.node_mut(), |fs, ctx| {
                fs.resolve(ctx, path.as_bytes(), everett_fs::FollowLinks::Yes)
            })?;
            let node = call.node_mut();
            node.process().descriptors.lowest_free(0, node.process().limits.open_files())?;
            let kind = open_slave(node, end.number, inode, flags)?;
            node.disk.fs.hold(inode);
            let status = flags & (linux::O_ACCMODE | linux::O_NONBLOCK);
            let close_on_exec = flags & linux::O_CLOEXEC != 0;
            let opened = node.open(OpenFile::new(kind, status), close_on_exec)?;
            return Ok(Reply::Value(opened.into()));
        }
    }
    Ok(Reply::Value(0))
}

/// The session that a terminal controls, and the group in front.
fn control_session<X: Guest>(
    call: &mut Call<'_, '_, X>,
    end: TerminalEnd,
    command: u32,
    argument: u64,
) -> Result<(), CallHalt> {
    let node = call.node_mut();
    let (pid, session, group) = own(node);
    let own_terminal = controlling(node);
    let is_own = own_terminal == Some(end.number);
    let found = terminal(node, end.number)?;
    match command {
        ioctl::TIOCSCTTY => {
            if is_own {
                return Ok(());
            }
            if pid != session || own_terminal.is_some() || found.session.is_some() {
                return Err(Errno::EPERM.into());
            }
            (found.session, found.foreground) = (Some(session), Some(group));
        }
        ioctl::TIOCNOTTY => {
            if !is_own {
                return Err(Errno::ENOTTY.into());
            }
            if pid == session {
                super::hang_up(node, end.number);
            } else {
                return Err(call.unsupported("a process that leaves the terminal of its session"));
            }
        }
        ioctl::TIOCGPGRP | ioctl::TIOCGSID => {
            let told = if command == ioctl::TIOCGSID { found.session } else { found.foreground };
            if !(end.is_master || is_own) || (command == ioctl::TIOCGSID && told.is_none()) {
                return Err(Errno::ENOTTY.into());
            }
            call.write_u32(argument, told.map_or(0, |pid| pid.0))?;
        }
        _ => {
            if !is_own {
                return Err(Errno::ENOTTY.into());
            }
            let group = Pid(call.read_u32(argument)?);
            let node = call.node_mut();
            let mut processes = node.volatile.processes.values();
            let member = processes.find(|process| process.group == group);
            match member.map(|process| process.session == session) {
                None => return Err(Errno::ESRCH.into()),
                Some(false) => return Err(Errno::EPERM.into()),
                Some(true) => terminal(node, end.number)?.foreground = Some(group),
            }
        }
    }
    Ok(())
}
