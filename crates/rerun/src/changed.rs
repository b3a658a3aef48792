//! A test that is run on other programs than those that it was written for.
//!
//! The test says what the outside does: inputs, faults and preemptions. Inputs are found again by node,
//! name and number (`differences.rs`), faults and preemptions by what they happened to (`incidents.rs`).
//! The programs react to it in their own way. [`judge`] says whether the finding appears again, or, where
//! that cannot be told, at which place the programs have gone another way.
//!
//! Invariant: *still there* is said of an execution of the changed programs that ends in the finding,
//! and *fixed* only if everything that the test has was met.

mod differences;
mod incidents;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use everett_engine::WorldTest;
use everett_ir::Program;
use everett_replay::dtest::{TestNode, TestOutcome, TestPlace};
use everett_replay::{DTest, KTest, KTestObject};
use everett_report::{count_of, place_text};

use crate::error::{LoadFailure, Result};
use crate::rebuild::{self, SystemBuilder};
use crate::record;
use crate::replay::{
    ReplayContext, WorldCollector, instruction_limit, observe, outcome_text, place_of,
};
use differences::RunDifferences;
use incidents::IncidentList;

/// Instructions of all nodes after which a run is given up.
const MOST_INSTRUCTIONS: u64 = 1_000_000_000;
/// Replays that look for the places of faults and preemptions, at most.
const MOST_REPLAYS: u32 = 500;

/// The result of a test for changed programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeVerdict {
    /// All inputs, faults and preemptions of the test were met, and its finding does not appear.
    Fixed,
    /// The finding appears: of the same kind, on the same node, in the same function.
    StillThere,
    /// The test has no finding, and none appears.
    AsBefore,
    /// The test has no finding, and one appears.
    NewFinding,
    /// The programs have gone another way, for this reason.
    CannotTell(String),
}

/// The verdict about a test, with the run that it is based on.
#[derive(Debug)]
pub struct TestJudgement {
    /// The verdict.
    pub verdict: ChangeVerdict,
    /// The differences from the test, for people.
    pub notes: Vec<String>,
    /// The world that the changed programs come to.
    pub world: Option<WorldTest>,
    /// The test as the changed programs run it: their digests, and their outcome.
    pub test: DTest,
    /// The inputs that they ask for, the faults and the preemptions, by node.
    pub inputs: Vec<KTest>,
    /// The outcome that the test was written with.
    expected: TestOutcome,
}

/// One run of the changed programs.
struct ChangedRun {
    /// The world with the finding of the test, or the first one.
    world: Option<WorldTest>,
    /// The inputs that its nodes have asked for, by node.
    inputs: Vec<KTest>,
    /// The reason for which no world came to an end, if none did.
    why_none: Option<String>,
    instructions: u64,
    has_finding: bool,
}

/// A test that is run on the changed programs, in variants of its faults and preemptions.
struct ChangedTest<'t, L> {
    test: &'t DTest,
    expected: TestOutcome,
    builder: SystemBuilder<L>,
    context: ReplayContext,
    /// Instructions that a run may take.
    max_instructions: u64,
    /// Replays that may still be made.
    replays_left: u32,
}

impl<L: FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>> ChangedTest<'_, L> {
    /// Runs the programs on inputs, faults and preemptions.
    fn attempt(&mut self, inputs: &[KTest]) -> Result<ChangedRun> {
        self.replays_left = self.replays_left.saturating_sub(1);
        let mut rebuilt = self.builder.rebuild(self.test, inputs.to_vec())?;
        rebuilt.config.record = true;
        let limit = &mut rebuilt.config.limits.instructions;
        *limit = limit.or(Some(self.max_instructions));
        let (collector, summary) = observe(rebuilt, &self.context)?;
        let WorldCollector { mut worlds, tests, .. } = collector;
        let is_it = |world: &WorldTest| is_same_finding(&self.expected, world);
        let (at, has_finding) = match worlds.iter().position(is_it) {
            Some(at) => (at, true),
            None => (0, false),
        };
        let world = (at < worlds.len()).then(|| worlds.swap_remove(at));
        let own = |id| tests.iter().filter(move |test| test.id == id);
        let inputs =
            world.iter().flat_map(|world| own(world.id)).map(|test| KTest::clone(&test.ktest));
        let why_none = world.is_none().then(|| match summary.dropped.first() {
            Some((reason, _)) => format!("no world came to an end ({reason})"),
            None => "no world came to an end".to_owned(),
        });
        let instructions = summary.instructions;
        Ok(ChangedRun { inputs: inputs.collect(), world, why_none, instructions, has_finding })
    }
}

/// Returns `true` if a world ends in the finding that is expected: its line may be another one, its
/// message too.
fn is_same_finding(expected: &TestOutcome, world: &WorldTest) -> bool {
    match (expected, record::outcome_of(world)) {
        (
            TestOutcome::Finding { kind, node, stack, message: _ },
            TestOutcome::Finding { kind: other, node: on, stack: at, message: _ },
        ) => *kind == other && *node == on && own_function(stack) == own_function(&at),
        (TestOutcome::Unfinished { .. }, TestOutcome::Unfinished { .. }) => true,
        _ => false,
    }
}

/// The innermost function of the program itself.
fn own_function(stack: &[TestPlace]) -> Option<&str> {
    let own = stack.iter().find(|place| !place.file.starts_with('<'));
    own.or(stack.first()).map(|place| place.function.as_str())
}

/// Runs a test on programs that may have changed. `load` makes a program out of its file.
pub fn judge(
    file: &Path,
    load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
    context: &ReplayContext,
) -> Result<TestJudgement> {
    let test = DTest::read(file)?;
    let mut inputs = rebuild::inputs(file, &test)?;
    // Where a changed program uses memory that it has not written is for the run to say.
    let is_kept = |object: &KTestObject| object.name != everett_engine::UNINITIALIZED.as_bytes();
    inputs.iter_mut().for_each(|test| test.objects.retain(is_kept));
    let record = test.record.clone().unwrap_or_default();
    let mut changed_test = ChangedTest {
        test: &test,
        expected: record.outcome.clone(),
        builder: SystemBuilder::for_changed(load),
        context: context.clone(),
        max_instructions: MOST_INSTRUCTIONS,
        replays_left: MOST_REPLAYS,
    };
    let incidents = IncidentList::new(&test, &record, inputs.clone());
    let mut incidents = incidents.map_err(|error| error.of_test(file))?;
    let first = changed_test.attempt(&inputs).map_err(|error| error.of_test(file))?;
    let is_endless = first.world.is_none() && first.instructions >= MOST_INSTRUCTIONS;
    changed_test.max_instructions = instruction_limit(first.instructions).min(MOST_INSTRUCTIONS);
    let (attempt, lost) = match is_endless {
        true => (first, None),
        false => incidents.settle(&mut changed_test, first)?,
    };
    let mut notes = changed_programs(&test);
    let differences = attempt
        .world
        .as_ref()
        .map(|world| RunDifferences::between(&test, &record, &inputs, world, &attempt.inputs));
    notes.extend(incidents.moved());
    notes.extend(differences.iter().flat_map(|found| found.notes.iter().cloned()));
    let way = lost.or(differences.and_then(|found| found.first));
    let verdict = verdict(&record.outcome, &attempt, way.clone());
    if !matches!(verdict, ChangeVerdict::CannotTell(_)) {
        notes.extend(way);
    }
    let test = test_as_run(&test, attempt.world.as_ref());
    let expected = record.outcome;
    Ok(TestJudgement {
        verdict,
        notes,
        world: attempt.world,
        test,
        inputs: attempt.inputs,
        expected,
    })
}

/// Returns the verdict of an attempt; `way` is the reason for which the programs have gone another way,
/// if they have.
fn verdict(expected: &TestOutcome, attempt: &ChangedRun, way: Option<String>) -> ChangeVerdict {
    let has_outcome = !matches!(expected, TestOutcome::Ended(_));
    if attempt.has_finding {
        return ChangeVerdict::StillThere;
    }
    let Some(world) = &attempt.world else {
        return ChangeVerdict::CannotTell(attempt.why_none.clone().unwrap_or_default());
    };
    if world.finding.is_some() {
        let what = outcome_text(&record::outcome_of(world));
        return match has_outcome {
            true => ChangeVerdict::CannotTell(format!("another finding comes before it: {what}")),
            false => ChangeVerdict::NewFinding,
        };
    }
    match way {
        Some(way) => ChangeVerdict::CannotTell(way),
        None if has_outcome => ChangeVerdict::Fixed,
        None => ChangeVerdict::AsBefore,
    }
}

/// The nodes whose programs are others than those of the test.
fn changed_programs(test: &DTest) -> Vec<String> {
    let is_changed = |node: &&TestNode| {
        let record = node.record.as_ref();
        record.is_some_and(|record| {
            let path = Path::new(OsStr::from_bytes(&record.program));
            record::digest(path).is_ok_and(|digest| digest != record.digest)
        })
    };
    let names: Vec<&str> =
        test.nodes.iter().filter(is_changed).map(|node| node.hostname.as_str()).collect();
    vec![match &names[..] {
        [] => "no program has changed since the test was written".to_owned(),
        names => format!("changed since the test was written: the program of {}", names.join(", ")),
    }]
}

/// The test with the programs as they are now, and with the outcome that it has with them.
fn test_as_run(test: &DTest, world: Option<&WorldTest>) -> DTest {
    let mut test = test.clone();
    for record in test.nodes.iter_mut().filter_map(|node| node.record.as_mut()) {
        let path = Path::new(OsStr::from_bytes(&record.program));
        if let Ok(digest) = record::digest(path) {
            record.digest = digest;
        }
    }
    if let (Some(record), Some(world)) = (&mut test.record, world) {
        record.outcome = record::outcome_of(world);
        record::record_events(world, record);
    }
    test
}

impl TestJudgement {
    /// The verdict in words.
    pub fn text(&self) -> String {
        let now = self.world.as_ref().map(|world| outcome_text(&record::outcome_of(world)));
        let now = now.unwrap_or_default();
        match &self.verdict {
            ChangeVerdict::Fixed => {
                format!("fixed: {} no longer appears; {now}", self.title())
            }
            ChangeVerdict::StillThere => format!("still there: {now}{}", self.moved_from()),
            ChangeVerdict::AsBefore => format!("as before: {now}"),
            ChangeVerdict::NewFinding => format!("a new finding: {now}"),
            ChangeVerdict::CannotTell(why) => match self.expected {
                TestOutcome::Ended(_) => {
                    format!("cannot tell whether there is no finding as before: {why}")
                }
                _ => format!("cannot tell whether {} is still there: {why}", self.title()),
            },
        }
    }

    /// The finding of the test in a few words.
    fn title(&self) -> String {
        match &self.expected {
            TestOutcome::Finding { kind, node, stack, message: _ } => {
                let own = stack.iter().find(|place| !place.file.starts_with('<')).or(stack.first());
                let at = own.map(|place| format!(", {}", place_text(&place_of(place))));
                format!("{kind} on {node}{}", at.unwrap_or_default())
            }
            TestOutcome::Unfinished { instructions } => {
                format!("no end after {}", count_of(*instructions, "instruction"))
            }
            TestOutcome::Ended(_) => "no finding".to_owned(),
        }
    }

    /// Returns the words for the place where the finding was before, if that is another one.
    fn moved_from(&self) -> String {
        let place = |outcome: &TestOutcome| match outcome {
            TestOutcome::Finding { stack, .. } => {
                let own = stack.iter().find(|place| !place.file.starts_with('<')).or(stack.first());
                own.map(|place| place_text(&place_of(place)))
            }
            _ => None,
        };
        let now = self.world.as_ref().map(record::outcome_of);
        match (place(&self.expected), now.as_ref().and_then(place)) {
            (Some(before), Some(now)) if before != now => format!(" (it was at {before})"),
            _ => String::new(),
        }
    }
}
