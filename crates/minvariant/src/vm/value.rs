//! Values while a program runs.
//!
//! Arrays and maps are shared until they are changed. Bytes that are all known are kept apart from
//! others, so that names and texts never trouble the domain.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::domain::Domain;
use crate::provider::ExposureStamp;

/// A value; its type was checked.
pub(crate) enum RuntimeValue<D: Domain> {
    Int(D::Int),
    Bool(D::Bool),
    Text(ByteSequence<D>),
    Data(Rc<DataValue<D>>),
    Array(Rc<Vec<RuntimeValue<D>>>),
    Map(Rc<BTreeMap<MapKey, RuntimeValue<D>>>),
    /// The place in an array that is gone through, or an empty slot.
    Cursor(usize),
}

/// A sequence of bytes.
pub(crate) enum ByteSequence<D: Domain> {
    Known(Arc<[u8]>),
    Mixed(Rc<[D::Byte]>),
}

/// Bytes, and where they come from.
pub(crate) struct DataValue<D: Domain> {
    pub(crate) bytes: ByteSequence<D>,
    pub(crate) origin: Option<DataOrigin>,
}

/// The place and the time of an exposure.
#[derive(Clone)]
pub(crate) struct DataOrigin {
    pub(crate) node: Arc<[u8]>,
    pub(crate) state: i64,
    pub(crate) key: Arc<[u8]>,
    pub(crate) stamp: ExposureStamp,
}

/// A key of a map.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MapKey {
    Int(i64),
    Bool(bool),
    Text(Arc<[u8]>),
    Data(Arc<[u8]>),
}

impl<D: Domain> Clone for RuntimeValue<D> {
    fn clone(&self) -> Self {
        match self {
            RuntimeValue::Int(int) => RuntimeValue::Int(int.clone()),
            RuntimeValue::Bool(bool) => RuntimeValue::Bool(bool.clone()),
            RuntimeValue::Text(bytes) => RuntimeValue::Text(bytes.clone()),
            RuntimeValue::Data(data) => RuntimeValue::Data(Rc::clone(data)),
            RuntimeValue::Array(items) => RuntimeValue::Array(Rc::clone(items)),
            RuntimeValue::Map(map) => RuntimeValue::Map(Rc::clone(map)),
            RuntimeValue::Cursor(at) => RuntimeValue::Cursor(*at),
        }
    }
}

impl<D: Domain> Clone for ByteSequence<D> {
    fn clone(&self) -> Self {
        match self {
            ByteSequence::Known(bytes) => ByteSequence::Known(Arc::clone(bytes)),
            ByteSequence::Mixed(bytes) => ByteSequence::Mixed(Rc::clone(bytes)),
        }
    }
}

impl<D: Domain> ByteSequence<D> {
    /// The bytes, as known ones if all of them are.
    pub(crate) fn new(domain: &D, bytes: &[D::Byte]) -> ByteSequence<D> {
        if bytes.iter().any(|byte| domain.byte_value(byte).is_none()) {
            return ByteSequence::Mixed(bytes.into());
        }
        ByteSequence::Known(bytes.iter().map(|byte| domain.byte_value(byte).unwrap_or(0)).collect())
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            ByteSequence::Known(bytes) => bytes.len(),
            ByteSequence::Mixed(bytes) => bytes.len(),
        }
    }

    /// A byte within the length.
    pub(crate) fn get(&self, domain: &mut D, index: usize) -> D::Byte {
        match self {
            ByteSequence::Known(bytes) => domain.byte(bytes[index]),
            ByteSequence::Mixed(bytes) => bytes[index].clone(),
        }
    }

    /// A part; the range is within the length.
    pub(crate) fn slice(&self, domain: &D, range: std::ops::Range<usize>) -> ByteSequence<D> {
        match self {
            ByteSequence::Known(bytes) => ByteSequence::Known(bytes[range].into()),
            ByteSequence::Mixed(bytes) => ByteSequence::new(domain, &bytes[range]),
        }
    }

    /// One behind the other.
    pub(crate) fn concat(&self, domain: &mut D, other: &ByteSequence<D>) -> ByteSequence<D> {
        if let (ByteSequence::Known(a), ByteSequence::Known(b)) = (self, other) {
            return ByteSequence::Known([&a[..], &b[..]].concat().into());
        }
        let mut all = Vec::with_capacity(self.len() + other.len());
        for part in [self, other] {
            all.extend((0..part.len()).map(|index| part.get(domain, index)));
        }
        ByteSequence::Mixed(all.into())
    }
}

impl MapKey {
    /// The key as a message shows it.
    pub(crate) fn shown(&self) -> String {
        match self {
            MapKey::Int(value) => value.to_string(),
            MapKey::Bool(value) => value.to_string(),
            MapKey::Text(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            MapKey::Data(bytes) => format!("x\"{}\"", hex(bytes)),
        }
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
