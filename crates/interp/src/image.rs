//! A program loaded into memory: globals placed and initialised, every address known.
//!
//! A program that is extended by libraries while it runs is a program of its own here. All addresses of the
//! program that it began as are the same, so that a process goes on with it as it is. Those of libraries
//! depend only on what the program is made of, and not on what its process has done before.

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

    /// No programs, for processes that find this byte wherever they have not written; with `undefined`, a
    /// byte that they must not use.
    pub fn with_fresh_memory(byte: u8, undefined: bool) -> ProgramImages {
        let fresh = everett_memory::MemoryConfig { heap_fill: byte, stack_fill: byte, undefined };
        ProgramImages { fresh, ..ProgramImages::default() }
    }

    /// Loads one more program.
    pub fn load(&self, program: Arc<Program>) -> Result<ProgramId, AllocError> {
        let (image, mut memory) = ProgramImage::load(program)?;
        memory.release_cache();
        memory.set_fresh(self.fresh);
        Ok(ProgramId::from_index(self.loaded.push((Arc::new(image), memory))))
    }

    /// Loads a program that is another one with more libraries. Its processes begin as that one does.
    pub fn load_extended(
        &self,
        base: ProgramId,
        program: Arc<Program>,
    ) -> Result<ProgramId, AllocError> {
        let image = ProgramImage::extended(self.image(base), base, program)?;
        Ok(ProgramId::from_index(self.loaded.push((Arc::new(image), self.memory(base)))))
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
    /// The program that it was before libraries were linked to it, and is still.
    pub base: Option<ProgramId>,
    globals: Vec<u64>,
    functions: Vec<u64>,
    by_address: Map<u64, FuncId>,
}

impl ProgramImage {
    /// Places the globals and fills them in. Loading is deterministic: the same program gets the
    /// same addresses.
    pub fn load(program: Arc<Program>) -> Result<(ProgramImage, AddressSpace), AllocError> {
        let mut mem = AddressSpace::new(everett_memory::MemoryConfig::default());
        let mut globals = Vec::with_capacity(program.globals.len());
        for (i, global) in program.globals.iter().enumerate() {
            let request = AllocRequest::new(global.size, ObjectKind::Global, SiteId::NONE);
            let name = ObjectNameId(i as u32);
            globals.push(
                mem.alloc_with(AllocRequest { name, ..request.aligned(global.align.into()) })?,
            );
        }
        let image = ProgramImage::of(program, globals, None);
        image.initialise(&mut mem, 0);
        Ok((image, mem))
    }

    /// The image of a program with libraries: what the program was before is where it was.
    fn extended(
        before: &ProgramImage,
        base: ProgramId,
        program: Arc<Program>,
    ) -> Result<ProgramImage, AllocError> {
        let first = program.linked.first().map_or(0, |library| library.first_global as usize);
        let mut globals = before.globals[..first.min(before.globals.len())].to_vec();
        let mut taken: Map<u32, u64> = Map::default();
        for global in &program.globals[globals.len()..] {
            let (size, align) = (global.size, u64::from(global.align));
            let too_large = AllocError::TooLarge { size, align };
            let slot = everett_memory::library_slot(size, align).ok_or(too_large)?;
            let number = taken.entry(slot).or_default();
            let address = everett_memory::library_address(slot, *number);
            globals.push(address.ok_or(AllocError::Exhausted { size })?);
            *number += 1;
        }
        Ok(ProgramImage::of(program, globals, Some(base)))
    }

    fn of(program: Arc<Program>, globals: Vec<u64>, base: Option<ProgramId>) -> ProgramImage {
        let address = |i| {
            let library = program.library_of_function(FuncId::from_index(i));
            let before = (library as usize).checked_sub(1).map(|at| program.linked[at].first_op);
            everett_memory::code_address(before.unwrap_or(0) + i as u32)
        };
        let functions: Vec<u64> = (0..program.functions.len()).map(address).collect();
        let by_address =
            functions.iter().enumerate().map(|(i, a)| (*a, FuncId::from_index(i))).collect();
        let is_gateway = program.functions.iter().any(|function| function.name == LIVE_LISTEN);
        let consts = Vec::new();
        let mut image =
            ProgramImage { program, consts, is_gateway, base, globals, functions, by_address };
        image.consts = image.program.consts.iter().map(|c| Reg::word(image.resolve(c))).collect();
        image
    }

    /// Makes the variables, from one on, in the memory of a process that has those before it, with their
    /// first values.
    pub fn place_globals_from(
        &self,
        first: usize,
        mem: &mut AddressSpace,
    ) -> Result<(), AllocError> {
        for (i, global) in self.program.globals.iter().enumerate().skip(first) {
            let request = AllocRequest::new(global.size, ObjectKind::Global, SiteId::NONE);
            let request = AllocRequest { name: ObjectNameId(i as u32), ..request };
            mem.alloc_of_library(self.globals[i], request.aligned(global.align.into()))?;
        }
        self.initialise(mem, first);
        Ok(())
    }

    fn initialise(&self, mem: &mut AddressSpace, first: usize) {
        let globals = self.program.globals.iter().zip(&self.globals).skip(first);
        for (global, address) in globals {
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

    /// Address of the block that starts at an op: behind those of the functions of its program or library,
    /// and before those of the libraries that were linked later.
    pub fn block_address(&self, pc: Pc) -> u64 {
        let linked = &self.program.linked;
        let next = linked.partition_point(|library| library.first_op <= pc);
        let functions = linked.get(next).map_or(self.functions.len() as u32, |l| l.first_function);
        everett_memory::code_address(functions + pc)
    }

    /// The global variable that starts at an address, and is not one of a thread's own.
    pub fn global_at(&self, address: u64) -> Option<GlobalId> {
        self.globals.iter().position(|start| *start == address).map(GlobalId::from_index)
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
