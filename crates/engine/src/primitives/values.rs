//! Looking at values: whether they are symbolic, examples of them, printing them.

use everett_interp::{Args, BugKind, Flow, Omission, Reg, Stop};

use super::Primitives;
use crate::state::node_state::{Interpreter, PathState, bug};

impl Primitives {
    pub(super) fn is_symbolic(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let symbolic = match args.get(0).term() {
            // A value that the path has fixed is not symbolic any more.
            Some(term) => cx.pool.as_const(st.path.simplify(cx.pool, term)).is_none(),
            None => false,
        };
        cx.return_value(st, args, Reg::word(symbolic.into()));
        Ok(Flow::Next)
    }

    pub(super) fn is_replay(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        // As in KLEE, this tells native replay from symbolic execution: in the engine it is 0.
        cx.return_value(st, args, Reg::word(0));
        Ok(Flow::Next)
    }

    /// A feasible value of the argument, which the path assumes: natively, it is the argument itself.
    pub(super) fn get_value(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let value = match args.get(0).term() {
            Some(term) => cx.narrow_to_one(st, term, Omission::AskedValue)?.low_u64(),
            None => args.get(0).bits(),
        };
        cx.return_value(st, args, Reg::word(value));
        Ok(Flow::Next)
    }

    pub(super) fn print_expr(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let label = match self.string(cx, st, "label for klee_print_expr", args.get(0))? {
            Ok(label) => label,
            Err(flow) => return Ok(flow),
        };
        let value = args.variable.first().copied().unwrap_or(args.get(1));
        let text = match value.term() {
            Some(term) => cx.pool.display(term).to_string(),
            None => value.bits().to_string(),
        };
        self.warnings.push(format!("{label}: {text}"));
        Ok(Flow::Next)
    }

    pub(super) fn print_range(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let label = match self.string(cx, st, "label for klee_print_range", args.get(0))? {
            Ok(label) => label,
            Err(flow) => return Ok(flow),
        };
        let value = args.get(1);
        let text = match value.term() {
            None => value.bits().to_string(),
            Some(term) => {
                let low = st.path.min_value(cx.solver, cx.pool, term)?.low_u64();
                let high = st.path.max_value(cx.solver, cx.pool, term)?.low_u64();
                format!("between {low} and {high}")
            }
        };
        self.warnings.push(format!("{label}: {text}"));
        Ok(Flow::Next)
    }

    pub(super) fn stack_trace(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
    ) -> Result<Flow, Stop> {
        let trace = crate::programs::places::stack(&cx.image.program, &st.stack);
        let lines: Vec<String> = trace.iter().map(|place| format!("  {place}")).collect();
        self.warnings.push(format!("stack trace:\n{}", lines.join("\n")));
        Ok(Flow::Next)
    }

    pub(super) fn warning(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
        once: bool,
    ) -> Result<Flow, Stop> {
        let text = match self.string(cx, st, "text for klee_warning", args.get(0))? {
            Ok(text) => text,
            Err(flow) => return Ok(flow),
        };
        if once {
            self.warn_once(text);
        } else {
            self.warnings.push(text);
        }
        Ok(Flow::Next)
    }

    pub(super) fn report_error(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let message = self.text(cx, st, args.get(2))?;
        let suffix = self.text(cx, st, args.get(3))?;
        let kind =
            if suffix.is_empty() || suffix == "?" { String::new() } else { format!(" ({suffix})") };
        Ok(bug(BugKind::UserError, format!("{message}{kind}")))
    }
}
