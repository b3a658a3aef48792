//! Messages at the sockets of a node ([`Packet`]) and between nodes ([`SharedMessage`]), and the bytes of the
//! latter: [`Payload`].

use std::sync::Arc;

use everett_expr::TermId;
use everett_memory::ByteValue;
use everett_net::Message;

use crate::state::data::ByteData;
use crate::state::known_bytes::KnownBytes;

/// A message between two IPv4 sockets, with bytes as the calls that read and write have them.
pub(crate) type Packet = Message<ByteData>;

/// A message on its way between two nodes, shared by all states that have sent or may get it.
pub type SharedMessage = Arc<Message<Payload>>;

/// The bytes of a message between nodes. Nearly always all are known, and then it costs no more than these.
///
/// Invariant: it is [`Payload::Mixed`] only if a byte is symbolic, so equal bytes are equal payloads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Payload {
    /// Bytes that are all concrete.
    Known(KnownBytes),
    /// Bytes of which one at least is symbolic.
    Mixed(Arc<[ByteValue]>),
}

everett_base::portable!(enum Payload { 0 = Known(value), 1 = Mixed(value) });

impl Payload {
    /// The number of bytes.
    pub fn len(&self) -> usize {
        match self {
            Payload::Known(bytes) => bytes.len(),
            Payload::Mixed(bytes) => bytes.len(),
        }
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One by one.
    pub fn values(&self) -> impl Iterator<Item = ByteValue> {
        let (known, mixed): (&[u8], &[ByteValue]) = match self {
            Payload::Known(bytes) => (bytes, &[]),
            Payload::Mixed(bytes) => (&[], bytes),
        };
        known.iter().copied().map(ByteValue::Concrete).chain(mixed.iter().copied())
    }

    /// The bytes that are symbolic.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        let mixed: &[ByteValue] = match self {
            Payload::Known(_) => &[],
            Payload::Mixed(bytes) => bytes,
        };
        mixed.iter().filter_map(|byte| match byte {
            ByteValue::Concrete(_) => None,
            ByteValue::Symbolic(term) => Some(*term),
        })
    }

    /// Its first bytes.
    pub fn first(&self, count: usize) -> Payload {
        match self {
            Payload::Known(bytes) => Payload::Known(bytes.part(0..count)),
            Payload::Mixed(bytes) => Payload::from(&bytes[..count]),
        }
    }

    /// With other bytes from a place on.
    pub(crate) fn replaced(&self, from: usize, bytes: &[ByteValue]) -> Payload {
        let mut values: Vec<ByteValue> = self.values().collect();
        values[from..from + bytes.len()].copy_from_slice(bytes);
        Payload::from(&values[..])
    }
}

impl Default for Payload {
    fn default() -> Payload {
        Payload::Known(KnownBytes::default())
    }
}

impl From<&[ByteValue]> for Payload {
    fn from(bytes: &[ByteValue]) -> Payload {
        let known: Option<KnownBytes> = bytes.iter().map(|byte| u8::try_from(*byte).ok()).collect();
        known.map_or_else(|| Payload::Mixed(bytes.into()), Payload::Known)
    }
}

impl From<&ByteData> for Payload {
    fn from(data: &ByteData) -> Payload {
        match data {
            ByteData::Known(bytes) => Payload::Known(bytes.clone()),
            ByteData::Mixed(bytes) => Payload::from(&bytes[..]),
        }
    }
}

impl From<&Payload> for ByteData {
    fn from(payload: &Payload) -> ByteData {
        match payload {
            Payload::Known(bytes) => ByteData::Known(bytes.clone()),
            Payload::Mixed(bytes) => ByteData::Mixed(bytes.to_vec()),
        }
    }
}
