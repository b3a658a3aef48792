//! [`minimize`]: a simpler test that comes to the same.
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
use everett_replay::dtest::Outcome;
use everett_replay::{DTest, KTest};

use crate::error::{LoadFailure, RerunError, Result};
use crate::rebuild::{self, Builder};
use crate::record;
use crate::replay::{ReplayContext, enough, execute};

/// Objects of a ktest that are lists: name, bytes before the first entry, bytes of each.
const LISTS: [(&str, usize, usize); 2] = [
    (everett_engine::FAULTS, 2, 14),
    (everett_engine::SCHEDULE, 0, everett_engine::ThreadSwitch::BYTES),
];

/// A simpler test, and how much simpler it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimized {
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
    /// True if more variants were left than were to be run.
    pub is_cut_short: bool,
}

/// Makes a test simpler by running at most so many variants, and writes it beside the one that it is made
/// of, with `.min` in its name. `None` if the test itself does not come to what it says.
pub fn minimize(
    file: &Path,
    tries: u64,
    load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
    context: &ReplayContext,
) -> Result<Option<Minimized>> {
    let test = DTest::read(file)?;
    let inputs = rebuild::inputs(file, &test)?;
    let mut lab = Lab { builder: Builder::new(load), tries, most: None, context };
    let Some(mut simple) = lab.attempt(test.clone(), inputs.clone())? else { return Ok(None) };
    lab.most = Some(enough(simple.instructions));
    lab.leave_out(&mut simple)?;
    lab.shorten(&mut simple)?;
    lab.clear(&mut simple)?;
    let left = lab.tries;
    let file = write(file, &mut simple)?;
    let (before, after) = (Size::of(&inputs), Size::of(&simple.inputs));
    Ok(Some(Minimized {
        file,
        nodes: (test.nodes.len(), simple.test.nodes.len()),
        incidents: (before.entries, after.entries),
        bytes: (before.bytes, after.bytes),
        variants: tries - left,
        is_cut_short: left == 0,
    }))
}

/// A test that comes to what is expected, and what happens in it.
struct Good {
    test: DTest,
    inputs: Vec<KTest>,
    world: WorldTest,
    instructions: u64,
}

/// The size of the inputs of a test: entries of its lists of decisions, and bytes that are not zero.
struct Size {
    entries: usize,
    bytes: usize,
}

impl Size {
    fn of(inputs: &[KTest]) -> Size {
        let mut size = Size { entries: 0, bytes: 0 };
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
struct Lab<'c, L> {
    builder: Builder<L>,
    /// Variants that may still be run.
    tries: u64,
    /// Instructions that one may take.
    most: Option<u64>,
    context: &'c ReplayContext,
}

impl<L: FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>> Lab<'_, L> {
    /// Runs a test on inputs, and returns what happens if it is what is expected.
    fn attempt(&mut self, test: DTest, inputs: Vec<KTest>) -> Result<Option<Good>> {
        if self.tries == 0 {
            return Ok(None);
        }
        self.tries -= 1;
        let mut rebuilt = self.builder.rebuild(&test, inputs.clone())?;
        // One that is expected not to end has a limit of its own.
        let limit = &mut rebuilt.config.limits.instructions;
        *limit = limit.or(self.most);
        let replayed = execute(rebuilt, &test, self.context)?;
        let (None, Some(world)) = (replayed.difference, replayed.world) else { return Ok(None) };
        Ok(Some(Good { test, inputs, world, instructions: replayed.instructions }))
    }

    /// Leaves out nodes that the finding does not need. Where each node is expected to end in some way,
    /// none can be missing.
    fn leave_out(&mut self, good: &mut Good) -> Result<()> {
        let record = good.test.record.as_ref();
        let Some(Outcome::Finding { node: guilty, .. }) = record.map(|record| &record.outcome)
        else {
            return Ok(());
        };
        let guilty = guilty.clone();
        if record.is_some_and(|record| record.boots) {
            return Ok(());
        }
        for index in (0..good.test.nodes.len()).rev() {
            if good.test.nodes[index].hostname == guilty {
                continue;
            }
            let (mut test, mut inputs) = (good.test.clone(), good.inputs.clone());
            test.nodes.remove(index);
            inputs.remove(index);
            // What cannot be put together without it cannot do without it.
            if let Ok(Some(better)) = self.attempt(test, inputs) {
                *good = better;
            }
        }
        Ok(())
    }

    /// Changes an object, if the same comes of it.
    fn change(
        &mut self,
        good: &mut Good,
        (node, object): (usize, usize),
        edit: impl FnOnce(&mut Vec<u8>),
    ) -> Result<bool> {
        let mut inputs = good.inputs.clone();
        edit(&mut inputs[node].objects[object].bytes);
        if inputs == good.inputs {
            return Ok(true);
        }
        let better = self.attempt(good.test.clone(), inputs)?;
        let found = better.is_some();
        better.into_iter().for_each(|better| *good = better);
        Ok(found)
    }

    /// Leaves out faults and preemptions, the last ones first: those before keep their places then.
    fn shorten(&mut self, good: &mut Good) -> Result<()> {
        for (at, _) in places(&good.inputs, true) {
            let object = &good.inputs[at.0].objects[at.1];
            let Some((head, each)) = list(&object.name) else { continue };
            for entry in (0..object.bytes.len().saturating_sub(head) / each).rev() {
                let start = head + entry * each;
                self.change(good, at, |bytes| drop(bytes.drain(start..start + each)))?;
            }
        }
        Ok(())
    }

    /// Makes inputs zero, or at least small.
    fn clear(&mut self, good: &mut Good) -> Result<()> {
        for (at, size) in places(&good.inputs, false) {
            let mut pieces: Vec<Range<usize>> = std::iter::once(0..size).collect();
            while let Some(piece) = pieces.pop() {
                if piece.is_empty()
                    || self.change(good, at, |bytes| bytes[piece.clone()].fill(0))?
                {
                    continue;
                }
                if piece.len() == 1 {
                    self.lower(good, at, piece.start)?;
                    continue;
                }
                let middle = piece.start + piece.len() / 2;
                pieces.push(middle..piece.end);
                pieces.push(piece.start..middle);
            }
        }
        Ok(())
    }

    /// Halves a byte that cannot be zero, as often as can be.
    fn lower(&mut self, good: &mut Good, at: (usize, usize), byte: usize) -> Result<()> {
        while good.inputs[at.0].objects[at.1].bytes[byte] > 1 {
            if !self.change(good, at, |bytes| bytes[byte] /= 2)? {
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
            if list(&each.name).is_some() == lists {
                places.push(((node, object), each.bytes.len()));
            }
        }
    }
    places
}

/// Writes the simple test beside the one that it was made of.
fn write(file: &Path, good: &mut Good) -> Result<PathBuf> {
    let Good { test, inputs, world, instructions: _ } = good;
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
    record::retell(world, record);
    let file = folder.join(format!("{stem}.min.dtest"));
    test.write(&file)?;
    Ok(file)
}
