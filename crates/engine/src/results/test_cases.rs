//! Test cases: those of paths, and those of worlds, which have one for each node.
//!
//! What a world's test cases have come from one model of the joined condition of its nodes.

use everett_posix::{Decision, Guest};
use everett_replay::{KTest, KTestObject};
use everett_solver::PathCondition;

use crate::api::config::EngineConfig;
use crate::api::report::{
    FAULTS, Finding, IDLE, IGNORED, SCHEDULE, TestCase, TestReason, WorldNode, WorldTest,
};
use crate::parallel::context::Front;
use crate::results::finding_writer::Desk;
use crate::results::messages;
use crate::state::node_state::St;

impl<'a> Desk<'_, 'a> {
    /// The test case of a path that is in no world with others.
    pub(crate) fn write_alone(&mut self, front: &mut Front<'a>, st: &St, reason: TestReason) {
        if self.is_scenario() && !matches!(reason, TestReason::Dropped(_)) {
            return self.write_tests(front, reason, &st.path, &[st], None);
        }
        front.tests += 1;
        let path = self.preferred(&st.path, &[st]);
        self.write_test(front, st, reason, &path, None);
    }

    /// The test cases of a world.
    pub(crate) fn write_tests(
        &mut self,
        front: &mut Front<'a>,
        reason: TestReason,
        path: &PathCondition,
        world: &[&St],
        finding: Option<Finding>,
    ) {
        front.tests += 1;
        let nodes = self.shared.nodes();
        let unfinished = matches!(reason, TestReason::Dropped(_));
        let preferred = self.preferred(path, world);
        for st in world {
            let node = (nodes.len() > 1).then(|| self.name(st).to_owned());
            self.write_test(front, st, reason.clone(), &preferred, node);
        }
        if !self.is_whole(world) {
            return;
        }
        let (messages, messages_omitted) = messages::of_world(self, &preferred, world);
        let node = |st: &&St| {
            let setup = &nodes[st.extra.of.index()];
            let (name, status) = (setup.name().to_owned(), self.node_report(st, &preferred).status);
            WorldNode { name, start: setup.start, server: setup.server, status }
        };
        let test = WorldTest {
            id: front.tests,
            booted: self.shared.has_booted(),
            topology: nodes[0].config.kernel.topology.clone(),
            nodes: world.iter().map(node).collect(),
            finding,
            unfinished: self.shared.config.limits.instructions.filter(|_| unfinished),
            faults: world.iter().flat_map(|st| self.faults(st)).collect(),
            preemptions: world.iter().flat_map(|st| self.preemptions(st)).collect(),
            messages,
            messages_omitted,
            time_ns: world.iter().map(|st| st.extra.activated().time).max().unwrap_or(0),
            recorded: world.iter().filter_map(|st| st.extra.node().recorded()).collect(),
        };
        front.observer.world(&test);
    }

    fn write_test(
        &self,
        front: &mut Front<'a>,
        st: &St,
        reason: TestReason,
        path: &PathCondition,
        node: Option<String>,
    ) {
        let inputs = self.inputs(st, path);
        let argv = &self.shared.nodes()[st.extra.of.index()].config.argv;
        let mut ktest = KTest::new(argv.iter().cloned());
        ktest.objects =
            inputs.iter().map(|i| KTestObject::new(i.name.as_bytes(), i.bytes.clone())).collect();
        let switches = st.extra.node().switches();
        if !switches.is_empty() {
            let bytes: Vec<u8> = switches.iter().flat_map(|switch| switch.to_bytes()).collect();
            ktest.objects.push(KTestObject::new(SCHEDULE.as_bytes(), bytes));
        }
        let taken = st.extra.node().faults().taken();
        if !taken.is_empty() {
            let bytes = Decision::write_all(taken.iter().map(|taken| taken.decision));
            ktest.objects.push(KTestObject::new(FAULTS.as_bytes(), bytes));
        }
        if st.passed > 0 {
            let ignored = self.shared.config.exec.ignored.places().iter();
            let lines: String = ignored.map(|place| format!("{place}\n")).collect();
            ktest.objects.push(KTestObject::new(IGNORED.as_bytes(), lines.into_bytes()));
        }
        let idle = self.shared.config.idle;
        if self.shared.nodes().len() == 1 && idle != EngineConfig::default().idle {
            let ns = idle.map_or(u64::MAX, |idle| idle.as_nanos() as u64);
            ktest.objects.push(KTestObject::new(IDLE.as_bytes(), ns.to_le_bytes().to_vec()));
        }
        let id = front.tests;
        front.observer.test(&TestCase { id, node, reason, ktest });
    }

    /// A path that satisfies as many of the programs' preferences as can be, in order.
    fn preferred(&mut self, path: &PathCondition, world: &[&St]) -> PathCondition {
        let mut path = path.clone();
        for wish in world.iter().flat_map(|st| &st.extra.preferences) {
            // A wish that cannot be met, or not be decided in time, is passed over.
            let _ = path.assume(self.solver, self.shared.pool, *wish);
        }
        path
    }
}
