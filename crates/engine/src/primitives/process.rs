//! Ending the process, assertions, output and the C++ runtime's small needs.

use std::sync::Arc;

use everett_interp::{Args, BugKind, Ending, Flow, Reg, Stop};

use super::{Cx, Primitives, St, bug};
use crate::extra::ExitHandler;

/// Bytes that one call of the output primitive may write.
const MAX_WRITE_BYTES: u64 = 1 << 20;

impl Primitives {
    pub(super) fn exit(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        // Handlers run on top of this frame; when one returns, the call is executed again.
        let status = st.extra.exiting.unwrap_or(args.get(0));
        self.leave(cx, st, status)
    }

    /// Runs the next exit handler, or ends the path when there is none left.
    pub(super) fn leave(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        status: Reg,
    ) -> Result<Flow, Stop> {
        if st.extra.exiting.is_none() {
            let notebook = Arc::make_mut(&mut st.extra);
            notebook.exiting = Some(status);
            let registered = std::mem::take(&mut notebook.at_exit);
            let own = self.destructors.iter();
            notebook.at_exit = own.map(|f| ExitHandler { function: *f, argument: None }).collect();
            notebook.at_exit.extend(registered);
        }
        if st.extra.at_exit.is_empty() {
            return Ok(Flow::End(Ending::Exit(self.status_word(cx, st, status))));
        }
        let handler = Arc::make_mut(&mut st.extra).at_exit.pop();
        if let Some(ExitHandler { function, argument }) = handler {
            let args: Vec<Reg> = argument.into_iter().collect();
            cx.enter(st, function, &args);
        }
        Ok(Flow::Enter)
    }

    fn status_word(&self, cx: &Cx<'_>, st: &St, status: Reg) -> u64 {
        status.term().map_or(status.bits(), |term| cx.example(st, term))
    }

    pub(super) fn exit_now(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        Ok(Flow::End(Ending::Exit(self.status_word(cx, st, args.get(0)))))
    }

    pub(super) fn at_exit(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
        with_argument: bool,
    ) -> Result<Flow, Stop> {
        let address = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        let Some(function) = cx.image.function_at(address) else {
            return Ok(bug(
                BugKind::OutOfBounds,
                format!("exit handler {address:#x} is no function"),
            ));
        };
        let argument = with_argument.then(|| args.get(1));
        Arc::make_mut(&mut st.extra).at_exit.push(ExitHandler { function, argument });
        cx.return_value(st, args, Reg::word(0));
        Ok(Flow::Next)
    }

    pub(super) fn assert_fail(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let text = self.text(cx, st, args.get(0))?;
        Ok(bug(BugKind::Assert, format!("assertion failed: {text}")))
    }

    pub(super) fn guard_acquire(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        match cx.read_word(st, args.get(0), 1)? {
            Ok(done) => {
                let first = done.as_word().is_some_and(|done| done == 0);
                cx.return_value(st, args, Reg::word(first.into()));
                Ok(Flow::Next)
            }
            Err(flow) => Ok(flow),
        }
    }

    pub(super) fn guard_release(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        Ok(cx.write_word(st, args.get(0), 1, 1)?.unwrap_or(Flow::Next))
    }

    pub(super) fn write(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let n = cx.fork_over(st, args.get(2), cx.config.max_sizes)?;
        let wanted = n.min(MAX_WRITE_BYTES);
        match cx.example_bytes(st, args.get(1), wanted)? {
            Ok(bytes) => {
                Arc::make_mut(&mut st.extra).wrote(&bytes);
                let descriptor = args.get(0).as_word().map_or(1, |word| word as u32);
                self.written.push((descriptor, bytes));
                cx.return_value(st, args, Reg::word(wanted));
                Ok(Flow::Next)
            }
            Err(flow) => Ok(flow),
        }
    }

    /// A C string for a message; what cannot be read is shown as a question mark.
    pub(super) fn text(&self, cx: &mut Cx<'_>, st: &mut St, pointer: Reg) -> Result<String, Stop> {
        Ok(match cx.example_string(st, pointer)? {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => "?".to_owned(),
        })
    }
}
