//! Everything that can differ between two branches of one node.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::plist::List;
use everett_base::{Apart, Copies};
use everett_expr::SymbolId;
use everett_ir::{GlobalId, Pc};
use everett_memory::AddressSpace;
use everett_solver::PathCondition;

use crate::image::ProgramId;
use crate::jump::Jumps;
use crate::poison::Poisons;
use crate::stack::Stack;

/// An input that the program made symbolic, in the order in which it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicObject {
    /// The name the program gave, made unique along the path.
    pub name: String,
    /// The symbol that stands for the bytes.
    pub symbol: SymbolId,
}

/// The state of one node along one path.
///
/// The running thread and the memory of its process are here, ready to execute; threads and
/// processes that wait are the embedder's to keep, as [`crate::Context`]s and address spaces, in
/// its own part `X`. Cloning the state is branching: [`State::fork`] costs what the innermost frame
/// holds.
pub struct State<X> {
    /// The program that the running process executes.
    pub program: ProgramId,
    /// The call stack of the running thread.
    pub stack: Stack,
    /// Memory of the running process.
    pub mem: AddressSpace,
    /// What is known to hold on this path, with a model.
    pub path: PathCondition,
    /// Inputs made symbolic so far, newest first.
    pub inputs: List<SymbolicObject>,
    /// Source instructions executed on this path.
    pub instructions: u64,
    /// Forks on this path.
    pub depth: u32,
    /// Whether it executed code that no state had executed before, since the flag was cleared.
    pub covered_new: bool,
    /// Whether a symbolic branch may fork; see `klee_set_forking`.
    pub forking: bool,
    /// Whether calls go where they say; unset when the embedder redirects some of them.
    pub plain_calls: bool,
    /// Whether the machine is asked before atomic operations; see [`crate::Machine::synchronise`].
    pub preemptible: bool,
    /// What the C library keeps of the running thread.
    pub thread_pointer: u64,
    /// The running thread's instances of thread-local variables; without any, the variables
    /// themselves are its instances.
    pub locals: Option<Arc<BTreeMap<GlobalId, u64>>>,
    /// Where the running thread may jump back to.
    pub(crate) jumps: Option<Arc<Jumps>>,
    /// Operations without a result on this path, with the bugs that they are once used.
    pub(crate) poisons: Option<Arc<Poisons>>,
    /// The embedder's part.
    pub extra: X,
}

impl<X: Apart> Apart for State<X> {
    fn apart(&mut self, copies: &mut Copies) {
        let State { stack, mem, path, inputs, locals, extra, .. } = self;
        stack.apart(copies);
        mem.apart(copies);
        path.apart(copies);
        inputs.apart(copies);
        locals.apart(copies);
        extra.apart(copies);
    }
}

impl<X: Clone> State<X> {
    /// A state with an empty stack.
    pub fn new(mem: AddressSpace, extra: X) -> State<X> {
        State {
            program: ProgramId(0),
            stack: Stack::new(),
            mem,
            path: PathCondition::new(),
            inputs: List::new(),
            instructions: 0,
            depth: 0,
            covered_new: false,
            forking: true,
            plain_calls: true,
            preemptible: false,
            thread_pointer: 0,
            locals: None,
            jumps: None,
            poisons: None,
            extra,
        }
    }

    /// Branches: a second state in the same situation.
    pub fn fork(&mut self) -> Box<State<X>> {
        self.depth += 1;
        self.copy()
    }

    /// A second state in the same situation, without a branch.
    pub fn copy(&mut self) -> Box<State<X>> {
        let State {
            program,
            stack,
            mem,
            path,
            inputs,
            instructions,
            depth,
            covered_new: _,
            forking,
            plain_calls,
            preemptible,
            thread_pointer,
            locals,
            jumps,
            poisons,
            extra,
        } = self;
        Box::new(State {
            program: *program,
            stack: stack.fork(),
            mem: mem.fork(),
            path: path.clone(),
            inputs: inputs.clone(),
            instructions: *instructions,
            depth: *depth,
            covered_new: false,
            forking: *forking,
            plain_calls: *plain_calls,
            preemptible: *preemptible,
            thread_pointer: *thread_pointer,
            locals: locals.clone(),
            jumps: jumps.clone(),
            poisons: poisons.clone(),
            extra: extra.clone(),
        })
    }

    /// The op that the innermost frame is at.
    pub fn pc(&self) -> Pc {
        self.stack.top().pc
    }

    /// Sends the innermost frame to another op.
    pub fn jump(&mut self, pc: Pc) {
        self.stack.top_mut().pc = pc;
    }
}
