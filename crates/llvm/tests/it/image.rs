//! Builds the initial bytes of globals out of what `llvm-ir` reads, with a layout of its own, and
//! compares them with the lowered ones.

use everett_ir::{Const, Global, Program};
use llvm_ir::constant::Float;
use llvm_ir::module::GlobalVariable;
use llvm_ir::types::{FPType, NamedStructDef, Typed, Types};
use llvm_ir::{Constant, Module, Name, Type};

/// Bytes, and where addresses are: the name of what is addressed, when the reader knows it.
#[derive(Default)]
struct GlobalBytes {
    bytes: Vec<(u64, Vec<u8>)>,
    addresses: Vec<(u64, Option<String>)>,
    /// Places that the independent reader cannot tell.
    unknown: Vec<(u64, u64)>,
}

/// Compares the initialisers of all globals.
pub(crate) fn compare(module: &Module, program: &Program) -> Result<(), String> {
    for global in &module.global_vars {
        let Name::Name(name) = &global.name else { continue };
        if name.starts_with("llvm.") || global.initializer.is_none() {
            continue;
        }
        let Some(lowered) = program.globals.iter().find(|g| g.name == **name) else {
            return Err(format!("no global {name}"));
        };
        compare_one(module, program, global, lowered)
            .map_err(|reason| format!("global {name}: {reason}"))?;
    }
    Ok(())
}

fn compare_one(
    module: &Module,
    program: &Program,
    global: &GlobalVariable,
    lowered: &Global,
) -> Result<(), String> {
    let init = global.initializer.as_ref().expect("the caller checked that there is one");
    let mut image = GlobalBytes::default();
    image.add(&module.types, init, 0);
    let size = size_align(&module.types, &init.get_type(&module.types)).0;
    // A table of distances becomes one of as many addresses.
    let addresses = lowered.relocs.iter().filter(|reloc| reloc.bytes == 8).count();
    if lowered.size == 2 * size && image.bytes.is_empty() && addresses == image.unknown.len() {
        return Ok(());
    }
    if (lowered.constant, lowered.size) != (global.is_constant, size) {
        return Err(format!("size {} or constness differ", lowered.size));
    }
    let mut expected = vec![0u8; lowered.size as usize];
    for (at, bytes) in &image.bytes {
        expected[*at as usize..*at as usize + bytes.len()].copy_from_slice(bytes);
    }
    let mut found = lowered.bytes.clone();
    found.resize(lowered.size as usize, 0);
    for (at, len) in &image.unknown {
        let range = *at as usize..(*at + *len) as usize;
        expected[range.clone()].copy_from_slice(&found[range]);
    }
    if found != expected {
        return Err(format!("bytes {found:x?} instead of {expected:x?}"));
    }
    for (at, name) in &image.addresses {
        let known = lowered.relocs.iter().find(|reloc| reloc.offset == *at);
        let Some(reloc) = known else { return Err(format!("no address at {at}")) };
        if let Some(name) = name
            && !names(program, &reloc.value, name, module)
        {
            return Err(format!("address at {at} is {:?}, not of {name}", reloc.value));
        }
    }
    Ok(())
}

/// Returns `true` if a word is the address of the symbol of that name, perhaps through an alias.
fn names(program: &Program, word: &Const, name: &str, module: &Module) -> bool {
    let alias = |alias: &llvm_ir::module::GlobalAlias| alias.name == Name::from(name);
    match word {
        Const::Global { global, .. } => {
            program.globals[global.index()].name == name || module.global_aliases.iter().any(alias)
        }
        Const::Func(func) => {
            program.functions[func.index()].name == name || module.global_aliases.iter().any(alias)
        }
        _ => true,
    }
}

impl GlobalBytes {
    fn add(&mut self, types: &Types, constant: &Constant, at: u64) {
        match constant {
            Constant::Int { bits, value } => {
                let bytes = u64::from(bits.div_ceil(8));
                if *bits > 64 {
                    // Truncated by the independent reader.
                    self.unknown.push((at, bytes));
                } else {
                    self.bytes.push((at, value.to_le_bytes()[..bytes as usize].to_vec()));
                }
            }
            Constant::Float(Float::Single(value)) => {
                self.bytes.push((at, value.to_bits().to_le_bytes().to_vec()));
            }
            Constant::Float(Float::Double(value)) => {
                self.bytes.push((at, value.to_bits().to_le_bytes().to_vec()));
            }
            Constant::Struct { values, is_packed, .. } => {
                let mut offset = 0;
                for value in values {
                    let (size, align) = size_align(types, &value.get_type(types));
                    if !is_packed {
                        offset = u64::next_multiple_of(offset, align);
                    }
                    self.add(types, value, at + offset);
                    offset += size;
                }
            }
            Constant::Array { elements, element_type } => {
                let stride = size_align(types, element_type).0;
                for (index, element) in (0..).zip(elements) {
                    self.add(types, element, at + index * stride);
                }
            }
            Constant::GlobalReference { name: Name::Name(name), .. } => {
                self.addresses.push((at, Some(name.to_string())));
            }
            Constant::GetElementPtr(gep) => match gep.address.as_ref() {
                Constant::GlobalReference { name: Name::Name(name), .. } => {
                    self.addresses.push((at, Some(name.to_string())));
                }
                _ => self.addresses.push((at, None)),
            },
            Constant::BlockAddress => self.addresses.push((at, None)),
            Constant::AggregateZero(_)
            | Constant::Null(_)
            | Constant::Undef(_)
            | Constant::Poison(_) => {}
            other => {
                let size = size_align(types, &other.get_type(types)).0;
                self.unknown.push((at, size));
            }
        }
    }
}

/// Size and alignment of a type on x86-64.
fn size_align(types: &Types, ty: &Type) -> (u64, u64) {
    match ty {
        Type::IntegerType { bits } => {
            let bytes = u64::from(bits.div_ceil(8)).next_power_of_two();
            (bytes, bytes.min(16))
        }
        Type::PointerType { .. } => (8, 8),
        Type::FPType(FPType::Half | FPType::BFloat) => (2, 2),
        Type::FPType(FPType::Single) => (4, 4),
        Type::FPType(FPType::Double) => (8, 8),
        Type::FPType(_) => (16, 16),
        Type::ArrayType { element_type, num_elements } => {
            let (size, align) = size_align(types, element_type);
            (size * *num_elements as u64, align)
        }
        Type::VectorType { element_type, num_elements, .. } => {
            let bytes = size_align(types, element_type).0 * *num_elements as u64;
            (bytes.next_power_of_two(), bytes.next_power_of_two())
        }
        Type::StructType { element_types, is_packed } => {
            let (mut offset, mut most) = (0u64, 1);
            for element in element_types {
                let (size, align) = size_align(types, element);
                if !is_packed {
                    offset = offset.next_multiple_of(align);
                    most = most.max(align);
                }
                offset += size;
            }
            (offset.next_multiple_of(most), most)
        }
        Type::NamedStructType { name } => match types.named_struct_def(name) {
            Some(NamedStructDef::Defined(ty)) => size_align(types, ty),
            _ => (0, 1),
        },
        _ => (0, 1),
    }
}
