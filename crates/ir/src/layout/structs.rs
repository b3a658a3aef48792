//! [`StructTable`]: the struct types of a program, as debug information describes them.
//!
//! It names bytes: of a struct type, which field holds a byte, and which bytes a field has. Fields of nested
//! structs and elements of arrays are written as in C, `a.b[2]`. Nothing that is executed depends on it.
//!
//! Invariant: a field has a struct type of a lower number than the struct that has the field, so walks end.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::IrError;
use crate::ids::StructTypeId;

/// Structs inside of each other.
pub const NESTING_MAX: usize = 64;

/// The keyword that a type was declared with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum StructKind {
    /// `struct`.
    Struct,
    /// `class`.
    Class,
    /// `union`.
    Union,
}

impl StructKind {
    const ALL: [StructKind; 3] = [StructKind::Struct, StructKind::Class, StructKind::Union];

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            StructKind::Struct => "struct",
            StructKind::Class => "class",
            StructKind::Union => "union",
        }
    }
}

/// The meaning of the bits of a value that has no fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ScalarKind {
    /// A number with a sign.
    Signed,
    /// A number without one.
    Unsigned,
    /// A character; several of them are a string.
    Char,
    /// True or false.
    Bool,
    /// A floating-point number.
    Float,
    /// An address.
    Pointer,
    /// It is not known.
    Other,
}

impl ScalarKind {
    /// The kind of a basic type, by the name that compilers give it.
    pub fn of_name(name: &str) -> ScalarKind {
        match name {
            "char" => ScalarKind::Char,
            "_Bool" | "bool" => ScalarKind::Bool,
            "float" | "double" | "f32" | "f64" => ScalarKind::Float,
            "usize" | "u8" | "u16" | "u32" | "u64" => ScalarKind::Unsigned,
            "isize" | "i8" | "i16" | "i32" | "i64" => ScalarKind::Signed,
            name if name.contains("unsigned") => ScalarKind::Unsigned,
            "signed char" | "short" | "int" | "long" | "long int" | "long long" => {
                ScalarKind::Signed
            }
            "long long int" | "short int" => ScalarKind::Signed,
            _ => ScalarKind::Other,
        }
    }
}

/// A type with fields.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct StructType {
    /// Its keyword.
    pub kind: StructKind,
    /// Its name, with namespaces; that of a `typedef` if it has no other, or empty.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its fields, in the order of their declaration. Base classes are fields without a name.
    pub fields: Vec<StructField>,
}

/// A field.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct StructField {
    /// Its name; empty if its own fields count as those of the struct around it.
    pub name: String,
    /// The distance from the beginning of the struct, in bits.
    pub offset_bits: u64,
    /// For arrays, the number of elements in each dimension; 0 for an array without a size at the end of a
    /// struct.
    pub dimensions: Vec<u64>,
    /// The size of one element, or of a field that is no array, in bits.
    pub element_bits: u64,
    /// The struct type of an element, if it has one.
    pub element: Option<StructTypeId>,
    /// The meaning of an element that has no struct type.
    pub scalar: ScalarKind,
}

impl StructField {
    /// The number of its bits; an array without a size has no end.
    pub(super) fn bits(&self) -> u64 {
        match self.dimensions.first() {
            Some(0) => u64::MAX,
            _ => self.dimensions.iter().fold(self.element_bits, |all, &n| all.saturating_mul(n)),
        }
    }

    /// The indices of an element by its number, such as `[1][2]`.
    fn index_text(&self, mut number: u64) -> String {
        let mut indices = Vec::new();
        for (at, &count) in self.dimensions.iter().enumerate().rev() {
            let is_first = at == 0;
            indices.push(if is_first { number } else { number % count.max(1) });
            number /= count.max(1);
        }
        indices.iter().rev().map(|index| format!("[{index}]")).collect()
    }
}

/// A field, or an element of one, that has no fields of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatField {
    /// Its name, such as `a.b[2]`.
    pub name: String,
    /// The bits that it has, from the beginning of the outermost struct.
    pub bits: Range<u64>,
}

impl FlatField {
    /// The bytes that have some of its bits.
    pub fn bytes(&self) -> Range<u64> {
        self.bits.start / 8..self.bits.end.div_ceil(8)
    }
}

/// A struct inside of another one.
struct NestedStruct {
    ty: StructTypeId,
    name: String,
    /// Its first bit, from the beginning of the outermost struct.
    start: u64,
}

/// An element of a field.
enum FieldElement {
    Flat(FlatField),
    Struct(NestedStruct),
}

/// The reason why a name stands for no field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FieldError {
    /// There is no dot between a type and a field.
    #[error("expected TYPE.FIELD, such as `struct header.length`")]
    NoField,
    /// No type has this name.
    #[error("no struct type is named `{name}`")]
    UnknownType {
        /// The name of the type.
        name: String,
    },
    /// The type has no such field.
    #[error("`{of}` has no field `{field}`; it has {}", listed(known))]
    UnknownField {
        /// The type, or the part of the name that has this type.
        of: String,
        /// The field.
        field: String,
        /// The fields that it has.
        known: Vec<String>,
    },
    /// The part of the name in front of an index is no array, or has fewer dimensions.
    #[error("`{of}` is no array")]
    NotAnArray {
        /// This part.
        of: String,
    },
    /// The index is no number, or beyond the end of the array.
    #[error("`[{index}]` is no element of `{of}`")]
    NoElement {
        /// The array.
        of: String,
        /// The index.
        index: String,
    },
    /// Types of the same name have the field at different places.
    #[error("several types are named `{name}`, and have this field at different places")]
    Ambiguous {
        /// The name of the types.
        name: String,
    },
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// The struct types of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StructTable {
    pub(super) types: Vec<StructType>,
    /// Variables of the program, by name: fields of nothing.
    pub(super) variables: Vec<StructField>,
    /// Other names of types, by `typedef`.
    aliases: Vec<(String, StructTypeId)>,
    is_complete: bool,
}

impl Default for StructTable {
    /// Without types.
    fn default() -> StructTable {
        let (types, variables, aliases) = (Vec::new(), Vec::new(), Vec::new());
        StructTable { types, variables, aliases, is_complete: true }
    }
}

impl StructTable {
    /// Adds a type.
    ///
    /// # Panics
    /// When a field has a type that was not added before.
    pub fn add(&mut self, ty: StructType) -> StructTypeId {
        let id = StructTypeId::from_index(self.types.len());
        let nested = ty.fields.iter().filter_map(|field| field.element);
        assert!(nested.into_iter().all(|element| element < id), "nested types come first");
        self.types.push(ty);
        id
    }

    /// Adds another name of a type.
    pub fn add_alias(&mut self, name: String, of: StructTypeId) {
        self.aliases.push((name, of));
    }

    /// Adds a variable, at offset 0.
    pub fn add_variable(&mut self, variable: StructField) {
        self.variables.push(variable);
    }

    /// Adds the types of another table behind these.
    pub(crate) fn append(&mut self, other: &StructTable) {
        let shifted = |id: StructTypeId| StructTypeId::from_index(self.types.len() + id.index());
        let mut types = other.types.clone();
        let fields = types.iter_mut().flat_map(|ty| &mut ty.fields);
        fields.for_each(|field| field.element = field.element.map(shifted));
        let mut variables = other.variables.clone();
        variables.iter_mut().for_each(|field| field.element = field.element.map(shifted));
        self.variables.extend(variables);
        let aliases = other.aliases.iter().map(|(name, id)| (name.clone(), shifted(*id)));
        self.aliases.extend(aliases.collect::<Vec<_>>());
        self.types.extend(types);
        self.is_complete &= other.is_complete;
    }

    /// Says that the program has types that are not here, because of a limit.
    pub fn set_incomplete(&mut self) {
        self.is_complete = false;
    }

    /// Returns `true` if all types that debug information describes are here.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// A type by its number.
    pub fn get(&self, id: StructTypeId) -> &StructType {
        &self.types[id.index()]
    }

    /// All types, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (StructTypeId, &StructType)> {
        self.types.iter().enumerate().map(|(at, ty)| (StructTypeId::from_index(at), ty))
    }

    /// The types of a name, which may begin with `struct`, `class` or `union`, or be that of a `typedef`.
    pub fn named(&self, name: &str) -> Vec<StructTypeId> {
        let name = name.trim();
        let with_keyword = StructKind::ALL.iter().find_map(|kind| {
            let rest = name.strip_prefix(kind.keyword())?;
            rest.starts_with(char::is_whitespace).then(|| rest.trim_start())
        });
        let bare = with_keyword.unwrap_or(name);
        let own = self.iter().filter(|(_, ty)| !bare.is_empty() && ty.name == bare);
        let mut found: Vec<StructTypeId> = own.map(|(id, _)| id).collect();
        if with_keyword.is_none() {
            found.extend(self.aliases.iter().filter(|(alias, _)| alias == bare).map(|(_, id)| *id));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The field that a name such as `struct header.options[2].length` stands for. Its offset counts from the
    /// beginning of the type.
    pub fn find(&self, path: &str) -> Result<FlatField, FieldError> {
        let dot = first_dot(path).ok_or(FieldError::NoField)?;
        let (name, field) = (path[..dot].trim(), path[dot + 1..].trim());
        let mut found: Vec<Result<FlatField, FieldError>> =
            self.named(name).into_iter().map(|id| self.find_in(id, name, field)).collect();
        // A type that has the field is meant rather than one of the same name that has not.
        if found.iter().any(Result::is_ok) {
            found.retain(Result::is_ok);
        }
        found.dedup();
        match <[_; 1]>::try_from(found) {
            Ok([one]) => one,
            Err(found) if found.is_empty() => {
                Err(FieldError::UnknownType { name: name.to_owned() })
            }
            Err(mut found) => match found.swap_remove(0) {
                Ok(_) => Err(FieldError::Ambiguous { name: name.to_owned() }),
                error => error,
            },
        }
    }

    /// The field of a type that a name such as `options[2].length` stands for; `of` is what the type is
    /// called in errors.
    fn find_in(&self, ty: StructTypeId, of: &str, path: &str) -> Result<FlatField, FieldError> {
        let (mut ty, mut start, mut shown) = (Some(ty), 0, of.to_owned());
        let mut size = 0;
        for step in path.split('.') {
            let (name, indices) = step.split_at(step.find('[').unwrap_or(step.len()));
            let (name, indices) = (name.trim(), indices.trim());
            let found = ty.and_then(|ty| self.direct_field(ty, name));
            let Some((offset, field)) = found else {
                let (of, field) = (shown, name.to_owned());
                let known = ty.map_or_else(Vec::new, |ty| self.direct_names(ty));
                return Err(FieldError::UnknownField { of, field, known });
            };
            shown = format!("{shown}.{name}");
            start += offset;
            let mut dimensions = &field.dimensions[..];
            let inner = |dimensions: &[u64]| -> u64 {
                dimensions.iter().fold(field.element_bits, |all, &count| all.saturating_mul(count))
            };
            for index in indices.split('[').skip(1) {
                let index = index.trim().strip_suffix(']').unwrap_or(index).trim();
                let Some((&count, rest)) = dimensions.split_first() else {
                    return Err(FieldError::NotAnArray { of: shown });
                };
                let number = index.parse::<u32>().map(u64::from).ok();
                let Some(number) = number.filter(|&number| number < count || count == 0) else {
                    return Err(FieldError::NoElement { of: shown, index: index.to_owned() });
                };
                start += number.saturating_mul(inner(rest));
                dimensions = rest;
                shown = format!("{shown}[{number}]");
            }
            size = inner(dimensions);
            ty = field.element.filter(|_| dimensions.is_empty());
        }
        Ok(FlatField { name: path.to_owned(), bits: start..start.saturating_add(size) })
    }

    /// A field by its name, with its offset in bits, also of structs without a name inside of the type.
    fn direct_field(&self, ty: StructTypeId, name: &str) -> Option<(u64, &StructField)> {
        self.get(ty).fields.iter().find_map(|field| match field.element {
            Some(inner) if field.name.is_empty() => {
                let (offset, found) = self.direct_field(inner, name)?;
                Some((field.offset_bits + offset, found))
            }
            _ => (field.name == name && !name.is_empty()).then_some((field.offset_bits, field)),
        })
    }

    fn direct_names(&self, ty: StructTypeId) -> Vec<String> {
        let fields = self.get(ty).fields.iter();
        let names = fields.flat_map(|field| match field.element {
            Some(inner) if field.name.is_empty() => self.direct_names(inner),
            _ => vec![field.name.clone()],
        });
        names.collect()
    }

    /// The fields that have bits in this byte of a type: none in padding, several for unions and bit-fields.
    pub fn fields_at(&self, ty: StructTypeId, byte: u64) -> Vec<FlatField> {
        let mut found = Vec::new();
        let place = NestedStruct { ty, name: String::new(), start: 0 };
        self.add_fields_at(&place, byte.saturating_mul(8), &mut found);
        found
    }

    /// Adds the fields of a nested struct that have one of eight bits.
    fn add_fields_at(&self, place: &NestedStruct, first: u64, found: &mut Vec<FlatField>) {
        for field in &self.get(place.ty).fields {
            let start = place.start.saturating_add(field.offset_bits);
            let is_before = first.saturating_add(8) <= start;
            if is_before || first >= start.saturating_add(field.bits()) || field.element_bits == 0 {
                continue;
            }
            let number = first.saturating_sub(start) / field.element_bits;
            self.add_element(place, field, number, &mut |inner| match inner {
                FieldElement::Flat(flat) => found.push(flat),
                FieldElement::Struct(inner) => self.add_fields_at(&inner, first, found),
            });
        }
    }

    /// All fields of a type that have no fields of their own, in the order of their declaration, up to a
    /// number. Of an array without a size there is one element.
    pub fn flattened(&self, ty: StructTypeId, max: usize) -> Vec<FlatField> {
        let mut found = Vec::new();
        let place = NestedStruct { ty, name: String::new(), start: 0 };
        self.add_flattened(&place, max, &mut found);
        found
    }

    fn add_flattened(&self, place: &NestedStruct, max: usize, found: &mut Vec<FlatField>) {
        for field in &self.get(place.ty).fields {
            let count =
                field.dimensions.iter().fold(1, |all: u64, &count| all.saturating_mul(count));
            let is_open = field.dimensions.first() == Some(&0);
            for number in 0..if is_open { 1 } else { count } {
                let before = found.len();
                if before >= max {
                    return;
                }
                self.add_element(place, field, number, &mut |inner| match inner {
                    FieldElement::Flat(flat) => found.push(flat),
                    FieldElement::Struct(inner) => self.add_flattened(&inner, max, found),
                });
                if found.len() == before {
                    // Other elements have no fields either.
                    break;
                }
            }
        }
    }

    /// Gives an element of a field; a field that is no array is its own element 0.
    fn add_element(
        &self,
        place: &NestedStruct,
        field: &StructField,
        number: u64,
        add: &mut dyn FnMut(FieldElement),
    ) {
        let dot = if place.name.is_empty() || field.name.is_empty() { "" } else { "." };
        let name = format!("{}{dot}{}{}", place.name, field.name, field.index_text(number));
        let start = place.start.saturating_add(field.offset_bits);
        let start = start.saturating_add(number.saturating_mul(field.element_bits));
        add(match field.element {
            Some(ty) => FieldElement::Struct(NestedStruct { ty, name, start }),
            None => {
                let bits = start..start.saturating_add(field.element_bits);
                FieldElement::Flat(FlatField { name, bits })
            }
        });
    }

    /// Checks the numbers of types after reading them.
    pub(crate) fn validate(&self) -> Result<(), IrError> {
        let error = |index: StructTypeId, at: usize| IrError::OutOfRange {
            what: "struct type",
            index: index.index() as u64,
            pc: u32::try_from(at).unwrap_or(u32::MAX),
        };
        let mut depths: Vec<usize> = Vec::new();
        for (at, ty) in self.types.iter().enumerate() {
            let nested = || ty.fields.iter().filter_map(|field| field.element);
            if let Some(wrong) = nested().find(|element| element.index() >= at) {
                return Err(error(wrong, at));
            }
            let deepest = nested().map(|element| depths[element.index()]).max();
            let depth = deepest.map_or(0, |depth| depth + 1);
            if depth > NESTING_MAX {
                return Err(error(StructTypeId::from_index(at), at));
            }
            depths.push(depth);
        }
        let of_aliases = self.aliases.iter().map(|(_, id)| *id);
        let of_variables = self.variables.iter().filter_map(|variable| variable.element);
        match of_aliases.chain(of_variables).find(|id| id.index() >= self.types.len()) {
            Some(wrong) => Err(error(wrong, self.types.len())),
            None => Ok(()),
        }
    }
}

/// The first dot that is not inside of the arguments of a template.
fn first_dot(path: &str) -> Option<usize> {
    let mut depth = 0_u32;
    path.char_indices().find_map(|(at, letter)| {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, offset_bits: u64, element: Option<StructTypeId>) -> StructField {
        let (name, dimensions) = (name.to_owned(), Vec::new());
        let scalar = ScalarKind::Unsigned;
        StructField { name, offset_bits, dimensions, element_bits: 8, element, scalar }
    }

    fn struct_of(fields: Vec<StructField>) -> StructType {
        StructType { kind: StructKind::Struct, name: "s".to_owned(), size: 1, fields }
    }

    fn table(types: Vec<StructType>) -> StructTable {
        StructTable { types, ..StructTable::default() }
    }

    #[test]
    fn types_that_contain_themselves_are_refused() {
        let own = Some(StructTypeId::from_index(0));
        assert!(table(vec![struct_of(vec![field("x", 0, None)])]).validate().is_ok());
        assert!(table(vec![struct_of(vec![field("x", 0, own)])]).validate().is_err());
        let mut aliased = table(vec![struct_of(Vec::new())]);
        aliased.add_alias("t".to_owned(), StructTypeId::from_index(1));
        assert!(aliased.validate().is_err());
    }

    #[test]
    fn types_that_are_nested_too_deeply_are_refused() {
        let chain = |length: usize| {
            let inner = |at: usize| at.checked_sub(1).map(StructTypeId::from_index);
            table((0..length).map(|at| struct_of(vec![field("x", 0, inner(at))])).collect())
        };
        assert!(chain(NESTING_MAX + 1).validate().is_ok());
        assert!(chain(NESTING_MAX + 2).validate().is_err());
    }

    #[test]
    fn arrays_of_empty_structs_are_listed_at_once() {
        let mut many = field("x", 0, Some(StructTypeId::from_index(0)));
        many.dimensions = vec![u64::MAX, 2];
        let table = table(vec![struct_of(Vec::new()), struct_of(vec![many, field("y", 8, None)])]);
        let flat = table.flattened(StructTypeId::from_index(1), 10);
        assert_eq!(flat, [FlatField { name: "y".to_owned(), bits: 8..16 }]);
    }

    #[test]
    fn dots_in_template_arguments_belong_to_the_type() {
        assert_eq!(first_dot("a<b.c>.d"), Some(6));
        assert_eq!(first_dot("a<b.c>"), None);
    }
}
