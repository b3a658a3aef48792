//! Phis become copies on the edges that lead to them.
//!
//! All copies of an edge happen at once: a source is read before any target is written. They are
//! put in an order that makes this so, and cycles are broken with a temporary slot.

use everett_ir::{Op, Operand, Slot};

use crate::sys::{Opcode, Value};

use crate::lower::function::{FunctionLowering, JumpLabel};
use crate::lower::{LowerResult, UnsupportedConstruct};

/// One slot of a copy.
type SlotMove = (Slot, Operand);

impl<'m> FunctionLowering<'_, 'm> {
    /// The slots to copy when control goes from one block to another.
    fn edge_moves(&mut self, from: u32, to: u32) -> LowerResult<Vec<SlotMove>> {
        let mut moves = Vec::new();
        for inst in self.plan.blocks[to as usize].insts.clone() {
            if inst.opcode() != Opcode::Phi {
                break;
            }
            let slots = self.unit.slots(inst.ty())?;
            let mut incoming = inst.incoming().into_iter();
            let source: Option<Value<'m>> = incoming
                .find(|(_, block)| self.plan.position.get(block) == Some(&from))
                .map(|(value, _)| value);
            let Some(source) = source else {
                return Err(UnsupportedConstruct::new("phi without a value for an edge"));
            };
            if slots == 0 {
                continue;
            }
            let dst = self.dst(inst);
            let source = self.operand(source)?;
            moves.extend((0..slots).map(|slot| (dst.plus(slot), source.plus(slot))));
        }
        moves.retain(|(dst, source)| source.as_slot() != Some(*dst));
        Ok(moves)
    }

    /// Emits the copies of an edge in place.
    pub(crate) fn emit_edge(&mut self, from: u32, to: u32) -> LowerResult {
        let moves = self.edge_moves(from, to)?;
        self.emit_moves(moves);
        Ok(())
    }

    /// The label to jump to for an edge: the block itself, or code that copies first. That code
    /// is added to `trampolines`, which [`FunctionLowering::emit_trampolines`] emits after the jump.
    pub(crate) fn edge(
        &mut self,
        from: u32,
        to: u32,
        trampolines: &mut Vec<(JumpLabel, u32)>,
    ) -> LowerResult<JumpLabel> {
        if let Some((label, _)) = trampolines.iter().find(|(_, target)| *target == to) {
            return Ok(*label);
        }
        // A constant that code must compute needs a place for that code.
        if !self.needs_copies(from, to)? {
            return Ok(to);
        }
        let label = self.label();
        trampolines.push((label, to));
        Ok(label)
    }

    fn needs_copies(&mut self, from: u32, to: u32) -> LowerResult<bool> {
        let insts = &self.plan.blocks[to as usize].insts;
        if insts.first().is_none_or(|inst| inst.opcode() != Opcode::Phi) {
            return Ok(false);
        }
        let mark = self.mark();
        let moves = self.edge_moves(from, to);
        // Asking emits code when a source must be computed: undo it, it comes again on the edge.
        self.rewind(mark);
        Ok(!moves?.is_empty())
    }

    /// Emits the code of edges that copy.
    pub(crate) fn emit_trampolines(
        &mut self,
        from: u32,
        edges: Vec<(JumpLabel, u32)>,
    ) -> LowerResult {
        for (label, to) in edges {
            self.place(label);
            self.emit_edge(from, to)?;
            self.emit_free(Op::Jump { insts: 0, target: to });
        }
        Ok(())
    }

    /// Emits copies that happen at once.
    pub(crate) fn emit_moves(&mut self, moves: Vec<SlotMove>) {
        let spare = self.temp(1);
        for group in runs(&order(moves, spare)) {
            let (dst, a, n) = group;
            self.emit_free(Op::Copy { n, dst, a });
        }
    }
}

/// Orders parallel copies so that no source is overwritten before it is read.
fn order(moves: Vec<SlotMove>, spare: Slot) -> Vec<SlotMove> {
    let mut pending = moves;
    let mut done = Vec::with_capacity(pending.len());
    while !pending.is_empty() {
        let is_read = |slot: Slot, moves: &[SlotMove]| {
            moves.iter().any(|(dst, source)| *dst != slot && source.as_slot() == Some(slot))
        };
        let (ready, blocked): (Vec<SlotMove>, Vec<SlotMove>) =
            pending.iter().copied().partition(|(dst, _)| !is_read(*dst, &pending));
        if ready.is_empty() {
            // Only cycles are left: save one slot, and let its readers read the copy.
            let (saved, _) = blocked[0];
            done.push((spare, Operand::slot(saved)));
            pending = blocked
                .into_iter()
                .map(|(dst, source)| {
                    let cut = source.as_slot() == Some(saved);
                    (dst, if cut { Operand::slot(spare) } else { source })
                })
                .collect();
            // The cycle that held the saved slot is now a chain, and is emitted before the next
            // one needs the spare slot.
            let chain = drain_chain(&mut pending, saved);
            done.extend(chain);
        } else {
            done.extend(ready);
            pending = blocked;
        }
    }
    done
}

/// Takes out the copies that can be made after `first` was saved, one after the other.
fn drain_chain(pending: &mut Vec<SlotMove>, first: Slot) -> Vec<SlotMove> {
    let mut chain = Vec::new();
    let mut free = first;
    while let Some(at) = pending.iter().position(|(dst, _)| *dst == free) {
        let (dst, source) = pending.remove(at);
        chain.push((dst, source));
        let Some(next) = source.as_slot() else { break };
        if pending.iter().any(|(_, source)| source.as_slot() == Some(next)) {
            break;
        }
        free = next;
    }
    chain
}

/// Joins copies of neighbouring slots.
fn runs(moves: &[SlotMove]) -> Vec<(Slot, Operand, u16)> {
    let mut found: Vec<(Slot, Operand, u16)> = Vec::new();
    for (dst, source) in moves {
        match found.last_mut() {
            Some((first, from, n))
                if first.plus(u32::from(*n)) == *dst
                    && from.plus(u32::from(*n)) == *source
                    && *n < u16::MAX
                    && !overlaps(*first, *from, u32::from(*n) + 1) =>
            {
                *n += 1;
            }
            _ => found.push((*dst, *source, 1)),
        }
    }
    found
}

/// Returns `true` if a run would read what it has written.
fn overlaps(dst: Slot, source: Operand, n: u32) -> bool {
    source.as_slot().is_some_and(|source| source.0 < dst.0 + n && dst.0 < source.0 + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(moves: &[(u32, u32)]) {
        let moves: Vec<SlotMove> =
            moves.iter().map(|(d, s)| (Slot(*d), Operand::slot(Slot(*s)))).collect();
        let mut frame: Vec<u32> = (0..20).collect();
        for (dst, source, n) in runs(&order(moves.clone(), Slot(19))) {
            for i in 0..u32::from(n) {
                let from = source.plus(i).as_slot().expect("only slots here");
                frame[dst.plus(i).0 as usize] = frame[from.0 as usize];
            }
        }
        for (dst, source) in moves {
            let expected = source.as_slot().expect("only slots here").0;
            assert_eq!(frame[dst.0 as usize], expected, "slot {dst:?}");
        }
    }

    #[test]
    fn parallel_copies_read_before_they_write() {
        check(&[(0, 1), (1, 2), (2, 3)]);
        check(&[(3, 2), (2, 1), (1, 0)]);
        check(&[(0, 1), (1, 0)]);
        check(&[(0, 1), (1, 2), (2, 0), (3, 0), (4, 1)]);
        check(&[(0, 1), (1, 0), (2, 3), (3, 2), (5, 0), (6, 3)]);
        check(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
        check(&[(4, 5), (5, 6), (6, 7)]);
        check(&[(5, 4), (6, 5), (7, 6)]);
    }
}
