//! Calls whose type differs from the function's: what the x86-64 System V convention makes of them.
//!
//! Arguments are put into registers by the type of the call and taken out by the type of the
//! function. An integer of another width is the low bits of its register: what is narrower was filled
//! up to 32 bits as the caller's type says, and with zeros beyond, as a processor does. Arguments that
//! nobody takes do no harm. What is in another kind of register, on another place of the stack, or not
//! there at all has no value; the path ends with a finding that names both types.
//!
//! Not here: calls that agree with their function, which are all others (`call.rs`, `hot.rs`).

use everett_ir::{CallSite, Extension, FloatKind, FuncId, Operand, Signature, ValueClass, VarArg};
use smallvec::SmallVec;

use crate::bug::{Bug, BugKind};
use crate::flow::{Ending, Flow};
use crate::interp::Interp;
use crate::ops::call::PassedVariable;
use crate::reg::Reg;
use crate::state::State;

/// General registers that pass arguments.
const GENERAL_PARAMS: u32 = 6;
/// Vector registers that pass arguments.
const VECTOR_PARAMS: u32 = 8;
/// General registers that pass results, and vector registers that do.
const RESULTS: u32 = 2;

/// Where the convention puts a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
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
struct Line {
    general: u32,
    vector: u32,
    float: u32,
    stack: u32,
}

impl Line {
    fn param(&mut self, class: ValueClass) -> Place {
        let (size, align) = match class {
            ValueClass::Int { bits, .. } if bits <= 128 => {
                let n = bits.div_ceil(64);
                if self.general + n <= GENERAL_PARAMS {
                    return Place::General(advance(&mut self.general, n));
                }
                (8 * n, 8 * n)
            }
            ValueClass::Pointer | ValueClass::ResultAddress { .. } => {
                if self.general < GENERAL_PARAMS {
                    return Place::General(advance(&mut self.general, 1));
                }
                (8, 8)
            }
            ValueClass::Float(FloatKind::X87) => (16, 16),
            ValueClass::Float(_) | ValueClass::Vector { .. } => {
                if self.vector < VECTOR_PARAMS {
                    return Place::Vector(advance(&mut self.vector, 1));
                }
                let bytes = bits(class).div_ceil(8).next_power_of_two();
                (bytes, bytes.max(8))
            }
            ValueClass::Int { bits, .. } => (bits.div_ceil(8), 8),
            ValueClass::Bytes { size, align } => (size, align),
        };
        let at = self.stack.next_multiple_of(align.max(8));
        self.stack = at.saturating_add(size.next_multiple_of(8));
        Place::Stack(at)
    }

    /// Where a result is; more of them than registers are beyond all that a call can take.
    fn result(&mut self, class: ValueClass) -> Place {
        match class {
            ValueClass::Float(FloatKind::X87) => Place::Float(advance(&mut self.float, 1)),
            ValueClass::Float(_) | ValueClass::Vector { .. } => {
                Place::Vector(advance(&mut self.vector, 1))
            }
            _ => Place::General(advance(&mut self.general, class.slots())),
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
struct Passed {
    class: ValueClass,
    regs: SmallVec<[Reg; 2]>,
}

/// The arguments of a call as the function takes them.
pub(crate) struct Arranged {
    /// The function's parameters, one register a slot.
    pub(crate) fixed: SmallVec<[Reg; 8]>,
    /// What is left for a function that takes variable arguments.
    pub(crate) variable: Vec<(VarArg, SmallVec<[Reg; 2]>)>,
}

impl<X: Clone> Interp<'_, X> {
    /// Arranges the arguments of a call for a function of another type.
    pub(crate) fn arrange(
        &self,
        site: &CallSite,
        func: FuncId,
        fixed: &[Reg],
        variable: &[PassedVariable<'_>],
    ) -> Result<Arranged, Flow> {
        let program = &self.image.program;
        let function = program.function(func);
        let (called, wanted) =
            (program.signature(site.signature), program.signature(function.signature));
        let passed = self.passed(called, fixed, variable);
        let places = line_up(passed.iter().map(|value| value.class), Line::param);
        let takes = line_up(wanted.params.iter().copied(), Line::param);
        let mut arranged = Arranged { fixed: SmallVec::new(), variable: Vec::new() };
        for (number, (class, place)) in (1..).zip(wanted.params.iter().zip(takes)) {
            let found = places.iter().position(|other| *other == place);
            let taken = found.and_then(|at| self.take(&passed[at], *class));
            match taken {
                Some(regs) => arranged.fixed.extend(regs),
                None => {
                    let given = found.map(|at| passed[at].class);
                    return Err(self.mismatch(site, func, &trouble(number, *class, given)));
                }
            }
        }
        if function.var_args {
            let rest = passed.into_iter().skip(wanted.params.len());
            arranged.variable = rest.map(|value| self.as_variable(value)).collect();
        }
        Ok(arranged)
    }

    /// All arguments of a call, those behind the fixed ones too.
    fn passed(
        &self,
        called: &Signature,
        mut fixed: &[Reg],
        variable: &[PassedVariable<'_>],
    ) -> Vec<Passed> {
        let named = called.params.iter().map(|class| split(*class, &mut fixed));
        let mut all: Vec<Passed> = named.collect();
        for (arg, regs) in variable {
            let regs = match arg.class {
                // Variable vectors are passed as the words that they fill.
                ValueClass::Vector { lanes, bits } if !arg.by_val => {
                    self.regroup(regs, &arg.widths, &vec![bits; lanes as usize])
                }
                _ => regs.clone(),
            };
            all.push(Passed { class: arg.class, regs });
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
    fn take(&self, value: &Passed, class: ValueClass) -> Option<SmallVec<[Reg; 2]>> {
        if value.class == class {
            return Some(value.regs.clone());
        }
        match (value.class, class) {
            (ValueClass::Bytes { size, .. }, ValueClass::Bytes { size: other, .. }) => {
                (size == other).then(|| value.regs.clone())
            }
            (ValueClass::ResultAddress { size }, ValueClass::ResultAddress { size: other }) => {
                (size == other).then(|| value.regs.clone())
            }
            (from, to) => {
                let (from_bits, to_bits) = (from.word_bits()?, to.word_bits()?);
                let extension = match from {
                    ValueClass::Int { extension, .. } => extension,
                    _ => Extension::None,
                };
                let reg = self.in_register(value.regs[0], from_bits, extension, to_bits);
                Some(SmallVec::from_slice(&[reg]))
            }
        }
    }

    /// An integer of `from` bits, read from its register as one of `to` bits.
    fn in_register(&self, reg: Reg, from: u32, extension: Extension, to: u32) -> Reg {
        if from == to {
            return reg;
        }
        let mut term = self.reg_term(reg, from);
        if extension == Extension::Sign && from < 32 && to > from {
            term = self.pool.sext(term, 32);
        }
        self.term_reg(self.resize(term, to))
    }

    /// An argument of a call without `...`, for a function that has them.
    fn as_variable(&self, value: Passed) -> (VarArg, SmallVec<[Reg; 2]>) {
        let Passed { class, mut regs } = value;
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
        let (called, given) = (
            program.signature(site.signature),
            program.signature(program.function(func).signature),
        );
        let mut rest = values;
        let returned: Vec<Passed> =
            given.results.iter().map(|class| split(*class, &mut rest)).collect();
        let places = line_up(given.results.iter().copied(), Line::result);
        let wanted = line_up(called.results.iter().copied(), Line::result);
        let mut taken: SmallVec<[Reg; 4]> = SmallVec::new();
        for (class, place) in called.results.iter().zip(wanted) {
            let found = places.iter().position(|other| *other == place && is_register(*other));
            match found.and_then(|at| self.take(&returned[at], *class)) {
                Some(regs) => taken.extend(regs),
                // A result that nobody reads, or that only a library passes on, as it does with
                // those of threads and of `main`, is any value.
                None if !site.result_used || self.is_in_library(st) => {
                    taken.extend((0..class.slots()).map(|_| Reg::word(0)));
                }
                None => {
                    let given = found.map(|at| returned[at].class);
                    let trouble = match given {
                        Some(given) => {
                            format!("the result is of type {given}, and read as {class}")
                        }
                        None if returned.is_empty() => "there is no result to read".to_owned(),
                        None => format!("there is no result of type {class} to read"),
                    };
                    return Err(self.mismatch(site, func, &trouble));
                }
            }
        }
        Ok(taken)
    }

    fn is_in_library(&self, st: &State<X>) -> bool {
        self.image.program.function(st.stack.top().func).library
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
        Flow::End(Ending::Bug(Box::new(Bug::new(BugKind::CallMismatch, message))))
    }
}

fn is_register(place: Place) -> bool {
    match place {
        Place::General(n) | Place::Vector(n) | Place::Float(n) => n < RESULTS,
        Place::Stack(_) => false,
    }
}

/// What is wrong with a parameter, counted from 1.
fn trouble(number: usize, class: ValueClass, given: Option<ValueClass>) -> String {
    match given {
        None => format!("parameter {number} of type {class} is not passed"),
        Some(given) => format!("parameter {number} is of type {class}, and {given} is passed"),
    }
}

fn line_up(
    classes: impl Iterator<Item = ValueClass>,
    place: fn(&mut Line, ValueClass) -> Place,
) -> Vec<Place> {
    let mut line = Line::default();
    classes.map(|class| place(&mut line, class)).collect()
}

/// Takes the registers of a value off the front of a row.
fn split(class: ValueClass, row: &mut &[Reg]) -> Passed {
    let n = (class.slots() as usize).min(row.len());
    let (own, rest) = row.split_at(n);
    *row = rest;
    Passed { class, regs: SmallVec::from_slice(own) }
}
