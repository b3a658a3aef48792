//! Random terms for property tests: a list of small instructions becomes a term over two bytes.
//!
//! Every list is valid, so that proptest can shrink it freely.

use everett_base::FloatKind;
use everett_expr::{BinOp, FloatOp, IntegerRounding, Pool, SymbolId, TermId};
use proptest::prelude::*;

/// One instruction: an operator and three numbers that choose operands, widths and constants.
pub(crate) type Instruction = (u8, u8, u8, u16);

/// Lists of instructions.
pub(crate) fn program(len: usize) -> impl Strategy<Value = Vec<Instruction>> {
    prop::collection::vec(any::<Instruction>(), 1..len)
}

const WIDTHS: [u32; 8] = [1, 3, 8, 8, 16, 32, 64, 72];

/// Builds terms out of instructions.
pub(crate) struct Builder<'a> {
    pool: &'a Pool,
    terms: Vec<TermId>,
}

impl<'a> Builder<'a> {
    /// Starts with the bytes of a symbol.
    pub(crate) fn new(pool: &'a Pool, symbol: SymbolId) -> Builder<'a> {
        let terms = (0..pool.symbol_size(symbol)).map(|at| pool.byte(symbol, at)).collect();
        Builder { pool, terms }
    }

    fn pick(&self, number: u8) -> TermId {
        // Recent terms are likelier, so that terms grow deep.
        let back = (number % 7) as usize % self.terms.len();
        self.terms[self.terms.len() - 1 - back]
    }

    fn fit(&self, term: TermId, width: u32) -> TermId {
        let has = self.pool.width(term);
        match has.cmp(&width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Less if width.is_multiple_of(2) => self.pool.zext(term, width),
            std::cmp::Ordering::Less => self.pool.sext(term, width),
            std::cmp::Ordering::Greater => self.pool.extract(term, 0, width),
        }
    }

    fn step(&mut self, (op, a, b, c): Instruction) {
        let pool = self.pool;
        let (x, y) = (self.pick(a), self.pick(b));
        let width = pool.width(x);
        let wide_product = width > 16;
        let term = match op % 27 {
            at @ 0..16 => {
                let op = BinOp::ALL[at as usize];
                let hard = matches!(
                    op,
                    BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem
                );
                let x = if hard && wide_product { self.fit(x, 8) } else { x };
                pool.binary(op, x, self.fit(y, pool.width(x)))
            }
            16 => pool.not(x),
            17 => pool.neg(x),
            18 => pool.ite(self.truth(y), x, self.fit(self.pick(c as u8), width)),
            19 => self.fit(x, WIDTHS[c as usize % WIDTHS.len()]),
            20 => {
                let low = u32::from(c) % width;
                pool.extract(x, low, 1 + u32::from(b) % (width - low))
            }
            21 if width <= 64 => pool.concat(x, self.fit(y, 8)),
            22 => self.read(x, y, c),
            23..26 => self.float(x, y, c),
            _ => pool.constant(width, u64::from(c) << (b % 50)),
        };
        self.terms.push(term);
    }

    /// An operator on floating-point numbers, mostly of 16 bits.
    fn float(&self, x: TermId, y: TermId, which: u16) -> TermId {
        let (pool, half) = (self.pool, FloatKind::Half);
        let signed = which & 1 == 1;
        let op = match which >> 1 & 15 {
            0 => FloatOp::Add(half),
            1 => FloatOp::Sub(half),
            2 => FloatOp::Mul(half),
            3 => FloatOp::Div(half),
            4 => FloatOp::MulAdd(half),
            5 => FloatOp::Sqrt(half),
            6 => FloatOp::Round(half, IntegerRounding::ALL[usize::from(which >> 5) % 5]),
            7 => FloatOp::Equal(half),
            8 => FloatOp::Less(half),
            9 => FloatOp::LessOrEqual(half),
            10 => FloatOp::Convert { from: half, to: FloatKind::F32 },
            11 => FloatOp::Convert { from: FloatKind::F32, to: half },
            12 => FloatOp::Add(FloatKind::F32),
            13 => FloatOp::Less(FloatKind::F64),
            14 => FloatOp::FromInt { to: half, signed },
            _ => FloatOp::ToInt { from: half, signed },
        };
        let bits = op.kind().bits();
        let first = match op {
            FloatOp::FromInt { .. } => pool.width(x).min(16),
            FloatOp::MulAdd(_) => 2 * bits,
            _ => bits,
        };
        let second = op.is_binary().then(|| self.fit(y, bits));
        pool.float(op, op.result_width().unwrap_or(8), self.fit(x, first), second)
    }

    /// A read from a small table after a store at an unknown index.
    fn read(&self, x: TermId, y: TermId, seed: u16) -> TermId {
        let pool = self.pool;
        let bytes: Vec<u8> = (0..seed % 21).map(|at| ((at * 37) ^ seed) as u8).collect();
        let index = |term| pool.zext(self.fit(term, 5), 64);
        let array = pool.store(pool.const_array(&bytes), index(x), self.fit(y, 8));
        pool.select(array, index(y))
    }

    /// A term of width 1 made of any term.
    fn truth(&self, term: TermId) -> TermId {
        let width = self.pool.width(term);
        if width == 1 { term } else { self.pool.ult(term, self.pool.constant(width, 100)) }
    }

    /// The condition that the instructions describe.
    pub(crate) fn condition(mut self, program: &[Instruction]) -> TermId {
        program.iter().for_each(|&instruction| self.step(instruction));
        let last = *self.terms.last().expect("a symbol has bytes");
        match self.pool.width(last) {
            1 => last,
            width => {
                let other = self.fit(self.pick(1), width);
                self.pool.ult(last, other)
            }
        }
    }
}

/// So many cases, the same in every run.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: proptest::test_runner::RngSeed::Fixed(0x5eed),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
