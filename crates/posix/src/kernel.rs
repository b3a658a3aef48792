//! The kernel: what all states share; a system call in progress ([`call`]), and its answers ([`reply`]).

pub(crate) mod call;
pub(crate) mod learnt_ops;
pub(crate) mod reply;

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::Stamp;
use everett_expr::TermId;
use everett_interp::{
    Flow, Interp, ProgramId, ProgramImages, State, Stop, UnsupportedFeature, WatchedOps,
};
use everett_ir::{FuncId, Program};
use everett_memory::ByteValue;
use everett_replay::script::ScriptApi;
use syscalls::Errno;
use thiserror::Error;

use crate::config::KernelConfig;
use crate::kernel::learnt_ops::LearntOps;
use crate::state::asked_locks::LockFunction;
use crate::state::faults::FaultCounts;
use crate::state::node::Node;
use crate::state::races::kept_choice::KeptChoices;
use crate::state::sockets::message::SharedMessage;

/// The embedder's part of a state, as far as the kernel knows it.
pub trait Guest: Clone + 'static {
    /// The node.
    fn node(&self) -> &Node;

    /// The node, to change it.
    fn node_mut(&mut self) -> &mut Node;

    /// The choices between threads at which others may still be asked for.
    fn choices(&self) -> &KeptChoices<Self>;

    /// The same, to change them.
    fn choices_mut(&mut self) -> &mut KeptChoices<Self>;

    /// A new symbolic input of the path, or the bytes that a replayed test has for it. `Err` ends
    /// the path.
    fn new_input(
        cx: &mut Interp<'_, Self>,
        st: &mut State<Self>,
        name: &str,
        size: u32,
    ) -> Result<Vec<ByteValue>, Flow>;

    /// The node has crashed: what was kept about its memory is of no use any more.
    fn crashed(_st: &mut State<Self>) {}

    /// Takes over what another state of the same path has exposed since they were one.
    fn adopt_exposed(_st: &mut State<Self>, _other: &State<Self>) {}

    /// The moment at which the node was woken last.
    fn woken_at(st: &State<Self>) -> Stamp {
        Stamp::new(st.extra.node().clock.now, 0)
    }

    /// Symbolic bytes that all nodes of a world have in common, by a name for them.
    fn world_bytes(
        cx: &mut Interp<'_, Self>,
        _st: &mut State<Self>,
        name: &str,
        size: u32,
    ) -> Vec<ByteValue> {
        let symbol = cx.pool.symbol(name, size);
        (0..size).map(|i| ByteValue::Symbolic(cx.pool.byte(symbol, i))).collect()
    }

    /// A message was replaced by these bytes, for the reason that [`ReplaceableMessage::senders`] names.
    fn replaced(_st: &mut State<Self>, _senders: u32, _bytes: &[ByteValue]) {}

    /// Returns true if [`Guest::noticed`] wants to know what others can see of a call.
    fn watches_effects(_st: &State<Self>) -> bool {
        false
    }

    /// The running thread has done something that others can see, or that is stored.
    fn noticed(_cx: &Interp<'_, Self>, _st: &mut State<Self>, _effect: VisibleEffect) {}

    /// Returns true if a test is replayed whose next input has this name.
    fn next_input_is(_st: &State<Self>, _name: &str) -> bool {
        false
    }
}

/// Something that a node has done and that others can see, or a later program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VisibleEffect {
    /// It has sent something to another node.
    Sent,
    /// It has changed a file.
    Stored,
    /// It has exposed something to invariants.
    Exposed,
}

everett_base::portable!(enum VisibleEffect { 0 = Sent, 1 = Stored, 2 = Exposed });

/// A message that may be replaced by another one, among those that arrive together.
#[derive(Clone, Debug)]
pub struct ReplaceableMessage {
    /// The message.
    pub message: SharedMessage,
    /// Names those who may have sent it, to the embedder.
    pub senders: u32,
    /// The lengths of the messages that may come instead of it, ascending.
    pub lengths: Arc<[u32]>,
}

/// A source of programs that processes execute.
pub trait ProgramLoader: Send {
    /// Loads the program in a file of this content, or finds it if it was loaded before.
    fn load(&mut self, images: &ProgramImages, file: &[u8]) -> Result<ProgramId, ProgramError>;

    /// Reads the library in a file of this content, or finds it if it was read before.
    fn library(&mut self, file: &[u8]) -> Result<Arc<Program>, ProgramError>;

    /// Links libraries behind a program, or finds the result if that was done before.
    fn extend(
        &mut self,
        images: &ProgramImages,
        request: &LibraryRequest,
    ) -> Result<LinkedLibraries, ProgramError>;
}

/// Libraries to be linked behind a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LibraryRequest {
    /// The program.
    pub base: ProgramId,
    /// The contents of their files.
    pub files: Vec<Vec<u8>>,
    /// Where their symbols are looked for: the program (0), and the libraries that are linked to it, from 1
    /// on, the new ones behind those that it has.
    pub scope: Vec<u32>,
}

/// A program with libraries behind it.
#[derive(Clone, Debug)]
pub struct LinkedLibraries {
    /// The program.
    pub program: ProgramId,
    /// What they refer to and nobody defines.
    pub undefined: Arc<[UndefinedSymbol]>,
}

/// A symbol that a library refers to and nobody defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedSymbol {
    /// Its name.
    pub name: String,
    /// True for a function, false for a variable.
    pub is_function: bool,
}

/// The reason why a file is not executed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// It is no program: `ENOEXEC`.
    #[error("not a program")]
    NotAProgram,
    /// It is a library of the host, and carries no bitcode.
    #[error("it carries no bitcode")]
    NoBitcode,
    /// It is a program of the host that cannot be executed here.
    #[error("{0}")]
    Unsupported(String),
}

/// No other programs.
#[derive(Debug, Default)]
pub struct NoPrograms;

impl ProgramLoader for NoPrograms {
    fn load(&mut self, _images: &ProgramImages, _file: &[u8]) -> Result<ProgramId, ProgramError> {
        Err(ProgramError::Unsupported("no other programs can be executed here".to_owned()))
    }

    fn library(&mut self, _file: &[u8]) -> Result<Arc<Program>, ProgramError> {
        Err(ProgramError::Unsupported("no libraries can be opened here".to_owned()))
    }

    fn extend(
        &mut self,
        _images: &ProgramImages,
        _request: &LibraryRequest,
    ) -> Result<LinkedLibraries, ProgramError> {
        Err(ProgramError::Unsupported("no libraries can be opened here".to_owned()))
    }
}

/// The simulated kernel, as far as it is the same for all states.
pub struct Kernel {
    /// Options.
    pub config: KernelConfig,
    pub(crate) programs: Box<dyn ProgramLoader>,
    /// The output of programs on their standard streams since the embedder last looked, with the
    /// stream's number; symbolic bytes as an example has them.
    pub written: Vec<(u32, Vec<u8>)>,
    /// The number of times that faults were offered and taken.
    pub fault_counts: FaultCounts,
    /// Notes of all nodes so far, for the recorder.
    pub(crate) noted: u64,
    /// The functions of programs that are in the table of the recorder.
    pub(crate) apis: BTreeMap<(ProgramId, FuncId), Option<ScriptApi>>,
    /// What functions do with locks, as far as somebody has asked.
    pub(crate) lock_functions: BTreeMap<(ProgramId, FuncId), Option<LockFunction>>,
    /// The operations of programs at which watched states stop.
    pub(crate) watched: BTreeMap<ProgramId, Arc<WatchedOps>>,
    /// A node has had several threads.
    pub has_threads: bool,
    /// Plain accesses that race: threads are held before them.
    pub racing: Arc<LearntOps>,
    /// Messages that may be replaced, among those that the state that is about to be woken gets.
    pub replaceable: Vec<ReplaceableMessage>,
}

/// The counts of a kernel, which whoever goes on in its place has to know.
#[derive(Clone, Debug, Default)]
pub struct KernelCounts {
    /// The number of times that faults were offered and taken.
    pub faults: FaultCounts,
    noted: u64,
    has_threads: bool,
}

everett_base::portable!(struct KernelCounts { faults, noted, has_threads });

impl Kernel {
    /// The counts so far.
    pub fn counts(&self) -> KernelCounts {
        let Kernel { fault_counts, noted, has_threads, .. } = self;
        KernelCounts { faults: fault_counts.clone(), noted: *noted, has_threads: *has_threads }
    }

    /// Goes on with the counts of another kernel.
    pub fn set_counts(&mut self, counts: KernelCounts) {
        let KernelCounts { faults, noted, has_threads } = counts;
        (self.fault_counts, self.noted, self.has_threads) = (faults, noted, has_threads);
    }

    /// A kernel that finds programs to execute through `programs`.
    pub fn new(config: KernelConfig, programs: Box<dyn ProgramLoader>) -> Kernel {
        let fault_counts = FaultCounts::default();
        Kernel {
            config,
            programs,
            written: Vec::new(),
            fault_counts,
            noted: 0,
            apis: BTreeMap::new(),
            lock_functions: BTreeMap::new(),
            watched: BTreeMap::new(),
            has_threads: false,
            racing: Arc::default(),
            replaceable: Vec::new(),
        }
    }

    /// Returns true if the run has learnt something, and is to be repeated.
    pub fn has_learnt(&self) -> bool {
        self.racing.has_noted()
    }

    /// Works on the running thread with an interpreter of its program, which need not be the one
    /// that was interpreted so far.
    pub(crate) fn with_image<X: Guest, R>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        f: impl FnOnce(&mut Kernel, &mut Interp<'_, X>, &mut State<X>) -> R,
    ) -> R {
        let before = cx.image;
        cx.image = cx.images.image(st.program);
        let result = f(self, cx, st);
        cx.image = before;
        result
    }

    /// An example of bytes for people to look at.
    pub(crate) fn example<X: Guest>(
        cx: &Interp<'_, X>,
        st: &State<X>,
        bytes: &[ByteValue],
    ) -> Vec<u8> {
        let example = |term: TermId| cx.example(st, term) as u8;
        let byte = |byte: &ByteValue| match byte {
            ByteValue::Concrete(byte) => *byte,
            ByteValue::Symbolic(term) => example(*term),
        };
        bytes.iter().map(byte).collect()
    }
}

/// The value that a system call returns that fails.
pub(crate) fn failure(errno: Errno) -> u64 {
    (-i64::from(errno.into_raw())) as u64
}

pub(crate) fn unsupported(what: String) -> Stop {
    UnsupportedFeature::Instruction(what).into()
}
