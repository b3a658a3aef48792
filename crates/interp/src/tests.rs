//! The interpreter on hand-made programs: no LLVM, no engine.

use std::sync::Arc;

use everett_expr::Pool;
use everett_ir::{
    CallId, CallSite, Callee, Const, FuncId, Function, IntPredicate, LocId, Op, Operand, Program,
    SignatureId, Slot, WrapFlags,
};
use everett_solver::{ChainOptions, MonotonicClock, SolverChain};

use crate::*;

/// A program under construction: functions are laid out one after the other.
#[derive(Default)]
struct Builder {
    program: Program,
}

impl Builder {
    fn constant(&mut self, value: u64) -> Operand {
        self.program.consts.push(Const::Int(value));
        Operand::constant(self.program.consts.len() as u32 - 1)
    }

    fn function(&mut self, params: &[u8], frame_slots: u32, ops: &[Op]) -> FuncId {
        let entry = self.program.ops.len() as u32;
        self.program.ops.extend_from_slice(ops);
        self.program.functions.push(Function {
            name: format!("f{}", self.program.functions.len()),
            defined: !ops.is_empty(),
            entry,
            end: entry + ops.len() as u32,
            blocks: vec![entry],
            params: params.to_vec(),
            frame_slots,
            ..Function::default()
        });
        FuncId::from_index(self.program.functions.len() - 1)
    }

    fn call(&mut self, func: FuncId, args: &[Operand], dst: Slot) -> CallId {
        self.program.calls.push(CallSite {
            callee: Callee::Direct(func),
            signature: SignatureId::default(),
            args: args.to_vec(),
            widths: vec![64; args.len()],
            by_val: Vec::new(),
            var_args: Vec::new(),
            dst,
            ret_slots: 1,
            ret_widths: vec![64],
            result_used: true,
            landing: None,
        });
        CallId::from_index(self.program.calls.len() - 1)
    }

    fn finish(mut self) -> Arc<Program> {
        let Program { ops, weights, op_locs, locations, names, files, signatures, .. } =
            &mut self.program;
        weights.resize(ops.len(), 1);
        op_locs.resize(ops.len(), LocId(0));
        (*locations, *names, *files, *signatures) = {
            let empty = Program::new();
            (empty.locations, empty.names, empty.files, empty.signatures)
        };
        self.program.seal();
        self.program.validate().expect("the test builds valid programs");
        Arc::new(self.program)
    }
}

/// The ends of all paths, in their order.
struct Outcome {
    endings: Vec<(PathEnding, u64)>,
    covered: u64,
}

/// Runs every path of the first function to its end.
fn explore(
    program: Arc<Program>,
    config: &InterpConfig,
    args: impl Fn(&Pool) -> Vec<Reg>,
) -> Outcome {
    let (pool, mut notes) = (Pool::new(), ExecutionNotes::default());
    let mut solver = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
    let images = ProgramImages::new();
    let id = images.load(program).expect("there is room for the globals");
    let image = images.image(id);
    let mut coverage = Coverage::new(&image.program);
    let mut todo = Vec::new();
    let mut endings = Vec::new();
    let (pool, solver) = (&pool, &mut solver);
    let mut interp = Interp::new(InterpParts {
        images: &images,
        program: id,
        pool,
        solver,
        config,
        coverage: &mut coverage,
        notes: &mut notes,
    });
    let mut first = Box::new(State::new(images.memory(id), ()));
    interp.enter(&mut first, FuncId(0), &args(pool));
    todo.push(first);
    while let Some(mut st) = todo.pop() {
        let pause =
            interp.run(&mut NullMachine, &mut st, 1_000).expect("nothing here is unsupported");
        for Sibling { state, course } in interp.siblings.drain(..) {
            match course {
                SiblingCourse::On | SiblingCourse::Again => todo.push(state),
                SiblingCourse::Ended(ending) => endings.push((ending, state.instructions)),
            }
        }
        match pause {
            RunPause::End(ending) => endings.push((ending, st.instructions)),
            RunPause::Fuel | RunPause::Forked | RunPause::Asked | RunPause::Switched => {
                todo.push(st)
            }
            RunPause::Idle => unreachable!("there is only one thread"),
        }
    }
    drop(interp);
    let covered = coverage.of_function(&image.program, FuncId(0)).0;
    Outcome { endings, covered }
}

/// Sums the numbers from its argument down to 1.
fn sum_loop() -> Arc<Program> {
    let mut b = Builder::default();
    let (zero, one) = (b.constant(0), b.constant(1));
    let (n, sum) = (Operand::slot(Slot(0)), Operand::slot(Slot(1)));
    let (pred, w, insts, wrap) = (IntPredicate::Eq, 64, 0, WrapFlags::NONE);
    b.function(
        &[64],
        2,
        &[
            Op::CompareBranch { pred, w, insts, a: n, b: zero, then: 4, other: 1 },
            Op::Add { w, wrap, dst: Slot(1), a: sum, b: n },
            Op::Sub { w, wrap, dst: Slot(0), a: n, b: one },
            Op::Jump { insts, target: 0 },
            Op::Return { insts, n: 1, val: sum },
        ],
    );
    b.finish()
}

fn without_hot_loop() -> InterpConfig {
    InterpConfig { hot: false, ..InterpConfig::default() }
}

#[test]
fn both_loops_do_and_count_the_same() {
    for config in [InterpConfig::default(), without_hot_loop()] {
        let outcome = explore(sum_loop(), &config, |_| vec![Reg::word(100)]);
        assert_eq!(outcome.endings, [(PathEnding::Exit(Reg::word(5050)), 402)]);
        assert_eq!(outcome.covered, 5);
    }
}

#[test]
fn a_symbolic_bound_forks_once_a_turn() {
    for config in [InterpConfig::default(), without_hot_loop()] {
        let outcome = explore(sum_loop(), &config, |pool| {
            let small = pool.extract(pool.byte(pool.symbol("n", 1), 0), 0, 2);
            vec![Reg::symbolic(pool.zext(small, 64))]
        });
        let mut lengths: Vec<u64> = outcome.endings.iter().map(|(_, n)| *n).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [2, 6, 10, 14]);
    }
}

#[test]
fn a_division_splits_off_the_paths_that_fail() {
    let mut b = Builder::default();
    let hundred = b.constant(100);
    let divisor = Operand::slot(Slot(0));
    b.function(
        &[64],
        2,
        &[
            Op::SDiv { w: 64, dst: Slot(1), a: hundred, b: divisor },
            Op::Return { insts: 0, n: 1, val: Operand::slot(Slot(1)) },
        ],
    );
    let outcome = explore(b.finish(), &InterpConfig::default(), |pool| {
        vec![Reg::symbolic(pool.zext(pool.byte(pool.symbol("d", 1), 0), 64))]
    });
    let kinds: Vec<Option<BugKind>> = outcome
        .endings
        .iter()
        .map(|(ending, _)| match ending {
            PathEnding::Bug(bug) => Some(bug.kind),
            PathEnding::Exit(_) | PathEnding::Silent | PathEnding::Redundant(_) => None,
        })
        .collect();
    assert_eq!(kinds, [Some(BugKind::DivideByZero), None]);
}

#[test]
fn endless_recursion_overflows_the_stack() {
    let mut b = Builder::default();
    let call = b.call(FuncId(0), &[], Slot(0));
    let result = Operand::slot(Slot(0));
    b.function(
        &[],
        1,
        &[Op::Call { insts: 0, site: call }, Op::Return { insts: 0, n: 1, val: result }],
    );
    let config = InterpConfig { max_stack_bytes: 1600, ..InterpConfig::default() };
    let outcome = explore(b.finish(), &config, |_| Vec::new());
    let PathEnding::Bug(bug) = &outcome.endings[0].0 else { panic!("{:?}", outcome.endings) };
    assert_eq!(bug.kind, BugKind::StackOverflow);
    assert!(bug.message.starts_with("100 calls within each other"), "{}", bug.message);
}

#[test]
fn a_machine_that_implements_nothing_reports_every_call_outward() {
    let mut b = Builder::default();
    let call = b.call(FuncId(1), &[], Slot(0));
    b.function(&[], 1, &[Op::Call { insts: 0, site: call }, Op::Unreachable { insts: 0 }]);
    b.function(&[], 0, &[]);
    let outcome = explore(b.finish(), &InterpConfig::default(), |_| Vec::new());
    let PathEnding::Bug(bug) = &outcome.endings[0].0 else { panic!("{:?}", outcome.endings) };
    assert_eq!(bug.message, "call of undefined function f1");
}
