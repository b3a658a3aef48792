//! The process and its threads, assertions, and the C++ runtime's small needs.

use everett_interp::{Args, Bug, BugKind, Flow, Reg, Stop};
use everett_ir::FuncId;
use everett_memory::ByteValue;
use everett_posix::Guest;

use super::Primitives;
use crate::state::node_state::{Interpreter, PathState, bug};

/// Longest name that is read.
const MAX_NAME_BYTES: u64 = 1 << 16;

impl Primitives {
    /// Runs the program's constructors.
    pub(super) fn constructors(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
    ) -> Result<Flow, Stop> {
        let image = cx.image;
        self.run_all(cx, st, &image.program.constructors)
    }

    /// Runs the program's destructors.
    pub(super) fn destructors(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
    ) -> Result<Flow, Stop> {
        let image = cx.image;
        self.run_all(cx, st, &image.program.destructors)
    }

    /// Runs functions without arguments, the first one first.
    fn run_all(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        functions: &[FuncId],
    ) -> Result<Flow, Stop> {
        cx.complete_call(st, Reg::word(0));
        for function in functions.iter().rev() {
            cx.enter(st, *function, &[]);
        }
        Ok(Flow::Enter)
    }

    /// Where the C library keeps its data of this thread.
    pub(super) fn set_thread_pointer(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        st.thread_pointer = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        cx.return_value(st, args, Reg::word(0));
        Ok(Flow::Next)
    }

    pub(super) fn yield_now(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
    ) -> Result<Flow, Stop> {
        cx.complete_call(st, Reg::word(0));
        self.kernel.note_spin(cx, st);
        self.kernel.yield_now(cx, st)
    }

    /// `sigsetjmp`: leaves in the buffer whether the signal mask was saved, and the mask.
    pub(super) fn set_jump(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        // Behind the eight words of registers of the C library's buffer.
        const SAVED: u64 = 64;
        const MASK: u64 = 72;
        let buffer = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        let save = cx.fork_over(st, args.get(1), cx.config.max_sizes)? as u32;
        let mask = st.extra.node().signal_mask();
        let flag = cx.write_word(st, Reg::word(buffer + SAVED), 8, u64::from(save != 0))?;
        if let Some(flow) = flag {
            return Ok(flow);
        }
        if save != 0
            && let Some(flow) = cx.write_word(st, Reg::word(buffer + MASK), 8, mask)?
        {
            return Ok(flow);
        }
        cx.set_jump(st, args)
    }

    pub(super) fn long_jump(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        // A jump with 0 arrives as 1 (7.13.2.1 of the C standard).
        let value = args.get(1);
        let value = match value.term() {
            None => Reg::word(value.bits().max(1)),
            Some(term) => {
                let width = cx.pool.width(term);
                let zero = cx.pool.eq(term, cx.pool.constant(width, 0));
                cx.term_reg(cx.pool.ite(zero, cx.pool.constant(width, 1), term))
            }
        };
        cx.long_jump(st, args.get(0), value)
    }

    pub(super) fn assert_fail(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let text = self.text(cx, st, args.get(0))?;
        let bug = Bug::new(BugKind::Assert, format!("assertion failed: {text}"));
        self.kernel.abort(cx, st, bug)
    }

    pub(super) fn guard_acquire(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        match cx.read_word(st, args.get(0), 1)? {
            Ok(done) => {
                let done = cx.reg_term(done, 8);
                let first = cx.pool.eq(done, cx.pool.constant(8, 0));
                let first = cx.split_sibling(st, first)?;
                cx.return_value(st, args, Reg::word(first.into()));
                Ok(Flow::Next)
            }
            Err(flow) => Ok(flow),
        }
    }

    pub(super) fn guard_release(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        Ok(cx.write_word(st, args.get(0), 1, 1)?.unwrap_or(Flow::Next))
    }

    /// Hands the files that this path has changed to the observer.
    pub(super) fn write_files(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let value = |term| cx.example(st, term) as u8;
        let start = &self.start[st.extra.of.index()];
        match st.extra.node().changed_files(start, value) {
            Ok(files) => self.saved.push(files),
            Err(error) => self.warn_once(format!("klee_net_write_filesystem: {error}")),
        }
        cx.return_value(st, args, Reg::word(0));
        Ok(Flow::Next)
    }

    /// The C string that a primitive is given as its `what`. Symbolic bytes fork. What is no string is the
    /// user's error.
    pub(super) fn string(
        &self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        what: &str,
        pointer: Reg,
    ) -> Result<Result<String, Flow>, Stop> {
        let wrong = |why: String| {
            let message = format!("the {what} is no string: {why}");
            Ok(Err(bug(BugKind::UserError, message)))
        };
        let address = cx.fork_over(st, pointer, cx.config.max_targets)?;
        let nothing = || format!("there is nothing at {address:#x}");
        let Ok(object) = st.mem.check(address, 1) else { return wrong(nothing()) };
        let len = (object.end() - address).min(MAX_NAME_BYTES);
        let Ok(bytes) = st.mem.read_each(cx.pool, address, len) else { return wrong(nothing()) };
        let mut string = Vec::new();
        for byte in bytes {
            let byte = match byte {
                ByteValue::Concrete(byte) => byte,
                ByteValue::Symbolic(term) => {
                    cx.fork_over(st, Reg::symbolic(term), cx.config.max_targets)? as u8
                }
            };
            if byte == 0 {
                return Ok(Ok(String::from_utf8_lossy(&string).into_owned()));
            }
            string.push(byte);
        }
        wrong("its object ends before it does".to_owned())
    }

    /// The name of an input; one that has none is `unnamed`, as in KLEE.
    pub(super) fn input_name(
        &self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        function: &str,
        pointer: Reg,
    ) -> Result<Result<String, Flow>, Stop> {
        let unnamed = || "unnamed".to_owned();
        if pointer == Reg::word(0) {
            return Ok(Ok(unnamed()));
        }
        let name = self.string(cx, st, &format!("name for {function}"), pointer)?;
        Ok(name.map(|name| if name.is_empty() { unnamed() } else { name }))
    }

    /// A C string for a message; what cannot be read is shown as a question mark.
    pub(super) fn text(
        &self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        pointer: Reg,
    ) -> Result<String, Stop> {
        Ok(match cx.example_string(st, pointer)? {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => "?".to_owned(),
        })
    }
}
