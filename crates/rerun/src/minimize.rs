//! [`minimize`]: a simpler test with the same outcome.
//!
//! Nodes, faults and preemptions are left out, one at a time, and inputs become zero, in ever smaller
//! pieces, as long as the outcome is the same at the same place. Every attempt is a replay.
//!
//! Not here: fewer messages, which follow from the programs.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_engine::WorldTest;
use everett_ir::Program;
use everett_replay::dtest::TestOutcome;
use everett_replay::{DTest, KTest};

use crate::error::{LoadFailure, RerunError, Result};
use crate::rebuild::{self, SystemBuilder};
use crate::record;
use crate::replay::{ReplayContext, execute, instruction_limit};

/// Objects of a ktest that are lists: name, bytes before the first entry, bytes of each.
const LISTS: [(&str, usize, usize); 2] = [
    (everett_engine::FAULTS, 2, 14),
    (everett_engine::SCHEDULE, 0, everett_engine::ThreadSwitch::BYTES),
];

/// A simpler test, with its size before and now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimizedTest {
    /// The file of the simpler test.
    pub file: PathBuf,
    /// Nodes before and now.
    pub nodes: (usize, usize),
    /// Faults and preemptions before and now.
    pub incidents: (usize, usize),
    /// Bytes of inputs that are not zero, before and now.
    pub bytes: (usize, usize),
    /// Variants that were run.
    pub variants: u64,
    /// True if the limit on variants ended the search.
    pub is_cut_short: bool,
}

/// Makes a test simpler by running at most so many variants, and writes it beside the one that it is made
/// of, with `.min` in its name. `None` if the test itself does not have the outcome that it states.
pub fn minimize(
    file: &Path,
    tries: u64,
    load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
    context: &ReplayContext,
) -> Result<Option<MinimizedTest>> {
    let test = DTest::read(file)?;
    let inputs = rebuild::inputs(file, &test)?;
    let mut runner = VariantRunner {
        builder: SystemBuilder::new(load),
        variants_left: tries,
        max_instructions: None,
        context,
    };
    let Some(mut simple) = runner.attempt(test.clone(), inputs.clone())? else { return Ok(None) };
    runner.max_instructions = Some(instruction_limit(simple.instructions));
    runner.drop_nodes(&mut simple)?;
    runner.drop_incidents(&mut simple)?;
    runner.clear_inputs(&mut simple)?;
    let left = runner.variants_left;
    let file = write(file, &mut simple)?;
    let (before, after) = (InputSize::of(&inputs), InputSize::of(&simple.inputs));
    Ok(Some(MinimizedTest {
        file,
        nodes: (test.nodes.len(), simple.test.nodes.len()),
        incidents: (before.entries, after.entries),
        bytes: (before.bytes, after.bytes),
        variants: tries - left,
        is_cut_short: left == 0,
    }))
}

/// A test that leads to the expected outcome, and the world that it leads to.
struct ReproducingTest {
    test: DTest,
    inputs: Vec<KTest>,
    world: WorldTest,
    instructions: u64,
}

/// The size of the inputs of a test: entries of its lists of decisions, and bytes that are not zero.
struct InputSize {
    entries: usize,
    bytes: usize,
}

impl InputSize {
    fn of(inputs: &[KTest]) -> InputSize {
        let mut size = InputSize { entries: 0, bytes: 0 };
        for object in inputs.iter().flat_map(|test| &test.objects) {
            match list(&object.name) {
                Some((head, each)) => {
                    size.entries += object.bytes.len().saturating_sub(head) / each;
                }
                None => size.bytes += object.bytes.iter().filter(|byte| **byte != 0).count(),
            }
        }
        size
    }
}

fn list(name: &[u8]) -> Option<(usize, usize)> {
    let known = LISTS.iter().find(|(list, ..)| list.as_bytes() == name);
    known.map(|(_, head, each)| (*head, *each))
}

/// The runner of variants of a test.
struct VariantRunner<'c, L> {
    builder: SystemBuilder<L>,
    /// Variants that may still be run.
    variants_left: u64,
    /// Instructions that one variant may take.
    max_instructions: Option<u64>,
    context: &'c ReplayContext,
}

impl<L: FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>> VariantRunner<'_, L> {
    /// Runs a test on inputs, and returns it with its world if the outcome is the expected one.
    fn attempt(&mut self, test: DTest, inputs: Vec<KTest>) -> Result<Option<ReproducingTest>> {
        if self.variants_left == 0 {
            return Ok(None);
        }
        self.variants_left -= 1;
        let mut rebuilt = self.builder.rebuild(&test, inputs.clone())?;
        // A test that is expected not to end has a limit of its own.
        let limit = &mut rebuilt.config.limits.instructions;
        *limit = limit.or(self.max_instructions);
        let replayed = execute(rebuilt, &test, self.context)?;
        let (None, Some(world)) = (replayed.difference, replayed.world) else { return Ok(None) };
        Ok(Some(ReproducingTest { test, inputs, world, instructions: replayed.instructions }))
    }

    /// Leaves out nodes that the finding does not need. Where each node is expected to end in some way,
    /// none can be missing.
    fn drop_nodes(&mut self, best: &mut ReproducingTest) -> Result<()> {
        let record = best.test.record.as_ref();
        let Some(TestOutcome::Finding { node: guilty, .. }) = record.map(|record| &record.outcome)
        else {
            return Ok(());
        };
        let guilty = guilty.clone();
        if record.is_some_and(|record| record.boots) {
            return Ok(());
        }
        for index in (0..best.test.nodes.len()).rev() {
            if best.test.nodes[index].hostname == guilty {
                continue;
            }
            let (mut test, mut inputs) = (best.test.clone(), best.inputs.clone());
            test.nodes.remove(index);
            inputs.remove(index);
            // A system that cannot be built without the node needs the node.
            if let Ok(Some(better)) = self.attempt(test, inputs) {
                *best = better;
            }
        }
        Ok(())
    }

    /// Changes an object, if the outcome stays the same.
    fn try_change(
        &mut self,
        best: &mut ReproducingTest,
        (node, object): (usize, usize),
        edit: impl FnOnce(&mut Vec<u8>),
    ) -> Result<bool> {
        let mut inputs = best.inputs.clone();
        edit(&mut inputs[node].objects[object].bytes);
        if inputs == best.inputs {
            return Ok(true);
        }
        let better = self.attempt(best.test.clone(), inputs)?;
        let found = better.is_some();
        better.into_iter().for_each(|better| *best = better);
        Ok(found)
    }

    /// Leaves out faults and preemptions, the last ones first, so that those before keep their places.
    fn drop_incidents(&mut self, best: &mut ReproducingTest) -> Result<()> {
        for (at, _) in places(&best.inputs, true) {
            let object = &best.inputs[at.0].objects[at.1];
            let Some((head, each)) = list(&object.name) else { continue };
            for entry in (0..object.bytes.len().saturating_sub(head) / each).rev() {
                let start = head + entry * each;
                self.try_change(best, at, |bytes| drop(bytes.drain(start..start + each)))?;
            }
        }
        Ok(())
    }

    /// Makes inputs zero, or at least small.
    fn clear_inputs(&mut self, best: &mut ReproducingTest) -> Result<()> {
        for (at, size) in places(&best.inputs, false) {
            let mut pieces: Vec<Range<usize>> = std::iter::once(0..size).collect();
            while let Some(piece) = pieces.pop() {
                if piece.is_empty()
                    || self.try_change(best, at, |bytes| bytes[piece.clone()].fill(0))?
                {
                    continue;
                }
                if piece.len() == 1 {
                    self.lower_byte(best, at, piece.start)?;
                    continue;
                }
                let middle = piece.start + piece.len() / 2;
                pieces.push(middle..piece.end);
                pieces.push(piece.start..middle);
            }
        }
        Ok(())
    }

    /// Halves a byte that cannot be zero, as often as the outcome stays the same.
    fn lower_byte(
        &mut self,
        best: &mut ReproducingTest,
        at: (usize, usize),
        byte: usize,
    ) -> Result<()> {
        while best.inputs[at.0].objects[at.1].bytes[byte] > 1 {
            if !self.try_change(best, at, |bytes| bytes[byte] /= 2)? {
                break;
            }
        }
        Ok(())
    }
}

/// The objects of all nodes that are lists, or that are inputs, with their sizes.
fn places(inputs: &[KTest], lists: bool) -> Vec<((usize, usize), usize)> {
    let mut places = Vec::new();
    for (node, test) in inputs.iter().enumerate() {
        for (object, each) in test.objects.iter().enumerate() {
            // Operations that race are no input: the numbers of preemptions count on them.
            let kept =
                [everett_engine::RACE, everett_engine::RACING, everett_engine::UNINITIALIZED];
            let is_kept = kept.iter().any(|name| name.as_bytes() == each.name);
            if !is_kept && list(&each.name).is_some() == lists {
                places.push(((node, object), each.bytes.len()));
            }
        }
    }
    places
}

/// Writes the simple test beside the one that it was made of.
fn write(file: &Path, best: &mut ReproducingTest) -> Result<PathBuf> {
    let ReproducingTest { test, inputs, world, instructions: _ } = best;
    let stem = file.file_stem().ok_or(RerunError::NoName)?.to_string_lossy().into_owned();
    let folder = file.parent().unwrap_or(Path::new(""));
    for (node, inputs) in test.nodes.iter_mut().zip(inputs) {
        if node.hostname.contains('/') {
            return Err(RerunError::NodeName { node: node.hostname.clone() });
        }
        node.filename = format!("{stem}.min.{}.ktest", node.hostname);
        inputs.write(&folder.join(&node.filename))?;
    }
    let record = test.record.as_mut().ok_or(RerunError::NoRecord)?;
    record::record_events(world, record);
    let file = folder.join(format!("{stem}.min.dtest"));
    test.write(&file)?;
    Ok(file)
}
