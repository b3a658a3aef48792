//! What a program does with the result of a call.
//!
//! A result that is only compared may stay an expression: each comparison forks at most once, whatever the
//! number of cases. One that becomes an address, a length, an argument or something in memory is looked at
//! again and again, and is better off as a plain number on each of several paths.
//!
//! The answer is a fact about the code: values are followed along the paths of the function that makes the
//! call, through arithmetic, choices and local variables whose addresses nobody else has.

use std::ops::Range;

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
/// Steps of a walk, at most: ops that are looked at, and slots that are carried from one block to another.
/// Beyond that, the result counts as taken.
const MAX_STEPS: usize = 1 << 18;

/// The slots that have values which come from the result.
type Derived = Set<Slot>;

/// A value that comes from the result is used as a number or a pointer, or may be.
struct IsTaken;

/// The walk through a function.
struct UseWalk<'p> {
    program: &'p Program,
    call: Pc,
    addresses: Addresses,
    /// Local variables that hold a value which comes from the result.
    holding: Set<Pc>,
    /// Local variables whose addresses others have.
    escaped: Set<Pc>,
    steps: usize,
}

fn use_of(program: &Program, call: Pc) -> ResultUse {
    let function = program.function_at(call).map(|id| program.function(id));
    let is_call = matches!(program.ops.get(call as usize), Some(Op::Call { .. }));
    let Some(function) = function.filter(|f| is_call && f.end - f.entry <= MAX_OPS) else {
        return ResultUse::Taken;
    };
    let mut walk = UseWalk {
        program,
        call,
        addresses: Addresses::new(program, function.entry..function.end),
        holding: Set::default(),
        escaped: Set::default(),
        steps: 0,
    };
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

/// The slots of a function that have addresses of local variables. A variable's name is the op that makes it.
///
/// Slots are shared only by values that are alive in separate ranges of ops: the last op before an op that
/// writes a slot is the one whose value is there.
struct Addresses {
    /// The ops that write a slot, ascending, and whether they make a variable.
    writers: Map<Slot, Vec<(Pc, bool)>>,
}

impl Addresses {
    fn new(program: &Program, ops: Range<Pc>) -> Addresses {
        let mut writers: Map<Slot, Vec<(Pc, bool)>> = Map::default();
        for pc in ops {
            let op = &program.ops[pc as usize];
            let makes = matches!(op, Op::Alloca { .. });
            for slot in slots_of(program.accesses(op).writes) {
                writers.entry(slot).or_default().push((pc, makes));
            }
        }
        writers.retain(|_, writers| writers.iter().any(|(_, makes)| *makes));
        Addresses { writers }
    }

    /// The local variable whose address an operand of an op is.
    fn variable(&self, pc: Pc, operand: Operand) -> Option<Pc> {
        let writers = self.writers.get(&operand.as_slot()?)?;
        let earlier = writers.partition_point(|(writer, _)| *writer < pc);
        let (writer, makes) = writers[earlier.checked_sub(1)?];
        makes.then_some(writer)
    }
}

fn slots_of(rows: Vec<(Slot, u32)>) -> impl Iterator<Item = Slot> {
    rows.into_iter().flat_map(|(first, n)| (0..n).map(move |i| first.plus(i)))
}

impl UseWalk<'_> {
    /// Walks through all code that can be reached from a place.
    fn pass(&mut self, entry: Pc) -> Result<(), IsTaken> {
        let mut known: Map<Pc, Derived> = Map::default();
        known.insert(entry, Derived::default());
        let mut todo = vec![entry];
        while let Some(start) = todo.pop() {
            let mut derived = known[&start].clone();
            self.spend(derived.len())?;
            let mut pc = start;
            loop {
                let op = &self.program.ops[pc as usize];
                self.spend(1)?;
                self.step(pc, op, &mut derived)?;
                for target in self.targets(op) {
                    self.spend(derived.len())?;
                    let grew = match known.get_mut(&target) {
                        Some(there) => {
                            let before = there.len();
                            there.extend(derived.iter().copied());
                            there.len() != before
                        }
                        None => known.insert(target, derived.clone()).is_none(),
                    };
                    if grew {
                        todo.push(target);
                    }
                }
                if op.insts().is_some() && !matches!(op, Op::Tick { .. } | Op::Call { .. }) {
                    break;
                }
                pc += 1;
            }
        }
        Ok(())
    }

    fn spend(&mut self, steps: usize) -> Result<(), IsTaken> {
        self.steps += steps;
        if self.steps > MAX_STEPS { Err(IsTaken) } else { Ok(()) }
    }

    /// Where a control op may go on, other than at the next op.
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
            Op::Call { site, .. } => {
                let landing = self.program.call(site).landing.as_ref();
                landing.map(|landing| landing.target).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Follows values through an op.
    fn step(&mut self, pc: Pc, op: &Op, derived: &mut Derived) -> Result<(), IsTaken> {
        let is_derived =
            |operand: Operand| operand.as_slot().is_some_and(|slot| derived.contains(&slot));
        let mut result = false;
        match *op {
            Op::ICmp { .. } | Op::CompareBranch { .. } | Op::Branch { .. } | Op::Switch { .. } => {}
            Op::Load { ptr, .. } | Op::Store { ptr, .. } if is_derived(ptr) => return Err(IsTaken),
            Op::Load { ptr, off, .. } => {
                let variable = self.addresses.variable(pc, ptr);
                result = variable.is_some_and(|variable| self.holding.contains(&variable));
                if result && off != 0 {
                    return Err(IsTaken);
                }
            }
            Op::Store { val, ptr, off, .. } if is_derived(val) => {
                match self.addresses.variable(pc, ptr) {
                    Some(variable) if off == 0 => {
                        self.holding.insert(variable);
                    }
                    _ => return Err(IsTaken),
                }
            }
            Op::Store { val, .. } => self.escaped.extend(self.addresses.variable(pc, val)),
            _ => result = self.computes(pc, op, derived)?,
        }
        for slot in slots_of(self.program.accesses(op).writes) {
            match result {
                true => derived.insert(slot),
                false => derived.remove(&slot),
            };
        }
        if pc == self.call
            && let Op::Call { site, .. } = op
        {
            let site = self.program.call(*site);
            derived.extend((0..u32::from(site.ret_slots)).map(|n| site.dst.plus(n)));
        }
        Ok(())
    }

    /// Whether an op computes something out of values that come from the result.
    fn computes(&mut self, pc: Pc, op: &Op, derived: &Derived) -> Result<bool, IsTaken> {
        let mut result = false;
        for (first, n) in self.program.accesses(op).reads {
            for operand in (0..n).map(|i| first.plus(i)) {
                if operand.as_slot().is_some_and(|slot| derived.contains(&slot)) {
                    if !is_arithmetic(op) {
                        return Err(IsTaken);
                    }
                    result = true;
                }
                self.escaped.extend(self.addresses.variable(pc, operand));
            }
        }
        Ok(result)
    }
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
