//! Runs that are stopped at checkpoints and gone on with by another engine.

#[path = "support/programs.rs"]
mod programs;

use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_engine::{
    Checkpoint, CheckpointError, CheckpointPace, Engine, EngineConfig, Finding, Limits, NodeConfig,
    Observer, Outcome, SilentObserver, Strategy, Summary, SystemNode, TestCase, TestPolicy,
    ToldResults,
};
use programs::{DIVISION, forks_and, load};

const RUN: [u8; 32] = [7; 32];

/// Forks once for each of the first `n` bytes of an input, and divides by the last one.
fn forks(n: usize) -> String {
    forks_and(n, DIVISION)
}

/// Remembers what it is told, and ends the run at its first checkpoint.
struct StoppingObserver {
    interrupt: Interrupt,
    /// Numbers of findings and of tests, over all sessions.
    findings: Vec<u32>,
    tests: Vec<u64>,
    checkpoint: Option<(Vec<u8>, ToldResults)>,
}

impl Observer for StoppingObserver {
    fn finding(&mut self, finding: &Finding) {
        self.findings.push(finding.id);
    }

    fn test(&mut self, test: &TestCase) {
        self.tests.push(test.id);
    }

    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        if self.checkpoint.is_none() {
            self.checkpoint = Some((checkpoint.to_bytes(&RUN), checkpoint.told));
            self.interrupt.stop(StopReason::Asked);
        }
    }
}

/// Explores in sessions, each of which an engine of its own goes on with; says how many there were.
fn explore_in_sessions(
    engine: impl Fn(EngineConfig) -> Engine,
    config: &EngineConfig,
    choices: u64,
) -> (Summary, StoppingObserver, u32) {
    let mut observer = StoppingObserver {
        interrupt: Interrupt::new(),
        findings: Vec::new(),
        tests: Vec::new(),
        checkpoint: None,
    };
    let mut sessions = 1;
    loop {
        let config = EngineConfig {
            checkpoints: CheckpointPace::Choices(choices),
            interrupt: Interrupt::new(),
            ..config.clone()
        };
        observer.interrupt = config.interrupt.clone();
        let mut engine = engine(config);
        let summary = match observer.checkpoint.take() {
            None => engine.run(&mut observer),
            Some((bytes, told)) => {
                // What was told after the checkpoint is told again.
                observer.findings.truncate(told.findings as usize);
                observer.tests.retain(|test| *test <= told.tests);
                engine.resume(&bytes, &RUN, &mut observer).expect("it was just written")
            }
        };
        if observer.checkpoint.is_none() {
            return (summary, observer, sessions);
        }
        sessions += 1;
    }
}

type RunCounts = (Outcome, u64, u64, u64, String, u64, u64);

fn counts(summary: &Summary) -> RunCounts {
    let Summary { outcome, paths, forks, instructions, worlds, states_created, .. } = summary;
    let worlds = format!("{worlds:?}");
    (*outcome, *paths, *forks, *instructions, worlds, *states_created, summary.trace_hash)
}

/// The results beyond counts, of one worker.
fn results(summary: &Summary) -> (u64, Vec<(u32, String, u64)>, String) {
    let finding = |f: &Finding| (f.id, f.message.clone(), f.count);
    let rest = format!("{:?} {:?}", summary.functions, summary.dropped);
    (summary.tests, summary.findings.iter().map(finding).collect(), rest)
}

fn check(engine: impl Fn(EngineConfig) -> Engine, config: &EngineConfig, choices: u64, name: &str) {
    let whole = engine(config.clone()).run(&mut SilentObserver);
    let (summary, told, sessions) = explore_in_sessions(&engine, config, choices);
    assert!(sessions > 1, "{name}");
    assert_eq!(counts(&summary), counts(&whole), "{name}");
    if config.workers > 1 {
        return;
    }
    assert_eq!(results(&summary), results(&whole), "{name}");
    let findings: Vec<u32> = summary.findings.iter().map(|finding| finding.id).collect();
    assert_eq!(told.findings, findings, "{name}");
    let mut tests = told.tests;
    tests.dedup();
    assert_eq!(tests, (1..=summary.tests).collect::<Vec<u64>>(), "{name}");
}

#[test]
fn a_program_is_gone_on_with_by_every_search() {
    let text = forks(6);
    let engine = |config| Engine::new(load(&text), config).expect("the program is complete");
    let both = ("several", vec![Strategy::RandomPath, Strategy::Coverage]);
    let each = Strategy::ALL.into_iter().filter(|(_, strategy)| *strategy != Strategy::Pct);
    for (name, search) in each.map(|(name, strategy)| (name, vec![strategy])).chain([both]) {
        for workers in 1..=3 {
            let tests = TestPolicy::All;
            let config = EngineConfig {
                search: search.clone(),
                workers,
                share_after: 0,
                tests,
                ..EngineConfig::default()
            };
            check(engine, &config, 17, &format!("{name}, {workers} workers"));
        }
    }
}

#[test]
fn a_system_is_gone_on_with_and_so_is_what_was_set_aside() {
    let texts = [forks(6), forks(1)];
    let engine = |config| {
        let node = |text: &String| SystemNode {
            program: load(text),
            config: NodeConfig::default(),
            start: 0,
            server: None,
        };
        Engine::system(texts.iter().map(node).collect(), config).expect("the system is complete")
    };
    for search in [Strategy::Dfs, Strategy::RandomPath, Strategy::RandomWalk] {
        for workers in 1..=3 {
            let config = EngineConfig {
                search: vec![search],
                workers,
                share_after: 0,
                aside_above: 8,
                tests: TestPolicy::All,
                ..EngineConfig::default()
            };
            check(engine, &config, 23, &format!("{search:?}, {workers} workers"));
        }
    }
}

#[test]
fn what_is_no_checkpoint_of_the_run_is_refused() {
    let text = forks(3);
    let engine = |workers| {
        let checkpoints = CheckpointPace::Choices(3);
        let config = EngineConfig { checkpoints, workers, ..EngineConfig::default() };
        Engine::new(load(&text), config).expect("the program is complete")
    };
    let interrupt = Interrupt::new();
    let mut observer =
        StoppingObserver { interrupt, findings: Vec::new(), tests: Vec::new(), checkpoint: None };
    engine(1).run(&mut observer);
    let (bytes, _) = observer.checkpoint.expect("there are more than three choices");
    let resume =
        |workers, bytes: &[u8], run| engine(workers).resume(bytes, run, &mut SilentObserver);
    let refused = |bytes: &[u8]| resume(1, bytes, &RUN).is_err();
    assert!(!refused(&bytes));
    assert!((0..bytes.len()).step_by(97).all(|length| refused(&bytes[..length])));
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    assert!(refused(&changed));
    assert!(matches!(resume(1, &bytes, &[8; 32]), Err(CheckpointError::File(_))));
    let other = resume(2, &bytes, &RUN);
    assert!(matches!(other, Err(CheckpointError::Workers { written: 1, given: 2 })));
}

/// Keeps the last checkpoint.
#[derive(Default)]
struct LastCheckpoint(Option<Checkpoint>);

impl Observer for LastCheckpoint {
    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        self.0 = Some(checkpoint);
    }
}

#[test]
fn a_limit_of_instructions_leaves_a_checkpoint_that_a_higher_one_goes_on_from() {
    let text = forks(6);
    let engine = |instructions| {
        let limits = Limits { instructions, ..Limits::default() };
        let checkpoints = CheckpointPace::Choices(u64::MAX);
        let config = EngineConfig { limits, checkpoints, ..EngineConfig::default() };
        Engine::new(load(&text), config).expect("the program is complete")
    };
    let whole = engine(None).run(&mut SilentObserver);
    let mut kept = LastCheckpoint::default();
    let part = engine(Some(whole.instructions / 2)).run(&mut kept);
    assert_eq!(part.outcome, Outcome::Limit);
    let checkpoint = kept.0.expect("the limit was reached");
    assert!(checkpoint.is_last);
    let bytes = checkpoint.to_bytes(&RUN);
    let rest = engine(None).resume(&bytes, &RUN, &mut SilentObserver).expect("it was just written");
    assert_eq!((counts(&rest), rest.findings.len()), (counts(&whole), whole.findings.len()));
}
