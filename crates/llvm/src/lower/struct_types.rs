//! The struct types that debug information describes.
//!
//! Types are found from the functions of the program and from their variables, and through everything that
//! these refer to. Libraries are left out: their debug information is one of lines.

use everett_base::{Map, Set};
use everett_ir::{
    NESTING_MAX, ScalarKind, StructField, StructKind, StructTable, StructType, StructTypeId,
};

use crate::sys::{DebugTypeKind, MetadataNode};

/// Nodes that are looked at. A C++ program that includes much of the standard library has tens of thousands.
const NODES_MAX: usize = 1 << 17;
/// Types that are kept, their fields, and bytes of their names.
const TYPES_MAX: usize = 1 << 13;
const FIELDS_MAX: usize = 1 << 16;
const NAME_BYTES_MAX: usize = 1 << 22;
/// Variables of different names or types.
const VARIABLES_MAX: usize = 1 << 13;
/// Namespaces and types around a type, and types that only name another one.
const CHAIN_MAX: usize = 64;

/// The nodes from which types are found.
#[derive(Default)]
pub(crate) struct TypeRoots<'m> {
    nodes: Vec<MetadataNode<'m>>,
    known: Set<MetadataNode<'m>>,
}

impl<'m> TypeRoots<'m> {
    /// Adds a function or a variable.
    pub(crate) fn add(&mut self, node: MetadataNode<'m>) {
        if self.known.insert(node) {
            self.nodes.push(node);
        }
    }

    /// The types that can be found.
    pub(crate) fn struct_types(self) -> StructTable {
        let mut finder = TypeFinder::default();
        let mut stack: Vec<MetadataNode<'m>> = self.nodes.into_iter().rev().collect();
        while let Some(node) = stack.pop() {
            if !finder.visited.insert(node) {
                continue;
            }
            if finder.visited.len() > NODES_MAX {
                finder.table.set_incomplete();
                break;
            }
            if node.type_kind().is_some() {
                finder.resolve(node, 0);
            }
            finder.add_variable(node);
            let next = match node.type_kind() {
                // Functions of a class lead to types that the program need not use: it has many of them.
                Some(DebugTypeKind::Struct | DebugTypeKind::Class | DebugTypeKind::Union) => {
                    node.elements().into_iter().filter_map(MetadataNode::base_type).collect()
                }
                Some(_) => node.base_type().into_iter().collect(),
                None => node.operands(),
            };
            stack.extend(next.into_iter().rev().filter(|next| next.leads_to_types()));
        }
        finder.table
    }
}

/// Types that were found so far.
#[derive(Default)]
struct TypeFinder<'m> {
    table: StructTable,
    visited: Set<MetadataNode<'m>>,
    /// The types of nodes; `None` for what has none, or is being looked at.
    ids: Map<MetadataNode<'m>, Option<StructTypeId>>,
    /// Each file that includes a header describes its types again.
    by_content: Map<StructType, StructTypeId>,
    aliases: Set<(String, StructTypeId)>,
    variables: Set<StructField>,
    /// For each type, the number of structs inside of each other in it.
    nesting: Vec<usize>,
    field_count: usize,
    name_bytes: usize,
}

/// A type without the names that it has in between.
struct ResolvedType {
    /// The dimensions of an array, outermost first.
    dimensions: Vec<u64>,
    /// The size of an element in bits.
    element_bits: u64,
    element: Option<StructTypeId>,
    scalar: ScalarKind,
}

impl<'m> TypeFinder<'m> {
    /// Adds a variable with its type; does nothing for other nodes.
    fn add_variable(&mut self, node: MetadataNode<'m>) {
        let (Some(name), Some(ty)) = (node.name(), node.variable_type()) else { return };
        let ResolvedType { dimensions, element_bits, element, scalar } = self.resolve(ty, 0);
        let offset_bits = 0;
        let variable = StructField { name, offset_bits, dimensions, element_bits, element, scalar };
        if self.variables.contains(&variable) || !self.has_room(variable.name.len()) {
            return;
        }
        if self.variables.len() >= VARIABLES_MAX {
            return self.table.set_incomplete();
        }
        self.table.add_variable(variable.clone());
        self.variables.insert(variable);
    }

    /// Looks through names, qualifiers and arrays.
    fn resolve(&mut self, node: MetadataNode<'m>, depth: usize) -> ResolvedType {
        let (mut dimensions, mut names) = (Vec::new(), Vec::new());
        let mut current = node;
        for _ in 0..CHAIN_MAX {
            let kind = current.type_kind();
            match kind {
                Some(DebugTypeKind::Typedef) => names.extend(self.qualified_name(current)),
                Some(DebugTypeKind::Qualified) => {}
                Some(DebugTypeKind::Array) => {
                    // A name of an array is not one of its elements.
                    names.clear();
                    let ranges = current.elements();
                    dimensions.extend(ranges.iter().map(|range| range.range_count().unwrap_or(0)));
                }
                _ => break,
            }
            match current.base_type() {
                Some(next) => current = next,
                None => break,
            }
        }
        let element = self.struct_type(current, names.first(), depth);
        if let Some(id) = element {
            self.add_aliases(id, names);
        }
        let element_bits = match element {
            Some(id) => 8 * self.table.get(id).size,
            None => current.size_bits(),
        };
        ResolvedType { dimensions, element_bits, element, scalar: current.scalar_kind() }
    }

    fn add_aliases(&mut self, id: StructTypeId, names: Vec<String>) {
        for name in names {
            let alias = (name, id);
            let is_own_name = self.table.get(id).name == alias.0;
            if !is_own_name && self.has_room(alias.0.len()) && self.aliases.insert(alias.clone()) {
                self.table.add_alias(alias.0, id);
            }
        }
    }

    /// The type of a struct, a class or a union; `None` for other nodes. One that has no name has that of its
    /// `typedef`.
    fn struct_type(
        &mut self,
        node: MetadataNode<'m>,
        typedef: Option<&String>,
        depth: usize,
    ) -> Option<StructTypeId> {
        let kind = match node.type_kind()? {
            DebugTypeKind::Struct => StructKind::Struct,
            DebugTypeKind::Class => StructKind::Class,
            DebugTypeKind::Union => StructKind::Union,
            _ => return None,
        };
        if let Some(known) = self.ids.get(&node) {
            return *known;
        }
        self.ids.insert(node, None);
        if node.is_forward() && node.size_bits() == 0 {
            return None;
        }
        if depth > NESTING_MAX {
            self.table.set_incomplete();
            return None;
        }
        let name = self.qualified_name(node).or_else(|| typedef.cloned()).unwrap_or_default();
        let members = node.elements();
        let fields: Vec<StructField> =
            members.into_iter().filter_map(|member| self.field(member, depth)).collect();
        let ty = StructType { kind, name, size: node.size_bits() / 8, fields };
        let id = self.intern(ty);
        self.ids.insert(node, id);
        id
    }

    fn intern(&mut self, ty: StructType) -> Option<StructTypeId> {
        if let Some(known) = self.by_content.get(&ty) {
            return Some(*known);
        }
        let fields = ty.fields.iter();
        let names: usize = fields.map(|field| field.name.len()).sum();
        self.field_count += ty.fields.len();
        if !self.has_room(names + ty.name.len()) || self.by_content.len() >= TYPES_MAX {
            self.table.set_incomplete();
            return None;
        }
        let nested = ty.fields.iter().filter_map(|field| field.element);
        let nesting = nested.map(|element| self.nesting[element.index()] + 1).max();
        self.nesting.push(nesting.unwrap_or(0));
        let id = self.table.add(ty.clone());
        self.by_content.insert(ty, id);
        Some(id)
    }

    /// Counts bytes of names. Returns `false` if a limit is reached.
    fn has_room(&mut self, bytes: usize) -> bool {
        self.name_bytes += bytes;
        let has_room = self.name_bytes <= NAME_BYTES_MAX && self.field_count <= FIELDS_MAX;
        if !has_room {
            self.table.set_incomplete();
        }
        has_room
    }

    /// A field or a base class; `None` for members that objects do not hold at a fixed place.
    fn field(&mut self, member: MetadataNode<'m>, depth: usize) -> Option<StructField> {
        let is_base = match member.type_kind()? {
            DebugTypeKind::Member => false,
            DebugTypeKind::Base => true,
            _ => return None,
        };
        if member.is_static() || (is_base && member.is_virtual()) {
            return None;
        }
        let ResolvedType { dimensions, mut element_bits, mut element, scalar } =
            self.resolve(member.base_type()?, depth + 1);
        if element.is_some_and(|element| self.nesting[element.index()] >= NESTING_MAX) {
            self.table.set_incomplete();
            element = None;
        }
        if element.is_none() && dimensions.is_empty() {
            // A bit-field is smaller than its type.
            element_bits = member.size_bits();
        }
        let name = if is_base { String::new() } else { member.type_name().unwrap_or_default() };
        let offset_bits = member.offset_bits();
        Some(StructField { name, offset_bits, dimensions, element_bits, element, scalar })
    }

    /// The name of a type with the namespaces and types around it; `None` if it has none.
    fn qualified_name(&self, node: MetadataNode<'m>) -> Option<String> {
        let mut name = node.type_name()?;
        let mut outer = node.outer_type();
        for _ in 0..CHAIN_MAX {
            let Some(around) = outer else { break };
            if let Some(part) = around.type_name() {
                name = format!("{part}::{name}");
            }
            outer = around.outer_type();
        }
        Some(name)
    }
}
