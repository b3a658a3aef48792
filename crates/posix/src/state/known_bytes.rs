//! Concrete bytes that many may have at the same time: [`KnownBytes`].
//!
//! What a program sends is copied out of its memory once. The message, the queue of the receiver and what
//! is taken out of that queue in one piece share these bytes.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

use everett_base::hash::hash_bytes;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};

/// Concrete bytes; cloning shares them.
#[derive(Clone, Default)]
pub struct KnownBytes {
    /// `None` if there are none.
    all: Option<Arc<Vec<u8>>>,
    /// The part of them that is meant.
    from: usize,
    to: usize,
}

impl KnownBytes {
    /// A part of them. A small one gets bytes of its own, so that it does not keep all the others.
    pub(crate) fn part(&self, range: Range<usize>) -> KnownBytes {
        let part = &self[range.clone()];
        match &self.all {
            Some(all) if part.len() > all.len() / 2 => {
                let (from, to) = (self.from + range.start, self.from + range.end);
                KnownBytes { all: Some(all.clone()), from, to }
            }
            _ => KnownBytes::from(part),
        }
    }

    /// Adds bytes at the end, in place if nobody else has these.
    pub(crate) fn extend(&mut self, more: &[u8]) {
        let range = self.from..self.to;
        let own = match self.all.as_mut().map(Arc::get_mut) {
            Some(Some(own)) if own.len() == range.end => own,
            _ => {
                let mut own = Vec::with_capacity(range.len() + more.len());
                own.extend_from_slice(self);
                (self.from, self.to) = (0, own.len());
                Arc::get_mut(self.all.insert(Arc::new(own))).expect("nobody else has it yet")
            }
        };
        own.extend_from_slice(more);
        self.to += more.len();
    }
}

impl Deref for KnownBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.all.as_ref().map_or(&[], |all| &all[self.from..self.to])
    }
}

impl From<Vec<u8>> for KnownBytes {
    fn from(bytes: Vec<u8>) -> KnownBytes {
        let to = bytes.len();
        KnownBytes { all: (to > 0).then(|| Arc::new(bytes)), from: 0, to }
    }
}

impl From<&[u8]> for KnownBytes {
    fn from(bytes: &[u8]) -> KnownBytes {
        KnownBytes::from(bytes.to_vec())
    }
}

impl FromIterator<u8> for KnownBytes {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> KnownBytes {
        KnownBytes::from(bytes.into_iter().collect::<Vec<u8>>())
    }
}

impl PartialEq for KnownBytes {
    fn eq(&self, other: &KnownBytes) -> bool {
        **self == **other
    }
}

impl Eq for KnownBytes {}

impl Hash for KnownBytes {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(hash_bytes(self));
    }
}

impl fmt::Debug for KnownBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Portable for KnownBytes {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.byte_string(self);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.byte_string().map(KnownBytes::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_not_changed_and_small_parts_are_not_shared() {
        let whole = KnownBytes::from(&b"abcdefgh"[..]);
        let mut large = whole.part(1..7);
        let small = whole.part(6..8);
        large.extend(b"xyz");
        large.extend(b"!");
        assert_eq!(
            (&whole[..], &large[..], &small[..]),
            (&b"abcdefgh"[..], &b"bcdefgxyz!"[..], &b"gh"[..])
        );
        let is_of_whole = |part: &KnownBytes| {
            Arc::ptr_eq(part.all.as_ref().unwrap(), whole.all.as_ref().unwrap())
        };
        assert!(is_of_whole(&whole.part(2..8)) && !is_of_whole(&small) && !is_of_whole(&large));
        assert_eq!(whole.part(3..3), KnownBytes::default());
    }
}
