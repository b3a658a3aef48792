//! Test cases: those of paths, and those of worlds, which have one for each node.
//!
//! The bytes of a world's test cases come from one model of the joined condition of its nodes.

use std::sync::Arc;

use everett_interp::InterpConfig;
use everett_live::Heard;
use everett_posix::{FaultDecision, Guest, LearntOps};
use everett_replay::{KTest, KTestObject};
use everett_solver::{PathCondition, UndefinedUses};

use crate::api::config::{EngineConfig, TestPolicy};
use crate::api::live::{LIVE_INPUT, event_bytes};
use crate::api::report::{
    FAULTS, Finding, IDLE, IGNORED, RACE, RACING, SCHEDULE, STACK, TestCase, TestReason,
    UNINITIALIZED, WorldNode, WorldTest,
};
use crate::parallel::context::RunReporter;
use crate::results::finding_writer::FindingWriter;
use crate::results::messages;
use crate::state::node_state::{PathState, SHOWN_BYTES, written};

impl<'a> FindingWriter<'_, 'a> {
    /// The test case of a path that is in no world with others.
    pub(crate) fn write_alone(
        &mut self,
        reporter: &mut RunReporter<'a>,
        st: &PathState,
        reason: TestReason,
    ) {
        if self.is_scenario() && !matches!(reason, TestReason::Dropped(_)) {
            return self.write_tests(reporter, reason, &st.path, &[st], None);
        }
        reporter.tests += 1;
        let path = self.preferred(&st.path, &[st]);
        self.write_test(reporter, st, reason, &path, None);
    }

    /// The test cases of a world.
    pub(crate) fn write_tests(
        &mut self,
        reporter: &mut RunReporter<'a>,
        reason: TestReason,
        path: &PathCondition,
        world: &[&PathState],
        finding: Option<Finding>,
    ) {
        reporter.tests += 1;
        let nodes = self.context.nodes();
        let unfinished = matches!(reason, TestReason::Dropped(_));
        let preferred = self.preferred(path, world);
        for st in world {
            let node = (nodes.len() > 1).then(|| self.name(st).to_owned());
            self.write_test(reporter, st, reason.clone(), &preferred, node);
        }
        if !self.is_whole(world) {
            return;
        }
        let (messages, messages_omitted) = messages::of_world(self, &preferred, world, SHOWN_BYTES);
        let node = |st: &&PathState| {
            let setup = &nodes[st.extra.of.index()];
            let (name, status) = (setup.name().to_owned(), self.node_report(st, &preferred).status);
            WorldNode { name, start: setup.start, server: setup.server, status }
        };
        let test = WorldTest {
            id: reporter.tests,
            booted: self.context.has_booted(),
            topology: nodes[0].config.kernel.topology.clone(),
            nodes: world.iter().map(node).collect(),
            finding,
            unfinished: self.context.config.limits.instructions.filter(|_| unfinished),
            faults: world.iter().flat_map(|st| self.faults(st)).collect(),
            preemptions: world.iter().flat_map(|st| self.preemptions(st)).collect(),
            messages,
            messages_omitted,
            time_ns: world.iter().map(|st| st.extra.activated().time).max().unwrap_or(0),
            recorded: world.iter().filter_map(|st| st.extra.node().recorded()).collect(),
        };
        reporter.observer.world(&test);
    }

    fn write_test(
        &self,
        reporter: &mut RunReporter<'a>,
        st: &PathState,
        reason: TestReason,
        path: &PathCondition,
        node: Option<String>,
    ) {
        let inputs = self.inputs(st, path);
        let argv = &self.context.nodes()[st.extra.of.index()].config.argv;
        let mut ktest = KTest::new(argv.iter().cloned());
        ktest.objects =
            inputs.iter().map(|i| KTestObject::new(i.name.as_bytes(), i.bytes.clone())).collect();
        ktest.objects.extend(self.answers(st));
        let switches = st.extra.node().switches();
        if !switches.is_empty() {
            let bytes: Vec<u8> = switches.iter().flat_map(|switch| switch.to_bytes()).collect();
            ktest.objects.push(KTestObject::new(SCHEDULE.as_bytes(), bytes));
        }
        // Threads are held at these where orders are explored, and signals come before them.
        if st.extra.node().has_places_of_accesses() && !self.context.racing.is_empty() {
            let racing = self.context.racing.clone();
            ktest.objects.push(KTestObject::new(RACING.as_bytes(), racing));
        }
        if let Some(race) = st.extra.node().race() {
            let pair = LearntOps::pair_bytes(race);
            ktest.objects.push(KTestObject::new(RACE.as_bytes(), pair));
        }
        let taken = st.extra.node().faults().taken();
        if !taken.is_empty() {
            let bytes = FaultDecision::write_all(taken.iter().map(|taken| taken.decision));
            ktest.objects.push(KTestObject::new(FAULTS.as_bytes(), bytes));
        }
        if st.passed > 0 {
            let ignored = self.context.config.exec.ignored.places().iter();
            let lines: String = ignored.map(|place| format!("{place}\n")).collect();
            ktest.objects.push(KTestObject::new(IGNORED.as_bytes(), lines.into_bytes()));
        }
        if let Some(uses) = st.path.undefined_uses().and_then(UndefinedUses::to_test) {
            ktest.objects.push(KTestObject::new(UNINITIALIZED.as_bytes(), uses));
        }
        let idle = self.context.config.idle;
        if self.context.nodes().len() == 1 && idle != EngineConfig::DEFAULT_IDLE {
            let ns = idle.map_or(u64::MAX, |idle| idle.as_nanos() as u64);
            ktest.objects.push(KTestObject::new(IDLE.as_bytes(), ns.to_le_bytes().to_vec()));
        }
        let stack = self.context.config.exec.max_stack_bytes;
        if self.context.nodes().len() == 1 && stack != InterpConfig::STACK_BYTES {
            ktest.objects.push(KTestObject::new(STACK.as_bytes(), stack.to_le_bytes().to_vec()));
        }
        let id = reporter.tests;
        let output = match self.context.config.tests {
            TestPolicy::All => written(self.context.pool, st, path),
            TestPolicy::New | TestPolicy::Findings | TestPolicy::None => Vec::new(),
        };
        reporter.observer.test(&TestCase { id, node, reason, ktest: Arc::new(ktest), output });
    }

    /// The answers of the peer of a live node, as inputs.
    fn answers(&self, st: &PathState) -> Vec<KTestObject> {
        let peer = self.context.nodes()[st.extra.of.index()].config.live.as_ref();
        let (Some(peer), Some(position)) = (peer, st.extra.links().live) else { return Vec::new() };
        let mut answers = Vec::new();
        let read = peer.tree.heard_until(position, |Heard { position, event }| {
            let bytes = event_bytes(&event, position.newest_connection());
            answers.push(KTestObject::new(LIVE_INPUT.as_bytes(), bytes));
        });
        // Where the file of the tree cannot be read, the test has no answers, and the tree counts that.
        if read.is_err() { Vec::new() } else { answers }
    }

    /// A path that satisfies as many of the programs' preferences as can be, in order.
    fn preferred(&mut self, path: &PathCondition, world: &[&PathState]) -> PathCondition {
        let mut path = path.clone();
        for wish in world.iter().flat_map(|st| &st.extra.preferences) {
            // A wish that cannot be met, or not be decided in time, is passed over.
            let _ = path.assume(self.solver, self.context.pool, *wish);
        }
        path
    }
}
