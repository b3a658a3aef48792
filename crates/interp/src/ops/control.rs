//! Branches, switches, indirect jumps and the ends of paths.

use everett_expr::TermId;
use everett_ir::{IntPredicate, Operand, Pc, SwitchId, TrapKind};

use crate::bug::{Bug, BugKind};
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding, SiblingCourse};
use crate::interp::{Interp, SplitOutcome};
use crate::state::State;
use crate::undefined::ValueUse;

impl<X: Clone> Interp<'_, X> {
    pub(crate) fn branch(
        &mut self,
        st: &mut State<X>,
        cond: Operand,
        then: Pc,
        other: Pc,
    ) -> Result<Flow, Halt> {
        let cond = self.term(st, cond, 1);
        self.branch_on(st, cond, then, other)
    }

    pub(crate) fn compare_branch(
        &mut self,
        st: &mut State<X>,
        pred: IntPredicate,
        w: u8,
        [a, b]: [Operand; 2],
        [then, other]: [Pc; 2],
    ) -> Result<Flow, Halt> {
        let cond = self.compare_terms(pred, self.term(st, a, w), self.term(st, b, w));
        self.branch_on(st, cond, then, other)
    }

    fn branch_on(
        &mut self,
        st: &mut State<X>,
        cond: TermId,
        then: Pc,
        other: Pc,
    ) -> Result<Flow, Halt> {
        match self.split(st, cond)? {
            SplitOutcome::Always => Ok(Flow::Jump(then)),
            SplitOutcome::Never => Ok(Flow::Jump(other)),
            SplitOutcome::Both(mut sibling) => {
                sibling.jump(other);
                self.add_sibling(sibling, SiblingCourse::On);
                Ok(Flow::Jump(then))
            }
        }
    }

    /// A symbolic switch forks once a target, not once a case: cases that lead to the same place
    /// are one alternative.
    pub(crate) fn switch(
        &mut self,
        st: &mut State<X>,
        w: u8,
        val: Operand,
        table: SwitchId,
    ) -> Result<Flow, Halt> {
        let value = self.term(st, val, w);
        let value = self.use_term(st, value, ValueUse::Branch);
        let program = &self.image.program;
        let table = &program.switches[table.index()];
        if let Some(word) = self.pool.as_const(value) {
            return Ok(Flow::Jump(table.target(word)));
        }
        let mut targets: Vec<(Pc, TermId)> = Vec::new();
        for (case, target) in table.cases.iter().filter(|case| case.1 != table.default) {
            let matches = self.pool.eq(value, self.pool.constant(w.into(), *case));
            match targets.iter_mut().find(|(pc, _)| pc == target) {
                Some((_, cond)) => *cond = self.pool.or(*cond, matches),
                None => targets.push((*target, matches)),
            }
        }
        let default = table.default;
        Ok(Flow::Jump(self.jump_to_first(st, &targets)?.unwrap_or(default)))
    }

    /// Forks over all targets that are feasible. `Some` if this state goes to one of them, `None` if
    /// it goes to none.
    fn jump_to_first(
        &mut self,
        st: &mut State<X>,
        targets: &[(Pc, TermId)],
    ) -> Result<Option<Pc>, Stop> {
        for (target, cond) in targets {
            match self.split_off(st, *cond)? {
                SplitOutcome::Never => {}
                SplitOutcome::Always => return Ok(Some(*target)),
                SplitOutcome::Both(mut sibling) => {
                    sibling.jump(*target);
                    self.add_sibling(sibling, SiblingCourse::On);
                }
            }
        }
        Ok(None)
    }

    pub(crate) fn indirect_jump(
        &mut self,
        st: &mut State<X>,
        addr: Operand,
        table: u32,
    ) -> Result<Flow, Halt> {
        let address = self.term(st, addr, 64);
        let address = self.use_term(st, address, ValueUse::Amount);
        let targets: Vec<(Pc, TermId)> = self.image.program.indirect[table as usize]
            .targets
            .iter()
            .map(|(block, edge)| {
                let known = self.pool.constant(64, self.image.block_address(*block));
                (*edge, self.pool.eq(address, known))
            })
            .collect();
        if let Some(target) = self.jump_to_first(st, &targets)? {
            return Ok(Flow::Jump(target));
        }
        let at = self.example(st, address);
        let bug = Bug::new(
            BugKind::OutOfBounds,
            format!("indirect jump to {at:#x}, which is no label of this function"),
        );
        Ok(Flow::End(PathEnding::Bug(Box::new(bug))))
    }

    pub(crate) fn unreachable(&self) -> Flow {
        let message = "code that the compiler was told cannot be reached is reached";
        Flow::End(PathEnding::Bug(Box::new(Bug::new(BugKind::Unreachable, message))))
    }

    pub(crate) fn trap(&self, kind: TrapKind) -> Flow {
        let message = match kind {
            TrapKind::Trap => "trap (as from __builtin_trap)",
            TrapKind::Debug => "debug trap",
            TrapKind::Sanitizer => "trap of the undefined-behaviour sanitizer",
        };
        Flow::End(PathEnding::Bug(Box::new(Bug::new(BugKind::Abort, message))))
    }
}
