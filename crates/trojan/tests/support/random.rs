//! Random sender paths and receivers over messages of two bytes.

use everett_base::Rng;
use everett_expr::{Pool, TermId, VarId};
use everett_trojan::SenderPath;

/// A sender path, with the ranges that its conditions keep its inputs in.
pub(crate) struct RandomPath {
    pub(crate) path: SenderPath,
    pub(crate) inputs: [(u8, u8); 2],
}

/// Senders with two input bytes, and the conditions of a receiver.
pub(crate) struct RandomSystem {
    pub(crate) paths: Vec<RandomPath>,
    pub(crate) conditions: Vec<TermId>,
    /// The ranges that the conditions keep the bytes of a message in.
    pub(crate) accepted: [(u8, u8); 2],
    /// True if the messages of classes are to be counted.
    pub(crate) counts: bool,
    /// The first input byte, and the first byte of a message.
    pub(crate) input: VarId,
    pub(crate) message: VarId,
}

impl RandomSystem {
    pub(crate) fn new(pool: &Pool, rng: &mut Rng) -> RandomSystem {
        let (input, message) = (pool.symbol("input", 2), pool.symbol("message", 2));
        let bytes = [0, 1].map(|at| pool.byte(input, at));
        let paths = (0..1 + rng.below(3)).map(|_| random_path(pool, rng, bytes)).collect();
        let received = [0, 1].map(|at| pool.byte(message, at));
        let accepted = [random_range(rng, 16), random_range(rng, 16)];
        let mut conditions: Vec<TermId> = (received.iter().zip(accepted))
            .map(|(&byte, range)| within(pool, byte, range))
            .collect();
        if rng.below(2) == 0 {
            conditions.push(random_condition(pool, rng, received));
        }
        let (input, message) = (pool.symbol_var(input, 0), pool.symbol_var(message, 0));
        // All values of both bytes are tried for a count, so few are made.
        let counts = rng.below(100) == 0;
        RandomSystem { paths, conditions, accepted, counts, input, message }
    }

    /// The system with the second input fixed to a value.
    pub(crate) fn with_second_input(mut self, value: u8) -> RandomSystem {
        self.paths.retain(|path| (path.inputs[1].0..=path.inputs[1].1).contains(&value));
        self.paths.iter_mut().for_each(|path| path.inputs[1] = (value, value));
        self
    }

    /// A random condition on a message.
    pub(crate) fn branch(&self, pool: &Pool, rng: &mut Rng) -> TermId {
        let message = pool.symbol("message", 2);
        random_condition(pool, rng, [0, 1].map(|at| pool.byte(message, at)))
    }
}

/// Small ranges begin at 0 or around a random number, so that senders and receivers meet.
fn random_range(rng: &mut Rng, size: u64) -> (u8, u8) {
    let low = if rng.below(3) == 0 { rng.below(256 - size) } else { rng.below(4) };
    (low as u8, (low + rng.below(size)) as u8)
}

fn within(pool: &Pool, byte: TermId, (low, high): (u8, u8)) -> TermId {
    let constant = |value: u8| pool.constant(8, u64::from(value));
    pool.and(pool.uge(byte, constant(low)), pool.ule(byte, constant(high)))
}

fn random_path(pool: &Pool, rng: &mut Rng, bytes: [TermId; 2]) -> RandomPath {
    // One input may have any value; two that have are rare, as all of their values have to be tried.
    let inputs = match rng.below(512) {
        0 => [(0, 255), (0, 255)],
        1..160 => [(0, 255), (7, 7)],
        160..240 => [(0, 255), random_range(rng, 4)],
        _ => [random_range(rng, 16), random_range(rng, 16)],
    };
    let mut conditions: Vec<TermId> = (bytes.iter().zip(inputs))
        .filter(|&(_, range)| range != (0, 255))
        .map(|(&byte, range)| within(pool, byte, range))
        .collect();
    for _ in 0..rng.below(3) {
        conditions.push(random_condition(pool, rng, bytes));
    }
    let message = (0..2).map(|_| random_byte(pool, rng, bytes)).collect();
    RandomPath { path: SenderPath { conditions, message }, inputs }
}

fn small(pool: &Pool, rng: &mut Rng) -> TermId {
    let value = if rng.below(3) == 0 { rng.below(256) } else { rng.below(20) };
    pool.constant(8, value)
}

fn random_condition(pool: &Pool, rng: &mut Rng, [x, y]: [TermId; 2]) -> TermId {
    let (x, y) = if rng.below(2) == 0 { (x, y) } else { (y, x) };
    let c = small(pool, rng);
    let condition = match rng.below(9) {
        0 => pool.ult(x, c),
        1 => pool.ult(c, x),
        2 => pool.eq(x, c),
        3 => pool.eq(x, y),
        4 => pool.ult(x, y),
        5 => pool.ult(pool.add(x, y), c),
        6 => pool.extract(x, rng.below(8) as u32, 1),
        7 => pool.or(pool.eq(x, c), pool.ult(y, c)),
        _ => pool.eq(pool.and(x, c), small(pool, rng)),
    };
    if rng.below(3) == 0 { pool.not(condition) } else { condition }
}

/// A byte of a message.
fn random_byte(pool: &Pool, rng: &mut Rng, [x, y]: [TermId; 2]) -> TermId {
    let (x, y) = if rng.below(2) == 0 { (x, y) } else { (y, x) };
    let c = small(pool, rng);
    match rng.below(22) {
        // Functions of one input that can be inverted.
        0 | 1 => x,
        2 => pool.add(x, c),
        3 => pool.sub(c, x),
        4 => pool.xor(x, c),
        5 => pool.not(x),
        6 => pool.mul(x, pool.constant(8, 2 * rng.below(64) + 1)),
        7 => {
            pool.extract(pool.mul(pool.sext(x, 16), pool.constant(16, 2 * rng.below(64) + 1)), 0, 8)
        }
        // Of both inputs, that can be inverted with the other byte, or not at all.
        8 => pool.add(x, y),
        9 => pool.xor(x, pool.add(y, c)),
        10 => {
            pool.extract(pool.add(pool.concat(x, y), pool.constant(16, rng.below(1 << 16))), 0, 8)
        }
        11 => {
            pool.extract(pool.add(pool.concat(x, y), pool.constant(16, rng.below(1 << 16))), 8, 8)
        }
        12 => pool.mul(x, y),
        13 => pool.ite(pool.ult(x, c), pool.add(x, pool.constant(8, 1)), y),
        // That lose something.
        14 => pool.and(x, c),
        15 => pool.or(x, c),
        16 => pool.mul(x, pool.constant(8, 2 * rng.below(8))),
        17 => pool.lshr(x, pool.constant(8, rng.below(5))),
        18 => pool.urem(x, pool.constant(8, 1 + rng.below(20))),
        19 => {
            let table: Vec<u8> = (0..16).map(|_| rng.below(24) as u8).collect();
            pool.select(pool.const_array(&table), pool.zext(pool.extract(x, 0, 4), 64))
        }
        20 => pool.zext(pool.ult(x, y), 8),
        _ => c,
    }
}
