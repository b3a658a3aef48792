//! Test files, written by a thread of their own: a file costs more than the path it belongs to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use everett_engine::TestCase;
use everett_replay::DTest;
use everett_report::RunInfo;

use crate::whole_file::write_whole;

/// Tests on their way to the disk; a full queue makes the engine wait. They are written before the run is
/// over, so there are not many.
const QUEUE_TESTS: usize = 256;

/// The end of the name of the file that has what a path has printed, in place of that of its test.
pub(crate) const OUTPUT_EXTENSION: &str = "out";

/// A test to write.
enum StoredTest {
    Node(TestCase),
    World(u64, Box<DTest>),
    /// Told when all tests before it are written.
    Mark(SyncSender<()>),
}

/// Writes test files in the background.
pub(crate) struct TestWriter {
    queue: Option<SyncSender<StoredTest>>,
    thread: Option<JoinHandle<Result<()>>>,
    failed: Arc<AtomicBool>,
}

impl TestWriter {
    /// Starts the thread.
    pub(crate) fn start(folder: &Path) -> Result<TestWriter> {
        let (queue, tests) = sync_channel(QUEUE_TESTS);
        let failed = Arc::new(AtomicBool::new(false));
        let (folder, flag) = (folder.to_path_buf(), Arc::clone(&failed));
        let thread = std::thread::Builder::new()
            .name("tests".to_owned())
            .spawn(move || {
                let result = write_all(&folder, &tests);
                flag.store(result.is_err(), Ordering::Relaxed);
                result
            })
            .context("cannot start a thread")?;
        Ok(TestWriter { queue: Some(queue), thread: Some(thread), failed })
    }

    /// Hands over a test. After a failure it is dropped; [`TestWriter::finish`] says so.
    pub(crate) fn write(&self, test: &TestCase) {
        self.send(StoredTest::Node(test.clone()));
    }

    /// Hands over the test of a world.
    pub(crate) fn write_world(&self, id: u64, test: DTest) {
        self.send(StoredTest::World(id, Box::new(test)));
    }

    /// Receives a message when all tests that were handed over so far are written, and none after a failure.
    pub(crate) fn mark(&self) -> Receiver<()> {
        let (tell, told) = sync_channel(1);
        self.send(StoredTest::Mark(tell));
        told
    }

    fn send(&self, test: StoredTest) {
        if let Some(queue) = &self.queue {
            // An error means that the thread has ended, which it does only after a failure.
            let _ = queue.send(test);
        }
    }

    /// Returns `true` if a test could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Waits until all is written.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.queue = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => anyhow::bail!("the thread that writes tests failed"),
            None => Ok(()),
        }
    }
}

fn write_all(folder: &Path, tests: &Receiver<StoredTest>) -> Result<()> {
    // One buffer for all names: the folder's part of it never changes.
    let mut file = PathBuf::from(folder);
    file.push("tests");
    for test in tests {
        let name = match &test {
            StoredTest::Node(test) => RunInfo::test_file(test.id, test.node.as_deref()),
            StoredTest::World(id, _) => RunInfo::world_file(*id),
            StoredTest::Mark(tell) => {
                // Who waits may have given up.
                let _ = tell.send(());
                continue;
            }
        };
        file.push(name.strip_prefix("tests/").unwrap_or(&name));
        match &test {
            StoredTest::Node(test) => {
                test.ktest.write(&file)?;
                if !test.output.is_empty() {
                    file.set_extension(OUTPUT_EXTENSION);
                    write_whole(&file, &test.output)?;
                }
            }
            StoredTest::World(_, test) => test.write(&file)?,
            StoredTest::Mark(_) => {}
        }
        file.pop();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use everett_engine::TestReason;
    use everett_replay::KTest;

    use super::*;

    fn test(id: u64) -> TestCase {
        let (ktest, output) = (KTest::new(["prog.bc"]).into(), Vec::new());
        TestCase { id, node: None, reason: TestReason::Path, ktest, output }
    }

    #[test]
    fn tests_become_numbered_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("tests")).unwrap();
        let writer = TestWriter::start(folder.path()).unwrap();
        (1..=3).for_each(|id| writer.write(&test(id)));
        writer.finish().unwrap();
        let third = KTest::read(&folder.path().join("tests/test000003.ktest")).unwrap();
        assert_eq!(third, *test(3).ktest);
    }

    #[test]
    fn failure_is_reported_at_the_end_and_blocks_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let writer = TestWriter::start(folder.path()).unwrap();
        (1..=2 * QUEUE_TESTS as u64).for_each(|id| writer.write(&test(id)));
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.contains("test000001.ktest"), "{error}");
    }
}
