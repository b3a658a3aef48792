//! Terminals: pairs of files of which one is typed at, and the other one is what programs take for a
//! terminal.
//!
//! `/dev/ptmx` makes a pair, whose slave is a file in `/dev/pts`. The terminal that controls a session is
//! `/dev/tty` there. The standard streams are no terminals.

mod control;

use everett_fs::{Credentials, DeviceNumber, FsContext, InodeId, InodeKind};
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

pub(crate) use self::control::control;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::signal;
use crate::state::data::ByteData;
use crate::state::file::terminal::{MOST_INPUT, SpecialKey, Terminal, TypedByte, TypedSignal};
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::{FileId, Pid, Time};
use crate::state::node::Node;
use crate::state::process::signals::SIG_IGN;
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::TransferProgress;

/// The most terminals.
const MOST_TERMINALS: u32 = 4096;
/// The major number of slaves.
const SLAVE_MAJOR: u32 = 136;
/// Nanoseconds of the unit of a terminal's timeouts.
const TENTH: Time = 100_000_000;

/// The kind of terminal that a character device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TerminalDevice {
    /// A new pair.
    Multiplexer,
    Slave(u32),
    /// The terminal that controls the session.
    Controlling,
}

impl TerminalDevice {
    /// The kind of a device number, if it is one of a terminal.
    pub(crate) fn of(device: DeviceNumber) -> Option<TerminalDevice> {
        match (device.major, device.minor) {
            (5, 0) => Some(TerminalDevice::Controlling),
            (5, 2) => Some(TerminalDevice::Multiplexer),
            (SLAVE_MAJOR, number) => Some(TerminalDevice::Slave(number)),
            _ => None,
        }
    }
}

/// An end of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TerminalEnd {
    number: u32,
    is_master: bool,
}

fn end_of(node: &Node, file: FileId) -> Result<TerminalEnd, Errno> {
    match node.file(file).kind {
        FileKind::Terminal { number, is_master, .. } => Ok(TerminalEnd { number, is_master }),
        _ => Err(Errno::ENOTTY),
    }
}

fn terminal(node: &mut Node, number: u32) -> Result<&mut Terminal, Errno> {
    node.volatile.terminals.terminals.get_mut(&number).ok_or(Errno::EIO)
}

// ---- opening and closing -------------------------------------------------------------------

/// Opens a terminal's device: the kind of file, and its flags. The inode is not held yet.
pub(crate) fn open(
    node: &mut Node,
    device: TerminalDevice,
    inode: InodeId,
    flags: u32,
) -> Result<FileKind, CallHalt> {
    match device {
        TerminalDevice::Multiplexer => {
            let number = make(node)?;
            Ok(FileKind::Terminal { number, is_master: true, inode })
        }
        TerminalDevice::Slave(number) => open_slave(node, number, inode, flags),
        TerminalDevice::Controlling => {
            let number = controlling(node).ok_or(Errno::ENXIO)?;
            open_slave(node, number, inode, flags | linux::O_NOCTTY)
        }
    }
}

/// Makes a pair, with a file for its slave.
fn make(node: &mut Node) -> Result<u32, CallHalt> {
    let table = &node.volatile.terminals.terminals;
    let number = (0..MOST_TERMINALS).find(|number| !table.contains_key(number));
    let number = number.ok_or(Errno::ENOSPC)?;
    let owner = node.credentials();
    let now = node.stamp();
    let fs = &mut node.disk.fs;
    let root = Credentials::root();
    let ctx = FsContext { umask: 0, now, ..FsContext::new(fs.root(), &root) };
    let device = DeviceNumber { major: SLAVE_MAJOR, minor: number };
    let path = slave_path(number);
    let slave = fs.mknod(&ctx, path.as_bytes(), InodeKind::CharDevice, 0o620, device)?;
    fs.chown(&ctx, slave, Some(owner.uid), Some(owner.gid))?;
    node.volatile.terminals.terminals.insert(number, Terminal::with_master());
    Ok(number)
}

fn slave_path(number: u32) -> String {
    format!("/dev/pts/{number}")
}

/// Opens a slave. It becomes the terminal of a session that has none, if its leader opens it.
fn open_slave(
    node: &mut Node,
    number: u32,
    inode: InodeId,
    flags: u32,
) -> Result<FileKind, CallHalt> {
    let (pid, session, group) = own(node);
    let has_none = controlling(node).is_none();
    let opened = terminal(node, number)?;
    if opened.is_locked || opened.masters == 0 {
        return Err(Errno::EIO.into());
    }
    opened.slaves += 1;
    opened.had_slave = true;
    let is_free = opened.session.is_none();
    if flags & linux::O_NOCTTY == 0 && pid == session && has_none && is_free {
        (opened.session, opened.foreground) = (Some(session), Some(group));
    }
    Ok(FileKind::Terminal { number, is_master: false, inode })
}

/// The running process, its session and its group.
fn own(node: &Node) -> (Pid, Pid, Pid) {
    let process = node.process();
    (node.volatile.running.0, process.session, process.group)
}

/// The terminal that controls the session of the running process.
fn controlling(node: &Node) -> Option<u32> {
    let session = node.process().session;
    let mut terminals = node.volatile.terminals.terminals.iter();
    terminals.find(|(_, terminal)| terminal.session == Some(session)).map(|(number, _)| *number)
}

/// An open file is gone: if it was the last one of an end, the other end sees a hang-up.
pub(crate) fn closed(node: &mut Node, file: &OpenFile) {
    let FileKind::Terminal { number, is_master, .. } = file.kind else { return };
    let Ok(terminal) = terminal(node, number) else { return };
    terminal.arrivals[usize::from(!is_master)] += 1;
    if !is_master {
        terminal.slaves -= 1;
    } else {
        terminal.masters -= 1;
        if terminal.masters == 0 {
            hang_up(node, number);
            remove_slave(node, number);
        }
    }
    forget_unused(node, number);
    node.changed();
}

/// The device of a slave goes with its master.
fn remove_slave(node: &mut Node, number: u32) {
    let root = Credentials::root();
    let now = node.stamp();
    let fs = &mut node.disk.fs;
    let ctx = FsContext { now, ..FsContext::new(fs.root(), &root) };
    // A program may have removed it.
    let _ = fs.unlink(&ctx, slave_path(number).as_bytes());
}

fn forget_unused(node: &mut Node, number: u32) {
    let terminals = &mut node.volatile.terminals.terminals;
    if terminals.get(&number).is_some_and(|terminal| terminal.masters + terminal.slaves == 0) {
        terminals.remove(&number);
    }
}

/// Tells the processes in front that their terminal is gone. It controls no session any more.
fn hang_up(node: &mut Node, number: u32) {
    let Ok(terminal) = terminal(node, number) else { return };
    let (session, foreground) = (terminal.session.take(), terminal.foreground.take());
    for signal in [linux::SIGHUP, linux::SIGCONT] {
        if let Some(leader) = session {
            // A leader that has ended needs no signal.
            let _ = signal::send(node, leader, None, signal::from_kernel(signal));
        }
        if let Some(group) = foreground.filter(|group| Some(*group) != session) {
            signal_group(node, group, signal);
        }
    }
}

/// A process has ended: if it was the leader of a session, the terminal of that is free.
pub(crate) fn process_ended(node: &mut Node, pid: Pid) {
    let terminals = &node.volatile.terminals.terminals;
    let own = terminals.iter().find(|(_, terminal)| terminal.session == Some(pid));
    if let Some(number) = own.map(|(number, _)| *number) {
        hang_up(node, number);
    }
}

fn signal_group(node: &mut Node, group: Pid, signal: u32) {
    let processes = node.volatile.processes.iter().filter(|(_, process)| process.group == group);
    let members: Vec<Pid> = processes.map(|(pid, _)| *pid).collect();
    for pid in members {
        // One that has ended needs no signal.
        let _ = signal::send(node, pid, None, signal::from_kernel(signal));
    }
}

// ---- reading and writing -------------------------------------------------------------------

/// The wait until anything changes, unless the file does not wait.
fn wait<T>(
    node: &Node,
    file: FileId,
    deadline: Option<Time>,
) -> Result<TransferProgress<T>, Errno> {
    if node.file(file).nonblocking() {
        return Err(Errno::EAGAIN);
    }
    let event = WaitEvent::Change(node.path.changes);
    Ok(TransferProgress::Wait(Wait::until(event).by(deadline)))
}

/// Takes bytes out; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    want: u64,
) -> Result<TransferProgress<ByteData>, CallHalt> {
    let want = usize::try_from(want).unwrap_or(usize::MAX);
    let end = end_of(call.node(), file)?;
    if end.is_master {
        let node = call.node_mut();
        let terminal = terminal(node, end.number)?;
        if terminal.shown_len() > 0 {
            let bytes = terminal.take_shown(want);
            node.changed();
            return Ok(TransferProgress::Done(ByteData::from(bytes)));
        }
        if terminal.had_slave && terminal.slaves == 0 {
            return Err(Errno::EIO.into());
        }
        return Ok(wait(node, file, None)?);
    }
    read_slave(call, file, end.number, want)
}

fn read_slave<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    number: u32,
    want: usize,
) -> Result<TransferProgress<ByteData>, CallHalt> {
    if let Some(wait) = stop_background(call.node_mut(), number, linux::SIGTTIN)? {
        return Ok(TransferProgress::Wait(wait));
    }
    let has_timed_out = call.timed_out();
    let since = call.resumed().and_then(|ended| ended.deadline);
    let node = call.node_mut();
    let now = node.clock.now;
    let found = terminal(node, number)?;
    let there = found.readable_len();
    let (is_ready, tenths) = if found.settings.has_lines() {
        (found.has_line(), 0)
    } else {
        match found.settings.least_bytes_and_time() {
            (0, 0) => (true, 0),
            (0, tenths) => (there > 0 || has_timed_out, tenths),
            (least, 0) => (there >= usize::from(least).min(want), 0),
            (least, tenths) => {
                let is_enough = there >= usize::from(least).min(want);
                (is_enough || (there > 0 && has_timed_out), if there > 0 { tenths } else { 0 })
            }
        }
    };
    if is_ready || found.masters == 0 {
        let bytes = found.take_line(want);
        node.changed();
        return Ok(TransferProgress::Done(ByteData::from(bytes)));
    }
    // The time begins with the first byte, where one is waited for.
    let deadline = (tenths > 0).then(|| since.unwrap_or(now + Time::from(tenths) * TENTH));
    Ok(wait(node, file, deadline)?)
}

/// Stops the running process if it is in the background of its terminal: the wait until it is continued.
fn stop_background(node: &mut Node, number: u32, signal: u32) -> Result<Option<Wait>, Errno> {
    let (_, session, group) = own(node);
    let found = terminal(node, number)?;
    let is_behind = found.session == Some(session) && found.foreground != Some(group);
    if !is_behind {
        return Ok(None);
    }
    let is_blocked = node.thread().mask & (1 << (signal - 1)) != 0;
    let is_ignored = node.process().actions.get(signal).handler == SIG_IGN;
    if is_blocked || is_ignored {
        return if signal == linux::SIGTTIN { Err(Errno::EIO) } else { Ok(None) };
    }
    signal_group(node, group, signal);
    Ok(Some(Wait::until(WaitEvent::Change(node.path.changes))))
}

/// Puts bytes in; see `sys/io.rs`.
pub(crate) fn write<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    data: &ByteData,
) -> Result<TransferProgress<u64>, CallHalt> {
    let end = end_of(call.node(), file)?;
    if end.is_master {
        type_bytes(call, file, end.number, data)
    } else {
        show(call, file, end.number, data)
    }
}

/// Types bytes. All that a symbolic byte may mean is decided before anything is changed.
fn type_bytes<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    number: u32,
    data: &ByteData,
) -> Result<TransferProgress<u64>, CallHalt> {
    let found = terminal(call.node_mut(), number)?;
    let has_lines = found.settings.has_lines();
    let room = MOST_INPUT.saturating_sub(found.input_len());
    let keys = found.settings.special_keys();
    if room == 0 && !has_lines {
        return Ok(wait(call.node(), file, None)?);
    }
    // What a full line has no room for is lost.
    let count = if has_lines { data.len() } else { data.len().min(room) };
    let mut typed = Vec::with_capacity(count);
    for byte in data.part(0, count).to_values() {
        let key = key_of(call, byte, &keys)?;
        if let Some(key) = key.filter(|key| key.erases())
            && let Some(why) = terminal(call.node_mut(), number)?.cannot_erase(key, data)
        {
            return Err(call.unsupported(why));
        }
        typed.push(TypedByte { byte, key });
    }
    let node = call.node_mut();
    for byte in typed {
        let terminal = terminal(node, number)?;
        let group = terminal.foreground;
        if let (Some(TypedSignal(signal)), Some(group)) = (terminal.type_byte(byte), group) {
            signal_group(node, group, signal);
        }
    }
    node.changed();
    Ok(TransferProgress::Done(count as u64))
}

/// The key that a byte is; a symbolic one forks.
fn key_of<X: Guest>(
    call: &mut Call<'_, '_, X>,
    byte: ByteValue,
    keys: &[(u8, SpecialKey)],
) -> Result<Option<SpecialKey>, CallHalt> {
    for (of, key) in keys {
        if is_byte(call, byte, *of)? {
            return Ok(Some(*key));
        }
    }
    Ok(None)
}

/// Returns true if a byte has a value; a symbolic one forks.
fn is_byte<X: Guest>(
    call: &mut Call<'_, '_, X>,
    byte: ByteValue,
    value: u8,
) -> Result<bool, CallHalt> {
    match byte {
        ByteValue::Concrete(byte) => Ok(byte == value),
        ByteValue::Symbolic(term) => {
            let pool = call.cx.pool;
            call.decide(pool.eq(term, pool.constant(8, value.into())))
        }
    }
}

/// Shows bytes to whoever has the master.
fn show<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    number: u32,
    data: &ByteData,
) -> Result<TransferProgress<u64>, CallHalt> {
    let found = terminal(call.node_mut(), number)?;
    let (is_gone, is_stopped) = (found.masters == 0, found.is_stopped);
    // Each byte may take the room of two.
    let room = found.output_room() / 2;
    let settings = found.settings;
    if is_gone {
        return Err(Errno::EIO.into());
    }
    if settings.stops_output_of_others()
        && let Some(wait) = stop_background(call.node_mut(), number, linux::SIGTTOU)?
    {
        return Ok(TransferProgress::Wait(wait));
    }
    if is_stopped || room == 0 {
        return Ok(wait(call.node(), file, None)?);
    }
    let mut bytes = Vec::new();
    for byte in data.part(0, data.len().min(room)).to_values() {
        let is_newline = settings.returns_at_newline() && is_byte(call, byte, b'\n')?;
        bytes.push((byte, is_newline));
    }
    let node = call.node_mut();
    let terminal = terminal(node, number)?;
    bytes.iter().for_each(|(byte, is_newline)| terminal.show_byte(*byte, *is_newline));
    node.changed();
    Ok(TransferProgress::Done(bytes.len() as u64))
}
