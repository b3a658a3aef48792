//! Bytes on their way: [`Data`].
//!
//! Concrete bytes travel as `u8`s; only data with a symbolic byte in it is a list of [`ByteValue`]s.

use everett_memory::ByteValue;

/// Bytes that are read or written at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// All of them are concrete.
    Known(Vec<u8>),
    /// Some may be symbolic.
    Mixed(Vec<ByteValue>),
}

impl Data {
    pub(crate) fn len(&self) -> usize {
        match self {
            Data::Known(bytes) => bytes.len(),
            Data::Mixed(bytes) => bytes.len(),
        }
    }

    /// One by one.
    pub(crate) fn to_values(&self) -> Vec<ByteValue> {
        match self {
            Data::Known(bytes) => bytes.iter().copied().map(ByteValue::Concrete).collect(),
            Data::Mixed(bytes) => bytes.clone(),
        }
    }

    /// A part of it.
    pub(crate) fn part(&self, from: usize, to: usize) -> Data {
        match self {
            Data::Known(bytes) => Data::Known(bytes[from..to].to_vec()),
            Data::Mixed(bytes) => Data::Mixed(bytes[from..to].to_vec()),
        }
    }

    /// Adds what another one has.
    pub(crate) fn append(&mut self, more: Data) {
        match (&mut *self, more) {
            (Data::Known(bytes), Data::Known(more)) => bytes.extend_from_slice(&more),
            (Data::Mixed(bytes), more) => bytes.extend(more.to_values()),
            (Data::Known(_), Data::Mixed(more)) => {
                let mut bytes = self.to_values();
                bytes.extend(more);
                *self = Data::Mixed(bytes);
            }
        }
    }
}

/// Bytes that happen to be concrete are kept as such.
impl From<&[ByteValue]> for Data {
    fn from(bytes: &[ByteValue]) -> Data {
        let known: Option<Vec<u8>> = bytes.iter().map(|byte| u8::try_from(*byte).ok()).collect();
        known.map_or_else(|| Data::Mixed(bytes.to_vec()), Data::Known)
    }
}

impl From<Vec<ByteValue>> for Data {
    fn from(bytes: Vec<ByteValue>) -> Data {
        Data::from(&bytes[..])
    }
}
