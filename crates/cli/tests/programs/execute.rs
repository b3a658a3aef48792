//! Running the engine in this process.

use std::sync::Arc;

use anyhow::Result;
use everett_engine::{
    Engine, EngineConfig, Finding, Observer, PathEnd, PathOutcome, Summary, TestCase,
};
use everett_ir::Program;

/// The result of a run.
pub(crate) struct Run {
    pub(crate) summary: Summary,
    pub(crate) tests: Vec<TestCase>,
    /// Of each test, the index of its path.
    pub(crate) path_of_test: Vec<usize>,
    pub(crate) paths: Vec<PathEnd>,
    /// The standard output of the program, of all paths.
    pub(crate) stdout: Vec<u8>,
}

/// Runs a program.
pub(crate) fn run(program: &Arc<Program>, config: EngineConfig) -> Result<Run> {
    let mut collector = Collector::default();
    let mut engine = Engine::new(Arc::clone(program), config)?;
    let summary = engine.run(&mut collector);
    let Collector { tests, path_of_test, paths, stdout } = collector;
    Ok(Run { summary, tests, path_of_test, paths, stdout })
}

impl Run {
    /// The end of a path and its output, in words that do not depend on the run.
    pub(crate) fn end(&self, path: &PathEnd) -> (String, String) {
        let how = match &path.outcome {
            PathOutcome::Exit(value) => format!("exit {value}"),
            PathOutcome::Silent => "silent".to_owned(),
            PathOutcome::Redundant(_) => "redundant".to_owned(),
            PathOutcome::Finding(id) => {
                let finding = self.summary.findings.iter().find(|finding| finding.id == *id);
                finding.map_or("an unknown finding".to_owned(), place)
            }
            PathOutcome::Dropped(reason) => format!("dropped: {reason}"),
            PathOutcome::Waits => "waits for work".to_owned(),
            PathOutcome::Ignored => "ended at an ignored finding".to_owned(),
            PathOutcome::WorldEnded => "ended with its world".to_owned(),
            PathOutcome::Impossible => unreachable!("a path that cannot be is not shown"),
        };
        (how, String::from_utf8_lossy(&path.output).into_owned())
    }
}

/// The kind and the place of a finding: what all paths that end in it have in common, as recursion
/// makes their stacks differ.
pub(crate) fn place(finding: &Finding) -> String {
    let at = finding.stack.first().map(|p| format!("{} {}:{}", p.function, p.file, p.line));
    format!("{} at {}", finding.kind, at.unwrap_or_default())
}

/// The identity of a finding, without its number and its occurrences.
pub(crate) fn identity(finding: &Finding) -> String {
    let stack: Vec<String> =
        finding.stack.iter().map(|p| format!("{} {}:{}", p.function, p.file, p.line)).collect();
    format!("{} at {}", finding.kind, stack.join(" < "))
}

#[derive(Default)]
struct Collector {
    tests: Vec<TestCase>,
    path_of_test: Vec<usize>,
    paths: Vec<PathEnd>,
    stdout: Vec<u8>,
}

impl Observer for Collector {
    /// A path's test comes before its end.
    fn test(&mut self, test: &TestCase) {
        self.path_of_test.push(self.paths.len());
        self.tests.push(test.clone());
    }

    fn wants_paths(&self) -> bool {
        true
    }

    fn path(&mut self, path: &PathEnd) {
        self.paths.push(path.clone());
    }

    fn output(&mut self, _node: &str, descriptor: u32, bytes: &[u8]) {
        if descriptor == 1 {
            self.stdout.extend_from_slice(bytes);
        }
    }
}
