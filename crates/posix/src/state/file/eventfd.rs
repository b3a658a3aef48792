//! The counter of an `eventfd`: [`EventCounter`].

use linux_raw_sys::general as linux;

/// The counter of an `eventfd`.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventCounter {
    pub(crate) count: u64,
    /// A read takes one, not all.
    pub(crate) semaphore: bool,
    /// Writes and reads so far.
    pub(crate) writes: u64,
    pub(crate) reads: u64,
}

everett_base::portable!(struct EventCounter { count, semaphore, writes, reads });

/// The highest count.
pub(crate) const MOST: u64 = u64::MAX - 1;

impl EventCounter {
    /// The events that it is ready for.
    pub(crate) fn events(&self) -> u32 {
        let readable = if self.count > 0 { linux::POLLIN } else { 0 };
        let writable = if self.count < MOST { linux::POLLOUT } else { 0 };
        readable | writable
    }

    /// The number of times that it became ready for reading and for writing.
    pub(crate) fn edges(&self) -> [u64; 2] {
        [self.writes, self.reads]
    }

    /// Takes what a read gives; `None` if there is nothing.
    pub(crate) fn take(&mut self) -> Option<u64> {
        let value = match self.count {
            0 => return None,
            _ if self.semaphore => 1,
            count => count,
        };
        self.count -= value;
        self.reads += 1;
        Some(value)
    }

    /// Adds to the count, if there is room.
    pub(crate) fn add(&mut self, value: u64) -> bool {
        let room = self.count.checked_add(value).filter(|count| *count <= MOST);
        if let Some(count) = room {
            self.count = count;
            self.writes += 1;
        }
        room.is_some()
    }
}
