//! The on-disk form of a program, for the cache of lowered programs.
//!
//! A short header with a version, then the program in postcard's encoding. Decoding validates, so
//! that a damaged cache is an error and never a panic later on.

use everett_base::hash::hash_bytes;

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

/// A hash over the code of a program's own functions, its constants, and the places of the code in its
/// source: programs that differ in what they do have different ones.
pub fn code_hash(program: &Program) -> u64 {
    let mut bytes = Vec::new();
    let mut add = |part: &dyn Fn(Vec<u8>) -> postcard::Result<Vec<u8>>| {
        bytes = part(std::mem::take(&mut bytes))
            .expect("a program holds only types that postcard encodes");
    };
    for function in
        program.functions.iter().filter(|function| function.defined && !function.library)
    {
        let range = function.entry as usize..function.end as usize;
        let places = program.op_locs[range.clone()].iter().map(|loc| {
            let location = program.location(*loc)?;
            Some((&program.files[location.file.index()].name, location.line, location.column))
        });
        let places: Vec<_> = places.collect();
        let code = (&function.name, &program.ops[range.clone()], &program.weights[range], places);
        add(&|bytes| postcard::to_extend(&code, bytes));
    }
    add(&|bytes| postcard::to_extend(&(&program.consts, &program.switches), bytes));
    hash_bytes(&bytes)
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
