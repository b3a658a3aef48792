//! Calls whose type differs from the function's: what the x86-64 System V convention makes of them.
//!
//! Arguments are put into registers by the type of the call and taken out by the type of the
//! function. An integer of another width is the low bits of its register: what is narrower was filled
//! up to 32 bits as the caller's type says, and with zeros beyond, as a processor does. Arguments that
//! nobody takes do no harm. What is in another kind of register, on another place of the stack, or not
//! there at all has no value; if the function reads it, the path ends with a finding that names both types.
//!
//! Not here: calls that agree with their function, which are all others (`call.rs`, `hot.rs`).

use everett_ir::{
    ByVal, CallSite, FloatKind, FuncId, IntExtension, Op, Operand, Pc, Signature, Slot, ValueClass,
    VarArg,
};
use smallvec::SmallVec;

use crate::bug::{Bug, BugKind};
use crate::flow::{Flow, PathEnding};
use crate::interp::Interp;
use crate::ops::call::PassedVariable;
use crate::state::State;
use crate::state::reg::Reg;

/// General registers that pass arguments.
pub(super) const GENERAL_PARAMS: u32 = 6;
/// Vector registers that pass arguments.
pub(super) const VECTOR_PARAMS: u32 = 8;
/// General registers that pass results, and vector registers that do.
const RESULTS: u32 = 2;

/// The place at which the convention puts a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentPlace {
    /// General registers from this one on.
    General(u32),
    /// A vector register.
    Vector(u32),
    /// A register of the x87 unit.
    Float(u32),
    /// The stack, at this distance from its beginning.
    Stack(u32),
}

/// Values as the convention lines them up.
#[derive(Default)]
struct ArgumentLine {
    general: u32,
    vector: u32,
    float: u32,
    stack: u32,
}

impl ArgumentLine {
    fn param(&mut self, class: ValueClass) -> ArgumentPlace {
        let (size, align) = match class {
            ValueClass::Int { bits, .. } if bits <= 128 => {
                let n = bits.div_ceil(64);
                if self.general + n <= GENERAL_PARAMS {
                    return ArgumentPlace::General(advance(&mut self.general, n));
                }
                (8 * n, 8 * n)
            }
            ValueClass::Pointer | ValueClass::ResultAddress { .. } => {
                if self.general < GENERAL_PARAMS {
                    return ArgumentPlace::General(advance(&mut self.general, 1));
                }
                (8, 8)
            }
            ValueClass::Float(FloatKind::X87) => (16, 16),
            ValueClass::Float(_) | ValueClass::Vector { .. } => {
                if self.vector < VECTOR_PARAMS {
                    return ArgumentPlace::Vector(advance(&mut self.vector, 1));
                }
                let bytes = bits(class).div_ceil(8).next_power_of_two();
                (bytes, bytes.max(8))
            }
            ValueClass::Int { bits, .. } => (bits.div_ceil(8), 8),
            ValueClass::Bytes { size, align } => (size, align),
        };
        let at = self.stack.next_multiple_of(align.max(8));
        self.stack = at.saturating_add(size.next_multiple_of(8));
        ArgumentPlace::Stack(at)
    }

    /// Returns true if a place is behind all values of the line, where a function with `...` finds its
    /// variable arguments.
    fn is_before(&self, place: ArgumentPlace) -> bool {
        match place {
            ArgumentPlace::General(n) => n >= self.general,
            ArgumentPlace::Vector(n) => n >= self.vector,
            ArgumentPlace::Float(n) => n >= self.float,
            ArgumentPlace::Stack(at) => at >= self.stack,
        }
    }

    /// The place of a result; more of them than registers are beyond all that a call can take.
    fn result(&mut self, class: ValueClass) -> ArgumentPlace {
        match class {
            ValueClass::Float(FloatKind::X87) => ArgumentPlace::Float(advance(&mut self.float, 1)),
            ValueClass::Float(_) | ValueClass::Vector { .. } => {
                ArgumentPlace::Vector(advance(&mut self.vector, 1))
            }
            _ => ArgumentPlace::General(advance(&mut self.general, class.slots())),
        }
    }
}

fn advance(next: &mut u32, n: u32) -> u32 {
    *next += n;
    *next - n
}

/// Width of a floating-point number or a vector.
fn bits(class: ValueClass) -> u32 {
    match class {
        ValueClass::Float(kind) => kind.bits(),
        ValueClass::Vector { lanes, bits } => lanes * bits,
        _ => 64,
    }
}

/// A value on its way: its class and its registers.
#[derive(Clone)]
struct PassedValue {
    class: ValueClass,
    regs: SmallVec<[Reg; 2]>,
}

/// The arguments of a call as the function takes them.
#[derive(Default)]
pub(crate) struct ArrangedArguments {
    /// The function's parameters, one register a slot.
    pub(crate) fixed: SmallVec<[Reg; 8]>,
    /// Parameters that are addresses of what the function gets a copy of.
    pub(crate) by_val: Vec<ByVal>,
    /// The rest, for a function that takes variable arguments.
    pub(crate) variable: Vec<(VarArg, SmallVec<[Reg; 2]>)>,
    /// The places of these.
    pub(crate) places: Vec<ArgumentPlace>,
}

impl<X: Clone> Interp<'_, X> {
    /// Arranges the arguments of a call for a function of another type.
    pub(crate) fn arrange(
        &self,
        site: &CallSite,
        func: FuncId,
        fixed: &[Reg],
        variable: &[PassedVariable<'_>],
    ) -> Result<ArrangedArguments, Flow> {
        let program = &self.image.program;
        let function = program.function(func);
        let (called, wanted) =
            (program.signature(site.signature), program.signature(function.signature));
        let passed = self.passed(called, fixed, variable);
        let places = line_up(passed.iter().map(|value| value.class), ArgumentLine::param);
        let mut line = ArgumentLine::default();
        let mut arranged = ArrangedArguments::default();
        for (number, &class) in (1..).zip(&wanted.params) {
            let place = line.param(class);
            let found = places.iter().position(|other| *other == place);
            let taken = found.and_then(|at| self.take(&passed[at], class));
            let first = arranged.fixed.len();
            match (taken, class) {
                (Some(regs), ValueClass::Bytes { size, align }) => {
                    arranged.by_val.push(ByVal { arg: first as u16, size, align });
                    arranged.fixed.extend(regs);
                }
                (Some(regs), _) => arranged.fixed.extend(regs),
                (None, _)
                    if function.defined && self.is_unread(func, first as u32, class.slots()) =>
                {
                    arranged.fixed.extend((0..class.slots()).map(|_| Reg::word(0)));
                }
                (None, _) => {
                    let given = found.map(|at| passed[at].class);
                    return Err(self.mismatch(site, func, &trouble(number, class, given)));
                }
            }
        }
        if function.var_args {
            for (value, place) in passed.into_iter().zip(places) {
                if line.is_before(place) {
                    arranged.variable.push(self.as_variable(value));
                    arranged.places.push(place);
                }
            }
        }
        Ok(arranged)
    }

    /// Returns true if a function does not read parameters, but for putting them into local variables that it
    /// does not read, as compilers do without optimisation.
    fn is_unread(&self, func: FuncId, first: u32, n: u32) -> bool {
        let program = &self.image.program;
        let entry = program.function(func).entry;
        let mut reads =
            (first..first + n).flat_map(|slot| program.readers(func, Slot(slot), entry));
        reads.all(|(pc, op)| match *op {
            Op::Store { val, ptr, .. } if val != ptr => {
                ptr.as_slot().is_some_and(|address| self.is_only_written(func, address, pc))
            }
            _ => false,
        })
    }

    /// Returns true if a slot has the address of a local variable at an op, and that is only written.
    fn is_only_written(&self, func: FuncId, address: Slot, at: Pc) -> bool {
        let program = &self.image.program;
        let Some(made) = program.writer(func, address, at) else { return false };
        let mut reads = program.readers(func, address, made + 1);
        matches!(program.ops[made as usize], Op::Alloca { .. })
            && reads.all(|(_, op)| match *op {
                Op::Store { val, .. } => val.as_slot() != Some(address),
                _ => false,
            })
    }

    /// All arguments of a call, those behind the fixed ones too.
    fn passed(
        &self,
        called: &Signature,
        mut fixed: &[Reg],
        variable: &[PassedVariable<'_>],
    ) -> Vec<PassedValue> {
        let named = called.params.iter().map(|class| split(*class, &mut fixed));
        let mut all: Vec<PassedValue> = named.collect();
        for (arg, regs) in variable {
            let regs = match arg.class {
                // Variable vectors are passed as the words that they fill.
                ValueClass::Vector { lanes, bits } if !arg.by_val => {
                    self.regroup(regs, &arg.widths, &vec![bits; lanes as usize])
                }
                _ => regs.clone(),
            };
            all.push(PassedValue { class: arg.class, regs });
        }
        all
    }

    /// The bits of a row of registers, cut anew.
    fn regroup(&self, regs: &[Reg], widths: &[u8], into: &[u32]) -> SmallVec<[Reg; 2]> {
        let terms = regs.iter().zip(widths).map(|(reg, w)| self.reg_term(*reg, (*w).into()));
        let Some(whole) = terms.reduce(|low, high| self.pool.concat(high, low)) else {
            return SmallVec::new();
        };
        let mut at = 0;
        let pieces = into.iter().map(|bits| {
            let piece = self.pool.extract(whole, at, *bits);
            at += bits;
            self.term_reg(piece)
        });
        pieces.collect()
    }

    /// The registers of a value that is taken as one of another class.
    fn take(&self, value: &PassedValue, class: ValueClass) -> Option<SmallVec<[Reg; 2]>> {
        if !is_taken_as(value.class, class) {
            return None;
        }
        let (Some(from), Some(to)) = (value.class.word_bits(), class.word_bits()) else {
            return Some(value.regs.clone());
        };
        let extension = match value.class {
            ValueClass::Int { extension, .. } => extension,
            _ => IntExtension::None,
        };
        let reg = self.in_register(value.regs[0], from, extension, to);
        Some(SmallVec::from_slice(&[reg]))
    }

    /// An integer of `from` bits, read from its register as one of `to` bits.
    fn in_register(&self, reg: Reg, from: u32, extension: IntExtension, to: u32) -> Reg {
        if from == to {
            return reg;
        }
        let mut term = self.reg_term(reg, from);
        if extension == IntExtension::Sign && from < 32 && to > from {
            term = self.pool.sext(term, 32);
        }
        self.term_reg(self.resize(term, to))
    }

    /// An argument of a call without `...`, for a function that has them.
    fn as_variable(&self, value: PassedValue) -> (VarArg, SmallVec<[Reg; 2]>) {
        let PassedValue { class, mut regs } = value;
        let mut widths: Vec<u8> = vec![64; regs.len()];
        let (size, align, by_val) = match class {
            ValueClass::Int { bits, extension } if bits <= 64 => {
                let promoted = bits.max(32);
                regs[0] = self.in_register(regs[0], bits, extension, promoted);
                widths[0] = promoted as u8;
                (promoted.div_ceil(8), 8, false)
            }
            ValueClass::Bytes { size, align } => (size, align, true),
            ValueClass::Float(kind) => {
                let last = kind.bits() - 64 * (kind.slots() - 1);
                widths[kind.slots() as usize - 1] = last as u8;
                (kind.bits().div_ceil(8), if kind.slots() > 1 { 16 } else { 8 }, false)
            }
            ValueClass::Vector { lanes, bits } if bits <= 64 => {
                let whole = lanes * bits;
                let mut words = vec![64; whole.div_ceil(64) as usize];
                if let Some(last) = words.last_mut() {
                    *last = (whole - 1) % 64 + 1;
                }
                regs = self.regroup(&regs, &vec![bits as u8; lanes as usize], &words);
                widths = words.iter().map(|bits| *bits as u8).collect();
                let bytes = whole.div_ceil(8);
                (bytes, bytes.next_power_of_two().max(8), false)
            }
            ValueClass::Int { .. } | ValueClass::Vector { .. } => {
                (8 * widths.len() as u32, 16, false)
            }
            ValueClass::Pointer | ValueClass::ResultAddress { .. } => (8, 8, false),
        };
        let value = Operand::constant(0);
        (VarArg { value, class, widths, size, align, by_val }, regs)
    }

    /// The result of a function as a call of another type takes it.
    pub(crate) fn arrange_result(
        &self,
        st: &State<X>,
        site: &CallSite,
        func: FuncId,
        values: &[Reg],
    ) -> Result<SmallVec<[Reg; 4]>, Flow> {
        let program = &self.image.program;
        let given = program.signature(program.function(func).signature);
        // The usual case is a `main` without parameters.
        if given.results == program.signature(site.signature).results {
            return Ok(SmallVec::from_slice(values));
        }
        let mut rest = values;
        let returned: Vec<PassedValue> =
            given.results.iter().map(|class| split(*class, &mut rest)).collect();
        let sources = self.result_sources(st, site, func)?;
        let wanted = &program.signature(site.signature).results;
        let taken = wanted.iter().zip(sources).flat_map(|(class, source)| {
            let regs = source.and_then(|at| self.take(&returned[at], *class));
            regs.unwrap_or_else(|| (0..class.slots()).map(|_| Reg::word(0)).collect())
        });
        Ok(taken.collect())
    }

    /// Ends the path if a call of another type cannot take the result of a function that the engine
    /// implements.
    pub(crate) fn check_result(
        &self,
        st: &State<X>,
        site: &CallSite,
        func: FuncId,
    ) -> Result<(), Flow> {
        if site.signature == self.image.program.function(func).signature {
            return Ok(());
        }
        self.result_sources(st, site, func).map(|_| ())
    }

    /// For each result that a call takes the number of the one that the function returns in its place.
    /// There is none where it does not matter.
    fn result_sources(
        &self,
        st: &State<X>,
        site: &CallSite,
        func: FuncId,
    ) -> Result<SmallVec<[Option<usize>; 2]>, Flow> {
        let program = &self.image.program;
        let returned = &program.signature(program.function(func).signature).results;
        let called = &program.signature(site.signature).results;
        let places = line_up(returned.iter().copied(), ArgumentLine::result);
        let wanted = line_up(called.iter().copied(), ArgumentLine::result);
        let mut sources = SmallVec::new();
        for (class, place) in called.iter().zip(wanted) {
            let found = places.iter().position(|other| *other == place && is_register(*other));
            if found.is_some_and(|at| is_taken_as(returned[at], *class)) {
                sources.push(found);
            } else if !site.result_used || self.only_passes_on(st, site) {
                sources.push(None);
            } else {
                let trouble = match found.map(|at| returned[at]) {
                    Some(given) => format!("the result is of type {given}, and read as {class}"),
                    None if returned.is_empty() => "there is no result to read".to_owned(),
                    None => format!("there is no result of type {class} to read"),
                };
                return Err(self.mismatch(site, func, &trouble));
            }
        }
        Ok(sources)
    }

    /// Returns true if the caller is in a library and only passes the result of this call to other functions,
    /// as it does with those of `main` and of threads: then any value will do.
    fn only_passes_on(&self, st: &State<X>, site: &CallSite) -> bool {
        let program = &self.image.program;
        let caller = st.stack.top().func;
        if !program.function(caller).library {
            return false;
        }
        let behind = st.pc() + 1;
        let mut values: Vec<(Slot, Pc)> =
            (0..u32::from(site.ret_slots)).map(|i| (site.dst.plus(i), behind)).collect();
        while let Some((slot, from)) = values.pop() {
            for (pc, reader) in program.readers(caller, slot, from) {
                match *reader {
                    Op::Call { .. } => {}
                    Op::SExt { dst, .. } | Op::ZExt { dst, .. } => values.push((dst, pc + 1)),
                    _ => return false,
                }
            }
        }
        true
    }

    /// The end of a path in a call that takes what was not given.
    fn mismatch(&self, site: &CallSite, func: FuncId, trouble: &str) -> Flow {
        let program = &self.image.program;
        let function = program.function(func);
        let message = format!(
            "'{}' is called as '{}', but it is '{}': {trouble}",
            function.name,
            program.signature(site.signature).of(""),
            program.signature(function.signature).of(&function.name),
        );
        Flow::End(PathEnding::Bug(Box::new(Bug::new(BugKind::CallMismatch, message))))
    }
}

/// Returns true if a value can be read as one of a class from the same place.
fn is_taken_as(value: ValueClass, class: ValueClass) -> bool {
    match (value, class) {
        _ if value == class => true,
        (ValueClass::Bytes { size, .. }, ValueClass::Bytes { size: other, .. })
        | (ValueClass::ResultAddress { size }, ValueClass::ResultAddress { size: other }) => {
            size == other
        }
        _ => value.word_bits().is_some() && class.word_bits().is_some(),
    }
}

fn is_register(place: ArgumentPlace) -> bool {
    match place {
        ArgumentPlace::General(n) | ArgumentPlace::Vector(n) | ArgumentPlace::Float(n) => {
            n < RESULTS
        }
        ArgumentPlace::Stack(_) => false,
    }
}

/// The trouble with a parameter, counted from 1, for a message.
fn trouble(number: usize, class: ValueClass, given: Option<ValueClass>) -> String {
    match given {
        None => format!("parameter {number} of type {class} is not passed"),
        Some(given) => format!("parameter {number} is of type {class}, and {given} is passed"),
    }
}

fn line_up(
    classes: impl Iterator<Item = ValueClass>,
    place: fn(&mut ArgumentLine, ValueClass) -> ArgumentPlace,
) -> Vec<ArgumentPlace> {
    let mut line = ArgumentLine::default();
    classes.map(|class| place(&mut line, class)).collect()
}

/// Takes the registers of a value off the front of a row.
fn split(class: ValueClass, row: &mut &[Reg]) -> PassedValue {
    let n = (class.slots() as usize).min(row.len());
    let (own, rest) = row.split_at(n);
    *row = rest;
    PassedValue { class, regs: SmallVec::from_slice(own) }
}
