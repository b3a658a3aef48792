//! Message queues of POSIX: [`PosixQueueTable`].

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use linux_raw_sys::general as linux;

use crate::state::data::ByteData;
use crate::state::ids::{Pid, SocketId};
use crate::state::ipc::IpcRights;

/// All message queues of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosixQueueTable {
    /// The numbers of those that have names.
    pub(crate) names: BTreeMap<Arc<[u8]>, u32>,
    pub(crate) queues: BTreeMap<u32, PosixQueue>,
    pub(crate) next: u32,
}

everett_base::portable!(struct PosixQueueTable { names, queues, next });

/// A message queue. It lives as long as it has a name or is open.
#[derive(Clone, Debug)]
pub(crate) struct PosixQueue {
    /// By priority, those of one priority oldest first; the next one to receive is at the front.
    pub(crate) messages: Arc<VecDeque<PosixMessage>>,
    pub(crate) most_messages: u64,
    pub(crate) message_bytes: u64,
    pub(crate) rights: IpcRights,
    pub(crate) has_name: bool,
    /// Open files that are this queue.
    pub(crate) opened: u32,
    /// The process that wants to be told when a message comes to the empty queue.
    pub(crate) notified: Option<QueueNotification>,
    /// Messages that came and went so far, which tell edges apart.
    pub(crate) arrivals: u64,
    pub(crate) departures: u64,
}

everett_base::portable!(struct PosixQueue {
    messages, most_messages, message_bytes, rights, has_name, opened, notified, arrivals, departures,
});

/// A message with its priority.
#[derive(Clone, Debug)]
pub(crate) struct PosixMessage {
    pub(crate) priority: u32,
    pub(crate) data: ByteData,
}

everett_base::portable!(struct PosixMessage { priority, data });

/// The wish of a process to be told of a message (`mq_notify`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueNotification {
    pub(crate) process: Pid,
    /// The signal, and the value that comes with it; 0 for no signal.
    pub(crate) signal: u32,
    pub(crate) value: u64,
    /// A thread is told instead, which waits for something to come to a netlink socket.
    pub(crate) thread: Option<ThreadNotice>,
}

everett_base::portable!(struct QueueNotification { process, signal, value, thread });

/// What a thread is told, and where: the socket, and bytes that the C library has chosen, whose last one says
/// what has happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadNotice {
    pub(crate) socket: SocketId,
    pub(crate) bytes: [u8; ThreadNotice::BYTES],
}

everett_base::portable!(struct ThreadNotice { socket, bytes });

impl ThreadNotice {
    /// The length of what is told.
    pub(crate) const BYTES: usize = 32;
    /// A message has come; nothing will be told any more.
    pub(crate) const MESSAGE: u8 = 1;
    pub(crate) const REMOVED: u8 = 2;

    /// The bytes that tell what has happened.
    pub(crate) fn telling(&self, what: u8) -> [u8; ThreadNotice::BYTES] {
        let mut bytes = self.bytes;
        bytes[ThreadNotice::BYTES - 1] = what;
        bytes
    }
}

impl PosixQueue {
    pub(crate) fn is_full(&self) -> bool {
        self.messages.len() as u64 >= self.most_messages
    }

    /// Adds a message behind those of its priority.
    pub(crate) fn push(&mut self, message: PosixMessage) {
        let messages = Arc::make_mut(&mut self.messages);
        let at = messages.partition_point(|other| other.priority >= message.priority);
        messages.insert(at, message);
        self.arrivals += 1;
    }

    pub(crate) fn take(&mut self) -> Option<PosixMessage> {
        let message = Arc::make_mut(&mut self.messages).pop_front()?;
        self.departures += 1;
        Some(message)
    }
}

impl PosixQueueTable {
    /// The path of an open queue, as `/proc` shows it.
    pub(crate) fn path_of(&self, number: u32) -> String {
        let name = self.names.iter().find(|(_, named)| **named == number).map(|(name, _)| name);
        let name = name.map_or("(deleted)".into(), |name| String::from_utf8_lossy(name));
        format!("/{name}")
    }

    /// The events that a queue is ready for.
    pub(crate) fn events(&self, number: u32) -> u32 {
        let Some(queue) = self.queues.get(&number) else { return 0 };
        let input = linux::POLLIN | linux::POLLRDNORM;
        let output = linux::POLLOUT | linux::POLLWRNORM;
        let when = |is_so: bool, events: u32| if is_so { events } else { 0 };
        when(!queue.messages.is_empty(), input) | when(!queue.is_full(), output)
    }

    /// The number of times that a queue became ready for reading and for writing.
    pub(crate) fn edges(&self, number: u32) -> [u64; 2] {
        let queue = self.queues.get(&number);
        queue.map_or([0; 2], |queue| [queue.arrivals, queue.departures])
    }

    /// Forgets a queue that has neither a name nor an open file.
    pub(crate) fn forget_unused(&mut self, number: u32) {
        let is_unused = |queue: &PosixQueue| !queue.has_name && queue.opened == 0;
        if self.queues.get(&number).is_some_and(is_unused) {
            self.queues.remove(&number);
        }
    }
}
