//! Senders that are written by hand, each with the check that its receiver forgets.

use std::sync::Arc;

use everett_expr::{Pool, TermId, VarId};
use everett_solver::{
    Backend, BackendChoice, ChainOptions, MonotonicClock, QueryBudget, SolverAnswer, SolverChain,
    SolverError,
};
use everett_trojan::{
    Certainty, ClassTable, Coverage, EliminationLimits, MessageCount, ReceiverState, SearchLimits,
    SenderOptions, SenderPath, SenderPathId, SenderSet, TrojanClasses, TrojanSearch,
};

/// Terms, a solver, and the senders that are added.
struct Bench {
    pool: Pool,
    chain: SolverChain,
    senders: SenderSet,
}

impl Bench {
    fn new(options: SenderOptions) -> Bench {
        Bench::with_pool(Pool::new(), options)
    }

    fn with_pool(pool: Pool, options: SenderOptions) -> Bench {
        let chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
        let mut senders = SenderSet::new("message", options);
        senders.set_explored_to_end(true);
        Bench { pool, chain, senders }
    }

    fn input(&self, name: &str, size: u32) -> Vec<TermId> {
        let symbol = self.pool.symbol(name, size);
        (0..size).map(|at| self.pool.byte(symbol, at)).collect()
    }

    fn message(&self, length: u32) -> Vec<TermId> {
        let symbol = self.senders.message(&self.pool, length);
        (0..length).map(|at| self.pool.byte(symbol, at)).collect()
    }

    fn byte(&self, value: u8) -> TermId {
        self.pool.constant(8, u64::from(value))
    }

    /// The condition that a byte is from `low` to `high`.
    fn within(&self, byte: TermId, low: u8, high: u8) -> TermId {
        let (low, high) = (self.byte(low), self.byte(high));
        self.pool.and(self.pool.uge(byte, low), self.pool.ule(byte, high))
    }

    fn send(&mut self, conditions: &[TermId], message: &[TermId]) -> SenderPathId {
        let path = SenderPath { conditions: conditions.to_vec(), message: message.to_vec() };
        self.senders.add(&self.pool, &path)
    }

    /// The classes of a receiver with these conditions.
    fn receive(self, length: u32, conditions: &[TermId]) -> TrojanClasses {
        let Bench { pool, mut chain, senders } = self;
        let mut search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());
        let mut state = search.receive(length);
        for &condition in conditions {
            search
                .assume(&pool, &mut chain, &mut state, condition)
                .expect("queries have no limits");
        }
        let found = search.classes(&pool, &mut chain, &state).expect("queries have no limits");
        let has_trojan = !found.classes.is_empty();
        assert_eq!(state.coverage() == Coverage::Trojan, has_trojan);
        found
    }
}

/// The cores and examples of classes that are complete.
#[track_caller]
fn check(found: &TrojanClasses, expected: &[(&[u32], &[u8])]) {
    let classes: Vec<(&[u32], &[u8])> =
        found.classes.iter().map(|class| (&*class.core, &*class.example)).collect();
    assert_eq!(classes, expected);
    assert!(found.is_complete);
    assert!(found.classes.iter().all(|class| class.certainty == Certainty::Certain));
}

#[test]
fn an_address_that_is_not_checked_against_zero() {
    // Clients read or write an address from 0 to 99. The server does not check reads for negative ones.
    let mut bench = Bench::new(SenderOptions::default());
    let address = bench.input("address", 1)[0];
    let limits = [bench.within(address, 0, 99)];
    for command in [1, 2] {
        let message = [bench.byte(command), address];
        bench.send(&limits, &message);
    }
    assert!(bench.senders.is_exact(2));
    assert_eq!((bench.senders.row_count(2), bench.senders.group_count()), (2, 3));
    let message = bench.message(2);
    let is_read = bench.pool.eq(message[0], bench.byte(1));
    let below = bench.pool.slt(message[1], bench.byte(100));
    check(&bench.receive(2, &[is_read, below]), &[(&[1], &[1, 0x80])]);
}

#[test]
fn a_length_that_is_not_held_against_the_string() {
    // The sender writes the length of a string of at most 3 characters, and the string, padded with zeros.
    let mut bench = Bench::new(SenderOptions::default());
    let text = bench.input("text", 3);
    for length in 0..=3u8 {
        let mut conditions = Vec::new();
        let mut message = vec![bench.byte(length)];
        for (at, &character) in text.iter().enumerate() {
            let is_inside = at < usize::from(length);
            message.push(if is_inside { character } else { bench.byte(0) });
            if is_inside {
                conditions.push(bench.pool.ne(character, bench.byte(0)));
            }
        }
        bench.send(&conditions, &message);
    }
    assert!(bench.senders.is_exact(4));
    let message = bench.message(4);
    let in_range = bench.within(message[0], 1, 3);
    let found = bench.receive(4, &[in_range]);
    // The first character is missing, and one is behind the end: two places for that.
    check(&found, &[(&[0, 1], &[1, 0, 0, 0]), (&[0, 3], &[1, 1, 0, 1]), (&[0, 2], &[1, 1, 1, 0])]);
}

/// A sender of three bytes and a checksum of them, and a receiver that leaves `left_out` out of its check.
fn checksum(left_out: usize, sum: &dyn Fn(&Pool, &[TermId]) -> TermId) -> TrojanClasses {
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 3);
    let mut message = input.clone();
    message.push(sum(&bench.pool, &input));
    bench.send(&[], &message);
    assert!(bench.senders.is_exact(4), "a checksum is a condition among message bytes");
    let mut received = bench.message(4);
    let stored = received.pop().expect("there are four bytes");
    received[left_out] = bench.byte(0);
    let agrees = bench.pool.eq(sum(&bench.pool, &received), stored);
    bench.receive(4, &[agrees])
}

#[test]
fn a_checksum_over_all_but_one_byte() {
    let xor = |pool: &Pool, bytes: &[TermId]| {
        bytes.iter().fold(pool.constant(8, 0), |sum, &byte| pool.xor(sum, byte))
    };
    let add = |pool: &Pool, bytes: &[TermId]| {
        bytes.iter().fold(pool.constant(8, 7), |sum, &byte| pool.add(sum, byte))
    };
    for sum in [&xor as &dyn Fn(&Pool, &[TermId]) -> TermId, &add] {
        for left_out in 0..3 {
            let found = checksum(left_out, sum);
            assert_eq!((found.classes.len(), found.is_complete), (1, true));
            assert_eq!(found.classes[0].core, [0, 1, 2, 3]);
            let mut example = [0; 4];
            example[left_out] = 1;
            assert_eq!(found.classes[0].example[..3], example[..3]);
        }
    }
}

/// One byte of CRC-8 with the polynomial x^8 + x^2 + x + 1.
fn crc8(pool: &Pool, bytes: &[TermId]) -> TermId {
    let mut crc = pool.constant(8, 0);
    for &byte in bytes {
        crc = pool.xor(crc, byte);
        for _ in 0..8 {
            let shifted = pool.shl(crc, pool.constant(8, 1));
            let carry = pool.extract(crc, 7, 1);
            crc = pool.ite(carry, pool.xor(shifted, pool.constant(8, 7)), shifted);
        }
    }
    crc
}

#[test]
fn a_crc_over_all_but_one_byte() {
    let found = checksum(1, &crc8);
    assert_eq!((found.classes.len(), found.is_complete), (1, true));
    assert_eq!(found.classes[0].example, [0, 1, 0, 0]);
    assert_eq!(found.classes[0].core, [0, 1, 2, 3]);
}

/// CRC-32 as of Ethernet, bit by bit.
fn crc32(pool: &Pool, bytes: &[TermId]) -> TermId {
    let mut crc = pool.constant(32, 0xffff_ffff);
    for &byte in bytes {
        crc = pool.xor(crc, pool.zext(byte, 32));
        for _ in 0..8 {
            let shifted = pool.lshr(crc, pool.constant(32, 1));
            let reduced = pool.xor(shifted, pool.constant(32, 0xedb8_8320));
            crc = pool.ite(pool.extract(crc, 0, 1), reduced, shifted);
        }
    }
    pool.not(crc)
}

/// A sender of eight bytes with their CRC-32, and the first class of a receiver that checks it for a part of
/// them. Messages that have both sums right are hard to find or to rule out: the solver gives up on them,
/// which costs nothing but time.
fn first_class_of_crc32(checked: std::ops::Range<usize>) -> TrojanClasses {
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 8);
    let sum = crc32(&bench.pool, &input);
    let sum = (0..4).map(|at| bench.pool.extract(sum, 8 * at, 8));
    let sent: Vec<TermId> = input.iter().copied().chain(sum).collect();
    bench.send(&[], &sent);
    assert!(bench.senders.is_exact(12));
    let received = bench.message(12);
    let sum = crc32(&bench.pool, &received[checked]);
    let stored =
        received[9..].iter().fold(received[8], |word, &byte| bench.pool.concat(byte, word));
    let agrees = bench.pool.eq(sum, stored);
    let Bench { pool, senders, .. } = bench;
    let options = ChainOptions {
        backend: BackendChoice::Bitblast,
        query_conflicts: Some(500),
        ..ChainOptions::default()
    };
    let mut chain = SolverChain::new(options, MonotonicClock::stopped());
    let limits = SearchLimits { classes_max: 1, ..SearchLimits::default() };
    let mut search = TrojanSearch::new(Arc::new(senders), limits);
    let mut state = search.receive(12);
    search.assume(&pool, &mut chain, &mut state, agrees).expect("queries have no limits");
    search.classes(&pool, &mut chain, &state).expect("queries have no limits")
}

#[test]
fn a_crc_of_four_bytes() {
    check(&first_class_of_crc32(0..8), &[]);
    let found = first_class_of_crc32(1..8);
    assert_eq!((found.classes.len(), found.is_complete), (1, false));
    assert_eq!(found.classes[0].example[..8], [0; 8]);
}

#[test]
fn even_values_only() {
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 1)[0];
    let double = bench.pool.mul(input, bench.byte(2));
    bench.send(&[bench.pool.ne(input, bench.byte(0))], &[double]);
    assert!(bench.senders.is_exact(1));
    let received = bench.message(1)[0];
    let positive = bench.pool.ugt(received, bench.byte(0));
    // 128 * 2 is 0, but so is no positive number: all even ones can be sent.
    check(&bench.receive(1, &[positive]), &[(&[0], &[1])]);
}

#[test]
fn an_enumeration_with_a_gap() {
    let mut bench = Bench::new(SenderOptions::default());
    let kind = bench.input("kind", 1)[0];
    let kinds = [1, 2, 4, 5].map(|value| bench.pool.eq(kind, bench.byte(value)));
    let is_known = kinds.into_iter().reduce(|any, one| bench.pool.or(any, one)).unwrap();
    bench.send(&[is_known], &[kind]);
    assert!(bench.senders.is_exact(1));
    let in_range = bench.within(bench.message(1)[0], 1, 5);
    check(&bench.receive(1, &[in_range]), &[(&[0], &[3])]);
}

#[test]
fn two_senders_with_different_abilities() {
    // A user may read and write; only an administrator may delete, and only with a token of 7.
    let mut bench = Bench::new(SenderOptions::default());
    let (command, token) = (bench.input("command", 1)[0], bench.input("token", 1)[0]);
    let user = bench.send(&[bench.within(command, 1, 2)], &[command, token]);
    let admin = bench.send(&[], &[bench.byte(3), bench.byte(7)]);
    let Bench { pool, mut chain, senders } = bench;
    let message = pool.symbol("message", 2);
    let received = [pool.byte(message, 0), pool.byte(message, 1)];
    let mut search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());

    let mut senders_of =
        |message: &[u8]| search.senders_of(&pool, &mut chain, message).unwrap().certain;
    assert_eq!(senders_of(&[2, 9]), [user]);
    assert_eq!(senders_of(&[3, 7]), [admin]);
    assert_eq!(senders_of(&[3, 8]), []);

    let mut state = search.receive(2);
    assert_eq!(state.live_row_count(), 2);
    let at_most = pool.ule(received[0], pool.constant(8, 3));
    let above = pool.ugt(received[0], pool.constant(8, 0));
    search.assume(&pool, &mut chain, &mut state, at_most).unwrap();
    search.assume(&pool, &mut chain, &mut state, above).unwrap();
    let mut by_user = state.clone();
    let is_delete = pool.eq(received[0], pool.constant(8, 3));
    let coverage = search.assume(&pool, &mut chain, &mut by_user, pool.not(is_delete)).unwrap();
    assert_eq!((coverage, by_user.live_row_count()), (Coverage::Covered, 1));
    let coverage = search.assume(&pool, &mut chain, &mut state, is_delete).unwrap();
    assert_eq!(coverage, Coverage::Trojan);
    let found = search.classes(&pool, &mut chain, &state).unwrap();
    check(&found, &[(&[0, 1], &[3, 0])]);
}

/// A sender of the number after one that both sides know, in network byte order. Returns the last number,
/// the next one, and the number that is received.
fn sequence_sender() -> (Bench, [TermId; 3]) {
    let pool = Pool::new();
    let last = pool.symbol("last", 2);
    let shared: Vec<VarId> = (0..2).map(|at| pool.symbol_var(last, at)).collect();
    let last = pool.concat(pool.byte(last, 0), pool.byte(last, 1));
    let next = pool.add(last, pool.constant(16, 1));
    let sent = [pool.extract(next, 8, 8), pool.extract(next, 0, 8)];
    let mut bench = Bench::with_pool(pool, SenderOptions { shared, ..SenderOptions::default() });
    bench.send(&[], &sent);
    assert!(bench.senders.is_exact(2));
    let message = bench.message(2);
    let received = bench.pool.concat(message[0], message[1]);
    (bench, [last, next, received])
}

#[test]
fn a_sequence_number_that_may_be_any_later_one() {
    let (bench, [last, _, received]) = sequence_sender();
    let is_later = bench.pool.ugt(received, last);
    // The last number is 0 in both: 2 is not the number after it, nor is 257, whose low byte is right.
    check(&bench.receive(2, &[is_later]), &[(&[1], &[0, 2]), (&[0], &[1, 1])]);
}

#[test]
fn a_sequence_number_that_is_checked() {
    let (bench, [_, next, received]) = sequence_sender();
    let is_next = bench.pool.eq(received, next);
    check(&bench.receive(2, &[is_next]), &[]);
}

#[test]
fn words_are_inverted_whatever_their_byte_order() {
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 4);
    let pool = &bench.pool;
    let word = input.iter().skip(1).fold(input[0], |word, &byte| pool.concat(byte, word));
    let sum =
        pool.add(pool.xor(word, pool.constant(32, 0xdead_beef)), pool.constant(32, 0x1234_5678));
    let swapped = pool.bswap(sum);
    let message: Vec<TermId> = (0..4).map(|at| pool.extract(swapped, 8 * at, 8)).collect();
    let small = pool.ult(word, pool.constant(32, 1000));
    bench.send(&[small], &message);
    assert!(bench.senders.is_exact(4));
    // All words that are sent begin with 0xf0e21, of which the receiver checks a part.
    let message = bench.message(4);
    let first = bench.within(message[0], 0xf0, 0xf1);
    let second = bench.pool.eq(message[1], bench.byte(0xe2));
    let found = bench.receive(4, &[first, second]);
    let cores: Vec<&[u32]> = found.classes.iter().map(|class| &*class.core).collect();
    assert_eq!((cores, found.is_complete), (vec![&[2][..], &[2, 3], &[0]], true));
}

#[test]
fn digits_are_inverted_by_table() {
    // The sender writes a byte in hexadecimal; the receiver accepts capitals, too.
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 1)[0];
    let digits = bench.pool.const_array(b"0123456789abcdef");
    let digit = |low| bench.pool.zext(bench.pool.extract(input, low, 4), 64);
    let message = [4, 0].map(|low| bench.pool.select(digits, digit(low)));
    bench.send(&[], &message);
    assert!(bench.senders.is_exact(2));
    let message = bench.message(2);
    let first = bench.within(message[0], b'A', b'f');
    let second = bench.within(message[1], b'0', b'9');
    check(&bench.receive(2, &[first, second]), &[(&[0], b"A0")]);
}

#[test]
fn masked_bytes_are_not_looked_at() {
    let mut bench = Bench::new(SenderOptions {
        masked: std::iter::once(1..2).collect(),
        ..SenderOptions::default()
    });
    let input = bench.input("input", 2);
    let small = bench.pool.ult(input[1], bench.byte(16));
    let total = bench.pool.add(input[0], input[1]);
    bench.send(&[small], &[input[0], total, input[1]]);
    let message = bench.message(3);
    let small = bench.pool.ult(message[2], bench.byte(17));
    check(&bench.receive(3, &[small]), &[(&[2], &[0, 0, 16])]);
}

#[test]
fn a_length_that_nobody_sends_has_an_empty_core() {
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 2);
    bench.send(&[], &input);
    assert_eq!(bench.senders.lengths().collect::<Vec<_>>(), [2]);
    let received = bench.message(1)[0];
    let is_set = bench.pool.ne(received, bench.byte(0));
    check(&bench.receive(1, &[is_set]), &[(&[], &[1])]);
}

/// A hash of two bytes that no step of the elimination inverts.
fn hash(pool: &Pool, input: &[TermId], low: u32) -> TermId {
    let word = pool.concat(input[0], input[1]);
    let square = pool.mul(word, word);
    pool.extract(square, low, 8)
}

#[test]
fn inputs_that_stay_are_dealt_with_by_refinement() {
    // The first byte is a hash of two inputs, which are not sent otherwise.
    let mut bench = Bench::new(SenderOptions {
        limits: EliminationLimits { alternatives_max: 1, expansion_max: 0 },
        ..SenderOptions::default()
    });
    let input = bench.input("input", 2);
    let (kind, digest) = (bench.input("kind", 1)[0], hash(&bench.pool, &input, 1));
    bench.send(&[bench.within(kind, 1, 3)], &[digest, kind]);
    assert!(!bench.senders.is_exact(2));
    let sendable: Vec<bool> = {
        let mut sendable = vec![false; 256];
        let digest = |word: u16| {
            let square = word.wrapping_mul(word);
            usize::from(square >> 1 & 0xff)
        };
        (0..=u16::MAX).for_each(|word| sendable[digest(word)] = true);
        sendable
    };
    // The second bit of a square is 0.
    let first = (0..=255u8).find(|&value| !sendable[usize::from(value)]).unwrap();
    assert_eq!(first, 1);
    let message = bench.message(2);
    let is_kind = bench.within(message[1], 1, 3);
    check(&bench.receive(2, &[is_kind]), &[(&[0], &[first, 1])]);
}

#[test]
fn a_search_that_is_cut_off_claims_nothing() {
    let mut bench = Bench::new(SenderOptions {
        limits: EliminationLimits { alternatives_max: 1, expansion_max: 0 },
        ..SenderOptions::default()
    });
    let input = bench.input("input", 2);
    let digest = hash(&bench.pool, &input, 4);
    bench.send(&[], &[digest]);
    let Bench { pool, mut chain, senders } = bench;
    let limits = SearchLimits { rounds_max: 3, ..SearchLimits::default() };
    let received = pool.byte(senders.message(&pool, 1), 0);
    let mut search = TrojanSearch::new(Arc::new(senders), limits);
    let mut state = search.receive(1);
    // 0, 1, 4 and 9 are squares, cut by four bits: 0, 0, 0, 0; 16 is 1, 36 is 2, 49 is 3, and so on.
    let small = pool.ult(received, pool.constant(8, 5));
    let coverage = search.assume(&pool, &mut chain, &mut state, small).unwrap();
    assert_eq!(coverage, Coverage::Undecided);
    // What was learnt is kept: asked often enough, the state is covered.
    let covered = (0..3).map(|_| search.cover(&pool, &mut chain, &mut state).unwrap());
    assert_eq!(covered.last(), Some(Coverage::Covered));
}

#[test]
fn searches_and_states_can_go_to_other_threads() {
    fn is_sendable<T: Send + Sync>() {}
    is_sendable::<SenderSet>();
    is_sendable::<ReceiverState>();
    is_sendable::<TrojanSearch>();
}

#[test]
fn messages_of_a_class_are_counted() {
    // 200 of 256 values of the first byte can be sent, and one of the second; the third is free.
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 3);
    let small = bench.pool.ult(input[0], bench.byte(200));
    bench.send(&[small], &[input[0], bench.byte(9), input[2]]);
    let Bench { pool, mut chain, senders } = bench;
    let received = pool.byte(senders.message(&pool, 3), 1);
    let limits = SearchLimits { counts: true, ..SearchLimits::default() };
    let mut search = TrojanSearch::new(Arc::new(senders), limits);
    let mut state = search.receive(3);
    let condition = pool.ult(received, pool.constant(8, 10));
    search.assume(&pool, &mut chain, &mut state, condition).unwrap();
    let found = search.classes(&pool, &mut chain, &state).unwrap();
    let counts: Vec<MessageCount> =
        found.classes.iter().filter_map(|class| class.messages).collect();
    // A wrong second byte with any first byte, and then a wrong first byte.
    assert_eq!(counts, [MessageCount::new(9 * 256, 1), MessageCount::new(56, 1)]);
}

/// A backend that never has an answer.
struct TiredBackend;

impl Backend for TiredBackend {
    fn name(&self) -> &'static str {
        "tired"
    }

    fn check(
        &mut self,
        _: &Pool,
        _: &[TermId],
        _: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError> {
        Ok(SolverAnswer::Unknown)
    }
}

#[test]
fn without_answers_of_the_solver_nothing_is_claimed() {
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 1)[0];
    let path = bench.send(&[bench.within(input, 10, 20)], &[input]);
    let Bench { pool, senders, .. } = bench;
    let clock = MonotonicClock::stopped();
    let mut chain = SolverChain::with_backend(ChainOptions::bare(), clock, Box::new(TiredBackend));
    let received = pool.byte(senders.message(&pool, 1), 0);
    let mut search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());
    let mut state = search.receive(1);
    let large = pool.ugt(received, pool.constant(8, 30));
    let coverage = search.assume(&pool, &mut chain, &mut state, large).unwrap();
    assert_eq!((coverage, state.live_row_count()), (Coverage::Undecided, 1));
    let found = search.classes(&pool, &mut chain, &state).unwrap();
    assert_eq!((found.classes.len(), found.is_complete), (0, false));
    let senders = search.senders_of(&pool, &mut chain, &[40]).unwrap();
    assert_eq!((&*senders.certain, &*senders.undecided), (&[][..], &[path][..]));
}

#[test]
fn long_messages_and_many_paths_are_within_limits() {
    // 1,000 paths of messages of 100 bytes, with a checksum over all of them. The receiver checks the number
    // of the path, and leaves the checksum out.
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 97);
    for path in 0..1000u16 {
        let mut message: Vec<TermId> = path.to_be_bytes().map(|byte| bench.byte(byte)).to_vec();
        message.extend(&input);
        message.push(message.iter().fold(bench.byte(0), |sum, &byte| bench.pool.xor(sum, byte)));
        bench.send(&[], &message);
    }
    assert!(bench.senders.is_exact(100));
    let message = bench.message(100);
    let first = bench.pool.eq(message[0], bench.byte(2));
    let second = bench.pool.ult(message[1], bench.byte(8));
    let found = bench.receive(100, &[first, second]);
    assert_eq!((found.classes.len(), found.is_complete), (1, true));
    let example: Vec<u8> = [2].into_iter().chain([0; 99]).collect();
    assert_eq!(found.classes[0].example, example);
    // Each byte counts; the limit on queries may be reached before that is shown.
    assert_eq!(found.classes[0].core, (0..100).collect::<Vec<u32>>());
}

#[test]
fn a_branch_is_asked_once_for_each_projection() {
    // 64 paths: 8 commands with 8 flags each, independent of each other.
    let mut bench = Bench::new(SenderOptions::default());
    let payload = bench.input("payload", 1)[0];
    for command in 0..8 {
        for flags in 0..8 {
            let message = [bench.byte(command), bench.byte(1 << flags), payload];
            bench.send(&[], &message);
        }
    }
    assert_eq!((bench.senders.row_count(3), bench.senders.group_count()), (64, 16));
    let Bench { pool, mut chain, senders } = bench;
    let received = pool.byte(senders.message(&pool, 3), 0);
    let mut search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());
    let mut state = search.receive(3);
    let condition = pool.ult(received, pool.constant(8, 3));
    search.assume(&pool, &mut chain, &mut state, condition).unwrap();
    assert_eq!(state.live_row_count(), 24);
    assert_eq!((search.stats().row_checks, search.stats().row_queries), (64, 8));
}

#[test]
fn classes_of_several_states_are_put_together() {
    let mut bench = Bench::new(SenderOptions::default());
    let input = bench.input("input", 1)[0];
    bench.send(&[bench.within(input, 10, 20)], &[input]);
    let Bench { pool, mut chain, mut senders } = bench;
    senders.set_explored_to_end(false);
    let received = pool.byte(senders.message(&pool, 1), 0);
    let mut search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());
    let mut table = ClassTable::new();
    for least in [30, 5, 21] {
        let mut state = search.receive(1);
        let condition = pool.uge(received, pool.constant(8, least));
        search.assume(&pool, &mut chain, &mut state, condition).unwrap();
        for class in search.classes(&pool, &mut chain, &state).unwrap().classes {
            table.add("main.c:7", class);
        }
    }
    let (key, entry) = table.iter().next().unwrap();
    assert_eq!((table.len(), key.place, &*key.core), (1, "main.c:7", &[0][..]));
    assert_eq!((&*entry.example, entry.state_count), (&[5][..], 3));
    assert_eq!(entry.certainty, Certainty::NotSeen);
}
