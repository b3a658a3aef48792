//! Running the engine in this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use everett_engine::{Clock, Engine, EngineConfig, Finding, Observer, Summary, TestCase};
use everett_ir::Program;

/// No program of the corpus takes nearly as long.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(100);

/// What came of a run.
pub(crate) struct Run {
    pub(crate) summary: Summary,
    pub(crate) tests: Vec<TestCase>,
    /// What the program wrote to its standard output, on all paths.
    pub(crate) stdout: Vec<u8>,
}

/// A clock that tells the time since now.
#[allow(clippy::disallowed_methods, reason = "only the limit that keeps the suite from hanging")]
pub(crate) fn clock() -> Clock {
    let start = Instant::now();
    Clock::new(move || start.elapsed())
}

/// Runs a program.
pub(crate) fn run(program: &Arc<Program>, config: EngineConfig) -> Result<Run> {
    let mut collector = Collector { tests: Vec::new(), stdout: Vec::new() };
    let mut engine = Engine::new(Arc::clone(program), config)?;
    let summary = engine.run(&mut collector);
    let Collector { tests, stdout } = collector;
    Ok(Run { summary, tests, stdout })
}

/// What a finding is, apart from its number and its occurrences.
pub(crate) fn identity(finding: &Finding) -> String {
    let stack: Vec<String> =
        finding.stack.iter().map(|p| format!("{} {}:{}", p.function, p.file, p.line)).collect();
    format!("{} at {}", finding.kind, stack.join(" < "))
}

struct Collector {
    tests: Vec<TestCase>,
    stdout: Vec<u8>,
}

impl Observer for Collector {
    fn test(&mut self, test: &TestCase) {
        self.tests.push(test.clone());
    }

    fn output(&mut self, descriptor: u32, bytes: &[u8]) {
        if descriptor == 1 {
            self.stdout.extend_from_slice(bytes);
        }
    }
}
