//! The file of a part: what it belongs to, its sections, and a checksum.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `EVRTPART` |
//! | 4 | the version of the format, little-endian |
//! | 32 | the identity of the run: a hash of programs, options and binary, which the caller gives |
//! | | each section: the number of its bytes (LEB128), and the bytes |
//! | 32 | BLAKE3 of everything before |

use super::{PartReader, PartWriter};

const MAGIC: &[u8; 8] = b"EVRTPART";

/// The version of the format: grows with each change of what is written.
pub const VERSION: u32 = 10;

const HASH_BYTES: usize = 32;

/// A hash of everything that a part takes for granted: programs, options, the version of the binary.
pub type RunIdentity = [u8; HASH_BYTES];

/// Bytes that are not the file of a part of this run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartFileError {
    /// It is another file.
    #[error("this is not a file of a part of a run")]
    NotAPart,
    /// The format has changed since it was written.
    #[error("the part has version {found} of the format, but this program reads version {VERSION}")]
    OtherVersion {
        /// The version of the file.
        found: u32,
    },
    /// Bytes of it are missing or changed.
    #[error("the part is damaged: its checksum does not fit its content")]
    Damaged,
    /// Programs, options or the binary have changed.
    #[error(
        "the part belongs to a run of other programs, with other options, or of another version"
    )]
    OtherRun,
}

/// The file of some sections.
pub fn to_bytes(run: &RunIdentity, sections: &[&[u8]]) -> Vec<u8> {
    let mut to = PartWriter::new(&[]);
    to.raw(MAGIC);
    to.raw(&VERSION.to_le_bytes());
    to.raw(run);
    sections.iter().for_each(|section| to.byte_string(section));
    let mut bytes = to.into_bytes();
    let checksum = blake3::hash(&bytes);
    bytes.extend_from_slice(checksum.as_bytes());
    bytes
}

/// The `N` sections of a file that [`to_bytes`] has made for the same run.
pub fn sections<'a, const N: usize>(
    run: &RunIdentity,
    bytes: &'a [u8],
) -> Result<[&'a [u8]; N], PartFileError> {
    let (magic, rest) = bytes.split_first_chunk().ok_or(PartFileError::NotAPart)?;
    let (version, _) = rest.split_first_chunk().ok_or(PartFileError::NotAPart)?;
    if magic != MAGIC {
        return Err(PartFileError::NotAPart);
    }
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(PartFileError::OtherVersion { found });
    }
    let (content, checksum) =
        bytes.split_last_chunk::<HASH_BYTES>().ok_or(PartFileError::Damaged)?;
    if blake3::hash(content) != *checksum {
        return Err(PartFileError::Damaged);
    }
    let mut from = PartReader::new(content, &[]);
    let mut read = || {
        from.raw(MAGIC.len() + version.len())?;
        let of = from.raw(HASH_BYTES)?;
        let mut sections = [&[][..]; N];
        for section in &mut sections {
            *section = from.byte_string()?;
        }
        from.end().map(|()| (of, sections))
    };
    let (of, sections) = read().map_err(|_| PartFileError::Damaged)?;
    if of == run { Ok(sections) } else { Err(PartFileError::OtherRun) }
}
