//! The engine as embedders use it: small programs in LLVM's text form, results as values.

#[path = "support/programs.rs"]
mod programs;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use everett_engine::{
    Argument, BugKind, DropReason, Engine, EngineConfig, Finding, Limits, MappingKind,
    MonotonicClock, NodeConfig, Observer, Outcome, PanicLog, PathEnd, PathOutcome, SilentObserver,
    Strategy, Summary, SystemNode, TestCase, TestPolicy,
};
use programs::{forks_and, load};

/// Forks once for each of the first `n` bytes of an input.
fn forks(n: usize) -> String {
    forks_and(n, "")
}

const DIVIDE: &str = "
define i32 @divide(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}
define i32 @main() {
  ret i32 7
}
";

fn engine(text: &str, config: EngineConfig) -> Engine {
    Engine::new(load(text), config).expect("the program is complete")
}

fn run(text: &str, config: EngineConfig) -> Summary {
    engine(text, config).run(&mut SilentObserver)
}

fn limited(limits: Limits) -> Summary {
    let search = vec![Strategy::Dfs];
    run(&forks(8), EngineConfig { limits, search, ..EngineConfig::default() })
}

fn dropped(summary: &Summary, reason: DropReason) -> u64 {
    summary.dropped.iter().find(|(r, _)| *r == reason).map_or(0, |(_, count)| *count)
}

#[test]
fn searches_that_have_no_meaning_are_refused() {
    let refused = |search: &[Strategy]| {
        let config = EngineConfig { search: search.to_vec(), ..EngineConfig::default() };
        Engine::new(load(&forks(2)), config).err().map(|error| error.to_string())
    };
    assert!(refused(&[Strategy::Pct]).is_some_and(|error| error.contains("preemptions")));
    let turns = refused(&[Strategy::Dfs, Strategy::RandomWalk]);
    assert!(turns.is_some_and(|error| error.contains("random-walk")));
    assert_eq!(refused(&[Strategy::RandomWalk]), None);
}

#[test]
fn walks_are_counted_and_what_is_left_is_estimated() {
    let config = |limits| EngineConfig {
        search: vec![Strategy::RandomWalk],
        limits,
        ..EngineConfig::default()
    };
    let whole = run(&forks(8), config(Limits::default()));
    // Each walk is a path, and no path is explored twice.
    assert_eq!((whole.orders.walks, whole.paths), (Some(256), 256));
    assert_eq!(whole.estimate, None);
    let limits = Limits { instructions: Some(whole.instructions / 2), ..Limits::default() };
    let part = run(&forks(8), config(limits));
    assert!(part.outcome == Outcome::Limit && part.paths < 256, "{part:?}");
    let estimate = part.estimate.expect("something was explored");
    // All paths are as likely here, so that the estimate is exact.
    assert!((estimate.total - 256.0).abs() < 0.01, "{estimate:?}");
    assert!((estimate.explored - part.paths as f64 / 256.0).abs() < 1e-6, "{estimate:?}");
}

/// All strategies but the one that needs orders to choose from.
fn strategies() -> impl Iterator<Item = (&'static str, Strategy)> {
    Strategy::ALL.into_iter().filter(|(_, strategy)| *strategy != Strategy::Pct)
}

#[test]
fn every_strategy_explores_the_same_paths() {
    for (name, strategy) in strategies() {
        let config = EngineConfig { search: vec![strategy], ..EngineConfig::default() };
        let summary = run(&forks(8), config);
        assert_eq!((summary.outcome, summary.paths), (Outcome::Exhausted, 256), "{name}");
        assert_eq!((summary.forks, summary.states_created), (255, 256), "{name}");
        // Each branch is about one byte, which needs no backend.
        assert_eq!(summary.queries, 0, "{name}");
        assert_eq!(summary.coverage.covered, summary.coverage.total, "{name}");
    }
}

#[test]
fn equal_runs_have_equal_hashes_and_other_seeds_the_same_paths() {
    let config = |seed| EngineConfig { seed, ..EngineConfig::default() };
    let hash = |seed| run(&forks(6), config(seed)).trace_hash;
    assert_eq!(hash(1), hash(1));
    assert_eq!(run(&forks(6), config(2)).paths, 64);
}

#[test]
fn an_engine_can_run_again() {
    let mut engine = engine(&forks(4), EngineConfig::default());
    assert_eq!(engine.run(&mut SilentObserver), engine.run(&mut SilentObserver));
}

#[test]
fn an_instruction_limit_ends_the_run_and_counts_what_is_left() {
    let summary = limited(Limits { instructions: Some(60), ..Limits::default() });
    assert_eq!(summary.outcome, Outcome::Limit);
    assert_eq!(summary.limit, Some(DropReason::InstructionLimit));
    assert!(dropped(&summary, DropReason::InstructionLimit) > 0);
}

#[test]
fn a_fork_limit_follows_one_side_only() {
    let summary = limited(Limits { forks: Some(3), ..Limits::default() });
    assert_eq!((summary.outcome, summary.paths), (Outcome::Limit, 4));
    assert!(dropped(&summary, DropReason::ForkLimit) > 0);
}

#[test]
fn a_depth_limit_drops_deeper_paths() {
    let summary = limited(Limits { depth: Some(3), ..Limits::default() });
    assert_eq!(summary.paths, 0);
    assert_eq!(dropped(&summary, DropReason::DepthLimit), 16);
}

#[test]
fn a_state_limit_bounds_live_states() {
    let summary = limited(Limits { states: Some(3), ..Limits::default() });
    assert!(summary.states_peak <= 4, "{}", summary.states_peak);
    assert!(dropped(&summary, DropReason::StateLimit) > 0);
}

#[test]
fn a_path_instruction_limit_ends_an_endless_loop() {
    let text = "define i32 @main() {\n  br label %l\nl:\n  br label %l\n}\n";
    let limits = Limits { path_instructions: Some(1000), ..Limits::default() };
    let summary = run(text, EngineConfig { limits, ..EngineConfig::default() });
    assert_eq!(dropped(&summary, DropReason::PathInstructionLimit), 1);
    assert_eq!(summary.outcome, Outcome::Limit);
    assert_eq!(summary.limit, Some(DropReason::PathInstructionLimit));
}

/// Stops after it has been asked a few times, and fails all memory checks.
struct Impatient {
    asked: Cell<u32>,
    tests: u64,
}

impl Observer for Impatient {
    fn interrupted(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() > 2
    }

    fn test(&mut self, _test: &TestCase) {
        self.tests += 1;
    }
}

#[test]
fn an_interrupted_run_gives_no_tests_of_paths_that_are_not_finished() {
    let config = EngineConfig {
        tests: TestPolicy::All,
        search: vec![Strategy::Bfs],
        ..EngineConfig::default()
    };
    let mut observer = Impatient { asked: Cell::new(0), tests: 0 };
    let summary = engine(&forks(10), config).run(&mut observer);
    assert_eq!(summary.outcome, Outcome::Stopped);
    let interrupted = dropped(&summary, DropReason::Interrupted);
    assert!(interrupted > 10);
    assert_eq!(observer.tests, summary.paths);
}

/// Keeps everything it is told.
#[derive(Default)]
struct Recorder {
    findings: Vec<Finding>,
    tests: Vec<TestCase>,
    paths: Vec<PathEnd>,
    warnings: Vec<String>,
}

impl Observer for Recorder {
    fn finding(&mut self, finding: &Finding) {
        self.findings.push(finding.clone());
    }

    fn test(&mut self, test: &TestCase) {
        self.tests.push(test.clone());
    }

    fn wants_paths(&self) -> bool {
        true
    }

    fn path(&mut self, path: &PathEnd) {
        self.paths.push(path.clone());
    }

    fn warning(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }
}

#[test]
fn a_function_is_called_with_chosen_symbolic_arguments() {
    let arguments = vec![Argument::Word(100), Argument::Symbolic("b".to_owned())];
    let config = EngineConfig {
        node: NodeConfig {
            entry: "divide".to_owned(),
            arguments: Some(arguments),
            ..NodeConfig::default()
        },
        ..EngineConfig::default()
    };
    let mut recorder = Recorder::default();
    let summary = engine(DIVIDE, config).run(&mut recorder);
    assert_eq!((summary.paths, summary.paths_failed), (1, 1));
    assert_eq!(recorder.findings[0].kind, BugKind::DivideByZero);
    assert_eq!(recorder.findings[0].inputs[0].bytes, [0, 0, 0, 0]);
    assert!(recorder.paths.iter().any(|path| path.outcome == PathOutcome::Finding(1)));
}

#[test]
fn a_pointer_argument_points_to_symbolic_bytes() {
    let text = "define i32 @second(ptr %p) {\n  %q = getelementptr i8, ptr %p, i64 1\n\
                  %v = load i8, ptr %q\n  %c = icmp eq i8 %v, 42\n  br i1 %c, label %a, label %b\n\
                a:\n  call void @abort()\n  unreachable\nb:\n  ret i32 0\n}\n\
                declare void @abort()\n";
    let config = |size| EngineConfig {
        node: NodeConfig {
            entry: "second".to_owned(),
            arguments: Some(vec![Argument::SymbolicBytes { name: "bytes".to_owned(), size }]),
            ..NodeConfig::default()
        },
        ..EngineConfig::default()
    };
    let summary = run(text, config(4));
    assert_eq!(summary.findings[0].kind, BugKind::Abort);
    assert_eq!(summary.findings[0].inputs[0].bytes[1], 42);
    assert_eq!(run(text, config(1)).findings[0].kind, BugKind::OutOfBounds);
}

#[test]
fn the_wrong_number_of_arguments_is_an_error() {
    let config = EngineConfig {
        node: NodeConfig {
            entry: "divide".to_owned(),
            arguments: Some(vec![Argument::Word(1)]),
            ..NodeConfig::default()
        },
        ..EngineConfig::default()
    };
    let error = Engine::new(load(DIVIDE), config).err().expect("one argument is missing");
    assert_eq!(error.to_string(), "'divide' takes 2 arguments, not 1");
}

#[test]
fn a_missing_entry_is_named() {
    let error = Engine::new(load("define void @f() {\n  ret void\n}\n"), EngineConfig::default());
    assert!(error.err().expect("no main").to_string().contains("'main'"));
}

#[test]
fn an_undefined_variable_is_warned_of_and_found_where_it_is_used() {
    let text = "@lost = external global i32\n@_nl_msg_cat_cntr = external global i32\n\
                define i32 @main(i32 %argc, ptr %argv) {\n  %v = load i32, ptr @VARIABLE\n\
                  ret i32 %v\n}\n";
    let run = |name: &str| {
        let mut recorder = Recorder::default();
        let text = text.replace("VARIABLE", name);
        let summary = engine(&text, EngineConfig::default()).run(&mut recorder);
        (summary, recorder.warnings)
    };
    let (summary, warnings) = run("lost");
    assert_eq!(summary.findings[0].kind, BugKind::UndefinedVariable);
    assert!(warnings.iter().any(|text| text.contains("undefined variable 'lost'")), "{warnings:?}");
    let (summary, _) = run("_nl_msg_cat_cntr");
    assert!(summary.findings.is_empty());
    let missing = DropReason::MissingSymbol("_nl_msg_cat_cntr".to_owned());
    assert_eq!(summary.dropped, [(missing, 1)]);
}

const CALLS_UNKNOWN: &str = "
declare i32 @mystery(i32)
define i32 @main() {
  %v = call i32 @mystery(i32 1)
  %c = icmp eq i32 %v, 5
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 0
}
";

#[test]
fn an_undefined_function_is_a_finding_and_a_warning() {
    let mut recorder = Recorder::default();
    let summary = engine(CALLS_UNKNOWN, EngineConfig::default()).run(&mut recorder);
    assert_eq!(summary.findings[0].kind, BugKind::UndefinedFunction);
    assert!(summary.findings[0].message.contains("mystery"));
    assert_eq!(recorder.warnings.len(), 1);
}

#[test]
fn a_named_undefined_function_may_return_a_symbolic_value() {
    for name in ["mystery", "*"] {
        let symbolic_functions = [name.to_owned()].into();
        let summary =
            run(CALLS_UNKNOWN, EngineConfig { symbolic_functions, ..EngineConfig::default() });
        assert_eq!((summary.paths, summary.findings.len()), (2, 0));
    }
}

#[test]
fn every_test_replays_to_its_own_path() {
    let mut recorder = Recorder::default();
    let config = EngineConfig { tests: TestPolicy::All, ..EngineConfig::default() };
    engine(&forks(3), config).run(&mut recorder);
    assert_eq!(recorder.tests.len(), 8);
    for (test, path) in recorder.tests.iter().zip(&recorder.paths) {
        let node = NodeConfig { replay: Some((*test.ktest).clone()), ..NodeConfig::default() };
        let config = EngineConfig { node, ..EngineConfig::default() };
        let summary = run(&forks(3), config);
        assert_eq!((summary.paths, summary.forks), (1, 0));
        assert_eq!(summary.instructions, path.instructions);
    }
}

#[test]
fn preferences_shape_tests_but_not_paths() {
    let text = forks(1).replace(
        "  br label %b0\n",
        "  %x = load i8, ptr %buf\n  %w = icmp eq i8 %x, 120\n  %z = zext i1 %w to i64\n  \
         call void @klee_prefer_cex(ptr %buf, i64 %z)\n  br label %b0\n",
    ) + "declare void @klee_prefer_cex(ptr, i64)\n";
    let mut recorder = Recorder::default();
    let config = EngineConfig { tests: TestPolicy::All, ..EngineConfig::default() };
    let summary = engine(&text, config).run(&mut recorder);
    assert_eq!(summary.paths, 2);
    let first_bytes: Vec<u8> = recorder.tests.iter().map(|t| t.ktest.objects[0].bytes[0]).collect();
    assert!(first_bytes.contains(&120) && first_bytes.iter().any(|b| (*b as i8) <= 97));
}

#[test]
fn the_exit_code_of_a_single_path_is_known() {
    assert_eq!(run(DIVIDE, EngineConfig::default()).exit_code, Some(7));
    assert_eq!(run(&forks(1), EngineConfig::default()).exit_code, None);
}

/// Says every now and then that memory has run out, and that there is nothing to give back.
#[derive(Default)]
struct Crowded {
    asked: Cell<u64>,
    is_full: Cell<bool>,
}

impl Observer for Crowded {
    fn memory(&self) -> u64 {
        self.asked.set(self.asked.get() + 1);
        if self.is_full.take() || self.asked.get().is_multiple_of(5) { 2 } else { 0 }
    }

    fn give_back_memory(&mut self) {
        self.is_full.set(true);
    }
}

#[test]
fn out_of_memory_the_state_that_ran_last_may_lose_its_worlds() {
    let program = load(&forks(4));
    for (name, strategy) in strategies() {
        let node = |_| SystemNode {
            program: program.clone(),
            config: NodeConfig::default(),
            start: 0,
            server: None,
        };
        let ticks = AtomicU64::new(0);
        let config = EngineConfig {
            limits: Limits { memory: Some(1), ..Limits::default() },
            clock: MonotonicClock::new(move || {
                Duration::from_secs(ticks.fetch_add(1, Ordering::Relaxed))
            }),
            search: vec![strategy],
            // Short, so that it ends between two branches.
            quantum: 3,
            mapping: MappingKind::Cob,
            ..EngineConfig::default()
        };
        let mut engine = Engine::system((0..3).map(node).collect(), config).expect("complete");
        let summary = engine.run(&mut Crowded::default());
        assert!(dropped(&summary, DropReason::MemoryLimit) > 0, "{name}");
    }
}

#[test]
fn depth_first_few_states_are_there_at_once() {
    let run = |aside_above, workers, parts_as_bytes| {
        let node = |text: &str| SystemNode {
            program: load(text),
            config: NodeConfig::default(),
            start: 0,
            server: None,
        };
        let config = EngineConfig {
            search: vec![Strategy::Dfs],
            workers,
            share_after: 0,
            aside_above,
            parts_as_bytes,
            ..EngineConfig::default()
        };
        let nodes = vec![node(&forks(10)), node(&forks(1))];
        Engine::system(nodes, config).expect("complete").run(&mut SilentObserver)
    };
    let all = run(u64::MAX, 1, false);
    let counts = |summary: &Summary| {
        let Summary { paths, worlds, states_created, instructions, trace_hash, .. } = summary;
        (*paths, *worlds, *states_created, *instructions, *trace_hash)
    };
    let few = run(32, 1, false);
    assert_eq!(counts(&few), counts(&all));
    assert!(few.states_peak * 4 < all.states_peak, "{}", few.states_peak);
    assert_eq!(counts(&run(32, 3, false)), counts(&all));
    // Parts that are set aside, and those that others take, may be bytes meanwhile.
    assert_eq!(counts(&run(32, 1, true)), counts(&all));
    assert_eq!(counts(&run(32, 3, true)), counts(&all));
}

#[test]
fn paths_of_a_program_may_go_to_others_as_bytes() {
    let run = |workers, parts_as_bytes| {
        let config =
            EngineConfig { workers, share_after: 0, parts_as_bytes, ..EngineConfig::default() };
        let summary = run(&forks(10), config);
        (summary.paths, summary.forks, summary.instructions, summary.trace_hash)
    };
    assert_eq!(run(3, true), run(1, false));
}

/// Forks over the first byte, and divides by it on one side.
const DIVIDES_BY_INPUT: &str = "
declare void @klee_make_symbolic(ptr, i64, ptr)
@name = private constant [4 x i8] c\"buf\\00\"
define i32 @main() {
  %buf = alloca [4 x i8]
  call void @klee_make_symbolic(ptr %buf, i64 4, ptr @name)
  %x = load i32, ptr %buf
  %q = udiv i32 100, %x
  ret i32 0
}
";

/// Panics when it is told of the end of a path without a finding.
#[derive(Default)]
struct Panics {
    findings: usize,
    tests: usize,
}

impl Observer for Panics {
    fn wants_paths(&self) -> bool {
        true
    }

    fn finding(&mut self, _: &Finding) {
        self.findings += 1;
    }

    fn test(&mut self, _: &TestCase) {
        self.tests += 1;
    }

    fn path(&mut self, path: &PathEnd) {
        if matches!(path.outcome, PathOutcome::Exit(_)) {
            panic!("as this test wants it");
        }
    }
}

/// A log that the process's panic hook fills.
fn panic_log() -> Arc<PanicLog> {
    let log = Arc::new(PanicLog::default());
    let (noted, usual) = (log.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        if !noted.note(info) {
            usual(info);
        }
    }));
    log
}

#[test]
fn a_panic_of_a_worker_leaves_findings_tests_and_a_summary() {
    for workers in [1, 4] {
        let config = EngineConfig { workers, panics: panic_log(), ..EngineConfig::default() };
        let mut observer = Panics::default();
        let summary = engine(DIVIDES_BY_INPUT, config).run(&mut observer);
        assert_eq!(summary.outcome, Outcome::Failed);
        assert_eq!((summary.findings.len(), observer.findings), (1, 1), "{workers} workers");
        assert!(observer.tests > 0, "{workers} workers");
        assert!(summary.instructions > 0);
        let Some(DropReason::InternalError(what)) = &summary.limit else {
            panic!("{:?} says no internal error", summary.limit);
        };
        assert!(what.contains("as this test wants it, at "), "{what}");
        assert!(what.contains("engine.rs:"), "{what}");
        assert!(summary.dropped.iter().any(|(reason, _)| Some(reason) == summary.limit.as_ref()));
    }
}

#[test]
fn a_panic_among_many_paths_gives_the_others_up() {
    for workers in [1, 4] {
        let limits = Limits::default();
        let search = vec![Strategy::Bfs];
        // Without a hook there is no place.
        let config = EngineConfig { workers, limits, search, ..EngineConfig::default() };
        let summary = engine(&forks(8), config).run(&mut Panics::default());
        assert_eq!(summary.outcome, Outcome::Failed);
        let lost = |wanted: fn(&DropReason) -> bool| {
            summary.dropped.iter().filter(|(reason, _)| wanted(reason)).map(|(_, n)| n).sum::<u64>()
        };
        let errors = lost(|reason| matches!(reason, DropReason::InternalError(_)));
        assert!((1..=workers as u64).contains(&errors), "{:?}", summary.dropped);
        assert!(lost(|reason| *reason == DropReason::AfterInternalError) > 0);
        assert!(summary.paths < 256);
    }
}
