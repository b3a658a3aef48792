//! [`PageBudget`]: the room on a page, so that it opens quickly whatever the run has left.

/// Bytes of source text.
const SOURCE_BYTES: usize = 1_300_000;
/// Functions with their coverage. One takes about 330 bytes.
const FUNCTIONS: usize = 2_500;
/// Bytes of dumps of messages and inputs.
const DUMP_BYTES: usize = 700_000;
/// Steps of all findings together. One takes about 600 bytes, in the diagram and in the list.
const STEPS: usize = 2_500;
/// Steps that every finding may have, however many findings there are.
const STEPS_LEAST: usize = 10;
/// Frames of stacks of all findings together. One takes about 200 bytes.
const FRAMES: usize = 4_000;
const FRAMES_LEAST: usize = 8;
/// Findings beyond this many are named in the triage alone.
pub(super) const FINDINGS: usize = 150;

/// The room that is left on a page.
pub(super) struct PageBudget {
    source_bytes: usize,
    dump_bytes: usize,
    functions: usize,
    steps_each: usize,
    frames_each: usize,
}

impl PageBudget {
    /// A page for so many findings.
    pub(super) fn new(findings: usize) -> PageBudget {
        let pages = findings.clamp(1, FINDINGS);
        PageBudget {
            source_bytes: SOURCE_BYTES,
            dump_bytes: DUMP_BYTES,
            functions: FUNCTIONS,
            steps_each: (STEPS / pages).max(STEPS_LEAST),
            frames_each: (FRAMES / pages).max(FRAMES_LEAST),
        }
    }

    /// The steps of one finding.
    pub(super) fn steps(&self) -> usize {
        self.steps_each
    }

    /// The frames of all stacks of one finding.
    pub(super) fn frames(&self) -> usize {
        self.frames_each
    }

    /// Takes the room for a source file, if there is as much.
    pub(super) fn take_source(&mut self, bytes: usize) -> bool {
        take(&mut self.source_bytes, bytes)
    }

    /// Takes the room for functions, as far as there is some for so many.
    pub(super) fn take_functions(&mut self, wanted: usize) -> usize {
        let taken = wanted.min(self.functions);
        self.functions -= taken;
        taken
    }

    /// Takes the room for a dump, if there is as much.
    pub(super) fn take_dump(&mut self, bytes: usize) -> bool {
        take(&mut self.dump_bytes, bytes)
    }
}

fn take(left: &mut usize, wanted: usize) -> bool {
    let rest = left.checked_sub(wanted);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}
