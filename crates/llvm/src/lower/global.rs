//! Initialisers of global variables.

use everett_ir::{Const, GlobalId, Relocation};

use crate::sys::{Type, TypeKind, Value};

use super::constant::{NoConstantWords, element_count};
use super::fold;
use super::program::ProgramLowering;
use super::shape::{is_bit_packed, lanes, scalar};
use super::{LowerResult, UnsupportedConstruct};

/// The depth to which aggregates may be nested; images are written recursively, so this bounds the
/// stack.
const MAX_DEPTH: u32 = 500;

/// The largest initialiser, in bytes, that is not all zeroes.
const MAX_BYTES: u64 = 1 << 31;

/// The image of one global.
struct GlobalImage<'u, 'm> {
    unit: &'u mut ProgramLowering<'m>,
    global: GlobalId,
    bytes: Vec<u8>,
    relocs: Vec<Relocation>,
}

impl<'m> ProgramLowering<'m> {
    /// Fills in the initialiser of a declared global.
    pub(super) fn initialise(&mut self, value: Value<'m>) -> LowerResult {
        if self.relative.contains(&value) {
            return self.initialise_relative(value);
        }
        let Some(global) = self.globals.get(&value).copied() else { return Ok(()) };
        let Some(init) = value.initializer().filter(|_| !value.is_declaration()) else {
            return Ok(());
        };
        let mut image = GlobalImage { unit: self, global, bytes: Vec::new(), relocs: Vec::new() };
        let outcome = image.write(init, 0, 0);
        let GlobalImage { mut bytes, mut relocs, .. } = image;
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        bytes.truncate(used);
        bytes.shrink_to_fit();
        relocs.sort_by_key(|reloc| reloc.offset);
        let entry = &mut self.program.globals[global.index()];
        entry.bytes = bytes;
        entry.relocs = relocs;
        outcome
    }
}

impl<'m> GlobalImage<'_, 'm> {
    fn write(&mut self, value: Value<'m>, at: u64, depth: u32) -> LowerResult {
        if depth > MAX_DEPTH {
            return Err(UnsupportedConstruct::new("initialiser nested too deeply"));
        }
        if value.is_null() || value.is_undef() {
            return Ok(());
        }
        if let Some(bytes) = value.as_bytes() {
            return self.put(at, &bytes);
        }
        let ty = value.ty();
        if scalar(ty).is_some() || is_bit_packed(ty) || value.is_constant_expr() {
            return self.scalar(value, ty, at);
        }
        let Some(count) = element_count(ty) else {
            return Err(UnsupportedConstruct::new(format!("initialiser {}", value.print())));
        };
        for index in 0..count {
            let position = u32::try_from(index).ok();
            let Some(element) = position.and_then(|position| value.element(position)) else {
                return Err(UnsupportedConstruct::new(format!("element {index} of {ty:?}")));
            };
            self.write(element, at + self.element_offset(ty, index)?, depth + 1)?;
        }
        Ok(())
    }

    fn element_offset(&self, ty: Type<'m>, index: u64) -> LowerResult<u64> {
        Ok(match ty.kind() {
            TypeKind::Struct => self.unit.layout.field_offset(ty, index as u32),
            TypeKind::Array(element, _) => index * self.unit.layout.alloc_size(element),
            _ => index * u64::from(lanes(ty)?.bits() / 8),
        })
    }

    /// Writes what has no elements of its own in memory.
    fn scalar(&mut self, value: Value<'m>, ty: Type<'m>, at: u64) -> LowerResult {
        let words = match self.unit.words(value, 0) {
            Ok(words) => words,
            Err(NoConstantWords::Unsupported(reason)) => return Err(reason),
            Err(NoConstantWords::NeedsCode) if value.is_ifunc() => {
                self.unit.ifunc_words.push((self.global, at, value));
                return Ok(());
            }
            Err(NoConstantWords::NeedsCode) => {
                let text = format!("initialiser {} that is not constant", value.print());
                return Err(UnsupportedConstruct::new(text));
            }
        };
        let lanes = lanes(ty)?;
        if lanes.bits().is_multiple_of(8) {
            let bytes = u64::from(lanes.bits() / 8);
            for (lane, words) in (0..).zip(words.chunks(lanes.stride() as usize)) {
                self.words(words, at + lane * bytes, bytes)?;
            }
            return Ok(());
        }
        // Lanes that share bytes, or a number of odd width.
        let numbers: Vec<u64> = words.iter().map(|word| word.resolve(&|_| 0)).collect();
        let packed = fold::pack(&numbers, lanes.bits());
        let words: Vec<Const> = packed.into_iter().map(Const::Int).collect();
        self.words(&words, at, u64::from((lanes.bits() * lanes.count).div_ceil(8)))
    }

    fn words(&mut self, words: &[Const], at: u64, bytes: u64) -> LowerResult {
        for (position, word) in (0..).zip(words) {
            let offset = position * 8;
            let len = (bytes - offset).min(8);
            match word {
                Const::Int(number) => {
                    self.put(at + offset, &number.to_le_bytes()[..len as usize])?;
                }
                address => self.relocs.push(Relocation {
                    offset: at + offset,
                    bytes: len as u8,
                    value: address.clone(),
                }),
            }
        }
        Ok(())
    }

    fn put(&mut self, at: u64, bytes: &[u8]) -> LowerResult {
        let end = at + bytes.len() as u64;
        if end > MAX_BYTES {
            return Err(UnsupportedConstruct::new("initialiser of more than 2 GiB"));
        }
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
        self.bytes[at as usize..end as usize].copy_from_slice(bytes);
        Ok(())
    }
}
