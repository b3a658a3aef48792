//! [`ByteQueue`]: the bytes of a stream that were received and not read yet.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use crate::state::data::ByteData;
use crate::state::known_bytes::KnownBytes;

/// Small pieces are joined up to this size, so that many small writes cost little.
const CHUNK_BYTES: usize = 4096;

/// Bytes in order; cloning shares them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByteQueue {
    pieces: Arc<VecDeque<ByteData>>,
    /// Bytes of the first piece that were taken.
    taken: usize,
    len: usize,
}

everett_base::portable!(struct ByteQueue { pieces, taken, len });

impl ByteQueue {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts bytes at the end.
    pub(crate) fn push(&mut self, data: ByteData) {
        self.len += data.len();
        let pieces = Arc::make_mut(&mut self.pieces);
        match (pieces.back_mut(), &data) {
            (Some(ByteData::Known(last)), ByteData::Known(more))
                if last.len() + more.len() <= CHUNK_BYTES =>
            {
                last.extend(more);
            }
            _ => pieces.push_back(data),
        }
    }

    /// The pieces of the first bytes, up to `want`, each with the part of it that is among them.
    fn pieces(&self, want: usize) -> impl Iterator<Item = (&ByteData, Range<usize>)> {
        let (mut from, mut left) = (self.taken, want.min(self.len));
        self.pieces.iter().map_while(move |piece| {
            let to = piece.len().min(from + left);
            let part = (left > 0).then_some((piece, from..to));
            left -= to - from;
            from = 0;
            part
        })
    }

    /// The first bytes, up to `want`, which stay. They are shared if they are in one piece.
    pub(crate) fn peek(&self, want: usize) -> ByteData {
        let want = want.min(self.len);
        match self.pieces(want).next() {
            None => return ByteData::default(),
            Some((piece, part)) if part.len() == want => return piece.part(part.start, part.end),
            Some(_) => {}
        }
        let mut known = Vec::with_capacity(want);
        for (piece, part) in self.pieces(want) {
            match piece {
                ByteData::Known(bytes) => known.extend_from_slice(&bytes[part]),
                ByteData::Mixed(_) => return self.peek_mixed(want),
            }
        }
        ByteData::Known(known.into())
    }

    /// The first bytes, some of which are symbolic.
    fn peek_mixed(&self, want: usize) -> ByteData {
        let mut found = ByteData::default();
        for (piece, part) in self.pieces(want) {
            found.append(piece.part(part.start, part.end));
        }
        found
    }

    /// Drops the first bytes, which are there.
    pub(crate) fn skip(&mut self, count: usize) {
        self.len -= count;
        let pieces = Arc::make_mut(&mut self.pieces);
        let mut left = count + self.taken;
        while let Some(first) = pieces.front()
            && left >= first.len()
        {
            left -= first.len();
            pieces.pop_front();
        }
        self.taken = left;
    }

    /// Takes the first bytes, up to `want`, in their pieces; `None`, and nothing is taken, if one of them is
    /// symbolic.
    pub(crate) fn take_known_pieces(&mut self, want: usize) -> Option<Vec<KnownBytes>> {
        let known = |(piece, part): (&ByteData, Range<usize>)| match piece {
            ByteData::Known(bytes) => Some(bytes.part(part)),
            ByteData::Mixed(_) => None,
        };
        let pieces: Vec<KnownBytes> = self.pieces(want).map(known).collect::<Option<_>>()?;
        self.skip(pieces.iter().map(|piece| piece.len()).sum());
        Some(pieces)
    }

    /// Takes the first bytes, up to `want`.
    pub(crate) fn take(&mut self, want: usize) -> ByteData {
        let data = self.peek(want.min(self.len));
        self.skip(data.len());
        data
    }
}

#[cfg(test)]
mod tests {
    use everett_expr::Pool;
    use everett_memory::ByteValue;

    use super::*;

    #[test]
    fn pieces_are_taken_across_their_borders() {
        let pool = Pool::new();
        let byte = ByteValue::Symbolic(pool.byte(pool.symbol("x", 1), 0));
        let mut queue = ByteQueue::default();
        queue.push(ByteData::Known(b"abc"[..].into()));
        queue.push(ByteData::Mixed(vec![byte]));
        queue.push(ByteData::Known(b"de"[..].into()));
        let copy = queue.clone();
        assert_eq!(queue.take(2), ByteData::Known(b"ab"[..].into()));
        assert_eq!(queue.peek(3), queue.take(3));
        assert_eq!((queue.len(), queue.take(9)), (1, ByteData::Known(b"e"[..].into())));
        assert!(queue.is_empty() && copy.len() == 6);
        let all = copy.peek(6).to_values();
        assert_eq!((all[2], all[3], all[4]), (ByteValue::from(b'c'), byte, ByteValue::from(b'd')));
    }
}
