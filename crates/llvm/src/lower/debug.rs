//! Source locations with their chains of inlined calls, and names of variables.

use everett_base::Map;
use everett_ir::{FileId, LocId, NameId, SourceFile, SourceLocation};

use crate::sys::{Inst, MetadataNode, Value};

use super::program::ProgramLowering;

/// The longest chain of inlined calls that is followed.
const MAX_INLINED: usize = 1000;

/// Debug nodes that have been translated.
#[derive(Default)]
pub(crate) struct DebugSources<'m> {
    nodes: Map<MetadataNode<'m>, LocId>,
    scopes: Map<MetadataNode<'m>, (FileId, NameId)>,
    files: Map<(String, String), FileId>,
    locations: Map<SourceLocation, LocId>,
}

/// The location of a debug node; "unknown" for what is none.
pub(crate) fn location<'m>(unit: &mut ProgramLowering<'m>, node: MetadataNode<'m>) -> LocId {
    if let Some(found) = unit.sources.nodes.get(&node) {
        return *found;
    }
    let mut chain = Vec::new();
    let mut current = Some(node).filter(|node| node.is_location());
    while let Some(here) = current.filter(|_| chain.len() < MAX_INLINED) {
        chain.push(here);
        current = here.inlined_at();
    }
    let mut outer = None;
    for here in chain.into_iter().rev() {
        let (line, column) = here.line_and_column();
        let (file, function) = here.scope().map_or((FileId(0), NameId(0)), |s| scope(unit, s));
        let place = SourceLocation { file, line, column, function, inlined_at: outer };
        let id = intern(unit, place);
        unit.sources.nodes.insert(here, id);
        outer = Some(id);
    }
    outer.unwrap_or(LocId(0))
}

/// The location of a function's or a variable's declaration.
pub(crate) fn declaration<'m>(unit: &mut ProgramLowering<'m>, node: MetadataNode<'m>) -> LocId {
    let line = node.declared_line();
    let Some(names) = node.file().filter(|_| line != 0) else { return LocId(0) };
    let file = file(unit, names);
    let function = match node.name().filter(|_| node.is_subprogram()) {
        Some(name) => unit.name(&name),
        None => NameId(0),
    };
    intern(unit, SourceLocation { file, line, column: 0, function, inlined_at: None })
}

fn intern(unit: &mut ProgramLowering<'_>, place: SourceLocation) -> LocId {
    if let Some(found) = unit.sources.locations.get(&place) {
        return *found;
    }
    let id = LocId::from_index(unit.program.locations.len());
    unit.program.locations.push(place);
    unit.sources.locations.insert(place, id);
    id
}

/// The file of a scope, and the function around it.
fn scope<'m>(unit: &mut ProgramLowering<'m>, node: MetadataNode<'m>) -> (FileId, NameId) {
    if let Some(found) = unit.sources.scopes.get(&node) {
        return *found;
    }
    let file = node.file().map_or(FileId(0), |names| file(unit, names));
    let mut current = Some(node);
    let mut steps = 0;
    while let Some(here) = current.filter(|here| !here.is_subprogram() && steps < MAX_INLINED) {
        current = here.scope();
        steps += 1;
    }
    let name = current.and_then(MetadataNode::name).unwrap_or_default();
    let found = (file, unit.name(&name));
    unit.sources.scopes.insert(node, found);
    found
}

fn file(unit: &mut ProgramLowering<'_>, names: (String, String)) -> FileId {
    if let Some(found) = unit.sources.files.get(&names) {
        return *found;
    }
    let id = FileId::from_index(unit.program.files.len());
    unit.program.files.push(SourceFile { name: names.0.clone(), directory: names.1.clone() });
    unit.sources.files.insert(names, id);
    id
}

/// The facts of debug information about a variable.
#[derive(Clone)]
pub(crate) struct DescribedVariable<'m> {
    pub(crate) name: String,
    /// The line of its declaration.
    line: u32,
    /// The place where it begins to live, whose line may be 0.
    place: Option<MetadataNode<'m>>,
}

impl<'m> DescribedVariable<'m> {
    /// The place of the declaration. Optimisation leaves the line to the variable.
    pub(crate) fn location(&self, unit: &mut ProgramLowering<'m>) -> Option<LocId> {
        let known = location(unit, self.place?);
        let place = unit.program.locations[known.index()];
        Some(match place.line {
            0 => intern(unit, SourceLocation { line: self.line, ..place }),
            _ => known,
        })
    }
}

/// The facts of debug information about the variables of a function, by their `alloca`.
#[derive(Default)]
pub(crate) struct DebugVariables<'m> {
    found: Map<Value<'m>, DescribedVariable<'m>>,
    described: Vec<MetadataNode<'m>>,
}

impl<'m> DebugVariables<'m> {
    /// Takes note of a debug intrinsic; `name` is its base name.
    pub(crate) fn note(&mut self, name: &str, inst: Inst<'m>) {
        if !matches!(name, "llvm.dbg.declare" | "llvm.dbg.value" | "llvm.dbg.assign") {
            return;
        }
        let Some(description) = inst.operand(1).as_meta() else { return };
        if self.described.last() != Some(&description) {
            self.described.push(description);
        }
        let address = match name {
            "llvm.dbg.declare" => 0,
            "llvm.dbg.assign" => 4,
            _ => return,
        };
        let Some(alloca) = inst.operand(address).unwrap_metadata() else { return };
        let Some(name) = description.name() else { return };
        let (line, place) = (description.declared_line(), inst.debug_loc());
        self.found.entry(alloca).or_insert(DescribedVariable { name, line, place });
    }

    /// The descriptions of all variables, some of them several times.
    pub(crate) fn described(&self) -> &[MetadataNode<'m>] {
        &self.described
    }

    /// Name and place of the variable that an `alloca` holds.
    pub(crate) fn get(&self, alloca: Value<'m>) -> Option<&DescribedVariable<'m>> {
        self.found.get(&alloca)
    }
}
