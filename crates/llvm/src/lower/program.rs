//! The program under construction: everything that its functions share while they are lowered.

use std::rc::Rc;

use everett_base::{Map, Set};
use everett_ir::{
    Const, FuncId, GlobalId, LocId, NameId, Operand, Pc, Program, Signature, SignatureId,
};

use crate::sys::{DataLayout, Inst, MetadataNode, Type, Value};

use super::debug::DebugSources;
use super::shape::SlotShape;
use super::struct_types::TypeRoots;
use super::symbol::through_aliases;

/// The program under construction, and the tables that keep its entries unique.
pub(crate) struct ProgramLowering<'m> {
    /// The program as far as it is built.
    pub(crate) program: Program,
    /// Sizes and alignments.
    pub(crate) layout: DataLayout<'m>,
    /// Identifiers of the functions that are part of the program.
    pub(crate) functions: Map<Value<'m>, FuncId>,
    /// Identifiers of the global variables that are part of the program.
    pub(crate) globals: Map<Value<'m>, GlobalId>,
    /// The hidden global that holds the address of each indirect function.
    pub(crate) ifuncs: Map<Value<'m>, GlobalId>,
    /// Words of initialisers that only the resolver of an indirect function knows.
    pub(crate) ifunc_words: Vec<(GlobalId, u64, Value<'m>)>,
    /// Weak functions that someone outside the program provides.
    pub(crate) provided: Set<String>,
    /// It is a library that programs open, so that they may define what is missing.
    pub(crate) is_opened: bool,
    /// Global variables that become tables of addresses.
    pub(super) relative: Set<Value<'m>>,
    /// Slots of types seen so far.
    pub(super) shapes: Map<Type<'m>, Rc<SlotShape>>,
    /// Layouts by their content.
    pub(super) layouts: Map<everett_ir::ValueLayout, everett_ir::LayoutId>,
    /// Signatures by their content.
    pub(super) signatures: Map<Signature, SignatureId>,
    /// Constants seen so far, as operands.
    pub(super) operands: Map<Value<'m>, Operand>,
    /// Files and locations seen so far.
    pub(super) sources: DebugSources<'m>,
    /// Functions and variables, to find struct types.
    pub(super) type_roots: TypeRoots<'m>,
    /// For each function with blocks whose address is taken, the position of its blocks.
    pub(super) block_positions: Map<crate::sys::BasicBlock<'m>, u32>,
    /// First op of each block of each lowered function, to resolve block addresses at the end.
    pub(super) block_pcs: Map<FuncId, Vec<u32>>,
    /// The instructions that became ops, in the order of these.
    pub(super) origins: Vec<OpOrigin<'m>>,
    /// Functions that the program needs and the module does not mention.
    pub(super) declared: Map<String, FuncId>,
    /// Numbers of the types that handlers of exceptions name.
    exception_types: Map<Value<'m>, u32>,
    runs: Map<Vec<Const>, u32>,
    names: Map<String, NameId>,
}

/// An instruction whose ops begin at a program counter.
#[derive(Clone, Copy)]
pub(crate) struct OpOrigin<'m> {
    /// Its first op, if it has any; that of the next instruction otherwise.
    pub(crate) first: Pc,
    /// The function that has it.
    pub(crate) function: Value<'m>,
    /// The instruction.
    pub(crate) inst: Inst<'m>,
}

impl<'m> ProgramLowering<'m> {
    /// Nothing yet.
    pub(crate) fn new(layout: DataLayout<'m>) -> ProgramLowering<'m> {
        ProgramLowering {
            program: Program::new(),
            layout,
            functions: Map::default(),
            globals: Map::default(),
            ifuncs: Map::default(),
            ifunc_words: Vec::new(),
            provided: Set::default(),
            is_opened: false,
            relative: Set::default(),
            shapes: Map::default(),
            layouts: Map::default(),
            signatures: [(Signature::default(), SignatureId::default())].into_iter().collect(),
            operands: Map::default(),
            sources: DebugSources::default(),
            type_roots: TypeRoots::default(),
            block_positions: Map::default(),
            block_pcs: Map::default(),
            origins: Vec::new(),
            declared: Map::default(),
            exception_types: Map::default(),
            runs: Map::default(),
            names: Map::default(),
        }
    }

    /// The identifier of a name.
    pub(crate) fn name(&mut self, text: &str) -> NameId {
        if text.is_empty() {
            return NameId(0);
        }
        if let Some(found) = self.names.get(text) {
            return *found;
        }
        let id = NameId::from_index(self.program.names.len());
        self.program.names.push(text.to_owned());
        self.names.insert(text.to_owned(), id);
        id
    }

    /// The operand that reads `words`, which lie one after the other in the constant table.
    pub(crate) fn constants(&mut self, words: Vec<Const>) -> Operand {
        if let Some(found) = self.runs.get(&words) {
            return Operand::constant(*found);
        }
        let index =
            u32::try_from(self.program.consts.len()).expect("constants are fewer than 2^32");
        self.program.consts.extend(words.iter().cloned());
        self.runs.insert(words, index);
        Operand::constant(index)
    }

    /// The operand that reads a number.
    pub(crate) fn int(&mut self, value: u64) -> Operand {
        self.constants(vec![Const::Int(value)])
    }

    /// The number of a type that a handler of exceptions names, from 1 on.
    pub(crate) fn exception_type(&mut self, ty: Value<'m>) -> u32 {
        let next = self.exception_types.len() as u32 + 1;
        *self.exception_types.entry(through_aliases(ty)).or_insert(next)
    }

    /// The location of a debug node.
    pub(crate) fn location(&mut self, node: MetadataNode<'m>) -> LocId {
        super::debug::location(self, node)
    }
}
