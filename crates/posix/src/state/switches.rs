//! Preemptions along a path: [`ThreadSwitch`].

use everett_interp::ProgramId;
use everett_ir::Pc;

use crate::state::ids::Tid;

/// A preemption along a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadSwitch {
    /// The how-manieth place where one was possible.
    pub point: u64,
    /// The number of the thread that ran, of the others that could run there, in the order of their numbers.
    pub choice: u32,
}

everett_base::portable!(struct ThreadSwitch { point, choice });

/// A preemption with its threads and its place, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadPreemption {
    /// The preemption itself.
    pub switch: ThreadSwitch,
    /// Virtual time of the node in nanoseconds.
    pub time_ns: u64,
    /// The thread that ran.
    pub from: Tid,
    /// The one that ran instead.
    pub to: Tid,
    /// The next operation of the first one, in the program's own code.
    pub place: Option<(ProgramId, Pc)>,
}

everett_base::portable!(struct ThreadPreemption { switch, time_ns, from, to, place });

impl ThreadSwitch {
    /// Bytes of one in a test case.
    pub const BYTES: usize = 12;

    /// As a test case has it.
    pub fn to_bytes(self) -> [u8; ThreadSwitch::BYTES] {
        let mut bytes = [0; ThreadSwitch::BYTES];
        bytes[..8].copy_from_slice(&self.point.to_le_bytes());
        bytes[8..].copy_from_slice(&self.choice.to_le_bytes());
        bytes
    }

    /// All preemptions of a test case; an incomplete one at the end is passed over.
    pub fn read_all(bytes: &[u8]) -> Vec<ThreadSwitch> {
        let (chunks, _) = bytes.as_chunks::<{ ThreadSwitch::BYTES }>();
        let switch = |chunk: &[u8; ThreadSwitch::BYTES]| {
            let word = u128::from_le_bytes(std::array::from_fn(|i| *chunk.get(i).unwrap_or(&0)));
            ThreadSwitch { point: word as u64, choice: (word >> 64) as u32 }
        };
        chunks.iter().map(switch).collect()
    }
}
