//! Names of runs, jobs and blobs.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::ClusterError;

/// The name of a run: 1 to 32 lower-case letters, digits and hyphens, so that it is one token of a
/// subject of NATS.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

/// The name of a job: a hash over its run, its place among the jobs, and its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId([u8; 32]);

/// The name of a blob: the BLAKE3 hash of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlobId([u8; 32]);

impl RunId {
    const CHARACTERS: usize = 32;
    /// Characters that cannot be mistaken for each other.
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

    /// A name of eight characters that no other run has. A board refuses it in the unlikely case that one
    /// does.
    pub fn random() -> RunId {
        let mut bits = random_number();
        let characters = (0..8).map(|_| {
            let character = Self::ALPHABET[(bits % 32) as usize];
            bits /= 32;
            char::from(character)
        });
        RunId(characters.collect())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A number that differs from process to process and from call to call.
pub(crate) fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl TryFrom<String> for RunId {
    type Error = ClusterError;

    fn try_from(text: String) -> Result<RunId, ClusterError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if text.is_empty() || text.len() > Self::CHARACTERS || !text.bytes().all(allowed) {
            return Err(ClusterError::InvalidRunId { text });
        }
        Ok(RunId(text))
    }
}

impl FromStr for RunId {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<RunId, ClusterError> {
        RunId::try_from(text.to_owned())
    }
}

impl From<RunId> for String {
    fn from(run: RunId) -> String {
        run.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JobId {
    /// The name of the `number`th child of `parent`, or of the root of the run.
    ///
    /// Parent and number are part of it: two jobs with the same bytes are two jobs, and count twice.
    pub fn of(run: &RunId, parent: Option<&JobId>, number: u32, body: &[u8]) -> JobId {
        let mut hasher = blake3::Hasher::new_derive_key("everett cluster job");
        hasher.update(&[run.0.len() as u8]).update(run.0.as_bytes());
        hasher.update(parent.map_or(&[0; 32], |parent| &parent.0));
        hasher.update(&number.to_le_bytes());
        hasher.update(body);
        JobId(*hasher.finalize().as_bytes())
    }

    /// The 32 bytes of the name.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads what `Display` writes.
    pub(crate) fn from_hex(text: &str) -> Option<JobId> {
        blake3::Hash::from_hex(text).ok().map(|hash| JobId(*hash.as_bytes()))
    }
}

impl From<[u8; 32]> for JobId {
    fn from(bytes: [u8; 32]) -> JobId {
        JobId(bytes)
    }
}

impl BlobId {
    /// The name of a blob with these bytes.
    pub fn of(bytes: &[u8]) -> BlobId {
        BlobId(*blake3::hash(bytes).as_bytes())
    }

    /// The 32 bytes of the name.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for BlobId {
    fn from(bytes: [u8; 32]) -> BlobId {
        BlobId(bytes)
    }
}

/// Hexadecimal digits, and their beginning in debug output.
macro_rules! shown_as_hex {
    ($type:ident) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($type), "({})"), &self.to_string()[..8])
            }
        }
    };
}

shown_as_hex!(JobId);
shown_as_hex!(BlobId);
