//! A place in memory for parts of the set of worlds that leave it: [`place`].

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

use everett_engine::{SpillPlace, SpillStore, SpilledBytes};

/// Keeps everything: checkpoints name it.
#[derive(Default)]
struct MemoryStore(Mutex<BTreeMap<u64, Vec<u8>>>);

/// A new place.
pub(crate) fn place() -> SpillPlace {
    SpillPlace::new(Arc::new(MemoryStore::default()))
}

impl SpillStore for MemoryStore {
    fn write(&self, bytes: &[u8]) -> io::Result<SpilledBytes> {
        let mut parts = self.0.lock().expect("nobody panics with it");
        let (number, length) = (parts.len() as u64, bytes.len() as u64);
        parts.insert(number, bytes.to_vec());
        Ok(SpilledBytes { number, length, stored: length, hash: [0; 32] })
    }

    fn read(&self, name: &SpilledBytes) -> io::Result<Vec<u8>> {
        let parts = self.0.lock().expect("nobody panics with it");
        parts.get(&name.number).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn release(&self, _: &SpilledBytes) {}

    fn resume(&self, _: &[SpilledBytes]) -> io::Result<()> {
        Ok(())
    }
}
