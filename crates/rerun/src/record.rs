//! [`TestRecorder`]: makes test cases of worlds, from what is known at the start of a run.

use std::path::Path;

use everett_engine::{
    BugKind, FaultReport, Finding, MessageReport, PreemptionReport, WorldNode, WorldTest,
};
use everett_input::files;
use everett_replay::DTest;
use everett_replay::dtest::{
    TestFault, TestMessage, TestNode, TestNodeRecord, TestOutcome, TestPlace, TestPreemption,
    TestRecord, TestSetting,
};
use everett_report::RunInfo;
use everett_settings::absolute;

use crate::error::{RerunError, Result};
use crate::network;

/// The option whose values are named by findings.
const INVARIANTS: &str = "invariants";

/// Makes the tests of worlds.
#[derive(Clone, Debug, Default)]
pub struct TestRecorder {
    /// By node; one if the nodes are made by its program.
    pub nodes: Vec<TestNodeRecord>,
    /// Settings of the run as a whole.
    pub options: Vec<TestSetting>,
    /// True if worlds of one node have a test of their own.
    pub alone: bool,
}

impl TestRecorder {
    /// The test of a world, unless a ktest is all that it needs.
    pub fn dtest(&self, world: &WorldTest) -> Option<DTest> {
        let WorldTest { id, booted, topology, nodes, finding, unfinished, .. } = world;
        let WorldTest { faults, preemptions, messages, messages_omitted, time_ns, .. } = world;
        if !self.alone && nodes.len() == 1 && !booted {
            return None;
        }
        let several = nodes.len() > 1;
        let node = |(at, of): (usize, &WorldNode)| {
            let WorldNode { name, start, server, status: _ } = of;
            let record = self.nodes.get(if *booted { 0 } else { at }).cloned();
            let ktest = RunInfo::test_file(*id, several.then_some(name));
            TestNode {
                filename: ktest.rsplit('/').next().unwrap_or_default().to_owned(),
                hostname: name.clone(),
                server: server.unwrap_or(false),
                sequence: *start,
                record: record
                    .map(|record| TestNodeRecord { server_detected: server.is_none(), ..record }),
                ..TestNode::default()
            }
        };
        let mut test = DTest {
            nodes: nodes.iter().enumerate().map(node).collect(),
            record: Some(TestRecord {
                boots: *booted,
                options: self.options.clone(),
                outcome: match (finding, unfinished) {
                    (Some(finding), _) => self.outcome(finding),
                    (None, Some(instructions)) => {
                        TestOutcome::Unfinished { instructions: *instructions }
                    }
                    (None, None) => ended(nodes),
                },
                time_ns: *time_ns,
                faults: faults.iter().map(fault).collect(),
                preemptions: preemptions.iter().map(preemption).collect(),
                messages: messages.iter().map(message).collect(),
                messages_omitted: *messages_omitted,
            }),
            ..DTest::default()
        };
        if let Some(topology) = topology {
            network::describe(topology, &mut test);
        }
        Some(test)
    }

    fn outcome(&self, finding: &Finding) -> TestOutcome {
        let place = |place: &everett_engine::SourcePlace| TestPlace {
            file: self.lasting_file_name(finding, &place.file),
            ..place_of(place)
        };
        TestOutcome::Finding {
            kind: finding.kind.to_string(),
            node: finding.node.clone(),
            message: finding.message.clone(),
            stack: finding.stack.iter().map(place).collect(),
        }
    }

    /// The name of a file under which a replay will know it: files of invariants are named by the user.
    fn lasting_file_name(&self, finding: &Finding, file: &str) -> String {
        if finding.kind != BugKind::Invariant {
            return file.to_owned();
        }
        let mut given = self.options.iter().filter(|setting| setting.name == INVARIANTS);
        let path = absolute(Path::new(file)).unwrap_or_default();
        match given.any(|setting| setting.values.contains(&path)) {
            true => String::from_utf8_lossy(&path).into_owned(),
            false => file.to_owned(),
        }
    }
}

/// The outcome of a world that ended without a finding.
pub(crate) fn ended(nodes: &[WorldNode]) -> TestOutcome {
    TestOutcome::Ended(nodes.iter().map(|node| (node.name.clone(), node.status.clone())).collect())
}

/// The outcome of a world as it is, with files named as the engine does.
pub fn outcome_of(world: &WorldTest) -> TestOutcome {
    match (&world.finding, world.unfinished) {
        (Some(finding), _) => TestRecorder::default().outcome(finding),
        (None, Some(instructions)) => TestOutcome::Unfinished { instructions },
        (None, None) => ended(&world.nodes),
    }
}

/// Returns a digest of a program's file, which differs between builds.
pub fn digest(program: &Path) -> Result<String> {
    let bytes = files::read(program)
        .map_err(|source| RerunError::Read { path: program.to_path_buf(), source })?;
    Ok(format!("blake3:{}", blake3::hash(&bytes).to_hex()))
}

/// Writes the faults, preemptions and messages of a world into a test.
pub(crate) fn record_events(world: &WorldTest, record: &mut TestRecord) {
    record.time_ns = world.time_ns;
    record.faults = world.faults.iter().map(fault).collect();
    record.preemptions = world.preemptions.iter().map(preemption).collect();
    let omitted = world.messages.len().saturating_sub(Finding::MAX_MESSAGES);
    record.messages = world.messages[omitted..].iter().map(message).collect();
    record.messages_omitted = world.messages_omitted + omitted as u64;
}

fn fault(of: &FaultReport) -> TestFault {
    let FaultReport { kind, node, point, choice, what, time_ns, place } = of;
    TestFault {
        node: node.clone(),
        kind: kind.name().to_owned(),
        point: *point,
        choice: *choice,
        time_ns: *time_ns,
        what: what.clone(),
        place: place.as_ref().map(place_of),
    }
}

fn preemption(of: &PreemptionReport) -> TestPreemption {
    let PreemptionReport { node, point, from, to, time_ns, place } = of;
    let (node, place) = (node.clone(), place.as_ref().map(place_of));
    TestPreemption { node, point: *point, from: *from, to: *to, time_ns: *time_ns, place }
}

fn place_of(place: &everett_engine::SourcePlace) -> TestPlace {
    let everett_engine::SourcePlace { function, file, line, column, inlined: _ } = place;
    TestPlace { function: function.clone(), file: file.clone(), line: *line, column: *column }
}

fn message(of: &MessageReport) -> TestMessage {
    let MessageReport { time_ns, round, from, to, kind, size, bytes, received, .. } = of;
    TestMessage {
        time_ns: *time_ns,
        round: *round,
        from: from.clone(),
        to: to.clone(),
        kind: kind.clone(),
        size: *size,
        bytes: bytes.clone(),
        received: *received,
    }
}
