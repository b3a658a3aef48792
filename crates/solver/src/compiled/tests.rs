//! Compiled terms against plain evaluation, on random terms.

use everett_expr::{Pool, TermId, VarId};
use proptest::prelude::*;

use super::*;
use crate::terms::{self, Builder, Instruction, program};

/// Assignments that all operators have their edges at, and some in between.
fn batch(inputs: usize, seed: u64) -> Vec<Lanes> {
    const EDGES: [u64; 8] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x40];
    let value = |input: usize, lane: usize| match input {
        0 => EDGES[lane % 8],
        1 => EDGES[lane / 8],
        _ => (seed >> (lane % 50)) & 0xff,
    };
    (0..inputs).map(|input| std::array::from_fn(|lane| value(input, lane))).collect()
}

fn condition(pool: &Pool, bytes: u32, program: &[Instruction]) -> TermId {
    Builder::new(pool, pool.symbol("in", bytes)).condition(program)
}

/// Compares conditions and an output over all lanes.
fn compare(pool: &Pool, bytes: u32, conditions: &[TermId], output: TermId, seed: u64) {
    let symbol = pool.symbol("in", bytes);
    let inputs: Vec<VarId> = (0..bytes).map(|at| pool.symbol_var(symbol, at)).collect();
    let values = batch(inputs.len(), seed);
    let mut machine = LaneMachine::default();
    let assignment = |lane: usize| {
        let (inputs, values) = (&inputs, &values);
        move |var: VarId| {
            let at = inputs.iter().position(|&input| input == var).expect("no other byte is used");
            values[at][lane] as u8
        }
    };
    let outputs = [output];
    let code =
        CompiledTerms::new(pool, &inputs, Sources { conditions: &[], outputs: &outputs }, 1 << 20);
    let code = code.expect("the terms are small");
    machine.run(&code, &values, u64::MAX);
    for lane in 0..LANES {
        let expected = pool.eval_u64(output, &assignment(lane));
        assert_eq!(machine.output(&code, 0)[lane], expected, "{}", pool.display(output));
    }
    let code = CompiledTerms::new(pool, &inputs, Sources { conditions, outputs: &[] }, 1 << 20);
    let code = code.expect("the terms are small");
    let alive = machine.run(&code, &values, u64::MAX >> 3);
    for lane in 0..LANES {
        let all = || conditions.iter().all(|&term| pool.eval_u64(term, &assignment(lane)) == 1);
        assert_eq!(alive >> lane & 1 == 1, lane < LANES - 3 && all());
    }
}

proptest! {
    #![proptest_config(terms::config(300))]

    #[test]
    fn values_are_those_of_plain_evaluation(
        first in program(20),
        second in program(20),
        bytes in 1u32..4,
        seed in any::<u64>(),
    ) {
        let pool = Pool::new();
        let conditions = [condition(&pool, bytes, &first), condition(&pool, bytes, &second)];
        compare(&pool, bytes, &conditions, conditions[0], seed);
    }
}

#[test]
fn wide_operators_are_spelled_out_in_words() {
    let pool = Pool::new();
    let symbol = pool.symbol("in", 2);
    let [x, y] = [0, 1].map(|at| pool.byte(symbol, at));
    for width in [65, 72, 100, 127, 128, 129, 192, 200] {
        // Both bytes reach all limbs, the sign among them.
        let spread = |byte: TermId| {
            let wide = pool.sext(byte, width);
            let factor =
                pool.shl(pool.constant(width, 0x0123_4567_89ab_cdef), pool.constant(width, 60));
            pool.add(
                pool.mul(wide, factor),
                pool.shl(wide, pool.constant(width, u64::from(width) - 8)),
            )
        };
        let (a, b) = (spread(x), pool.not(spread(y)));
        let small = pool.zext(y, width);
        for op in BinOp::ALL {
            for right in [b, small, a] {
                let term = pool.binary(op, a, right);
                let words = (0..pool.width(term)).step_by(64);
                for low in words {
                    let part = pool.extract(term, low, (pool.width(term) - low).min(64));
                    compare(&pool, 2, &[pool.bool(true)], part, 0);
                }
            }
        }
        for term in
            [pool.neg(a), pool.not(a), pool.sext(a, 260), pool.concat(a, y), pool.concat(y, a)]
        {
            for low in (0..pool.width(term)).step_by(37) {
                let part = pool.extract(term, low, (pool.width(term) - low).min(64));
                compare(&pool, 2, &[pool.ult(x, y)], part, 0);
            }
        }
    }
}

#[test]
fn registers_are_used_again() {
    let pool = Pool::new();
    let symbol = pool.symbol("in", 1);
    let byte = pool.zext(pool.byte(symbol, 0), 64);
    let mut hash = pool.constant(64, 0xcbf2_9ce4_8422_2325);
    for round in 0..500 {
        hash = pool.mul(
            pool.xor(hash, pool.add(byte, pool.constant(64, round))),
            pool.constant(64, 0x1_0000_01b3),
        );
    }
    let inputs = [pool.symbol_var(symbol, 0)];
    let code =
        CompiledTerms::new(&pool, &inputs, Sources { conditions: &[], outputs: &[hash] }, 1 << 20);
    let code = code.expect("the term is small");
    assert!(code.ops.len() > 1000 && code.registers < 8, "{} registers", code.registers);
    compare(&pool, 1, &[pool.ult(hash, byte)], hash, 0);
    assert!(
        CompiledTerms::new(&pool, &inputs, Sources { conditions: &[], outputs: &[hash] }, 100)
            .is_none()
    );
}
