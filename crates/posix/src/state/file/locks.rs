//! The file locks of a node: [`LockTable`].

use std::collections::BTreeMap;

use everett_fs::InodeId;

use crate::state::ids::{FileId, Pid, ThreadKey};

/// All file locks of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct LockTable {
    pub(crate) records: BTreeMap<InodeId, RecordLocks>,
    /// Open files that have locked a whole file, and whether nobody else may.
    pub(crate) whole: BTreeMap<InodeId, BTreeMap<FileId, bool>>,
    /// The threads that wait for a record, with its owner, to find out when processes wait for each other.
    pub(crate) waiting: BTreeMap<ThreadKey, LockOwner>,
}

everett_base::portable!(struct LockTable { records, whole, waiting });

/// The last byte that a lock can reach.
pub(crate) const END: u64 = i64::MAX as u64;

/// The owner of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LockOwner {
    Process(Pid),
    File(FileId),
}

everett_base::portable!(enum LockOwner { 0 = Process(value), 1 = File(value) });

/// A lock on the bytes `start..=end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordLock {
    pub(crate) owner: LockOwner,
    pub(crate) write: bool,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

everett_base::portable!(struct RecordLock { owner, write, start, end });

impl RecordLock {
    fn overlaps(&self, start: u64, end: u64) -> bool {
        self.start <= end && start <= self.end
    }
}

/// The locks of one file, by first byte. Those of one owner do not overlap, and none touches
/// another one of its kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordLocks(pub(crate) Vec<RecordLock>);

everett_base::portable!(struct RecordLocks(value));

impl RecordLocks {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first lock that keeps another one away.
    pub(crate) fn conflict(&self, wanted: &RecordLock) -> Option<RecordLock> {
        let in_the_way = |held: &&RecordLock| {
            held.owner != wanted.owner
                && (held.write || wanted.write)
                && held.overlaps(wanted.start, wanted.end)
        };
        self.0.iter().find(in_the_way).copied()
    }

    /// Adds a lock, instead of what its owner had locked there.
    pub(crate) fn lock(&mut self, wanted: RecordLock) {
        self.unlock(wanted.owner, wanted.start, wanted.end);
        let RecordLock { owner, write, mut start, mut end } = wanted;
        self.0.retain(|held| {
            let touches =
                held.end.saturating_add(1) >= start && held.start <= end.saturating_add(1);
            let joined = held.owner == owner && held.write == write && touches;
            if joined {
                start = start.min(held.start);
                end = end.max(held.end);
            }
            !joined
        });
        self.0.push(RecordLock { owner, write, start, end });
        self.0.sort_by_key(|held| held.start);
    }

    /// Takes an owner's locks on a range away; a lock that reaches across it is cut.
    pub(crate) fn unlock(&mut self, owner: LockOwner, start: u64, end: u64) {
        let mut rest = Vec::new();
        self.0.retain(|held| {
            if held.owner != owner || !held.overlaps(start, end) {
                return true;
            }
            if held.start < start {
                rest.push(RecordLock { end: start - 1, ..*held });
            }
            if held.end > end {
                rest.push(RecordLock { start: end + 1, ..*held });
            }
            false
        });
        self.0.extend(rest);
        self.0.sort_by_key(|held| held.start);
    }

    /// Takes all of an owner's locks away; says whether there were any.
    pub(crate) fn remove_all(&mut self, owner: LockOwner) -> bool {
        let before = self.0.len();
        self.0.retain(|held| held.owner != owner);
        self.0.len() != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: LockOwner = LockOwner::Process(Pid(1));
    const OTHER: LockOwner = LockOwner::Process(Pid(2));

    fn record(owner: LockOwner, write: bool, start: u64, end: u64) -> RecordLock {
        RecordLock { owner, write, start, end }
    }

    #[test]
    fn a_lock_in_the_middle_of_another_one_splits_it() {
        let mut records = RecordLocks::default();
        records.lock(record(OWN, true, 0, END));
        records.lock(record(OWN, false, 10, 19));
        let expected =
            [record(OWN, true, 0, 9), record(OWN, false, 10, 19), record(OWN, true, 20, END)];
        assert_eq!(records.0, expected);
        records.lock(record(OWN, true, 10, 19));
        assert_eq!(records.0, [record(OWN, true, 0, END)], "and is joined again");
        records.unlock(OWN, 5, 5);
        assert_eq!(records.0, [record(OWN, true, 0, 4), record(OWN, true, 6, END)]);
    }

    #[test]
    fn only_a_lock_for_writing_keeps_others_away() {
        let mut records = RecordLocks::default();
        records.lock(record(OWN, false, 0, 9));
        assert_eq!(records.conflict(&record(OTHER, false, 5, 20)), None);
        assert_eq!(records.conflict(&record(OTHER, true, 10, 20)), None);
        let held = record(OWN, false, 0, 9);
        assert_eq!(records.conflict(&record(OTHER, true, 9, 20)), Some(held));
        assert_eq!(records.conflict(&record(OWN, true, 9, 20)), None, "not one's own");
    }
}
