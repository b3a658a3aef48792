//! UNIX sockets: what the calls do with them.

use everett_fs::{AccessMode, DeviceNumber, FollowLinks, FsError, InodeId, InodeKind};
use linux_raw_sys::general::{POLLIN, POLLOUT};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::{OpenSocket, ReceivedMessage, SendRequest, broken, does_not_wait, forward, wait_for};
use crate::boot::tree;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::inet;
use crate::net::unix;
use crate::state::file::specials::SpecialInode;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::unix::{AncillaryData, PeerCredentials, UnixMessage, UnixName};
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::{Buffers, TransferProgress, scatter};
use crate::sys::path::with_context;

/// Bytes of `struct sockaddr_un`, and of the family in it.
const MOST_BYTES: usize = 110;
const FAMILY_BYTES: usize = 2;
/// The room that a buffer must have left beside a message.
const MARGIN: usize = 32;

/// A name that the program gives.
enum GivenAddress<'a> {
    Path(&'a [u8]),
    Abstract(&'a [u8]),
}

fn given(bytes: &[u8]) -> Result<GivenAddress<'_>, Errno> {
    let good = bytes.len() > FAMILY_BYTES && bytes.len() <= MOST_BYTES;
    if !good || inet::family(bytes)? != linux::AF_UNIX {
        return Err(Errno::EINVAL);
    }
    Ok(match &bytes[FAMILY_BYTES..] {
        [0, name @ ..] => GivenAddress::Abstract(name),
        path => GivenAddress::Path(path.split(|byte| *byte == 0).next().unwrap_or(path)),
    })
}

// ---- names ---------------------------------------------------------------------------------

pub(super) fn bind<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (_, id): OpenSocket,
    bytes: &[u8],
) -> Answer {
    let node = call.node_mut();
    let bound = unix::unix(node.net.get(id)).name.is_some();
    if bytes.len() == FAMILY_BYTES && inet::family(bytes)? == linux::AF_UNIX {
        unix::name_if_needed(node, id)?;
        return Ok(Reply::Value(0));
    }
    match given(bytes)? {
        _ if bound => return Err(Errno::EINVAL.into()),
        GivenAddress::Abstract(name) => {
            unix::set_name(node, id, UnixName::Abstract(name.to_vec()))?
        }
        GivenAddress::Path(path) => {
            let made = with_context(node, |fs, ctx| {
                fs.mknod(ctx, path, InodeKind::Socket, 0o777, DeviceNumber::default())
            });
            let inode = match made {
                Err(FsError::Exists) => return Err(Errno::EADDRINUSE.into()),
                made => made?,
            };
            unix::set_name(node, id, UnixName::Path { inode, path: path.to_vec() })?;
        }
    }
    Ok(Reply::Value(0))
}

/// The inode of the path of a socket to which this process may connect.
fn inode_of(node: &mut Node, path: &[u8]) -> Result<InodeId, FsError> {
    with_context(node, |fs, ctx| {
        let inode = fs.resolve(ctx, path, FollowLinks::Yes)?;
        fs.permission(inode, AccessMode::WRITE, ctx.cred)?;
        Ok(inode)
    })
}

/// The same for an address; `None` if it is not a path.
pub(super) fn path_inode<X: Guest>(
    call: &mut Call<'_, '_, X>,
    bytes: &[u8],
) -> Result<Option<InodeId>, CallHalt> {
    match given(bytes)? {
        GivenAddress::Abstract(_) => Ok(None),
        GivenAddress::Path(path) => Ok(Some(inode_of(call.node_mut(), path)?)),
    }
}

/// The socket with a name, which must be of the same type.
fn find<X: Guest>(
    call: &mut Call<'_, '_, X>,
    id: SocketId,
    bytes: &[u8],
) -> Result<SocketId, CallHalt> {
    let node = call.node_mut();
    let found = match given(bytes)? {
        GivenAddress::Abstract(name) => unix::at_name(node, name),
        GivenAddress::Path(path) => {
            let inode = inode_of(node, path)?;
            if node.disk.fs.stat(inode)?.kind != InodeKind::Socket {
                return Err(Errno::ECONNREFUSED.into());
            }
            if let Some(SpecialInode::Forward(_)) = tree::special(node, inode) {
                // What is sent there is a stream.
                return Err(Errno::EPROTOTYPE.into());
            }
            unix::at_file(node, inode)
        }
    };
    let found = found.ok_or(Errno::ECONNREFUSED)?;
    if node.net.get(found).kind != node.net.get(id).kind {
        return Err(Errno::EPROTOTYPE.into());
    }
    Ok(found)
}

// ---- connecting ----------------------------------------------------------------------------

pub(super) fn connect<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    bytes: &[u8],
) -> Answer {
    let id = open.1;
    let kind = call.node().net.get(id).kind;
    if kind == linux::SOCK_DGRAM {
        return connect_datagrams(call, id, bytes);
    }
    given(bytes)?;
    name_for_credentials(call, id)?;
    if let Some(to) = forward::target(call, bytes)? {
        return forward::connect(call, open, bytes, to);
    }
    let to = find(call, id, bytes)?;
    let node = call.node_mut();
    let (own, listener) = (unix::unix(node.net.get(id)), unix::unix(node.net.get(to)));
    if !listener.is_listening() || node.net.get(to).shut_in {
        return Err(Errno::ECONNREFUSED.into());
    }
    if listener.is_full() {
        if does_not_wait(call, open.0, 0) || call.timed_out() {
            return Err(Errno::EAGAIN.into());
        }
        let deadline = call.deadline(call.node().net.get(id).options.send_timeout);
        let wait = Wait::until(WaitEvent::Change(call.node().path.changes)).by(deadline);
        return Ok(Reply::Wait(wait));
    }
    if own.is_listening() {
        return Err(Errno::EINVAL.into());
    }
    if own.peer.is_some() {
        return Err(Errno::EISCONN.into());
    }
    unix::connect(node, id, to);
    node.changed();
    Ok(Reply::Value(0))
}

fn connect_datagrams<X: Guest>(call: &mut Call<'_, '_, X>, id: SocketId, bytes: &[u8]) -> Answer {
    if inet::family(bytes)? == linux::AF_UNSPEC {
        unix::direct(call.node_mut(), id, None);
        return Ok(Reply::Value(0));
    }
    given(bytes)?;
    name_for_credentials(call, id)?;
    let to = find(call, id, bytes)?;
    if !unix::takes_from(call.node(), to, id) {
        return Err(Errno::EPERM.into());
    }
    unix::direct(call.node_mut(), id, Some(to));
    Ok(Reply::Value(0))
}

/// A socket that wants credentials gets a name, so that it can be answered.
fn name_for_credentials<X: Guest>(call: &mut Call<'_, '_, X>, id: SocketId) -> Result<(), Errno> {
    let node = call.node_mut();
    if node.net.get(id).options.flag(linux::SOL_SOCKET, linux::SO_PASSCRED) {
        unix::name_if_needed(node, id)?;
    }
    Ok(())
}

// ---- sending -------------------------------------------------------------------------------

/// Sends bytes to the socket at the other end, or to the one with a name.
pub(super) fn send<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    mut request: SendRequest<'_>,
) -> Answer {
    if request.flags & linux::MSG_OOB != 0 {
        return match call.node().net.get(open.1).kind {
            linux::SOCK_STREAM => Err(call.unsupported("urgent data (MSG_OOB)")),
            _ => Err(Errno::EOPNOTSUPP.into()),
        };
    }
    let own = PeerCredentials::own(call.node());
    request.attached.credentials.get_or_insert(own);
    if call.node().net.get(open.1).kind == linux::SOCK_STREAM {
        return send_stream(call, open, request);
    }
    send_message(call, open, request)
}

fn send_stream<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    request: SendRequest<'_>,
) -> Answer {
    let SendRequest { data, to, flags, attached, origin: _ } = request;
    let id = open.1;
    let node = call.node_mut();
    let done = node.thread().done as usize;
    let socket = node.net.get(id);
    let connected = unix::unix(socket).peer.is_some();
    if to.is_some_and(|to| !to.is_empty()) {
        return Err((if connected { Errno::EISCONN } else { Errno::EOPNOTSUPP }).into());
    }
    if !connected {
        return Err(Errno::ENOTCONN.into());
    }
    let peer = unix::peer(node, id).filter(|peer| !node.net.get(*peer).shut_in);
    let (Some(peer), false) = (peer, node.net.get(id).shut_out) else {
        return match done {
            0 => Err(broken(call, flags).into()),
            done => Ok(Reply::Value(done as u64)),
        };
    };
    let left = data.len() - done;
    let count = left.min(unix::room(node, id, peer));
    if count > 0 {
        let attached =
            if done == 0 { attached } else { AncillaryData { rights: Vec::new(), ..attached } };
        let from = unix::unix(node.net.get(id)).name.clone();
        let data = data.part(done, done + count);
        unix::put(node, peer, UnixMessage { data, from, attached });
        node.changed();
    }
    if count == left {
        return Ok(Reply::Value(data.len() as u64));
    }
    let done = done + count;
    match wait_for(call, open, POLLOUT, flags) {
        Ok(wait) => {
            call.node_mut().thread_mut().done = done as u64;
            Ok(Reply::Wait(wait))
        }
        Err(_) if done > 0 => Ok(Reply::Value(done as u64)),
        Err(errno) => Err(errno.into()),
    }
}

/// Sends a message that arrives whole.
fn send_message<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    request: SendRequest<'_>,
) -> Answer {
    let SendRequest { data, to, flags, attached, origin: _ } = request;
    let id = open.1;
    let socket = call.node_mut().net.get_mut(id);
    let packets = socket.kind == linux::SOCK_SEQPACKET;
    if packets {
        socket.take_error()?;
        unix::unix(socket).peer.ok_or(Errno::ENOTCONN)?;
    }
    let named = to.filter(|to| !to.is_empty() && !packets);
    if let Some(name) = named {
        given(name)?;
    } else if unix::unix(socket).peer.is_none() {
        return Err(Errno::ENOTCONN.into());
    }
    if data.len() > (socket.options.send_buffer as usize).saturating_sub(MARGIN) {
        return Err(Errno::EMSGSIZE.into());
    }
    if socket.shut_out {
        return Err(Errno::EPIPE.into());
    }
    socket.take_error()?;
    name_for_credentials(call, id)?;
    let target = match named {
        Some(name) => find(call, id, name)?,
        None => match unix::peer(call.node(), id) {
            Some(peer) => peer,
            None if packets => return Err(Errno::EPIPE.into()),
            None => {
                unix::direct(call.node_mut(), id, None);
                return Err(Errno::ECONNREFUSED.into());
            }
        },
    };
    let node = call.node_mut();
    if !packets && !unix::takes_from(node, target, id) {
        return Err(Errno::EPERM.into());
    }
    if node.net.get(target).shut_in {
        return Err(Errno::EPIPE.into());
    }
    if unix::room(node, id, target) < data.len().max(1) {
        let wait = wait_for(call, open, POLLOUT, flags)?;
        // Where it is not connected, its own readiness says nothing about the target.
        let event = WaitEvent::Change(call.node().path.changes);
        return Ok(Reply::Wait(Wait { event, ..wait }));
    }
    let from = unix::unix(node.net.get(id)).name.clone();
    unix::put(node, target, UnixMessage { data: data.clone(), from, attached });
    node.changed();
    Ok(Reply::Value(data.len() as u64))
}

// ---- receiving -----------------------------------------------------------------------------

/// Receives bytes into buffers.
pub(super) fn receive<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    let id = open.1;
    let socket = call.node().net.get(id);
    let (kind, state) = (socket.kind, unix::unix(socket));
    if kind != linux::SOCK_DGRAM && state.peer.is_none() {
        // Each type has an error of its own.
        let packets = kind == linux::SOCK_SEQPACKET;
        return Err((if packets { Errno::ENOTCONN } else { Errno::EINVAL }).into());
    }
    if flags & linux::MSG_OOB != 0 {
        let errno = if kind == linux::SOCK_STREAM { Errno::EINVAL } else { Errno::EOPNOTSUPP };
        return Err(errno.into());
    }
    if kind == linux::SOCK_STREAM {
        receive_stream(call, open, buffers, flags)
    } else {
        receive_message(call, open, buffers, flags)
    }
}

/// The things that a message that was taken, or looked at, brings along.
fn brought<X: Guest>(
    call: &mut Call<'_, '_, X>,
    message: &UnixMessage,
    peek: bool,
) -> ReceivedMessage {
    if peek {
        for file in &message.attached.rights {
            call.node_mut().retain_file(*file);
        }
    }
    let name = message.from.as_ref().map_or_else(Vec::new, |name| name.to_bytes());
    ReceivedMessage { name, attached: message.attached.clone(), ..ReceivedMessage::default() }
}

fn receive_message<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    let id = open.1;
    call.node_mut().net.get_mut(id).take_error()?;
    let Some(next) = unix::next(call.node(), id) else {
        let socket = call.node().net.get(id);
        let packets = socket.kind == linux::SOCK_SEQPACKET;
        if socket.shut_in && (packets || !does_not_wait(call, open.0, flags)) {
            return Ok(TransferProgress::Done(ReceivedMessage::default()));
        }
        return Ok(TransferProgress::Wait(wait_for(call, open, POLLIN, flags)?));
    };
    let len = next.data.len() as u64;
    let shown = len.min(buffers.total());
    buffers.writable(call, shown)?;
    let peek = flags & linux::MSG_PEEK != 0;
    if !peek {
        unix::consume(call.node_mut(), id, len as usize, true);
        call.node_mut().changed();
    }
    scatter(call, buffers, &next.data.part(0, shown as usize))?;
    let received = brought(call, &next, peek);
    Ok(TransferProgress::Done(ReceivedMessage {
        count: if flags & linux::MSG_TRUNC != 0 { len } else { shown },
        flags: if shown < len { linux::MSG_TRUNC } else { 0 },
        ..received
    }))
}

/// Takes bytes of a stream, up to and with the first that bring files along.
fn receive_stream<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    let id = open.1;
    let peek = flags & linux::MSG_PEEK != 0;
    let mut done = call.node().thread().done;
    let mut received = ReceivedMessage::default();
    let mut room = buffers.total();
    if done == 0 && !peek && flags & linux::MSG_WAITALL == 0 {
        let available = unix::readable_bytes(call.node(), id).unwrap_or(0);
        let most = available.min(room);
        let kept = call.shorten_read(most)?;
        room = if kept < most { kept } else { room };
    }
    while done < room
        && let Some(next) = unix::next(call.node(), id)
    {
        let rest = buffers.after(done);
        let most = (next.data.len() as u64).min(room - done);
        let count = rest.writable(call, most)?;
        scatter(call, &rest, &next.data.part(0, count as usize))?;
        if !peek {
            unix::consume(call.node_mut(), id, count as usize, false);
            call.node_mut().changed();
        }
        done += count;
        received = brought(call, &next, peek);
        if peek || !received.attached.rights.is_empty() || count == 0 {
            return Ok(TransferProgress::Done(ReceivedMessage { count: done, ..received }));
        }
    }
    let finished =
        |count| Ok(TransferProgress::Done(ReceivedMessage { count, ..received.clone() }));
    let all = flags & linux::MSG_WAITALL != 0;
    if done > 0 && (!all || done == buffers.total()) {
        return finished(done);
    }
    let socket = call.node_mut().net.get_mut(id);
    if done == 0 {
        socket.take_error()?;
    }
    if socket.shut_in {
        return finished(done);
    }
    match wait_for(call, open, POLLIN, flags) {
        Ok(wait) => {
            call.node_mut().thread_mut().done = done;
            Ok(TransferProgress::Wait(wait))
        }
        Err(_) if done > 0 => finished(done),
        Err(errno) => Err(errno.into()),
    }
}
