//! The on-disk form of a program, for the cache of lowered programs.
//!
//! A short header with a version, then the program in postcard's encoding. Decoding validates, so
//! that a damaged cache is an error and never a panic later on.

use crate::error::IrError;
use crate::program::Program;

/// Version of the encoding. Raise it with every change to the types of this crate.
pub const FORMAT_VERSION: u32 = 10;

const MAGIC: &[u8; 8] = b"EVERETTP";

/// Encodes a program.
pub fn encode(program: &Program) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64 + program.ops.len() * 16);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    postcard::to_extend(program, bytes).expect("a program holds only types that postcard encodes")
}

/// Decodes and validates a program.
pub fn decode(bytes: &[u8]) -> Result<Program, IrError> {
    let Some((header, body)) = bytes.split_at_checked(MAGIC.len() + 4) else {
        return Err(IrError::NotAProgram);
    };
    let (magic, version) = header.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(IrError::NotAProgram);
    }
    let found = u32::from_le_bytes(version.try_into().expect("split off four bytes"));
    if found != FORMAT_VERSION {
        return Err(IrError::Version { found, expected: FORMAT_VERSION });
    }
    let program: Program = postcard::from_bytes(body)?;
    program.validate()?;
    Ok(program)
}
