//! Exceptions: what the C++ runtime asks about frames, and its failures (`runtime-c/port/cxx/unwind.cc`).
//!
//! Not here: frames and landing pads themselves (`everett-interp`).

use everett_interp::{Bug, BugKind, Flow, Halt, NextLanding, Reg, UnsupportedFeature};
use everett_ir::{LandingClause, Operand};

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::node_state::bug;

/// The function of the C library that calls handlers of signals.
const SIGNAL_ENTRY: &str = "__everett_signal";

/// One entry of the list that a landing pad is for the runtime: kind, number and type.
type ListedClause = [u64; 3];

/// The kinds of entries, as in `unwind.cc`.
const CATCH: u64 = 1;
const FILTER: u64 = 2;
const FILTERED_TYPE: u64 = 3;
const CLEANUP: u64 = 4;

impl Primitives {
    /// `__everett_landing_below(depth)`
    pub(super) fn landing_below(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let depth = u32::try_from(call.settle(0)?).unwrap_or(u32::MAX);
        match call.cx.landing_below(call.st, depth) {
            NextLanding::At(depth) => call.returns(Reg::word(depth.into())),
            NextLanding::None(outermost) => {
                if call.cx.image.program.function(outermost).name == SIGNAL_ENTRY {
                    let function = "throw".to_owned();
                    let reason = "an exception that leaves the handler of a signal".to_owned();
                    return Err(UnsupportedFeature::Primitive { function, reason }.into());
                }
                call.returns(Reg::word(0))
            }
        }
    }

    /// `__everett_landing_clause(depth, index, clause)`
    pub(super) fn landing_clause(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let (depth, index) = (call.settle(0)? as u32, call.settle(1)? as usize);
        let Some(clause) = listed_clause(call, depth, index) else {
            return call.returns(Reg::word(0));
        };
        let place = call.settle(2)?;
        for (at, word) in (0..).zip(clause) {
            call.cx.write_word(call.st, Reg::word(place + 8 * at), 8, word)?;
        }
        call.returns(Reg::word(1))
    }

    /// `__everett_land(depth, exception, number)`
    pub(super) fn land(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let depth = call.settle(0)? as u32;
        let number = u64::from(call.settle(2)? as u32);
        let exception = [call.arg(1), Reg::word(number)];
        match call.cx.land(call.st, depth, exception) {
            Some(flow) => Ok(flow),
            None => Ok(bug(BugKind::UserError, format!("no landing pad at depth {depth}"))),
        }
    }

    /// `__everett_frame_of(variable)`
    pub(super) fn frame_of(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let variable = call.settle(0)?;
        let depth = call.cx.frame_of(call.st, variable);
        call.returns(Reg::word(depth.into()))
    }

    /// `__everett_terminate(type, what)`: nobody handles an exception of a type; without one, the program has
    /// called `std::terminate`.
    pub(super) fn terminate(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let (ty, what) = (call.settle(0)?, call.settle(1)?);
        let bug = if ty == 0 {
            Bug::new(BugKind::Abort, "std::terminate called without an active exception")
        } else {
            let mut message = format!("uncaught exception of type {}", call.text(Reg::word(ty))?);
            if what != 0 {
                message.push_str(": ");
                message.push_str(&call.text(Reg::word(what))?);
            }
            Bug::new(BugKind::UncaughtException, message)
        };
        Ok(self.kernel.abort(call.cx, call.st, bug)?)
    }
}

/// An entry of the list that the landing pad of a frame is for the runtime.
fn listed_clause(call: &PrimitiveCall<'_, '_>, depth: u32, index: usize) -> Option<ListedClause> {
    let landing = call.cx.landing_at(call.st, depth)?;
    let consts = &call.cx.image.consts;
    let address = |ty: &Operand| {
        let constant = ty.as_constant().and_then(|index| consts.get(index as usize));
        constant.map_or(0, |word| word.bits())
    };
    let listed = landing.clauses.iter().flat_map(|clause| {
        let number = u64::from(clause.selector() as u32);
        let (kind, first) = match clause {
            LandingClause::Catch { .. } => (CATCH, None),
            LandingClause::Filter { types } => {
                (FILTERED_TYPE, Some([FILTER, number, types.len() as u64]))
            }
        };
        let types = clause.types().iter().map(move |ty| [kind, number, address(ty)]);
        first.into_iter().chain(types)
    });
    listed.chain(landing.cleans_up.then_some([CLEANUP, 0, 0])).nth(index)
}
