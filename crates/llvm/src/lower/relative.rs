//! Relative tables: arrays of 32-bit distances from the table to what its entries stand for.
//!
//! Compilers make them of switches whose cases are addresses, since distances need no relocation. They
//! assume that a program's variables lie within two gigabytes of each other, and here they do not. So a
//! table that is read through `llvm.load.relative` only becomes a table of addresses, twice as large.

use everett_ir::Relocation;

use crate::sys::{Opcode, TypeKind, Value};

use super::constant::element_count;
use super::program::ProgramLowering;
use super::symbol::through_aliases;
use super::{LowerResult, UnsupportedConstruct};

/// Bytes of an entry here.
const ENTRY_BYTES: u64 = 8;
/// The factor by which the offset of an entry is larger than in the module.
pub(super) const STRETCH: i32 = 2;

impl<'m> ProgramLowering<'m> {
    /// Notes a global variable that is such a table.
    pub(super) fn note_relative(&mut self, global: Value<'m>) {
        if is_relative(global) {
            self.relative.insert(global);
        }
    }

    /// Bytes that a table of addresses takes.
    pub(super) fn relative_size(table: Value<'m>) -> u64 {
        element_count(table.value_type()).unwrap_or(0) * ENTRY_BYTES
    }

    /// Fills a table with addresses.
    pub(super) fn initialise_relative(&mut self, table: Value<'m>) -> LowerResult {
        let Some(global) = self.globals.get(&table).copied() else { return Ok(()) };
        let entries = table.initializer().map(|init| targets(table, init)).unwrap_or_default();
        let mut relocs = Vec::new();
        for (position, target) in (0..).zip(entries) {
            let Some(target) = target else { continue };
            let Ok(words) = self.words(target, 0) else {
                return Err(UnsupportedConstruct::new(format!("entry {}", target.print())));
            };
            let offset = position * ENTRY_BYTES;
            let bytes = ENTRY_BYTES as u8;
            relocs.extend(words.into_iter().map(|value| Relocation { offset, bytes, value }));
        }
        self.program.globals[global.index()].relocs = relocs;
        Ok(())
    }
}

fn is_relative(global: Value<'_>) -> bool {
    let ty = global.value_type();
    let TypeKind::Array(element, _) = ty.kind() else { return false };
    if global.is_declaration() || !global.is_read_only() || element.kind() != TypeKind::Int(32) {
        return false;
    }
    let Some(init) = global.initializer() else { return false };
    if init.is_null() || init.is_undef() || init.as_bytes().is_some() {
        return false;
    }
    let entries = targets(global, init);
    let read_only_so = global.users().into_iter().all(|user| match user.as_inst() {
        Some(inst) => {
            let callee = (inst.opcode() == Opcode::Call).then(|| inst.callee());
            let callee = callee.filter(|callee| callee.is_function());
            callee.and_then(Value::intrinsic_name).is_some_and(|name| name == "llvm.load.relative")
        }
        // Its own address in its initialiser.
        None => user.is_constant_expr() && user.expr_opcode() == Opcode::PtrToInt,
    });
    read_only_so && !entries.is_empty() && entries.iter().all(Option::is_some)
}

/// Returns the functions that the entries of a table stand for; `None` for an entry of another form.
fn targets<'m>(table: Value<'m>, init: Value<'m>) -> Vec<Option<Value<'m>>> {
    (0..).map_while(|index| init.element(index)).map(|entry| target(table, entry)).collect()
}

/// `X` of an entry `trunc (X - table)`.
fn target<'m>(table: Value<'m>, entry: Value<'m>) -> Option<Value<'m>> {
    let part = |value: Value<'m>, opcode, index| {
        let matches = value.is_constant_expr() && value.expr_opcode() == opcode;
        matches.then(|| value.operand(index))
    };
    let distance = part(entry, Opcode::Trunc, 0)?;
    let base = part(part(distance, Opcode::Sub, 1)?, Opcode::PtrToInt, 0)?;
    let target = part(part(distance, Opcode::Sub, 0)?, Opcode::PtrToInt, 0)?;
    (through_aliases(base) == table).then_some(target)
}
