//! Compiled terms against plain evaluation, on random terms.

use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_expr::{Pool, TermId, VarId};
use proptest::prelude::*;

use super::*;
use crate::terms::{self, Builder, Instruction, program};

/// Assignments that all operators have their edges at, and some in between.
fn batch(inputs: usize, seed: u64) -> Vec<LaneValues> {
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

fn compiled<'p>(
    pool: &'p Pool,
    inputs: &[VarId],
    sources: CodeSources<'_>,
    budget: &'p QueryBudget,
) -> Result<CompiledTerms<'p>, CompileRefusal> {
    CompiledTerms::new(pool, inputs, sources, u64::MAX, budget)
}

/// Compares conditions and an output over all lanes.
fn compare(pool: &Pool, bytes: u32, conditions: &[TermId], output: TermId, seed: u64) {
    let symbol = pool.symbol("in", bytes);
    let inputs: Vec<VarId> = (0..bytes).map(|at| pool.symbol_var(symbol, at)).collect();
    let values = batch(inputs.len(), seed);
    let mut machine = LaneMachine::default();
    let budget = QueryBudget::unlimited();
    let assignment = |lane: usize| {
        let (inputs, values) = (&inputs, &values);
        move |var: VarId| {
            let at = inputs.iter().position(|&input| input == var).expect("no other byte is used");
            values[at][lane] as u8
        }
    };
    let outputs = [output];
    let code = compiled(
        pool,
        &inputs,
        CodeSources { outputs: &outputs, ..CodeSources::default() },
        &budget,
    );
    let code = code.expect("the terms are small");
    machine.run(&code, &values, u64::MAX, &budget).expect("there is no limit");
    for lane in 0..LANES {
        let expected = pool.eval_u64(output, &assignment(lane));
        assert_eq!(machine.output(&code, 0)[lane], expected, "{}", pool.display(output));
    }
    let code =
        compiled(pool, &inputs, CodeSources { conditions, ..CodeSources::default() }, &budget);
    let code = code.expect("the terms are small");
    let alive = machine.run(&code, &values, u64::MAX >> 3, &budget).expect("there is no limit");
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
    let budget = QueryBudget::unlimited();
    let sources = CodeSources { outputs: &[hash], ..CodeSources::default() };
    let code = compiled(&pool, &inputs, sources, &budget).expect("the term is small");
    assert!(code.ops.len() > 1000 && code.registers < 8, "{} registers", code.registers);
    compare(&pool, 1, &[pool.ult(hash, byte)], hash, 0);
    let refusal = CompiledTerms::new(&pool, &inputs, sources, 100, &budget).err();
    assert_eq!(refusal, Some(CompileRefusal::TooDear));
}

/// A sum of so many products of one byte with another, each of which takes a column.
fn many_columns(pool: &Pool, rounds: u64) -> TermId {
    let symbol = pool.symbol("in", 2);
    let [x, y] = [0, 1].map(|at| pool.zext(pool.byte(symbol, at), 32));
    (1..rounds).fold(pool.constant(32, 0), |sum, round| {
        let product = pool.mul(x, pool.constant(32, round));
        pool.add(pool.mul(sum, pool.constant(32, 31)), pool.xor(product, y))
    })
}

#[test]
fn code_that_costs_too_much_is_refused_before_its_columns_are_filled() {
    let pool = Pool::new();
    let sum = many_columns(&pool, 60_000);
    let symbol = pool.symbol("in", 2);
    let inputs = [0, 1].map(|at| pool.symbol_var(symbol, at));
    let sources = CodeSources { outputs: &[sum], ..CodeSources::default() };
    let interrupt = Interrupt::new();
    let budget = QueryBudget::unlimited().with_interrupt(interrupt.clone());
    let refusal = |cost_max| CompiledTerms::new(&pool, &inputs, sources, cost_max, &budget).err();
    assert_eq!(refusal(1 << 16), Some(CompileRefusal::TooDear));
    assert_eq!(refusal(u64::MAX), Some(CompileRefusal::TooDear), "there are too many columns");
    interrupt.stop(StopReason::Time);
    assert_eq!(refusal(u64::MAX), Some(CompileRefusal::OutOfTime));
}

#[test]
fn a_batch_of_long_code_ends_with_its_budget() {
    let pool = Pool::new();
    let symbol = pool.symbol("in", 2);
    let inputs = [0, 1].map(|at| pool.symbol_var(symbol, at));
    let sum = many_columns(&pool, 5_000);
    let interrupt = Interrupt::new();
    let budget = QueryBudget::unlimited().with_interrupt(interrupt.clone());
    let sources = CodeSources { outputs: &[sum], ..CodeSources::default() };
    let code = compiled(&pool, &inputs, sources, &budget).expect("the term is small");
    let mut machine = LaneMachine::default();
    assert_eq!(machine.run(&code, &batch(2, 0), u64::MAX, &budget), Ok(u64::MAX));
    interrupt.stop(StopReason::Time);
    let stopped = machine.run(&code, &batch(2, 0), u64::MAX, &budget);
    assert_eq!(stopped, Err(CompileRefusal::OutOfTime));
}
