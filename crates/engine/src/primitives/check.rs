//! Checks that a program asks for, and switches.

use everett_interp::{
    AccessPurpose, AccessTarget, BugKind, Flow, Halt, MemoryAccess, Reg, UnsupportedFeature,
};
use everett_posix::Guest;

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::node_state::bug;

impl Primitives {
    pub(super) fn object_size(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let access = MemoryAccess::new(call.arg(0), 1, AccessPurpose::Read);
        let size = match call.cx.locate(call.st, access)? {
            AccessTarget::Within { object, .. } => object.object.size,
            AccessTarget::Known(address) => match call.st.mem.check(address, 0) {
                Ok(object) => object.object.size,
                Err(fault) => return Err(call.cx.fault(&fault, AccessPurpose::Read).into()),
            },
        };
        call.returns(Reg::word(size))
    }

    pub(super) fn check_access(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let size = call.settle_size(1)?;
        let access = MemoryAccess::new(call.arg(0), size, AccessPurpose::Read);
        match call.cx.locate(call.st, access)? {
            AccessTarget::Within { .. } => Ok(Flow::Next),
            AccessTarget::Known(address) => match call.st.mem.check(address, size) {
                Ok(_) => Ok(Flow::Next),
                Err(fault) => Err(call.cx.fault(&fault, AccessPurpose::Read).into()),
            },
        }
    }

    pub(super) fn fixed_object(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let address = call.settle(0)?;
        let size = call.settle_size(1)?;
        let site = call.cx.image.site(call.st.pc());
        match call.st.mem.place(address, size, site) {
            Ok(()) => Ok(Flow::Next),
            Err(error) => {
                let function = "klee_define_fixed_object".to_owned();
                Err(UnsupportedFeature::Primitive { function, reason: error.to_string() }.into())
            }
        }
    }

    pub(super) fn mark_global(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let address = call.settle(0)?;
        if call.st.mem.check(address, 0).is_err() {
            let message = format!("klee_mark_global: there is no object at {address:#x}");
            return Ok(bug(BugKind::UserError, message));
        }
        call.st.extra.notebook_mut().marked.insert(address);
        Ok(Flow::Next)
    }

    pub(super) fn set_forking(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let on = call.settle_size(0)?;
        call.st.forking = on != 0;
        Ok(Flow::Next)
    }

    /// Lets faults happen from now on, or none.
    pub(super) fn faults(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let on = call.settle_size(0)?;
        let before = call.st.extra.node_mut().faults_mut().switch(on != 0);
        call.returns(Reg::word(before.into()))
    }

    /// Begins or ends a region in which the running thread is not preempted.
    pub(super) fn switch_preemption(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        on: bool,
    ) -> Result<Flow, Halt> {
        if call.st.extra.node_mut().switch_preemption(on) {
            return Ok(Flow::Next);
        }
        let message = "everett_preempt_on without everett_preempt_off before it in this thread";
        Err(bug(BugKind::UserError, message).into())
    }

    /// Limits the preemptions of threads from now on.
    pub(super) fn limit_preemptions(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let asked = call.settle_size(0)? as i32;
        let most = u32::try_from(asked).unwrap_or(u32::MAX);
        let before = call.st.extra.node_mut().limit_preemptions(most);
        let before = i32::try_from(before).unwrap_or(-1);
        call.returns(Reg::word(before as u32 as u64))
    }

    pub(super) fn div_zero_check(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let width = call.args.width(0);
        let nonzero =
            call.cx.pool.ne(call.cx.reg_term(call.arg(0), width), call.cx.pool.constant(width, 0));
        call.cx.require(call.st, nonzero, |_, _| {
            everett_interp::Bug::new(BugKind::DivideByZero, "division by zero")
        })?;
        Ok(Flow::Next)
    }

    pub(super) fn overshift_check(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let (bits, amount) = (call.cx.reg_term(call.arg(0), 64), call.cx.reg_term(call.arg(1), 64));
        let fits = call.cx.pool.ult(amount, bits);
        call.cx.require(call.st, fits, |_, _| {
            everett_interp::Bug::new(BugKind::Overshift, "shift by the width or more")
        })?;
        Ok(Flow::Next)
    }
}
