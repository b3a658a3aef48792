//! Values that refer to no table as bytes, and back.

use anyhow::Result;
use everett_base::part::{PartReader, PartWriter, Portable};

/// A value as bytes.
pub(crate) fn to_bytes<T: Portable>(value: &T) -> Vec<u8> {
    let mut to = PartWriter::new(&[]);
    value.write(&mut to);
    to.into_bytes()
}

/// The value that [`to_bytes`] has written.
pub(crate) fn of_bytes<T: Portable>(bytes: &[u8]) -> Result<T> {
    let mut from = PartReader::new(bytes, &[]);
    let value = T::read(&mut from)?;
    from.end()?;
    Ok(value)
}
