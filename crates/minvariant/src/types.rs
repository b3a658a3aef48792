//! Types of the language.

use std::fmt;

/// How deeply types may be nested; values are walked to this depth.
pub(crate) const TYPE_DEPTH_MAX: usize = 16;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// 64-bit signed number, which wraps.
    Int,
    /// Truth value.
    Bool,
    /// Sequence of bytes that is text.
    String,
    /// Sequence of bytes that a node exposed.
    Data,
    /// Array of elements of one type.
    Array(Box<Type>),
    /// Map; keys are `int`, `bool`, `string` or `data`.
    Map(Box<Type>, Box<Type>),
    /// Type of what was already complained about; it fits everywhere.
    Unknown,
}

impl Type {
    pub(crate) fn array(element: Type) -> Type {
        Type::Array(Box::new(element))
    }

    pub(crate) fn map(key: Type, value: Type) -> Type {
        Type::Map(Box::new(key), Box::new(value))
    }

    /// Whether a value of `other` may be where this type is needed.
    pub(crate) fn accepts(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Array(a), Type::Array(b)) => a.accepts(b),
            (Type::Map(ka, va), Type::Map(kb, vb)) => ka.accepts(kb) && va.accepts(vb),
            _ => self == other,
        }
    }

    /// Whether values have an order.
    pub(crate) fn is_ordered(&self) -> bool {
        matches!(self, Type::Int | Type::String | Type::Data | Type::Unknown)
    }

    /// Whether values can be keys of maps.
    pub(crate) fn is_key(&self) -> bool {
        matches!(self, Type::Int | Type::Bool | Type::String | Type::Data | Type::Unknown)
    }

    pub(crate) fn depth(&self) -> usize {
        let mut inner = self;
        let mut depth = 1;
        while let Type::Array(next) | Type::Map(_, next) = inner {
            inner = next;
            depth += 1;
        }
        depth
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int => f.write_str("int"),
            Type::Bool => f.write_str("bool"),
            Type::String => f.write_str("string"),
            Type::Data => f.write_str("data"),
            Type::Array(element) => write!(f, "{element}[]"),
            Type::Map(key, value) => write!(f, "map<{key}, {value}>"),
            Type::Unknown => f.write_str("?"),
        }
    }
}
