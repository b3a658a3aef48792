//! `klee_alias_function` and its relatives: calls of one function go to another.

use std::sync::Arc;

use everett_interp::{Args, BugKind, Flow, Stop};
use everett_ir::FuncId;

use super::{Cx, Primitives, St, bug};

impl Primitives {
    pub(super) fn alias(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let (from, to) = (self.text(cx, st, args.get(0))?, self.text(cx, st, args.get(1))?);
        let (from, to) = match (self.function_named(cx, &from), self.function_named(cx, &to)) {
            (Ok(from), Ok(to)) => (from, to),
            (Err(flow), _) | (_, Err(flow)) => return Ok(flow),
        };
        Arc::make_mut(&mut st.extra).aliases.insert(from, to);
        st.plain_calls = false;
        Ok(Flow::Next)
    }

    pub(super) fn alias_regex(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let (pattern, to) = (self.text(cx, st, args.get(0))?, self.text(cx, st, args.get(1))?);
        let to = match self.function_named(cx, &to) {
            Ok(to) => to,
            Err(flow) => return Ok(flow),
        };
        let Ok(pattern) = regex_lite::Regex::new(&format!("^(?:{pattern})$")) else {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_alias_function_regex: bad pattern '{pattern}'"),
            ));
        };
        let functions = &cx.image.program.functions;
        let matching: Vec<FuncId> = functions
            .iter()
            .enumerate()
            .filter(|(i, f)| pattern.is_match(&f.name) && FuncId::from_index(*i) != to)
            .map(|(i, _)| FuncId::from_index(i))
            .collect();
        let aliases = &mut Arc::make_mut(&mut st.extra).aliases;
        aliases.extend(matching.into_iter().map(|from| (from, to)));
        st.plain_calls = false;
        Ok(Flow::Next)
    }

    pub(super) fn alias_undo(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let name = self.text(cx, st, args.get(0))?;
        let func = match self.function_named(cx, &name) {
            Ok(func) => func,
            Err(flow) => return Ok(flow),
        };
        let notebook = Arc::make_mut(&mut st.extra);
        notebook.aliases.remove(&func);
        st.plain_calls = notebook.aliases.is_empty();
        Ok(Flow::Next)
    }
}
