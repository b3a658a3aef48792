//! Bytes of any size: in the message that they belong to, or in pieces on the shelf of blobs.

use crate::error::{ClusterError, Result};
use crate::ids::{BlobId, JobId, RunId};
use crate::store::Shelf;
use crate::wire::{RecordMaker, StoredBody};

use super::JobBoard;

/// Larger bodies are not part of their message. Whoever checks the parent of a job reads the message of
/// its record.
pub(super) const INLINE_BYTES: usize = 128 << 10;
/// The same for descriptions of runs. Whoever asks for the state of a run reads the message of its
/// description.
const RUN_INLINE_BYTES: usize = 4 << 10;
/// The largest piece.
pub(super) const PIECE_BYTES: usize = 512 << 10;
/// The largest body.
const BODY_BYTES: u64 = 1 << 30;

/// Whose bytes these are, and so where their pieces are.
#[derive(Clone, Copy, Debug)]
pub(super) enum BodyKey {
    Run,
    /// Removed with the record of the job: nobody executes it any more.
    Job(JobId),
    /// Two records of a job are stored apart; the one that does not count is removed.
    Record(JobId, RecordMaker),
    Blob(BlobId),
}

impl BodyKey {
    fn under(self, run: &RunId) -> String {
        match self {
            BodyKey::Run => format!("{run}.run.body"),
            BodyKey::Job(job) => format!("{run}.job.{job}"),
            BodyKey::Record(job, RecordMaker { board, taken }) => {
                format!("{run}.record.{job}-{board:x}-{taken}")
            }
            BodyKey::Blob(blob) => format!("{run}.blob.{blob}"),
        }
    }
}

impl JobBoard {
    pub(super) fn store_body(&self, run: &RunId, key: BodyKey, body: &[u8]) -> Result<StoredBody> {
        let limit = if let BodyKey::Run = key { RUN_INLINE_BYTES } else { INLINE_BYTES };
        if body.len() <= limit {
            return Ok(StoredBody::Inline(body.to_vec()));
        }
        self.put_pieces(run, key, body)?;
        let hash = *blake3::hash(body).as_bytes();
        Ok(StoredBody::Pieces { length: body.len() as u64, hash })
    }

    /// The bytes, or none if pieces are missing.
    pub(super) fn load_body(
        &self,
        run: &RunId,
        key: BodyKey,
        body: StoredBody,
    ) -> Result<Option<Vec<u8>>> {
        match body {
            StoredBody::Inline(bytes) => Ok(Some(bytes)),
            StoredBody::Pieces { length, hash } => self.pieces(run, key, Some(length), &hash),
        }
    }

    /// Removes the pieces of a body, if it has pieces.
    pub(super) fn remove_body(&self, run: &RunId, key: BodyKey, body: &StoredBody) -> Result<()> {
        match body {
            StoredBody::Inline(_) => Ok(()),
            StoredBody::Pieces { .. } => self.store.clear(Shelf::Blobs, &key.under(run)),
        }
    }

    /// Stores pieces, the first one last: where it is, all are.
    pub(super) fn put_pieces(&self, run: &RunId, key: BodyKey, bytes: &[u8]) -> Result<()> {
        let length = bytes.len() as u64;
        if length > BODY_BYTES {
            let what = "what goes to other machines in one";
            return Err(ClusterError::TooLarge { what, bytes: length, limit: BODY_BYTES });
        }
        let under = key.under(run);
        if self.store.get(Shelf::Blobs, &format!("{under}.0"))?.is_some() {
            return Ok(());
        }
        for number in (0..piece_count(length)).rev() {
            let from = number as usize * PIECE_BYTES;
            let piece = &bytes[from..bytes.len().min(from + PIECE_BYTES)];
            let message = [&length.to_le_bytes(), piece].concat();
            self.store.create(Shelf::Blobs, &format!("{under}.{number}"), &message)?;
        }
        Ok(())
    }

    /// The bytes of all pieces, or none if the first one is missing.
    pub(super) fn pieces(
        &self,
        run: &RunId,
        key: BodyKey,
        expected_length: Option<u64>,
        hash: &[u8; 32],
    ) -> Result<Option<Vec<u8>>> {
        let under = key.under(run);
        let damaged = || ClusterError::Damaged { what: format!("the blob `{under}`") };
        let mut bytes = Vec::new();
        let mut length = expected_length;
        let mut number = 0;
        while number < length.map_or(1, piece_count) {
            let message = self.store.get(Shelf::Blobs, &format!("{under}.{number}"))?;
            let Some(message) = message else { return Ok(None) };
            let (head, piece) = message.split_first_chunk::<8>().ok_or_else(damaged)?;
            let total = u64::from_le_bytes(*head);
            if *length.get_or_insert(total) != total || total > BODY_BYTES {
                return Err(damaged());
            }
            bytes.extend_from_slice(piece);
            number += 1;
        }
        if blake3::hash(&bytes).as_bytes() != hash {
            return Err(damaged());
        }
        Ok(Some(bytes))
    }
}

/// The number of pieces of a body. Nothing is one empty piece.
fn piece_count(length: u64) -> u64 {
    length.div_ceil(PIECE_BYTES as u64).max(1)
}
