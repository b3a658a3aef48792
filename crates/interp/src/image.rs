//! A program loaded into memory: globals placed and initialised, every address known.

pub(crate) mod coverage;

use std::sync::Arc;

use everett_base::define_id;
use everett_base::hash::Map;
use everett_ir::{Const, FuncId, GlobalId, Pc, Program};
use everett_memory::{AddressSpace, AllocError, AllocRequest, ObjectKind, ObjectNameId, SiteId};

use crate::state::reg::Reg;

define_id!(
    /// Numbers programs in the order in which they were loaded.
    pub struct ProgramId,
    "p"
);

/// The programs that were loaded so far, each with the memory that a process starts with.
///
/// Programs are only added, also while others are being executed: a process may ask for one.
#[derive(Debug, Default)]
pub struct ProgramImages {
    loaded: boxcar::Vec<(Arc<ProgramImage>, AddressSpace)>,
    /// The bytes that processes find in memory that they have not written.
    fresh: everett_memory::MemoryConfig,
}

impl ProgramImages {
    /// No programs.
    pub fn new() -> ProgramImages {
        ProgramImages::default()
    }

    /// No programs, for processes that find this byte wherever they have not written.
    pub fn with_fresh_memory(byte: u8) -> ProgramImages {
        let fresh = everett_memory::MemoryConfig { heap_fill: byte, stack_fill: byte };
        ProgramImages { fresh, ..ProgramImages::default() }
    }

    /// Loads one more program.
    pub fn load(&self, program: Arc<Program>) -> Result<ProgramId, AllocError> {
        let (image, mut memory) = ProgramImage::load(program)?;
        memory.release_cache();
        memory.set_fresh(self.fresh);
        Ok(ProgramId::from_index(self.loaded.push((Arc::new(image), memory))))
    }

    /// The programs that were loaded first, so many of them, without those that were loaded later.
    pub fn first(&self, count: usize) -> ProgramImages {
        let loaded = boxcar::Vec::with_capacity(count);
        for (_, program) in self.loaded.iter().take(count) {
            loaded.push(program.clone());
        }
        ProgramImages { loaded, fresh: self.fresh }
    }

    /// A program.
    pub fn image(&self, id: ProgramId) -> &ProgramImage {
        &self.loaded[id.index()].0
    }

    /// The memory that a process of this program starts with.
    pub fn memory(&self, id: ProgramId) -> AddressSpace {
        self.loaded[id.index()].1.clone()
    }

    /// Programs loaded so far.
    pub fn count(&self) -> usize {
        self.loaded.count()
    }
}

/// The function by which the program of a live node waits for its peer. No other program has it.
const LIVE_LISTEN: &str = "__everett_live_listen";

/// A loaded program. Shared by all states.
#[derive(Debug)]
pub struct ProgramImage {
    /// The program.
    pub program: Arc<Program>,
    /// The constant table with every address filled in.
    pub consts: Vec<Reg>,
    /// It is the program of live nodes, which is not the user's.
    pub is_gateway: bool,
    globals: Vec<u64>,
    functions: Vec<u64>,
    by_address: Map<u64, FuncId>,
}

impl ProgramImage {
    /// Places the globals and fills them in. Loading is deterministic: the same program gets the
    /// same addresses.
    pub fn load(program: Arc<Program>) -> Result<(ProgramImage, AddressSpace), AllocError> {
        let mut mem = AddressSpace::new(everett_memory::MemoryConfig::default());
        let functions: Vec<u64> =
            (0..program.functions.len()).map(|i| everett_memory::code_address(i as u32)).collect();
        let by_address =
            functions.iter().enumerate().map(|(i, a)| (*a, FuncId::from_index(i))).collect();
        let mut globals = Vec::with_capacity(program.globals.len());
        for (i, global) in program.globals.iter().enumerate() {
            let request = AllocRequest::new(global.size, ObjectKind::Global, SiteId::NONE);
            let name = ObjectNameId(i as u32);
            globals.push(
                mem.alloc_with(AllocRequest { name, ..request.aligned(global.align.into()) })?,
            );
        }
        let is_gateway = program.functions.iter().any(|function| function.name == LIVE_LISTEN);
        let consts = Vec::new();
        let mut image =
            ProgramImage { program, consts, is_gateway, globals, functions, by_address };
        image.consts = image.program.consts.iter().map(|c| Reg::word(image.resolve(c))).collect();
        image.initialise(&mut mem);
        Ok((image, mem))
    }

    fn initialise(&self, mem: &mut AddressSpace) {
        for (global, address) in self.program.globals.iter().zip(&self.globals) {
            write(mem, *address, &global.bytes);
            for reloc in &global.relocs {
                let value = self.resolve(&reloc.value);
                let bytes = &value.to_le_bytes()[..usize::from(reloc.bytes)];
                write(mem, *address + reloc.offset, bytes);
            }
            if global.constant {
                mem.set_read_only(*address, true);
            }
        }
    }

    /// The value of a constant.
    pub fn resolve(&self, constant: &Const) -> u64 {
        constant.resolve(&|leaf| match leaf {
            Const::Global { global, offset } => {
                self.globals[global.index()].wrapping_add(*offset as u64)
            }
            Const::Func(func) => self.functions[func.index()],
            Const::Block { pc, .. } => self.block_address(*pc),
            Const::Int(_) | Const::Expr(_) => unreachable!("not an address"),
        })
    }

    /// Address of a function.
    pub fn function_address(&self, func: FuncId) -> u64 {
        self.functions[func.index()]
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        self.by_address.get(&address).copied()
    }

    /// The initial bytes of a global, addresses filled in.
    pub fn initial_bytes(&self, global: GlobalId) -> Vec<u8> {
        let global = &self.program.globals[global.index()];
        let mut bytes = global.bytes.clone();
        bytes.resize(global.size as usize, 0);
        for reloc in &global.relocs {
            let value = self.resolve(&reloc.value).to_le_bytes();
            let at = reloc.offset as usize;
            let len = usize::from(reloc.bytes);
            bytes[at..at + len].copy_from_slice(&value[..len]);
        }
        bytes
    }

    /// Address of a global.
    pub fn global_address(&self, global: GlobalId) -> u64 {
        self.globals[global.index()]
    }

    /// Address of the block that starts at an op.
    pub fn block_address(&self, pc: Pc) -> u64 {
        everett_memory::code_address(self.functions.len() as u32 + pc)
    }

    /// The site that memory records for what an op does.
    #[inline(always)]
    pub fn site(&self, pc: Pc) -> SiteId {
        SiteId(pc)
    }
}

fn write(mem: &mut AddressSpace, address: u64, bytes: &[u8]) {
    if !bytes.is_empty() {
        mem.write_bytes(address, bytes).expect("an initialiser is no larger than its global");
    }
}
