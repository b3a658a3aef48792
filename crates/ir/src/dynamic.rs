//! What the dynamic loader needs to know of a program: the symbols that it exports, the libraries that it
//! asks for, and those that were linked to it while it ran.
//!
//! Not here: the linking itself (`extend.rs`).

use serde::{Deserialize, Serialize};

use crate::ids::{FuncId, GlobalId};
use crate::op::operand::Pc;
use crate::program::Program;

/// A symbol that other modules may refer to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExportedSymbol {
    /// Linker name.
    pub name: String,
    /// The thing that it names.
    pub target: SymbolTarget,
}

/// A thing that a symbol names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SymbolTarget {
    /// A function.
    Function(FuncId),
    /// A place in a global variable.
    Global {
        /// The variable.
        global: GlobalId,
        /// The distance from its beginning, in bytes.
        offset: i64,
    },
}

/// What the file of a program or a library tells the dynamic loader.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DynamicInfo {
    /// The name that others ask for it by (`DT_SONAME`); empty if it has none.
    pub name: String,
    /// The folders in which the libraries are looked for that it asks for, with colons between them.
    pub run_path: String,
    /// The libraries that it asks for, by name. Those of a program that was linked with libraries are part
    /// of the program already, with the libraries that these ask for.
    pub needed: Vec<String>,
}

/// A library that was linked to a program while it ran. Its functions, variables and ops are the last ones,
/// up to those of the next library.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LinkedLibrary {
    /// Number of functions before its own.
    pub first_function: u32,
    /// Number of global variables before its own.
    pub first_global: u32,
    /// Number of ops before its own.
    pub first_op: Pc,
    /// The symbols that it exports, by name.
    pub exports: Vec<ExportedSymbol>,
    /// Functions to run when it has been linked, in order.
    pub constructors: Vec<FuncId>,
    /// Functions to run when the program ends, in order.
    pub destructors: Vec<FuncId>,
}

/// Finds a name in a list of symbols that is sorted by name.
pub(crate) fn find(symbols: &[ExportedSymbol], name: &str) -> Option<SymbolTarget> {
    let at = symbols.binary_search_by(|symbol| symbol.name.as_str().cmp(name)).ok()?;
    Some(symbols[at].target)
}

impl Program {
    /// The symbol of this name that a library exports, by the library's number; 0 is the program itself.
    pub fn exported(&self, library: u32, name: &str) -> Option<SymbolTarget> {
        find(self.exports_of(library)?, name)
    }

    /// The symbols that a library exports, by the library's number; 0 is the program itself.
    pub fn exports_of(&self, library: u32) -> Option<&[ExportedSymbol]> {
        match (library as usize).checked_sub(1) {
            None => Some(&self.exports),
            Some(at) => Some(&self.linked.get(at)?.exports),
        }
    }

    /// The number of the library that a function is part of; 0 is the program itself.
    pub fn library_of_function(&self, func: FuncId) -> u32 {
        self.linked.partition_point(|library| library.first_function as usize <= func.index())
            as u32
    }

    /// The number of the library that a global variable is part of; 0 is the program itself.
    pub fn library_of_global(&self, global: GlobalId) -> u32 {
        self.linked.partition_point(|library| library.first_global as usize <= global.index())
            as u32
    }

    /// The function of the program itself that it refers to by this name and does not define.
    pub(crate) fn own_undefined(&self, name: &str) -> Option<FuncId> {
        let own = self.linked.first().map_or(self.functions.len(), |l| l.first_function as usize);
        let found = self.functions[..own].iter().position(|f| !f.defined && f.name == name);
        found.map(FuncId::from_index)
    }
}
