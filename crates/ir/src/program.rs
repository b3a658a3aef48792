//! The program as a whole.

use serde::{Deserialize, Serialize};

use crate::constant::Const;
use crate::dynamic::{DynamicInfo, ExportedSymbol, LinkedLibrary};
use crate::global::Global;
use crate::ids::{CallId, FileId, FuncId, GlobalId, LocId, NameId, SignatureId};
use crate::layout::ValueLayout;
use crate::layout::structs::StructTable;
use crate::loc::{SourceFile, SourceLocation};
use crate::op::Op;
use crate::op::operand::Pc;
use crate::rust::is_rust_library;
use crate::signature::Signature;
use crate::site::{CallSite, IndirectTargets, SwitchTable};

/// The machine that the program was compiled for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TargetMachine {
    /// LLVM's triple, for messages.
    pub triple: String,
}

/// A linked and lowered program.
///
/// Immutable once sealed, and shared by all states.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// The machine that it was compiled for.
    pub target: TargetMachine,
    /// All functions' ops, one after the other.
    pub ops: Vec<Op>,
    /// For each op, how many source instructions it stands for (0 for copies that phis became).
    pub weights: Vec<u16>,
    /// For each op, where it comes from.
    pub op_locs: Vec<LocId>,
    /// Functions, defined and declared.
    pub functions: Vec<Function>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// The constant table.
    pub consts: Vec<Const>,
    /// Layouts of values of several slots.
    pub layouts: Vec<ValueLayout>,
    /// Switch tables.
    pub switches: Vec<SwitchTable>,
    /// Targets of indirect jumps.
    pub indirect: Vec<IndirectTargets>,
    /// Call sites.
    pub calls: Vec<CallSite>,
    /// Types of functions and of calls; entry 0 is `void (void)`.
    pub signatures: Vec<Signature>,
    /// Functions to run before `main`, in order.
    pub constructors: Vec<FuncId>,
    /// Functions to run after `main`, in order.
    pub destructors: Vec<FuncId>,
    /// Source locations; entry 0 is "unknown".
    pub locations: Vec<SourceLocation>,
    /// Source files; entry 0 is the nameless file.
    pub files: Vec<SourceFile>,
    /// Interned names; entry 0 is the empty one.
    pub names: Vec<String>,
    /// The struct types of its source.
    pub structs: StructTable,
    /// The symbols that libraries may refer to, by name. A program that opens no libraries has none.
    pub exports: Vec<ExportedSymbol>,
    /// What its file tells the dynamic loader.
    pub dynamic: DynamicInfo,
    /// The libraries that were linked to it while it ran, in order; they are the last entries of all tables.
    pub linked: Vec<LinkedLibrary>,
}

/// A function.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Function {
    /// Linker name.
    pub name: String,
    /// True if there is code; the other code fields are empty where there is none.
    pub defined: bool,
    /// First op; control enters here.
    pub entry: Pc,
    /// One past the last op.
    pub end: Pc,
    /// First ops of the blocks, ascending.
    pub blocks: Vec<Pc>,
    /// Its type, as the calling convention sees it.
    pub signature: SignatureId,
    /// Width in bits of each parameter slot.
    pub params: Vec<u8>,
    /// Width in bits of each result slot.
    pub results: Vec<u8>,
    /// Slots of a frame, parameters included.
    pub frame_slots: u32,
    /// True if it takes variable arguments.
    pub var_args: bool,
    /// True if it was linked from a library, and is not the user's own.
    pub library: bool,
    /// True if it is referred to weakly only and nobody defines it: its address is null, and a program
    /// that checks the address before it calls the function is complete without it. In a library, another
    /// one may define it.
    pub absent: bool,
    /// The place of its definition (the line of its name).
    pub loc: LocId,
}

impl Program {
    /// A program with nothing in it but the reserved entries 0.
    pub fn new() -> Program {
        let mut program = Program::default();
        program.names.push(String::new());
        program.signatures.push(Signature::default());
        program.files.push(SourceFile { name: String::new(), directory: String::new() });
        program.locations.push(SourceLocation {
            file: FileId(0),
            line: 0,
            column: 0,
            function: NameId(0),
            inlined_at: None,
        });
        program
    }

    /// The function of that linker name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(FuncId::from_index)
    }

    /// The global of that linker name.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().position(|g| g.name == name).map(GlobalId::from_index)
    }

    /// The function that holds an op.
    pub fn function_at(&self, pc: Pc) -> Option<FuncId> {
        // Definitions are laid out in order of their ids; declarations have empty ranges.
        self.functions
            .iter()
            .position(|f| f.defined && f.entry <= pc && pc < f.end)
            .map(FuncId::from_index)
    }

    /// A function by id.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// A call site by id.
    pub fn call(&self, id: CallId) -> &CallSite {
        &self.calls[id.index()]
    }

    /// A type of a function or of a call.
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id.index()]
    }

    /// An interned name.
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }

    /// The location of an op.
    pub fn loc(&self, pc: Pc) -> LocId {
        self.op_locs.get(pc as usize).copied().unwrap_or(LocId(0))
    }

    /// A location by id, or `None` for "unknown".
    pub fn location(&self, id: LocId) -> Option<&SourceLocation> {
        if id.index() == 0 { None } else { self.locations.get(id.index()) }
    }

    /// Returns `true` if an op is in a library: in a function of one that was linked, or of Rust's standard
    /// library, which is compiled with programs. What is inlined into a program's own function is not.
    pub fn is_in_library(&self, func: FuncId, pc: Pc) -> bool {
        let function = self.function(func);
        if function.library {
            return true;
        }
        let locations = std::iter::successors(self.location(self.loc(pc)), |location| {
            location.inlined_at.and_then(|id| self.location(id))
        });
        // What the compiler has made without a place is in its function at least.
        let own = locations.last().or_else(|| self.location(function.loc));
        own.is_some_and(|own| is_rust_library(&self.files[own.file.index()].name))
    }

    /// Source instructions of all functions.
    pub fn instruction_count(&self) -> u64 {
        self.weights.iter().map(|w| u64::from(*w)).sum()
    }
}
