//! Intrinsics on vectors.

use crate::lower::Lowered;
use crate::lower::body::Body;
use crate::sys::Inst;

impl<'m> Body<'_, 'm> {
    /// An intrinsic on vectors; `false` when the name is none of them.
    pub(super) fn vector_intrinsic(&mut self, _inst: Inst<'m>, _name: &str) -> Lowered<bool> {
        Ok(false)
    }
}
