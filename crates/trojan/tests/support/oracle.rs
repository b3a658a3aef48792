//! What senders can send and what a receiver accepts, by trying all inputs and all messages.

use everett_expr::{Pool, TermId, VarId};

use crate::random::RandomSystem;

/// A message of two bytes.
pub(crate) type Message = [u8; 2];

/// The cores that a message of two bytes can have, in the order of preference.
const CORES: [&[u32]; 4] = [&[], &[0], &[1], &[0, 1]];

/// The messages that some sender can send.
pub(crate) struct Oracle {
    sendable: Vec<bool>,
    sends_nothing: bool,
    first: Vec<bool>,
    second: Vec<bool>,
    message: VarId,
    accepted: [(u8, u8); 2],
}

impl Oracle {
    pub(crate) fn new(pool: &Pool, system: &RandomSystem) -> Oracle {
        let mut oracle = Oracle {
            sendable: vec![false; 1 << 16],
            sends_nothing: true,
            first: vec![false; 256],
            second: vec![false; 256],
            message: system.message,
            accepted: system.accepted,
        };
        for path in &system.paths {
            for first in path.inputs[0].0..=path.inputs[0].1 {
                for second in path.inputs[1].0..=path.inputs[1].1 {
                    let base = system.input.index();
                    let inputs = [first, second];
                    let assignment = |var: VarId| inputs[var.index() - base];
                    let holds = |&term: &TermId| pool.eval_bool(term, &assignment);
                    if path.path.conditions.iter().all(holds) {
                        let byte =
                            |at: usize| pool.eval_u64(path.path.message[at], &assignment) as u8;
                        oracle.send([byte(0), byte(1)]);
                    }
                }
            }
        }
        oracle
    }

    /// Lets senders send any second byte, as if it was not looked at.
    pub(crate) fn mask_second(&mut self) {
        for first in 0..=255 {
            if self.first[usize::from(first)] {
                (0..=255).for_each(|second| self.send([first, second]));
            }
        }
    }

    fn send(&mut self, message: Message) {
        self.sendable[usize::from(u16::from_be_bytes(message))] = true;
        self.sends_nothing = false;
        self.first[usize::from(message[0])] = true;
        self.second[usize::from(message[1])] = true;
    }

    pub(crate) fn is_sendable(&self, message: Message) -> bool {
        self.sendable[usize::from(u16::from_be_bytes(message))]
    }

    pub(crate) fn is_trojan(&self, pool: &Pool, conditions: &[TermId], message: Message) -> bool {
        let assignment = |var: VarId| message[var.index() - self.message.index()];
        !self.is_sendable(message)
            && conditions.iter().all(|&condition| pool.eval_bool(condition, &assignment))
    }

    /// All Trojan messages, in the order of bytes.
    pub(crate) fn trojans(&self, pool: &Pool, conditions: &[TermId]) -> Vec<Message> {
        let [(low, high), (below, above)] = self.accepted;
        let all = (low..=high).flat_map(|first| (below..=above).map(move |second| [first, second]));
        all.filter(|&message| self.is_trojan(pool, conditions, message)).collect()
    }

    /// Returns `true` if no sender can send these bytes of a message together.
    pub(crate) fn is_blocked(&self, core: &[u32], message: Message) -> bool {
        match core {
            [] => self.sends_nothing,
            [0] => !self.first[usize::from(message[0])],
            [1] => !self.second[usize::from(message[1])],
            _ => !self.is_sendable(message),
        }
    }

    /// The first set of bytes of a Trojan message that no sender can send together.
    pub(crate) fn core(&self, message: Message) -> &'static [u32] {
        let core = CORES.iter().find(|core| self.is_blocked(core, message));
        core.expect("a Trojan message is blocked by all of its bytes")
    }
}
