//! Source locations and interned names.

use serde::{Deserialize, Serialize};

use crate::ids::{FileId, LocId, NameId};

/// A source file as the compiler recorded it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// The name, as given to the compiler.
    pub name: String,
    /// The directory that a relative name is relative to.
    pub directory: String,
}

impl SourceFile {
    /// The name, made absolute where the directory allows it.
    pub fn path(&self) -> std::path::PathBuf {
        std::path::Path::new(&self.directory).join(&self.name)
    }
}

/// A place in the source, with the chain of calls that inlining removed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The file.
    pub file: FileId,
    /// Line, from 1; 0 when the compiler made the code up.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
    /// The source function that the line belongs to.
    pub function: NameId,
    /// The place where this function was inlined, if it was.
    pub inlined_at: Option<LocId>,
}
