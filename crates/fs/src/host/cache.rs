//! A bounded cache of chunks of host files.
//!
//! The oldest chunk goes first, unless it was used since it came to the front (second chance). What
//! is in the cache decides how fast a read is, never what it gives.

use std::collections::VecDeque;
use std::sync::Arc;

use everett_base::Map;

use crate::ids::HostFileId;

pub(super) struct ChunkCache {
    chunks: Map<(HostFileId, u64), CachedChunk>,
    /// Every key of `chunks` once, the next to go in front.
    order: VecDeque<(HostFileId, u64)>,
    bytes: u64,
    limit: u64,
}

struct CachedChunk {
    bytes: Arc<[u8]>,
    used: bool,
}

impl ChunkCache {
    pub(super) fn new(limit: u64) -> ChunkCache {
        ChunkCache { chunks: Map::default(), order: VecDeque::new(), bytes: 0, limit }
    }

    /// The bytes that are kept at most.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn get(&mut self, file: HostFileId, chunk: u64) -> Option<Arc<[u8]>> {
        let cached = self.chunks.get_mut(&(file, chunk))?;
        cached.used = true;
        Some(cached.bytes.clone())
    }

    /// Adds a chunk and drops others beyond the limit; the newest always stays.
    pub(super) fn insert(&mut self, file: HostFileId, chunk: u64, bytes: Arc<[u8]>) {
        let len = bytes.len() as u64;
        if self.chunks.insert((file, chunk), CachedChunk { bytes, used: false }).is_some() {
            return;
        }
        self.bytes += len;
        while self.bytes > self.limit
            && let Some(oldest) = self.order.pop_front()
        {
            let cached = self.chunks.get_mut(&oldest).expect("every ordered chunk is cached");
            if std::mem::take(&mut cached.used) {
                self.order.push_back(oldest);
                continue;
            }
            self.bytes -= cached.bytes.len() as u64;
            self.chunks.remove(&oldest);
        }
        self.order.push_back((file, chunk));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_and_what_was_used_stays_longer() {
        let mut cache = ChunkCache::new(300);
        let bytes: Arc<[u8]> = vec![0; 100].into();
        (0..3).for_each(|chunk| cache.insert(HostFileId(0), chunk, bytes.clone()));
        assert!(cache.get(HostFileId(0), 0).is_some());
        cache.insert(HostFileId(0), 3, bytes.clone());
        assert_eq!(cache.bytes(), 300);
        assert!(cache.get(HostFileId(0), 1).is_none(), "the oldest that nobody used is gone");
        assert!(cache.get(HostFileId(0), 0).is_some());
        cache.insert(HostFileId(1), 0, vec![0; 1000].into());
        assert_eq!(cache.bytes(), 1000, "one chunk stays even beyond the limit");
    }
}
