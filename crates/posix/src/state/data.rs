//! Bytes on their way: [`ByteData`].
//!
//! Concrete bytes travel as `u8`s; only data with a symbolic byte in it is a list of [`ByteValue`]s.

use everett_memory::ByteValue;

use crate::state::known_bytes::KnownBytes;

/// Bytes that are read or written at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ByteData {
    /// All of them are concrete.
    Known(KnownBytes),
    /// Some may be symbolic.
    Mixed(Vec<ByteValue>),
}

everett_base::portable!(enum ByteData { 0 = Known(value), 1 = Mixed(value) });

impl Default for ByteData {
    fn default() -> ByteData {
        ByteData::Known(KnownBytes::default())
    }
}

impl ByteData {
    pub(crate) fn len(&self) -> usize {
        match self {
            ByteData::Known(bytes) => bytes.len(),
            ByteData::Mixed(bytes) => bytes.len(),
        }
    }

    /// One by one.
    pub(crate) fn to_values(&self) -> Vec<ByteValue> {
        match self {
            ByteData::Known(bytes) => bytes.iter().copied().map(ByteValue::Concrete).collect(),
            ByteData::Mixed(bytes) => bytes.clone(),
        }
    }

    /// A part of it.
    pub(crate) fn part(&self, from: usize, to: usize) -> ByteData {
        match self {
            ByteData::Known(bytes) => ByteData::Known(bytes.part(from..to)),
            ByteData::Mixed(bytes) => ByteData::Mixed(bytes[from..to].to_vec()),
        }
    }

    /// Adds what another one has.
    pub(crate) fn append(&mut self, more: ByteData) {
        match (&mut *self, more) {
            (ByteData::Known(bytes), ByteData::Known(more)) if bytes.is_empty() => *bytes = more,
            (ByteData::Known(bytes), ByteData::Known(more)) => bytes.extend(&more),
            (ByteData::Mixed(bytes), more) => bytes.extend(more.to_values()),
            (ByteData::Known(_), ByteData::Mixed(more)) => {
                let mut bytes = self.to_values();
                bytes.extend(more);
                *self = ByteData::Mixed(bytes);
            }
        }
    }
}

/// Bytes that happen to be concrete are kept as such.
impl From<&[ByteValue]> for ByteData {
    fn from(bytes: &[ByteValue]) -> ByteData {
        let known: Option<KnownBytes> = bytes.iter().map(|byte| u8::try_from(*byte).ok()).collect();
        known.map_or_else(|| ByteData::Mixed(bytes.to_vec()), ByteData::Known)
    }
}

impl From<Vec<ByteValue>> for ByteData {
    fn from(bytes: Vec<ByteValue>) -> ByteData {
        ByteData::from(&bytes[..])
    }
}
