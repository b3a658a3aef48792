//! The seam for calls outward: functions that the program declares and the embedder implements.

use everett_ir::{CallSite, FuncId};
use everett_memory::ByteValue;
use smallvec::SmallVec;

use crate::bug::{Bug, BugKind};
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding};
use crate::interp::Interp;
use crate::state::State;
use crate::state::reg::Reg;
use crate::state::watch::{LoggedAccess, SharedAccess};

/// The evaluated arguments of a call outward.
#[derive(Clone, Debug)]
pub struct CallArgs<'a> {
    /// The call site, or `None` when the engine itself calls.
    pub site: Option<&'a CallSite>,
    /// Fixed arguments, one register a parameter slot.
    pub fixed: SmallVec<[Reg; 8]>,
    /// Width of each of `fixed` in bits.
    pub widths: &'a [u8],
    /// Variable arguments that take one slot.
    pub variable: Vec<Reg>,
}

impl CallArgs<'_> {
    /// Argument `index`, or zero where the program passed too few.
    pub fn get(&self, index: usize) -> Reg {
        self.fixed.get(index).copied().unwrap_or(Reg::word(0))
    }

    /// Width of argument `index` in bits.
    pub fn width(&self, index: usize) -> u32 {
        self.widths.get(index).copied().unwrap_or(64).into()
    }
}

/// The embedder, as far as a running program calls it: functions without a body, and the end of threads.
pub trait Machine: Sized {
    /// The embedder's part of a state.
    type Extra: Clone;

    /// Executes a call to a function without a body.
    ///
    /// The machine writes results with [`Interp::return_value`] and answers with the flow:
    /// [`Flow::Next`] goes on behind the call.
    fn call(
        &mut self,
        interp: &mut Interp<'_, Self::Extra>,
        st: &mut State<Self::Extra>,
        func: FuncId,
        args: &CallArgs<'_>,
    ) -> Result<Flow, Halt>;

    /// Takes the return of the last frame, with the first slot of its result. The machine may
    /// enter further functions (exit handlers, say) and answer [`Flow::Enter`].
    fn finished(
        &mut self,
        _interp: &mut Interp<'_, Self::Extra>,
        _st: &mut State<Self::Extra>,
        value: Option<Reg>,
    ) -> Result<Flow, Halt> {
        Ok(Flow::End(PathEnding::Exit(value.unwrap_or(Reg::word(0)))))
    }

    /// Bytes that may be anything, as many as asked for, for a read that an ignored bug is in; `None` if the
    /// machine has none.
    fn anything(
        &mut self,
        _interp: &mut Interp<'_, Self::Extra>,
        _st: &mut State<Self::Extra>,
        _bytes: u32,
    ) -> Option<Vec<ByteValue>> {
        None
    }

    /// Does what is left of a call outward that an ignored bug is in. False if nothing can take its place.
    fn pass_call(
        &mut self,
        _interp: &mut Interp<'_, Self::Extra>,
        _st: &mut State<Self::Extra>,
        _func: FuncId,
        _args: &CallArgs<'_>,
        _kind: BugKind,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    /// Called after each access of an op that is known to race and whose accesses were not known before: a
    /// copy, or a function of the machine.
    fn after_access(
        &mut self,
        _interp: &mut Interp<'_, Self::Extra>,
        _st: &mut State<Self::Extra>,
        _access: &LoggedAccess,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// Called before each access of a watched state by which threads may communicate ([`State::watch`]).
    /// The machine may add siblings in which another thread runs first, or let another thread of this
    /// state run first, and then halts the op with the flow.
    fn before_access(
        &mut self,
        _interp: &mut Interp<'_, Self::Extra>,
        _st: &mut State<Self::Extra>,
        _access: &SharedAccess,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// The same before a call of one of the functions that are watched, with its first two arguments.
    fn before_function(
        &mut self,
        _interp: &mut Interp<'_, Self::Extra>,
        _st: &mut State<Self::Extra>,
        _func: FuncId,
        _args: [Reg; 2],
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// The function that a call of `func` really goes to, or a bug of the call, whose first arguments are
    /// given. The interpreter asks before each call, but only when [`State::plain_calls`] is unset.
    fn before_call(
        &mut self,
        _interp: &mut Interp<'_, Self::Extra>,
        _st: &mut State<Self::Extra>,
        func: FuncId,
        _args: [Reg; 2],
    ) -> Result<FuncId, Halt> {
        Ok(func)
    }
}

/// A machine that implements nothing: every call outward is an undefined function.
#[derive(Debug, Default)]
pub struct NullMachine;

impl Machine for NullMachine {
    type Extra = ();

    fn call(
        &mut self,
        interp: &mut Interp<'_, ()>,
        _st: &mut State<()>,
        func: FuncId,
        _args: &CallArgs<'_>,
    ) -> Result<Flow, Halt> {
        let name = &interp.image.program.function(func).name;
        let bug =
            Bug::new(BugKind::UndefinedFunction, format!("call of undefined function {name}"));
        Ok(Flow::End(PathEnding::Bug(Box::new(bug))))
    }
}
