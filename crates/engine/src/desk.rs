//! What happens when a path is over: findings, tests, leaks, the hash of the run.

use std::hash::{BuildHasher, Hash, Hasher};

use everett_base::hash::FixedState;
use everett_expr::{Assignment, Pool};
use everett_fs::Fs;
use everett_interp::{Bug, BugKind, Ending, Images, ObjectNote};
use everett_ir::Program;
use everett_memory::ByteValue;
use everett_posix::Guest;
use everett_replay::{KTest, KTestObject};
use everett_solver::{PathCondition, SolverChain};

use crate::books::Books;
use crate::config::{EngineConfig, TestPolicy};
use crate::leak;
use crate::observer::{FilesOf, Observer};
use crate::primitives::St;
use crate::report::{
    DropReason, Finding, Input, ObjectReport, PathEnd, PathOutcome, Place, TestCase, TestReason,
};
use crate::trace;

/// The object of a test case that holds the preemptions of its path, behind all inputs.
pub(crate) const SCHEDULE: &str = "everett-schedule";

/// Where ended paths are processed.
pub(crate) struct Desk<'a> {
    pub(crate) images: &'a Images,
    pub(crate) pool: &'a Pool,
    pub(crate) config: &'a EngineConfig,
    pub(crate) files: &'a Fs<ByteValue>,
    pub(crate) solver: &'a mut SolverChain,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) books: &'a mut Books,
}

impl Desk<'_> {
    /// A path that the program ended.
    pub(crate) fn end(&mut self, mut st: Box<St>, ending: Ending) {
        let (outcome, reason) = match ending {
            Ending::Bug(bug) => self.bug(&st, *bug),
            Ending::Exit(code) => match self.leak(&mut st) {
                Some((bug, stack)) => self.bug_at(&st, bug, stack),
                None => {
                    self.books.paths += 1;
                    self.books.exit_code = Some(code);
                    (PathOutcome::Exit(code), self.path_reason(&st))
                }
            },
            Ending::Silent => {
                self.books.paths_silent += 1;
                (PathOutcome::Silent, None)
            }
        };
        self.close(&st, outcome, reason);
    }

    /// A path that the engine gives up.
    pub(crate) fn drop(&mut self, st: Box<St>, reason: DropReason) {
        self.books.drop(reason.clone());
        let wanted = self.config.tests == TestPolicy::All
            || (self.config.tests == TestPolicy::New && st.covered_new);
        let test = wanted.then(|| TestReason::Dropped(reason.clone()));
        self.close(&st, PathOutcome::Dropped(reason), test);
    }

    fn path_reason(&self, st: &St) -> Option<TestReason> {
        match self.config.tests {
            TestPolicy::All => Some(TestReason::Path),
            TestPolicy::New if st.covered_new => Some(TestReason::NewCode),
            TestPolicy::New | TestPolicy::Findings | TestPolicy::None => None,
        }
    }

    fn leak(&self, st: &mut St) -> Option<(Bug, Vec<Place>)> {
        if !self.config.check_leaks {
            return None;
        }
        let leaked = leak::unreachable(st);
        let first = leaked.first()?;
        let bytes: u64 = leaked.iter().map(|object| object.object.size).sum();
        let message = match leaked.len() {
            1 => format!("heap object of {bytes} bytes is never freed and nothing points to it"),
            n => format!(
                "{n} heap objects of {bytes} bytes in all are never freed and nothing points to them"
            ),
        };
        let image = self.images.image(st.program);
        let stack = trace::op(&image.program, first.object.site.0);
        let bug = leaked
            .iter()
            .take(leak::MAX_REPORTED)
            .fold(Bug::new(BugKind::Leak, message), |bug, object| bug.about(image.note(object)));
        Some((bug, stack))
    }

    fn bug(&mut self, st: &St, bug: Bug) -> (PathOutcome, Option<TestReason>) {
        let stack = trace::stack(self.program(st), &st.stack);
        self.bug_at(st, bug, stack)
    }

    fn bug_at(
        &mut self,
        st: &St,
        bug: Bug,
        stack: Vec<Place>,
    ) -> (PathOutcome, Option<TestReason>) {
        self.books.paths_failed += 1;
        let key = trace::fold_recursion(&stack);
        let known = self.books.again(bug.kind, &key);
        if let Some(id) = known
            && !self.config.all_findings
        {
            let reason = (self.config.tests == TestPolicy::All).then_some(TestReason::Finding(id));
            return (PathOutcome::Finding(id), reason);
        }
        let id = self.books.findings.len() as u32 + 1;
        let wanted = self.config.tests != TestPolicy::None;
        let finding = Finding {
            id,
            kind: bug.kind,
            message: bug.message,
            node: "node0".to_owned(),
            stack,
            objects: bug.objects.iter().map(|note| self.object(st, note)).collect(),
            inputs: self.inputs(st, &st.path),
            output: self.output(st),
            count: 1,
            test: wanted.then_some(self.books.tests + 1),
        };
        self.observer.finding(&finding);
        if self.config.save_files {
            self.save_files(st, id);
        }
        self.books.found(finding, key);
        (PathOutcome::Finding(id), wanted.then_some(TestReason::Finding(id)))
    }

    /// Hands the files that a path has changed to the observer, as its model has them.
    fn save_files(&mut self, st: &St, finding: u32) {
        let value = |term| self.pool.eval_u64(term, st.path.model()) as u8;
        match st.extra.node().changed_files(self.files, value) {
            Ok(files) => self.observer.files(FilesOf::Finding(finding), &files),
            Err(error) => self.observer.warning(&format!("cannot save files: {error}")),
        }
    }

    fn program(&self, st: &St) -> &Program {
        &self.images.image(st.program).program
    }

    /// What the path wrote to its standard streams, under its model.
    fn output(&self, st: &St) -> Vec<u8> {
        let model = st.path.model();
        let byte = |byte: &ByteValue| match byte {
            ByteValue::Concrete(byte) => *byte,
            ByteValue::Symbolic(term) => self.pool.eval_u64(*term, model) as u8,
        };
        let output = st.extra.node().output();
        output.iter().flat_map(|chunk| chunk.bytes.iter().map(byte)).collect()
    }

    fn object(&self, st: &St, note: &ObjectNote) -> ObjectReport {
        let ObjectNote { what, address, size, allocated, freed } = note;
        let program = self.program(st);
        ObjectReport {
            what: what.clone(),
            address: *address,
            size: *size,
            allocated: trace::site(program, *allocated),
            freed: trace::site(program, *freed),
        }
    }

    fn close(&mut self, st: &St, outcome: PathOutcome, reason: Option<TestReason>) {
        let inputs = self.inputs(st, &st.path);
        self.hash(st, &outcome, &inputs);
        if let Some(reason) = reason {
            self.write_test(st, reason, &inputs);
        }
        if self.observer.wants_paths() {
            self.observer.path(&PathEnd {
                outcome,
                instructions: st.instructions,
                depth: st.depth,
                inputs,
                output: self.output(st),
            });
        }
    }

    fn write_test(&mut self, st: &St, reason: TestReason, inputs: &[Input]) {
        self.books.tests += 1;
        let preferred = (!st.extra.preferences.is_empty()).then(|| self.preferred_inputs(st));
        let inputs = preferred.as_deref().unwrap_or(inputs);
        let mut ktest = KTest::new(self.config.argv.iter().cloned());
        ktest.objects =
            inputs.iter().map(|i| KTestObject::new(i.name.as_bytes(), i.bytes.clone())).collect();
        let switches = st.extra.node().switches();
        if !switches.is_empty() {
            let bytes: Vec<u8> = switches.iter().flat_map(|switch| switch.to_bytes()).collect();
            ktest.objects.push(KTestObject::new(SCHEDULE.as_bytes(), bytes));
        }
        self.observer.test(&TestCase { id: self.books.tests, reason, ktest });
    }

    /// Inputs that satisfy as many of the program's preferences as can be, in order.
    fn preferred_inputs(&mut self, st: &St) -> Vec<Input> {
        let mut path = st.path.clone();
        for wish in &st.extra.preferences {
            // A wish that cannot be met, or not be decided in time, is passed over.
            let _ = path.assume(self.solver, self.pool, *wish);
        }
        self.inputs(st, &path)
    }

    /// The values of the inputs under a path's model, oldest first.
    fn inputs(&self, st: &St, path: &PathCondition) -> Vec<Input> {
        let model = path.model();
        let value = |input: &everett_interp::SymbolicObject| {
            let size = self.pool.symbol_size(input.symbol);
            let byte = |i| model.byte(self.pool.symbol_var(input.symbol, i));
            Input { name: input.name.clone(), bytes: (0..size).map(byte).collect() }
        };
        let mut inputs: Vec<Input> = st.inputs.iter().map(value).collect();
        inputs.reverse();
        inputs
    }

    /// Adds the path to the hash of the run. Addition, so that the order of paths does not matter.
    fn hash(&mut self, st: &St, outcome: &PathOutcome, inputs: &[Input]) {
        let mut hasher = FixedState.build_hasher();
        match outcome {
            PathOutcome::Exit(code) => (0u8, *code).hash(&mut hasher),
            PathOutcome::Silent => 1u8.hash(&mut hasher),
            // Findings are numbered in order of discovery: their place says more.
            PathOutcome::Finding(_) => {
                (2u8, st.stack.frames().next().map(|f| f.pc)).hash(&mut hasher)
            }
            PathOutcome::Dropped(reason) => (3u8, reason).hash(&mut hasher),
        }
        (st.instructions, st.depth).hash(&mut hasher);
        for Input { name, bytes } in inputs {
            (name, bytes).hash(&mut hasher);
        }
        self.books.trace_hash = self.books.trace_hash.wrapping_add(hasher.finish());
    }
}
