//! [`MachineFaultPlace`]: the calls at which something may happen to a node as a whole, by the objects that
//! they work on.

use everett_interp::Reg;
use syscalls::Sysno;

use crate::calls::{self, CallObject, CrashPoint};
use crate::state::file::FileKind;
use crate::state::node::Node;
use crate::state::sockets::{SocketFamily, socket_of};

/// A call at which a node may crash or be paused, by what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MachineFaultPlace {
    /// It sends or receives bytes.
    Message,
    /// It has a connection made, which the other side accepts.
    Connection,
    /// It ends a connection, or one of its streams, which the other side is told.
    Ending,
    /// It changes files or names.
    Files,
    /// It makes changes of files durable.
    Sync,
    /// It exposes something to invariants.
    Exposure,
}

impl MachineFaultPlace {
    /// The place that a system call is; `None` if nothing happens to a node there.
    pub(super) fn of_call(node: &Node, sysno: Sysno, args: &[Reg; 6]) -> Option<MachineFaultPlace> {
        let descriptor = match calls::facts(sysno).crash {
            CrashPoint::Nowhere => return None,
            CrashPoint::Files => return Some(MachineFaultPlace::Files),
            CrashPoint::Sync => return Some(MachineFaultPlace::Sync),
            CrashPoint::Ending => return Some(MachineFaultPlace::Ending),
            CrashPoint::Connects => {
                let is_stream = object_behind(node, args[0]) == CallObject::Stream;
                return is_stream.then_some(MachineFaultPlace::Connection);
            }
            CrashPoint::Writes(at) => args[at],
            CrashPoint::Receives => {
                let object = object_behind(node, args[0]);
                let receives = matches!(object, CallObject::Stream | CallObject::Datagram);
                return receives.then_some(MachineFaultPlace::Message);
            }
        };
        match object_behind(node, descriptor) {
            CallObject::File => Some(MachineFaultPlace::Files),
            CallObject::Stream | CallObject::Datagram => Some(MachineFaultPlace::Message),
            CallObject::Other
            | CallObject::New
            | CallObject::Local
            | CallObject::Quiet
            | CallObject::Spared => None,
        }
    }

    /// Returns true if a call has done what makes it such a place.
    pub(super) fn has_done(self, before: &Node, after: &Node) -> bool {
        match self {
            // A connection is made while the call waits, so the call itself may do nothing any more.
            MachineFaultPlace::Message
            | MachineFaultPlace::Connection
            | MachineFaultPlace::Exposure => true,
            MachineFaultPlace::Ending => after.net.sent() != before.net.sent(),
            MachineFaultPlace::Files => !after.disk.fs.is_unchanged_since(&before.disk.fs),
            MachineFaultPlace::Sync => !after.disk.fs.durable().is_same(&before.disk.fs.durable()),
        }
    }

    /// Returns true if a pause before the call can be told from one before the next call that is a place.
    pub(super) fn has_pauses(self) -> bool {
        match self {
            MachineFaultPlace::Message | MachineFaultPlace::Files | MachineFaultPlace::Exposure => {
                true
            }
            MachineFaultPlace::Connection | MachineFaultPlace::Ending | MachineFaultPlace::Sync => {
                false
            }
        }
    }
}

/// The object that a descriptor stands for.
pub(super) fn object_behind(node: &Node, descriptor: Reg) -> CallObject {
    let Some(number) = descriptor.as_word() else { return CallObject::Other };
    let Ok(entry) = node.descriptor(number as u32) else { return CallObject::Other };
    let file = node.file(entry.file);
    if file.is_spared() {
        return CallObject::Spared;
    }
    match &file.kind {
        FileKind::Regular(_) | FileKind::Directory(_) => CallObject::File,
        FileKind::Socket(_) => {
            let family = socket_of(file).map(|id| &node.net.get(id).family);
            match family {
                Some(SocketFamily::Tcp(_)) => CallObject::Stream,
                Some(SocketFamily::Udp(_) | SocketFamily::Icmp(_)) => CallObject::Datagram,
                Some(SocketFamily::Unix(_) | SocketFamily::Netlink(_)) | None => CallObject::Local,
            }
        }
        _ => CallObject::Quiet,
    }
}
