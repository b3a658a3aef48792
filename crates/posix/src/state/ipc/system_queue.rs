//! Message queues of System V: [`SystemQueue`].

use std::collections::VecDeque;
use std::sync::Arc;

use crate::state::data::ByteData;

/// Bytes that a queue holds unless somebody asks for another number.
pub(crate) const QUEUE_BYTES: u64 = 16384;

/// A message queue.
#[derive(Clone, Debug)]
pub(crate) struct SystemQueue {
    /// Oldest first.
    pub(crate) messages: Arc<VecDeque<SystemMessage>>,
    /// Bytes of the messages.
    pub(crate) bytes: u64,
    /// The most that these may be.
    pub(crate) most_bytes: u64,
    pub(crate) last_sender: u32,
    pub(crate) last_receiver: u32,
    /// Seconds since 1970; 0 for never.
    pub(crate) sent_s: i64,
    pub(crate) received_s: i64,
}

everett_base::portable!(struct SystemQueue {
    messages, bytes, most_bytes, last_sender, last_receiver, sent_s, received_s,
});

/// A message with its type, a positive number.
#[derive(Clone, Debug)]
pub(crate) struct SystemMessage {
    pub(crate) kind: i64,
    pub(crate) data: ByteData,
}

everett_base::portable!(struct SystemMessage { kind, data });

impl Default for SystemQueue {
    fn default() -> SystemQueue {
        SystemQueue {
            messages: Arc::default(),
            bytes: 0,
            most_bytes: QUEUE_BYTES,
            last_sender: 0,
            last_receiver: 0,
            sent_s: 0,
            received_s: 0,
        }
    }
}

impl SystemQueue {
    /// Returns true if there is room for a message of this size.
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        self.bytes + bytes <= self.most_bytes && (self.messages.len() as u64) < self.most_bytes
    }

    pub(crate) fn push(&mut self, message: SystemMessage) {
        self.bytes += message.data.len() as u64;
        Arc::make_mut(&mut self.messages).push_back(message);
    }

    /// The position of the message that a receiver wants: the first one for type 0, the first of a positive
    /// type or of any other (`except`), and for a negative one the first of the lowest type up to its
    /// amount.
    pub(crate) fn find(&self, kind: i64, except: bool) -> Option<usize> {
        match kind {
            0 => (!self.messages.is_empty()).then_some(0),
            kind if kind > 0 => {
                self.messages.iter().position(|message| (message.kind == kind) != except)
            }
            kind => {
                let most = kind.unsigned_abs();
                let fitting = { self.messages.iter().enumerate() }
                    .filter(|(_, message)| message.kind.unsigned_abs() <= most);
                fitting.min_by_key(|(_, message)| message.kind).map(|(at, _)| at)
            }
        }
    }

    pub(crate) fn take(&mut self, at: usize) -> Option<SystemMessage> {
        let message = Arc::make_mut(&mut self.messages).remove(at)?;
        self.bytes -= message.data.len() as u64;
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_found_by_their_types() {
        let mut queue = SystemQueue::default();
        for kind in [5, 3, 9, 3] {
            queue.push(SystemMessage { kind, data: ByteData::Known([1, 2][..].into()) });
        }
        assert_eq!((queue.find(0, false), queue.find(3, false)), (Some(0), Some(1)));
        assert_eq!((queue.find(5, true), queue.find(7, false)), (Some(1), None));
        assert_eq!((queue.find(-4, false), queue.find(-2, false)), (Some(1), None));
        assert_eq!(queue.find(i64::MIN, false), Some(1));
        queue.take(1);
        assert_eq!((queue.find(-4, false), queue.bytes), (Some(2), 6));
        assert!(queue.has_room(QUEUE_BYTES - 6) && !queue.has_room(QUEUE_BYTES - 5));
    }
}
