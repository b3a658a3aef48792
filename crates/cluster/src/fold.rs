//! [`RunFold`]: which records of a run count, and whether all are there.

use std::collections::BTreeSet;

use crate::ids::JobId;
use crate::job::{JobRecord, NumberedRecord};

/// The jobs of a run as its records tell of them. Records come in the order of their numbers: that of a
/// parent is before those of its children.
#[derive(Clone, Debug)]
pub struct RunFold {
    open: BTreeSet<JobId>,
    done: u64,
    last_number: u64,
}

impl RunFold {
    /// Begins with the job that [`RunHeader::root`](crate::RunHeader::root) names, if it names one.
    pub fn new(root: JobId) -> RunFold {
        RunFold { open: BTreeSet::from([root]), done: 0, last_number: 0 }
    }

    /// Takes a record in, and returns it if it counts: if its job is the root or was named by a record
    /// that counts.
    pub fn admit<'a>(&mut self, numbered: &'a NumberedRecord) -> Option<&'a JobRecord> {
        let NumberedRecord { number, job, record } = numbered;
        if *number <= self.last_number {
            return None;
        }
        self.last_number = *number;
        if !self.open.remove(job) {
            return None;
        }
        self.done += 1;
        self.open.extend(&record.children);
        Some(record)
    }

    /// The number of the last record, for [`JobBoard::records`](crate::JobBoard::records).
    pub fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Records that counted.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Jobs that are known and have no record yet.
    pub fn open(&self) -> u64 {
        self.open.len() as u64
    }

    /// Every job has its record: the run has come to its end, and what was counted is everything.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}
