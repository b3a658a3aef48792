//! Results that are held back until it is certain that they count: [`HeldObserver`].
//!
//! A run that finds out about races is begun again, with more places at which threads are switched. All that
//! it has told by then is told again by the run that takes its place.

use everett_base::part::PartError;
use everett_posix::SavedFile;

use crate::api::checkpoint::{Checkpoint, HELD_SECTION, ToldResults};
use crate::api::observer::{FilesOf, Observer};
use crate::api::report::{Finding, PathEnd, StoppedRun, TestCase, WorldStep, WorldTest};
use crate::api::summary::Progress;
use crate::explore::run_record::{of_section, to_section};

/// A result that was not told yet.
pub(crate) enum HeldResult {
    Finding(Finding),
    Test(TestCase),
    World(WorldTest),
    Stopped(StoppedRun),
    Step(WorldStep),
    Files(FilesOf, Vec<SavedFile>),
    Path(PathEnd),
    Warning(String),
    Output(String, u32, Vec<u8>),
}

everett_base::portable!(enum HeldResult {
    0 = Finding(finding), 1 = Test(test), 2 = World(test), 3 = Stopped(at), 4 = Files(of, files),
    5 = Path(path), 6 = Warning(message), 7 = Output(node, descriptor, bytes), 8 = Step(step),
});

/// Holds the results of a run back from an observer.
pub(crate) struct HeldObserver<'a> {
    to: &'a mut dyn Observer,
    results: Vec<HeldResult>,
}

impl<'a> HeldObserver<'a> {
    pub(crate) fn new(to: &'a mut dyn Observer) -> HeldObserver<'a> {
        HeldObserver { to, results: Vec::new() }
    }

    /// Holds results that were held back before.
    pub(crate) fn with(to: &'a mut dyn Observer, results: Vec<HeldResult>) -> HeldObserver<'a> {
        HeldObserver { to, results }
    }

    /// Holds the results that were held back by the time of a checkpoint.
    pub(crate) fn restore(&mut self, section: &[u8]) -> Result<(), PartError> {
        self.results = of_section(section)?;
        Ok(())
    }

    /// The results that were not told.
    pub(crate) fn into_results(self) -> Vec<HeldResult> {
        self.results
    }

    /// Forgets the results: another run tells them.
    pub(crate) fn forget(&mut self) {
        self.results.clear();
    }

    /// Tells all results.
    pub(crate) fn tell(self) {
        let HeldObserver { to, results } = self;
        for result in results {
            match result {
                HeldResult::Finding(finding) => to.finding(&finding),
                HeldResult::Test(test) => to.test(&test),
                HeldResult::World(test) => to.world(&test),
                HeldResult::Stopped(at) => to.stopped(&at),
                HeldResult::Step(step) => to.step(&step),
                HeldResult::Files(of, files) => to.files(of, &files),
                HeldResult::Path(path) => to.path(&path),
                HeldResult::Warning(message) => to.warning(&message),
                HeldResult::Output(node, descriptor, bytes) => to.output(&node, descriptor, &bytes),
            }
        }
    }
}

impl Observer for HeldObserver<'_> {
    fn memory(&self) -> u64 {
        self.to.memory()
    }

    fn give_back_memory(&mut self) {
        self.to.give_back_memory();
    }

    fn interrupted(&self) -> bool {
        self.to.interrupted()
    }

    fn finding(&mut self, finding: &Finding) {
        self.results.push(HeldResult::Finding(finding.clone()));
    }

    fn test(&mut self, test: &TestCase) {
        self.results.push(HeldResult::Test(test.clone()));
    }

    fn world(&mut self, test: &WorldTest) {
        self.results.push(HeldResult::World(test.clone()));
    }

    fn stopped(&mut self, at: &StoppedRun) {
        self.results.push(HeldResult::Stopped(at.clone()));
    }

    fn step(&mut self, step: &WorldStep) {
        self.results.push(HeldResult::Step(step.clone()));
    }

    fn files(&mut self, of: FilesOf, files: &[SavedFile]) {
        self.results.push(HeldResult::Files(of, files.to_vec()));
    }

    fn wants_paths(&self) -> bool {
        self.to.wants_paths()
    }

    fn path(&mut self, path: &PathEnd) {
        self.results.push(HeldResult::Path(path.clone()));
    }

    fn progress(&mut self, progress: &Progress) {
        self.to.progress(progress);
    }

    fn job_begun(&mut self) {
        self.to.job_begun();
    }

    fn checkpoint(&mut self, mut checkpoint: Checkpoint) {
        checkpoint.told = ToldResults::default();
        checkpoint.sections[HELD_SECTION] = to_section(&self.results);
        self.to.checkpoint(checkpoint);
    }

    /// All that the run has told so far is held.
    fn resumed(&mut self, _: &[Finding]) {
        self.to.resumed(&[]);
    }

    fn warning(&mut self, message: &str) {
        self.results.push(HeldResult::Warning(message.to_owned()));
    }

    fn output(&mut self, node: &str, descriptor: u32, bytes: &[u8]) {
        self.results.push(HeldResult::Output(node.to_owned(), descriptor, bytes.to_vec()));
    }
}
