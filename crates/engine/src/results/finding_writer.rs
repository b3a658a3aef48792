//! The processing of paths that are over: findings, tests, leaks, the hash of the run.

use std::hash::{BuildHasher, Hash, Hasher};

use everett_base::hash::FixedState;
use everett_expr::Assignment;
use everett_interp::{Bug, BugKind, ObjectNote, ProgramId, Reg, byte_count};
use everett_ir::{Pc, Program};
use everett_memory::ByteValue;
use everett_posix::{FaultDecision, FaultKind, Guest, PassedPoint, TakenFault, ThreadPreemption};
use everett_solver::{PathCondition, SolverChain};
use minvariant::CollectedData;

use crate::api::config::TestPolicy;
use crate::api::dropped::DropReason;
use crate::api::observer::FilesOf;
use crate::api::report::{
    ExposedValue, FaultPoint, FaultReport, Finding, IgnoredHow, Input, NodeReport, ObjectReport,
    PathEnd, PathOutcome, PreemptionReport, SourcePlace, TestReason, ViolationReport,
};
use crate::parallel::context::{RunContext, RunReporter};
use crate::parallel::exchange::HaltReason;
use crate::programs::places;
use crate::results::counters::{ClosedPath, CountSign, RunCounters};
use crate::results::leaks;
use crate::results::messages;
use crate::results::violation::{self, Violation};
use crate::results::words;
use crate::state::exposure::{ExposedVariable, Exposure};
use crate::state::node_state::{PathState, WHOLE_BYTES_MAX, byte_under, written};

/// Bytes of a variable that are shown at most.
const VARIABLE_BYTES_MAX: u64 = 64;

/// Turns states into findings, test cases and counts, and tells the embedder of them.
pub(crate) struct FindingWriter<'d, 'a> {
    pub(crate) context: &'d RunContext<'a>,
    pub(crate) solver: &'d mut SolverChain,
    pub(crate) counters: &'d mut RunCounters,
}

/// A bug of a state in a world, with a condition that all nodes agree with.
struct FoundBug<'f> {
    st: &'f PathState,
    bug: Bug,
    stack: Vec<SourcePlace>,
    world: &'f [&'f PathState],
    path: &'f PathCondition,
    violation: Option<ViolationReport>,
}

impl<'a> FindingWriter<'_, 'a> {
    /// A path that is over, once it is in no world any more.
    pub(crate) fn close(&mut self, st: &PathState, outcome: PathOutcome) {
        let path = self.closed_path(st, &outcome);
        self.counters.count_path(&path, CountSign::More);
        let test = match &outcome {
            PathOutcome::Exit(_) | PathOutcome::Waits => self.path_reason(st),
            PathOutcome::Dropped(reason) => {
                let config = self.context.config;
                // Whoever asked to stop does not want to wait for what is not finished.
                let hurries = *reason == DropReason::Interrupted || config.interrupt.is_leaving();
                let wanted = config.tests == TestPolicy::All
                    || (config.tests == TestPolicy::New && st.covered_new);
                (wanted && !hurries).then(|| TestReason::Dropped(reason.clone()))
            }
            PathOutcome::Silent
            | PathOutcome::Redundant(_)
            | PathOutcome::WorldEnded
            | PathOutcome::Ignored
            | PathOutcome::Finding(_)
            | PathOutcome::Impossible => None,
        };
        // The inputs of one node alone do not take a system anywhere.
        if let (Some(reason), [_]) = (test, self.context.nodes()) {
            let context = self.context;
            let mut reporter = context.reporter();
            self.write_alone(&mut reporter, st, reason);
        }
        if let Some(path) = self.path_end(st, outcome) {
            self.context.reporter().observer.path(&path);
        }
    }

    /// A path that is over, as far as it is counted.
    pub(crate) fn closed_path(&self, st: &PathState, outcome: &PathOutcome) -> ClosedPath {
        let is_left_out = matches!(outcome, PathOutcome::Dropped(_) | PathOutcome::Impossible);
        let (exit_code, ends_well) = match outcome {
            PathOutcome::Exit(code) => (Some(*code).filter(|_| self.has_one_exit_code(st)), true),
            outcome => (None, *outcome == PathOutcome::Waits),
        };
        let faults = st.extra.node().faults();
        let happened = |kind: &FaultKind| faults.count(*kind) > 0;
        let faults = match ends_well && faults.are_used() {
            true => FaultKind::ALL.iter().copied().filter(happened).collect(),
            false => Vec::new(),
        };
        // The hash of a run that was cut off says nothing, and there may be a million states.
        let is_cut_off = self.context.config.interrupt.is_leaving();
        ClosedPath {
            outcome: outcome.clone(),
            chance: if is_left_out { 0.0 } else { st.extra.mark.chance() },
            exit_code,
            faults,
            hash: if is_cut_off { 0 } else { self.hash(st, outcome) },
        }
    }

    /// A path that is over, for an observer that wants to know.
    pub(crate) fn path_end(&self, st: &PathState, outcome: PathOutcome) -> Option<PathEnd> {
        let is_told = self.context.wants_paths && outcome != PathOutcome::Impossible;
        is_told.then(|| PathEnd {
            node: self.name(st).to_owned(),
            outcome,
            instructions: st.instructions,
            depth: st.depth,
            inputs: self.inputs(st, &st.path),
            output: written(self.context.pool, st, &st.path),
            sent: messages::sent_by(st),
            faults: self.passed(st),
        })
    }

    /// The points that a survey of faults has passed.
    fn passed(&self, st: &PathState) -> Vec<FaultPoint> {
        let point = |passed: PassedPoint| FaultPoint {
            kind: passed.kind,
            point: passed.point,
            choices: passed.choices.iter().map(|(c, what)| (*c, what.to_string())).collect(),
            place: passed.place.map(|place| self.place(place)),
            at: passed.at,
        };
        st.extra.node().faults().passed().into_iter().map(point).collect()
    }

    fn place(&self, (program, pc): (ProgramId, Pc)) -> SourcePlace {
        places::op(&self.context.images.image(program).program, pc).swap_remove(0)
    }

    fn path_reason(&self, st: &PathState) -> Option<TestReason> {
        match self.context.config.tests {
            TestPolicy::All => Some(TestReason::Path),
            TestPolicy::New if st.covered_new => Some(TestReason::NewCode),
            TestPolicy::New | TestPolicy::Findings | TestPolicy::None => None,
        }
    }

    /// A memory leak of a state that has exited.
    pub(crate) fn leak(&self, st: &mut PathState) -> Option<(Bug, Vec<SourcePlace>)> {
        if !self.context.config.check_leaks {
            return None;
        }
        let leaked = leaks::unreachable(st);
        let first = leaked.first()?;
        let bytes = byte_count(leaked.iter().map(|object| object.object.size).sum());
        let message = match leaked.len() {
            1 => format!("heap object of {bytes} is never freed and nothing points to it"),
            n => format!(
                "{n} heap objects of {bytes} in all are never freed and nothing points to them"
            ),
        };
        let image = self.context.images.image(st.program);
        let stack = places::op(&image.program, first.object.site.0);
        let bug = leaked
            .iter()
            .take(leaks::MAX_REPORTED)
            .fold(Bug::new(BugKind::Leak, message), |bug, object| bug.about(image.note(object)));
        Some((bug, stack))
    }

    /// Returns `true` if the user wants to hear nothing of a bug with this stack, which need not be the
    /// state's own.
    pub(crate) fn is_ignored(&self, st: &PathState, kind: BugKind, stack: &[SourcePlace]) -> bool {
        let ignored = &self.context.config.exec.ignored;
        let covers =
            |place: &SourcePlace| ignored.covers(kind, &place.function, &place.file, place.line);
        stack.first().is_some_and(covers) || ignored.covers_stack(kind, self.program(st), &st.stack)
    }

    /// The stack of a state's running thread.
    pub(crate) fn stack(&self, st: &PathState) -> Vec<SourcePlace> {
        places::stack(self.program(st), &st.stack)
    }

    /// Books a bug of a state in a world, which holds the state of each node in order.
    pub(crate) fn found(
        &mut self,
        st: &PathState,
        bug: Bug,
        stack: Vec<SourcePlace>,
        world: &[&PathState],
    ) -> PathOutcome {
        if self.is_ignored(st, bug.kind, &stack) {
            self.counters.ignore(bug.kind, &stack, IgnoredHow::Ended);
            return PathOutcome::Ignored;
        }
        self.counters.paths_failed += 1;
        let mut key = places::fold_recursion(&stack);
        if bug.kind == BugKind::Trojan {
            // Messages that are accepted at one place for several reasons are several findings.
            let function = bug.message.clone();
            key.push(SourcePlace { function, ..SourcePlace::default() });
        }
        let context = self.context;
        let config = context.config;
        let mut reporter = context.reporter();
        let known = reporter.again(bug.kind, &key);
        if let Some(id) = known
            && !config.all_findings
        {
            if config.tests == TestPolicy::All {
                let path = self.joined(st, world);
                let found = FoundBug { st, bug, stack, world, path: &path, violation: None };
                let finding = self.finding(found, id, Some(reporter.tests + 1));
                self.write_tests(
                    &mut reporter,
                    TestReason::Finding(id),
                    &path,
                    world,
                    Some(finding),
                );
            }
            self.blame_faults(id, world);
            return PathOutcome::Finding(id);
        }
        let path = self.joined(st, world);
        let found = FoundBug { st, bug, stack, world, path: &path, violation: None };
        PathOutcome::Finding(self.publish(&mut reporter, found, key))
    }

    /// Books that the faults of a world have led to a finding.
    fn blame_faults(&mut self, finding: u32, world: &[&PathState]) {
        let faults = world.iter().map(|st| st.extra.node().faults());
        self.counters.faults.led_to_finding(finding, faults);
    }

    /// Tells of a finding, and writes its test; gives its number.
    fn publish(
        &mut self,
        reporter: &mut RunReporter<'a>,
        found: FoundBug<'_>,
        key: Vec<SourcePlace>,
    ) -> u32 {
        let (config, id) = (self.context.config, reporter.findings.len() as u32 + 1);
        let wanted = config.tests != TestPolicy::None;
        let (st, world, path) = (found.st, found.world, found.path);
        self.blame_faults(id, world);
        let mut finding = self.finding(found, id, wanted.then_some(reporter.tests + 1));
        words::add(self.context, self.solver, path, world, &mut finding.messages);
        reporter.observer.finding(&finding);
        if config.save_files {
            self.save_files(reporter, st, path, id);
        }
        reporter.found(finding.clone(), key);
        if config.stop_after.is_some_and(|most| reporter.findings.len() as u64 >= most) {
            self.context.exchange.halt(HaltReason::Limit(DropReason::FindingLimit));
        }
        if wanted {
            self.write_tests(reporter, TestReason::Finding(id), path, world, Some(finding));
        }
        id
    }

    /// Books that a world violates an invariant.
    pub(crate) fn violated(&mut self, violation: &Violation, world: &[&PathState]) {
        let (context, config) = (self.context, self.context.config);
        let Some(program) = &config.invariants else { return };
        let mut reporter = context.reporter();
        if !reporter.is_new_violation(violation.key) {
            return;
        }
        let report = self.violation_place(program, violation);
        if violation::is_ignored(context, violation.invariant) {
            reporter.book_violation(violation.key, None);
            drop(reporter);
            return self.counters.ignore(BugKind::Invariant, &[report], IgnoredHow::WentOn);
        }
        self.counters.invariants.count_violation(&report.function);
        let (exposing, stack) = match &violation.exposed {
            Some((node, exposure)) => {
                let program = &context.images.image(exposure.program).program;
                (node.index(), places::places(program, &exposure.stack))
            }
            None => (0, vec![report.clone()]),
        };
        let Some(st) = world.get(exposing).copied() else {
            return reporter.book_violation(violation.key, None);
        };
        let mut key = places::fold_recursion(&stack);
        key.push(report.clone());
        let known = reporter.again(BugKind::Invariant, &key);
        if let Some(id) = known.filter(|_| !config.all_findings) {
            reporter.book_violation(violation.key, Some(id));
            return self.blame_faults(id, world);
        }
        let mut path = self.joined(st, world);
        // Found when the world was searched, so it can be assumed again.
        if !matches!(path.assume(self.solver, context.pool, violation.condition), Ok(true)) {
            self.counters.drop(DropReason::SolverTimeout);
        }
        let (name, number) = (program.invariant(violation.invariant).name, violation.key);
        let bug = Bug::new(BugKind::Invariant, format!("invariant {name} is violated"));
        let violation = Some(self.violation_report((violation, &name, report), &path, world));
        let found = FoundBug { st, bug, stack, world, path: &path, violation };
        let id = self.publish(&mut reporter, found, key);
        reporter.book_violation(number, Some(id));
    }

    fn violation_place(&self, program: &minvariant::Program, violation: &Violation) -> SourcePlace {
        let invariant = program.invariant(violation.invariant);
        let location = invariant.location;
        SourcePlace {
            function: invariant.name.to_string(),
            file: location.file.to_string(),
            line: location.line,
            column: location.column,
            inlined: false,
        }
    }

    fn violation_report(
        &self,
        (violation, name, place): (&Violation, &str, SourcePlace),
        path: &PathCondition,
        world: &[&PathState],
    ) -> ViolationReport {
        let text = |datum: &CollectedData<ByteValue>, bytes: &[u8]| {
            let of_node = |st: &&&PathState| self.name(st) == &*datum.node;
            let is_same = |exposure: &&Exposure| {
                (exposure.state, &*exposure.key) == (datum.state, &*datum.key)
                    && (exposure.at.time, exposure.at.round)
                        == (datum.stamp.time, datum.stamp.round)
                    && exposure.bytes == datum.bytes
            };
            let st = world.iter().find(of_node)?;
            let exposure = st.extra.links().exposures.iter().find(is_same)?;
            self.exposed_text(exposure, bytes)
        };
        let value = |datum: &CollectedData<ByteValue>| {
            let (bytes, symbolic) = self.values(path, &datum.bytes);
            let text = text(datum, &bytes);
            ExposedValue {
                node: datum.node.to_string(),
                state: datum.state,
                key: datum.key.to_string(),
                time_ns: datum.stamp.time,
                round: datum.stamp.round,
                bytes,
                symbolic,
                text,
            }
        };
        ViolationReport {
            invariant: name.to_owned(),
            place,
            values: violation.collected.iter().map(value).collect(),
            at_end: violation.exposed.is_none(),
        }
    }

    fn finding(&self, found: FoundBug<'_>, id: u32, test: Option<u64>) -> Finding {
        let FoundBug { st, bug, stack, world, path, violation } = found;
        let several = self.context.nodes().len() > 1;
        let (messages, messages_omitted) = messages::of_world(self, path, world, WHOLE_BYTES_MAX);
        let (exposed, exposed_omitted) = self.exposed(path, world);
        let nodes = world.iter().filter(|_| several);
        let at = st.extra.activated();
        Finding {
            id,
            kind: bug.kind,
            message: bug.message,
            node: self.name(st).to_owned(),
            at: (at.time, at.round),
            stack,
            violation,
            objects: bug.objects.iter().map(|note| self.object(st, note)).collect(),
            inputs: self.inputs(st, path),
            output: written(self.context.pool, st, path),
            world: nodes.map(|st| self.node_report(st, path)).collect(),
            messages,
            messages_omitted,
            faults: world.iter().flat_map(|st| self.faults(st)).collect(),
            preemptions: world.iter().flat_map(|st| self.preemptions(st)).collect(),
            exposed,
            exposed_omitted,
            count: 1,
            after_ignored: world.iter().map(|st| st.passed).sum(),
            test,
            of_system: (several || self.is_scenario()) && self.is_whole(world),
        }
    }

    /// The last data that the nodes of a world have exposed, in the order of time, and how many came before.
    pub(crate) fn exposed(
        &self,
        path: &PathCondition,
        world: &[&PathState],
    ) -> (Vec<ExposedValue>, u64) {
        let mut all: Vec<(&str, &Exposure)> = Vec::new();
        for st in world {
            let first = all.len();
            let name = self.name(st);
            all.extend(st.extra.links().exposures.iter().map(|exposure| (name, exposure)));
            all[first..].reverse();
        }
        // Stable: what a node exposes in a round stays in its order.
        all.sort_by_key(|(_, exposure)| exposure.at);
        let omitted = all.len().saturating_sub(Finding::MAX_EXPOSED);
        let shown = all.split_off(omitted).into_iter().map(|(node, exposure)| {
            let Exposure { state, key, bytes, at, .. } = exposure;
            let (values, symbolic) = self.values(path, bytes);
            let text = self.exposed_text(exposure, &values);
            let (node, key) = (node.to_owned(), key.clone());
            let (state, time_ns, round) = (*state, at.time, at.round);
            ExposedValue { node, state, key, time_ns, round, bytes: values, symbolic, text }
        });
        (shown.collect(), omitted as u64)
    }

    /// Exposed bytes in the words of their variable's type.
    fn exposed_text(&self, exposure: &Exposure, bytes: &[u8]) -> Option<String> {
        let program = &self.context.images.image(exposure.program).program;
        let ExposedVariable { name, size, offset } = exposure.variable.as_ref()?;
        program.structs.value_text(name, *size, *offset, bytes)
    }

    /// Bytes under a model, and whether other models may have others.
    fn values(&self, path: &PathCondition, bytes: &[ByteValue]) -> (Vec<u8>, bool) {
        let pool = self.context.pool;
        let value = |byte: &ByteValue| match byte {
            ByteValue::Concrete(byte) => *byte,
            ByteValue::Symbolic(term) => pool.eval_u64(*term, path.model()) as u8,
        };
        let is_symbolic = |byte: &ByteValue| matches!(byte, ByteValue::Symbolic(_));
        (bytes.iter().map(value).collect(), bytes.iter().any(is_symbolic))
    }

    /// Returns `true` if these are the states of a world: those that could not become nodes are in none.
    pub(crate) fn is_whole(&self, world: &[&PathState]) -> bool {
        world.len() == self.context.nodes().len()
            && !world.iter().any(|st| st.extra.boot.is_waiting())
    }

    /// Returns `true` if the nodes are those of a scenario.
    pub(crate) fn is_scenario(&self) -> bool {
        let first = self.context.nodes().first();
        first.is_some_and(|setup| setup.config.kernel.topology.is_some())
    }

    /// The joined condition of a world, with one model for all of its nodes.
    pub(crate) fn joined(&mut self, st: &PathState, world: &[&PathState]) -> PathCondition {
        let mut joined = st.path.clone();
        for other in world.iter().filter(|other| other.extra.id != st.extra.id) {
            let agreed = joined.join(self.solver, self.context.pool, &other.path);
            if !matches!(agreed, Ok(true)) {
                self.counters.drop(DropReason::SolverTimeout);
            }
        }
        joined
    }

    /// The name of the node that a state belongs to.
    pub(crate) fn name(&self, st: &PathState) -> &str {
        self.context.nodes()[st.extra.of.index()].name()
    }

    pub(crate) fn node_report(&self, st: &PathState, path: &PathCondition) -> NodeReport {
        let node = st.extra.node();
        let exited = self.exit_code(st, path);
        let status = match (exited, st.extra.due.is_some() || st.extra.ready) {
            (Some(code), _) => format!("exited with {code}"),
            (None, true) => "runs".to_owned(),
            (None, false) => node.waiting().join(", "),
        };
        // The place in the program of a live node says nothing about its peer.
        let is_gateway = self.context.images.image(st.program).is_gateway;
        let has_stack = exited.is_none() && !is_gateway;
        let stack = if has_stack { self.stack(st) } else { Vec::new() };
        NodeReport { name: self.name(st).to_owned(), status, stack, inputs: self.inputs(st, path) }
    }

    /// The exit code of a node that has exited, under a model of its path.
    pub(crate) fn exit_code(&self, st: &PathState, path: &PathCondition) -> Option<u64> {
        st.extra.node().exit_code().map(|code| self.value(st, path, code))
    }

    /// A value under a model of a state's path.
    pub(crate) fn value(&self, st: &PathState, path: &PathCondition, value: Reg) -> u64 {
        let value_of = |term| {
            let term = st.path.without_settled(self.context.pool, term);
            self.context.pool.eval_u64(term, path.model())
        };
        value.term().map_or(value.bits(), value_of)
    }

    /// Returns `true` if the path has exited with the same code for all inputs that take it, as far as
    /// that is seen without the solver.
    fn has_one_exit_code(&self, st: &PathState) -> bool {
        let code = st.extra.node().exit_code().and_then(Reg::term);
        // A code is shown where there is a single path, so one of several nodes is not worth the work.
        let is_looked_at = self.context.nodes().len() == 1;
        code.is_none_or(|code| {
            let code = || st.path.simplify(self.context.pool, code);
            is_looked_at && self.context.pool.is_const(code())
        })
    }

    /// The faults on a state's path.
    pub(crate) fn faults(&self, st: &PathState) -> Vec<FaultReport> {
        let report = |taken: TakenFault| FaultReport {
            kind: taken.decision.kind,
            node: self.name(st).to_owned(),
            point: taken.decision.point,
            choice: taken.decision.choice,
            what: taken.what.to_string(),
            time_ns: taken.time_ns,
            place: taken.place.map(|place| self.place(place)),
        };
        st.extra.node().faults().taken().into_iter().map(report).collect()
    }

    /// The variables of the program's own functions on the stack of a state, as far as they are in memory.
    pub(crate) fn variables(&self, st: &PathState) -> Vec<Input> {
        let image = self.context.images.image(st.program);
        if st.extra.node().has_exited() {
            return Vec::new();
        }
        let mut variables = Vec::new();
        for (frame, objects) in st.stack.objects() {
            let function = image.program.function(frame.func);
            if function.library {
                continue;
            }
            for object in objects.iter().filter_map(|address| st.mem.object(*address)) {
                let Some(name) = image.local_name(&object.object) else { continue };
                let size = object.object.size.min(VARIABLE_BYTES_MAX);
                let bytes = st.mem.peek(self.context.pool, object.base, size);
                let bytes = bytes
                    .iter()
                    .map(|byte| byte_under(self.context.pool, st, &st.path, byte))
                    .collect();
                variables.push(Input { name: format!("{}: {name}", function.name), bytes });
            }
        }
        variables
    }

    /// The preemptions on a state's path.
    pub(crate) fn preemptions(&self, st: &PathState) -> Vec<PreemptionReport> {
        let report = |ThreadPreemption { switch, time_ns, from, to, place }| PreemptionReport {
            node: self.name(st).to_owned(),
            point: switch.point,
            from: from.0,
            to: to.0,
            time_ns,
            place: place.map(|place| self.place(place)),
        };
        st.extra.node().preempted().into_iter().map(report).collect()
    }

    /// Hands the files that a path has changed to the observer, as its model has them.
    fn save_files(
        &self,
        reporter: &mut RunReporter<'a>,
        st: &PathState,
        path: &PathCondition,
        finding: u32,
    ) {
        let value = |term| {
            let term = st.path.simplify(self.context.pool, term);
            self.context.pool.eval_u64(term, path.model()) as u8
        };
        let files = self.context.nodes()[st.extra.of.index()].node.fs();
        match st.extra.node().changed_files(files, value) {
            Ok(files) => reporter.observer.files(FilesOf::Finding(finding), &files),
            Err(error) => reporter.observer.warning(&format!("cannot save files: {error}")),
        }
    }

    fn program(&self, st: &PathState) -> &Program {
        &self.context.images.image(st.program).program
    }

    fn object(&self, st: &PathState, note: &ObjectNote) -> ObjectReport {
        let ObjectNote { what, address, size, allocated, freed } = note;
        let program = self.program(st);
        ObjectReport {
            what: what.clone(),
            address: *address,
            size: *size,
            allocated: places::site(program, *allocated),
            freed: places::site(program, *freed),
        }
    }

    /// The values of the inputs under a path's model, oldest first.
    pub(crate) fn inputs(&self, st: &PathState, path: &PathCondition) -> Vec<Input> {
        if let Some(given) = &st.extra.given {
            return given.clone();
        }
        let model = path.model();
        let value = |input: &everett_interp::SymbolicObject| {
            let size = self.context.pool.symbol_size(input.symbol);
            // What a node settled before it was one is its own, whatever the others made of it.
            let byte = |i| {
                let var = self.context.pool.symbol_var(input.symbol, i);
                st.path.model().fixed(var).unwrap_or_else(|| model.byte(var))
            };
            Input { name: input.name.clone(), bytes: (0..size).map(byte).collect() }
        };
        let mut inputs: Vec<Input> = st.inputs.iter().map(value).collect();
        inputs.reverse();
        inputs
    }

    /// The part of a path in the hash of the run. It has what the path assumed, not one of its models, so
    /// that it does not matter who asked the solver what before.
    fn hash(&self, st: &PathState, outcome: &PathOutcome) -> u64 {
        let mut hasher = FixedState.build_hasher();
        match outcome {
            PathOutcome::Exit(code) => match st.extra.node().exit_code().and_then(Reg::term) {
                None => (0u8, *code).hash(&mut hasher),
                Some(code) => (6u8, self.context.pool.structural_hash(code)).hash(&mut hasher),
            },
            PathOutcome::Silent => 1u8.hash(&mut hasher),
            // Findings are numbered in order of discovery: their place says more.
            PathOutcome::Finding(_) => {
                (2u8, st.stack.frames().next().map(|f| f.pc)).hash(&mut hasher)
            }
            PathOutcome::Dropped(reason) => (3u8, reason).hash(&mut hasher),
            PathOutcome::Waits => 4u8.hash(&mut hasher),
            PathOutcome::WorldEnded => 5u8.hash(&mut hasher),
            PathOutcome::Ignored => 6u8.hash(&mut hasher),
            PathOutcome::Impossible | PathOutcome::Redundant(_) => return 0,
        }
        (st.extra.of, st.instructions, st.depth).hash(&mut hasher);
        for record in st.extra.links().history.iter() {
            (record.at, record.sent, record.message.id).hash(&mut hasher);
        }
        match st.extra.links().older.hash {
            0 => {}
            older => older.hash(&mut hasher),
        }
        for input in st.inputs.iter() {
            input.name.hash(&mut hasher);
        }
        let faults = st.extra.node().faults();
        for taken in faults.are_used().then(|| faults.taken()).into_iter().flatten() {
            let FaultDecision { kind, point, choice } = taken.decision;
            (kind, point, choice).hash(&mut hasher);
        }
        for constraint in st.path.constraints() {
            self.context.pool.structural_hash(constraint).hash(&mut hasher);
        }
        hasher.finish()
    }
}
