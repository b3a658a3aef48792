//! Looking at values: whether they are symbolic, examples of them, printing them.

use everett_interp::{BugKind, Flow, Halt, Omission, Reg};

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::node_state::bug;

impl Primitives {
    pub(super) fn is_symbolic(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let symbolic = match call.arg(0).term() {
            // A value that the path has fixed is not symbolic any more.
            Some(term) => {
                call.cx.pool.as_const(call.st.path.simplify(call.cx.pool, term)).is_none()
            }
            None => false,
        };
        call.returns(Reg::word(symbolic.into()))
    }

    pub(super) fn is_replay(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        // As in KLEE, this tells native replay from symbolic execution: in the engine it is 0.
        call.returns(Reg::word(0))
    }

    /// A feasible value of the argument, which the path assumes: natively, it is the argument itself.
    pub(super) fn get_value(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let value = match call.arg(0).term() {
            Some(term) => call.cx.narrow_to_one(call.st, term, Omission::AskedValue)?.low_u64(),
            None => call.arg(0).bits(),
        };
        call.returns(Reg::word(value))
    }

    pub(super) fn print_expr(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let label = call.string("label for klee_print_expr", call.arg(0))?;
        let value = call.args.variable.first().copied().unwrap_or(call.arg(1));
        let text = match value.term() {
            Some(term) => call.cx.pool.display(term).to_string(),
            None => value.bits().to_string(),
        };
        self.warnings.push(format!("{label}: {text}"));
        Ok(Flow::Next)
    }

    pub(super) fn print_range(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let label = call.string("label for klee_print_range", call.arg(0))?;
        let value = call.arg(1);
        let text = match value.term() {
            None => value.bits().to_string(),
            Some(term) => {
                let low = call.st.path.min_value(call.cx.solver, call.cx.pool, term)?.low_u64();
                let high = call.st.path.max_value(call.cx.solver, call.cx.pool, term)?.low_u64();
                format!("between {low} and {high}")
            }
        };
        self.warnings.push(format!("{label}: {text}"));
        Ok(Flow::Next)
    }

    pub(super) fn stack_trace(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let trace = crate::programs::places::stack(&call.cx.image.program, &call.st.stack);
        let lines: Vec<String> = trace.iter().map(|place| format!("  {place}")).collect();
        self.warnings.push(format!("stack trace:\n{}", lines.join("\n")));
        Ok(Flow::Next)
    }

    pub(super) fn warning(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        once: bool,
    ) -> Result<Flow, Halt> {
        let text = call.string("text for klee_warning", call.arg(0))?;
        if once {
            self.warn_once(text);
        } else {
            self.warnings.push(text);
        }
        Ok(Flow::Next)
    }

    pub(super) fn report_error(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let message = call.text(call.arg(2))?;
        let suffix = call.text(call.arg(3))?;
        let kind =
            if suffix.is_empty() || suffix == "?" { String::new() } else { format!(" ({suffix})") };
        Ok(bug(BugKind::UserError, format!("{message}{kind}")))
    }
}
