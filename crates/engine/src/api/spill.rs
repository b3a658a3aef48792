//! Parts of the set of worlds that are kept outside of memory: [`SpillStore`].
//!
//! When memory is short, workers write parts of the set of worlds as bytes, hand them to the embedder's
//! store, and come back for them when they have nothing else to do.

use std::fmt;
use std::io;
use std::sync::Arc;

/// The name of bytes in a [`SpillStore`]; a checkpoint has the names of those that the run still needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpilledBytes {
    /// The number that the store has given them.
    pub number: u64,
    /// The number of bytes that were handed over.
    pub length: u64,
    /// The number of bytes that they take in the store.
    pub stored: u64,
    /// A hash of what is stored.
    pub hash: [u8; 32],
}

everett_base::portable!(struct SpilledBytes { number, length, stored, hash });

/// Keeps bytes outside of memory.
///
/// All workers use it at the same time. Nothing that it fails at is lost silently: what cannot be written
/// stays in memory, and states that cannot be read again are counted as dropped.
pub trait SpillStore: Send + Sync {
    /// Keeps bytes.
    fn write(&self, bytes: &[u8]) -> io::Result<SpilledBytes>;

    /// The bytes of a name, exactly as they were written.
    fn read(&self, name: &SpilledBytes) -> io::Result<Vec<u8>>;

    /// The run does not need the bytes any more. A checkpoint that was taken before may.
    fn release(&self, name: &SpilledBytes);

    /// A run goes on that needs these bytes and no others; an error names what is not there.
    fn resume(&self, needed: &[SpilledBytes]) -> io::Result<()>;
}

/// A store for parts of the set of worlds. Clones are the same store.
#[derive(Clone)]
pub struct SpillPlace(Arc<dyn SpillStore>);

impl SpillPlace {
    /// A place that is this store.
    pub fn new(store: Arc<dyn SpillStore>) -> SpillPlace {
        SpillPlace(store)
    }

    pub(crate) fn store(&self) -> &dyn SpillStore {
        &*self.0
    }
}

impl fmt::Debug for SpillPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpillPlace")
    }
}

/// The parts that were put outside of memory, and those that came back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpillCounts {
    /// Parts that were written.
    pub parts_out: u64,
    /// Their states.
    pub states_out: u64,
    /// The bytes that they took in the store.
    pub bytes_out: u64,
    /// Parts that were read again.
    pub parts_back: u64,
    /// Their states.
    pub states_back: u64,
    /// The bytes that they took in the store.
    pub bytes_back: u64,
}

everett_base::portable!(struct SpillCounts {
    parts_out, states_out, bytes_out, parts_back, states_back, bytes_back,
});

impl SpillCounts {
    /// Adds the counts of another worker.
    pub(crate) fn add(&mut self, other: SpillCounts) {
        let SpillCounts { parts_out, states_out, bytes_out, parts_back, states_back, bytes_back } =
            other;
        self.parts_out += parts_out;
        self.states_out += states_out;
        self.bytes_out += bytes_out;
        self.parts_back += parts_back;
        self.states_back += states_back;
        self.bytes_back += bytes_back;
    }
}
