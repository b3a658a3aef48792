//! All combinations of the values that are left of several bytes.

use smallvec::SmallVec;

use super::sets::ByteSet;
use super::{BudgetMeter, CompileRefusal, MAX_BYTES};
use crate::compiled::{CompiledTerms, LANES, LaneMachine, LaneValues};

/// Combinations of values, in ascending order, and conditions on them.
pub(super) struct ByteProduct<'p> {
    code: CompiledTerms<'p>,
    /// The values of each byte, ascending; there is at least one.
    values: SmallVec<[Vec<u8>; MAX_BYTES]>,
}

impl<'p> ByteProduct<'p> {
    pub(super) fn new(code: CompiledTerms<'p>, choices: &[ByteSet]) -> ByteProduct<'p> {
        ByteProduct { code, values: choices.iter().map(|choice| choice.iter().collect()).collect() }
    }

    /// The first combination that satisfies all conditions.
    pub(super) fn smallest(
        &self,
        machine: &mut LaneMachine,
        clock: &mut BudgetMeter<'_>,
    ) -> Result<Option<SmallVec<[u8; MAX_BYTES]>>, CompileRefusal> {
        let mut inputs: Vec<LaneValues> = vec![[0; LANES]; self.values.len()];
        let mut at: SmallVec<[usize; MAX_BYTES]> = SmallVec::from_elem(0, self.values.len());
        let mut left = true;
        while left {
            let mut filled = 0;
            while left && filled < LANES {
                for ((input, values), at) in inputs.iter_mut().zip(&self.values).zip(&at) {
                    input[filled] = values[*at].into();
                }
                filled += 1;
                left = self.advance(&mut at);
            }
            clock.spend(self.code.cost() * LANES as u64)?;
            let lanes = u64::MAX >> (LANES - filled);
            let alive = machine.run(&self.code, &inputs, lanes, clock.budget)?;
            if alive != 0 {
                let lane = alive.trailing_zeros() as usize;
                return Ok(Some(inputs.iter().map(|input| input[lane] as u8).collect()));
            }
        }
        Ok(None)
    }

    /// The next combination; `false` after the last one.
    fn advance(&self, at: &mut [usize]) -> bool {
        for (at, values) in at.iter_mut().zip(&self.values).rev() {
            *at += 1;
            if *at < values.len() {
                return true;
            }
            *at = 0;
        }
        false
    }
}
