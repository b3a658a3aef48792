//! What is written to a store: a byte for the version, then postcard.
//!
//! Reading is bounded by the size of the message, and garbage gives `None`, never a panic.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ids::{JobId, RunId};
use crate::job::RunHeader;

/// The format of everything that a board writes. What has another version is not read.
const VERSION: u8 = 2;

/// A message of NATS has at most 1 MiB.
pub(crate) const MESSAGE_BYTES: usize = 1 << 20;

/// Bytes that follow in the message, or that are on the shelf of blobs because they are too large for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum StoredBody {
    Inline(Vec<u8>),
    Pieces { length: u64, hash: [u8; 32] },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredRun {
    pub(crate) header: RunHeader,
    pub(crate) body: StoredBody,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredJob {
    pub(crate) run: RunId,
    pub(crate) id: JobId,
    pub(crate) parent: Option<JobId>,
    pub(crate) number: u32,
    pub(crate) weight: u64,
    pub(crate) body: StoredBody,
}

/// Who has made a record: a board, and the how-manieth job that it has taken. It tells a record that
/// somebody else has made from our own that is there already because an answer of the server was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordMaker {
    pub(crate) board: u64,
    pub(crate) taken: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredRecord {
    pub(crate) maker: RecordMaker,
    pub(crate) children: Vec<JobId>,
    pub(crate) body: StoredBody,
}

pub(crate) fn encode(value: &impl Serialize) -> Vec<u8> {
    postcard::to_extend(value, vec![VERSION])
        .expect("values of these types have no failing encoding")
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (&version, rest) = bytes.split_first()?;
    if version != VERSION || bytes.len() > MESSAGE_BYTES {
        return None;
    }
    match postcard::take_from_bytes(rest) {
        Ok((value, [])) => Some(value),
        Ok(_) | Err(_) => None,
    }
}
