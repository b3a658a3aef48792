//! Decides, before any op is emitted, which instructions need slots.
//!
//! Many instructions compute nothing: their value is a part of another value, or an address that
//! the access itself can add up, or a condition that the branch itself can evaluate. [`FunctionPlan`] gives
//! each instruction its [`ValueRole`]; liveness and emission both follow it.

use everett_base::{Map, Set};

use crate::sys::{BasicBlock, Inst, Opcode, Value};

use crate::lower::LowerResult;
use crate::lower::debug::DebugVariables;
use crate::lower::expr::AddressSummand;
use crate::lower::instructions::intrinsic;
use crate::lower::program::ProgramLowering;
use crate::lower::shape::{lanes, scalar};

/// The form that an instruction's value takes in the lowered program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueRole<'m> {
    /// It has no value.
    Nothing,
    /// It is kept in that many slots of its own.
    Slots(u32),
    /// It is part of another value, from slot `skip` on.
    Alias {
        /// The other value.
        of: Value<'m>,
        /// Slots before the part.
        skip: u32,
    },
    /// Its only users compute it themselves: a constant offset, or a condition.
    Folded,
}

/// The reachable code of a function and the roles of its instructions.
pub(crate) struct FunctionPlan<'m> {
    /// The blocks in layout order, reachable or not.
    pub(crate) blocks: Vec<PlannedBlock<'m>>,
    /// Position of each block.
    pub(crate) position: Map<BasicBlock<'m>, u32>,
    /// Roles of instructions, and the slots of arguments.
    pub(crate) roles: Map<Value<'m>, ValueRole<'m>>,
    /// Names of variables.
    pub(crate) variables: DebugVariables<'m>,
    /// The largest of the variables that may share one place on the native stack.
    largest_sharing: Option<(u64, Value<'m>)>,
    /// The variables whose addresses are used by loads and stores alone, so that they are known nowhere else.
    pub(crate) locals: Set<Value<'m>>,
    /// True if a call may return twice, so that no slot may be used for two values.
    pub(crate) returns_twice: bool,
}

/// A block and its instructions.
pub(crate) struct PlannedBlock<'m> {
    /// Its instructions, debug intrinsics left out.
    pub(crate) insts: Vec<Inst<'m>>,
    /// Positions of the blocks that may follow.
    pub(crate) successors: Vec<u32>,
    /// Positions of the reachable blocks that may come before.
    pub(crate) predecessors: Vec<u32>,
    /// True if control can get here.
    pub(crate) reachable: bool,
}

impl<'m> FunctionPlan<'m> {
    /// Plans a defined function.
    pub(crate) fn new(
        unit: &mut ProgramLowering<'m>,
        function: Value<'m>,
    ) -> LowerResult<FunctionPlan<'m>> {
        let blocks = function.blocks();
        let position: Map<_, _> = blocks.iter().copied().zip(0..).collect();
        let mut plan = FunctionPlan {
            blocks: Vec::new(),
            position,
            roles: Map::default(),
            variables: DebugVariables::default(),
            largest_sharing: None,
            locals: Set::default(),
            returns_twice: false,
        };
        for block in blocks {
            plan.read_block(block);
        }
        plan.variables.described().iter().for_each(|&node| unit.type_roots.add(node));
        plan.find_reachable();
        for param in function.params() {
            let slots = unit.slots(param.ty())?;
            plan.roles.insert(param, ValueRole::Slots(slots));
        }
        for block in 0..plan.blocks.len() {
            if plan.blocks[block].reachable {
                for inst in plan.blocks[block].insts.clone() {
                    let role = plan.role(unit, inst);
                    plan.roles.insert(inst.value(), role);
                    if inst.opcode() == Opcode::Alloca {
                        plan.note_variable(unit, inst);
                    }
                }
            }
        }
        Ok(plan)
    }

    fn note_variable(&mut self, unit: &ProgramLowering<'m>, inst: Inst<'m>) {
        let variable = inst.value();
        if is_local(variable) {
            self.locals.insert(variable);
        }
        let (ty, _) = inst.allocated();
        if shares_place(inst) && ty.is_sized() {
            let count = inst.operand(0).as_u64().unwrap_or(0);
            let bytes = unit.layout.alloc_size(ty).saturating_mul(count);
            let largest = self.largest_sharing.filter(|(most, _)| *most >= bytes);
            self.largest_sharing = largest.or(Some((bytes, variable)));
        }
    }

    /// Returns true if a variable counts for the size of the native stack.
    pub(crate) fn has_place(&self, alloca: Inst<'m>) -> bool {
        let is_largest = self.largest_sharing.is_some_and(|(_, most)| most == alloca.value());
        is_largest || !shares_place(alloca)
    }

    fn read_block(&mut self, block: BasicBlock<'m>) {
        let mut insts = Vec::new();
        for inst in block.instructions() {
            if let Some(name) = intrinsic::debug_name(inst) {
                self.variables.note(&name, inst);
                continue;
            }
            self.returns_twice |= inst.may_return_twice();
            insts.push(inst);
        }
        let terminator = block.terminator();
        let successors = terminator.map(Inst::successors).unwrap_or_default();
        let successors = successors.iter().filter_map(|s| self.position.get(s).copied()).collect();
        self.blocks.push(PlannedBlock {
            insts,
            successors,
            predecessors: Vec::new(),
            reachable: false,
        });
    }

    fn find_reachable(&mut self) {
        let mut stack = vec![0u32];
        let mut edges = Vec::new();
        while let Some(at) = stack.pop() {
            let block = &mut self.blocks[at as usize];
            if std::mem::replace(&mut block.reachable, true) {
                continue;
            }
            let distinct: Set<u32> = block.successors.iter().copied().collect();
            let mut distinct: Vec<u32> = distinct.into_iter().collect();
            distinct.sort_unstable();
            edges.extend(distinct.iter().map(|to| (at, *to)));
            stack.extend(distinct);
        }
        edges.sort_unstable();
        for (from, to) in edges {
            self.blocks[to as usize].predecessors.push(from);
        }
    }

    fn role(&self, unit: &mut ProgramLowering<'m>, inst: Inst<'m>) -> ValueRole<'m> {
        // A type without slots makes the instruction unsupported; emission says so.
        let slots = match unit.slots(inst.ty()) {
            Ok(0) | Err(_) => return ValueRole::Nothing,
            Ok(slots) => slots,
        };
        match alias(unit, inst) {
            Some((of, skip)) => ValueRole::Alias { of, skip },
            None if folds(unit, inst) => ValueRole::Folded,
            None => ValueRole::Slots(slots),
        }
    }

    /// Returns true if calls of the function may end by an exception that it does not pass on at once.
    pub(crate) fn has_landing_pads(&self) -> bool {
        let is_pad = |inst: &Inst<'_>| inst.opcode() == Opcode::LandingPad;
        self.blocks.iter().any(|block| block.insts.iter().any(is_pad))
    }

    /// The role of a value that is no constant.
    pub(crate) fn role_of(&self, value: Value<'m>) -> ValueRole<'m> {
        self.roles.get(&value).copied().unwrap_or(ValueRole::Nothing)
    }

    /// Calls `found` for each value whose slots are read to compute `value`.
    pub(crate) fn roots(&self, value: Value<'m>, found: &mut impl FnMut(Value<'m>)) {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            if value.is_constant() {
                continue;
            }
            match self.role_of(value) {
                ValueRole::Nothing => {}
                ValueRole::Slots(_) => found(value),
                ValueRole::Alias { of, .. } => pending.push(of),
                ValueRole::Folded => {
                    let base = value.operand(0);
                    pending.push(base);
                    if value.as_inst().is_some_and(|inst| inst.opcode() == Opcode::ICmp) {
                        pending.push(value.operand(1));
                    }
                }
            }
        }
    }

    /// The value that `value` is part of, and the slots before it.
    pub(crate) fn resolve(&self, value: Value<'m>) -> (Value<'m>, u32) {
        let (mut value, mut skipped) = (value, 0);
        while let ValueRole::Alias { of, skip } = self.role_of(value) {
            value = of;
            skipped += skip;
        }
        (value, skipped)
    }
}

/// The value that an instruction's value is part of.
fn alias<'m>(unit: &mut ProgramLowering<'m>, inst: Inst<'m>) -> Option<(Value<'m>, u32)> {
    let same = |value| Some((value, 0));
    match inst.opcode() {
        Opcode::AddrSpaceCast => same(inst.operand(0)),
        Opcode::BitCast | Opcode::PtrToInt | Opcode::IntToPtr => {
            let (from, to) = (lanes(inst.operand(0).ty()).ok()?, lanes(inst.ty()).ok()?);
            if from.bits() == to.bits() { same(inst.operand(0)) } else { None }
        }
        Opcode::ExtractValue => {
            let mut ty = inst.operand(0).ty();
            let mut skip = 0;
            for index in inst.indices() {
                let (before, member) = unit.member(ty, index).ok()?;
                skip += before;
                ty = member;
            }
            Some((inst.operand(0), skip))
        }
        Opcode::ExtractElement => {
            let lanes = lanes(inst.operand(0).ty()).ok()?;
            let index = inst.operand(1).as_u64().filter(|index| *index < lanes.count.into())?;
            Some((inst.operand(0), index as u32 * lanes.stride()))
        }
        Opcode::GetElementPtr => {
            scalar(inst.ty())?;
            let steps = unit.steps(inst.value()).ok()?;
            if steps.is_empty() { same(inst.operand(0)) } else { None }
        }
        Opcode::Call => intrinsic::passes_through(inst).and_then(same),
        _ => None,
    }
}

/// Returns `true` if the only users of a value compute it themselves.
fn folds<'m>(unit: &mut ProgramLowering<'m>, inst: Inst<'m>) -> bool {
    match inst.opcode() {
        Opcode::GetElementPtr => {
            if constant_offset(unit, inst.value()).is_none() {
                return false;
            }
            let users = inst.value().users();
            !users.is_empty() && users.iter().all(|user| uses_as_address(*user, inst.value()))
        }
        Opcode::ICmp => {
            let narrow = scalar(inst.operand(0).ty()).is_some_and(|s| s.bits() <= 64);
            let users = inst.value().users();
            let [user] = users.as_slice() else { return false };
            narrow
                && user.as_inst().is_some_and(|user| {
                    user.opcode() == Opcode::Br && user.parent() == inst.parent()
                })
        }
        _ => false,
    }
}

/// The offset of an address computation that is a base plus a number.
pub(crate) fn constant_offset<'m>(unit: &mut ProgramLowering<'m>, gep: Value<'m>) -> Option<i32> {
    scalar(gep.ty())?;
    match unit.steps(gep).ok()?.as_slice() {
        [AddressSummand::Offset(offset)] => i32::try_from(*offset).ok(),
        _ => None,
    }
}

/// Returns `true` if the address of a variable is used by loads and stores alone.
fn is_local(variable: Value<'_>) -> bool {
    let mut users = variable.users().into_iter();
    users.all(|user| uses_as_address(user, variable) || marks_lifetime(user))
}

/// Returns `true` if native code may give a variable and another one the same place: its size is known, and
/// the function says where its life begins and ends.
fn shares_place(alloca: Inst<'_>) -> bool {
    let has_lifetime = |user: Value<'_>| {
        let is_cast = user.as_inst().is_some_and(|inst| inst.opcode() == Opcode::BitCast);
        marks_lifetime(user) || is_cast && user.users().into_iter().any(marks_lifetime)
    };
    alloca.operand(0).as_u64().is_some() && alloca.value().users().into_iter().any(has_lifetime)
}

fn marks_lifetime(user: Value<'_>) -> bool {
    let inst = user.as_inst().filter(|inst| inst.opcode() == Opcode::Call);
    inst.is_some_and(intrinsic::marks_lifetime)
}

fn uses_as_address<'m>(user: Value<'m>, address: Value<'m>) -> bool {
    let Some(user) = user.as_inst() else { return false };
    match user.opcode() {
        Opcode::Load => true,
        Opcode::Store => user.operand(0) != address,
        _ => false,
    }
}
