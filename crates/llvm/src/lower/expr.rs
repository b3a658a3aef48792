//! Constant expressions.

use everett_ir::{Const, ConstOp};

use crate::sys::{Opcode, Type, TypeKind, Value};

use super::UnsupportedConstruct;
use super::constant::{ConstantWords, NoConstantWords};
use super::fold;
use super::program::ProgramLowering;
use super::shape::{lanes, scalar};

impl<'m> ProgramLowering<'m> {
    /// The words of a constant expression.
    pub(super) fn expression(&mut self, value: Value<'m>, depth: u32) -> ConstantWords {
        let opcode = value.expr_opcode();
        match opcode {
            Opcode::Add => self.binary(ConstOp::Add, value, depth),
            Opcode::Sub => self.binary(ConstOp::Sub, value, depth),
            Opcode::Mul => self.binary(ConstOp::Mul, value, depth),
            Opcode::And => self.binary(ConstOp::And, value, depth),
            Opcode::Or => self.binary(ConstOp::Or, value, depth),
            Opcode::Xor => self.binary(ConstOp::Xor, value, depth),
            Opcode::Shl => self.binary(ConstOp::Shl, value, depth),
            Opcode::LShr => self.binary(ConstOp::LShr, value, depth),
            Opcode::Trunc | Opcode::PtrToInt | Opcode::IntToPtr | Opcode::ZExt => {
                self.resize(value, depth)
            }
            Opcode::SExt => self.sign_extend(value, depth),
            Opcode::BitCast => self.reshape(value, depth),
            Opcode::AddrSpaceCast | Opcode::Freeze => self.words(value.operand(0), depth + 1),
            Opcode::GetElementPtr => self.address(value, depth),
            Opcode::ExtractElement => {
                let (start, len) = self.lane(value, value.operand(1), value.operand(0).ty())?;
                let vector = self.words(value.operand(0), depth + 1)?;
                Ok(vector[start..start + len].to_vec())
            }
            Opcode::InsertElement => {
                let (start, len) = self.lane(value, value.operand(2), value.ty())?;
                let mut vector = self.words(value.operand(0), depth + 1)?;
                let element = self.words(value.operand(1), depth + 1)?;
                vector[start..start + len].clone_from_slice(&element);
                Ok(vector)
            }
            Opcode::ShuffleVector => self.shuffle(value, depth),
            _ => Err(unsupported(value)),
        }
    }

    fn binary(&mut self, op: ConstOp, value: Value<'m>, depth: u32) -> ConstantWords {
        let lanes = lanes(value.ty())?;
        if lanes.stride() != 1 {
            return Err(unsupported(value));
        }
        let a = self.words(value.operand(0), depth + 1)?;
        let b = self.words(value.operand(1), depth + 1)?;
        Ok(a.into_iter().zip(b).map(|(a, b)| fold::binary(op, lanes.bits(), a, b)).collect())
    }

    /// Truncation or zero extension, lane by lane.
    fn resize(&mut self, value: Value<'m>, depth: u32) -> ConstantWords {
        let (from, to) = (lanes(value.operand(0).ty())?, lanes(value.ty())?);
        let source = self.words(value.operand(0), depth + 1)?;
        let mut result = Vec::new();
        for lane in source.chunks(from.stride() as usize) {
            let kept = (to.stride() as usize).min(lane.len());
            let mut words = lane[..kept].to_vec();
            words.resize(to.stride() as usize, Const::Int(0));
            if let Some(last) = words.last_mut().filter(|_| to.bits() < from.bits()) {
                let top = to.bits() - (to.stride() - 1) * 64;
                *last = fold::truncate(top, last.clone());
            }
            result.extend(words);
        }
        Ok(result)
    }

    fn sign_extend(&mut self, value: Value<'m>, depth: u32) -> ConstantWords {
        let (from, to) = (lanes(value.operand(0).ty())?, lanes(value.ty())?);
        if to.stride() != 1 {
            return Err(unsupported(value));
        }
        let source = self.words(value.operand(0), depth + 1)?;
        let extend = |word| fold::sign_extend(from.bits(), to.bits(), word);
        Ok(source.into_iter().map(extend).collect())
    }

    fn reshape(&mut self, value: Value<'m>, depth: u32) -> ConstantWords {
        let source = self.words(value.operand(0), depth + 1)?;
        let (from, to) = (lanes(value.operand(0).ty())?, lanes(value.ty())?);
        if from.bits() == to.bits() {
            return Ok(source);
        }
        let numbers: Option<Vec<u64>> = source
            .iter()
            .map(|word| if let Const::Int(number) = word { Some(*number) } else { None })
            .collect();
        let Some(numbers) = numbers else { return Err(unsupported(value)) };
        let packed = fold::pack(&numbers, from.bits());
        Ok(super::constant::ints(&fold::unpack(&packed, to.bits(), to.count)))
    }

    fn lane(
        &mut self,
        value: Value<'m>,
        index: Value<'m>,
        vector: Type<'m>,
    ) -> Result<(usize, usize), NoConstantWords> {
        let lanes = lanes(vector)?;
        match index.as_u64() {
            Some(index) if index < lanes.count.into() => {
                let stride = lanes.stride() as usize;
                Ok((index as usize * stride, stride))
            }
            _ => Err(unsupported(value)),
        }
    }

    fn shuffle(&mut self, value: Value<'m>, depth: u32) -> ConstantWords {
        let lanes = lanes(value.operand(0).ty())?;
        let mut both = self.words(value.operand(0), depth + 1)?;
        both.extend(self.words(value.operand(1), depth + 1)?);
        let stride = lanes.stride() as usize;
        let mut result = Vec::new();
        for lane in value.shuffle_mask() {
            match lane {
                Some(lane) => {
                    let start = lane as usize * stride;
                    result.extend_from_slice(&both[start..start + stride]);
                }
                None => result.extend((0..stride).map(|_| Const::Int(0))),
            }
        }
        Ok(result)
    }

    /// A constant address computation.
    fn address(&mut self, value: Value<'m>, depth: u32) -> ConstantWords {
        if scalar(value.ty()).is_none() {
            return Err(unsupported(value));
        }
        let mut address = self.single(value.operand(0), depth)?;
        for step in self.steps(value)? {
            address = match step {
                AddressSummand::Offset(offset) => {
                    fold::binary(ConstOp::Add, 64, address, Const::Int(offset as u64))
                }
                AddressSummand::Index { index, scale } => {
                    let bits = lanes(index.ty())?.bits().min(64);
                    let index = self.single(index, depth)?;
                    let index = fold::sign_extend(bits, 64, index);
                    let offset = fold::binary(ConstOp::Mul, 64, index, Const::Int(scale));
                    fold::binary(ConstOp::Add, 64, address, offset)
                }
            };
        }
        Ok(vec![address])
    }

    fn single(&mut self, value: Value<'m>, depth: u32) -> Result<Const, NoConstantWords> {
        self.words(value, depth + 1)?.into_iter().next().ok_or_else(|| unsupported(value))
    }

    /// Returns the summands that the indices of an address computation add to its base.
    pub(crate) fn steps(
        &mut self,
        gep: Value<'m>,
    ) -> Result<Vec<AddressSummand<'m>>, UnsupportedConstruct> {
        let mut steps = Vec::new();
        let mut offset = 0i64;
        let mut ty = gep.source_element_type();
        for (position, index) in gep.operands().skip(1).enumerate() {
            let scale;
            if position == 0 {
                scale = self.layout_size(ty)?;
            } else {
                match ty.kind() {
                    TypeKind::Struct => {
                        let field = field_index(index)?;
                        let field_offset = self.layout.field_offset(ty, field);
                        offset = offset.wrapping_add(field_offset as i64);
                        ty = ty.field(field);
                        continue;
                    }
                    TypeKind::Array(element, _) => ty = element,
                    TypeKind::Vector(element, _) => ty = element,
                    _ => return Err(UnsupportedConstruct::new(format!("index into {ty:?}"))),
                }
                scale = self.layout_size(ty)?;
            }
            match constant_index(index) {
                Some(number) => offset = offset.wrapping_add(number.wrapping_mul(scale as i64)),
                None => steps.push(AddressSummand::Index { index, scale }),
            }
        }
        if offset != 0 {
            steps.push(AddressSummand::Offset(offset));
        }
        Ok(steps)
    }

    fn layout_size(&self, ty: Type<'m>) -> Result<u64, UnsupportedConstruct> {
        if ty.is_sized() {
            Ok(self.layout.alloc_size(ty))
        } else {
            Err(UnsupportedConstruct::new(format!("index over {ty:?}, which has no size")))
        }
    }
}

/// One summand of an address computation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AddressSummand<'m> {
    /// A number of bytes; at most one, and last.
    Offset(i64),
    /// An index, sign-extended to 64 bits, times a number of bytes.
    Index {
        /// The index.
        index: Value<'m>,
        /// Bytes of one element.
        scale: u64,
    },
}

/// The field that a constant index, possibly the same in all lanes of a vector, names.
fn field_index(index: Value<'_>) -> Result<u32, UnsupportedConstruct> {
    let scalar = if index.is_int() { Some(index) } else { index.element(0) };
    scalar
        .and_then(Value::as_u64)
        .and_then(|field| u32::try_from(field).ok())
        .ok_or_else(|| UnsupportedConstruct::new("field index that is no number"))
}

/// A scalar constant index, sign-extended.
fn constant_index(index: Value<'_>) -> Option<i64> {
    let number = index.as_u64()?;
    let TypeKind::Int(width) = index.ty().kind() else { return None };
    let unused = 64 - width.min(64);
    Some((number << unused) as i64 >> unused)
}

fn unsupported(value: Value<'_>) -> NoConstantWords {
    NoConstantWords::Unsupported(UnsupportedConstruct::new(format!(
        "constant expression {}",
        value.print()
    )))
}
