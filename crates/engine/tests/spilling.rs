//! Runs whose parts leave memory and come back: their results are those of runs that have room.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

#[path = "support/programs.rs"]
mod programs;

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_engine::{
    Checkpoint, CheckpointPace, DropReason, Engine, EngineConfig, Limits, MappingKind, NodeConfig,
    Observer, Outcome, SilentObserver, SpillPlace, SpillStore, SpilledBytes, Strategy, Summary,
    SystemNode, TestPolicy,
};
use programs::{DIVISION, forks_and, load};

const RUN: [u8; 32] = [7; 32];

/// A store in memory, which may be full after some writes, or lose what it has.
#[derive(Default)]
struct TestStore {
    parts: Mutex<BTreeMap<u64, Vec<u8>>>,
    next: AtomicU64,
    /// Writes after which it is full.
    room: Option<u64>,
    loses: bool,
    /// Nothing is removed, since checkpoints refer to it.
    keeps: bool,
}

impl SpillStore for TestStore {
    fn write(&self, bytes: &[u8]) -> io::Result<SpilledBytes> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if self.room.is_some_and(|room| number >= room) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let length = bytes.len() as u64;
        self.parts.lock().unwrap().insert(number, bytes.to_vec());
        Ok(SpilledBytes { number, length, stored: length, hash: [0; 32] })
    }

    fn read(&self, name: &SpilledBytes) -> io::Result<Vec<u8>> {
        let parts = self.parts.lock().unwrap();
        let bytes = parts.get(&name.number).filter(|_| !self.loses);
        bytes.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn release(&self, name: &SpilledBytes) {
        if !self.keeps {
            let removed = self.parts.lock().unwrap().remove(&name.number);
            assert!(removed.is_some(), "released once");
        }
    }

    fn resume(&self, needed: &[SpilledBytes]) -> io::Result<()> {
        let parts = self.parts.lock().unwrap();
        let is_there = |name: &SpilledBytes| parts.contains_key(&name.number);
        if needed.iter().all(is_there) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

type RunCounts = (Outcome, u64, u64, u64, String, u64, u64, String, usize);

fn counts(summary: &Summary) -> RunCounts {
    let Summary { outcome, paths, forks, instructions, worlds, states_created, .. } = summary;
    let (worlds, functions) = (format!("{worlds:?}"), format!("{:?}", summary.functions));
    (
        *outcome,
        *paths,
        *forks,
        *instructions,
        worlds,
        *states_created,
        summary.trace_hash,
        functions,
        summary.findings.len(),
    )
}

fn program(config: EngineConfig) -> Engine {
    Engine::new(load(&forks_and(6, DIVISION)), config).expect("the program is complete")
}

fn system(config: EngineConfig) -> Engine {
    let node = |(number, text): (usize, &String)| {
        let mut config = NodeConfig::default();
        config.kernel.hostname = format!("n{number}");
        SystemNode { program: load(text), config, start: 0, server: None }
    };
    // A bug ends its world, and what others have done by then depends on the order.
    let texts = [forks_and(5, ""), forks_and(2, ""), forks_and(1, "")];
    let nodes = texts.iter().enumerate().map(node).collect();
    Engine::system(nodes, config).expect("the system is complete")
}

fn with_store(config: &EngineConfig, store: TestStore) -> (EngineConfig, Arc<TestStore>) {
    let store = Arc::new(store);
    let config = EngineConfig {
        spill: Some(SpillPlace::new(store.clone())),
        spill_above: 4,
        ..config.clone()
    };
    (config, store)
}

/// Compares a run with states on disk with one that has the memory; returns the parts that went out.
fn check(engine: impl Fn(EngineConfig) -> Engine, config: &EngineConfig, name: &str) -> u64 {
    let mut whole = engine(config.clone()).run(&mut SilentObserver);
    let (config, store) = with_store(config, TestStore::default());
    let mut summary = engine(config.clone()).run(&mut SilentObserver);
    if config.mapping == MappingKind::Cob {
        // A state that is copied before it has run runs several times: that depends on the order.
        for summary in [&mut whole, &mut summary] {
            (summary.instructions, summary.trace_hash) = (0, 0);
        }
    }
    assert_eq!(counts(&summary), counts(&whole), "{name}");
    let spill = summary.spill;
    // Nodes that send nothing are one set of worlds there, which cannot be split.
    let is_whole = config.mapping == MappingKind::Cow && summary.nodes > 1;
    // Of several workers, others may be faster than the disk, but not in all runs.
    assert!(spill.parts_out > 0 || is_whole || config.workers > 1, "{name}");
    assert_eq!(
        (spill.parts_out, spill.states_out, spill.bytes_out),
        (spill.parts_back, spill.states_back, spill.bytes_back),
        "{name}"
    );
    assert!(store.parts.lock().unwrap().is_empty(), "{name}");
    spill.parts_out
}

fn strategies() -> impl Iterator<Item = (&'static str, Strategy)> {
    Strategy::ALL.into_iter().filter(|(_, strategy)| *strategy != Strategy::Pct)
}

/// Half of a GiB is in use, whatever happens.
struct HalfFull;

impl Observer for HalfFull {
    fn memory(&self) -> u64 {
        1 << 29
    }
}

#[test]
fn a_large_part_is_written_in_pieces() {
    let explore = |config: EngineConfig| {
        let engine = Engine::new(load(&forks_and(9, DIVISION)), config);
        engine.expect("the program is complete").run(&mut HalfFull)
    };
    for (name, search) in strategies() {
        let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
        let config = EngineConfig { limits, search: vec![search], ..EngineConfig::default() };
        let whole = explore(config.clone());
        let (config, store) = with_store(&config, TestStore::default());
        let above = EngineConfig { spill_above: 200, ..config };
        let summary = explore(above);
        assert_eq!(counts(&summary), counts(&whole), "{name}");
        let spill = summary.spill;
        // One of 32 parts of the limit is one of 16 of what is in use, and 32 states are more.
        assert!(spill.states_out <= 32 * spill.parts_out, "{name}: {spill:?}");
        assert_eq!(spill.states_out, spill.states_back, "{name}");
        assert!(search != Strategy::Bfs || spill.parts_out >= 4, "{name}: {spill:?}");
        assert!(store.parts.lock().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn a_program_is_explored_as_a_whole_by_every_search() {
    let mut by_three = 0;
    for (name, search) in strategies() {
        for workers in [1, 3] {
            let config = EngineConfig {
                search: vec![search],
                workers,
                share_after: 0,
                tests: TestPolicy::All,
                ..EngineConfig::default()
            };
            let out = check(program, &config, &format!("{name}, {workers} workers"));
            by_three += if workers == 3 { out } else { 0 };
        }
    }
    assert!(by_three > 0, "several workers never put a part on disk");
}

#[test]
fn a_system_is_explored_as_a_whole_by_every_search_and_mapping() {
    let mut by_three = 0;
    for (name, search) in strategies() {
        for mapping in [MappingKind::Cob, MappingKind::Cow, MappingKind::Sds] {
            for workers in [1, 3] {
                let config = EngineConfig {
                    search: vec![search],
                    mapping,
                    workers,
                    share_after: 0,
                    aside_above: 8,
                    ..EngineConfig::default()
                };
                let name = format!("{name}, {mapping:?}, {workers} workers");
                let out = check(system, &config, &name);
                by_three += if workers == 3 { out } else { 0 };
            }
        }
    }
    assert!(by_three > 0, "several workers never put a part on disk");
}

/// Keeps the last warning.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Observer for Warnings {
    fn warning(&mut self, message: &str) {
        self.0.push(message.to_owned());
    }
}

#[test]
fn a_store_that_is_full_is_told_of_once_and_nothing_is_lost_while_there_is_memory() {
    for workers in [1, 3] {
        let config = EngineConfig { workers, share_after: 0, ..EngineConfig::default() };
        let whole = program(config.clone()).run(&mut SilentObserver);
        let full = TestStore { room: Some(2), ..TestStore::default() };
        let (config, store) = with_store(&config, full);
        let mut warnings = Warnings::default();
        let summary = program(config).run(&mut warnings);
        assert_eq!(counts(&summary), counts(&whole));
        assert_eq!((summary.spill.parts_out, warnings.0.len()), (2, 1), "{:?}", warnings.0);
        assert!(warnings.0[0].starts_with("cannot put states on disk"), "{:?}", warnings.0);
        assert!(store.parts.lock().unwrap().is_empty());
    }
}

#[test]
fn states_that_cannot_be_read_again_are_counted() {
    let (config, _) =
        with_store(&EngineConfig::default(), TestStore { loses: true, ..TestStore::default() });
    let mut warnings = Warnings::default();
    let summary = program(config).run(&mut warnings);
    assert_eq!(summary.outcome, Outcome::Limit);
    let lost: u64 = summary.dropped.iter().map(|(_, count)| *count).sum();
    assert_eq!(lost, summary.spill.states_out);
    assert!(summary.dropped.iter().all(|(why, _)| matches!(why, DropReason::SpillLost(_))));
    assert_eq!(warnings.0.len() as u64, summary.spill.parts_out);
}

#[test]
fn states_outside_of_memory_are_among_those_that_a_limit_leaves() {
    for engine in [program, system] {
        let limits = Limits { instructions: Some(600), ..Limits::default() };
        let config = EngineConfig {
            limits,
            search: vec![Strategy::Bfs],
            mapping: MappingKind::Cob,
            ..EngineConfig::default()
        };
        let whole = engine(config.clone()).run(&mut SilentObserver);
        let (config, store) = with_store(&config, TestStore::default());
        let summary = engine(config).run(&mut SilentObserver);
        assert!(summary.spill.parts_out > summary.spill.parts_back);
        let dropped = |s: &Summary| s.dropped.iter().map(|(_, count)| *count).sum::<u64>();
        let all = |s: &Summary| s.paths + s.paths_failed + s.paths_cut + dropped(s);
        assert_eq!(all(&whole), whole.states_created);
        assert_eq!(all(&summary), summary.states_created, "{:?}", summary.dropped);
        assert!(store.parts.lock().unwrap().is_empty());
    }
}

/// Ends the run at its first checkpoint, and keeps that.
struct StoppingObserver {
    interrupt: Interrupt,
    checkpoint: Option<Vec<u8>>,
}

impl Observer for StoppingObserver {
    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        if self.checkpoint.is_none() {
            self.checkpoint = Some(checkpoint.to_bytes(&RUN));
            self.interrupt.stop(StopReason::Asked);
        }
    }
}

#[test]
fn a_checkpoint_refers_to_what_is_outside_of_memory() {
    for engine in [program, system] {
        for workers in [1, 3] {
            let config = EngineConfig { workers, share_after: 0, ..EngineConfig::default() };
            let whole = engine(config.clone()).run(&mut SilentObserver);
            let (config, _store) =
                with_store(&config, TestStore { keeps: true, ..TestStore::default() });
            let mut checkpoint: Option<Vec<u8>> = None;
            let mut sessions = 0;
            let summary = loop {
                sessions += 1;
                let interrupt = Interrupt::new();
                let checkpoints = CheckpointPace::Choices(23);
                let config =
                    EngineConfig { checkpoints, interrupt: interrupt.clone(), ..config.clone() };
                let mut observer = StoppingObserver { interrupt, checkpoint: None };
                let summary = match checkpoint.take() {
                    None => engine(config).run(&mut observer),
                    Some(bytes) => {
                        let resumed = engine(config).resume(&bytes, &RUN, &mut observer);
                        resumed.expect("it was just written")
                    }
                };
                checkpoint = observer.checkpoint;
                if checkpoint.is_none() {
                    break summary;
                }
            };
            assert!(sessions > 1);
            assert_eq!(counts(&summary), counts(&whole));
            let spill = summary.spill;
            assert!(spill.parts_out > 0 && spill.parts_out == spill.parts_back, "{spill:?}");
        }
    }
}
