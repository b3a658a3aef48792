//! Computes the segment lengths that control ops carry.

use crate::op::Op;
use crate::program::Program;

impl Program {
    /// Fills in `insts` of every control op from the weights.
    ///
    /// A segment runs from the op after the previous control op (or from a block's first op) to
    /// the control op that ends it. Its length must fit: producers emit [`Op::Tick`] in very long
    /// straight code.
    ///
    /// # Panics
    /// When a segment is longer than `u16::MAX`, or code runs into another block without a jump:
    /// both are errors of the producer.
    pub fn seal(&mut self) {
        let mut pending = 0u32;
        for (op, weight) in self.ops.iter_mut().zip(&self.weights) {
            pending += u32::from(*weight);
            if let Some(insts) = op.insts_mut() {
                *insts = u16::try_from(pending).expect("producers break up long segments");
                pending = 0;
            }
        }
        assert_eq!(pending, 0, "code must end in a control op");
        for function in self.functions.iter().filter(|f| f.defined) {
            for block in function.blocks.iter().filter(|b| **b > function.entry) {
                let before = &self.ops[*block as usize - 1];
                assert!(ends_block(before), "block at {block} is entered by falling through");
            }
        }
    }
}

fn ends_block(op: &Op) -> bool {
    op.insts().is_some() && !matches!(op, Op::Tick { .. } | Op::Call { .. })
}
