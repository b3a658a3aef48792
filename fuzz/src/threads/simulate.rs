//! The exact simulator of random programs of threads: one step of one thread at a time, without any engine.
//!
//! All accesses are sequentially consistent. A [`Simulation`] is a program in the middle of an execution,
//! with the order that is certain between its accesses, by vector clocks: they tell which accesses race.
//!
//! Not here: which thread is next (`executions.rs`).

use std::collections::BTreeSet;

use super::model::{
    AccessKind, INPUT_BITS, LOCKS, NOT_READ, Operand, Register, Statement, ThreadProgram, VARIABLES,
};

/// A step of a thread. Jumps lead forwards, to the number of a step of the same thread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Access {
        variable: usize,
        kind: AccessKind,
        is_atomic: bool,
    },
    Lock(usize),
    Unlock(usize),
    TryLock {
        lock: usize,
        to: Register,
    },
    Post(usize),
    WaitForPost(usize),
    TryWaitForPost(usize, Register),
    /// Gives the lock of the same number back and waits.
    WaitForSignal(usize),
    Signal(usize),
    Exit,
    Abort(usize),
    JumpUnless {
        register: Register,
        equals: i32,
        to: usize,
    },
    JumpUnlessInput {
        bit: usize,
        to: usize,
    },
}

/// A thread's steps.
pub(crate) type Code = Vec<Step>;

/// A thread and one of its steps.
pub(crate) type StepId = (usize, usize);

/// A place that events touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    Variable(usize),
    Lock(usize),
    Semaphore(usize),
    Condition(usize),
    Everything,
}

/// A place, and whether it is changed there.
pub(crate) type Touch = (Place, bool);

/// The end of an execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// All threads are over: the line that is printed.
    Printed(String),
    /// A thread has called `_exit`.
    Exited,
    /// A thread has called `abort`, which has this number.
    Aborted(usize),
    /// Nobody can go on.
    Deadlocked,
}

type Clock = Vec<u32>;

#[derive(Clone, Debug)]
struct PastAccess {
    step: StepId,
    /// The thread's own part of its clock.
    at: u32,
    is_write: bool,
    is_atomic: bool,
}

#[derive(Clone, Debug)]
struct ThreadRun {
    at: usize,
    registers: Vec<i32>,
    waits_for_signal: bool,
    clock: Clock,
}

/// A program in the middle of an execution.
#[derive(Clone, Debug)]
pub(crate) struct Simulation {
    threads: Vec<ThreadRun>,
    variables: [i32; VARIABLES],
    owners: [Option<usize>; LOCKS],
    posts: [u32; LOCKS],
    waiting: [Vec<usize>; LOCKS],
    /// Bits of the input that a branch has asked for.
    pub(crate) input: [Option<bool>; INPUT_BITS],
    past: [Vec<PastAccess>; VARIABLES],
    /// What threads have left at variables, locks, semaphores and conditions.
    left: Vec<Clock>,
    /// Accesses that race, as pairs in the order in which they came.
    pub(crate) races: BTreeSet<(StepId, StepId)>,
    end: Option<Ending>,
}

/// The steps of all threads of a program.
pub(crate) fn code(program: &ThreadProgram) -> Vec<Code> {
    let flat = |statements: &[Statement]| {
        let mut code = Code::new();
        flatten(&mut code, statements);
        code
    };
    program.threads.iter().map(|thread| flat(&thread.statements)).collect()
}

fn flatten(code: &mut Code, statements: &[Statement]) {
    for statement in statements {
        match statement {
            Statement::Access { variable, kind } => {
                code.push(Step::Access { variable: *variable, kind: *kind, is_atomic: true });
            }
            Statement::PlainAccess { variable, kind } => {
                code.push(Step::Access { variable: *variable, kind: *kind, is_atomic: false });
            }
            Statement::Locked { lock, body } => {
                code.push(Step::Lock(*lock));
                flatten(code, body);
                code.push(Step::Unlock(*lock));
            }
            Statement::TryLocked { lock, to, body } => {
                code.push(Step::TryLock { lock: *lock, to: *to });
                let branch = code.len();
                code.push(Step::JumpUnless { register: *to, equals: 1, to: 0 });
                flatten(code, body);
                code.push(Step::Unlock(*lock));
                code[branch] = Step::JumpUnless { register: *to, equals: 1, to: code.len() };
            }
            Statement::If { register, equals, then } => {
                let (register, equals, branch) = (*register, *equals, code.len());
                code.push(Step::JumpUnless { register, equals, to: 0 });
                flatten(code, then);
                code[branch] = Step::JumpUnless { register, equals, to: code.len() };
            }
            Statement::IfInput { bit, then } => {
                let (bit, branch) = (*bit, code.len());
                code.push(Step::JumpUnlessInput { bit, to: 0 });
                flatten(code, then);
                code[branch] = Step::JumpUnlessInput { bit, to: code.len() };
            }
            Statement::Post(which) => code.push(Step::Post(*which)),
            Statement::WaitForPost(which) => code.push(Step::WaitForPost(*which)),
            Statement::TryWaitForPost(which, to) => {
                code.push(Step::TryWaitForPost(*which, *to));
            }
            Statement::WaitForSignal(which) => {
                let which = *which;
                // Who was woken takes the lock again.
                code.extend([Step::Lock(which), Step::WaitForSignal(which)]);
                code.extend([Step::Lock(which), Step::Unlock(which)]);
            }
            Statement::Signal(which) => code.push(Step::Signal(*which)),
            Statement::Abort(number) => code.push(Step::Abort(*number)),
            Statement::Exit => code.push(Step::Exit),
        }
    }
}

impl Simulation {
    /// The program before the first step of its threads.
    pub(crate) fn new(program: &ThreadProgram) -> Simulation {
        let count = program.threads.len();
        let start = |(index, registers): (usize, usize)| {
            let mut clock = vec![0; count];
            clock[index] = 1;
            ThreadRun {
                at: 0,
                registers: vec![NOT_READ; registers],
                waits_for_signal: false,
                clock,
            }
        };
        let registers = program.threads.iter().map(|thread| thread.registers);
        Simulation {
            threads: registers.enumerate().map(start).collect(),
            variables: [0; VARIABLES],
            owners: [None; LOCKS],
            posts: [0; LOCKS],
            waiting: Default::default(),
            input: [None; INPUT_BITS],
            past: Default::default(),
            left: vec![vec![0; count]; VARIABLES + 3 * LOCKS],
            races: BTreeSet::new(),
            end: None,
        }
    }

    /// The end, if a thread has brought it about.
    pub(crate) fn end(&self) -> Option<&Ending> {
        self.end.as_ref()
    }

    /// Lets the others go on, as they could before a thread has ended the program.
    pub(crate) fn hold_before_abort(&mut self, thread: usize) {
        self.end = None;
        self.threads[thread].at = usize::MAX;
    }

    /// The end, where no thread can go on.
    pub(crate) fn standstill(&self, code: &[Code]) -> Ending {
        let is_over = |(thread, code): (&ThreadRun, &Code)| thread.at == code.len();
        if !self.threads.iter().zip(code).all(is_over) {
            return Ending::Deadlocked;
        }
        let registers = self.threads.iter().flat_map(|thread| &thread.registers);
        let values = self.variables.iter().chain(registers).map(i32::to_string);
        Ending::Printed(values.collect::<Vec<_>>().join(" "))
    }

    /// The step that a thread is at, if it is not over.
    pub(crate) fn next_step(&self, code: &[Code], thread: usize) -> Option<Step> {
        code[thread].get(self.threads[thread].at).copied()
    }

    /// The place of a thread in its code.
    pub(crate) fn position(&self, thread: usize) -> StepId {
        (thread, self.threads[thread].at)
    }

    /// The places that a step touches if it is executed now; `None` if it would wait.
    pub(crate) fn touches(&self, thread: usize, step: Step) -> Option<Vec<Touch>> {
        if self.threads[thread].waits_for_signal {
            return None;
        }
        Some(match step {
            Step::Access { variable, kind, .. } => {
                let writes = match kind {
                    AccessKind::Load(_) => false,
                    AccessKind::Store(_) | AccessKind::Add(..) | AccessKind::Exchange(..) => true,
                    AccessKind::CompareExchange(expected, ..) => {
                        self.variables[variable] == expected
                    }
                };
                vec![(Place::Variable(variable), writes)]
            }
            Step::Lock(lock) if self.owners[lock].is_some() => return None,
            Step::Lock(lock) | Step::Unlock(lock) => vec![(Place::Lock(lock), true)],
            Step::TryLock { lock, .. } => vec![(Place::Lock(lock), self.owners[lock].is_none())],
            Step::WaitForPost(which) if self.posts[which] == 0 => return None,
            Step::Post(which) | Step::WaitForPost(which) => vec![(Place::Semaphore(which), true)],
            Step::TryWaitForPost(which, _) => {
                vec![(Place::Semaphore(which), self.posts[which] > 0)]
            }
            Step::WaitForSignal(which) => {
                vec![(Place::Condition(which), true), (Place::Lock(which), true)]
            }
            Step::Signal(which) => vec![(Place::Condition(which), true)],
            Step::Exit => vec![(Place::Everything, true)],
            Step::Abort(_) | Step::JumpUnless { .. } | Step::JumpUnlessInput { .. } => Vec::new(),
        })
    }

    /// Executes the next step of a thread, which can go on.
    pub(crate) fn execute(&mut self, code: &[Code], thread: usize) {
        let at = self.threads[thread].at;
        let step = code[thread][at];
        self.threads[thread].at = at + 1;
        match step {
            Step::Access { variable, kind, is_atomic } => {
                self.access((thread, at), variable, kind, is_atomic);
            }
            Step::Lock(lock) => {
                self.owners[lock] = Some(thread);
                self.synchronise(thread, Place::Lock(lock), true);
            }
            Step::Unlock(lock) => {
                self.owners[lock] = None;
                self.synchronise(thread, Place::Lock(lock), true);
            }
            Step::TryLock { lock, to } => {
                let is_free = self.owners[lock].is_none();
                if is_free {
                    self.owners[lock] = Some(thread);
                }
                self.synchronise(thread, Place::Lock(lock), is_free);
                self.threads[thread].registers[to] = is_free.into();
            }
            Step::Post(_) | Step::WaitForPost(_) | Step::TryWaitForPost(..) => {
                self.use_semaphore(thread, step);
            }
            Step::WaitForSignal(_) | Step::Signal(_) => self.use_condition(thread, step),
            Step::Exit => self.end = Some(Ending::Exited),
            Step::Abort(number) => self.end = Some(Ending::Aborted(number)),
            Step::JumpUnless { register, equals, to } => {
                if self.threads[thread].registers[register] != equals {
                    self.threads[thread].at = to;
                }
            }
            Step::JumpUnlessInput { bit, to } => {
                if self.input[bit] != Some(true) {
                    self.threads[thread].at = to;
                }
            }
        }
    }

    fn use_semaphore(&mut self, thread: usize, step: Step) {
        match step {
            Step::Post(which) => {
                self.posts[which] += 1;
                self.synchronise(thread, Place::Semaphore(which), true);
            }
            Step::WaitForPost(which) => {
                self.posts[which] -= 1;
                self.synchronise(thread, Place::Semaphore(which), true);
            }
            Step::TryWaitForPost(which, to) => {
                let is_taken = self.posts[which] > 0;
                if is_taken {
                    self.posts[which] -= 1;
                    self.synchronise(thread, Place::Semaphore(which), true);
                }
                self.threads[thread].registers[to] = is_taken.into();
            }
            _ => {}
        }
    }

    fn use_condition(&mut self, thread: usize, step: Step) {
        match step {
            Step::WaitForSignal(which) => {
                self.owners[which] = None;
                self.waiting[which].push(thread);
                self.threads[thread].waits_for_signal = true;
                self.synchronise(thread, Place::Condition(which), true);
                self.synchronise(thread, Place::Lock(which), true);
            }
            Step::Signal(which) => {
                self.synchronise(thread, Place::Condition(which), true);
                if !self.waiting[which].is_empty() {
                    let woken = self.waiting[which].remove(0);
                    self.threads[woken].waits_for_signal = false;
                    self.synchronise(woken, Place::Condition(which), true);
                }
            }
            _ => {}
        }
    }

    fn access(&mut self, step: StepId, variable: usize, kind: AccessKind, is_atomic: bool) {
        let thread = step.0;
        let there = self.variables[variable];
        let value = |operand: Operand| match operand {
            Operand::Constant(value) => value,
            Operand::After(register) => self.threads[thread].registers[register] + 1,
        };
        let (written, read) = match kind {
            AccessKind::Load(to) => (None, Some(to)),
            AccessKind::Store(operand) => (Some(value(operand)), None),
            AccessKind::Add(amount, to) => (Some(there + amount), Some(to)),
            AccessKind::Exchange(operand, to) => (Some(value(operand)), Some(to)),
            AccessKind::CompareExchange(expected, operand, to) => {
                ((there == expected).then(|| value(operand)), Some(to))
            }
        };
        let place = place_index(Place::Variable(variable));
        let run = &mut self.threads[thread];
        if is_atomic && read.is_some() {
            join(&mut run.clock, &self.left[place]);
        }
        let at = run.clock[thread];
        if is_atomic && written.is_some() {
            // A store hides what was left there, and an update goes on with it.
            if read.is_none() {
                self.left[place].fill(0);
            }
            join(&mut self.left[place], &run.clock);
            run.clock[thread] += 1;
        }
        let new = PastAccess { step, at, is_write: written.is_some(), is_atomic };
        for old in &self.past[variable] {
            let other = old.step.0;
            let conflict = (old.is_write || new.is_write) && !(old.is_atomic && new.is_atomic);
            if other != thread && conflict && old.at > self.threads[thread].clock[other] {
                self.races.insert((old.step, step));
            }
        }
        self.past[variable].push(new);
        if let Some(value) = written {
            self.variables[variable] = value;
        }
        if let Some(to) = read {
            self.threads[thread].registers[to] = there;
        }
    }

    /// A thread takes over what others have left at a place, and perhaps leaves what it has done itself.
    fn synchronise(&mut self, thread: usize, place: Place, leaves: bool) {
        let place = place_index(place);
        let run = &mut self.threads[thread];
        join(&mut run.clock, &self.left[place]);
        if leaves {
            join(&mut self.left[place], &run.clock);
            run.clock[thread] += 1;
        }
    }
}

fn place_index(place: Place) -> usize {
    match place {
        Place::Variable(index) => index,
        Place::Lock(index) => VARIABLES + index,
        Place::Semaphore(index) => VARIABLES + LOCKS + index,
        Place::Condition(index) => VARIABLES + 2 * LOCKS + index,
        Place::Everything => unreachable!("nobody leaves anything everywhere"),
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    for (own, other) in clock.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}
