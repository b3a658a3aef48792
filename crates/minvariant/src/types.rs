//! Types of the language.

use std::fmt;

/// The depth to which types may be nested; values are walked to this depth.
pub(crate) const TYPE_DEPTH_MAX: usize = 16;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// 64-bit signed number, which wraps.
    Int,
    /// Truth value.
    Bool,
    /// Sequence of bytes that is text.
    String,
    /// Sequence of bytes that a node exposed.
    Data,
    /// Array of elements of one type.
    Array(Box<ValueType>),
    /// Map; keys are `int`, `bool`, `string` or `data`.
    Map(Box<ValueType>, Box<ValueType>),
    /// Type of what was already complained about; it fits everywhere.
    Unknown,
}

impl ValueType {
    pub(crate) fn array(element: ValueType) -> ValueType {
        ValueType::Array(Box::new(element))
    }

    pub(crate) fn map(key: ValueType, value: ValueType) -> ValueType {
        ValueType::Map(Box::new(key), Box::new(value))
    }

    /// Returns `true` if a value of `other` may be where this type is needed.
    pub(crate) fn accepts(&self, other: &ValueType) -> bool {
        match (self, other) {
            (ValueType::Unknown, _) | (_, ValueType::Unknown) => true,
            (ValueType::Array(a), ValueType::Array(b)) => a.accepts(b),
            (ValueType::Map(ka, va), ValueType::Map(kb, vb)) => ka.accepts(kb) && va.accepts(vb),
            _ => self == other,
        }
    }

    /// Returns `true` if values have an order.
    pub(crate) fn is_ordered(&self) -> bool {
        matches!(self, ValueType::Int | ValueType::String | ValueType::Data | ValueType::Unknown)
    }

    /// Returns `true` if values can be keys of maps.
    pub(crate) fn is_key(&self) -> bool {
        matches!(
            self,
            ValueType::Int
                | ValueType::Bool
                | ValueType::String
                | ValueType::Data
                | ValueType::Unknown
        )
    }

    pub(crate) fn depth(&self) -> usize {
        let mut inner = self;
        let mut depth = 1;
        while let ValueType::Array(next) | ValueType::Map(_, next) = inner {
            inner = next;
            depth += 1;
        }
        depth
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Int => f.write_str("int"),
            ValueType::Bool => f.write_str("bool"),
            ValueType::String => f.write_str("string"),
            ValueType::Data => f.write_str("data"),
            ValueType::Array(element) => write!(f, "{element}[]"),
            ValueType::Map(key, value) => write!(f, "map<{key}, {value}>"),
            ValueType::Unknown => f.write_str("?"),
        }
    }
}
