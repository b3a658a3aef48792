//! Exceptions: the frames that they may land in, and the landing.
//!
//! A frame has a landing pad if the call that it waits for says so. Which exceptions land there is for the
//! program's own library to decide (`runtime-c/port/cxx/unwind.cc`). Frames are named by their depth: the
//! outermost one has depth 1.

use everett_ir::{FuncId, LandingPad, Op, Pc};
use everett_memory::AddressResolution;

use crate::flow::Flow;
use crate::interp::Interp;
use crate::state::State;
use crate::state::reg::Reg;

/// The next frame outwards that an exception may land in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextLanding {
    /// The frame of this depth.
    At(u32),
    /// There is none up to the frame of this function, which the engine has entered.
    None(FuncId),
}

impl<X: Clone> Interp<'_, X> {
    /// Looks for a frame with a landing pad outwards from the frame of a depth, and from the innermost frame.
    pub fn landing_below(&self, st: &State<X>, depth: u32) -> NextLanding {
        let mut outermost = st.stack.top().func;
        for (at, frame) in st.stack.callers() {
            if at < depth && self.landing_of_call(frame.pc).is_some() {
                return NextLanding::At(at);
            }
            outermost = frame.func;
        }
        NextLanding::None(outermost)
    }

    /// The depth of the frame that owns the local variable at an address; 0 if none does.
    pub fn frame_of(&self, st: &State<X>, address: u64) -> u32 {
        let AddressResolution::Live(object) = st.mem.resolve(address) else { return 0 };
        let owners = st.stack.objects().zip((1..=st.stack.depth()).rev());
        let mut owners = owners.filter(|((_, objects), _)| objects.contains(&object.base));
        owners.next().map_or(0, |(_, depth)| depth)
    }

    /// The landing pad of the frame of a depth.
    pub fn landing_at(&self, st: &State<X>, depth: u32) -> Option<&LandingPad> {
        let (_, frame) = st.stack.callers().find(|(at, _)| *at == depth)?;
        self.landing_of_call(frame.pc)
    }

    fn landing_of_call(&self, pc: Pc) -> Option<&LandingPad> {
        let program = &self.image.program;
        match program.ops[pc as usize] {
            Op::Call { site, .. } => program.call(site).landing.as_deref(),
            _ => None,
        }
    }

    /// Ends all frames inside of the one of a depth, which goes on at its landing pad with the address of an
    /// exception and the number of a clause. `None` if it has no landing pad.
    pub fn land(&mut self, st: &mut State<X>, depth: u32, exception: [Reg; 2]) -> Option<Flow> {
        let landing = self.landing_at(st, depth)?;
        let (target, dst) = (landing.target, landing.dst);
        let here = self.image.site(st.pc());
        while st.stack.depth() > depth {
            let State { stack, mem, .. } = st;
            stack.take_objects(0, |object| mem.release_stack(object, here));
            stack.pop();
        }
        self.forget_poison(st);
        for (slot, value) in (0..).zip(exception) {
            self.put_reg(st, dst.plus(slot), value);
        }
        st.jump(target);
        Some(Flow::Enter)
    }
}
