//! Random conditions over one number of half precision, or over two that are made of a byte each.

use everett_base::FloatKind;
use everett_expr::{BitVec, FloatOp, IntegerRounding, Pool, TermId};

use crate::choices::Choices;

const HALF: FloatKind = FloatKind::Half;

/// Operators between the inputs and the comparison.
const OPERATORS_MAX: usize = 4;

/// The condition that the bytes describe; it mentions two symbolic bytes at most.
pub(crate) fn condition(pool: &Pool, data: &[u8]) -> TermId {
    let mut choices = Choices::new(data);
    let symbol = pool.symbol("number", 2);
    let bytes = [0, 1].map(|at| pool.byte(symbol, at));
    let mut numbers = if choices.flag() {
        vec![pool.concat(bytes[1], bytes[0])]
    } else {
        let signed = choices.flag();
        let from_int = FloatOp::FromInt { to: HALF, signed };
        bytes.map(|byte| pool.float(from_int, 16, byte, None)).to_vec()
    };
    for _ in 0..1 + choices.below(OPERATORS_MAX) {
        let [a, b, c] = std::array::from_fn(|_| operand(pool, &mut choices, &numbers));
        numbers.push(result(pool, &mut choices, [a, b, c]));
    }
    let last = numbers[numbers.len() - 1];
    let other = operand(pool, &mut choices, &numbers);
    let compare =
        choices.pick(&[FloatOp::Equal(HALF), FloatOp::Less(HALF), FloatOp::LessOrEqual(HALF)]);
    let holds = pool.float(compare, 1, last, Some(other));
    let bits = pool.eq(last, other);
    // Equal bits are asked for, too: they tell zeros and NaNs apart.
    let wanted = if choices.below(4) == 0 { bits } else { holds };
    if choices.flag() { wanted } else { pool.not(wanted) }
}

/// A number that was made before, or a constant.
fn operand(pool: &Pool, choices: &mut Choices<'_>, numbers: &[TermId]) -> TermId {
    if choices.below(3) > 0 {
        return numbers[numbers.len() - 1 - choices.below(numbers.len())];
    }
    let special = [0x0000, 0x8000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01];
    if choices.flag() {
        return pool.constant(16, choices.pick(&special));
    }
    let integer = BitVec::from_i64(16, choices.below(200) as i64 - 100);
    let number = FloatOp::FromInt { to: HALF, signed: true }.apply_wide(16, &integer, None);
    pool.big_constant(&number)
}

/// An operator on numbers of half precision with a result of the same format.
fn result(pool: &Pool, choices: &mut Choices<'_>, [a, b, c]: [TermId; 3]) -> TermId {
    let wide = choices.pick(&[FloatKind::BFloat, FloatKind::F32, FloatKind::F64]);
    let convert = |from: FloatKind, to: FloatKind, number| {
        pool.float(FloatOp::Convert { from, to }, to.bits(), number, None)
    };
    let binary = |op, a, b| pool.float(op, 16, a, Some(b));
    match choices.below(10) {
        0 => binary(FloatOp::Add(HALF), a, b),
        1 => binary(FloatOp::Sub(HALF), a, b),
        2 => binary(FloatOp::Mul(HALF), a, b),
        3 => binary(FloatOp::Div(HALF), a, b),
        4 => binary(FloatOp::MulAdd(HALF), pool.concat(a, b), c),
        5 => pool.float(FloatOp::Sqrt(HALF), 16, a, None),
        6 => {
            let direction = choices.pick(&IntegerRounding::ALL);
            pool.float(FloatOp::Round(HALF, direction), 16, a, None)
        }
        7 => {
            let (x, y) = (convert(HALF, wide, a), convert(HALF, wide, b));
            let sum = pool.float(FloatOp::Add(wide), wide.bits(), x, Some(y));
            convert(wide, HALF, sum)
        }
        8 => {
            let signed = choices.flag();
            let width = choices.pick(&[7, 8, 16, 32]);
            let integer = pool.float(FloatOp::ToInt { from: HALF, signed }, width, a, None);
            pool.float(FloatOp::FromInt { to: HALF, signed }, 16, integer, None)
        }
        _ => pool.float_min_num(HALF, a, b, choices.flag()),
    }
}
