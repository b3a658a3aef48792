//! Takes templates and constraints of inline assembly apart (LangRef, "Inline Asm Constraint
//! String"; AT&T syntax).

/// A template with its operands.
pub(super) struct AsmTemplate {
    /// The instructions.
    pub(super) statements: Vec<AsmStatement>,
    /// The operands that `$0`, `$1` and so on stand for.
    pub(super) places: Vec<AsmOperand>,
    registers: Vec<Option<ImplicitRegister>>,
}

/// One instruction.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AsmStatement {
    /// Its name, lower case, without prefixes.
    pub(super) mnemonic: String,
    /// Its arguments.
    pub(super) args: Vec<AsmArgument>,
    /// The letter of each argument that names a part of its register.
    pub(super) modifiers: Vec<Option<char>>,
}

/// An argument of an instruction.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AsmArgument {
    /// `$n`, whatever its modifier.
    Operand(usize),
    /// A number.
    Immediate(i64),
    /// `%cl`.
    CountRegister,
    /// Another register that is named, and its bits.
    Register(ImplicitRegister, u32),
    /// Anything else.
    Other,
}

/// The thing that an operand of the template stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AsmOperand {
    /// A field of the result.
    Output { field: usize },
    /// A field of the result that receives the zero flag.
    Flag { field: usize },
    /// A field of the result that receives another condition.
    Condition { field: usize, code: String },
    /// Memory that is written; the argument is its address.
    MemoryOutput { arg: u32 },
    /// An argument.
    Input { arg: u32 },
    /// An argument in the register of an output.
    Tied { arg: u32, to: usize },
    /// Memory that is read; the argument is its address.
    MemoryInput { arg: u32 },
}

/// Registers that instructions use without naming them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImplicitRegister {
    Accumulator,
    Base,
    Count,
    Data,
}

impl AsmTemplate {
    /// Parses both; `None` when something is of no known form.
    pub(super) fn parse(text: &str, constraints: &str) -> Option<AsmTemplate> {
        let mut template =
            AsmTemplate { statements: statements(text), places: Vec::new(), registers: Vec::new() };
        let (mut field, mut arg) = (0, 0);
        for constraint in split(constraints) {
            if constraint.starts_with('~') {
                continue;
            }
            let register = register(constraint);
            let next = |counter: &mut u32| {
                *counter += 1;
                *counter - 1
            };
            let place = if let Some(output) = constraint.strip_prefix('=') {
                let output = output.trim_start_matches('&');
                if output.starts_with('*') {
                    AsmOperand::MemoryOutput { arg: next(&mut arg) }
                } else {
                    field += 1;
                    match output {
                        "{@ccz}" | "{@cce}" => AsmOperand::Flag { field: field - 1 },
                        _ if output.starts_with("{@cc") => {
                            let code = output[4..].trim_end_matches('}').to_owned();
                            AsmOperand::Condition { field: field - 1, code }
                        }
                        _ => AsmOperand::Output { field: field - 1 },
                    }
                }
            } else if constraint.starts_with('!') {
                return None;
            } else if constraint.starts_with('*') {
                AsmOperand::MemoryInput { arg: next(&mut arg) }
            } else if let Some(to) = tied(constraint) {
                AsmOperand::Tied { arg: next(&mut arg), to }
            } else {
                AsmOperand::Input { arg: next(&mut arg) }
            };
            template.places.push(place);
            template.registers.push(register);
        }
        Some(template)
    }

    /// The operand in a register.
    pub(super) fn in_register(&self, wanted: ImplicitRegister, output: bool) -> Option<usize> {
        (0..self.places.len()).find(|number| {
            let is_output = matches!(self.places[*number], AsmOperand::Output { .. });
            let register = match self.places[*number] {
                AsmOperand::Tied { to, .. } => self.registers.get(to).copied().flatten(),
                _ => self.registers[*number],
            };
            is_output == output && register == Some(wanted)
        })
    }

    /// The input in the accumulator.
    pub(super) fn accumulator_input(&self) -> Option<usize> {
        self.in_register(ImplicitRegister::Accumulator, false)
    }

    /// The output in the accumulator.
    pub(super) fn accumulator_output(&self) -> Option<usize> {
        self.in_register(ImplicitRegister::Accumulator, true)
    }

    /// The input in the register that holds the upper half of a double word.
    pub(super) fn data_input(&self) -> Option<usize> {
        self.in_register(ImplicitRegister::Data, false)
    }

    /// The output in the register that holds the upper half of a double word.
    pub(super) fn data_output(&self) -> Option<usize> {
        self.in_register(ImplicitRegister::Data, true)
    }

    /// The input in the register that counts shifts.
    pub(super) fn count_register(&self) -> Option<usize> {
        self.in_register(ImplicitRegister::Count, false)
    }
}

/// The instructions that an operation of the engine carries out alone, which may have a suffix.
const SINGLE_NAMES: &[&str] = &[
    "nop", "pause", "mfence", "lfence", "sfence", "bswap", "bsf", "tzcnt", "lzcnt", "popcnt",
    "bsr", "rol", "ror", "mov", "cmpxchg", "xadd", "xchg", "inc", "dec", "add", "sub", "or", "and",
    "xor",
];

/// The name of such an instruction and the bits that its size suffix asks for.
pub(super) fn split_suffix(mnemonic: &str) -> (&str, Option<u32>) {
    split_known_suffix(mnemonic, SINGLE_NAMES)
}

/// The instruction's name and the bits that its size suffix asks for, if the name behind it is a known one.
pub(super) fn split_known_suffix<'m>(mnemonic: &'m str, known: &[&str]) -> (&'m str, Option<u32>) {
    if known.contains(&mnemonic) {
        return (mnemonic, None);
    }
    let bits = match mnemonic.as_bytes().last() {
        Some(b'b') => 8,
        Some(b'w') => 16,
        Some(b'l') => 32,
        Some(b'q') => 64,
        _ => return (mnemonic, None),
    };
    let name = &mnemonic[..mnemonic.len() - 1];
    if known.contains(&name) { (name, Some(bits)) } else { (mnemonic, None) }
}

/// Constraints are separated by commas, which do not occur inside braces.
fn split(constraints: &str) -> impl Iterator<Item = &str> {
    constraints.split(',').map(str::trim).filter(|constraint| !constraint.is_empty())
}

fn tied(constraint: &str) -> Option<usize> {
    // A percent sign says that the operand may change places with the next one.
    let constraint = constraint.trim_start_matches('%');
    constraint.chars().all(|c| c.is_ascii_digit()).then(|| constraint.parse().ok())?
}

fn register(constraint: &str) -> Option<ImplicitRegister> {
    match constraint.trim_start_matches(['=', '&', '+', '%']) {
        "{ax}" | "{al}" | "{eax}" | "{rax}" | "a" => Some(ImplicitRegister::Accumulator),
        "{bx}" | "{bl}" | "{ebx}" | "{rbx}" | "b" => Some(ImplicitRegister::Base),
        "{dx}" | "{edx}" | "{rdx}" | "d" => Some(ImplicitRegister::Data),
        "{cx}" | "{cl}" | "{ecx}" | "{rcx}" | "c" => Some(ImplicitRegister::Count),
        _ => None,
    }
}

/// The instructions of a template. Lock prefixes go: the ops are atomic anyway.
fn statements(text: &str) -> Vec<AsmStatement> {
    let lines = text.split(['\n', ';']).map(|line| line.split('#').next().unwrap_or_default());
    let mut found = Vec::new();
    for line in lines {
        let mut rest = line.trim();
        while let Some((prefix, after)) = prefix(rest) {
            debug_assert!(!prefix.is_empty());
            rest = after.trim();
        }
        if rest.is_empty() {
            continue;
        }
        let (mnemonic, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let args = arguments(args);
        found.push(AsmStatement {
            mnemonic: mnemonic.to_lowercase(),
            modifiers: args.iter().map(|arg| modifier(arg)).collect(),
            args: args.into_iter().map(argument).collect(),
        });
    }
    found
}

fn prefix(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    // `rep; nop` is how old assemblers spell `pause`.
    matches!(first, "lock" | "rep").then_some((first, rest))
}

/// Splits at commas outside parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found.retain(|arg| !arg.is_empty());
    found
}

/// The letter in `${0:w}`.
fn modifier(text: &str) -> Option<char> {
    text.strip_prefix("${")?.trim_end_matches('}').split_once(':')?.1.chars().next()
}

fn named_register(text: &str) -> Option<AsmArgument> {
    use ImplicitRegister::{Accumulator, Base, Count, Data};
    let name = text.strip_prefix('%')?.trim_start_matches('%');
    let (bits, rest) = match name.as_bytes() {
        [b'r', ..] => (64, &name[1..]),
        [b'e', ..] => (32, &name[1..]),
        [_, b'x'] => (16, name),
        [_, b'l'] => (8, name),
        _ => return None,
    };
    let register = match rest {
        "ax" | "al" => Accumulator,
        "bx" | "bl" => Base,
        "cx" => Count,
        "dx" | "dl" => Data,
        _ => return None,
    };
    Some(AsmArgument::Register(register, bits))
}

fn argument(text: &str) -> AsmArgument {
    if text == "%cl" {
        return AsmArgument::CountRegister;
    }
    if let Some(register) = named_register(text) {
        return register;
    }
    if let Some(number) = text.strip_prefix("$$") {
        return parse_number(number).map_or(AsmArgument::Other, AsmArgument::Immediate);
    }
    if let Some(operand) = text.strip_prefix('$') {
        let number = operand.strip_prefix('{').map_or(operand, |inner| {
            inner.trim_end_matches('}').split(':').next().unwrap_or_default()
        });
        return number.parse().map_or(AsmArgument::Other, AsmArgument::Operand);
    }
    AsmArgument::Other
}

fn parse_number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_and_separators_are_dropped() {
        let found = statements("lock; cmpxchgl ${1:k}, $0\n\tsete $2 # set");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].mnemonic, "cmpxchgl");
        assert_eq!(found[0].args, [AsmArgument::Operand(1), AsmArgument::Operand(0)]);
        assert_eq!(found[1].mnemonic, "sete");
        assert!(statements(" \n\t ; ").is_empty());
    }

    #[test]
    fn arguments_keep_addresses_together() {
        let found = statements("addl $$0, 0(%rsp,%rax,4)");
        assert_eq!(found[0].args, [AsmArgument::Immediate(0), AsmArgument::Other]);
    }

    #[test]
    fn constraints_become_places() {
        let template =
            AsmTemplate::parse("", "={ax},=*m,r,0,*m,~{memory},~{flags}").expect("known forms");
        let expected = [
            AsmOperand::Output { field: 0 },
            AsmOperand::MemoryOutput { arg: 0 },
            AsmOperand::Input { arg: 1 },
            AsmOperand::Tied { arg: 2, to: 0 },
            AsmOperand::MemoryInput { arg: 3 },
        ];
        assert_eq!(template.places, expected);
        assert_eq!(template.accumulator_input(), Some(3));
        assert_eq!(template.accumulator_output(), Some(0));
        // The first input may change places with the second.
        let template = AsmTemplate::parse("", "={ax},={dx},%0,1,rm").expect("known forms");
        assert_eq!(template.places[2], AsmOperand::Tied { arg: 0, to: 0 });
        assert_eq!((template.data_input(), template.data_output()), (Some(3), Some(1)));
    }

    #[test]
    fn suffixes_give_widths() {
        assert_eq!(split_suffix("incl"), ("inc", Some(32)));
        assert_eq!(split_suffix("sub"), ("sub", None));
        assert_eq!(split_suffix("subb"), ("sub", Some(8)));
        assert_eq!(split_suffix("rol"), ("rol", None));
        assert_eq!(split_suffix("cpuid"), ("cpuid", None));
    }
}
