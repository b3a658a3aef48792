//! What a program does with the result of a call.
//!
//! A result that is only compared may stay an expression: each comparison forks at most once, whatever the
//! number of cases. One that becomes an address, a length, an argument or something in memory is looked at
//! again and again, and is better off as a plain number on each of several paths.
//!
//! The answer is a fact about the code: values are followed along the paths of the function that makes the
//! call, through arithmetic, choices and local variables whose addresses nobody else has.

use everett_base::{Map, Set};
use everett_interp::ProgramId;
use everett_ir::{Op, Operand, Pc, Program, Slot};

/// What becomes of the result of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultUse {
    /// It is compared, or does not matter.
    Compared,
    /// It is used as a number or a pointer.
    Taken,
}

/// The uses of the calls that were looked at.
#[derive(Default)]
pub(crate) struct ResultUses {
    known: Map<(ProgramId, Pc), ResultUse>,
}

impl ResultUses {
    /// What becomes of the result of the call at a place.
    pub(super) fn of(&mut self, id: ProgramId, program: &Program, call: Pc) -> ResultUse {
        *self.known.entry((id, call)).or_insert_with(|| use_of(program, call))
    }
}

/// Ops of a function that is looked at, at most.
const MAX_OPS: u32 = 50_000;

/// What is known of a slot at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// It has a value that comes from the result.
    Derived,
    /// It has the address of the local variable that is created here.
    Address(Pc),
}

type Slots = Map<Slot, Known>;

/// A value that comes from the result is used as a number or a pointer.
struct IsTaken;

/// The walk through a function.
struct Walk<'p> {
    program: &'p Program,
    call: Pc,
    /// Local variables that hold a value which comes from the result.
    holding: Set<Pc>,
    /// Local variables whose addresses others have.
    escaped: Set<Pc>,
}

fn use_of(program: &Program, call: Pc) -> ResultUse {
    let function = program.function_at(call).map(|id| program.function(id));
    let is_call = matches!(program.ops.get(call as usize), Some(Op::Call { .. }));
    let Some(function) = function.filter(|f| is_call && f.end - f.entry <= MAX_OPS) else {
        return ResultUse::Taken;
    };
    let mut walk = Walk { program, call, holding: Set::default(), escaped: Set::default() };
    loop {
        let before = (walk.holding.len(), walk.escaped.len());
        if walk.pass(function.entry).is_err() || !walk.holding.is_disjoint(&walk.escaped) {
            return ResultUse::Taken;
        }
        // What is known of variables holds everywhere: more of it is a reason to walk again.
        if before == (walk.holding.len(), walk.escaped.len()) {
            return ResultUse::Compared;
        }
    }
}

impl Walk<'_> {
    /// Walks through all code that can be reached from a place.
    fn pass(&mut self, entry: Pc) -> Result<(), IsTaken> {
        let mut known: Map<Pc, Slots> = Map::default();
        known.insert(entry, Slots::default());
        let mut todo = vec![entry];
        while let Some(start) = todo.pop() {
            let mut slots = known[&start].clone();
            let mut pc = start;
            loop {
                let op = &self.program.ops[pc as usize];
                self.step(pc, op, &mut slots)?;
                if op.insts().is_none() || matches!(op, Op::Tick { .. } | Op::Call { .. }) {
                    pc += 1;
                    continue;
                }
                for target in self.targets(op) {
                    let grew = match known.get_mut(&target) {
                        Some(there) => merge(there, &slots),
                        None => known.insert(target, slots.clone()).is_none(),
                    };
                    if grew {
                        todo.push(target);
                    }
                }
                break;
            }
        }
        Ok(())
    }

    /// Where a control op may go on.
    fn targets(&self, op: &Op) -> Vec<Pc> {
        match *op {
            Op::Jump { target, .. } => vec![target],
            Op::Branch { then, other, .. } | Op::CompareBranch { then, other, .. } => {
                vec![then, other]
            }
            Op::Switch { table, .. } => {
                let switch = &self.program.switches[table.index()];
                switch.cases.iter().map(|case| case.1).chain([switch.default]).collect()
            }
            Op::IndirectJump { table, .. } => {
                let targets = &self.program.indirect[table as usize].targets;
                targets.iter().map(|target| target.1).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Follows values through an op.
    fn step(&mut self, pc: Pc, op: &Op, slots: &mut Slots) -> Result<(), IsTaken> {
        let of = |operand: Operand| operand.as_slot().and_then(|slot| slots.get(&slot).copied());
        let mut result = None;
        match *op {
            Op::ICmp { .. } | Op::CompareBranch { .. } | Op::Branch { .. } | Op::Switch { .. } => {}
            Op::Alloca { .. } => result = Some(Known::Address(pc)),
            Op::Load { ptr, off, .. } => match of(ptr) {
                Some(Known::Derived) => return Err(IsTaken),
                Some(Known::Address(at)) if self.holding.contains(&at) => {
                    if off != 0 {
                        return Err(IsTaken);
                    }
                    result = Some(Known::Derived);
                }
                _ => {}
            },
            Op::Store { val, ptr, off, .. } => match (of(val), of(ptr)) {
                (_, Some(Known::Derived)) => return Err(IsTaken),
                (Some(Known::Derived), Some(Known::Address(at))) if off == 0 => {
                    self.holding.insert(at);
                }
                (Some(Known::Derived), _) => return Err(IsTaken),
                (Some(Known::Address(at)), _) => {
                    self.escaped.insert(at);
                }
                (None, _) => {}
            },
            _ => result = self.computed(op, slots)?,
        }
        let writes = self.program.accesses(op).writes;
        for slot in writes.into_iter().flat_map(|(slot, n)| (0..n).map(move |i| slot.plus(i))) {
            match result {
                Some(known) => slots.insert(slot, known),
                None => slots.remove(&slot),
            };
        }
        if pc == self.call
            && let Op::Call { site, .. } = op
        {
            let site = self.program.call(*site);
            let result = (0..u32::from(site.ret_slots)).map(|n| site.dst.plus(n));
            slots.extend(result.map(|slot| (slot, Known::Derived)));
        }
        Ok(())
    }

    /// What an op makes of values that come from the result.
    fn computed(&mut self, op: &Op, slots: &Slots) -> Result<Option<Known>, IsTaken> {
        let mut derived = None;
        for (operand, n) in self.program.accesses(op).reads {
            let Some(first) = operand.as_slot() else { continue };
            for slot in (0..n).map(|i| first.plus(i)) {
                match slots.get(&slot) {
                    Some(Known::Derived) if is_arithmetic(op) => derived = Some(Known::Derived),
                    Some(Known::Derived) => return Err(IsTaken),
                    Some(Known::Address(at)) => {
                        self.escaped.insert(*at);
                    }
                    None => {}
                }
            }
        }
        Ok(derived)
    }
}

/// Adds what is known on another way to a place; whether that changes anything.
fn merge(there: &mut Slots, more: &Slots) -> bool {
    let before = there.len();
    there.retain(|slot, known| *known == Known::Derived || more.get(slot) == Some(known));
    let mut changed = there.len() != before;
    for (slot, known) in more {
        if *known == Known::Derived {
            changed |= there.insert(*slot, Known::Derived) != Some(Known::Derived);
        }
    }
    changed
}

/// Whether an op computes a value out of values, and nothing else.
fn is_arithmetic(op: &Op) -> bool {
    matches!(
        op,
        Op::Add { .. }
            | Op::Sub { .. }
            | Op::And { .. }
            | Op::Or { .. }
            | Op::Xor { .. }
            | Op::Shl { .. }
            | Op::LShr { .. }
            | Op::AShr { .. }
            | Op::IntBinary { .. }
            | Op::Select { .. }
            | Op::Trunc { .. }
            | Op::ZExt { .. }
            | Op::SExt { .. }
            | Op::Copy { .. }
            | Op::Freeze { .. }
            | Op::PtrAdd { .. }
    )
}
