//! Random programs of a few threads, as data that is both written as C and simulated.
//!
//! Nothing is repeated: threads have no loops, so each statement is executed at most once. What a statement
//! reads goes into a register of its own.

use everett_fuzz::choices::Choices;

/// Shared variables.
pub(crate) const VARIABLES: usize = 3;
/// Locks, and as many semaphores and conditions.
pub(crate) const LOCKS: usize = 2;
/// Bits of the symbolic input.
pub(crate) const INPUT_BITS: usize = 2;
/// The value of a register of a statement that was not executed.
pub(crate) const NOT_READ: i32 = -1;

/// Events of all threads together. With more of them there are too many orders.
const EVENTS_MAX: usize = 10;
const STATEMENTS_MAX: usize = 4;
const NESTING_MAX: u32 = 2;

/// A register of a thread.
pub(crate) type Register = usize;

/// A value that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Constant(i32),
    /// One more than what a register has.
    After(Register),
}

/// An access to a shared variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AccessKind {
    Load(Register),
    Store(Operand),
    /// Adds a constant and reads what was there.
    Add(i32, Register),
    Exchange(Operand, Register),
    /// Writes the second value where the first one is, and reads what was there.
    CompareExchange(i32, Operand, Register),
}

/// A statement of a thread.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Access {
        variable: usize,
        kind: AccessKind,
    },
    /// A load or a store that is not atomic.
    PlainAccess {
        variable: usize,
        kind: AccessKind,
    },
    /// Takes a lock, does something, and gives it back.
    Locked {
        lock: usize,
        body: Vec<Statement>,
    },
    /// The same if the lock is free; the register says whether it was.
    TryLocked {
        lock: usize,
        to: Register,
        body: Vec<Statement>,
    },
    /// Branches on what a register has.
    If {
        register: Register,
        equals: i32,
        then: Vec<Statement>,
    },
    /// Branches on a bit of the symbolic input.
    IfInput {
        bit: usize,
        then: Vec<Statement>,
    },
    Post(usize),
    WaitForPost(usize),
    TryWaitForPost(usize, Register),
    /// Takes the lock of the same number, waits for the condition, and gives the lock back.
    WaitForSignal(usize),
    Signal(usize),
    /// Ends the program by `abort`; each has a number.
    Abort(usize),
    /// Ends the program by `_exit`.
    Exit,
}

/// One thread of a program.
#[derive(Clone, Debug)]
pub(crate) struct RandomThread {
    pub(crate) statements: Vec<Statement>,
    pub(crate) registers: usize,
}

/// The threads of a program, which start together.
#[derive(Clone, Debug)]
pub(crate) struct ThreadProgram {
    pub(crate) threads: Vec<RandomThread>,
    pub(crate) has_input: bool,
}

/// A family of statements, so that most programs have few of them and use these often.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Atomics,
    Locks,
    Plain,
    Waits,
    Everything,
}

/// The generator of one program.
struct Generator<'c, 'b> {
    choices: &'c mut Choices<'b>,
    flavour: Flavour,
    variables: usize,
    registers: usize,
    events: usize,
    aborts: usize,
    has_input: bool,
    /// The locks that the statement to be made is within.
    held: Vec<usize>,
}

impl ThreadProgram {
    /// The program that the bytes of an input describe.
    pub(crate) fn from_choices(mut choices: Choices<'_>) -> ThreadProgram {
        let count = 2 + choices.pick(&[0, 1, 1, 2]);
        let flavour = choices.pick(&[
            Flavour::Atomics,
            Flavour::Locks,
            Flavour::Plain,
            Flavour::Waits,
            Flavour::Everything,
        ]);
        let variables = 1 + choices.below(VARIABLES);
        let mut generator = Generator {
            choices: &mut choices,
            flavour,
            variables,
            registers: 0,
            events: 0,
            aborts: 0,
            has_input: false,
            held: Vec::new(),
        };
        let mut threads = Vec::new();
        for thread in 0..count {
            let most = EVENTS_MAX * (thread + 1) / count;
            let mut statements = vec![generator.statement(0)];
            while statements.len() < STATEMENTS_MAX
                && generator.events < most
                && !generator.choices.is_used_up()
                && generator.choices.below(5) != 0
            {
                statements.push(generator.statement(0));
            }
            let registers = std::mem::take(&mut generator.registers);
            threads.push(RandomThread { statements, registers });
        }
        let has_input = generator.has_input;
        ThreadProgram { threads, has_input }
    }
}

impl Generator<'_, '_> {
    fn statement(&mut self, depth: u32) -> Statement {
        let is_nested = depth >= NESTING_MAX;
        match self.choices.below(16) {
            0..=4 if !is_nested => match self.flavour {
                Flavour::Atomics => self.access(),
                Flavour::Locks => self.locked(depth),
                Flavour::Plain => self.plain_access(),
                Flavour::Waits => self.wait(),
                Flavour::Everything => match self.choices.below(4) {
                    0 => self.access(),
                    1 => self.locked(depth),
                    2 => self.plain_access(),
                    _ => self.wait(),
                },
            },
            10..=12 if !is_nested && self.registers > 0 => self.branch(depth),
            13 if !is_nested => {
                self.has_input = true;
                let bit = self.choices.below(INPUT_BITS);
                Statement::IfInput { bit, then: self.body(depth) }
            }
            14 if depth > 0 => self.end(),
            15 if !is_nested && self.flavour != Flavour::Atomics => self.locked(depth),
            _ if !self.held.is_empty() && self.choices.below(4) != 3 => self.plain_access(),
            _ => self.access(),
        }
    }

    fn end(&mut self) -> Statement {
        if self.choices.below(4) == 3 {
            self.events += 1;
            return Statement::Exit;
        }
        self.aborts += 1;
        Statement::Abort(self.aborts - 1)
    }

    fn body(&mut self, depth: u32) -> Vec<Statement> {
        let count = 1 + self.choices.below(2);
        (0..count).map(|_| self.statement(depth + 1)).collect()
    }

    fn branch(&mut self, depth: u32) -> Statement {
        let register = self.choices.below(self.registers);
        let equals = self.choices.pick(&[0, 1, 2]);
        Statement::If { register, equals, then: self.body(depth) }
    }

    fn new_register(&mut self) -> Register {
        self.registers += 1;
        self.registers - 1
    }

    fn operand(&mut self) -> Operand {
        match self.choices.below(5) {
            0 if self.registers > 0 => Operand::After(self.choices.below(self.registers)),
            _ => Operand::Constant(1 + self.choices.below(2) as i32),
        }
    }

    fn access(&mut self) -> Statement {
        self.events += 1;
        let variable = self.choices.below(self.variables);
        let kind = match self.choices.below(6) {
            0 => AccessKind::Store(self.operand()),
            1 | 2 => AccessKind::Load(self.new_register()),
            3 => AccessKind::Add(1, self.new_register()),
            4 => {
                let operand = self.operand();
                AccessKind::Exchange(operand, self.new_register())
            }
            _ => {
                let expected = self.choices.below(3) as i32;
                let operand = self.operand();
                AccessKind::CompareExchange(expected, operand, self.new_register())
            }
        };
        Statement::Access { variable, kind }
    }

    fn plain_access(&mut self) -> Statement {
        if self.held.is_empty() {
            self.events += 1;
        }
        let variable = self.choices.below(self.variables);
        let kind = match self.choices.flag() {
            false => AccessKind::Store(self.operand()),
            true => AccessKind::Load(self.new_register()),
        };
        Statement::PlainAccess { variable, kind }
    }

    fn locked(&mut self, depth: u32) -> Statement {
        let lock = self.choices.below(LOCKS);
        if self.choices.below(4) == 3 {
            self.events += 2;
            let to = self.new_register();
            self.held.push(lock);
            let body = self.body(depth);
            self.held.pop();
            return Statement::TryLocked { lock, to, body };
        }
        if self.held.contains(&lock) {
            return self.plain_access();
        }
        self.events += 2;
        self.held.push(lock);
        let body = self.body(depth);
        self.held.pop();
        Statement::Locked { lock, body }
    }

    fn wait(&mut self) -> Statement {
        let which = self.choices.below(LOCKS);
        match self.choices.below(6) {
            0 | 1 => {
                self.events += 1;
                Statement::Post(which)
            }
            2 => {
                self.events += 1;
                Statement::WaitForPost(which)
            }
            3 => {
                self.events += 1;
                Statement::TryWaitForPost(which, self.new_register())
            }
            4 if !self.held.contains(&which) => {
                self.events += 4;
                Statement::WaitForSignal(which)
            }
            _ => {
                self.events += 1;
                Statement::Signal(which)
            }
        }
    }
}
