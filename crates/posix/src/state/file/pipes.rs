//! The pipes and fifos of a node: [`PipeTable`].

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use everett_base::{Apart, Copies, RadixMap, shares_nothing};
use everett_fs::InodeId;
use linux_raw_sys::general as linux;

use crate::state::data::ByteData;
use crate::state::ids::{PipeId, ThreadKey};

/// Bytes that a pipe holds.
pub(crate) const CAPACITY: usize = 65536;

/// Writes are joined up to this size, so that many small ones cost little.
pub(crate) const CHUNK_BYTES: usize = 4096;

/// All pipes of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct PipeTable {
    pub(crate) pipes: RadixMap<Pipe>,
    pub(crate) next: u32,
    /// Fifos that are open somewhere, or waited for.
    pub(crate) fifos: BTreeMap<InodeId, PipeId>,
}

everett_base::portable!(struct PipeTable { pipes, next, fifos });

impl Apart for PipeTable {
    fn apart(&mut self, copies: &mut Copies) {
        let PipeTable { pipes, next: _, fifos: _ } = self;
        pipes.apart(copies);
    }
}

shares_nothing!(Pipe);

/// A pipe.
#[derive(Clone, Debug)]
pub(crate) struct Pipe {
    /// The bytes that were written and not yet read; of the first piece, `taken` bytes were read.
    pub(crate) pieces: Arc<VecDeque<ByteData>>,
    pub(crate) taken: usize,
    pub(crate) len: usize,
    pub(crate) capacity: usize,
    pub(crate) readers: u32,
    pub(crate) writers: u32,
    /// True if it was ever open for writing: only then its reader sees a hang-up.
    pub(crate) had_writer: bool,
    /// Writes and closed writers so far, and reads: what wakes those that watch for edges.
    pub(crate) arrivals: u64,
    pub(crate) departures: u64,
    /// Threads that wait for the other end to be opened.
    pub(crate) openers: Vec<FifoOpener>,
}

everett_base::portable!(struct Pipe {
    pieces, taken, len, capacity, readers, writers, had_writer, arrivals, departures, openers,
});

/// A thread that waits to open a fifo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FifoOpener {
    pub(crate) who: ThreadKey,
    pub(crate) write: bool,
    /// The other end came; this one is counted as open already.
    pub(crate) met: bool,
}

everett_base::portable!(struct FifoOpener { who, write, met });

impl Pipe {
    pub(crate) fn new() -> Pipe {
        Pipe {
            pieces: Arc::default(),
            taken: 0,
            len: 0,
            capacity: CAPACITY,
            readers: 0,
            writers: 0,
            had_writer: false,
            arrivals: 0,
            departures: 0,
            openers: Vec::new(),
        }
    }

    pub(crate) fn room(&self) -> usize {
        self.capacity.saturating_sub(self.len)
    }

    pub(crate) fn push(&mut self, data: ByteData) {
        self.len += data.len();
        self.arrivals += 1;
        let pieces = Arc::make_mut(&mut self.pieces);
        match pieces.back_mut() {
            Some(ByteData::Known(last)) if last.len() + data.len() <= CHUNK_BYTES => {
                if let ByteData::Known(more) = &data {
                    last.extend(more);
                } else {
                    pieces.push_back(data);
                }
            }
            _ => pieces.push_back(data),
        }
    }

    /// Takes up to `want` bytes out.
    pub(crate) fn take(&mut self, want: usize) -> ByteData {
        let mut taken = ByteData::default();
        let want = want.min(self.len);
        self.len -= want;
        self.departures += 1;
        let pieces = Arc::make_mut(&mut self.pieces);
        while taken.len() < want
            && let Some(first) = pieces.front()
        {
            let from = self.taken;
            let to = first.len().min(from + want - taken.len());
            let whole = to == first.len();
            taken.append(if from == 0 && whole { first.clone() } else { first.part(from, to) });
            self.taken = if whole { 0 } else { to };
            if whole {
                pieces.pop_front();
            }
        }
        taken
    }
}

impl PipeTable {
    pub(crate) fn get(&self, id: PipeId) -> &Pipe {
        self.pipes.get(id.0.into()).expect("a pipe is there while an end is open")
    }

    pub(crate) fn get_mut(&mut self, id: PipeId) -> &mut Pipe {
        self.pipes.get_mut(id.0.into()).expect("a pipe is there while an end is open")
    }

    pub(crate) fn add(&mut self) -> PipeId {
        let id = PipeId(self.next);
        self.next += 1;
        self.pipes.insert(id.0.into(), Pipe::new());
        id
    }

    /// Counts one more end, or two.
    pub(crate) fn open(&mut self, id: PipeId, flags: u32) {
        let pipe = self.get_mut(id);
        let (reads, writes) = access(flags);
        pipe.readers += u32::from(reads);
        pipe.writers += u32::from(writes);
        pipe.had_writer |= writes;
    }
}

/// The access that flags ask for: to read, and to write.
pub(crate) fn access(flags: u32) -> (bool, bool) {
    match flags & linux::O_ACCMODE {
        linux::O_RDONLY => (true, false),
        linux::O_WRONLY => (false, true),
        _ => (true, true),
    }
}
