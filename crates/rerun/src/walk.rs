//! Walking in the world of a test: [`TestWorlds`] runs it with all of its steps ([`WalkedWorld`]), runs it
//! again up to one of them, and runs what else could have happened.
//!
//! Nothing of a run is kept but the lines that its nodes came to: a world is decided by inputs, faults and
//! preemptions, so a step back is a run from the beginning to the step before.
//!
//! Not here: what is shown of a step (`everett-report`).

mod alternatives;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use everett_engine::{
    Engine, EngineConfig, FAULTS, FaultBudgets, FaultDecision, FaultPlan, FaultReport, Finding,
    Observer, PathEnd, PathOutcome, SourcePlace, StepOptions, StoppedRun, Strategy, Summary,
    SystemNode, TestPolicy, WorldStep, WorldTest,
};
use everett_ir::Program;
use everett_replay::dtest::TestOutcome;
use everett_replay::{DTest, KTest};
use everett_report::advice;

use crate::error::{LoadFailure, RerunError, Result};
use crate::rebuild::{self, RebuiltSystem, SystemBuilder};
use crate::record::outcome_of;
use crate::replay::{ReplayContext, difference, instruction_limit, no_world_text, outcome_text};
pub use alternatives::Alternative;

/// Steps of a world that are kept; those behind them are counted.
const STEPS_MAX: u64 = 500_000;
/// Instructions of a world whose test names no limit.
const INSTRUCTIONS_MAX: u64 = 200_000_000;
/// What everything beside inputs is named with in a ktest.
const OWN_OBJECTS: &[u8] = b"everett-";

/// The worlds that a test leads to: its own, and those in which something else happens.
#[derive(Debug)]
pub struct TestWorlds {
    system: RebuiltSystem,
    /// One program makes all nodes itself.
    boots: bool,
    inputs: Vec<KTest>,
    expected: Option<TestOutcome>,
    context: ReplayContext,
}

/// What decides a world, beside its programs.
#[derive(Clone, Debug)]
struct WorldChoice {
    /// Inputs, faults and preemptions, by node.
    inputs: Vec<KTest>,
    /// It is not the world of the test: inputs are found by their names, and are zero where the test has
    /// none.
    is_variant: bool,
}

/// A line that a node has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkStep {
    /// The number of the node.
    pub node: u32,
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    /// Round within that time.
    pub round: u32,
    /// The number of the line in [`WalkedWorld::places`].
    pub place: u32,
    /// Messages that have been sent by all nodes.
    pub messages: u64,
}

/// A world that was run with all of its steps.
#[derive(Debug)]
pub struct WalkedWorld {
    choice: WorldChoice,
    /// The names of the nodes.
    pub nodes: Vec<String>,
    /// The steps, in the order in which they happen.
    pub steps: Vec<WalkStep>,
    /// Later steps, which are not kept.
    pub steps_beyond: u64,
    /// The lines that nodes come to, each once.
    pub places: Vec<SourcePlace>,
    /// How it ends, in words.
    pub outcome: String,
    /// The finding that it ends in, or that it violates an invariant.
    pub finding: Option<Finding>,
    /// The test states another outcome: the first difference.
    pub difference: Option<String>,
    /// What the nodes do at the end, unless that is the finding's to tell.
    pub end: StoppedRun,
    /// What else could have happened, in the order of time for each node.
    pub alternatives: Vec<Alternative>,
    /// The reason why that is not known.
    pub no_alternatives: Option<String>,
    /// Faults that were asked for, and that were not possible.
    pub missing_faults: usize,
    instructions: u64,
    /// The nodes are known by their numbers.
    is_whole: bool,
}

/// An input of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldInput {
    /// The number of the node.
    pub node: usize,
    /// Its number among the objects of the node's test.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its value.
    pub bytes: Vec<u8>,
}

impl TestWorlds {
    /// The worlds of a test of a system. `load` makes a program out of its file.
    pub fn of_system(
        file: &Path,
        load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
        context: ReplayContext,
    ) -> Result<TestWorlds> {
        let test = DTest::read(file)?;
        let inputs = rebuild::inputs(file, &test)?;
        let rebuilt = SystemBuilder::new(load).rebuild(&test, inputs.clone());
        let system = rebuilt.map_err(|error| error.of_test(file))?;
        let record = test.record.as_ref();
        let boots = record.is_some_and(|record| record.boots);
        let expected = record.map(|record| record.outcome.clone());
        Ok(TestWorlds { system, boots, inputs, expected, context })
    }

    /// The worlds of a test of one program, whose configuration is that of the run that has left it.
    pub fn of_program(
        node: SystemNode,
        config: EngineConfig,
        test: KTest,
        context: ReplayContext,
    ) -> TestWorlds {
        let system = RebuiltSystem { nodes: vec![node], config };
        TestWorlds { system, boots: false, inputs: vec![test], expected: None, context }
    }

    /// The world of the test itself.
    pub fn original(&self) -> Result<WalkedWorld> {
        let choice = WorldChoice { inputs: self.inputs.clone(), is_variant: false };
        let (mut world, _) = self.walk(choice.clone(), FaultMode::Planned, None)?;
        if self.boots {
            world.no_alternatives = Some("its nodes are made by the program itself".to_owned());
            return Ok(world);
        }
        // Where faults are possible is found by another run, which has to be the same but for that.
        let limit = instruction_limit(world.instructions);
        let (surveyed, points) = self.walk(choice, FaultMode::Surveyed, Some(limit))?;
        if world.is_whole
            && surveyed.end == world.end
            && surveyed.outcome == world.outcome
            && surveyed.steps == world.steps
        {
            world.alternatives = alternatives::of_world(&world, &points);
        } else {
            let why = "some of its faults cannot be told apart from what could happen beside them";
            world.no_alternatives = Some(why.to_owned());
        }
        Ok(world)
    }

    /// The world in which something else happens; everything behind that happens as if nobody had decided
    /// anything: without faults and preemptions.
    pub fn other_side(
        &self,
        world: &WalkedWorld,
        alternative: usize,
    ) -> Result<Option<WalkedWorld>> {
        let Some(alternative) = world.alternatives.get(alternative) else { return Ok(None) };
        self.variant(world, alternatives::inputs(world, alternative)).map(Some)
    }

    /// The world with another value of an input. What is missing of it is zero.
    pub fn with_input(
        &self,
        world: &WalkedWorld,
        input: &WorldInput,
    ) -> Result<Option<WalkedWorld>> {
        let mut inputs = world.choice.inputs.clone();
        let object = inputs.get_mut(input.node).and_then(|test| test.objects.get_mut(input.number));
        let Some(object) = object.filter(|object| is_input(&object.name)) else { return Ok(None) };
        let size = object.bytes.len();
        object.bytes.clone_from(&input.bytes);
        object.bytes.resize(size, 0);
        self.variant(world, inputs).map(Some)
    }

    /// What the nodes do before a step. `None` if the world does not come to it.
    pub fn before_step(&self, world: &WalkedWorld, step: u64) -> Result<Option<StoppedRun>> {
        let mode = if world.choice.is_variant { FaultMode::Surveyed } else { FaultMode::Planned };
        let limit = Some(instruction_limit(world.instructions));
        let steps = StepOptions { stop_before: Some(step) };
        let (collector, _) = self.run(&world.choice, mode, steps, limit)?;
        Ok(collector.stopped.filter(|_| collector.steps.len() as u64 == step))
    }

    fn variant(&self, of: &WalkedWorld, inputs: Vec<KTest>) -> Result<WalkedWorld> {
        let choice = WorldChoice { inputs, is_variant: true };
        let limit = instruction_limit(of.instructions);
        let (mut world, points) = self.walk(choice, FaultMode::Surveyed, Some(limit))?;
        if world.is_whole {
            world.alternatives = alternatives::of_world(&world, &points);
        } else {
            world.no_alternatives = Some("it comes to no end".to_owned());
        }
        Ok(world)
    }

    /// Runs a world to its end.
    fn walk(
        &self,
        choice: WorldChoice,
        mode: FaultMode,
        limit: Option<u64>,
    ) -> Result<(WalkedWorld, Vec<PathEnd>)> {
        let (mut collector, summary) = self.run(&choice, mode, StepOptions::default(), limit)?;
        let expected = self.expected.as_ref().filter(|_| !choice.is_variant);
        let is_expected = |world: &WorldTest| {
            expected.is_none_or(|expected| difference(expected, world).is_none())
        };
        let at = collector.worlds.iter().position(is_expected).unwrap_or(0);
        let world = (at < collector.worlds.len()).then(|| collector.worlds.swap_remove(at));
        let mut collected = std::mem::take(&mut collector.findings);
        collected.truncate(1);
        let end = collector.end(world.as_ref());
        let asked: usize = decisions(&choice.inputs)?.iter().map(Vec::len).sum();
        let happened = end.faults.len();
        let walked = WalkedWorld {
            nodes: end.nodes.iter().map(|node| node.name.clone()).collect(),
            steps: collector.steps,
            steps_beyond: collector.steps_beyond,
            places: collector.places.into_list(),
            outcome: match (&world, collected.first()) {
                (Some(world), _) => outcome_text(&outcome_of(world)),
                (None, Some(finding)) => format!("{}: {}", finding.kind, finding.message),
                (None, None) => end_text(&collector.paths, &summary),
            },
            difference: match (expected, &world) {
                (Some(expected), Some(world)) => difference(expected, world),
                (Some(expected), None) => Some(no_world_text(expected, &summary)),
                (None, _) => None,
            },
            finding: match &world {
                Some(world) => world.finding.clone(),
                None => collected.pop(),
            },
            end,
            alternatives: Vec::new(),
            no_alternatives: None,
            missing_faults: asked.saturating_sub(happened),
            instructions: summary.instructions,
            is_whole: world.is_some() || choice.inputs.len() == 1,
            choice,
        };
        Ok((walked, collector.paths))
    }

    fn run(
        &self,
        choice: &WorldChoice,
        mode: FaultMode,
        steps: StepOptions,
        limit: Option<u64>,
    ) -> Result<(WalkCollector, Summary)> {
        let RebuiltSystem { mut nodes, mut config } = self.system.clone();
        let ReplayContext { programs, clock, panics, warn } = self.context.clone();
        (config.programs, config.clock, config.panics) = (programs, clock, panics);
        config.interrupt = Default::default();
        config.tests = TestPolicy::All;
        config.all_findings = true;
        config.workers = 1;
        config.search = vec![Strategy::Dfs];
        config.messages = usize::MAX;
        (config.faults, config.links) = (FaultBudgets::default(), Vec::new());
        config.steps = Some(steps);
        let own = config.limits.instructions;
        config.limits.instructions = own.or(limit).or(Some(INSTRUCTIONS_MAX));
        config.tests_unfinished = true;
        if self.boots {
            nodes[0].config.boot_replay.clone_from(&choice.inputs);
        } else {
            let plans = decisions(&choice.inputs)?;
            for ((node, test), plan) in nodes.iter_mut().zip(&choice.inputs).zip(plans) {
                node.config.replay = Some(test.clone());
                node.config.fixed_inputs = choice.is_variant;
                node.config.faults = match mode {
                    FaultMode::Planned => FaultPlan::Explore,
                    FaultMode::Surveyed => FaultPlan::Survey(plan),
                };
            }
        }
        let mut collector = WalkCollector { warn: Some(warn), ..WalkCollector::default() };
        let summary = Engine::system(nodes, config)?.run(&mut collector);
        if let (everett_engine::Outcome::Failed, Some(error)) = (summary.outcome, &summary.limit) {
            let advice = advice(error).unwrap_or_default().to_string();
            return Err(RerunError::Failed { message: error.to_string(), advice });
        }
        Ok((collector, summary))
    }
}

impl WalkedWorld {
    /// The inputs of all nodes.
    pub fn inputs(&self) -> Vec<WorldInput> {
        let mut inputs = Vec::new();
        for (node, test) in self.choice.inputs.iter().enumerate() {
            for (number, object) in test.objects.iter().enumerate() {
                if is_input(&object.name) {
                    let name = String::from_utf8_lossy(&object.name).into_owned();
                    inputs.push(WorldInput { node, number, name, bytes: object.bytes.clone() });
                }
            }
        }
        inputs
    }

    /// The first step from `from` on at a line of a file; on any node, or on one. The name of the file may
    /// lack folders at its beginning.
    pub fn step_at_line(
        &self,
        from: u64,
        (file, line): (&str, u32),
        node: Option<u32>,
    ) -> Option<u64> {
        let is_meant = |place: &SourcePlace| {
            let before = place.file.strip_suffix(file);
            place.line == line
                && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let meant: Vec<bool> = self.places.iter().map(is_meant).collect();
        let found = |(_, step): &(usize, &WalkStep)| {
            meant[step.place as usize] && node.is_none_or(|node| step.node == node)
        };
        let (at, _) = self.steps.iter().enumerate().skip(from as usize).find(found)?;
        Some(at as u64)
    }

    /// The first step before which so many messages have been sent; the end if there is none.
    pub fn step_of_message(&self, messages: u64) -> u64 {
        self.steps.partition_point(|step| step.messages < messages) as u64
    }

    /// The line of a step.
    pub fn place(&self, step: &WalkStep) -> &SourcePlace {
        &self.places[step.place as usize]
    }
}

/// The faults of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FaultMode {
    /// Those of the test, each of which has to be possible.
    Planned,
    /// The same where they are possible; all other places where there could be some are written down.
    Surveyed,
}

fn is_input(name: &[u8]) -> bool {
    !name.starts_with(OWN_OBJECTS)
}

/// The faults that tests name, by node.
fn decisions(inputs: &[KTest]) -> Result<Vec<Vec<FaultDecision>>> {
    let of = |test: &KTest| match test.object(FAULTS.as_bytes()) {
        Some(object) => Ok(FaultDecision::read_all(&object.bytes)?),
        None => Ok(Vec::new()),
    };
    inputs.iter().map(of).collect()
}

/// The ends of nodes, where there is no test of the world.
fn end_text(paths: &[PathEnd], summary: &Summary) -> String {
    let texts: Vec<String> = paths.iter().map(|path| outcome_of_path(&path.outcome)).collect();
    match (texts.is_empty(), summary.dropped.first()) {
        (_, Some((reason, _))) => format!("no end ({reason})"),
        (true, None) => "no end".to_owned(),
        (false, None) => format!("no finding ({})", texts.join("; ")),
    }
}

fn outcome_of_path(outcome: &PathOutcome) -> String {
    match outcome {
        PathOutcome::Exit(code) => format!("exited with {code}"),
        PathOutcome::Silent => "ended without a result".to_owned(),
        PathOutcome::Redundant(_) => "does the same as another path".to_owned(),
        PathOutcome::Finding(_) => "has a finding".to_owned(),
        PathOutcome::Ignored => "ended at an ignored finding".to_owned(),
        PathOutcome::Dropped(reason) => format!("was given up ({reason})"),
        PathOutcome::Waits => "waits for ever".to_owned(),
        PathOutcome::WorldEnded | PathOutcome::Impossible => "is cut short".to_owned(),
    }
}

/// The lines that nodes come to, by number.
#[derive(Default)]
struct PlaceTable {
    numbers: BTreeMap<(String, u32, String), u32>,
    list: Vec<SourcePlace>,
}

impl PlaceTable {
    fn number(&mut self, place: &SourcePlace) -> u32 {
        let key = (place.file.clone(), place.line, place.function.clone());
        let list = &mut self.list;
        *self.numbers.entry(key).or_insert_with(|| {
            list.push(place.clone());
            list.len() as u32 - 1
        })
    }

    fn into_list(self) -> Vec<SourcePlace> {
        self.list
    }
}

/// Takes the warnings of a run.
type WarningReader = Arc<dyn Fn(&str) + Send + Sync>;

/// The observer of a walk.
#[derive(Default)]
struct WalkCollector {
    steps: Vec<WalkStep>,
    steps_beyond: u64,
    places: PlaceTable,
    worlds: Vec<WorldTest>,
    findings: Vec<Finding>,
    paths: Vec<PathEnd>,
    stopped: Option<StoppedRun>,
    warn: Option<WarningReader>,
}

impl WalkCollector {
    /// What the nodes do at the end of the world.
    fn end(&mut self, world: Option<&WorldTest>) -> StoppedRun {
        let mut end = self.stopped.take().unwrap_or_default();
        if let Some(world) = world {
            let WorldTest { faults, preemptions, messages, messages_omitted, .. } = world;
            end.faults.clone_from(faults);
            end.preemptions.clone_from(preemptions);
            end.messages.clone_from(messages);
            end.messages_omitted = *messages_omitted;
        }
        if end.nodes.is_empty() {
            let named: Vec<(String, String)> = match world {
                Some(world) => {
                    let nodes = world.nodes.iter();
                    nodes.map(|node| (node.name.clone(), node.status.clone())).collect()
                }
                None => {
                    let paths = self.paths.iter();
                    paths.map(|path| (path.node.clone(), outcome_of_path(&path.outcome))).collect()
                }
            };
            let node = |(name, status)| everett_engine::NodeReport {
                name,
                status,
                stack: Vec::new(),
                inputs: Vec::new(),
            };
            end.nodes = named.into_iter().map(node).collect();
        }
        if end.outputs.is_empty() {
            let of = |name: &str| self.paths.iter().find(|path| path.node == name);
            let output = |name: &str| of(name).map_or(Vec::new(), |path| path.output.clone());
            end.outputs = end.nodes.iter().map(|node| output(&node.name)).collect();
        }
        end
    }
}

impl Observer for WalkCollector {
    fn wants_paths(&self) -> bool {
        true
    }

    fn step(&mut self, step: &WorldStep) {
        if self.steps.len() as u64 >= STEPS_MAX {
            self.steps_beyond += 1;
            return;
        }
        let WorldStep { node, time_ns, round, place, depth: _, messages } = step;
        let place = self.places.number(place);
        let (node, time_ns, round, messages) = (*node, *time_ns, *round, *messages);
        self.steps.push(WalkStep { node, time_ns, round, place, messages });
    }

    fn path(&mut self, path: &PathEnd) {
        self.paths.push(path.clone());
    }

    fn finding(&mut self, finding: &Finding) {
        self.findings.push(finding.clone());
    }

    fn world(&mut self, test: &WorldTest) {
        self.worlds.push(test.clone());
    }

    fn stopped(&mut self, at: &StoppedRun) {
        // The end of a run that was stopped tells nothing new.
        self.stopped.get_or_insert_with(|| at.clone());
    }

    fn warning(&mut self, message: &str) {
        if let Some(warn) = &self.warn {
            warn(message);
        }
    }
}

/// The faults of a node among those of a world.
fn of_node<'a>(faults: &'a [FaultReport], node: &'a str) -> impl Iterator<Item = &'a FaultReport> {
    faults.iter().filter(move |fault| fault.node == node)
}
