//! The runtime of the undefined-behaviour sanitizer: the functions that code calls which clang has compiled
//! with `-fsanitize=undefined` and its relatives, where a check of theirs fails.
//!
//! Each failed check is a bug, with the sanitizer's own words. A function gets the address of its data, which
//! tell the types, and the operands of the check.
//!
//! Not here: checks of function types and of dynamic types, which the bitcode of `everett cc` does without.

mod values;

use everett_expr::TermId;
use everett_interp::{Bug, BugKind, Flow, Halt, PathEnding};

use super::Primitives;
use super::call::PrimitiveCall;
use values::{CheckData, Operand};

macro_rules! failed_checks {
    ($($variant:ident: $($name:literal)|+),* $(,)?) => {
        /// A check that has failed.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum FailedCheck { $($variant),* }

        /// The functions that are called, each by two names: one of them does not return.
        pub(super) const TABLE: &[(&str, FailedCheck)] = &[$($(
            (concat!("__ubsan_handle_", $name), FailedCheck::$variant),
            (concat!("__ubsan_handle_", $name, "_abort"), FailedCheck::$variant),
        )+)*];
    };
}

failed_checks! {
    Access: "type_mismatch_v1",
    AlignmentAssumption: "alignment_assumption",
    Add: "add_overflow",
    Subtract: "sub_overflow",
    Multiply: "mul_overflow",
    Negate: "negate_overflow",
    Divide: "divrem_overflow",
    Shift: "shift_out_of_bounds",
    Index: "out_of_bounds",
    Unreachable: "builtin_unreachable",
    MissingReturn: "missing_return",
    ArraySize: "vla_bound_not_positive",
    FloatCast: "float_cast_overflow",
    Load: "load_invalid_value",
    Conversion: "implicit_conversion",
    Builtin: "invalid_builtin",
    NullReturned: "nonnull_return_v1" | "nullability_return_v1",
    NullArgument: "nonnull_arg" | "nullability_arg",
    PointerOverflow: "pointer_overflow",
}

/// The accesses of [`FailedCheck::Access`], by their numbers.
const ACCESSES: [&str; 12] = [
    "load of",
    "store to",
    "reference binding to",
    "member access within",
    "member call on",
    "constructor call on",
    "downcast of",
    "downcast of",
    "upcast of",
    "cast to virtual base of",
    "_Nonnull binding to",
    "dynamic operation on",
];

/// The number of the built-in function for zeros at the end; the other one is for those at the beginning.
const COUNTS_TRAILING_ZEROS: u64 = 0;

impl Primitives {
    /// Ends the path in the bug that a failed check is.
    pub(super) fn failed_check(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        check: FailedCheck,
    ) -> Result<Flow, Halt> {
        let bug = explain(call, check)?;
        Ok(Flow::End(PathEnding::Bug(Box::new(bug))))
    }
}

fn explain(call: &mut PrimitiveCall<'_, '_>, check: FailedCheck) -> Result<Bug, Halt> {
    let data = CheckData::at(call.settle(0)?);
    let bug = match check {
        FailedCheck::Access => access(call, data)?,
        FailedCheck::AlignmentAssumption => alignment_assumption(call, data),
        FailedCheck::Add => overflow(call, data, "+"),
        FailedCheck::Subtract => overflow(call, data, "-"),
        FailedCheck::Multiply => overflow(call, data, "*"),
        FailedCheck::Negate => negation(call, data),
        FailedCheck::Divide => division(call, data)?,
        FailedCheck::Shift => shift(call, data)?,
        FailedCheck::Index => {
            let index = data.operand(call, 1, 1);
            let array = data.type_at(call, 0);
            let message = format!("index {index} out of bounds for type {}", array.name);
            Bug::new(BugKind::OutOfBounds, message)
        }
        FailedCheck::Unreachable => {
            Bug::new(BugKind::Unreachable, "execution reached an unreachable program point")
        }
        FailedCheck::MissingReturn => Bug::new(
            BugKind::MissingReturn,
            "execution reached the end of a value-returning function without returning a value",
        ),
        FailedCheck::ArraySize => {
            let bound = data.operand(call, 0, 1);
            let message =
                format!("variable length array bound evaluates to non-positive value {bound}");
            Bug::new(BugKind::ArraySize, message)
        }
        FailedCheck::FloatCast => {
            let (value, to) = (data.operand(call, 0, 1), data.type_at(call, 1));
            let message =
                format!("{value} is outside the range of representable values of type {}", to.name);
            Bug::new(BugKind::FloatCast, message)
        }
        FailedCheck::Load => {
            let value = data.operand(call, 0, 1);
            let of = &value.of.name;
            let message =
                format!("load of value {value}, which is not a valid value for type {of}");
            Bug::new(BugKind::InvalidValue, message)
        }
        FailedCheck::Conversion => conversion(call, data),
        FailedCheck::Builtin => {
            let function = match data.builtin(call) {
                COUNTS_TRAILING_ZEROS => "ctz()",
                _ => "clz()",
            };
            let message = format!("passing zero to {function}, which is not a valid argument");
            Bug::new(BugKind::Overflow, message)
        }
        FailedCheck::NullReturned => Bug::new(
            BugKind::NullArgument,
            "null pointer returned from function declared to never return null",
        ),
        FailedCheck::NullArgument => {
            let number = data.argument_number(call);
            let message = format!(
                "null pointer passed as argument {number}, which is declared to never be null"
            );
            Bug::new(BugKind::NullArgument, message)
        }
        FailedCheck::PointerOverflow => pointer_overflow(call),
    };
    Ok(bug)
}

/// Returns true if a condition holds. An optimiser lets several checks fail in one call: where a symbolic
/// operand tells which, each has a path.
fn holds(call: &mut PrimitiveCall<'_, '_>, condition: TermId) -> Result<bool, Halt> {
    Ok(call.cx.split_sibling(call.st, condition)?)
}

/// A pointer that is null, not aligned, or to an object that is too small.
fn access(call: &mut PrimitiveCall<'_, '_>, data: CheckData) -> Result<Bug, Halt> {
    let of = data.type_at(call, 0).name;
    let (alignment, kind) = data.access(call);
    let access = ACCESSES.get(kind).copied().unwrap_or("access to");
    let zero = call.cx.pool.constant(64, 0);
    let pointer = call.cx.reg_term(call.arg(1), 64);
    if holds(call, call.cx.pool.eq(pointer, zero))? {
        let message = format!("{access} null pointer of type {of}");
        return Ok(Bug::new(BugKind::NullPointer, message));
    }
    let odd_bits = call.cx.pool.and(pointer, call.cx.pool.constant(64, alignment - 1));
    let is_misaligned = holds(call, call.cx.pool.ne(odd_bits, zero))?;
    let at = pointer_text(call.cx.example_of(call.st, call.arg(1)));
    if is_misaligned {
        let message = format!(
            "{access} misaligned address {at} for type {of}, which requires {alignment} byte alignment"
        );
        return Ok(Bug::new(BugKind::Misaligned, message));
    }
    let message =
        format!("{access} address {at} with insufficient space for an object of type {of}");
    Ok(Bug::new(BugKind::OutOfBounds, message))
}

fn alignment_assumption(call: &mut PrimitiveCall<'_, '_>, data: CheckData) -> Bug {
    let of = data.type_behind_two_places(call).name;
    let alignment = call.cx.example_of(call.st, call.arg(2));
    let with_offset = match call.cx.example_of(call.st, call.arg(3)) {
        0 => String::new(),
        offset => format!(" (with offset of {offset} byte)"),
    };
    let message = format!(
        "assumption of {alignment} byte alignment{with_offset} for pointer of type {of} failed"
    );
    Bug::new(BugKind::Misaligned, message)
}

fn overflow(call: &mut PrimitiveCall<'_, '_>, data: CheckData, operator: &str) -> Bug {
    let (left, right) = (data.operand(call, 0, 1), data.operand(call, 0, 2));
    let (kind, sign) = overflow_kind(&left);
    let of = &left.of.name;
    let message = format!(
        "{sign} integer overflow: {left} {operator} {right} cannot be represented in type {of}"
    );
    Bug::new(kind, message)
}

fn overflow_kind(operand: &Operand) -> (BugKind, &'static str) {
    match operand.of.is_signed() {
        true => (BugKind::Overflow, "signed"),
        false => (BugKind::UnsignedOverflow, "unsigned"),
    }
}

fn negation(call: &mut PrimitiveCall<'_, '_>, data: CheckData) -> Bug {
    let value = data.operand(call, 0, 1);
    let (kind, _) = overflow_kind(&value);
    let advice = match value.of.is_signed() {
        true => "; cast to an unsigned type to negate this value to itself",
        false => "",
    };
    let of = &value.of.name;
    Bug::new(kind, format!("negation of {value} cannot be represented in type {of}{advice}"))
}

fn division(call: &mut PrimitiveCall<'_, '_>, data: CheckData) -> Result<Bug, Halt> {
    let of = data.type_at(call, 0);
    let is_by_zero = match of.term(call, 2) {
        Some(divisor) => {
            let zero = call.cx.pool.constant(of.bits(), 0);
            holds(call, call.cx.pool.eq(divisor, zero))?
        }
        None => data.operand(call, 0, 2).signed() != Some(-1),
    };
    if is_by_zero {
        return Ok(Bug::new(BugKind::DivideByZero, "division by zero"));
    }
    let (left, of) = (data.operand(call, 0, 1), of.name);
    let message = format!("division of {left} by -1 cannot be represented in type {of}");
    Ok(Bug::new(BugKind::Overflow, message))
}

fn shift(call: &mut PrimitiveCall<'_, '_>, data: CheckData) -> Result<Bug, Halt> {
    let (of, amount_type) = (data.type_at(call, 0), data.type_at(call, 1));
    let bits = of.bits();
    // A negative amount is a large one without its sign.
    let is_too_large = match amount_type.term(call, 2) {
        Some(amount) if amount_type.bits() >= 8 => {
            let limit = call.cx.pool.constant(amount_type.bits(), bits.into());
            holds(call, call.cx.pool.ule(limit, amount))?
        }
        // A number of a few bits, or one that is passed in memory.
        _ => {
            let amount = data.operand(call, 1, 2);
            amount.is_negative() || amount.is_at_least(bits)
        }
    };
    let (left, right) = (data.operand(call, 0, 1), data.operand(call, 1, 2));
    let of = of.name;
    if is_too_large {
        let message = match right.is_negative() {
            true => format!("shift exponent {right} is negative"),
            false => format!("shift exponent {right} is too large for {bits}-bit type {of}"),
        };
        return Ok(Bug::new(BugKind::Overshift, message));
    }
    let (kind, _) = overflow_kind(&left);
    let message = match left.is_negative() {
        true => format!("left shift of negative value {left}"),
        false => {
            format!("left shift of {left} by {right} places cannot be represented in type {of}")
        }
    };
    Ok(Bug::new(kind, message))
}

fn conversion(call: &mut PrimitiveCall<'_, '_>, data: CheckData) -> Bug {
    let (from, to) = (data.operand(call, 0, 1), data.operand(call, 1, 2));
    let sign = |value: &Operand| if value.of.is_signed() { "signed" } else { "unsigned" };
    let bitfield_bits = data.bitfield_bits(call);
    let size = match bitfield_bits {
        0 => format!("{}-bit", to.of.bits()),
        bits => format!("{bits}-bit bitfield"),
    };
    let message = format!(
        "implicit conversion from type {} of value {from} ({}-bit, {}) to type {} changed the value \
         to {to} ({size}, {})",
        from.of.name,
        from.of.bits(),
        sign(&from),
        to.of.name,
        sign(&to)
    );
    Bug::new(BugKind::Narrowing, message)
}

fn pointer_overflow(call: &mut PrimitiveCall<'_, '_>) -> Bug {
    let base = call.cx.example_of(call.st, call.arg(1));
    let result = call.cx.example_of(call.st, call.arg(2));
    let (from, to) = (pointer_text(base), pointer_text(result));
    let is_same_half = (base as i64 >= 0) == (result as i64 >= 0);
    let message = match (base, result) {
        (0, 0) => "applying zero offset to null pointer".to_owned(),
        (0, offset) => format!("applying non-zero offset {offset} to null pointer"),
        (_, 0) => {
            format!("applying non-zero offset to non-null pointer {from} produced null pointer")
        }
        _ if is_same_half && base > result => {
            format!("addition of unsigned offset to {from} overflowed to {to}")
        }
        _ if is_same_half => {
            format!("subtraction of unsigned offset from {from} overflowed to {to}")
        }
        _ => format!("pointer index expression with base {from} overflowed to {to}"),
    };
    Bug::new(BugKind::PointerOverflow, message)
}

fn pointer_text(pointer: u64) -> String {
    format!("{pointer:#014x}")
}
