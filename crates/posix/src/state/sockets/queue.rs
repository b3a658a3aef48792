//! [`ByteQueue`]: the bytes of a stream that were received and not read yet.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::state::data::ByteData;

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
                last.extend_from_slice(more);
            }
            _ => pieces.push_back(data),
        }
    }

    /// The first bytes, up to `want`, which stay.
    pub(crate) fn peek(&self, want: usize) -> ByteData {
        let mut found = ByteData::Known(Vec::new());
        let mut from = self.taken;
        for piece in self.pieces.iter() {
            let to = piece.len().min(from.saturating_add(want - found.len()));
            found.append(piece.part(from, to));
            from = 0;
            if found.len() == want {
                break;
            }
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
        queue.push(ByteData::Known(b"abc".to_vec()));
        queue.push(ByteData::Mixed(vec![byte]));
        queue.push(ByteData::Known(b"de".to_vec()));
        let copy = queue.clone();
        assert_eq!(queue.take(2), ByteData::Known(b"ab".to_vec()));
        assert_eq!(queue.peek(3), queue.take(3));
        assert_eq!((queue.len(), queue.take(9)), (1, ByteData::Known(b"e".to_vec())));
        assert!(queue.is_empty() && copy.len() == 6);
        let all = copy.peek(6).to_values();
        assert_eq!((all[2], all[3], all[4]), (ByteValue::from(b'c'), byte, ByteValue::from(b'd')));
    }
}
