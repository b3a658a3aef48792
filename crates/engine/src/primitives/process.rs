//! The process and its threads, assertions, and the C++ runtime's small needs.

use everett_interp::{Bug, BugKind, Flow, Halt, Reg};
use everett_ir::FuncId;
use everett_posix::Guest;

use super::Primitives;
use super::call::PrimitiveCall;

impl Primitives {
    /// Runs one of the program's constructors.
    pub(super) fn constructor(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let image = call.cx.image;
        self.run_listed(call, &image.program.constructors)
    }

    /// Runs one of the program's destructors.
    pub(super) fn destructor(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let image = call.cx.image;
        self.run_listed(call, &image.program.destructors)
    }

    /// Runs a function of a list by its number, and answers whether there is one.
    fn run_listed(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        functions: &[FuncId],
    ) -> Result<Flow, Halt> {
        let Some(function) = functions.get(call.settle(0)? as usize) else {
            return call.returns(Reg::word(0));
        };
        call.cx.complete_call(call.st, Reg::word(1));
        call.cx.enter(call.st, *function, &[]);
        Ok(Flow::Enter)
    }

    /// Where the C library keeps its data of this thread.
    pub(super) fn set_thread_pointer(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        call.st.thread_pointer = call.settle(0)?;
        call.returns(Reg::word(0))
    }

    pub(super) fn yield_now(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        call.cx.complete_call(call.st, Reg::word(0));
        self.kernel.note_spin(call.cx, call.st);
        Ok(self.kernel.yield_now(call.cx, call.st, true)?)
    }

    /// `sigsetjmp`: leaves in the buffer whether the signal mask was saved, and the mask.
    pub(super) fn set_jump(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        // Behind the eight words of registers of the C library's buffer.
        const SAVED: u64 = 64;
        const MASK: u64 = 72;
        let buffer = call.settle(0)?;
        let save = call.settle_size(1)? as u32;
        let mask = call.st.extra.node().signal_mask();
        call.cx.write_word(call.st, Reg::word(buffer + SAVED), 8, u64::from(save != 0))?;
        if save != 0 {
            call.cx.write_word(call.st, Reg::word(buffer + MASK), 8, mask)?;
        }
        call.cx.set_jump(call.st, call.args)
    }

    pub(super) fn long_jump(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        // A jump with 0 arrives as 1 (7.13.2.1 of the C standard).
        let value = call.arg(1);
        let value = match value.term() {
            None => Reg::word(value.bits().max(1)),
            Some(term) => {
                let width = call.cx.pool.width(term);
                let zero = call.cx.pool.eq(term, call.cx.pool.constant(width, 0));
                call.cx.term_reg(call.cx.pool.ite(zero, call.cx.pool.constant(width, 1), term))
            }
        };
        call.cx.long_jump(call.st, call.arg(0), value)
    }

    pub(super) fn assert_fail(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let text = call.text(call.arg(0))?;
        let bug = Bug::new(BugKind::Assert, format!("assertion failed: {text}"));
        Ok(self.kernel.abort(call.cx, call.st, bug)?)
    }

    /// Hands the files that this path has changed to the observer.
    pub(super) fn write_files(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let value = |term| call.cx.example(call.st, term) as u8;
        let start = &self.start[call.st.extra.of.index()];
        match call.st.extra.node().changed_files(start, value) {
            Ok(files) => self.saved.push(files),
            Err(error) => self.warn_once(format!("klee_net_write_filesystem: {error}")),
        }
        call.returns(Reg::word(0))
    }
}
