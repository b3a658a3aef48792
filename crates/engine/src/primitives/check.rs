//! Checks that a program asks for, and switches.

use everett_interp::{Args, BugKind, Flow, Purpose, Reg, Spot, Stop, Unsupported};
use everett_posix::Guest;

use super::Primitives;
use crate::state::node_state::{Interpreter, PathState, bug};

impl Primitives {
    pub(super) fn object_size(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let size = match cx.locate(st, args.get(0), 0, 1, Purpose::Read)? {
            Err(flow) => return Ok(flow),
            Ok(Spot::Within { object, .. }) => object.object.size,
            Ok(Spot::Known(address)) => match st.mem.check(address, 0) {
                Ok(object) => object.object.size,
                Err(fault) => return Ok(cx.fault(&fault, Purpose::Read)),
            },
        };
        cx.return_value(st, args, Reg::word(size));
        Ok(Flow::Next)
    }

    pub(super) fn check_access(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let size = cx.fork_over(st, args.get(1), cx.config.max_sizes)?;
        match cx.locate(st, args.get(0), 0, size, Purpose::Read)? {
            Err(flow) => Ok(flow),
            Ok(Spot::Within { .. }) => Ok(Flow::Next),
            Ok(Spot::Known(address)) => match st.mem.check(address, size) {
                Ok(_) => Ok(Flow::Next),
                Err(fault) => Ok(cx.fault(&fault, Purpose::Read)),
            },
        }
    }

    pub(super) fn fixed_object(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let address = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        let size = cx.fork_over(st, args.get(1), cx.config.max_sizes)?;
        let site = cx.image.site(st.pc());
        match st.mem.place(address, size, site) {
            Ok(()) => Ok(Flow::Next),
            Err(error) => {
                let function = "klee_define_fixed_object".to_owned();
                Err(Unsupported::Primitive { function, reason: error.to_string() }.into())
            }
        }
    }

    pub(super) fn mark_global(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let address = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        if st.mem.check(address, 0).is_err() {
            let message = format!("klee_mark_global: there is no object at {address:#x}");
            return Ok(bug(BugKind::UserError, message));
        }
        st.extra.notebook_mut().marked.insert(address);
        Ok(Flow::Next)
    }

    pub(super) fn set_forking(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let on = cx.fork_over(st, args.get(0), cx.config.max_sizes)?;
        st.forking = on != 0;
        Ok(Flow::Next)
    }

    /// Lets faults happen from now on, or none.
    pub(super) fn faults(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let on = cx.fork_over(st, args.get(0), cx.config.max_sizes)?;
        let before = st.extra.node_mut().faults_mut().switch(on != 0);
        cx.return_value(st, args, Reg::word(before.into()));
        Ok(Flow::Next)
    }

    pub(super) fn div_zero_check(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let width = args.width(0);
        let nonzero = cx.pool.ne(cx.reg_term(args.get(0), width), cx.pool.constant(width, 0));
        let end = cx.require(st, nonzero, |_, _| {
            everett_interp::Bug::new(BugKind::DivideByZero, "division by zero")
        })?;
        Ok(end.unwrap_or(Flow::Next))
    }

    pub(super) fn overshift_check(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let (bits, amount) = (cx.reg_term(args.get(0), 64), cx.reg_term(args.get(1), 64));
        let fits = cx.pool.ult(amount, bits);
        let end = cx.require(st, fits, |_, _| {
            everett_interp::Bug::new(BugKind::Overshift, "shift by the width or more")
        })?;
        Ok(end.unwrap_or(Flow::Next))
    }
}
