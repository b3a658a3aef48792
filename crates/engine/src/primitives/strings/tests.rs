//! Every function against the plain loop that defines it.
//!
//! A case has two objects with some symbolic bytes, pointers into them and a length. All paths of a
//! call are explored; then random inputs are tried: exactly one path must admit each of them, and end
//! as the loop does, with the same result and the same bytes in memory.

mod reference;

use std::sync::Arc;

use everett_base::rng::Rng;
use everett_expr::{Pool, TermId, VarId};
use everett_interp::{
    Coverage, ExecutionNotes, Flow, Halt, Interp, InterpConfig, InterpParts, PathEnding,
    ProgramImages, Reg, Sibling, SiblingCourse,
};
use everett_ir::{FuncId, Function as Body, LocId, Op, Operand, Program, Slot};
use everett_memory::{ByteValue, ObjectKind, SiteId};
use everett_posix::Kernel;
use everett_solver::{ChainOptions, MonotonicClock, SolverChain};
use everett_world::NodeId;

use super::{Primitives, ResultUses, StringCall, StringFunction, StringMode, TABLE};
use crate::EngineConfig;
use crate::programs::library::ProgramLibrary;
use crate::state::node_state::{Interpreter, PathState};
use crate::state::node_state::{NodeState, PathNotebook};
use reference::{Outcome, Pointer, Value, World};

/// Bytes that cases are made of: few, so that they are often equal.
const BYTES: [u8; 6] = [0, 0, b'a', b'b', b'A', 0xc1];

/// A number or pointer with an unknown part: `base + (byte & mask)`.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    base: u64,
    /// The byte's variable and the mask; none if the value is known.
    part: Option<(VarId, u8)>,
}

impl Unknown {
    fn reg(self, pool: &Pool) -> Reg {
        let Some((var, mask)) = self.part else { return Reg::word(self.base) };
        let byte = pool.and(pool.var(var), pool.constant(8, mask.into()));
        Reg::symbolic(pool.add(pool.zext(byte, 64), pool.constant(64, self.base)))
    }

    fn value(self, model: &dyn Fn(VarId) -> u8) -> u64 {
        self.base + self.part.map_or(0, |(var, mask)| u64::from(model(var) & mask))
    }
}

/// A call and the memory that it works on.
#[derive(Clone, Debug)]
struct Case {
    objects: Vec<Vec<ByteValue>>,
    /// The objects that the first and the second pointer point into, with the offsets.
    pointers: [(usize, Unknown); 2],
    /// The character and the length.
    character: Unknown,
    length: Unknown,
    second_length: u64,
}

/// A path to its end.
struct Path {
    st: Box<PathState>,
    result: Result<Reg, PathEnding>,
}

/// A program that does nothing, in whose frame calls are executed.
fn program() -> Arc<Program> {
    let mut program = Program::new();
    program.ops.push(Op::Return { n: 0, val: Operand::slot(Slot(0)), insts: 1 });
    program.weights.push(1);
    program.op_locs.push(LocId(0));
    program.functions.push(Body {
        name: "main".to_owned(),
        defined: true,
        end: 1,
        blocks: vec![0],
        ..Body::default()
    });
    program.seal();
    Arc::new(program)
}

/// The parts that calls are executed with.
struct Bench {
    pool: Pool,
    images: ProgramImages,
    machine: Primitives,
    solver: SolverChain,
    first: Box<PathState>,
}

impl Bench {
    fn new() -> Bench {
        let (config, images) = (EngineConfig::default(), ProgramImages::new());
        let id = images.load(program()).unwrap();
        let node = crate::state::setup::node(&config.node, id).unwrap();
        let library = ProgramLibrary::new(config.programs.clone());
        let kernel = Kernel::new(config.node.kernel.clone(), Box::new(library));
        let first = PathState::new(
            images.memory(id),
            NodeState::new(NodeId(0), PathNotebook::default(), node),
        );
        let machine = Primitives::new(&config, kernel);
        let solver = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
        Bench { pool: Pool::new(), images, machine, solver, first: Box::new(first) }
    }

    /// Explores all paths of a call. Addresses of the case's objects come along.
    fn explore(
        &mut self,
        case: &Case,
        function: StringFunction,
        mode: StringMode,
    ) -> (Vec<Path>, Vec<u64>) {
        let (mut notes, exec) = (ExecutionNotes::default(), InterpConfig::default());
        let program = everett_interp::ProgramId(0);
        let mut coverage = Coverage::new(&self.images.image(program).program);
        let mut cx: Interpreter<'_> = Interp::new(InterpParts {
            images: &self.images,
            program,
            pool: &self.pool,
            solver: &mut self.solver,
            config: &exec,
            coverage: &mut coverage,
            notes: &mut notes,
        });
        let mut st = self.first.fork();
        cx.enter(&mut st, FuncId(0), &[]);
        let bases: Vec<u64> =
            case.objects.iter().map(|bytes| place(&self.pool, &mut st, bytes)).collect();
        let args = arguments(case, function, &bases).map(|argument| argument.reg(&self.pool));
        let (mut todo, mut paths) = (vec![st], Vec::new());
        while let Some(mut st) = todo.pop() {
            let mut uses = ResultUses::default();
            let mut call = StringCall { cx: &mut cx, st: &mut st, mode, function, uses: &mut uses };
            let result = call.result(&mut self.machine, args);
            for Sibling { state, course } in cx.siblings.drain(..) {
                match course {
                    SiblingCourse::Again | SiblingCourse::On => todo.push(state),
                    SiblingCourse::Ended(ending) => {
                        paths.push(Path { st: state, result: Err(ending) })
                    }
                }
            }
            match result {
                Ok(value) => paths.push(Path { st, result: Ok(value) }),
                Err(Halt::Flow(Flow::End(ending))) => paths.push(Path { st, result: Err(ending) }),
                Err(Halt::Flow(Flow::Jump(_))) => todo.push(st),
                Err(Halt::Flow(flow)) => panic!("unexpected {flow:?}"),
                Err(Halt::Stop(stop)) => panic!("{stop}"),
            }
        }
        drop(cx);
        assert!(notes.omissions.is_empty(), "nothing is lost");
        (paths, bases)
    }
}

/// Puts an object into memory.
fn place(pool: &Pool, st: &mut PathState, bytes: &[ByteValue]) -> u64 {
    let base = st.mem.alloc(bytes.len() as u64, 16, ObjectKind::Heap, SiteId(1)).unwrap();
    st.mem.write_each(pool, base, bytes).unwrap();
    base
}

/// The arguments in the order in which a function takes them.
fn arguments(case: &Case, function: StringFunction, bases: &[u64]) -> [Unknown; 4] {
    let [a, b] = case
        .pointers
        .map(|(object, offset)| Unknown { base: bases[object] + offset.base, ..offset });
    let (c, n, none) = (case.character, case.length, Unknown { base: 0, part: None });
    use StringFunction as F;
    match function {
        F::Memset | F::Memchr | F::Memrchr => [a, c, n, none],
        F::Rawmemchr | F::Strchr | F::Strchrnul | F::Strrchr => [a, c, none, none],
        F::Bzero | F::Strnlen | F::Strndup => [a, n, none, none],
        F::Memmem => [a, n, b, Unknown { base: case.second_length, part: None }],
        _ => [a, b, n, none],
    }
}

fn random_byte(rng: &mut Rng) -> u8 {
    BYTES[rng.below(BYTES.len() as u64) as usize]
}

/// A case of small objects; `edge` puts them across the border of two pages.
fn random_case(pool: &Pool, rng: &mut Rng, edge: bool) -> Case {
    let symbols = pool.symbol("bytes", 64);
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        pool.symbol_var(symbols, next - 1)
    };
    let lead = if edge { 250 } else { 0 };
    let count = 1 + rng.below(2) as usize;
    let share = rng.below(5);
    let objects = (0..count)
        .map(|_| {
            let size = lead + 1 + rng.below(11);
            (0..size)
                .map(|at| match at >= lead && rng.below(4) < share {
                    true => ByteValue::Symbolic(pool.var(fresh())),
                    false => ByteValue::Concrete(random_byte(rng)),
                })
                .collect()
        })
        .collect::<Vec<Vec<ByteValue>>>();
    let mut pointer = |object: usize| {
        let room = objects[object].len() as u64 - lead;
        let part = (rng.below(8) == 0).then(|| (fresh(), 3));
        (object, Unknown { base: lead + rng.below(room + 1), part })
    };
    let pointers = [pointer(0), pointer(count - 1)];
    let part = (rng.below(4) == 0).then(|| (fresh(), 0xff));
    let character =
        Unknown { base: if part.is_some() { 0 } else { random_byte(rng).into() }, part };
    let part = (rng.below(4) == 0).then(|| (fresh(), 7));
    let length = Unknown { base: rng.below(if part.is_some() { 4 } else { 12 }), part };
    Case { objects, pointers, character, length, second_length: rng.below(4) }
}

impl Case {
    /// The behaviour of the loop on one input.
    fn reference(
        &self,
        function: StringFunction,
        model: &dyn Fn(VarId) -> u8,
        pool: &Pool,
    ) -> (Outcome, World) {
        let bytes = |object: &Vec<ByteValue>| {
            let byte = |byte: &ByteValue| match byte {
                ByteValue::Concrete(byte) => *byte,
                ByteValue::Symbolic(term) => pool.eval_u64(*term, &model) as u8,
            };
            object.iter().map(byte).collect()
        };
        let mut world = World { objects: self.objects.iter().map(bytes).collect() };
        let [a, b] = self.pointers.map(|(object, at)| Pointer { object, at: at.value(model) });
        let (c, n) = (self.character.value(model) as u8, self.length.value(model));
        let outcome = world.call(function, a, b, c, [n, self.second_length]);
        (outcome, world)
    }
}

/// The end of a path for one input, in the terms of the reference.
fn check(
    pool: &Pool,
    path: &Path,
    bases: &[u64],
    model: &dyn Fn(VarId) -> u8,
    expected: &(Outcome, World),
) -> bool {
    let (outcome, world) = expected;
    let value = match (&path.result, outcome) {
        (Err(PathEnding::Bug(bug)), Outcome::Bug(kind)) => return bug.kind == *kind,
        (Ok(value), Outcome::Value(expected)) => {
            let value = value.term().map_or(value.bits(), |term| pool.eval_u64(term, &model));
            (value, expected)
        }
        _ => return false,
    };
    let contents = |base: u64, expected: &[u8]| {
        let read = path.st.mem.read_each(pool, base, expected.len() as u64).unwrap();
        read.iter().zip(expected).all(|(byte, expected)| match byte {
            ByteValue::Concrete(byte) => byte == expected,
            ByteValue::Symbolic(term) => pool.eval_u64(*term, &model) == u64::from(*expected),
        })
    };
    let same = match value {
        (value, Value::Number(expected)) => value == *expected,
        (value, Value::Null) => value == 0,
        (value, Value::Pointer(pointer)) => value == bases[pointer.object] + pointer.at,
        (value, Value::Copy(bytes)) => {
            let object = path.st.mem.object(value);
            object.is_some_and(|object| object.object.size == bytes.len() as u64)
                && contents(value, bytes)
        }
    };
    same && bases.iter().zip(&world.objects).all(|(base, bytes)| contents(*base, bytes))
}

fn admits(pool: &Pool, path: &Path, model: &dyn Fn(VarId) -> u8) -> bool {
    path.st.path.constraints().all(|condition: TermId| pool.eval_bool(condition, &model))
}

/// Tries random inputs on all paths of a call.
fn try_inputs(
    bench: &mut Bench,
    rng: &mut Rng,
    case: &Case,
    function: StringFunction,
    mode: StringMode,
) {
    let (paths, bases) = bench.explore(case, function, mode);
    let pool = &bench.pool;
    for _ in 0..24 {
        let values: Vec<u8> = (0..80)
            .map(|_| if rng.below(8) == 0 { rng.next_u64() as u8 } else { random_byte(rng) })
            .collect();
        let model = |var: VarId| values[pool.var_owner(var).1 as usize];
        let expected = case.reference(function, &model, pool);
        let admitting: Vec<&Path> =
            paths.iter().filter(|path| admits(pool, path, &model)).collect();
        let about = || format!("{function:?} {mode:?} on {case:?} with {values:?}");
        assert_eq!(admitting.len(), 1, "one path of {} admits an input: {}", paths.len(), about());
        let agrees = check(pool, admitting[0], &bases, &model, &expected);
        let found = admitting[0]
            .result
            .as_ref()
            .map(|value| value.term().map_or(value.bits(), |term| pool.eval_u64(term, &model)));
        assert!(agrees, "{found:x?} but {:x?}, objects at {bases:x?}: {}", expected, about());
    }
}

/// Runs cases of every function in all modes.
fn run_cases(seed: u64, cases: usize, edge: bool) {
    let (mut rng, mut bench) = (Rng::new(seed), Bench::new());
    for _ in 0..cases {
        for (_, function) in TABLE {
            let case = random_case(&bench.pool, &mut rng, edge);
            for mode in [StringMode::Auto, StringMode::Expression, StringMode::Fork] {
                try_inputs(&mut bench, &mut rng, &case, *function, mode);
            }
        }
    }
}

#[test]
fn small_objects_agree_with_the_loop() {
    run_cases(1, 100, false);
}

#[test]
fn objects_of_two_pages_agree_with_the_loop() {
    run_cases(2, 50, true);
}

/// A string of symbolic bytes, with a terminator behind them.
fn symbolic_string(pool: &Pool, len: u32) -> Case {
    let symbol = pool.symbol("long", len);
    let bytes = (0..len).map(|at| ByteValue::Symbolic(pool.byte(symbol, at)));
    let known = |base| Unknown { base, part: None };
    Case {
        objects: vec![
            bytes.chain([ByteValue::Concrete(0)]).collect(),
            vec![ByteValue::Concrete(0)],
        ],
        pointers: [(0, known(0)), (1, known(0))],
        character: known(0),
        length: known(0),
        second_length: 0,
    }
}

#[test]
fn an_expression_covers_a_block_of_a_long_string() {
    let mut bench = Bench::new();
    let case = symbolic_string(&bench.pool, 600);
    let (paths, _) = bench.explore(&case, StringFunction::Strlen, StringMode::Expression);
    assert_eq!(paths.len(), 3, "600 places to stop, at most 256 on each path");
    let case = symbolic_string(&bench.pool, 255);
    let (paths, _) = bench.explore(&case, StringFunction::Strlen, StringMode::Expression);
    assert_eq!(paths.len(), 1);
}

#[test]
fn forks_of_a_long_string_come_in_several_rounds() {
    let mut bench = Bench::new();
    let case = symbolic_string(&bench.pool, 300);
    let (paths, _) = bench.explore(&case, StringFunction::Strlen, StringMode::Fork);
    let mut lengths: Vec<u64> =
        paths.iter().map(|path| path.result.clone().unwrap().bits()).collect();
    lengths.sort_unstable();
    assert!(lengths.into_iter().eq(0..=300));
}

#[test]
fn few_cases_of_a_result_that_is_used_have_paths_of_their_own() {
    let mut bench = Bench::new();
    for (len, expected) in [(1, 2), (6, 7), (16, 17), (17, 1)] {
        let case = symbolic_string(&bench.pool, len);
        let (paths, _) = bench.explore(&case, StringFunction::Strlen, StringMode::Auto);
        assert_eq!(paths.len(), expected, "{len} symbolic bytes");
    }
}

#[test]
fn cases_that_one_byte_decides_stay_together() {
    let mut bench = Bench::new();
    let wanted = bench.pool.symbol("wanted", 1);
    let known = |base| Unknown { base, part: None };
    let case = Case {
        objects: vec![
            b"0123456789abcdef\0".iter().map(|byte| ByteValue::Concrete(*byte)).collect(),
        ],
        pointers: [(0, known(0)), (0, known(0))],
        character: Unknown { base: 0, part: Some((bench.pool.symbol_var(wanted, 0), 0xff)) },
        length: known(0),
        second_length: 0,
    };
    let (paths, _) = bench.explore(&case, StringFunction::Strchr, StringMode::Auto);
    assert_eq!(paths.len(), 1);
}
