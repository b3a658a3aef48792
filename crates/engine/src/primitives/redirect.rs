//! `klee_alias_function` and its relatives: calls of one function go to another.

use everett_interp::{BugKind, Flow, Halt};
use everett_ir::FuncId;
use everett_posix::Guest;

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::node_state::{FunctionAlias, bug};

impl Primitives {
    pub(super) fn alias(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let name = call.string("name for klee_alias_function", call.arg(0))?;
        let Some(from) = call.cx.image.program.function_named(&name) else {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_alias_function: no function '{name}'"),
            ));
        };
        self.redirect(call, name, |func, _| func == from)
    }

    pub(super) fn alias_regex(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let what = "pattern for klee_alias_function_regex";
        let pattern = call.string(what, call.arg(0))?;
        let Ok(regex) = regex_lite::Regex::new(&format!("^(?:{pattern})$")) else {
            let message = format!("klee_alias_function_regex: bad pattern '{pattern}'");
            return Ok(bug(BugKind::UserError, message));
        };
        self.redirect(call, pattern, |_, name| regex.is_match(name))
    }

    /// Sends calls of the functions that `matches` accepts to the one that the second argument
    /// names.
    fn redirect(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        pattern: String,
        matches: impl Fn(FuncId, &str) -> bool,
    ) -> Result<Flow, Halt> {
        let target = call.string("target for klee_alias_function", call.arg(1))?;
        let Some(to) = call.cx.image.program.function_named(&target) else {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_alias_function: no function '{target}'"),
            ));
        };
        let functions = (0..).map(FuncId).zip(&call.cx.image.program.functions);
        let from = functions
            .filter(|(func, f)| *func != to && matches(*func, &f.name))
            .map(|(func, _)| func)
            .collect();
        call.st.extra.notebook_mut().aliases.push(FunctionAlias { pattern, from, to });
        call.st.plain_calls = false;
        Ok(Flow::Next)
    }

    /// Undoes the redirections that were asked for with this name or pattern.
    pub(super) fn alias_undo(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let pattern = call.string("name for klee_alias_undo", call.arg(0))?;
        let notebook = call.st.extra.notebook_mut();
        notebook.aliases.retain(|alias| alias.pattern != pattern);
        let no_aliases = notebook.aliases.is_empty();
        call.st.plain_calls = no_aliases && !call.st.extra.node().looks_at_calls();
        Ok(Flow::Next)
    }
}
