//! The origins of given messages: which senders can have sent them, and why none can.
//!
//! All messages of one byte, and random ones of two, are compared with trying all inputs.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

#[path = "support/oracle.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod oracle;
#[path = "support/random.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod random;

use std::sync::Arc;

use everett_base::Rng;
use everett_expr::{Pool, TermId, VarId};
use everett_solver::{BackendChoice, ChainOptions, MonotonicClock, SolverChain};
use everett_trojan::{
    EliminationLimits, MessageOrigin, SearchLimits, SenderOptions, SenderPath, SenderPathId,
    SenderSet, TrojanSearch,
};

use self::oracle::{Message, Oracle};
use self::random::RandomSystem;

/// Nothing is split or expanded, so that many inputs stay.
const KEEP_INPUTS: EliminationLimits = EliminationLimits { alternatives_max: 1, expansion_max: 0 };

/// The number of rows that are tried for the nearest message.
const ROWS_TRIED: usize = 8;

fn new_chain() -> SolverChain {
    SolverChain::new(ChainOptions::default(), MonotonicClock::stopped())
}

fn new_search(pool: &Pool, paths: &[SenderPath], options: SenderOptions) -> TrojanSearch {
    let mut senders = SenderSet::new("message", options);
    for path in paths {
        senders.add(pool, path);
    }
    TrojanSearch::new(Arc::new(senders), SearchLimits::default())
}

/// Each function of an input byte x under a condition on x, and all 256 messages.
#[test]
fn messages_of_one_byte_are_those_of_brute_force() {
    let pool = Pool::new();
    let x = pool.byte(pool.symbol("input", 1), 0);
    let constant = |value| pool.constant(8, value);
    let functions: [TermId; 6] = [
        pool.add(x, constant(5)),
        pool.mul(x, constant(2)),
        pool.and(x, constant(0x5a)),
        pool.mul(x, x),
        pool.urem(x, constant(7)),
        constant(9),
    ];
    let conditions = [
        pool.bool(true),
        pool.ult(x, constant(40)),
        pool.eq(pool.and(x, constant(3)), constant(1)),
    ];
    for limits in [EliminationLimits::default(), KEEP_INPUTS] {
        for function in functions {
            for condition in conditions {
                let path = SenderPath { conditions: vec![condition], message: vec![function] };
                let sent = |message: u8| {
                    (0..=255).any(|input: u8| {
                        let assignment = |_: VarId| input;
                        pool.eval_bool(condition, &assignment)
                            && pool.eval_u64(function, &assignment) == u64::from(message)
                    })
                };
                let options = SenderOptions { limits, ..SenderOptions::default() };
                let mut search = new_search(&pool, &[path], options);
                let mut chain = new_chain();
                for message in 0..=255 {
                    let origin = search.origin(&pool, &mut chain, &[message]).unwrap();
                    assert_eq!(origin.senders.undecided, []);
                    assert_eq!(!origin.senders.certain.is_empty(), sent(message), "{message}");
                    let Some(obstacle) = origin.obstacle else {
                        assert!(sent(message));
                        continue;
                    };
                    assert_eq!(obstacle.core, [0]);
                    let nearest = obstacle.nearest.unwrap();
                    assert!(sent(nearest.bytes[0]) && nearest.path == SenderPathId(0));
                    assert_eq!(nearest.differences(&[message]), [0]);
                }
            }
        }
    }
}

/// Compares the origin of a message with the oracle.
fn check(seed: u64, oracle: &Oracle, rows: usize, message: Message, origin: &MessageOrigin) {
    assert_eq!(origin.senders.undecided, [], "set {seed}");
    let can_be_sent = oracle.is_sendable(message);
    assert_eq!(!origin.senders.certain.is_empty(), can_be_sent, "set {seed}: {message:?}");
    let Some(obstacle) = &origin.obstacle else {
        assert!(can_be_sent, "set {seed}: no reason for {message:?}");
        return;
    };
    assert_eq!(obstacle.core, oracle.core(message), "set {seed}: {message:?}");
    let Some(nearest) = &obstacle.nearest else {
        assert_eq!(oracle.core(message), &[] as &[u32], "set {seed}: nothing is near {message:?}");
        return;
    };
    let near = [nearest.bytes[0], nearest.bytes[1]];
    assert!(oracle.is_sendable(near), "set {seed}: {near:?}");
    // If all rows are tried, no message that can be sent is nearer.
    if rows > ROWS_TRIED {
        return;
    }
    let differences = nearest.differences(&message).len();
    let is_nearer = (0..=255).any(|value| {
        oracle.is_sendable([value, message[1]]) || oracle.is_sendable([message[0], value])
    });
    assert_eq!(differences, if is_nearer { 1 } else { 2 }, "set {seed}: {message:?} {near:?}");
}

#[test]
fn messages_of_two_bytes_are_those_of_brute_force() {
    let (mut sent, mut not_sent) = (0, 0);
    for seed in 0..400 {
        let pool = Pool::new();
        let mut rng = Rng::new(seed);
        let system = RandomSystem::new(&pool, &mut rng);
        let oracle = Oracle::new(&pool, &system);
        let limits = if seed % 4 == 0 { KEEP_INPUTS } else { EliminationLimits::default() };
        let paths: Vec<SenderPath> = system.paths.iter().map(|path| path.path.clone()).collect();
        let options = SenderOptions { limits, ..SenderOptions::default() };
        let mut search = new_search(&pool, &paths, options);
        let mut chain = new_chain();
        for _ in 0..24 {
            let size = if rng.below(4) == 0 { 256 } else { 24 };
            let mut message = [rng.below(size) as u8, rng.below(size) as u8];
            if rng.below(3) == 0 {
                // The next message that can be sent, if there is one.
                let start = u16::from_be_bytes(message);
                let mut all = (0..=u16::MAX).map(|step| start.wrapping_add(step).to_be_bytes());
                message = all.find(|&next| oracle.is_sendable(next)).unwrap_or(message);
            }
            let origin = search.origin(&pool, &mut chain, &message).unwrap();
            check(seed, &oracle, search.senders().row_count(2), message, &origin);
            let senders = search.senders_of(&pool, &mut chain, &message).unwrap();
            assert_eq!(origin.senders, senders, "set {seed}: {message:?}");
            if let Some(nearest) = origin.obstacle.and_then(|obstacle| obstacle.nearest) {
                let senders = search.senders_of(&pool, &mut chain, &nearest.bytes).unwrap();
                assert!(senders.certain.contains(&nearest.path), "set {seed}: {nearest:?}");
            }
            if oracle.is_sendable(message) { sent += 1 } else { not_sent += 1 }
        }
    }
    assert!(sent > 500 && not_sent > 500, "{sent} {not_sent}: both are to be tried");
}

#[test]
fn the_solver_shows_in_no_origin() {
    for seed in 0..60 {
        let pool = Pool::new();
        let mut rng = Rng::new(seed);
        let system = RandomSystem::new(&pool, &mut rng);
        let paths: Vec<SenderPath> = system.paths.iter().map(|path| path.path.clone()).collect();
        let options = || SenderOptions { limits: KEEP_INPUTS, ..SenderOptions::default() };
        let message = [rng.below(256) as u8, rng.below(256) as u8];
        let origin = |chain: ChainOptions| {
            let mut search = new_search(&pool, &paths, options());
            let mut chain = SolverChain::new(chain, MonotonicClock::stopped());
            search.origin(&pool, &mut chain, &message).unwrap()
        };
        let expected = origin(ChainOptions::default());
        for backend in [BackendChoice::Boolector, BackendChoice::Bitblast] {
            let chain = ChainOptions { backend, ..ChainOptions::bare() };
            assert_eq!(origin(chain), expected, "set {seed}: {message:?}");
        }
    }
}

#[test]
fn no_path_sends_messages_of_another_length() {
    let pool = Pool::new();
    let message = vec![pool.constant(8, 1); 3];
    let path = SenderPath { conditions: Vec::new(), message };
    let mut search = new_search(&pool, &[path], SenderOptions::default());
    let origin = search.origin(&pool, &mut new_chain(), &[1, 1]).unwrap();
    let obstacle = origin.obstacle.unwrap();
    assert_eq!((obstacle.core, obstacle.nearest), (vec![], None));
}

#[test]
fn checksum_that_is_wrong_is_the_reason_with_all_that_it_covers() {
    let pool = Pool::new();
    let input = pool.symbol("input", 3);
    let data: Vec<TermId> = (0..3).map(|at| pool.byte(input, at)).collect();
    let sum = data.iter().fold(pool.constant(8, 0), |sum, &byte| pool.add(sum, byte));
    let mut message = data.clone();
    message.push(sum);
    // The version, which no checksum covers, is 1.
    message.push(pool.constant(8, 1));
    let path = SenderPath { conditions: Vec::new(), message };
    let mut search = new_search(&pool, &[path], SenderOptions::default());
    let mut chain = new_chain();
    let mut origin = |message: &[u8]| search.origin(&pool, &mut chain, message).unwrap();
    assert_eq!(origin(&[1, 2, 3, 6, 1]).obstacle, None);
    let obstacle = origin(&[1, 2, 3, 7, 1]).obstacle.unwrap();
    assert_eq!(obstacle.core, [0, 1, 2, 3]);
    assert_eq!(obstacle.nearest.unwrap().bytes, [1, 2, 3, 6, 1]);
    let obstacle = origin(&[1, 2, 3, 7, 2]).obstacle.unwrap();
    assert_eq!(obstacle.core, [4], "one byte is a better reason than four");
    assert_eq!(obstacle.nearest.unwrap().differences(&[1, 2, 3, 7, 2]), [3, 4]);
}

#[test]
fn masked_bytes_are_no_reason_and_stay_as_they_are() {
    let pool = Pool::new();
    let message = [1, 2, 3].map(|value| pool.constant(8, value)).to_vec();
    let path = SenderPath { conditions: Vec::new(), message };
    let options = SenderOptions { masked: std::iter::once(1..2).collect(), ..Default::default() };
    let mut search = new_search(&pool, &[path], options);
    let origin = search.origin(&pool, &mut new_chain(), &[1, 77, 9]).unwrap();
    let obstacle = origin.obstacle.unwrap();
    assert_eq!((obstacle.core, obstacle.nearest.unwrap().bytes), (vec![2], vec![1, 77, 3]));
}

#[test]
fn limit_on_queries_leaves_a_larger_core() {
    // Bytes of which each pair can be sent: the last one is the exclusive or of the others.
    let pool = Pool::new();
    let input = pool.symbol("input", 6);
    let mut message: Vec<TermId> = (0..6).map(|at| pool.byte(input, at)).collect();
    message.push(message.iter().fold(pool.constant(8, 0), |all, &byte| pool.xor(all, byte)));
    message.push(pool.mul(message[0], message[0]));
    let path = SenderPath { conditions: Vec::new(), message };
    let mut senders = SenderSet::new("message", SenderOptions::default());
    senders.add(&pool, &path);
    let senders = Arc::new(senders);
    let core = |core_queries_max| {
        let limits = SearchLimits { core_queries_max, ..SearchLimits::default() };
        let mut search = TrojanSearch::new(Arc::clone(&senders), limits);
        let origin = search.origin(&pool, &mut new_chain(), &[2, 0, 0, 0, 0, 0, 1, 4]).unwrap();
        (origin.obstacle.unwrap().core, search.stats().group_queries)
    };
    let ((all, many), (some, few)) = (core(1024), core(4));
    assert_eq!(all, [0, 1, 2, 3, 4, 5, 6]);
    assert!(some.len() > all.len() && few < many, "{some:?}, {few} and {many} queries");
}
