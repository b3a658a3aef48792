//! `klee_alias_function` and its relatives: calls of one function go to another.

use everett_interp::{Args, BugKind, Flow, Stop};
use everett_ir::FuncId;
use everett_posix::Guest;

use super::Primitives;
use crate::state::node_state::FunctionAlias;
use crate::state::node_state::{Interpreter, PathState, bug};

impl Primitives {
    pub(super) fn alias(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let name = match self.string(cx, st, "name for klee_alias_function", args.get(0))? {
            Ok(name) => name,
            Err(flow) => return Ok(flow),
        };
        let Some(from) = cx.image.program.function_named(&name) else {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_alias_function: no function '{name}'"),
            ));
        };
        self.redirect(cx, st, args, name, |func, _| func == from)
    }

    pub(super) fn alias_regex(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let what = "pattern for klee_alias_function_regex";
        let pattern = match self.string(cx, st, what, args.get(0))? {
            Ok(pattern) => pattern,
            Err(flow) => return Ok(flow),
        };
        let Ok(regex) = regex_lite::Regex::new(&format!("^(?:{pattern})$")) else {
            let message = format!("klee_alias_function_regex: bad pattern '{pattern}'");
            return Ok(bug(BugKind::UserError, message));
        };
        self.redirect(cx, st, args, pattern, |_, name| regex.is_match(name))
    }

    /// Sends calls of the functions that `matches` accepts to the one that the second argument
    /// names.
    fn redirect(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
        pattern: String,
        matches: impl Fn(FuncId, &str) -> bool,
    ) -> Result<Flow, Stop> {
        let target = match self.string(cx, st, "target for klee_alias_function", args.get(1))? {
            Ok(target) => target,
            Err(flow) => return Ok(flow),
        };
        let Some(to) = cx.image.program.function_named(&target) else {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_alias_function: no function '{target}'"),
            ));
        };
        let functions = (0..).map(FuncId).zip(&cx.image.program.functions);
        let from = functions
            .filter(|(func, f)| *func != to && matches(*func, &f.name))
            .map(|(func, _)| func)
            .collect();
        st.extra.notebook_mut().aliases.push(FunctionAlias { pattern, from, to });
        st.plain_calls = false;
        Ok(Flow::Next)
    }

    /// Undoes the redirections that were asked for with this name or pattern.
    pub(super) fn alias_undo(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let pattern = match self.string(cx, st, "name for klee_alias_undo", args.get(0))? {
            Ok(pattern) => pattern,
            Err(flow) => return Ok(flow),
        };
        let notebook = st.extra.notebook_mut();
        notebook.aliases.retain(|alias| alias.pattern != pattern);
        let no_aliases = notebook.aliases.is_empty();
        st.plain_calls = no_aliases && !st.extra.node().is_recorded();
        Ok(Flow::Next)
    }
}
