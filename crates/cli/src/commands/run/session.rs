//! [`RunSession`], the observer of a run: shows and stores results as they appear.

use std::sync::Arc;

use anyhow::Result;
use everett_engine::{
    Checkpoint, FilesOf, Finding, Observer, Progress, SavedFile, Summary, TestCase, WorldTest,
};
use everett_explorer::MakeRecorder;
use everett_report::{FramesShown, PaintMode, RunInfo, TextStyle, finding_json, finding_text};
use everett_rerun::TestRecorder;
use everett_settings::ExportFormat;

use super::checkpoint::{CheckpointWriter, KeptOutput};
use super::display::ProgressDisplay;
use super::folder::OutputFolder;
use super::gates::RunGates;
use super::live::LiveConversations;
use super::progress_file::ProgressFile;
use super::so_far::ResultsSoFar;
use super::spill::SpillFolder;
use super::watch::RunWatch;
use super::writer::TestWriter;
use crate::clock::MemoryMeter;
use crate::errors::explorer_error;
use crate::sources::SourceFiles;
use crate::terminal;

/// Output of the program that is kept until it is known whether there is one path.
const KEPT_OUTPUT_BYTES: usize = 1 << 20;

/// The treatment of the program's output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputEcho {
    /// Show it as it comes.
    Live,
    /// Keep it, and show it at the end if there was only one path.
    Kept,
    /// Do not show it.
    Never,
}

/// The maker of the tests of worlds, which is made when the first world needs it. Most runs of many nodes
/// never do.
pub(crate) enum LazyRecorder {
    Later(MakeRecorder),
    Ready(TestRecorder),
}

impl LazyRecorder {
    fn get(&mut self) -> Result<&TestRecorder> {
        if let LazyRecorder::Later(_) = self {
            let later = std::mem::replace(self, LazyRecorder::Ready(TestRecorder::default()));
            if let LazyRecorder::Later(make) = later {
                *self = LazyRecorder::Ready(make().map_err(explorer_error)?);
            }
        }
        match self {
            LazyRecorder::Ready(recorder) => Ok(recorder),
            LazyRecorder::Later(_) => unreachable!("it was made above"),
        }
    }
}

/// The driver's side of one run.
pub(crate) struct RunSession {
    pub(super) memory: MemoryMeter,
    pub(super) display: ProgressDisplay,
    pub(super) sources: SourceFiles,
    pub(super) echo: OutputEcho,
    pub(super) quiet: bool,
    /// True if output is shown with the name of its node.
    pub(super) several_nodes: bool,
    /// Makes the tests of worlds.
    pub(super) recorder: LazyRecorder,
    pub(super) info: RunInfo,
    /// The conditions that the run has to meet.
    pub(super) gates: RunGates,
    pub(super) so_far: ResultsSoFar,
    pub(super) folder: Option<OutputFolder>,
    /// The frames of stacks in the text of findings.
    pub(super) frames: FramesShown,
    /// A page about the results is to be written.
    pub(super) writes_report: bool,
    /// The other formats in which the results are to be written.
    pub(super) exports: Vec<ExportFormat>,
    /// Text for the CI that the run is a step of, which is printed at its end.
    pub(super) annotations: String,
    /// Where the run stands, over time.
    pub(super) progress: Option<ProgressFile>,
    pub(super) writer: Option<TestWriter>,
    /// Stores checkpoints, if there are any.
    pub(super) checkpoints: Option<CheckpointWriter>,
    /// The states on disk.
    pub(super) spill: Option<Arc<SpillFolder>>,
    /// The conversations with live peers.
    pub(super) live: Option<LiveConversations>,
    /// Shows the run while it goes on, if that is asked for.
    pub(super) watch: Option<RunWatch>,
    pub(super) kept: KeptOutput,
    /// The descriptor whose last line that was shown has no end.
    pub(super) open_line: Option<u32>,
    /// The first failure to store a result.
    pub(super) failure: Option<anyhow::Error>,
}

impl Observer for RunSession {
    fn memory(&self) -> u64 {
        self.memory.resident_bytes()
    }

    fn give_back_memory(&mut self) {
        everett_allocator::give_back_memory();
    }

    /// Results that cannot be stored end the run as well.
    fn interrupted(&self) -> bool {
        self.failure.is_some()
            || self.so_far.has_failed()
            || self.writer.as_ref().is_some_and(TestWriter::has_failed)
    }

    fn finding(&mut self, finding: &Finding) {
        self.so_far.found(finding);
        if !self.quiet {
            self.show(finding);
        }
        if let Err(error) = self.store(finding) {
            self.failure.get_or_insert(error);
        }
    }

    fn test(&mut self, test: &TestCase) {
        if let Some(writer) = &self.writer {
            writer.write(test);
        }
    }

    fn world(&mut self, test: &WorldTest) {
        let Some(writer) = &self.writer else { return };
        match self.recorder.get().map(|recorder| recorder.dtest(test)) {
            Ok(Some(dtest)) => writer.write_world(test.id, dtest),
            Ok(None) => {}
            Err(error) => drop(self.failure.get_or_insert(error)),
        }
    }

    fn files(&mut self, of: FilesOf, files: &[SavedFile]) {
        let Some(folder) = &self.folder else { return };
        if let Err(error) = folder.write_files(of, files) {
            self.failure.get_or_insert(error);
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.note_progress(progress);
        self.display.update(progress);
    }

    /// A checkpoint that cannot be stored is no reason to end the run.
    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        let tests = self.writer.as_ref().map(TestWriter::mark);
        if let Err(error) = checkpoints.write(checkpoint, self.kept.clone(), tests) {
            self.warn_of_checkpoint(&error);
        }
    }

    fn resumed(&mut self, findings: &[Finding]) {
        findings.iter().for_each(|finding| self.so_far.found(finding));
    }

    fn warning(&mut self, message: &str) {
        if !self.quiet {
            self.make_room();
            terminal::warning(message);
        }
    }

    fn output(&mut self, node: &str, descriptor: u32, bytes: &[u8]) {
        let named;
        let bytes = if self.several_nodes {
            named = with_name(node, bytes);
            &named
        } else {
            bytes
        };
        match self.echo {
            OutputEcho::Never => {}
            OutputEcho::Live => {
                self.display.clear();
                self.echo(descriptor, bytes);
            }
            OutputEcho::Kept => {
                let kept = &mut self.kept;
                let room = KEPT_OUTPUT_BYTES.saturating_sub(kept.bytes).min(bytes.len());
                kept.bytes += bytes.len();
                if room == 0 {
                    return;
                }
                match kept.pieces.last_mut() {
                    Some((last, kept)) if *last == descriptor => {
                        kept.extend_from_slice(&bytes[..room]);
                    }
                    _ => kept.pieces.push((descriptor, bytes[..room].to_vec())),
                }
            }
        }
    }
}

impl RunSession {
    /// Notes where the run stands, for those who look into its folder.
    pub(super) fn note_progress(&mut self, progress: &Progress) {
        self.so_far.note(progress);
        if let Some(Err(error)) = self.progress.as_mut().map(|file| file.note(progress)) {
            self.failure.get_or_insert(error);
        }
    }

    /// Makes room for text of ours, which begins in a line of its own.
    pub(super) fn make_room(&mut self) {
        self.display.clear();
        if let Some(descriptor) = self.open_line.take() {
            write(descriptor, b"\n");
        }
    }

    /// Shows output of the program.
    fn echo(&mut self, descriptor: u32, bytes: &[u8]) {
        write(descriptor, bytes);
        if let Some(last) = bytes.last() {
            self.open_line = (*last != b'\n').then_some(descriptor);
        }
    }

    /// Tells that a checkpoint was not stored.
    pub(super) fn warn_of_checkpoint(&mut self, error: &anyhow::Error) {
        if !self.quiet {
            self.make_room();
            terminal::warning(&format!(
                "a checkpoint is not stored, and one before it stays: {error:#}"
            ));
        }
    }

    /// Prints a finding.
    pub(super) fn show(&mut self, finding: &Finding) {
        self.make_room();
        let text = self.text(finding, terminal::paint());
        terminal::out(&format!("{text}\n"));
    }

    fn text(&self, finding: &Finding, paint: PaintMode) -> String {
        let test = self.info.test_path(finding).filter(|_| self.folder.is_some());
        let style = TextStyle { paint, frames: self.frames };
        finding_text(finding, test.as_deref(), &self.sources, style)
    }

    /// Stores a finding; again at the end, when its count is known.
    pub(super) fn store(&self, finding: &Finding) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let name = OutputFolder::finding_file(finding);
        folder.write(&format!("{name}.txt"), &self.text(finding, PaintMode::Plain))?;
        folder.write(&format!("{name}.json"), &finding_json(finding))
    }

    /// Shows what was kept of the program's output, if there was one path only.
    pub(super) fn show_kept_output(&mut self, summary: &Summary) {
        // The output of several paths is mixed up.
        if self.quiet || summary.forks > 0 || summary.paths == 0 {
            return;
        }
        for (descriptor, bytes) in std::mem::take(&mut self.kept.pieces) {
            self.echo(descriptor, &bytes);
        }
        self.make_room();
        if self.kept.bytes > KEPT_OUTPUT_BYTES {
            terminal::warning("the program printed more than 1 MiB; --echo shows all of it");
        }
    }
}

/// Output of a node with the node's name before each line.
fn with_name(node: &str, bytes: &[u8]) -> Vec<u8> {
    let line = |line: &[u8]| [node.as_bytes(), b": ", line].concat();
    let mut named =
        bytes.split_inclusive(|byte| *byte == b'\n').map(line).collect::<Vec<_>>().concat();
    if !named.ends_with(b"\n") {
        named.push(b'\n');
    }
    named
}

fn write(descriptor: u32, bytes: &[u8]) {
    match descriptor {
        2 => terminal::err_bytes(bytes),
        _ => terminal::out_bytes(bytes),
    }
}
