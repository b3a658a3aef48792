//! Trees as bytes: [`ConversationTree::save`] and [`ConversationTree::load`].
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `EVRTLIVE` |
//! | 4 | the version of the format |
//! | 4 | the number of strands |
//! | 20 | of each strand but the first, where it begins: a position |
//! | 8 | of each strand, the number of bytes of its log |
//! | | of each strand, its log |
//! | 32 | BLAKE3 of everything before |
//!
//! Numbers are little-endian. A strand comes behind the one in which it begins. `record.rs` has the form
//! of logs. Positions keep their meaning: a state that was saved with the tree goes on in the loaded one.

use std::io::{self, Write};
use std::sync::Arc;

use super::{ConversationTree, TreeOptions, empty_strands};
use crate::error::LoadError;
use crate::ids::{Place, Position, StrandId};
use crate::peer::Peer;
use crate::record::Record;
use crate::strands::{STRAND_BYTES, StrandSet};

const MAGIC: &[u8; 8] = b"EVRTLIVE";
/// The version of the format: grows with each change of what is written.
const VERSION: u32 = 1;
const HASH_BYTES: usize = 32;

impl ConversationTree {
    /// Writes the tree as bytes. Threads that use the tree wait meanwhile.
    pub fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut to = HashingWriter { to, hasher: blake3::Hasher::new() };
        let mut shared = self.lock();
        let strands = &mut shared.strands;
        let count = strands.count();
        to.write_all(MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        to.write_all(&u32::try_from(count).map_err(io::Error::other)?.to_le_bytes())?;
        for id in (0..count).map(StrandId::from_index) {
            let strand = strands.strand(id).expect("it is one of those that are counted");
            if let Some(Position { strand, record, within, connections }) = strand.parent {
                to.write_all(&strand.0.to_le_bytes())?;
                to.write_all(&record.to_le_bytes())?;
                to.write_all(&within.to_le_bytes())?;
                to.write_all(&connections.to_le_bytes())?;
            }
            to.write_all(&strand.log.len().to_le_bytes())?;
        }
        let mut bytes = Vec::new();
        for id in (0..count).map(StrandId::from_index) {
            let mut at = 0;
            while let Some(record) = strands.record(id, at)? {
                bytes.clear();
                record.write(&mut bytes);
                to.write_all(&bytes)?;
                at += bytes.len() as u64;
            }
        }
        let checksum = to.hasher.finalize();
        to.to.write_all(checksum.as_bytes())
    }

    /// Reads a tree that was saved.
    ///
    /// Without a peer, the tree answers what it knows, and everything else with
    /// [`LiveError::NotInTree`](crate::LiveError::NotInTree).
    pub fn load(
        bytes: &[u8],
        peer: Option<Arc<dyn Peer>>,
        options: TreeOptions,
    ) -> Result<ConversationTree, LoadError> {
        let strands = strands_of(bytes, &options)?;
        Ok(ConversationTree::with(peer, options, strands))
    }

    /// Goes on with a tree that was saved, as if all of it had been said here. What this tree had is
    /// forgotten, and all positions are those of the saved one.
    pub fn restore(&self, bytes: &[u8]) -> Result<(), LoadError> {
        let strands = strands_of(bytes, &self.options)?;
        let mut shared = self.lock();
        shared.strands = strands;
        let ended = shared.pool.take_all();
        drop(shared);
        drop(ended);
        Ok(())
    }
}

/// Reads and checks the strands of a saved tree.
fn strands_of(bytes: &[u8], options: &TreeOptions) -> Result<StrandSet, LoadError> {
    let saved = SavedTree::read(bytes, options)?;
    saved.check_beginnings()?;
    let mut strands = empty_strands(options);
    for strand in &saved.strands {
        let restored = strands.restore(strand.parent, strand.log);
        restored.map_err(|error| LoadError::Spill(error.to_string()))?;
    }
    Ok(strands)
}

/// A saved tree whose parts are known, but not checked.
struct SavedTree<'a> {
    strands: Vec<SavedStrand<'a>>,
}

struct SavedStrand<'a> {
    parent: Option<Position>,
    log: &'a [u8],
}

impl<'a> SavedTree<'a> {
    fn read(bytes: &'a [u8], options: &TreeOptions) -> Result<SavedTree<'a>, LoadError> {
        let (magic, rest) = bytes.split_first_chunk().ok_or(LoadError::NotATree)?;
        let (version, _) = rest.split_first_chunk().ok_or(LoadError::NotATree)?;
        if magic != MAGIC {
            return Err(LoadError::NotATree);
        }
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(LoadError::OtherVersion { found, expected: VERSION });
        }
        let too_large = LoadError::TooLarge { bytes_max: options.bytes_max };
        if bytes.len() as u64 > options.bytes_max {
            return Err(too_large);
        }
        let (content, checksum) =
            bytes.split_last_chunk::<HASH_BYTES>().ok_or(damaged("it is cut off"))?;
        if blake3::hash(content) != *checksum {
            return Err(damaged("its checksum does not fit its content"));
        }
        let mut from = FieldReader(content.get(MAGIC.len() + version.len()..).unwrap_or_default());
        let count = from.u32()?;
        if u64::from(count) * STRAND_BYTES > options.bytes_max {
            return Err(too_large);
        }
        let mut heads = Vec::new();
        for number in 0..count {
            let parent = if number == 0 { None } else { Some(from.position()?) };
            heads.push((parent, from.u64()?));
        }
        let mut strands = Vec::with_capacity(heads.len());
        for (parent, length) in heads {
            strands.push(SavedStrand { parent, log: from.bytes(length)? });
        }
        if strands.is_empty() || !from.0.is_empty() {
            return Err(damaged("it has too many bytes or no strand"));
        }
        Ok(SavedTree { strands })
    }

    /// Checks that logs consist of records, and that strands begin between records of earlier ones.
    fn check_beginnings(&self) -> Result<(), LoadError> {
        let mut children: Vec<Vec<Position>> = Vec::new();
        children.resize_with(self.strands.len(), Vec::new);
        for (number, strand) in self.strands.iter().enumerate() {
            let Some(parent) = strand.parent else { continue };
            if parent.strand.index() >= number || strand.log.is_empty() {
                return Err(damaged("a strand is empty or begins nowhere"));
            }
            children[parent.strand.index()].push(parent);
        }
        for (strand, mut children) in self.strands.iter().zip(children) {
            children.sort_unstable();
            let connections = strand.parent.map_or(0, |parent| parent.connections);
            check_log(strand, connections, &children)?;
        }
        Ok(())
    }
}

/// Checks a log, and that these positions, from the first to the last, are in it.
fn check_log(
    strand: &SavedStrand<'_>,
    connections: u32,
    children: &[Position],
) -> Result<(), LoadError> {
    let (mut at, mut connections) = (0, connections);
    let mut rest = strand.log;
    let is_root = |child: &&Position| strand.parent.is_none() && **child == Position::ROOT;
    let mut children = children.iter().skip_while(is_root).peekable();
    while !rest.is_empty() {
        let record = Record::read(rest).ok_or(damaged("a log has bytes that are no record"))?;
        let overflow = damaged("it has too many connections");
        let begun = u32::from(record.begins_connection());
        connections = connections.checked_add(begun).ok_or(overflow)?;
        let is_here = |child: &&Position| {
            let Place { record: start, within } = child.place();
            let is_within = (1..=record.units()).contains(&within);
            start == at && is_within && child.connections == connections
        };
        while children.next_if(is_here).is_some() {}
        at += record.log_bytes();
        rest = &rest[record.log_bytes() as usize..];
    }
    match children.next() {
        None => Ok(()),
        Some(_) => Err(damaged("a strand begins nowhere")),
    }
}

fn damaged(reason: &'static str) -> LoadError {
    LoadError::Damaged { reason }
}

/// Takes numbers from the front of some bytes.
struct FieldReader<'a>(&'a [u8]);

impl<'a> FieldReader<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let (array, rest) = self.0.split_first_chunk().ok_or(damaged("it is cut off"))?;
        self.0 = rest;
        Ok(*array)
    }

    fn u32(&mut self) -> Result<u32, LoadError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, LoadError> {
        self.array().map(u64::from_le_bytes)
    }

    fn position(&mut self) -> Result<Position, LoadError> {
        let (strand, record) = (StrandId(self.u32()?), self.u64()?);
        Ok(Position { strand, record, within: self.u32()?, connections: self.u32()? })
    }

    fn bytes(&mut self, length: u64) -> Result<&'a [u8], LoadError> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(damaged("it is cut off"))?;
        self.0 = rest;
        Ok(bytes)
    }
}

/// Hashes what it writes.
struct HashingWriter<'w> {
    to: &'w mut dyn Write,
    hasher: blake3::Hasher,
}

impl Write for HashingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
