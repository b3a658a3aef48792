//! The query table: small sets of queries, each of a kind that symbolic execution asks.

use everett_expr::{ArrayId, Pool, TermId};
use everett_solver::{Backend, QueryBudget, SolverAnswer};

/// The answers to the queries of a row.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) sat: u32,
    pub(crate) unsat: u32,
    pub(crate) unknown: u32,
}

/// Makes a backend.
pub(crate) type Make = fn() -> Box<dyn Backend>;

/// One row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Satisfiable and unsatisfiable queries.
    answers: (u32, u32),
    pub(crate) run: fn(&Make, &QueryBudget) -> Outcome,
}

impl Row {
    /// Rows that take seconds are run once.
    pub(crate) fn runs(&self) -> u32 {
        if self.name.contains("unrelated") { 1 } else { 3 }
    }

    /// The answers that this outcome should have had, given that some ran out of budget.
    pub(crate) fn expected(&self, outcome: &Outcome) -> (u32, u32) {
        if outcome.unknown > 0 { (outcome.sat, outcome.unsat) } else { self.answers }
    }
}

/// All rows.
pub(crate) const ROWS: &[Row] = &[
    Row { name: "strcmp, 20 bytes, 40 checks", answers: (40, 0), run: |m, b| strcmp(m, b, false) },
    Row { name: "same, fresh solver each", answers: (40, 0), run: |m, b| strcmp(m, b, true) },
    Row {
        name: "32-bit x*y = c",
        answers: (1, 0),
        run: |m, b| multiplication(m, b, 4, 0x1234_5679),
    },
    Row {
        name: "64-bit x*y = c",
        answers: (1, 0),
        run: |m, b| multiplication(m, b, 8, 0x1234_5679_9abc_def1),
    },
    Row { name: "32-bit x/y = 7, x%y = 1003", answers: (1, 0), run: |m, b| quotient(m, b, 4) },
    Row { name: "64-bit x/y = 7, x%y = 1003", answers: (1, 0), run: |m, b| quotient(m, b, 8) },
    Row { name: "64-bit product of 8 and 16 bits", answers: (2, 0), run: bounded_product },
    Row { name: "32-bit x/10*10 + x%10 != x, unsat", answers: (0, 1), run: division },
    Row { name: "8-bit (x+y)(x-y) != x^2-y^2, unsat", answers: (0, 1), run: squares },
    Row { name: "256-entry constant table", answers: (1, 0), run: |m, b| tables(m, b, 1, 1) },
    Row {
        name: "50 table look-ups, 100 checks",
        answers: (100, 0),
        run: |m, b| tables(m, b, 50, 100),
    },
    Row {
        name: "4 writes at symbolic index, read back",
        answers: (1, 1),
        run: |m, b| writes(m, b, 4),
    },
    Row {
        name: "8 writes at symbolic index, read back",
        answers: (1, 1),
        run: |m, b| writes(m, b, 8),
    },
    Row {
        name: "16 writes at symbolic index, read back",
        answers: (1, 1),
        run: |m, b| writes(m, b, 16),
    },
    Row {
        name: "24 writes at symbolic index, read back",
        answers: (1, 1),
        run: |m, b| writes(m, b, 24),
    },
    Row { name: "100 unrelated constraints, 300 checks", answers: (300, 0), run: unrelated },
    Row {
        name: "sliced by independence, fresh solver, 200 checks",
        answers: (200, 0),
        run: sliced,
    },
];

struct Runner<'a> {
    make: &'a Make,
    budget: &'a QueryBudget,
    backend: Box<dyn Backend>,
    outcome: Outcome,
}

impl<'a> Runner<'a> {
    fn new(make: &'a Make, budget: &'a QueryBudget) -> Runner<'a> {
        Runner { make, budget, backend: make(), outcome: Outcome::default() }
    }

    fn fresh(&mut self) {
        self.backend = (self.make)();
    }

    fn check(&mut self, pool: &Pool, terms: &[TermId]) {
        match self.backend.check(pool, terms, self.budget).expect("the query fits the backend") {
            SolverAnswer::Sat(_) => self.outcome.sat += 1,
            SolverAnswer::Unsat => self.outcome.unsat += 1,
            SolverAnswer::Unknown => self.outcome.unknown += 1,
        }
    }
}

/// A symbolic word of `bytes` bytes.
pub(crate) fn word(pool: &Pool, name: &str, bytes: u32) -> TermId {
    let symbol = pool.symbol(name, bytes);
    (1..bytes).fold(pool.byte(symbol, 0), |low, at| pool.concat(pool.byte(symbol, at), low))
}

fn strcmp(make: &Make, budget: &QueryBudget, fresh: bool) -> Outcome {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 20);
    let mut runner = Runner::new(make, budget);
    let mut path = Vec::new();
    for at in 0..20 {
        let same = pool.eq(pool.byte(symbol, at), pool.constant(8, u64::from(b'a' + at as u8)));
        for side in [same, pool.not(same)] {
            if fresh {
                runner.fresh();
            }
            path.push(side);
            runner.check(&pool, &path);
            path.pop();
        }
        path.push(same);
    }
    runner.outcome
}

fn multiplication(make: &Make, budget: &QueryBudget, bytes: u32, product: u64) -> Outcome {
    let pool = Pool::new();
    let (x, y) = (word(&pool, "x", bytes), word(&pool, "y", bytes));
    let constant = |value| pool.constant(8 * bytes, value);
    let mut runner = Runner::new(make, budget);
    let terms = [
        pool.eq(pool.mul(x, y), constant(product)),
        pool.ult(constant(0xffff), x),
        pool.ult(constant(0xffff), y),
    ];
    runner.check(&pool, &terms);
    runner.outcome
}

fn quotient(make: &Make, budget: &QueryBudget, bytes: u32) -> Outcome {
    let pool = Pool::new();
    let (x, y) = (word(&pool, "x", bytes), word(&pool, "y", bytes));
    let constant = |value| pool.constant(8 * bytes, value);
    let mut runner = Runner::new(make, budget);
    let terms = [
        pool.eq(pool.udiv(x, y), constant(7)),
        pool.eq(pool.urem(x, y), constant(1003)),
        pool.ult(constant(5000), x),
    ];
    runner.check(&pool, &terms);
    runner.outcome
}

/// A size computation: the product of two small unknowns in a wide word is not above a bound.
fn bounded_product(make: &Make, budget: &QueryBudget) -> Outcome {
    let pool = Pool::new();
    let (x, y) = (word(&pool, "x", 1), word(&pool, "y", 2));
    let product = pool.mul(pool.zext(x, 64), pool.zext(y, 64));
    let mut runner = Runner::new(make, budget);
    runner.check(&pool, &[pool.ult(pool.constant(64, 16_000_000), product)]);
    runner.check(&pool, &[pool.ult(pool.constant(64, 255 * 65_535 - 1), product)]);
    runner.outcome
}

/// Dividing by a constant and multiplying back, as printing decimals does.
fn division(make: &Make, budget: &QueryBudget) -> Outcome {
    let pool = Pool::new();
    let (x, ten) = (word(&pool, "x", 4), pool.constant(32, 10));
    let back = pool.add(pool.mul(pool.udiv(x, ten), ten), pool.urem(x, ten));
    let mut runner = Runner::new(make, budget);
    runner.check(&pool, &[pool.ne(back, x)]);
    runner.outcome
}

fn squares(make: &Make, budget: &QueryBudget) -> Outcome {
    let pool = Pool::new();
    let (x, y) = (word(&pool, "x", 1), word(&pool, "y", 1));
    let product = pool.mul(pool.add(x, y), pool.sub(x, y));
    let difference = pool.sub(pool.mul(x, x), pool.mul(y, y));
    let mut runner = Runner::new(make, budget);
    runner.check(&pool, &[pool.ne(product, difference)]);
    runner.outcome
}

/// A permutation of the bytes that looks random.
pub(crate) fn table(pool: &Pool) -> ArrayId {
    let bytes: Vec<u8> = (0..=255u8).map(|x| x.wrapping_mul(167).rotate_left(3) ^ 0x5a).collect();
    pool.const_array(&bytes)
}

fn tables(make: &Make, budget: &QueryBudget, count: u32, checks: u32) -> Outcome {
    let pool = Pool::new();
    let symbol = pool.symbol("i", count);
    let table = table(&pool);
    let look_up = |at: u32| pool.select(table, pool.zext(pool.byte(symbol, at), 64));
    let mut runner = Runner::new(make, budget);
    let mut path = Vec::new();
    for round in 0..checks {
        let at = round % count;
        let (here, next) = (look_up(at), look_up((at + 1) % count));
        let cond = if round < count {
            pool.ult(here, pool.constant(8, 128 + u64::from(at)))
        } else {
            pool.ult(pool.add(here, next), pool.constant(8, 200))
        };
        path.push(cond);
        runner.check(&pool, &path);
        if round >= count {
            path.pop();
        }
    }
    runner.outcome
}

fn writes(make: &Make, budget: &QueryBudget, count: u32) -> Outcome {
    let pool = Pool::new();
    let (indices, values) = (pool.symbol("i", count), pool.symbol("v", count));
    let mut array = pool.const_array(&[0; 64]);
    let index = |at: u32| pool.zext(pool.extract(pool.byte(indices, at), 0, 6), 64);
    let mut different = Vec::new();
    for at in 0..count {
        array = pool.store(array, index(at), pool.byte(values, at));
        different.extend((0..at).map(|other| pool.ne(index(at), index(other))));
    }
    let read_back = |at: u32| pool.select(array, index(at));
    let mut runner = Runner::new(make, budget);
    // Some value was overwritten: possible as long as indices may be equal, impossible otherwise.
    let lost = (0..count)
        .map(|at| pool.ne(read_back(at), pool.byte(values, at)))
        .reduce(|a, b| pool.or(a, b))
        .expect("at least one write");
    runner.check(&pool, &[lost]);
    different.push(lost);
    runner.check(&pool, &different);
    runner.outcome
}

/// A constraint that involves both bytes of a pair in some arithmetic.
fn pair(pool: &Pool, name: &str, bound: u64) -> TermId {
    let x = word(pool, name, 2);
    let mixed = pool.add(pool.mul(x, pool.constant(16, 37)), pool.constant(16, 11));
    pool.ult(mixed, pool.constant(16, bound))
}

fn unrelated(make: &Make, budget: &QueryBudget) -> Outcome {
    let pool = Pool::new();
    let mut runner = Runner::new(make, budget);
    let mut path: Vec<TermId> =
        (0..100).map(|at| pair(&pool, &format!("p{at}"), 20_000 + at)).collect();
    for round in 0..300u64 {
        path.push(pair(&pool, &format!("p{}", round % 100), 1_000 + round));
        runner.check(&pool, &path);
        path.pop();
    }
    runner.outcome
}

fn sliced(make: &Make, budget: &QueryBudget) -> Outcome {
    let pool = Pool::new();
    let mut runner = Runner::new(make, budget);
    for at in 0..200 {
        let name = format!("p{at}");
        runner.fresh();
        runner.check(&pool, &[pair(&pool, &name, 20_000 + at), pair(&pool, &name, 1_000 + at)]);
    }
    runner.outcome
}
