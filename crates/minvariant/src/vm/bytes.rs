//! Strings and data: comparison, parts, numbers in them. Lengths are always known.

use std::rc::Rc;
use std::sync::Arc;

use super::{StepResult, Vm};
use crate::domain::{Domain, decode_bytes};
use crate::error::EvalFault;
use crate::vm::value::{ByteSequence, DataOrigin, DataValue, RuntimeValue, hex};

impl<D: Domain> Vm<'_, D> {
    pub(super) fn push_data(
        &mut self,
        bytes: ByteSequence<D>,
        origin: Option<DataOrigin>,
    ) -> StepResult<D> {
        self.push(RuntimeValue::Data(Rc::new(DataValue { bytes, origin })))
    }

    pub(super) fn push_known(&mut self, bytes: &[u8]) -> StepResult<D> {
        self.make(bytes.len())?;
        self.push(RuntimeValue::Text(ByteSequence::Known(bytes.into())))
    }

    /// The bytes of a string or data, and whether it is data.
    fn pop_bytes(&mut self) -> (ByteSequence<D>, bool) {
        match self.pop() {
            RuntimeValue::Text(bytes) => (bytes, false),
            RuntimeValue::Data(data) => (data.bytes.clone(), true),
            _ => unreachable!("the checker has seen a string or data"),
        }
    }

    fn push_bytes(&mut self, bytes: ByteSequence<D>, is_data: bool) -> StepResult<D> {
        if is_data { self.push_data(bytes, None) } else { self.push(RuntimeValue::Text(bytes)) }
    }

    /// Known bytes, where they are needed.
    pub(super) fn settle_bytes(&mut self, bytes: &ByteSequence<D>) -> StepResult<D, Arc<[u8]>> {
        match bytes {
            ByteSequence::Known(bytes) => Ok(Arc::clone(bytes)),
            ByteSequence::Mixed(bytes) => {
                self.make(bytes.len())?;
                bytes.iter().map(|byte| self.settle_byte(byte)).collect()
            }
        }
    }

    fn settle_byte(&mut self, byte: &D::Byte) -> StepResult<D, u8> {
        match self.domain.byte_value(byte) {
            Some(value) => Ok(value),
            None => {
                self.may_ask()?;
                self.domain.settle_byte(byte).map_err(EvalFault::Domain)
            }
        }
    }

    pub(super) fn pop_settled(&mut self) -> StepResult<D, Arc<[u8]>> {
        let (bytes, _) = self.pop_bytes();
        self.settle_bytes(&bytes)
    }

    fn byte_equal(&mut self, a: &D::Byte, b: &D::Byte) -> D::Bool {
        match (self.domain.byte_value(a), self.domain.byte_value(b)) {
            (Some(a), Some(b)) => self.domain.bool(a == b),
            _ => self.domain.byte_equal(a, b),
        }
    }

    fn byte_less(&mut self, a: &D::Byte, b: &D::Byte) -> D::Bool {
        match (self.domain.byte_value(a), self.domain.byte_value(b)) {
            (Some(a), Some(b)) => self.domain.bool(a < b),
            _ => self.domain.byte_less(a, b),
        }
    }

    pub(super) fn bytes_equal(
        &mut self,
        a: &ByteSequence<D>,
        b: &ByteSequence<D>,
    ) -> StepResult<D, D::Bool> {
        if a.len() != b.len() {
            return Ok(self.domain.bool(false));
        }
        self.bytes_at(a, b, 0)
    }

    /// Returns whether `part` is in `all` at an offset, where it fits.
    fn bytes_at(
        &mut self,
        part: &ByteSequence<D>,
        all: &ByteSequence<D>,
        offset: usize,
    ) -> StepResult<D, D::Bool> {
        self.charge(part.len())?;
        if let (ByteSequence::Known(part), ByteSequence::Known(all)) = (part, all) {
            return Ok(self.domain.bool(all[offset..offset + part.len()] == part[..]));
        }
        let mut result = self.domain.bool(true);
        for index in 0..part.len() {
            let a = part.get(self.domain, index);
            let b = all.get(self.domain, offset + index);
            let same = self.byte_equal(&a, &b);
            result = self.both(&result, &same);
            if self.domain.bool_value(&result) == Some(false) {
                break;
            }
        }
        Ok(result)
    }

    /// Lexicographic order, without a decision.
    pub(super) fn bytes_less(
        &mut self,
        a: &ByteSequence<D>,
        b: &ByteSequence<D>,
    ) -> StepResult<D, D::Bool> {
        let common = a.len().min(b.len());
        self.charge(common)?;
        if let (ByteSequence::Known(a), ByteSequence::Known(b)) = (a, b) {
            return Ok(self.domain.bool(a < b));
        }
        let mut result = self.domain.bool(a.len() < b.len());
        for index in (0..common).rev() {
            let (x, y) = (a.get(self.domain, index), b.get(self.domain, index));
            let (less, same) = (self.byte_less(&x, &y), self.byte_equal(&x, &y));
            let later = self.both(&same, &result);
            result = self.either(&less, &later);
        }
        Ok(result)
    }

    pub(super) fn concat(&mut self) -> StepResult<D> {
        let ((b, _), (a, _)) = (self.pop_bytes(), self.pop_bytes());
        self.make(a.len() + b.len())?;
        let all = a.concat(self.domain, &b);
        self.push(RuntimeValue::Text(all))
    }

    pub(super) fn contains_bytes(&mut self) -> StepResult<D> {
        let ((part, _), (all, _)) = (self.pop_bytes(), self.pop_bytes());
        let mut result = self.domain.bool(false);
        let last = (all.len() + 1).saturating_sub(part.len());
        self.charge(last)?;
        for offset in 0..last {
            let found = self.bytes_at(&part, &all, offset)?;
            result = self.either(&result, &found);
            if self.domain.bool_value(&result) == Some(true) {
                break;
            }
        }
        self.push(RuntimeValue::Bool(result))
    }

    /// `startsWith`, or `endsWith`.
    pub(super) fn starts_with(&mut self, at_start: bool) -> StepResult<D> {
        let ((part, _), (all, _)) = (self.pop_bytes(), self.pop_bytes());
        let Some(room) = all.len().checked_sub(part.len()) else { return self.push_bool(false) };
        let result = self.bytes_at(&part, &all, if at_start { 0 } else { room })?;
        self.push(RuntimeValue::Bool(result))
    }

    /// The range of a slice; without an end, everything from its start.
    fn range(
        &mut self,
        has_end: bool,
        length: impl Fn(&RuntimeValue<D>) -> usize,
    ) -> StepResult<D, std::ops::Range<usize>> {
        let to = if has_end { Some(self.pop_int()) } else { None };
        let from = self.pop_int();
        let from = self.settle(&from)?;
        let length = length(self.stack.last().expect("a receiver is below its arguments"));
        let to = match to {
            Some(to) => self.settle(&to)?,
            None => length as i64,
        };
        if from < 0 || from > to || to > length as i64 {
            return Err(EvalFault::SliceOutOfRange { from, to, length });
        }
        Ok(from as usize..to as usize)
    }

    pub(super) fn slice(&mut self, has_end: bool) -> StepResult<D> {
        let range = self.range(has_end, length)?;
        self.make(range.len())?;
        if let RuntimeValue::Array(items) = self.stack.last().expect("a receiver is on the stack") {
            let part = items[range].to_vec();
            self.pop();
            return self.push(RuntimeValue::Array(Rc::new(part)));
        }
        let (bytes, is_data) = self.pop_bytes();
        let part = bytes.slice(self.domain, range);
        self.push_bytes(part, is_data)
    }

    pub(super) fn length(&mut self) -> StepResult<D> {
        let value = self.pop();
        self.push_int(length(&value) as i64)
    }

    /// The element of a string or data: a string of one byte, or the number of the byte.
    pub(super) fn byte_at(&mut self, value: &RuntimeValue<D>, index: usize) -> StepResult<D> {
        match value {
            RuntimeValue::Text(bytes) => {
                let byte = bytes.slice(self.domain, index..index + 1);
                self.push(RuntimeValue::Text(byte))
            }
            RuntimeValue::Data(data) => {
                let byte = data.bytes.get(self.domain, index);
                let number = match self.domain.byte_value(&byte) {
                    Some(byte) => self.domain.int(i64::from(byte)),
                    None => self.domain.byte_to_int(&byte),
                };
                self.push(RuntimeValue::Int(number))
            }
            _ => unreachable!("the checker has seen a string or data"),
        }
    }

    pub(super) fn decode(&mut self, size: usize, signed: bool, big: bool) -> StepResult<D> {
        let at = self.pop_int();
        let at = self.settle(&at)?;
        let (bytes, _) = self.pop_bytes();
        let length = bytes.len();
        let fits = usize::try_from(at)
            .is_ok_and(|at| at.checked_add(size).is_some_and(|end| end <= length));
        if !fits {
            return Err(EvalFault::ReadOutOfRange { at, size, length });
        }
        let at = at as usize;
        let number = match bytes.slice(self.domain, at..at + size) {
            ByteSequence::Known(part) => {
                let mut part = part.to_vec();
                if big {
                    part.reverse();
                }
                self.domain.int(decode_bytes(&part, signed))
            }
            ByteSequence::Mixed(part) => {
                let mut part = part.to_vec();
                if big {
                    part.reverse();
                }
                self.domain.decode(&part, signed)
            }
        };
        self.push(RuntimeValue::Int(number))
    }

    /// The bytes up to the first NUL.
    pub(super) fn data_string(&mut self) -> StepResult<D> {
        let (bytes, _) = self.pop_bytes();
        self.make(bytes.len())?;
        let end = match &bytes {
            ByteSequence::Known(bytes) => bytes.iter().position(|byte| *byte == 0),
            ByteSequence::Mixed(mixed) => {
                let nul = self.domain.byte(0);
                let mut end = None;
                for (index, byte) in mixed.iter().enumerate() {
                    let is_nul = self.byte_equal(byte, &nul);
                    if self.decide(&is_nul)? {
                        end = Some(index);
                        break;
                    }
                }
                end
            }
        };
        let text = match end {
            Some(end) => bytes.slice(self.domain, 0..end),
            None => bytes,
        };
        self.push(RuntimeValue::Text(text))
    }

    pub(super) fn data_hex(&mut self) -> StepResult<D> {
        let bytes = self.pop_settled()?;
        self.make(bytes.len() * 2)?;
        self.push_known(hex(&bytes).as_bytes())
    }

    pub(super) fn string_data(&mut self) -> StepResult<D> {
        let (bytes, _) = self.pop_bytes();
        self.push_data(bytes, None)
    }

    pub(super) fn string_to_int(&mut self) -> StepResult<D> {
        let bytes = self.pop_settled()?;
        let text = String::from_utf8_lossy(&bytes);
        match text.trim().parse::<i64>() {
            Ok(value) => self.push_int(value),
            Err(_) => Err(EvalFault::NotANumber { text: text.chars().take(40).collect() }),
        }
    }

    pub(super) fn int_string(&mut self) -> StepResult<D> {
        let int = self.pop_int();
        let value = self.settle(&int)?;
        self.push_known(value.to_string().as_bytes())
    }

    pub(super) fn int_byte(&mut self) -> StepResult<D> {
        let int = self.pop_int();
        let bytes = match self.domain.int_value(&int) {
            Some(value) => ByteSequence::Known([value as u8].into()),
            None => {
                let byte = self.domain.int_to_byte(&int);
                ByteSequence::new(self.domain, &[byte])
            }
        };
        self.push_data(bytes, None)
    }
}

/// The length of everything that has one.
pub(super) fn length<D: Domain>(value: &RuntimeValue<D>) -> usize {
    match value {
        RuntimeValue::Text(bytes) => bytes.len(),
        RuntimeValue::Data(data) => data.bytes.len(),
        RuntimeValue::Array(items) => items.len(),
        RuntimeValue::Map(map) => map.len(),
        RuntimeValue::Int(_) | RuntimeValue::Bool(_) | RuntimeValue::Cursor(_) => {
            unreachable!("the checker has seen something with a length")
        }
    }
}
