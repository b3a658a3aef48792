//! Intrinsics on floating-point numbers.

use crate::lower::Lowered;
use crate::lower::body::Body;
use crate::sys::Inst;

impl<'m> Body<'_, 'm> {
    /// An intrinsic on floating-point numbers; `false` when the name is none of them.
    pub(super) fn float_intrinsic(&mut self, _inst: Inst<'m>, _name: &str) -> Lowered<bool> {
        Ok(false)
    }
}
