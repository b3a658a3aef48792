//! Values while a program runs.
//!
//! Arrays and maps are shared until they are changed. Bytes that are all known are kept apart from
//! others, so that names and texts never trouble the domain.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::domain::Domain;
use crate::provider::Stamp;

/// A value; its type was checked.
pub(crate) enum Value<D: Domain> {
    Int(D::Int),
    Bool(D::Bool),
    Text(Bytes<D>),
    Data(Rc<Data<D>>),
    Array(Rc<Vec<Value<D>>>),
    Map(Rc<BTreeMap<Key, Value<D>>>),
    /// The place in an array that is gone through, or an empty slot.
    Cursor(usize),
}

/// A sequence of bytes.
pub(crate) enum Bytes<D: Domain> {
    Known(Arc<[u8]>),
    Mixed(Rc<[D::Byte]>),
}

/// Bytes, and where they come from.
pub(crate) struct Data<D: Domain> {
    pub(crate) bytes: Bytes<D>,
    pub(crate) origin: Option<Origin>,
}

/// Where and when data was exposed.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) node: Arc<[u8]>,
    pub(crate) state: i64,
    pub(crate) key: Arc<[u8]>,
    pub(crate) stamp: Stamp,
}

/// A key of a map.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Int(i64),
    Bool(bool),
    Text(Arc<[u8]>),
    Data(Arc<[u8]>),
}

impl<D: Domain> Clone for Value<D> {
    fn clone(&self) -> Self {
        match self {
            Value::Int(int) => Value::Int(int.clone()),
            Value::Bool(bool) => Value::Bool(bool.clone()),
            Value::Text(bytes) => Value::Text(bytes.clone()),
            Value::Data(data) => Value::Data(Rc::clone(data)),
            Value::Array(items) => Value::Array(Rc::clone(items)),
            Value::Map(map) => Value::Map(Rc::clone(map)),
            Value::Cursor(at) => Value::Cursor(*at),
        }
    }
}

impl<D: Domain> Clone for Bytes<D> {
    fn clone(&self) -> Self {
        match self {
            Bytes::Known(bytes) => Bytes::Known(Arc::clone(bytes)),
            Bytes::Mixed(bytes) => Bytes::Mixed(Rc::clone(bytes)),
        }
    }
}

impl<D: Domain> Bytes<D> {
    /// The bytes, as known ones if all of them are.
    pub(crate) fn new(domain: &D, bytes: &[D::Byte]) -> Bytes<D> {
        if bytes.iter().any(|byte| domain.byte_value(byte).is_none()) {
            return Bytes::Mixed(bytes.into());
        }
        Bytes::Known(bytes.iter().map(|byte| domain.byte_value(byte).unwrap_or(0)).collect())
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Bytes::Known(bytes) => bytes.len(),
            Bytes::Mixed(bytes) => bytes.len(),
        }
    }

    /// A byte within the length.
    pub(crate) fn get(&self, domain: &mut D, index: usize) -> D::Byte {
        match self {
            Bytes::Known(bytes) => domain.byte(bytes[index]),
            Bytes::Mixed(bytes) => bytes[index].clone(),
        }
    }

    /// A part; the range is within the length.
    pub(crate) fn slice(&self, domain: &D, range: std::ops::Range<usize>) -> Bytes<D> {
        match self {
            Bytes::Known(bytes) => Bytes::Known(bytes[range].into()),
            Bytes::Mixed(bytes) => Bytes::new(domain, &bytes[range]),
        }
    }

    /// One behind the other.
    pub(crate) fn concat(&self, domain: &mut D, other: &Bytes<D>) -> Bytes<D> {
        if let (Bytes::Known(a), Bytes::Known(b)) = (self, other) {
            return Bytes::Known([&a[..], &b[..]].concat().into());
        }
        let mut all = Vec::with_capacity(self.len() + other.len());
        for part in [self, other] {
            all.extend((0..part.len()).map(|index| part.get(domain, index)));
        }
        Bytes::Mixed(all.into())
    }
}

impl Key {
    /// The key as a message shows it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Key::Int(value) => value.to_string(),
            Key::Bool(value) => value.to_string(),
            Key::Text(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            Key::Data(bytes) => format!("x\"{}\"", hex(bytes)),
        }
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
