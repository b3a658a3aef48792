//! [`Place`]: the calls at which something may happen to a node as a whole.

use everett_interp::Reg;
use syscalls::Sysno;

use super::errno::Object;
use super::failure::object_behind;
use crate::node::Node;

/// A call at which a node may crash or be paused, by what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It sends or receives bytes.
    Message,
    /// It ends a connection, or one of its streams, which the other side is told.
    Ending,
    /// It changes files or names.
    Files,
    /// It makes changes of files durable.
    Sync,
    /// It exposes something to invariants.
    Exposure,
}

impl Place {
    /// The place that a system call is; `None` if nothing happens to a node there.
    pub(super) fn of_call(node: &Node, sysno: Sysno, args: &[Reg; 6]) -> Option<Place> {
        let descriptor = match sysno {
            Sysno::open
            | Sysno::openat
            | Sysno::openat2
            | Sysno::creat
            | Sysno::truncate
            | Sysno::ftruncate
            | Sysno::fallocate
            | Sysno::mkdir
            | Sysno::mkdirat
            | Sysno::mknod
            | Sysno::mknodat
            | Sysno::rmdir
            | Sysno::rename
            | Sysno::renameat
            | Sysno::renameat2
            | Sysno::link
            | Sysno::linkat
            | Sysno::symlink
            | Sysno::symlinkat
            | Sysno::unlink
            | Sysno::unlinkat => return Some(Place::Files),
            Sysno::fsync | Sysno::fdatasync | Sysno::sync | Sysno::syncfs | Sysno::msync => {
                return Some(Place::Sync);
            }
            Sysno::shutdown | Sysno::close | Sysno::dup2 | Sysno::dup3 => {
                return Some(Place::Ending);
            }
            Sysno::write
            | Sysno::writev
            | Sysno::pwrite64
            | Sysno::pwritev
            | Sysno::pwritev2
            | Sysno::sendfile
            | Sysno::sendto
            | Sysno::sendmsg
            | Sysno::sendmmsg => args[0],
            Sysno::splice | Sysno::copy_file_range => args[2],
            Sysno::read | Sysno::readv | Sysno::recvfrom | Sysno::recvmsg | Sysno::recvmmsg => {
                let object = object_behind(node, args[0]);
                let receives = matches!(object, Object::Stream | Object::Datagram);
                return receives.then_some(Place::Message);
            }
            _ => return None,
        };
        match object_behind(node, descriptor) {
            Object::File => Some(Place::Files),
            Object::Stream | Object::Datagram => Some(Place::Message),
            Object::Other | Object::New | Object::Local | Object::Quiet | Object::Spared => None,
        }
    }

    /// Whether a call has done what makes it such a place.
    pub(super) fn has_done(self, before: &Node, after: &Node) -> bool {
        match self {
            Place::Message | Place::Exposure => true,
            Place::Ending => after.net.sent() != before.net.sent(),
            Place::Files => !after.disk.fs.is_unchanged_since(&before.disk.fs),
            Place::Sync => !after.disk.fs.durable().is_same(&before.disk.fs.durable()),
        }
    }

    /// Whether a pause before the call can be told from one before the next call that is a place.
    pub(super) fn has_pauses(self) -> bool {
        match self {
            Place::Message | Place::Files | Place::Exposure => true,
            Place::Ending | Place::Sync => false,
        }
    }
}
