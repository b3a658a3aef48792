//! Runs that a cluster explores: what their processes hand each other.
//!
//! `everett run --cluster` submits a run ([`description`]) with its files ([`files`]), and adds up what comes
//! of its jobs (`commands/run/cluster.rs`). Others have copies of these files ([`copies`]).
//! `everett work` takes jobs, and has other processes of this binary
//! explore them (`commands/explore_jobs.rs`, with the messages of [`protocol`]). The queue itself is
//! `everett-cluster`.

pub(crate) mod connection;
pub(crate) mod copies;
pub(crate) mod description;
pub(crate) mod files;
pub(crate) mod protocol;

use anyhow::Result;

/// Jobs and records are compressed; higher levels take several times as long for a few per cent.
const COMPRESSION_LEVEL: i32 = 1;
/// The largest job or record that is taken out of its compression.
const MOST_BYTES: u64 = 4 << 30;

/// Bytes, compressed.
pub(crate) fn compress(bytes: &[u8]) -> Result<Vec<u8>> {
    Ok(zstd::encode_all(bytes, COMPRESSION_LEVEL)?)
}

/// The bytes that [`compress`] was given. Garbage does not become more than a limit.
pub(crate) fn decompress(bytes: &[u8]) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut found = Vec::new();
    let decoder = zstd::Decoder::new(bytes)?;
    decoder.take(MOST_BYTES).read_to_end(&mut found)?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_garbage_is_refused() {
        let bytes = b"some bytes ".repeat(100);
        let packed = compress(&bytes).unwrap();
        assert!(packed.len() < bytes.len() / 4);
        assert_eq!(decompress(&packed).unwrap(), bytes);
        assert!(decompress(b"no such thing").is_err());
        assert!(crate::value_bytes::of_bytes::<Vec<u64>>(&[9]).is_err());
    }
}
