//! Constants as words: what operands and initialisers are made of.

use everett_ir::{Const, Operand, words};

use crate::sys::{Type, TypeKind, Value};

use super::program::ProgramLowering;
use super::shape::{ScalarType, scalar};
use super::{LowerResult, UnsupportedConstruct};

/// The depth to which constants may be nested; evaluation is recursive, so this bounds the stack.
const MAX_DEPTH: u32 = 200;

/// The reason for which a constant has no words.
#[derive(Debug)]
pub(crate) enum NoConstantWords {
    /// Its value differs between threads, or is known only after start-up: code must compute it.
    NeedsCode,
    /// The engine cannot express it.
    Unsupported(UnsupportedConstruct),
}

impl From<UnsupportedConstruct> for NoConstantWords {
    fn from(reason: UnsupportedConstruct) -> NoConstantWords {
        NoConstantWords::Unsupported(reason)
    }
}

/// The outcome of evaluating a constant.
pub(crate) type ConstantWords = Result<Vec<Const>, NoConstantWords>;

impl<'m> ProgramLowering<'m> {
    /// The operand that reads a constant.
    pub(crate) fn constant(&mut self, value: Value<'m>) -> Result<Operand, NoConstantWords> {
        if let Some(found) = self.operands.get(&value) {
            return Ok(*found);
        }
        let words = self.words(value, 0)?;
        let operand = self.constants(words);
        self.operands.insert(value, operand);
        Ok(operand)
    }

    /// The words of a constant, one a slot. `depth` counts the constants around it.
    pub(crate) fn words(&mut self, value: Value<'m>, depth: u32) -> ConstantWords {
        if depth > MAX_DEPTH {
            return Err(UnsupportedConstruct::new("constant nested too deeply").into());
        }
        let ty = value.ty();
        if value.is_undef() || value.is_null() {
            return Ok(vec![Const::Int(0); self.slots(ty)? as usize]);
        }
        if let Some(number) = value.as_u64() {
            return Ok(vec![Const::Int(number)]);
        }
        if value.is_int() {
            return Ok(ints(&wide_int(value)?));
        }
        if value.is_float() {
            return Ok(ints(&float_words(value)?));
        }
        if value.is_function() || value.is_global_variable() || value.is_ifunc() {
            return self.address_of(value).map(|word| vec![word]);
        }
        if value.is_alias() {
            return self.words(value.aliasee(), depth + 1);
        }
        if value.is_block_address() {
            return Ok(vec![self.block_address(value)]);
        }
        if value.is_constant_expr() {
            return self.expression(value, depth);
        }
        if let Some(bytes) = value.as_bytes() {
            return Ok(bytes.into_iter().map(|byte| Const::Int(byte.into())).collect());
        }
        match element_count(ty) {
            Some(count) => self.elements(value, count, depth),
            // What is left wraps another address: signed pointers, `dso_local_equivalent`, `no_cfi`.
            None if value.operand_count() > 0 => self.words(value.operand(0), depth + 1),
            None => Err(UnsupportedConstruct::new(format!("constant {}", value.print())).into()),
        }
    }

    fn elements(&mut self, value: Value<'m>, count: u64, depth: u32) -> ConstantWords {
        self.slots(value.ty())?;
        let mut found = Vec::new();
        for index in 0..count {
            let element = u32::try_from(index).ok().and_then(|index| value.element(index));
            let Some(element) = element else {
                return Err(UnsupportedConstruct::new(format!(
                    "element {index} of {}",
                    value.print()
                ))
                .into());
            };
            found.extend(self.words(element, depth + 1)?);
        }
        Ok(found)
    }

    /// The address of a function or a global variable.
    fn address_of(&self, value: Value<'m>) -> Result<Const, NoConstantWords> {
        if self.is_absent(value) {
            return Ok(Const::Int(0));
        }
        if value.is_ifunc() {
            return Err(NoConstantWords::NeedsCode);
        }
        if let Some(func) = self.functions.get(&value) {
            return Ok(Const::Func(*func));
        }
        match self.globals.get(&value) {
            Some(_) if value.is_thread_local() => Err(NoConstantWords::NeedsCode),
            Some(global) => Ok(Const::Global { global: *global, offset: 0 }),
            None => Err(UnsupportedConstruct::new(format!("address of {}", value.name())).into()),
        }
    }

    /// The address of a block. Its first op is not known yet: until the program is complete, the
    /// entry holds the position of the block in its function.
    fn block_address(&mut self, value: Value<'m>) -> Const {
        let (function, block) = value.block_address();
        let Some(func) = self.functions.get(&function).copied() else { return Const::Int(0) };
        let Some(block) = block else { return Const::Int(0) };
        if !self.block_positions.contains_key(&block) {
            for (position, block) in (0..).zip(function.blocks()) {
                self.block_positions.insert(block, position);
            }
        }
        let pc = self.block_positions.get(&block).copied().unwrap_or(0);
        Const::Block { func, pc }
    }
}

/// Number of elements of an aggregate or vector type.
pub(crate) fn element_count(ty: Type<'_>) -> Option<u64> {
    match ty.kind() {
        TypeKind::Struct => Some(ty.field_count().into()),
        TypeKind::Array(_, count) => Some(count),
        TypeKind::Vector(_, count) => Some(count.into()),
        _ => None,
    }
}

/// Numbers as constants.
pub(crate) fn ints(words: &[u64]) -> Vec<Const> {
    words.iter().map(|word| Const::Int(*word)).collect()
}

/// The words of an integer constant of any width, low word first.
pub(crate) fn wide_int(value: Value<'_>) -> LowerResult<Vec<u64>> {
    let TypeKind::Int(width) = value.ty().kind() else {
        return Err(UnsupportedConstruct::new(format!("integer constant {}", value.print())));
    };
    if let Some(number) = value.as_u64() {
        return Ok(vec![number]);
    }
    // LLVM's C interface gives 64 bits only, but prints all of them: `i128 -12345`.
    let text = value.print();
    let digits = text.rsplit(' ').next().unwrap_or_default();
    parse_decimal(digits, width)
        .ok_or_else(|| UnsupportedConstruct::new(format!("integer constant {text}")))
}

fn float_words(value: Value<'_>) -> LowerResult<Vec<u64>> {
    let Some(ScalarType::Float(kind)) = scalar(value.ty()) else {
        return Err(UnsupportedConstruct::new(format!("floating constant {}", value.print())));
    };
    wide_int(value.float_bits(kind.bits()))
}

/// A signed decimal number as the words of a two's complement integer of `width` bits.
pub(crate) fn parse_decimal(text: &str, width: u32) -> Option<Vec<u64>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut number = vec![0u64; words(width) as usize];
    if digits.is_empty() {
        return None;
    }
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for word in &mut number {
            let product = u128::from(*word) * 10 + carry;
            *word = product as u64;
            carry = product >> 64;
        }
    }
    if negative {
        let mut carry = true;
        for word in &mut number {
            let (sum, overflow) = (!*word).overflowing_add(carry.into());
            (*word, carry) = (sum, overflow);
        }
    }
    let top = width - (number.len() as u32 - 1) * 64;
    if let Some(last) = number.last_mut() {
        *last &= u64::MAX >> (64 - top);
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::parse_decimal;

    #[test]
    fn decimal_numbers_become_words() {
        assert_eq!(parse_decimal("0", 128), Some(vec![0, 0]));
        assert_eq!(parse_decimal("-1", 128), Some(vec![u64::MAX, u64::MAX]));
        assert_eq!(parse_decimal("18446744073709551616", 65), Some(vec![0, 1]));
        assert_eq!(parse_decimal("-1", 65), Some(vec![u64::MAX, 1]));
        assert_eq!(parse_decimal("x", 65), None);
        assert_eq!(parse_decimal("-", 65), None);
    }
}
