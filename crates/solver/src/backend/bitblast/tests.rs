//! The circuits against the terms' meaning, and the pool's rewrite rules against the circuits.
//!
//! A rule is proved by building an operation twice: by the pool, which rewrites it, and directly as
//! a circuit over the operands' circuits. No input may tell them apart.

use everett_expr::{ArrayNode, BinOp, Pool, TermId, UnOp, VarId};

use super::circuits::{TermCircuits, binary};
use super::gates::Lit;
use super::instance::{SatInstance, SatResult};
use super::words::LitWord;
use crate::budget::QueryBudget;

/// Terms of one width, of all the shapes that rewrite rules look for.
fn shapes(pool: &Pool, width: u32) -> Vec<TermId> {
    let symbol = pool.symbol("xyz", 6);
    let variable = |at: u32| {
        let wide = pool.concat(pool.byte(symbol, at + 1), pool.byte(symbol, at));
        pool.extract(wide, 0, width)
    };
    let (x, y) = (variable(0), variable(2));
    let flag = pool.extract(pool.byte(symbol, 4), 0, 1);
    let constant = |value: u64| pool.constant(width, value);
    let mut shapes = vec![x, y, constant(0), constant(1), constant(u64::MAX), constant(0b0110)];
    let top = 1u64 << (width - 1);
    shapes.extend([constant(top), constant(top - 1), constant(width.into())]);
    shapes.extend([pool.not(x), pool.neg(x), pool.not(y)]);
    shapes.extend([pool.add(x, constant(3)), pool.sub(constant(3), x), pool.add(x, y)]);
    shapes.extend([pool.and(x, constant(0b0110)), pool.or(x, constant(0b0110)), pool.and(x, y)]);
    shapes.extend([pool.xor(x, constant(0b0110)), pool.xor(x, y), pool.or(x, pool.not(y))]);
    shapes.extend([pool.ite(flag, x, y), pool.ite(flag, constant(1), constant(0))]);
    shapes.extend([pool.ite(flag, x, constant(2)), pool.ite(pool.eq(x, y), x, y)]);
    shapes.extend([pool.shl(x, constant(1)), pool.lshr(x, constant(1)), pool.ashr(x, constant(2))]);
    shapes.extend([pool.shl(x, y), pool.mul(x, constant(4))]);
    if width > 1 {
        let narrow = pool.extract(y, 0, width - 1);
        shapes.extend([pool.zext(narrow, width), pool.sext(narrow, width)]);
        shapes.extend([pool.concat(flag, narrow), pool.concat(narrow, flag)]);
    }
    shapes
}

/// Proves circuits equal.
struct Prover {
    circuits: TermCircuits,
    instance: SatInstance,
    proofs: u32,
}

impl Prover {
    fn new() -> Prover {
        Prover { circuits: TermCircuits::new(), instance: SatInstance::new(), proofs: 0 }
    }

    fn literal(&mut self, lit: Lit) -> i32 {
        let literal = self.instance.literal(&self.circuits.gates, lit, &QueryBudget::unlimited());
        literal.expect("no limit")
    }

    fn word(&mut self, pool: &Pool, term: TermId) -> LitWord {
        self.circuits.translate(pool, term, &QueryBudget::unlimited()).expect("no limit");
        self.circuits.word(pool, term).to_vec()
    }

    fn prove(&mut self, pool: &Pool, term: TermId, direct: &[Lit], what: &str) {
        self.proofs += 1;
        let word = self.word(pool, term);
        assert_eq!(word.len(), direct.len(), "{what}: widths");
        let differ = self.circuits.gates.map2(&word, direct, super::gates::GateGraph::xor);
        let differ = self.circuits.gates.any(&differ);
        let verdict = match differ.as_constant() {
            Some(value) => value,
            None => {
                if self.instance.len() > 5_000 {
                    self.instance = SatInstance::new();
                }
                let assumption = self.literal(differ);
                self.instance.solve(&[assumption], &QueryBudget::unlimited()) != SatResult::Unsat
            }
        };
        assert!(!verdict, "the pool's {what} is not what it should be");
    }
}

#[test]
fn the_pools_binary_operators_are_proved_for_all_pairs_of_shapes() {
    let mut prover = Prover::new();
    for width in [1, 3, 5, 8] {
        let pool = Pool::new();
        prover.circuits = TermCircuits::new();
        prover.instance = SatInstance::new();
        let shapes = shapes(&pool, width);
        for op in BinOp::ALL {
            use BinOp::{Mul, SDiv, SRem, UDiv, URem};
            if matches!(op, Mul | UDiv | SDiv | URem | SRem) && width > 5 {
                continue;
            }
            for &a in &shapes {
                for &b in &shapes {
                    let (left, right) = (prover.word(&pool, a), prover.word(&pool, b));
                    let direct = binary(&mut prover.circuits.gates, op, &left, &right);
                    let what = format!("{op:?} of {a:?} and {b:?} at width {width}");
                    prover.prove(&pool, pool.binary(op, a, b), &direct, &what);
                }
            }
        }
    }
    assert!(prover.proofs > 50_000, "{} proofs", prover.proofs);
}

#[test]
fn the_pools_structural_operators_are_proved_for_all_shapes() {
    let mut prover = Prover::new();
    for width in [1u32, 4, 8, 13] {
        let pool = Pool::new();
        prover.circuits = TermCircuits::new();
        prover.instance = SatInstance::new();
        let shapes = shapes(&pool, width);
        for &a in &shapes {
            let word = prover.word(&pool, a);
            let negated = prover.circuits.gates.neg_word(&word);
            prover.prove(&pool, pool.neg(a), &negated, "neg");
            let inverted: LitWord = word.iter().map(|&lit| !lit).collect();
            prover.prove(&pool, pool.not(a), &inverted, "not");
            for low in 0..width {
                for len in 1..=width - low {
                    let direct = &word[low as usize..(low + len) as usize];
                    prover.prove(&pool, pool.extract(a, low, len), direct, "extract");
                }
            }
            for more in [0, 1, 7] {
                let mut zero = word.clone();
                zero.resize((width + more) as usize, Lit::FALSE);
                prover.prove(&pool, pool.zext(a, width + more), &zero, "zext");
                let mut sign = word.clone();
                sign.resize((width + more) as usize, word[width as usize - 1]);
                prover.prove(&pool, pool.sext(a, width + more), &sign, "sext");
            }
            for &b in &shapes {
                let mut joined = prover.word(&pool, b);
                joined.extend(&word);
                prover.prove(&pool, pool.concat(a, b), &joined, "concat");
            }
        }
    }
}

#[test]
fn the_pools_ite_is_proved_for_all_shapes() {
    let mut prover = Prover::new();
    for width in [1u32, 4] {
        let pool = Pool::new();
        prover.circuits = TermCircuits::new();
        prover.instance = SatInstance::new();
        let shapes = shapes(&pool, width);
        let (x, y) = (shapes[0], shapes[1]);
        let flag = pool.extract(pool.byte(pool.symbol("xyz", 6), 4), 0, 1);
        let conditions =
            [flag, pool.not(flag), pool.eq(x, y), pool.ult(x, y), pool.eq(x, shapes[5])];
        for c in conditions {
            for &t in &shapes {
                for &e in &shapes {
                    let select = prover.word(&pool, c)[0];
                    let (then, other) = (prover.word(&pool, t), prover.word(&pool, e));
                    let direct = prover.circuits.gates.mux_word(select, &then, &other);
                    prover.prove(&pool, pool.ite(c, t, e), &direct, "ite");
                }
            }
        }
    }
}

#[test]
fn the_pools_reads_from_arrays_are_proved() {
    let pool = Pool::new();
    let symbol = pool.symbol("bytes", 5);
    let byte = |at: u32| pool.byte(symbol, at);
    let index = |term: TermId| pool.zext(term, 64);
    let indices = [
        pool.constant(64, 0),
        pool.constant(64, 2),
        pool.constant(64, 9),
        index(byte(0)),
        index(byte(1)),
    ];
    let mut prover = Prover::new();
    for base in [pool.const_array(&[7, 8, 9, 9]), pool.symbol_array(symbol)] {
        for &first in &indices {
            for &second in &indices {
                let once = pool.store(base, first, byte(2));
                let twice = pool.store(once, second, byte(3));
                for &at in &indices {
                    prover.word(&pool, at);
                    for term in [first, second, byte(2), byte(3)] {
                        prover.word(&pool, term);
                    }
                    let direct = prover.circuits.select(&pool, twice, at);
                    prover.prove(&pool, pool.select(twice, at), &direct, "select");
                }
            }
        }
        assert!(!matches!(pool.array_node(base), ArrayNode::Store { .. }));
    }
}

#[test]
fn circuits_compute_what_evaluation_says() {
    let pool = Pool::new();
    for width in [1u32, 2, 5, 8] {
        let symbol = pool.symbol("ab", 2);
        let (a, b) = (
            pool.extract(pool.byte(symbol, 0), 0, width),
            pool.extract(pool.byte(symbol, 1), 0, width),
        );
        let step = if width == 8 { 23 } else { 1 };
        for op in BinOp::ALL {
            let term = pool.binary(op, a, b);
            let mut prover = Prover::new();
            let word = prover.word(&pool, term);
            for x in (0..1u64 << width).step_by(step) {
                for y in (0..1u64 << width).step_by(step) {
                    let value = op.apply(width, x, y);
                    let assumptions: Vec<(VarId, u64)> =
                        vec![(pool.symbol_var(symbol, 0), x), (pool.symbol_var(symbol, 1), y)];
                    let assumed = prover.assume(&assumptions);
                    let verdict = prover.instance.solve(&assumed, &QueryBudget::unlimited());
                    assert_eq!(verdict, SatResult::Sat);
                    let found = word.iter().enumerate().fold(0, |sum, (bit, &lit)| {
                        sum | u64::from(prover.instance.value(lit)) << bit
                    });
                    assert_eq!(found, value, "{op:?} of {x} and {y} at width {width}");
                }
            }
        }
        let mut prover = Prover::new();
        for op in [UnOp::Not, UnOp::Neg] {
            let word = prover.word(&pool, a);
            let (term, direct) = match op {
                UnOp::Not => (pool.not(a), prover.circuits.gates.not_word(&word)),
                UnOp::Neg => (pool.neg(a), prover.circuits.gates.neg_word(&word)),
            };
            prover.prove(&pool, term, &direct, op.smtlib());
        }
    }
}

impl Prover {
    /// Literals that give bytes their values, and all outputs to the solver.
    fn assume(&mut self, values: &[(VarId, u64)]) -> Vec<i32> {
        let mut assumed = Vec::new();
        for node in 1..self.circuits.gates.len() as u32 {
            self.literal(Lit::of_node(node));
        }
        for &(var, value) in values {
            let Some(bits) = self.circuits.input(var) else { continue };
            for (at, bit) in bits.into_iter().enumerate() {
                let literal = self.literal(bit);
                assumed.push(if value >> at & 1 != 0 { literal } else { -literal });
            }
        }
        assumed
    }
}
