//! Strings and data: comparison, parts, numbers in them. Lengths are always known.

use std::rc::Rc;
use std::sync::Arc;

use super::{Step, Vm};
use crate::domain::{Domain, decode_bytes};
use crate::error::Fault;
use crate::value::{Bytes, Data, Origin, Value, hex};

impl<D: Domain> Vm<'_, D> {
    pub(super) fn push_data(&mut self, bytes: Bytes<D>, origin: Option<Origin>) -> Step<D> {
        self.push(Value::Data(Rc::new(Data { bytes, origin })))
    }

    pub(super) fn push_known(&mut self, bytes: &[u8]) -> Step<D> {
        self.make(bytes.len())?;
        self.push(Value::Text(Bytes::Known(bytes.into())))
    }

    /// The bytes of a string or data, and whether it is data.
    fn pop_bytes(&mut self) -> (Bytes<D>, bool) {
        match self.pop() {
            Value::Text(bytes) => (bytes, false),
            Value::Data(data) => (data.bytes.clone(), true),
            _ => unreachable!("the checker has seen a string or data"),
        }
    }

    fn push_bytes(&mut self, bytes: Bytes<D>, is_data: bool) -> Step<D> {
        if is_data { self.push_data(bytes, None) } else { self.push(Value::Text(bytes)) }
    }

    /// Known bytes, where they are needed.
    pub(super) fn settle_bytes(&mut self, bytes: &Bytes<D>) -> Step<D, Arc<[u8]>> {
        match bytes {
            Bytes::Known(bytes) => Ok(Arc::clone(bytes)),
            Bytes::Mixed(bytes) => {
                self.make(bytes.len())?;
                bytes.iter().map(|byte| self.settle_byte(byte)).collect()
            }
        }
    }

    fn settle_byte(&mut self, byte: &D::Byte) -> Step<D, u8> {
        match self.domain.byte_value(byte) {
            Some(value) => Ok(value),
            None => {
                self.may_ask()?;
                self.domain.settle_byte(byte).map_err(Fault::Domain)
            }
        }
    }

    pub(super) fn pop_settled(&mut self) -> Step<D, Arc<[u8]>> {
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

    pub(super) fn bytes_equal(&mut self, a: &Bytes<D>, b: &Bytes<D>) -> Step<D, D::Bool> {
        if a.len() != b.len() {
            return Ok(self.domain.bool(false));
        }
        self.bytes_at(a, b, 0)
    }

    /// Whether `part` is in `all` at an offset, where it fits.
    fn bytes_at(&mut self, part: &Bytes<D>, all: &Bytes<D>, offset: usize) -> Step<D, D::Bool> {
        self.charge(part.len())?;
        if let (Bytes::Known(part), Bytes::Known(all)) = (part, all) {
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
    pub(super) fn bytes_less(&mut self, a: &Bytes<D>, b: &Bytes<D>) -> Step<D, D::Bool> {
        let common = a.len().min(b.len());
        self.charge(common)?;
        if let (Bytes::Known(a), Bytes::Known(b)) = (a, b) {
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

    pub(super) fn concat(&mut self) -> Step<D> {
        let ((b, _), (a, _)) = (self.pop_bytes(), self.pop_bytes());
        self.make(a.len() + b.len())?;
        let all = a.concat(self.domain, &b);
        self.push(Value::Text(all))
    }

    pub(super) fn contains_bytes(&mut self) -> Step<D> {
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
        self.push(Value::Bool(result))
    }

    /// `startsWith`, or `endsWith`.
    pub(super) fn starts_with(&mut self, at_start: bool) -> Step<D> {
        let ((part, _), (all, _)) = (self.pop_bytes(), self.pop_bytes());
        let Some(room) = all.len().checked_sub(part.len()) else { return self.push_bool(false) };
        let result = self.bytes_at(&part, &all, if at_start { 0 } else { room })?;
        self.push(Value::Bool(result))
    }

    /// The range of a slice; without an end, everything from its start.
    fn range(
        &mut self,
        has_end: bool,
        length: impl Fn(&Value<D>) -> usize,
    ) -> Step<D, std::ops::Range<usize>> {
        let to = if has_end { Some(self.pop_int()) } else { None };
        let from = self.pop_int();
        let from = self.settle(&from)?;
        let length = length(self.stack.last().expect("a receiver is below its arguments"));
        let to = match to {
            Some(to) => self.settle(&to)?,
            None => length as i64,
        };
        if from < 0 || from > to || to > length as i64 {
            return Err(Fault::SliceOutOfRange { from, to, length });
        }
        Ok(from as usize..to as usize)
    }

    pub(super) fn slice(&mut self, has_end: bool) -> Step<D> {
        let range = self.range(has_end, length)?;
        self.make(range.len())?;
        if let Value::Array(items) = self.stack.last().expect("a receiver is on the stack") {
            let part = items[range].to_vec();
            self.pop();
            return self.push(Value::Array(Rc::new(part)));
        }
        let (bytes, is_data) = self.pop_bytes();
        let part = bytes.slice(self.domain, range);
        self.push_bytes(part, is_data)
    }

    pub(super) fn length(&mut self) -> Step<D> {
        let value = self.pop();
        self.push_int(length(&value) as i64)
    }

    /// The element of a string or data: a string of one byte, or the number of the byte.
    pub(super) fn byte_at(&mut self, value: &Value<D>, index: usize) -> Step<D> {
        match value {
            Value::Text(bytes) => {
                let byte = bytes.slice(self.domain, index..index + 1);
                self.push(Value::Text(byte))
            }
            Value::Data(data) => {
                let byte = data.bytes.get(self.domain, index);
                let number = match self.domain.byte_value(&byte) {
                    Some(byte) => self.domain.int(i64::from(byte)),
                    None => self.domain.byte_to_int(&byte),
                };
                self.push(Value::Int(number))
            }
            _ => unreachable!("the checker has seen a string or data"),
        }
    }

    pub(super) fn decode(&mut self, size: usize, signed: bool, big: bool) -> Step<D> {
        let at = self.pop_int();
        let at = self.settle(&at)?;
        let (bytes, _) = self.pop_bytes();
        let length = bytes.len();
        let fits = usize::try_from(at)
            .is_ok_and(|at| at.checked_add(size).is_some_and(|end| end <= length));
        if !fits {
            return Err(Fault::ReadOutOfRange { at, size, length });
        }
        let at = at as usize;
        let number = match bytes.slice(self.domain, at..at + size) {
            Bytes::Known(part) => {
                let mut part = part.to_vec();
                if big {
                    part.reverse();
                }
                self.domain.int(decode_bytes(&part, signed))
            }
            Bytes::Mixed(part) => {
                let mut part = part.to_vec();
                if big {
                    part.reverse();
                }
                self.domain.decode(&part, signed)
            }
        };
        self.push(Value::Int(number))
    }

    /// The bytes up to the first NUL.
    pub(super) fn data_string(&mut self) -> Step<D> {
        let (bytes, _) = self.pop_bytes();
        self.make(bytes.len())?;
        let end = match &bytes {
            Bytes::Known(bytes) => bytes.iter().position(|byte| *byte == 0),
            Bytes::Mixed(mixed) => {
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
        self.push(Value::Text(text))
    }

    pub(super) fn data_hex(&mut self) -> Step<D> {
        let bytes = self.pop_settled()?;
        self.make(bytes.len() * 2)?;
        self.push_known(hex(&bytes).as_bytes())
    }

    pub(super) fn string_data(&mut self) -> Step<D> {
        let (bytes, _) = self.pop_bytes();
        self.push_data(bytes, None)
    }

    pub(super) fn string_to_int(&mut self) -> Step<D> {
        let bytes = self.pop_settled()?;
        let text = String::from_utf8_lossy(&bytes);
        match text.trim().parse::<i64>() {
            Ok(value) => self.push_int(value),
            Err(_) => Err(Fault::NotANumber { text: text.chars().take(40).collect() }),
        }
    }

    pub(super) fn int_string(&mut self) -> Step<D> {
        let int = self.pop_int();
        let value = self.settle(&int)?;
        self.push_known(value.to_string().as_bytes())
    }

    pub(super) fn int_byte(&mut self) -> Step<D> {
        let int = self.pop_int();
        let bytes = match self.domain.int_value(&int) {
            Some(value) => Bytes::Known([value as u8].into()),
            None => {
                let byte = self.domain.int_to_byte(&int);
                Bytes::new(self.domain, &[byte])
            }
        };
        self.push_data(bytes, None)
    }
}

/// The length of everything that has one.
pub(super) fn length<D: Domain>(value: &Value<D>) -> usize {
    match value {
        Value::Text(bytes) => bytes.len(),
        Value::Data(data) => data.bytes.len(),
        Value::Array(items) => items.len(),
        Value::Map(map) => map.len(),
        Value::Int(_) | Value::Bool(_) | Value::Cursor(_) => {
            unreachable!("the checker has seen something with a length")
        }
    }
}
