//! The seam to whoever runs the engine: receives results as they appear.

use everett_posix::SavedFile;

use crate::api::checkpoint::Checkpoint;
use crate::api::report::{Finding, PathEnd, StoppedRun, TestCase, WorldStep, WorldTest};
use crate::api::summary::Progress;

/// The occasion on which changed files are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilesOf {
    /// The finding of this number.
    Finding(u32),
    /// The program's wish of this number, counted over all paths from 1.
    Wish(u32),
}

everett_base::portable!(enum FilesOf { 0 = Finding(number), 1 = Wish(number) });

/// The embedder's side of a run: it is told what happens, and asked what it wants.
///
/// All methods have empty defaults. Time comes from [`crate::EngineConfig::clock`].
pub trait Observer: Send {
    /// Resident memory of the process in bytes, 0 if unknown.
    fn memory(&self) -> u64 {
        0
    }

    /// Memory is above its limit: what is free is to go back to the system, before states are dropped.
    fn give_back_memory(&mut self) {}

    /// Returns `true` if the run shall stop now.
    fn interrupted(&self) -> bool {
        false
    }

    /// A new finding. Its `count` still grows; the summary has the final one.
    fn finding(&mut self, _finding: &Finding) {}

    /// A test case.
    fn test(&mut self, _test: &TestCase) {}

    /// The test cases of all nodes of a world have been told of.
    fn world(&mut self, _test: &WorldTest) {}

    /// The run stops after as many messages as [`crate::EngineConfig::stop_after_messages`] says, or before
    /// the step that [`crate::EngineConfig::steps`] names; or a world of several nodes has come to its end in
    /// a run that tells of its steps.
    fn stopped(&mut self, _at: &StoppedRun) {}

    /// A node comes to a line of its program, if [`crate::EngineConfig::steps`] asks for that.
    fn step(&mut self, _step: &WorldStep) {}

    /// Files that a path had changed: at a finding, with [`crate::EngineConfig::save_files`], or
    /// where the program asked for it (`klee_net_write_filesystem`).
    fn files(&mut self, _of: FilesOf, _files: &[SavedFile]) {}

    /// Returns `true` if [`Observer::path`] shall be called.
    fn wants_paths(&self) -> bool {
        false
    }

    /// A path is over.
    fn path(&mut self, _path: &PathEnd) {}

    /// Called every now and then.
    fn progress(&mut self, _progress: &Progress) {}

    /// The worlds of a job were read ([`crate::Engine::work_on`]), and are explored from now on.
    fn job_begun(&mut self) {}

    /// The run as it is now, as often as [`crate::EngineConfig::checkpoints`] says. All workers wait.
    fn checkpoint(&mut self, _checkpoint: Checkpoint) {}

    /// The run goes on from a checkpoint, before which it has told of these findings.
    fn resumed(&mut self, _findings: &[Finding]) {}

    /// Something the user should know, once.
    fn warning(&mut self, _message: &str) {}

    /// The program of a node wrote to its standard output or error.
    fn output(&mut self, _node: &str, _descriptor: u32, _bytes: &[u8]) {}
}

/// An observer that ignores everything: for tests and for embedders that only want the summary.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentObserver;

impl Observer for SilentObserver {}
