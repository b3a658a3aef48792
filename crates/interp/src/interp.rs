//! The interpreter: the loop over one state, and what the executors of ops share.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_expr::{BitVec, Pool, TermId};
use everett_ir::{Operand, Pc, Slot};
use everett_solver::{BranchFeasibility, BranchWitness, PathCondition, SolverChain};

use crate::bug::ignored::IgnoredBugs;
use crate::bug::{Bug, BugKind};
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding, RunPause, Sibling, SiblingCourse};
use crate::hot::{Break, Hot};
use crate::image::coverage::Coverage;
use crate::image::{ProgramId, ProgramImage, ProgramImages};
use crate::machine::Machine;
use crate::omission::{Omission, OmissionCounts, OpPlace};
use crate::state::State;
use crate::state::reg::Reg;
use crate::state::stack::Frame;
use crate::undefined::ValueUse;

/// Instructions that the concrete loop executes between two looks at the interrupt: some milliseconds.
const INSTRUCTIONS_BETWEEN_LOOKS: u64 = 1_000_000;

/// Checks that are off unless asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionalChecks {
    /// Report signed overflow.
    pub overflow: bool,
    /// Report uses of memory that was never written.
    pub uninitialized: bool,
}

/// Options of execution.
#[derive(Clone, Debug)]
pub struct InterpConfig {
    /// Optional checks.
    pub checks: OptionalChecks,
    /// Bytes that the stack of a thread may take; more is a stack overflow.
    pub max_stack_bytes: u32,
    /// Objects or functions that one symbolic pointer may fork over.
    pub max_targets: usize,
    /// Distinct sizes that one allocation of symbolic size may fork over.
    pub max_sizes: usize,
    /// Largest allocation that succeeds.
    pub max_allocation: u64,
    /// Bugs that paths go past, where that has a meaning.
    pub ignored: IgnoredBugs,
    /// Uses the concrete loop; off only to test that it changes nothing.
    pub hot: bool,
    /// Pauses wherever a path comes to another line of the program's own code. Nothing else changes.
    pub pauses_at_lines: bool,
}

impl InterpConfig {
    /// The usual size of a stack, as Linux has it.
    pub const STACK_BYTES: u32 = 8 << 20;

    /// Bytes of the largest stack with room for one more frame.
    pub(crate) fn most_before_call(&self) -> u32 {
        self.max_stack_bytes.saturating_sub(Frame::BYTES)
    }
}

impl Default for InterpConfig {
    fn default() -> InterpConfig {
        InterpConfig {
            checks: OptionalChecks::default(),
            max_stack_bytes: InterpConfig::STACK_BYTES,
            max_targets: 64,
            max_sizes: 16,
            max_allocation: 1 << 32,
            ignored: IgnoredBugs::default(),
            hot: true,
            pauses_at_lines: false,
        }
    }
}

/// Counts of events on the way that are neither bugs nor errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecutionNotes {
    /// Values and sides of branches that were left out.
    pub omissions: OmissionCounts,
    /// Ignored bugs that paths went past, by where they are.
    pub passed: BTreeMap<(BugKind, ProgramId, Pc), u64>,
}

everett_base::portable!(struct ExecutionNotes { omissions, passed });

impl ExecutionNotes {
    /// Adds what another interpreter counted.
    pub fn add(&mut self, other: &ExecutionNotes) {
        let ExecutionNotes { omissions, passed } = other;
        self.omissions.add(omissions);
        for (place, count) in passed {
            *self.passed.entry(*place).or_insert(0) += count;
        }
    }
}

/// The parts of an embedder that an interpreter borrows.
pub struct InterpParts<'a> {
    /// All programs that were loaded.
    pub images: &'a ProgramImages,
    /// The one that is executed.
    pub program: ProgramId,
    /// The pool that terms live in.
    pub pool: &'a Pool,
    /// The solver.
    pub solver: &'a mut SolverChain,
    /// Options.
    pub config: &'a InterpConfig,
    /// Covered code.
    pub coverage: &'a mut Coverage,
    /// Counters.
    pub notes: &'a mut ExecutionNotes,
}

/// Executes states. Cheap to make: it only borrows.
pub struct Interp<'a, X> {
    /// All programs that were loaded.
    pub images: &'a ProgramImages,
    /// The program that is executed.
    pub image: &'a ProgramImage,
    program: ProgramId,
    /// The pool that terms live in.
    pub pool: &'a Pool,
    /// The solver.
    pub solver: &'a mut SolverChain,
    /// Options.
    pub config: &'a InterpConfig,
    /// Counters.
    pub notes: &'a mut ExecutionNotes,
    /// States that forks made beside the running one, in order.
    pub siblings: Vec<Sibling<X>>,
    /// Set by the machine when the embedder should come by soon, before the fuel is used up.
    pub wants_pause: bool,
    /// The state of a test that is run again at the use of unwritten memory that the test ends with.
    pub(crate) ended_by_use: Option<(Box<State<X>>, Box<Bug>)>,
    coverage: &'a mut Coverage,
}

/// The sides of a condition on a state.
pub(crate) enum SplitOutcome<X> {
    /// It always holds.
    Always,
    /// It never holds.
    Never,
    /// Both: the state assumes one side from now on, this other state the opposite.
    Both(Box<State<X>>),
}

impl<'a, X: Clone> Interp<'a, X> {
    /// An interpreter over borrowed parts.
    pub fn new(parts: InterpParts<'a>) -> Interp<'a, X> {
        let InterpParts { images, program, pool, solver, config, coverage, notes } = parts;
        let image = images.image(program);
        let (siblings, wants_pause) = (Vec::new(), false);
        Interp {
            images,
            image,
            program,
            pool,
            solver,
            config,
            notes,
            siblings,
            wants_pause,
            ended_by_use: None,
            coverage,
        }
    }

    /// Runs a state for about `fuel` source instructions, or until something happens. The state
    /// must be one of the interpreter's program.
    pub fn run<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        fuel: u64,
    ) -> Result<RunPause, Stop>
    where
        M: Machine<Extra = X>,
    {
        let until = st.instructions + fuel;
        let queries = self.solver.stats().backend_queries();
        loop {
            // However much fuel there is, the interrupt is looked at now and then.
            let pause_at = until.min(st.instructions + INSTRUCTIONS_BETWEEN_LOOKS);
            let is_hot = self.config.hot && !self.config.pauses_at_lines;
            if is_hot && self.run_hot(st, pause_at) == Break::Fuel {
                match (st.instructions < until, self.pool.interrupt().is_raised()) {
                    (false, _) => return Ok(RunPause::Fuel),
                    (true, true) => return Ok(RunPause::Asked),
                    (true, false) => continue,
                }
            }
            let pc = st.pc();
            let mut flow = self.step(machine, st, pc);
            if let Some(end) = self.end_by_use(st) {
                flow = Ok(end);
            }
            if !self.config.ignored.is_empty()
                && let Ok(flow) = &mut flow
            {
                self.go_past_ignored(machine, st, flow)?;
            }
            self.account(st, pc);
            let ended = match flow {
                Err(stop) => {
                    self.mark_partial(st, pc);
                    return Err(stop);
                }
                Ok(flow) => self.go(st, pc, flow),
            };
            if let Some(pause) = ended {
                if matches!(pause, RunPause::End(_)) {
                    self.mark_partial(st, pc);
                }
                return Ok(pause);
            }
            if !self.siblings.is_empty() {
                return Ok(RunPause::Forked);
            }
            if st.instructions >= until {
                return Ok(RunPause::Fuel);
            }
            let asked = self.solver.stats().backend_queries() != queries;
            let wanted = std::mem::take(&mut self.wants_pause);
            let is_line = self.config.pauses_at_lines && self.is_at_another_line(st, pc);
            if asked || wanted || is_line || self.pool.interrupt().is_raised() {
                return Ok(RunPause::Asked);
            }
        }
    }

    /// Returns `true` if a path has come from an op to a line of the program's own code that is not the
    /// line of the op.
    fn is_at_another_line(&self, st: &State<X>, from: Pc) -> bool {
        let program = &self.image.program;
        let line = |pc: Pc| program.location(program.loc(pc)).map(|at| (at.file, at.line));
        let here = st.pc();
        let is_own = |func| !program.function(func).library;
        program.function_at(here).is_some_and(is_own)
            && (line(here) != line(from) || program.function_at(here) != program.function_at(from))
    }

    /// The one place that moves the program counter after a general step.
    fn go(&mut self, st: &mut State<X>, pc: Pc, flow: Flow) -> Option<RunPause> {
        match flow {
            Flow::Next => st.jump(pc + 1),
            Flow::Jump(target) => st.jump(target),
            Flow::Enter => {}
            Flow::Switched => {
                return (st.program != self.program).then_some(RunPause::Switched);
            }
            Flow::Returned => st.stack.top_mut().pc += 1,
            Flow::Idle => return Some(RunPause::Idle),
            Flow::End(ending) => return Some(RunPause::End(ending)),
        }
        None
    }

    fn run_hot(&mut self, st: &mut State<X>, until: u64) -> Break {
        let mut hot = Hot {
            image: self.image,
            coverage: self.coverage,
            executed: st.instructions,
            until,
            covered_new: false,
            check_overflow: self.config.checks.overflow,
            // Poison must not slip into another frame unseen.
            plain_calls: st.plain_calls && st.poisons().is_none(),
            thread_pointer: st.thread_pointer,
            most_before_call: self.config.most_before_call(),
            watch: None,
        };
        let State { stack, mem, rare, .. } = st;
        let watched = rare.as_mut().filter(|rare| rare.watch.is_some());
        hot.watch = watched.and_then(|rare| Arc::make_mut(rare).watch.as_mut());
        let stopped = hot.run(stack, mem);
        st.instructions = hot.executed;
        st.covered_new |= hot.covered_new;
        stopped
    }

    /// Counts the segment that a control op ends, for the state and for siblings that are through
    /// with the op.
    fn account(&mut self, st: &mut State<X>, pc: Pc) {
        let Some(insts) = self.image.program.ops[pc as usize].insts() else { return };
        st.instructions += u64::from(insts);
        st.covered_new |= self.coverage.mark(pc);
        for sibling in
            self.siblings.iter_mut().filter(|sibling| sibling.course != SiblingCourse::Again)
        {
            sibling.state.instructions += u64::from(insts);
        }
    }

    /// Counts and marks what a path executed of the segment in which it ended.
    fn mark_partial(&mut self, st: &mut State<X>, pc: Pc) {
        let program = &self.image.program;
        if program.ops[pc as usize].insts().is_some() {
            return;
        }
        let mut first = pc;
        while first > 0 && program.ops[first as usize - 1].insts().is_none() {
            first -= 1;
        }
        let weights = &program.weights[first as usize..=pc as usize];
        st.instructions += weights.iter().map(|w| u64::from(*w)).sum::<u64>();
        self.coverage.mark_partial(first, pc);
    }

    // ---- registers -------------------------------------------------------------------------

    /// The register or constant that an operand names.
    pub(crate) fn get(&self, st: &State<X>, operand: Operand) -> Reg {
        match operand.as_slot() {
            Some(slot) => st.stack.regs()[slot.0 as usize],
            None => self.image.consts[!operand.raw() as usize],
        }
    }

    /// A register as a term of `w` bits.
    pub fn reg_term(&self, reg: Reg, w: u32) -> TermId {
        reg.term().unwrap_or_else(|| self.pool.constant(w, reg.bits()))
    }

    /// A term as a register: a word if it is a constant.
    pub fn term_reg(&self, term: TermId) -> Reg {
        self.pool.as_const(term).map_or(Reg::symbolic(term), Reg::word)
    }

    pub(crate) fn term(&self, st: &State<X>, operand: Operand, w: u8) -> TermId {
        self.reg_term(self.get(st, operand), w.into())
    }

    pub(crate) fn put(&self, st: &mut State<X>, dst: Slot, term: TermId) {
        let reg = self.term_reg(term);
        self.put_reg(st, dst, reg);
    }

    pub(crate) fn put_word(&self, st: &mut State<X>, dst: Slot, word: u64) {
        self.put_reg(st, dst, Reg::word(word));
    }

    pub(crate) fn put_reg(&self, st: &mut State<X>, dst: Slot, reg: Reg) {
        st.stack.regs_mut()[dst.0 as usize] = reg;
    }

    // ---- forks -----------------------------------------------------------------------------

    /// Splits a state on a condition. This and [`Interp::split_off`] are where states fork.
    pub(crate) fn split(
        &mut self,
        st: &mut State<X>,
        cond: TermId,
    ) -> Result<SplitOutcome<X>, Stop> {
        let cond = self.use_term(st, cond, ValueUse::Branch);
        match st.path.branch(self.solver, self.pool, cond)? {
            BranchFeasibility::Always(true) => Ok(SplitOutcome::Always),
            BranchFeasibility::Always(false) => Ok(SplitOutcome::Never),
            BranchFeasibility::Both { then, other } => {
                let negated = self.pool.not(cond);
                if !st.forking {
                    return Ok(self.follow_model(st, cond, negated, then, other));
                }
                let mut sibling = st.fork();
                st.path.assume_side(self.pool, cond, then);
                sibling.path.assume_side(self.pool, negated, other);
                Ok(SplitOutcome::Both(sibling))
            }
            BranchFeasibility::Unknown { feasible } => {
                // The path goes on along the side that its model takes; the loss is counted.
                self.omit_unanswered(st);
                let side = if feasible { cond } else { self.pool.not(cond) };
                st.path.assume_side(self.pool, side, BranchWitness::current());
                Ok(if feasible { SplitOutcome::Always } else { SplitOutcome::Never })
            }
        }
    }

    /// With forking off, takes the side that the state's model is on.
    fn follow_model(
        &mut self,
        st: &mut State<X>,
        cond: TermId,
        negated: TermId,
        then: BranchWitness,
        other: BranchWitness,
    ) -> SplitOutcome<X> {
        self.omit(st, Omission::ForkingOff);
        if self.pool.eval_u64(cond, st.path.model()) != 0 {
            st.path.assume_side(self.pool, cond, then);
            SplitOutcome::Always
        } else {
            st.path.assume_side(self.pool, negated, other);
            SplitOutcome::Never
        }
    }

    /// Makes `good` hold on this state. Paths on which it does not are split off and end with the
    /// bug; if there are no others, this path ends.
    pub fn require(
        &mut self,
        st: &mut State<X>,
        good: TermId,
        bug: impl FnOnce(&mut Self, &State<X>) -> Bug,
    ) -> Result<(), Halt> {
        match self.split(st, good)? {
            SplitOutcome::Always => Ok(()),
            SplitOutcome::Never => {
                let bug = bug(self, st);
                Err(Flow::End(PathEnding::Bug(Box::new(bug))).into())
            }
            SplitOutcome::Both(bad) => {
                let bug = bug(self, &bad);
                self.add_sibling(bad, SiblingCourse::Ended(PathEnding::Bug(Box::new(bug))));
                Ok(())
            }
        }
    }

    /// Adds a sibling.
    pub fn add_sibling(&mut self, state: Box<State<X>>, course: SiblingCourse) {
        self.siblings.push(Sibling { state, course });
    }

    /// Splits off the paths on which `cond` holds: with [`SplitOutcome::Both`] this state goes on without
    /// them, with [`SplitOutcome::Always`] it is itself one of them.
    pub(crate) fn split_off(
        &mut self,
        st: &mut State<X>,
        cond: TermId,
    ) -> Result<SplitOutcome<X>, Stop> {
        Ok(match self.split(st, self.pool.not(cond))? {
            SplitOutcome::Always => SplitOutcome::Never,
            SplitOutcome::Never => SplitOutcome::Always,
            SplitOutcome::Both(holds) => SplitOutcome::Both(holds),
        })
    }

    /// Replaces a term by its smallest feasible value, which the path assumes from here on. If there
    /// were others, that is counted.
    pub fn narrow_to_one(
        &mut self,
        st: &mut State<X>,
        term: TermId,
        why: Omission,
    ) -> Result<BitVec, Stop> {
        let term = self.use_term(st, term, ValueUse::Amount);
        let value = st.path.min_value(self.solver, self.pool, term)?;
        let equal = self.pool.eq(term, self.pool.big_constant(&value));
        let is_only = st.path.is_always(self.solver, self.pool, equal)?;
        st.path.assume(self.solver, self.pool, equal)?;
        if !is_only {
            self.omit(st, why);
        }
        Ok(value)
    }

    /// Counts that a path leaves something out.
    pub fn omit(&mut self, st: &State<X>, what: Omission) {
        let place = self.own_place(st);
        self.notes.omissions.count(what, place);
    }

    /// Counts that the solver has given up a question of a path, for want of memory or of time.
    pub fn omit_unanswered(&mut self, st: &State<X>) {
        let short = self.solver.is_short_of_memory();
        self.omit(st, if short { Omission::SolverMemory } else { Omission::SolverTimeout });
    }

    /// The innermost operation of the program's own functions.
    pub fn own_place(&self, st: &State<X>) -> Option<OpPlace> {
        let program = &self.image.program;
        let own = st.stack.frames().find(|frame| !program.is_in_library(frame.func, frame.pc));
        own.map(|frame| (st.program, frame.pc))
    }

    /// A feasible value of a term, for messages: the path does not assume it.
    pub fn example(&self, st: &State<X>, term: TermId) -> u64 {
        example(self.pool, &st.path, term)
    }

    /// A feasible value of a register, for messages and for records of runs on given inputs: the path
    /// does not assume it.
    pub fn example_of(&self, st: &State<X>, value: Reg) -> u64 {
        value.term().map_or(value.bits(), |term| self.example(st, term))
    }
}

fn example(pool: &Pool, path: &PathCondition, term: TermId) -> u64 {
    pool.eval(term, path.model()).low_u64()
}
