//! Everything that can differ between two branches of one node.

pub(crate) mod context;
pub(crate) mod rare;
pub(crate) mod reg;
pub(crate) mod stack;
pub(crate) mod watch;

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::plist::List;
use everett_base::{Apart, Copies};
use everett_expr::SymbolId;
use everett_ir::{GlobalId, Pc};
use everett_memory::{AddressSpace, SiteId};
use everett_solver::PathCondition;

use crate::image::ProgramId;
use rare::{PoisonedResults, RareThreadData};
use stack::Stack;
use watch::AccessWatch;

/// An input that the program made symbolic, in the order in which it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicObject {
    /// The name the program gave, made unique along the path.
    pub name: String,
    /// The symbol that stands for the bytes.
    pub symbol: SymbolId,
}

everett_base::portable!(struct SymbolicObject { name, symbol });

/// The state of one node along one path.
///
/// The running thread and the memory of its process are here, ready to execute; threads and
/// processes that wait are the embedder's to keep, as [`crate::ThreadContext`]s and address spaces, in
/// its own part `X`. Cloning the state is branching: [`State::fork`] costs what the innermost frame
/// holds.
pub struct State<X> {
    /// The program that the running process executes.
    pub program: ProgramId,
    /// The call stack of the running thread.
    pub stack: Stack,
    /// Memory of the running process.
    pub mem: AddressSpace,
    /// The conditions that hold on this path, with a model of them.
    pub path: PathCondition,
    /// Inputs made symbolic so far, newest first.
    pub inputs: List<SymbolicObject>,
    /// Source instructions executed on this path.
    pub instructions: u64,
    /// Forks on this path.
    pub depth: u32,
    /// Ignored bugs that this path went past: from the first on it is not exactly what the machine does.
    pub passed: u32,
    /// Set when it executes code that no state has executed before; the embedder clears it.
    pub covered_new: bool,
    /// Symbolic branches may fork; see `klee_set_forking`.
    pub forking: bool,
    /// Calls go where they say. The embedder unsets it when it redirects some of them.
    pub plain_calls: bool,
    /// The address of the data that the C library keeps of the running thread.
    pub thread_pointer: u64,
    /// The rare data of the running thread, if it has any.
    pub(crate) rare: Option<Arc<RareThreadData>>,
    /// The embedder's part.
    pub extra: X,
}

everett_base::portable!([X: everett_base::part::Portable] struct State<X> {
    program, stack, mem, path, inputs, instructions, depth, passed, covered_new, forking,
    plain_calls, thread_pointer, rare, extra,
});

impl<X: Apart> Apart for State<X> {
    fn apart(&mut self, copies: &mut Copies) {
        let State {
            program: _,
            stack,
            mem,
            path,
            inputs,
            instructions: _,
            depth: _,
            passed: _,
            covered_new: _,
            forking: _,
            plain_calls: _,
            thread_pointer: _,
            rare,
            extra,
        } = self;
        stack.apart(copies);
        mem.apart(copies);
        path.apart(copies);
        inputs.apart(copies);
        rare.apart(copies);
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
            passed: 0,
            covered_new: false,
            forking: true,
            plain_calls: true,
            thread_pointer: 0,
            rare: None,
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
        let (stack, mem) = (self.stack.fork(), self.mem.fork());
        self.copy_with(stack, mem)
    }

    /// The same of a state that does not run. It shares all that it can already.
    pub fn copy_of_kept(&self) -> Box<State<X>> {
        self.copy_with(self.stack.clone(), self.mem.clone())
    }

    fn copy_with(&self, stack: Stack, mem: AddressSpace) -> Box<State<X>> {
        let State {
            program,
            stack: _,
            mem: _,
            path,
            inputs,
            instructions,
            depth,
            passed,
            covered_new: _,
            forking,
            plain_calls,
            thread_pointer,
            rare,
            extra,
        } = self;
        Box::new(State {
            program: *program,
            stack,
            mem,
            path: path.clone(),
            inputs: inputs.clone(),
            instructions: *instructions,
            depth: *depth,
            passed: *passed,
            covered_new: false,
            forking: *forking,
            plain_calls: *plain_calls,
            thread_pointer: *thread_pointer,
            rare: rare.clone(),
            extra: extra.clone(),
        })
    }

    /// The rare data of the running thread, to change it.
    pub(crate) fn rare_mut(&mut self) -> &mut RareThreadData {
        Arc::make_mut(self.rare.get_or_insert_default())
    }

    /// The watch over accesses of the running thread that others could notice, while there is one.
    pub fn watch(&self) -> Option<&AccessWatch> {
        self.rare.as_ref()?.watch.as_ref()
    }

    /// The same, to change it.
    pub fn watch_mut(&mut self) -> Option<&mut AccessWatch> {
        let rare = self.rare.as_mut().filter(|rare| rare.watch.is_some())?;
        Arc::make_mut(rare).watch.as_mut()
    }

    /// Begins to watch the running thread, or ends it.
    pub fn set_watch(&mut self, watch: Option<AccessWatch>) {
        if watch.is_some() || self.watch().is_some() {
            self.rare_mut().watch = watch;
        }
    }

    /// Operations without a result on this path, if there are any.
    pub(crate) fn poisons(&self) -> Option<&PoisonedResults> {
        self.rare.as_ref()?.poisons.as_ref()
    }

    /// Returns true if the running thread has instances of thread-local variables of its own.
    pub fn has_own_locals(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| !rare.locals.is_empty())
    }

    /// Gives the running thread more instances of thread-local variables of its own.
    pub fn add_locals(&mut self, locals: BTreeMap<GlobalId, u64>) {
        self.rare_mut().locals.extend(locals);
    }

    /// Gives the running thread instances of thread-local variables of its own.
    pub fn set_locals(&mut self, locals: BTreeMap<GlobalId, u64>) {
        self.rare_mut().locals = locals;
    }

    /// The op that the innermost frame is at.
    pub fn pc(&self) -> Pc {
        self.stack.top().pc
    }

    /// Ends the variables of the innermost frame that were made after the first `keep`.
    pub(crate) fn end_variables(&mut self, keep: usize, here: SiteId) {
        let State { stack, mem, .. } = self;
        let mut bytes = 0u64;
        stack.take_objects(keep, |address| {
            bytes += mem.object(address).map_or(0, |object| object.object.size);
            mem.release_stack(address, here);
        });
        stack.subtract_variables(bytes);
    }

    /// Sends the innermost frame to another op.
    pub fn jump(&mut self, pc: Pc) {
        self.stack.top_mut().pc = pc;
    }
}
