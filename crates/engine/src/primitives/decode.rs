//! `everett_decode`, and what a decoder of messages may do: compute, and nothing else.

use std::sync::Arc;

use everett_interp::{BugKind, Flow, Halt};
use everett_ir::FuncId;

use super::call::PrimitiveCall;
use super::{FunctionImplementation, Primitive, Primitives};
use crate::state::node_state::{Interpreter, PathState, ProgramDecoder, bug};

/// Decoders of a node, at most.
const DECODERS_MAX: usize = 32;

impl Primitives {
    /// `everett_decode(name, decoder)`
    pub(super) fn name_decoder(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let pointer = call.arg(0);
        let name = call.string("name for everett_decode", pointer)?;
        let address = call.settle(1)?;
        let Some(function) = call.cx.image.function_at(address) else {
            let message =
                format!("everett_decode of '{name}' gets {address:#x}, which is no function");
            return Ok(bug(BugKind::UserError, message));
        };
        let decoder = ProgramDecoder { name, program: call.st.program, function };
        let known = &call.st.extra.links().decoders;
        if known.contains(&decoder) {
            return Ok(Flow::Next);
        }
        if known.len() >= DECODERS_MAX {
            let message =
                format!("a node names more than {DECODERS_MAX} decoders with everett_decode");
            return Ok(bug(BugKind::UserError, message));
        }
        Arc::make_mut(&mut call.st.extra.links_mut().decoders).push(decoder);
        Ok(Flow::Next)
    }

    /// Returns `true` if a function without a body only computes, as far as the engine implements it.
    pub(crate) fn only_computes(
        &mut self,
        cx: &Interpreter<'_>,
        st: &PathState,
        func: FuncId,
    ) -> bool {
        match self.implementation(cx, st, func) {
            Some(FunctionImplementation::Primitive(primitive)) => primitive.only_computes(),
            Some(FunctionImplementation::Symbolic) => false,
            Some(FunctionImplementation::Function(_)) | None => true,
        }
    }
}

impl Primitive {
    fn only_computes(self) -> bool {
        matches!(
            self,
            Primitive::Strings(_)
                | Primitive::FailedCheck(_)
                | Primitive::Malloc
                | Primitive::New
                | Primitive::NewArray
                | Primitive::Calloc
                | Primitive::Realloc
                | Primitive::Memalign
                | Primitive::AlignedAlloc
                | Primitive::PosixMemalign
                | Primitive::Free
                | Primitive::Delete
                | Primitive::DeleteArray
                | Primitive::DeleteSized
                | Primitive::DeleteArraySized
                | Primitive::DivZeroCheck
                | Primitive::OvershiftCheck
                | Primitive::IsSymbolic
                | Primitive::ObjectSize
                | Primitive::LandingBelow
                | Primitive::LandingClause
                | Primitive::Land
                | Primitive::FrameOf
        )
    }
}
