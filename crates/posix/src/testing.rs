//! A machine to test handlers on: a node and memory without a program, whose system calls are made
//! one by one.
//!
//! [`Tester::call`] makes a call that does not fork; [`Tester::explore`] makes one that may, and gives
//! every path's state with what the call came to there.

use std::sync::Arc;

use everett_base::Stamp;
use everett_base::part::{PartReader, PartWriter, Portable};
use everett_expr::{Pool, TermTable};
use everett_fs::{Fs, FsOptions};
use everett_interp::{
    Coverage, ExecutionNotes, Flow, Interp, InterpConfig, InterpParts, ProgramId, ProgramImages,
    Reg, SiblingCourse, State,
};
use everett_ir::Program;
use everett_memory::{AddressSpace, ByteValue, ObjectKind, SiteId};
use everett_net::HostId;
use everett_solver::{ChainOptions, MonotonicClock, SolverChain};
use smallvec::SmallVec;
use syscalls::{Errno, Sysno};

use crate::boot::FirstProcess;
use crate::config::KernelConfig;
use crate::kernel::call::Call;
use crate::kernel::reply::{CallHalt, Reply};
use crate::kernel::{Guest, Kernel, NoPrograms};
use crate::state::node::Node;
use crate::state::races::kept_choice::KeptChoices;
use crate::state::sockets::message::SharedMessage;
use crate::state::wait::Wait;
use crate::sys;

/// The embedder's part of a state: the node, and a test that is replayed.
#[derive(Clone)]
pub(crate) struct TestGuest {
    node: Arc<Node>,
    /// Names and values of the inputs that are still to come, the next one last.
    pub(crate) replayed: Vec<(String, Vec<u8>)>,
    choices: KeptChoices<TestGuest>,
}

impl Guest for TestGuest {
    fn node(&self) -> &Node {
        &self.node
    }

    fn node_mut(&mut self) -> &mut Node {
        Arc::make_mut(&mut self.node)
    }

    fn choices(&self) -> &KeptChoices<TestGuest> {
        &self.choices
    }

    fn choices_mut(&mut self) -> &mut KeptChoices<TestGuest> {
        &mut self.choices
    }

    fn new_input(
        cx: &mut Interp<'_, TestGuest>,
        st: &mut State<TestGuest>,
        name: &str,
        size: u32,
    ) -> Result<Vec<ByteValue>, Flow> {
        if let Some((expected, bytes)) = st.extra.replayed.pop() {
            assert_eq!((&expected[..], bytes.len()), (name, size as usize));
            return Ok(bytes.into_iter().map(ByteValue::Concrete).collect());
        }
        let symbol = cx.pool.symbol(name, size);
        Ok((0..size).map(|i| ByteValue::Symbolic(cx.pool.byte(symbol, i))).collect())
    }

    fn next_input_is(st: &State<TestGuest>, name: &str) -> bool {
        st.extra.replayed.last().is_some_and(|(next, _)| next == name)
    }
}

/// The outcome of a system call on one path.
#[derive(Debug)]
pub(crate) enum Outcome {
    Value(u64),
    Failed(Errno),
    Waits(Wait),
    /// Anything else, as text.
    Other(#[expect(dead_code, reason = "shown by tests that fail")] String),
}

/// A path: its state and what the call came to.
pub(crate) type Path = (Box<State<TestGuest>>, Outcome);

/// A machine with one process.
pub(crate) struct Tester {
    pub(crate) pool: Pool,
    pub(crate) kernel: Kernel,
    pub(crate) state: Box<State<TestGuest>>,
    solver: SolverChain,
    images: ProgramImages,
    config: InterpConfig,
    coverage: Coverage,
    pub(crate) notes: ExecutionNotes,
}

/// Each test leaves a machine that can be written as bytes and read again: what was read gives the same
/// bytes.
impl Drop for Tester {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.state.mem.flush();
        let written = part(&self.pool, self.state.extra.node(), &self.state.mem);
        let fresh = Pool::new();
        let table = TermTable::read(&fresh, &written[0]).expect("the terms are whole");
        let mut from = PartReader::new(&written[1], &[&table, &fresh]);
        let node = Node::read(&mut from).expect("the node is whole");
        let memory = <AddressSpace as Portable>::read(&mut from).expect("the memory is whole");
        from.end().expect("nothing is left");
        assert!(part(&fresh, &node, &memory) == written, "a machine that was read is another one");
        // Of what is cut off, nothing is a machine.
        let middle = PartReader::new(&written[1][..written[1].len() / 2], &[&table, &fresh]);
        let cut = |mut from: PartReader<'_>| {
            let node = Node::read(&mut from);
            node.and_then(|_| <AddressSpace as Portable>::read(&mut from)).is_err()
        };
        assert!(cut(middle), "half a machine was read");
    }
}

/// The terms and the bytes of a machine.
fn part(pool: &Pool, node: &Node, memory: &AddressSpace) -> [Vec<u8>; 2] {
    let mut to = PartWriter::new(&[]);
    node.write(&mut to);
    Portable::write(memory, &mut to);
    [TermTable::write(pool, &to), to.into_bytes()]
}

impl Tester {
    /// A machine as it is by default, without files of the host.
    pub(crate) fn new() -> Tester {
        Tester::with(KernelConfig::default(), Fs::new(FsOptions::default()))
    }

    /// A machine with these options and files.
    pub(crate) fn with(config: KernelConfig, fs: Fs<ByteValue>) -> Tester {
        let images = ProgramImages::new();
        let program = images.load(Arc::new(Program::new())).expect("nothing is loaded");
        let mut node = Node::new(fs, &config).expect("the tree can be made");
        let first = FirstProcess { program, executable: b"/bin/test".to_vec() };
        first.begin(&mut node, &config).expect("the first process can begin");
        let coverage = Coverage::new(&images.image(program).program);
        let guest =
            TestGuest { node: Arc::new(node), replayed: Vec::new(), choices: KeptChoices::new() };
        Tester {
            pool: Pool::new(),
            kernel: Kernel::new(config, Box::new(NoPrograms)),
            state: Box::new(State::new(images.memory(program), guest)),
            solver: SolverChain::new(ChainOptions::default(), MonotonicClock::stopped()),
            images,
            config: InterpConfig::default(),
            coverage,
            notes: ExecutionNotes::default(),
        }
    }

    pub(crate) fn node(&self) -> &Node {
        self.state.extra.node()
    }

    pub(crate) fn node_mut(&mut self) -> &mut Node {
        self.state.extra.node_mut()
    }

    // ---- memory ----------------------------------------------------------------------------

    /// An object with these bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let address = self.room(bytes.len());
        self.state.mem.write_bytes(address, bytes).expect("just allocated");
        address
    }

    /// A C string.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        self.bytes(&[text.as_bytes(), &[0]].concat())
    }

    /// Words of 64 bits.
    pub(crate) fn words(&mut self, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.bytes(&bytes)
    }

    /// An object of zeros.
    pub(crate) fn room(&mut self, len: usize) -> u64 {
        let allocated = self.state.mem.alloc(len as u64, 16, ObjectKind::Heap, SiteId::NONE);
        allocated.expect("there is memory")
    }

    /// A string of `len` symbolic bytes and a terminator.
    pub(crate) fn symbolic_text(&mut self, name: &str, len: u32) -> u64 {
        let symbol = self.pool.symbol(name, len);
        let mut bytes: Vec<_> =
            (0..len).map(|i| ByteValue::Symbolic(self.pool.byte(symbol, i))).collect();
        bytes.push(ByteValue::Concrete(0));
        let address = self.room(bytes.len());
        self.state.mem.write_each(&self.pool, address, &bytes).expect("just allocated");
        address
    }

    /// Lets the first byte of a symbolic text be one of these.
    pub(crate) fn assume_first(&mut self, name: &str, len: u32, values: &[u8]) {
        let (pool, byte) = (&self.pool, self.pool.byte(self.pool.symbol(name, len), 0));
        let is = |value: &u8| pool.eq(byte, pool.constant(8, (*value).into()));
        let any = values.iter().map(is).fold(pool.bool(false), |any, one| pool.or(any, one));
        assert!(self.state.path.assume(&mut self.solver, pool, any).expect("it is decided"));
    }

    /// Concrete bytes at an address.
    pub(crate) fn peek(&self, address: u64, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        assert!(self.state.mem.read_bytes(address, &mut bytes), "not concrete");
        bytes
    }

    /// A word at an address.
    pub(crate) fn peek_u64(&self, address: u64) -> u64 {
        u64::from_le_bytes(self.peek(address, 8).try_into().expect("eight bytes"))
    }

    // ---- calls -----------------------------------------------------------------------------

    /// A call that neither forks nor waits.
    pub(crate) fn call(&mut self, sysno: Sysno, args: &[u64]) -> Result<u64, Errno> {
        match self.attempt(sysno, args) {
            Outcome::Value(value) => Ok(value),
            Outcome::Failed(errno) => Err(errno),
            other => panic!("{}: {other:?}", sysno.name()),
        }
    }

    /// A call that does not fork.
    pub(crate) fn attempt(&mut self, sysno: Sysno, args: &[u64]) -> Outcome {
        let args: Vec<Reg> = args.iter().copied().map(Reg::word).collect();
        let mut paths = self.explore(sysno, &args);
        assert_eq!(paths.len(), 1, "{} forks", sysno.name());
        let (state, outcome) = paths.remove(0);
        self.state = state;
        outcome
    }

    /// The paths on which messages reach the machine, each as it is then.
    pub(crate) fn arrive(
        &mut self,
        at: Stamp,
        arriving: &[(HostId, &SharedMessage)],
    ) -> Vec<State<TestGuest>> {
        let state = *self.state.fork();
        self.arrive_at(state, at, arriving)
    }

    /// The same for a state of the machine.
    pub(crate) fn arrive_at(
        &mut self,
        state: State<TestGuest>,
        at: Stamp,
        arriving: &[(HostId, &SharedMessage)],
    ) -> Vec<State<TestGuest>> {
        let mut interp = Interp::new(InterpParts {
            images: &self.images,
            program: ProgramId(0),
            pool: &self.pool,
            solver: &mut self.solver,
            config: &self.config,
            coverage: &mut self.coverage,
            notes: &mut self.notes,
        });
        let mut todo = vec![Box::new(state)];
        let mut paths = Vec::new();
        while let Some(mut state) = todo.pop() {
            let messages = arriving.iter().copied();
            let flow = self.kernel.choose_arrivals(&mut interp, &mut state, at, messages);
            assert!(matches!(flow, Ok(())), "{flow:?}");
            todo.extend(interp.siblings.drain(..).map(|sibling| sibling.state));
            let node = state.extra.node_mut();
            node.clock.now = at.time;
            node.deliver(arriving.iter().copied());
            paths.push(*state);
        }
        paths
    }

    /// A call on every path, in the order in which they are found; the tester's own state is left as
    /// it was.
    pub(crate) fn explore(&mut self, sysno: Sysno, args: &[Reg]) -> Vec<Path> {
        const MOST_PATHS: usize = 1000;
        let handler = sys::handler::<TestGuest>(sysno).expect("the call is implemented");
        let args = std::array::from_fn(|i| args.get(i).copied().unwrap_or(Reg::word(0)));
        let mut interp = Interp::new(InterpParts {
            images: &self.images,
            program: ProgramId(0),
            pool: &self.pool,
            solver: &mut self.solver,
            config: &self.config,
            coverage: &mut self.coverage,
            notes: &mut self.notes,
        });
        let mut todo = vec![self.state.fork()];
        let mut paths = Vec::new();
        while let Some(mut state) = todo.pop() {
            assert!(paths.len() < MOST_PATHS, "too many paths");
            let mut call = Call {
                sysno,
                kernel: &mut self.kernel,
                cx: &mut interp,
                st: &mut state,
                name: sysno.name(),
                args,
                asked: SmallVec::new(),
            };
            let outcome = match handler(&mut call) {
                Ok(Reply::Value(value)) => Outcome::Value(value),
                Ok(Reply::Wait(wait)) => Outcome::Waits(wait),
                Err(CallHalt::Errno(errno)) => Outcome::Failed(errno),
                other => Outcome::Other(format!("{other:?}")),
            };
            paths.push((state, outcome));
            for sibling in interp.siblings.drain(..) {
                match sibling.course {
                    SiblingCourse::Again => todo.push(sibling.state),
                    course => paths.push((sibling.state, Outcome::Other(format!("{course:?}")))),
                }
            }
        }
        paths
    }
}
