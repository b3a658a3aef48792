//! Bytes of files.

use std::fmt::Debug;

/// A byte of a file: a `u8`, or something that can be one, such as an expression.
///
/// Implemented for every type that qualifies. `TryInto` says whether the byte is concrete; the file
/// system stores concrete bytes as `u8` and never looks into the others.
pub trait FileByte: Copy + Eq + Debug + From<u8> + TryInto<u8> {}

impl<T: Copy + Eq + Debug + From<u8> + TryInto<u8>> FileByte for T {}

/// The concrete value of a byte.
#[inline]
pub(crate) fn concrete<B: FileByte>(byte: B) -> Option<u8> {
    byte.try_into().ok()
}

/// The concrete values of bytes, if all have one.
pub(crate) fn all_concrete<B: FileByte>(bytes: &[B]) -> Option<Vec<u8>> {
    bytes.iter().map(|byte| concrete(*byte)).collect()
}
