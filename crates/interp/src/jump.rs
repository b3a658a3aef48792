//! `setjmp` and `longjmp`: going back to a frame that is still alive.
//!
//! A place to come back to is marked by an object of the frame that set it: it dies with the frame,
//! and its address is what the program's buffer holds. So a buffer may be copied, and one whose
//! function has returned is recognised. The registers of the frame are remembered as they were,
//! because a slot may be used for something else by the time the jump comes.

use everett_memory::ObjectKind;

use crate::bug::{Bug, BugKind};
use crate::flow::{Flow, Halt, PathEnding};
use crate::interp::Interp;
use crate::machine::CallArgs;
use crate::state::State;
use crate::state::rare::JumpTarget;
use crate::state::reg::Reg;

impl<X: Clone> Interp<'_, X> {
    /// Remembers the call that is being executed as a place to come back to, in the buffer that the
    /// program gives. The call itself answers 0.
    pub fn set_jump(&mut self, st: &mut State<X>, args: &CallArgs<'_>) -> Result<Flow, Halt> {
        let buffer = self.fork_over(st, args.get(0), self.config.max_targets)?;
        let pc = st.pc();
        let marker = match self.marker_of(st, buffer) {
            Some(marker) => marker,
            None => match st.mem.alloc(1, 1, ObjectKind::Stack, self.image.site(pc)) {
                Ok(marker) => {
                    st.stack.own_object(marker);
                    marker
                }
                Err(_) => return Ok(self.too_large_variable(1)),
            },
        };
        self.write_word(st, Reg::word(buffer), 8, marker)?;
        self.return_value(st, args, Reg::word(0));
        let jump = JumpTarget {
            marker,
            buffer,
            pc,
            objects: st.stack.own_objects().len(),
            regs: st.stack.regs().into(),
        };
        let mut jumps = std::mem::take(&mut st.rare_mut().jumps);
        jumps.retain(|old| old.marker != marker && st.mem.object(old.marker).is_some());
        jumps.push(jump);
        st.rare_mut().jumps = jumps;
        Ok(Flow::Next)
    }

    /// The marker that the innermost frame already has for a buffer.
    fn marker_of(&self, st: &State<X>, buffer: u64) -> Option<u64> {
        let known =
            st.rare.as_ref()?.jumps.iter().find(|jump| {
                jump.buffer == buffer && st.stack.own_objects().contains(&jump.marker)
            });
        known.map(|jump| jump.marker)
    }

    /// Goes back to the place that the buffer holds; the call there answers `value` this time.
    pub fn long_jump(&mut self, st: &mut State<X>, buffer: Reg, value: Reg) -> Result<Flow, Halt> {
        let marker = self.read_word(st, buffer, 8)?;
        let marker = self.fork_over(st, marker, self.config.max_targets)?;
        let mut jumps = st.rare.iter().flat_map(|rare| &rare.jumps);
        let jump = jumps.find(|jump| jump.marker == marker).cloned();
        let Some(jump) = jump.filter(|jump| st.mem.object(jump.marker).is_some()) else {
            let message = "longjmp to a place whose function has returned, or that was never set";
            return Ok(Flow::End(PathEnding::Bug(Box::new(Bug::new(
                BugKind::InvalidJump,
                message,
            )))));
        };
        let here = self.image.site(st.pc());
        while !st.stack.own_objects().contains(&jump.marker) {
            let State { stack, mem, .. } = st;
            stack.take_objects(0, |object| mem.release_stack(object, here));
            stack.pop();
        }
        st.end_variables(jump.objects, here);
        self.forget_poison(st);
        st.stack.regs_mut().copy_from_slice(&jump.regs);
        st.jump(jump.pc);
        self.complete_call(st, value);
        Ok(Flow::Enter)
    }
}
