//! The seam between a board and where its bytes are: shelves, a queue, news and the presence of workers.
//!
//! A [`BoardStore`] knows bytes and keys only. What is encoded, which jobs are real and which of them are
//! executed is the business of `board`, once for all stores.

use std::time::Duration;

use crate::error::Result;
use crate::ids::RunId;
use crate::job::QueueLength;

/// Places for bytes that are written once under a key. Keys are tokens with dots between them; the first
/// is a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shelf {
    /// `RUN.description` and `RUN.end`.
    Runs,
    /// `RUN.JOB`: records of jobs.
    Records,
    /// `RUN.KIND.NAME.NUMBER`: pieces of what is too large for one message.
    Blobs,
}

/// Bytes on a shelf.
#[derive(Clone, Debug)]
pub(crate) struct ShelfEntry {
    /// Rises from entry to entry of a shelf.
    pub(crate) number: u64,
    pub(crate) key: String,
    pub(crate) bytes: Vec<u8>,
}

/// A message out of the queue, held by whoever has dequeued it.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    /// The run under whose name it was enqueued.
    pub(crate) run: String,
    pub(crate) bytes: Vec<u8>,
    /// How often it was delivered, this time included.
    pub(crate) deliveries: u64,
    /// The store's name for it.
    pub(crate) ticket: String,
}

/// What becomes of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settlement {
    /// It leaves the queue.
    Done,
    /// It leaves the queue because nobody can read it.
    Refused,
    /// Its hold begins anew.
    Extended,
    /// Others may have it after this time.
    Later(Duration),
}

/// Where the bytes of a board are.
///
/// A settlement that comes after the hold has expired is accepted: holding a delivery is no ownership.
pub(crate) trait BoardStore: Send + Sync {
    /// Puts bytes under a key that has none. Tells whether it had none.
    fn create(&self, shelf: Shelf, key: &str, bytes: &[u8]) -> Result<bool>;
    fn get(&self, shelf: Shelf, key: &str) -> Result<Option<Vec<u8>>>;
    /// Entries whose key begins with the token `under`, or all, with numbers above `after`, in the order
    /// of their numbers. Waits for the first one as long as `patience`, and may leave entries for the
    /// next call.
    fn entries(
        &self,
        shelf: Shelf,
        under: Option<&RunId>,
        after: u64,
        patience: Duration,
    ) -> Result<Vec<ShelfEntry>>;
    /// Removes everything whose key goes on with a dot behind `under`.
    fn clear(&self, shelf: Shelf, under: &str) -> Result<()>;

    /// Adds a message to the queue of a build, unless one of this name was added a short time ago.
    fn enqueue(&self, build: &str, run: &RunId, name: &str, bytes: &[u8]) -> Result<()>;
    fn dequeue(&self, build: &str, patience: Duration) -> Result<Option<Delivery>>;
    fn settle(&self, delivery: &Delivery, settlement: Settlement) -> Result<()>;
    fn queue_length(&self, build: &str, run: &RunId) -> Result<QueueLength>;
    /// Removes all messages of a run, whoever holds them.
    fn clear_queue(&self, run: &RunId) -> Result<()>;

    /// Sends news to those that listen now.
    fn tell(&self, run: &RunId, news: &[u8]) -> Result<()>;
    /// News of others since the last call. The first call begins to listen.
    fn heard(&self, run: &RunId) -> Result<Vec<Vec<u8>>>;

    /// Keeps a worker's status for [`PRESENCE`].
    fn announce(&self, worker: &str, status: &[u8]) -> Result<()>;
    fn announced(&self) -> Result<Vec<Vec<u8>>>;
}

/// A worker that has not been heard of for this time is gone.
pub(crate) const PRESENCE: Duration = Duration::from_secs(10);
