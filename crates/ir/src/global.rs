//! Global variables and their initialisers.

use serde::{Deserialize, Serialize};

use crate::constant::Const;
use crate::ids::LocId;

/// A global variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Linker name.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// True if writing to it is an error.
    pub constant: bool,
    /// True if every thread has its own.
    pub thread_local: bool,
    /// Declared but defined nowhere: reaching it is an error of the program.
    pub external: bool,
    /// True if it is referred to weakly only, by a library: without a definition, its address is null.
    pub absent: bool,
    /// Leading bytes of the initialiser; the rest is zero.
    pub bytes: Vec<u8>,
    /// Words of the initialiser that hold addresses.
    pub relocs: Vec<Relocation>,
    /// The place of its declaration.
    pub loc: LocId,
}

/// A word of an initialiser that depends on addresses.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Relocation {
    /// Offset in the global, in bytes.
    pub offset: u64,
    /// Bytes to write, at most 8.
    pub bytes: u8,
    /// The value to write.
    pub value: Const,
}
