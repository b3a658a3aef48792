//! Shapes: the slots and the memory that types take.

use std::rc::Rc;

use everett_ir::{FloatKind, LayoutId, LayoutSlot, ValueLayout, words};

use crate::sys::{Type, TypeKind};

use super::program::ProgramLowering;
use super::{LowerResult, UnsupportedConstruct};

/// The most slots that one value may take.
const MAX_SLOTS: u64 = 1 << 16;

/// The slots of a type.
#[derive(Debug, Default)]
pub(crate) struct SlotShape {
    /// Significant bits of each slot.
    pub(crate) widths: Vec<u8>,
}

impl SlotShape {
    /// Number of slots.
    pub(crate) fn slots(&self) -> u32 {
        self.widths.len() as u32
    }
}

/// The element of a vector, or a scalar by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScalarType {
    /// An integer of that many bits.
    Int(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Pointer,
}

impl ScalarType {
    /// Width in bits.
    pub(crate) fn bits(self) -> u32 {
        match self {
            ScalarType::Int(width) => width,
            ScalarType::Float(kind) => kind.bits(),
            ScalarType::Pointer => 64,
        }
    }

    /// Slots that it takes.
    pub(crate) fn slots(self) -> u32 {
        words(self.bits())
    }
}

/// A vector's element and how many there are; a scalar counts as one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VectorLanes {
    /// The scalar that each lane holds.
    pub(crate) scalar: ScalarType,
    /// The number of lanes.
    pub(crate) count: u32,
}

impl VectorLanes {
    /// Width of a lane in bits.
    pub(crate) fn bits(self) -> u32 {
        self.scalar.bits()
    }

    /// Slots from one lane to the next.
    pub(crate) fn stride(self) -> u32 {
        self.scalar.slots()
    }

    /// The floating-point format of the lanes.
    pub(crate) fn float(self) -> LowerResult<FloatKind> {
        match self.scalar {
            ScalarType::Float(kind) => Ok(kind),
            other => {
                Err(UnsupportedConstruct::new(format!("floating-point operation on {other:?}")))
            }
        }
    }
}

/// The scalar that a type is, if it is one.
pub(crate) fn scalar(ty: Type<'_>) -> Option<ScalarType> {
    Some(match ty.kind() {
        TypeKind::Int(width) => ScalarType::Int(width),
        TypeKind::Half => ScalarType::Float(FloatKind::Half),
        TypeKind::BFloat => ScalarType::Float(FloatKind::BFloat),
        TypeKind::Float => ScalarType::Float(FloatKind::F32),
        TypeKind::Double => ScalarType::Float(FloatKind::F64),
        TypeKind::X87 => ScalarType::Float(FloatKind::X87),
        TypeKind::Quad => ScalarType::Float(FloatKind::F128),
        TypeKind::Pointer => ScalarType::Pointer,
        _ => return None,
    })
}

/// The lanes of a scalar or a vector.
pub(crate) fn lanes(ty: Type<'_>) -> LowerResult<VectorLanes> {
    let (element, count) = match ty.kind() {
        TypeKind::Vector(element, count) => (element, count),
        _ => (ty, 1),
    };
    match scalar(element) {
        Some(scalar) => Ok(VectorLanes { scalar, count }),
        None => Err(UnsupportedConstruct::new(format!("type {ty:?}"))),
    }
}

/// The width of an integer or a pointer that fits a slot, as ops carry it.
pub(crate) fn narrow(bits: u32) -> u8 {
    debug_assert!((1..=64).contains(&bits), "fits a slot");
    bits as u8
}

fn push_scalar(bits: u32, widths: &mut Vec<u8>) {
    let full = (bits - 1) / 64;
    widths.extend((0..full).map(|_| 64));
    widths.push((bits - full * 64) as u8);
}

impl<'m> ProgramLowering<'m> {
    /// The slots of a type; `void` has none.
    pub(crate) fn shape(&mut self, ty: Type<'m>) -> LowerResult<Rc<SlotShape>> {
        if let Some(found) = self.shapes.get(&ty) {
            return Ok(Rc::clone(found));
        }
        let shape = Rc::new(SlotShape { widths: self.widths(ty)? });
        self.shapes.insert(ty, Rc::clone(&shape));
        Ok(shape)
    }

    /// Number of slots of a type.
    pub(crate) fn slots(&mut self, ty: Type<'m>) -> LowerResult<u32> {
        Ok(self.shape(ty)?.slots())
    }

    fn widths(&mut self, ty: Type<'m>) -> LowerResult<Vec<u8>> {
        let mut widths = Vec::new();
        if let Some(scalar) = scalar(ty) {
            push_scalar(scalar.bits(), &mut widths);
            return Ok(widths);
        }
        match ty.kind() {
            TypeKind::Void => {}
            TypeKind::Struct => {
                for field in 0..ty.field_count() {
                    widths.extend_from_slice(&self.shape(ty.field(field))?.widths);
                    limit(ty, widths.len() as u64)?;
                }
            }
            TypeKind::Array(element, count) => self.repeat(ty, element, count, &mut widths)?,
            TypeKind::Vector(element, count) => {
                self.repeat(ty, element, count.into(), &mut widths)?;
            }
            _ => return Err(UnsupportedConstruct::new(format!("type {ty:?}"))),
        }
        Ok(widths)
    }

    fn repeat(
        &mut self,
        ty: Type<'m>,
        element: Type<'m>,
        count: u64,
        widths: &mut Vec<u8>,
    ) -> LowerResult {
        let shape = self.shape(element)?;
        limit(ty, count.saturating_mul(shape.slots().into()))?;
        (0..count).for_each(|_| widths.extend_from_slice(&shape.widths));
        Ok(())
    }

    /// Slots before element `index` of an aggregate, and the element's type.
    pub(crate) fn member(&mut self, ty: Type<'m>, index: u32) -> LowerResult<(u32, Type<'m>)> {
        match ty.kind() {
            TypeKind::Struct => {
                let mut before = 0;
                for field in 0..index {
                    before += self.slots(ty.field(field))?;
                }
                Ok((before, ty.field(index)))
            }
            TypeKind::Array(element, _) => Ok((self.slots(element)? * index, element)),
            TypeKind::Vector(element, _) => Ok((self.slots(element)? * index, element)),
            _ => Err(UnsupportedConstruct::new(format!("element of {ty:?}"))),
        }
    }

    /// The layout that a value of the type has in memory, unless parts of it share bytes.
    pub(crate) fn memory_layout(&mut self, ty: Type<'m>) -> LowerResult<LayoutId> {
        let mut pieces = Vec::new();
        self.pieces(ty, 0, &mut pieces)?;
        let layout = ValueLayout { size: offset32(self.layout.store_size(ty))?, slots: pieces };
        if let Some(found) = self.layouts.get(&layout) {
            return Ok(*found);
        }
        let id = LayoutId::from_index(self.program.layouts.len());
        self.program.layouts.push(layout.clone());
        self.layouts.insert(layout, id);
        Ok(id)
    }

    fn pieces(&mut self, ty: Type<'m>, at: u64, pieces: &mut Vec<LayoutSlot>) -> LowerResult {
        if let Some(scalar) = scalar(ty) {
            return scalar_pieces(scalar.bits(), at, pieces);
        }
        match ty.kind() {
            TypeKind::Struct => {
                for field in 0..ty.field_count() {
                    let offset = at + self.layout.field_offset(ty, field);
                    self.pieces(ty.field(field), offset, pieces)?;
                }
            }
            TypeKind::Array(element, count) => {
                limit(ty, count)?;
                let stride = self.layout.alloc_size(element);
                for index in 0..count {
                    self.pieces(element, at + index * stride, pieces)?;
                }
            }
            TypeKind::Vector(element, count) => {
                let stride = u64::from(vector_stride(ty)?);
                for index in 0..u64::from(count) {
                    self.pieces(element, at + index * stride, pieces)?;
                }
            }
            _ => return Err(UnsupportedConstruct::new(format!("type {ty:?} in memory"))),
        }
        Ok(())
    }
}

/// Bytes from one lane of a vector to the next in memory; lanes of odd bits share bytes.
fn vector_stride(ty: Type<'_>) -> LowerResult<u32> {
    let bits = lanes(ty)?.bits();
    if bits.is_multiple_of(8) {
        Ok(bits / 8)
    } else {
        Err(UnsupportedConstruct::new(format!("bit-packed {ty:?} inside an aggregate")))
    }
}

/// Returns `true` if a vector's lanes share bytes in memory.
pub(crate) fn is_bit_packed(ty: Type<'_>) -> bool {
    matches!(ty.kind(), TypeKind::Vector(..))
        && lanes(ty).is_ok_and(|lanes| !lanes.bits().is_multiple_of(8))
}

fn scalar_pieces(bits: u32, at: u64, pieces: &mut Vec<LayoutSlot>) -> LowerResult {
    let mut left = bits;
    let mut offset = offset32(at)?;
    while left > 0 {
        let bits = left.min(64);
        let bytes = bits.div_ceil(8);
        pieces.push(LayoutSlot { offset, bits: bits as u8, bytes: bytes as u8 });
        offset += bytes;
        left -= bits;
    }
    Ok(())
}

fn offset32(offset: u64) -> LowerResult<u32> {
    u32::try_from(offset).map_err(|_| UnsupportedConstruct::new("value of more than 4 GiB"))
}

fn limit(ty: Type<'_>, slots: u64) -> LowerResult {
    if slots > MAX_SLOTS {
        return Err(UnsupportedConstruct::new(format!(
            "first-class value of {slots} slots ({ty:?})"
        )));
    }
    Ok(())
}
