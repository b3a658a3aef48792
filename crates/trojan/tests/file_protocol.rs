//! A protocol for files in the manner of FSP, with its checksum, explored as a receiver would be.
//!
//! Clients send one of eight commands with a path of one to four characters. The server checks the checksum,
//! the command, the length and that characters are printable, but takes a zero for the end of the path,
//! wherever it is, and a wildcard for a character.

use std::collections::BTreeSet;
use std::sync::Arc;

use everett_expr::{Pool, TermId};
use everett_solver::{ChainOptions, MonotonicClock, SolverChain};
use everett_trojan::{
    ClassEntry, ClassTable, Coverage, ReceiverState, SearchLimits, SenderOptions, SenderPath,
    SenderSet, TrojanSearch,
};

const COMMANDS: u8 = 8;
const CHARACTERS_MAX: u32 = 4;
/// The offsets of the fields of a message. Key and sequence number have two bytes each, the position four.
const COMMAND: usize = 0;
const SUM: usize = 1;
const KEY: usize = 2;
const LENGTH: usize = 6;
const TEXT: usize = 12;
/// Command, checksum, key, sequence number, length, position; the path and the zero behind it.
const SIZE: usize = TEXT + CHARACTERS_MAX as usize + 1;

/// The sum of all bytes but that of the checksum, with its carries.
fn checksum(pool: &Pool, message: &[TermId]) -> TermId {
    let bytes = message.iter().enumerate().filter(|&(at, _)| at != SUM);
    let size = pool.constant(32, message.len() as u64);
    let sum = bytes.fold(size, |sum, (_, &byte)| pool.add(sum, pool.zext(byte, 32)));
    let carries = pool.lshr(sum, pool.constant(32, 8));
    pool.extract(pool.add(sum, carries), 0, 8)
}

fn is_printable(pool: &Pool, character: TermId) -> TermId {
    let (low, high) = (pool.constant(8, 33), pool.constant(8, 126));
    pool.and(pool.uge(character, low), pool.ule(character, high))
}

fn clients(pool: &Pool) -> SenderSet {
    let mut senders = SenderSet::new("message", SenderOptions::default());
    let header = pool.symbol("header", 8);
    let path = pool.symbol("path", CHARACTERS_MAX);
    for command in 1..=COMMANDS {
        for length in 1..=CHARACTERS_MAX {
            let mut conditions = Vec::new();
            let zero = pool.constant(8, 0);
            let mut message = vec![zero; SIZE];
            message[COMMAND] = pool.constant(8, u64::from(command));
            for at in 0..4 {
                message[KEY + at] = pool.byte(header, at as u32);
                message[LENGTH + 2 + at] = pool.byte(header, 4 + at as u32);
            }
            message[LENGTH] = pool.constant(8, u64::from(length));
            for at in 0..length {
                let character = pool.byte(path, at);
                conditions.push(is_printable(pool, character));
                conditions.push(pool.ne(character, pool.constant(8, u64::from(b'*'))));
                message[TEXT + at as usize] = character;
            }
            message[SUM] = checksum(pool, &message);
            senders.add(pool, &SenderPath { conditions, message });
        }
    }
    senders.set_explored_to_end(true);
    senders
}

/// The place where a path of the server accepts: the command, the length, and the length up to a zero.
type Place = (u8, u32, u32);

/// The server, as a tree of branches.
struct Server<'a> {
    pool: &'a Pool,
    chain: SolverChain,
    search: TrojanSearch,
    message: Vec<TermId>,
    table: ClassTable<Place>,
}

impl Server<'_> {
    /// The state on one side of a branch, unless nothing is to be found there.
    fn side(&mut self, state: &ReceiverState, condition: TermId) -> Option<ReceiverState> {
        let mut state = state.clone();
        let coverage = self.search.assume(self.pool, &mut self.chain, &mut state, condition);
        let coverage = coverage.expect("queries have no limits");
        assert_ne!(coverage, Coverage::Undecided);
        (coverage == Coverage::Trojan).then_some(state)
    }

    fn equals(&self, at: usize, value: u64) -> TermId {
        self.pool.eq(self.message[at], self.pool.constant(8, value))
    }

    fn run(&mut self) {
        let start = self.search.receive(SIZE as u32);
        let sum = self.pool.eq(self.message[SUM], checksum(self.pool, &self.message));
        let Some(start) = self.side(&start, sum) else { return };
        for command in 1..=COMMANDS {
            let is_command = self.equals(COMMAND, u64::from(command));
            let Some(state) = self.side(&start, is_command) else { continue };
            for length in 1..=CHARACTERS_MAX {
                let low = self.equals(LENGTH, u64::from(length));
                let both = self.pool.and(low, self.equals(LENGTH + 1, 0));
                let Some(state) = self.side(&state, both) else { continue };
                self.read(state, (command, length, 0));
            }
        }
    }

    /// Reads the path up to its first zero, or up to its length.
    fn read(&mut self, state: ReceiverState, place: Place) {
        let (command, length, at) = place;
        let character = self.message[TEXT + at as usize];
        let is_end = self.pool.eq(character, self.pool.constant(8, 0));
        if at == length {
            if let Some(state) = self.side(&state, is_end) {
                self.accept(&state, place);
            }
            return;
        }
        if let Some(state) = self.side(&state, is_end) {
            self.accept(&state, place);
        }
        if let Some(state) = self.side(&state, is_printable(self.pool, character)) {
            self.read(state, (command, length, at + 1));
        }
    }

    fn accept(&mut self, state: &ReceiverState, place: Place) {
        let found = self.search.classes(self.pool, &mut self.chain, state);
        let found = found.expect("queries have no limits");
        assert!(found.is_complete);
        for class in found.classes {
            self.table.add(place, class);
        }
    }
}

#[test]
fn all_trojan_messages_of_a_file_protocol_are_found() {
    let pool = Pool::new();
    let senders = clients(&pool);
    assert!(senders.is_exact(SIZE as u32));
    let symbol = senders.message(&pool, SIZE as u32);
    let message = (0..SIZE as u32).map(|at| pool.byte(symbol, at)).collect();
    let chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
    let search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());
    let table = ClassTable::new();
    let mut server = Server { pool: &pool, chain, search, message, table };
    server.run();
    // A path that is shorter than its length: 1 + 2 + 3 + 4 for each of 8 commands.
    let places: BTreeSet<Place> = server.table.iter().map(|(key, _)| key.place).collect();
    assert_eq!(places.iter().filter(|&&(_, length, end)| end < length).count(), 80);
    // As many where the path is as long as it says, and has a wildcard.
    let is_wildcard = |entry: &ClassEntry| entry.example.contains(&b'*');
    assert_eq!(server.table.iter().filter(|(_, entry)| is_wildcard(entry)).count(), 80);
    let first = server.table.iter().filter(|(key, _)| key.place.0 == 1 && key.place.1 <= 2);
    let first =
        first.map(|(key, entry)| format!("{:?} {:?} {:?}", key.place, key.core, entry.example));
    let expected = [
        "(1, 1, 0) [12] [1, 19, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
        "(1, 1, 1) [6, 14] [1, 85, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 33, 0, 33, 0, 0]",
        "(1, 1, 1) [6, 15] [1, 85, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 33, 0, 0, 33, 0]",
        "(1, 1, 1) [12] [1, 61, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 42, 0, 0, 0, 0]",
        "(1, 1, 1) [14] [1, 53, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 33, 0, 1, 0, 0]",
        "(1, 1, 1) [15] [1, 53, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 33, 0, 0, 1, 0]",
        "(1, 1, 1) [16] [1, 53, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 33, 0, 0, 0, 1]",
        "(1, 2, 0) [12] [1, 20, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
        "(1, 2, 1) [6, 13] [1, 53, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0]",
        "(1, 2, 2) [6, 15] [1, 119, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 33, 33, 0, 33, 0]",
        "(1, 2, 2) [12] [1, 95, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 42, 33, 0, 0, 0]",
        "(1, 2, 2) [13] [1, 95, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 33, 42, 0, 0, 0]",
        "(1, 2, 2) [15] [1, 87, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 33, 33, 0, 1, 0]",
        "(1, 2, 2) [16] [1, 87, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 33, 33, 0, 0, 1]",
    ];
    assert_eq!(first.collect::<Vec<_>>(), expected);
}
