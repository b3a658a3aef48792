//! Liveness: the positions of a function at which each value is alive.
//!
//! Positions: the instruction number `p` (counted over reachable blocks in layout order) reads its
//! operands at `2p` and writes its value at `2p + 1`, or already at `2p` when it is lowered to
//! several ops, so that its value never shares a slot with its operands. Copies for phis read at
//! the terminator's `2p`. A phi itself is alive from the start of its block: the copies that write
//! it happen on the edge, where nothing is alive but what is alive at the start of that block, and
//! the other sources of copies, which are ordered to be read in time.

use everett_base::Map;

use crate::sys::{Inst, Opcode, Value, int_binary_opcode};

use crate::lower::analysis::plan::{FunctionPlan, ValueRole};
use crate::lower::expr::AddressSummand;
use crate::lower::instructions::intrinsic;
use crate::lower::program::ProgramLowering;
use crate::lower::shape::scalar;

/// A closed range of positions.
pub(crate) type LiveSegment = (u32, u32);

/// Values with slots and their live ranges.
pub(crate) struct Liveness<'m> {
    /// The values, parameters first, then in layout order.
    pub(crate) values: Vec<LiveValue<'m>>,
    /// Index of a value in `values`.
    pub(crate) index: Map<Value<'m>, u32>,
}

/// A value that is kept in slots.
pub(crate) struct LiveValue<'m> {
    /// The value.
    pub(crate) value: Value<'m>,
    /// The number of slots that it takes.
    pub(crate) slots: u32,
    /// Sorted, disjoint ranges.
    pub(crate) segments: Vec<LiveSegment>,
    block: u32,
    start: u32,
}

/// First and last instruction number of each block.
struct BlockNumbers(Vec<(u32, u32)>);

impl BlockNumbers {
    fn new(plan: &FunctionPlan<'_>) -> BlockNumbers {
        let mut next = 1;
        let number = |block: &crate::lower::analysis::plan::PlannedBlock<'_>| {
            let first = next;
            if block.reachable {
                next += block.insts.len() as u32;
            }
            (first, next.max(first + 1) - 1)
        };
        BlockNumbers(plan.blocks.iter().map(number).collect())
    }

    fn start(&self, block: u32) -> u32 {
        self.0[block as usize].0 * 2
    }

    fn last_read(&self, block: u32) -> u32 {
        self.0[block as usize].1 * 2
    }

    fn end(&self, block: u32) -> u32 {
        self.last_read(block) + 1
    }
}

impl<'m> Liveness<'m> {
    /// Computes the live ranges of a planned function.
    pub(crate) fn new(
        unit: &mut ProgramLowering<'m>,
        plan: &FunctionPlan<'m>,
        params: &[Value<'m>],
    ) -> Liveness<'m> {
        let numbers = BlockNumbers::new(plan);
        let mut live = Liveness { values: Vec::new(), index: Map::default() };
        for param in params {
            live.define(plan, *param, 0, 0, 1);
        }
        for (block, planned) in (0..).zip(&plan.blocks).filter(|(_, b)| b.reachable) {
            for (number, inst) in (numbers.0[block as usize].0..).zip(&planned.insts) {
                let start = if inst.opcode() == Opcode::Phi {
                    numbers.start(block)
                } else {
                    2 * number + u32::from(writes_last(unit, *inst))
                };
                live.define(plan, inst.value(), block, start, 2 * number + 1);
            }
        }
        let uses = live.collect_uses(plan, &numbers);
        live.spread(plan, &numbers, &uses);
        live.values.iter_mut().for_each(|value| normalise(&mut value.segments));
        live
    }

    fn define(
        &mut self,
        plan: &FunctionPlan<'m>,
        value: Value<'m>,
        block: u32,
        start: u32,
        end: u32,
    ) {
        let ValueRole::Slots(slots) = plan.role_of(value) else { return };
        self.index.insert(value, self.values.len() as u32);
        let segments = vec![(start, end.max(start))];
        self.values.push(LiveValue { value, slots, segments, block, start });
    }

    /// Block and position of each use, for each value.
    fn collect_uses(
        &self,
        plan: &FunctionPlan<'m>,
        numbers: &BlockNumbers,
    ) -> Vec<Vec<(u32, u32)>> {
        let mut uses = vec![Vec::new(); self.values.len()];
        let mut add = |operand, block, position| {
            plan.roots(operand, &mut |root| {
                if let Some(index) = self.index.get(&root) {
                    uses[*index as usize].push((block, position));
                }
            });
        };
        for (block, planned) in (0..).zip(&plan.blocks).filter(|(_, b)| b.reachable) {
            for (number, inst) in (numbers.0[block as usize].0..).zip(&planned.insts) {
                if inst.opcode() == Opcode::Phi {
                    for (value, from) in inst.incoming() {
                        let from = plan.position.get(&from).copied().unwrap_or(0);
                        if plan.blocks[from as usize].reachable {
                            add(value, from, numbers.last_read(from));
                        }
                    }
                    continue;
                }
                if matches!(plan.role_of(inst.value()), ValueRole::Alias { .. } | ValueRole::Folded)
                {
                    continue;
                }
                inst.value().operands().for_each(|operand| add(operand, block, 2 * number));
            }
        }
        uses
    }

    /// Extends each range from its definition to all uses, along the edges in between.
    fn spread(
        &mut self,
        plan: &FunctionPlan<'m>,
        numbers: &BlockNumbers,
        uses: &[Vec<(u32, u32)>],
    ) {
        let mut visited = vec![u32::MAX; plan.blocks.len()];
        let mut stack = Vec::new();
        for (index, (value, uses)) in (0u32..).zip(self.values.iter_mut().zip(uses)) {
            for (block, position) in uses {
                if *block == value.block && *position >= value.start.min(numbers.last_read(*block))
                {
                    value.segments.push((value.start, (*position).max(value.start)));
                    continue;
                }
                value.segments.push((numbers.start(*block), *position));
                stack.push(*block);
            }
            while let Some(block) = stack.pop() {
                for pred in &plan.blocks[block as usize].predecessors {
                    if std::mem::replace(&mut visited[*pred as usize], index) == index {
                        continue;
                    }
                    if *pred == value.block {
                        value.segments.push((value.start, numbers.end(*pred)));
                    } else {
                        value.segments.push((numbers.start(*pred), numbers.end(*pred)));
                        stack.push(*pred);
                    }
                }
            }
        }
    }
}

/// Sorts ranges and joins those that meet.
pub(crate) fn normalise(segments: &mut Vec<LiveSegment>) {
    segments.sort_unstable();
    let mut kept: Vec<LiveSegment> = Vec::with_capacity(segments.len());
    for (start, end) in segments.drain(..) {
        match kept.last_mut() {
            Some(last) if start <= last.1.saturating_add(1) => last.1 = last.1.max(end),
            _ => kept.push((start, end)),
        }
    }
    *segments = kept;
}

/// Returns `true` if an instruction is lowered so that it reads all its operands before it writes.
fn writes_last<'m>(unit: &mut ProgramLowering<'m>, inst: Inst<'m>) -> bool {
    if inst.opcode() == Opcode::Call {
        return !intrinsic::is_expanded(inst);
    }
    let one_slot = |value: Value<'m>| scalar(value.ty()).is_some_and(|s| s.bits() <= 64);
    // The inputs of an exact operation are looked at once more when its result is there.
    if inst.is_exact() || !one_slot(inst.value()) || !inst.value().operands().all(one_slot) {
        return false;
    }
    match inst.opcode() {
        int_binary_opcode!()
        | Opcode::ICmp
        | Opcode::FCmp
        | Opcode::FAdd
        | Opcode::FSub
        | Opcode::FMul
        | Opcode::FDiv
        | Opcode::FNeg
        | Opcode::Trunc
        | Opcode::ZExt
        | Opcode::SExt
        | Opcode::Select
        | Opcode::Load
        | Opcode::Alloca => true,
        Opcode::GetElementPtr => unit.steps(inst.value()).is_ok_and(|steps| {
            let indices =
                steps.iter().filter(|step| matches!(step, AddressSummand::Index { .. })).count();
            indices <= 1
        }),
        _ => false,
    }
}
