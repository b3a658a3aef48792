//! Inline assembly: the usual small idioms.

use crate::sys::Inst;

use super::body::Body;
use super::{Lowered, Unsupported};

impl<'m> Body<'_, 'm> {
    /// A call of inline assembly.
    pub(super) fn inline_asm(&mut self, inst: Inst<'m>) -> Lowered {
        let (text, constraints, _) = inst.inline_asm();
        if text.trim().is_empty() && inst.arg_count() == 0 {
            return Ok(());
        }
        Err(Unsupported::new(format!("inline assembly \"{text}\" with \"{constraints}\"")))
    }
}
