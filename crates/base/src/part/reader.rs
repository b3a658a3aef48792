//! [`PartReader`]: the bytes of a part as they are read.

use std::any::Any;

use super::Portable;

/// Bytes that are not those of a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: expected {expected}")]
pub struct PartError {
    /// The place in the bytes.
    pub at: usize,
    /// What a part has there.
    pub expected: &'static str,
}

/// Reads values from bytes.
pub struct PartReader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The shared parts that were read, in the order of their numbers.
    shared: Vec<Box<dyn Any>>,
    handles: Vec<&'a dyn Any>,
}

impl<'a> PartReader<'a> {
    /// A reader at the first byte. Values find the data that they refer to among the handles, by its type.
    pub fn new(bytes: &'a [u8], handles: &[&'a dyn Any]) -> PartReader<'a> {
        PartReader { bytes, at: 0, shared: Vec::new(), handles: handles.to_vec() }
    }

    /// The error that something else was expected where the reader is.
    pub fn unexpected(&self, expected: &'static str) -> PartError {
        PartError { at: self.at, expected }
    }

    /// The number of bytes that are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Reads so many bytes.
    pub fn raw(&mut self, count: usize) -> Result<&'a [u8], PartError> {
        let rest = &self.bytes[self.at..];
        let Some(bytes) = rest.get(..count) else { return Err(self.unexpected("more bytes")) };
        self.at += count;
        Ok(bytes)
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, PartError> {
        Ok(self.raw(1)?[0])
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<u64, PartError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.unexpected("a number of 64 bits"))
    }

    /// Reads the number of values that follow, each of which takes at least a byte.
    pub fn count(&mut self) -> Result<usize, PartError> {
        let count = self.number()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() => Ok(count),
            _ => Err(self.unexpected("the bytes of as many values as there should be")),
        }
    }

    /// Reads bytes after their number.
    pub fn byte_string(&mut self) -> Result<&'a [u8], PartError> {
        let count = self.count()?;
        self.raw(count)
    }

    /// Reads values after their number.
    pub fn sequence<T: Portable>(&mut self) -> Result<Vec<T>, PartError> {
        let count = self.count()?;
        // A value may take more memory than bytes here, and there may be fewer than there should be.
        let sure = self.remaining() / size_of::<T>().max(1);
        let mut values = Vec::with_capacity(count.min(sure));
        for _ in 0..count {
            values.push(T::read(self)?);
        }
        Ok(values)
    }

    /// Reads a part that may be shared: the one of a number, or its contents.
    pub fn shared<T: Clone + 'static>(
        &mut self,
        contents: impl FnOnce(&mut PartReader<'a>) -> Result<T, PartError>,
    ) -> Result<T, PartError> {
        match self.number()?.checked_sub(1) {
            Some(number) => self.known(number),
            None => {
                let part = contents(self)?;
                self.note(part.clone());
                Ok(part)
            }
        }
    }

    /// The shared part of a number.
    pub fn known<T: Clone + 'static>(&self, number: u64) -> Result<T, PartError> {
        let part = usize::try_from(number).ok().and_then(|number| self.shared.get(number));
        let part = part.and_then(|part| part.downcast_ref::<T>());
        part.cloned().ok_or_else(|| self.unexpected("the number of a part that was read before"))
    }

    /// Gives a shared part the next number.
    pub fn note<T: 'static>(&mut self, part: T) {
        self.shared.push(Box::new(part));
    }

    /// The handle of type `T`.
    ///
    /// # Panics
    ///
    /// If the reader was made without such a handle.
    pub fn handle<T: 'static>(&self) -> &'a T {
        let found = self.handles.iter().find_map(|handle| handle.downcast_ref());
        found.expect("the reader is given all handles that the values need")
    }

    /// Checks that nothing is left.
    pub fn end(&self) -> Result<(), PartError> {
        if self.remaining() == 0 { Ok(()) } else { Err(self.unexpected("no more bytes")) }
    }
}
