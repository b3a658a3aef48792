//! The search over intervals against all values that make a difference.

use everett_base::Rng;

use super::*;

/// Two words of symbolic bytes, and the values next to which some comparison changes.
struct TwoWords<'p> {
    pool: &'p Pool,
    words: [TermId; 2],
    turning: Vec<u64>,
    rng: Rng,
}

/// The bits of the words.
const WIDTH: u32 = 16;

impl TwoWords<'_> {
    /// A comparison of one of the words.
    fn comparison(&mut self) -> TermId {
        let pool = self.pool;
        let word = self.words[self.rng.below(2) as usize];
        let [by, value] = [(); 2].map(|()| self.rng.below(1 << WIDTH));
        // Comparisons with round numbers are about the upper byte alone.
        let value = if self.rng.below(3) == 0 { value & 0xff00 } else { value };
        let constant = |value| pool.constant(WIDTH, value);
        self.turning.extend([value, value.wrapping_sub(by), by, by.wrapping_sub(value)]);
        let (term, compared) = match self.rng.below(5) {
            0 => (pool.add(word, constant(by)), constant(value)),
            1 => (pool.sub(constant(by), word), constant(value)),
            2 => {
                self.turning.extend([value & 0xff00, value | 0xff]);
                (pool.extract(word, 8, 8), pool.constant(8, value >> 8))
            }
            3 => (pool.zext(word, 40), pool.constant(40, value)),
            _ => (word, constant(value)),
        };
        match self.rng.below(4) {
            0 => pool.ult(term, compared),
            1 => pool.ult(compared, term),
            2 => pool.slt(term, compared),
            _ => pool.ule(compared, term),
        }
    }

    /// A combination of comparisons.
    fn condition(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return self.comparison();
        }
        let [a, b, c] = [(); 3].map(|()| self.condition(depth - 1));
        let pool = self.pool;
        match self.rng.below(4) {
            0 => pool.and(a, b),
            1 => pool.or(a, b),
            2 => pool.not(pool.and(a, pool.or(b, c))),
            _ => pool.ite(a, b, c),
        }
    }

    /// The values at which some comparison may change, and their neighbours.
    fn candidates(&self) -> Vec<u64> {
        let near = |value: &u64| [value.wrapping_sub(1), *value, value.wrapping_add(1)];
        let mask = (1 << WIDTH) - 1;
        let around = self.turning.iter().chain(&[0, 1 << (WIDTH - 1)]).flat_map(near);
        let mut all: Vec<u64> = around.map(|value| value & mask).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[test]
fn answers_are_those_of_all_values_that_make_a_difference() {
    let (mut decided, mut unsatisfiable) = (0, 0);
    for seed in 0..120 {
        let pool = Pool::new();
        let symbols = ["first", "second"].map(|name| pool.symbol(name, 2));
        let words = symbols.map(|it| pool.concat(pool.byte(it, 1), pool.byte(it, 0)));
        let mut two = TwoWords { pool: &pool, words, turning: Vec::new(), rng: Rng::new(seed) };
        let terms: Vec<TermId> =
            (0..2 + seed % 5).map(|_| two.condition(1 + seed as u32 % 2)).collect();
        let (query, constraints) = terms.split_last().unwrap();
        let Some(found) = WordComparisons::default().decide(&pool, constraints, *query) else {
            continue;
        };
        decided += 1;
        let holds = |first: u64, second: u64| {
            let value = |byte: VarId| {
                let (symbol, at) = pool.var_owner(byte);
                ((if symbol == symbols[0] { first } else { second }) >> (8 * at)) as u8
            };
            terms.iter().all(|&term| pool.eval_u64(term, &value) == 1)
        };
        match found {
            DefiniteAnswer::Sat(model) => {
                assert!(terms.iter().all(|&term| pool.eval_u64(term, &*model) == 1), "seed {seed}");
            }
            DefiniteAnswer::Unsat => {
                unsatisfiable += 1;
                let all = two.candidates();
                let mut pairs = all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b)));
                assert!(!pairs.any(|(a, b)| holds(a, b)), "seed {seed}");
            }
        }
    }
    assert!(
        decided > 80 && unsatisfiable > 10,
        "{decided} decided, {unsatisfiable} of them unsatisfiable"
    );
}

#[test]
fn moments_of_two_cuts_are_found_without_a_backend() {
    let pool = Pool::new();
    let cuts = ["cut 1", "cut 2"].map(|name| {
        let symbol = pool.symbol(name, 16);
        [0, 8].map(|from| {
            (1..8).fold(pool.byte(symbol, from), |low, at| {
                pool.concat(pool.byte(symbol, from + at), low)
            })
        })
    });
    let is_cut = |now: u64| {
        let now = pool.constant(64, (now << 20) | (now % 3));
        cuts.iter().fold(pool.bool(false), |there, [begin, end]| {
            pool.or(there, pool.and(pool.ule(*begin, now), pool.ult(now, *end)))
        })
    };
    // Cut off from 100 to 119 and from 300 to 309, and at no other time up to 500.
    let expected = |now: u64| (100..120).contains(&now) || (300..310).contains(&now);
    let mut terms = Vec::new();
    let mut words = WordComparisons::default();
    for now in (0..500).step_by(7) {
        let cut = is_cut(now);
        let term = if expected(now) { cut } else { pool.not(cut) };
        let found = words.decide(&pool, &terms, term);
        let found = found.unwrap_or_else(|| panic!("left to others: {}", pool.display(term)));
        let DefiniteAnswer::Sat(model) = found else { panic!("two cuts are enough at {now}") };
        terms.push(term);
        assert!(terms.iter().all(|&term| pool.eval_u64(term, &*model) == 1), "{now}");
    }
    // There is no third cut.
    for now in [200, 400, 499] {
        let found = words.decide(&pool, &terms, is_cut(now)).expect("the search is short");
        assert!(matches!(found, DefiniteAnswer::Unsat), "{now}");
    }
}

#[test]
fn conditions_of_another_form_are_left_to_others() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 4);
    let byte = |at| pool.byte(symbol, at);
    let (a, b) = (pool.concat(byte(0), byte(1)), pool.concat(byte(2), byte(3)));
    let known = pool.constant(16, 5000);
    let mut words = WordComparisons::default();
    let mut is_decided = |terms: &[TermId]| {
        let (query, constraints) = terms.split_last().unwrap();
        words.decide(&pool, constraints, *query).is_some()
    };
    let (below, above) = (pool.ult(a, known), pool.ult(known, b));
    assert!(is_decided(&[below, above]));
    assert!(!is_decided(&[below, pool.ult(a, b)]), "two words are compared");
    assert!(!is_decided(&[below, pool.ult(pool.concat(byte(1), byte(2)), known)]), "words overlap");
    assert!(!is_decided(&[below, pool.ult(byte(1), pool.constant(8, 7))]), "an end of a word");
    assert!(!is_decided(&[below]), "a query over two bytes is enumerated");
}

/// A term of many nodes over some bytes, of 16 bits.
fn hash(pool: &Pool, bytes: &[TermId]) -> TermId {
    let step = |hash, byte: &TermId| {
        let mixed = pool
            .mul(pool.xor(hash, pool.zext(*byte, 64)), pool.constant(64, 0x0000_0100_0000_01b3));
        pool.xor(mixed, pool.binary(BinOp::LShr, mixed, pool.constant(64, 29)))
    };
    let hash = (0..4).fold(pool.constant(64, 7), |hash, _| bytes.iter().fold(hash, step));
    pool.extract(hash, 0, 16)
}

#[test]
fn what_no_value_of_a_large_term_satisfies_is_refuted() {
    let pool = Pool::new();
    let symbol = pool.symbol("key", 6);
    let bytes: Vec<TermId> = (0..6).map(|at| pool.byte(symbol, at)).collect();
    let hash = hash(&pool, &bytes);
    // The pointer of a hash table with three entries.
    let address = |value| pool.constant(64, value);
    let entries = [(5, 0x1000), (700, 0x2000), (60_000, 0x3000)];
    let pointer = entries.iter().fold(address(0), |others, &(bucket, at)| {
        pool.ite(pool.eq(hash, pool.constant(16, bucket)), address(at), others)
    });
    let is_in = |at| pool.ule(pool.sub(pointer, address(at)), address(24));
    let mut terms = vec![pool.ne(pointer, address(0)), pool.ult(bytes[0], bytes[1])];
    let mut words = WordComparisons::default();
    for (_, at) in entries {
        assert!(words.decide(&pool, &terms, is_in(at)).is_none(), "only a solver knows a key");
        terms.push(pool.not(is_in(at)));
    }
    let query = terms.pop().unwrap();
    assert!(matches!(words.decide(&pool, &terms, query), Some(DefiniteAnswer::Unsat)));
    // Of a small term, a backend finds that out as quickly.
    let small = pool.add(pool.concat(bytes[0], bytes[1]), pool.concat(bytes[2], bytes[3]));
    let (low, high) =
        (pool.ult(small, pool.constant(16, 9)), pool.ult(pool.constant(16, 9), small));
    let either = pool.or(low, pool.eq(small, pool.constant(16, 9)));
    assert!(words.decide(&pool, &[either], high).is_none());
}
