//! A readable listing of a program, for snapshots and for people.

use std::fmt;

use crate::op::operand::Pc;
use crate::program::{Function, Program};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            let kind = if global.constant { "constant" } else { "global" };
            writeln!(f, "{kind} @{} size {} align {}", global.name, global.size, global.align)?;
        }
        for function in &self.functions {
            if function.defined {
                self.print_function(f, function)?;
            } else {
                writeln!(f, "declare @{}", function.name)?;
            }
        }
        Ok(())
    }
}

impl Program {
    fn print_function(&self, f: &mut fmt::Formatter<'_>, function: &Function) -> fmt::Result {
        let Function { name, params, frame_slots, entry, end, blocks, .. } = function;
        writeln!(f, "define @{name}{params:?} slots {frame_slots}")?;
        for pc in *entry..*end {
            if blocks.contains(&pc) {
                writeln!(f, "  block {}", pc - entry)?;
            }
            writeln!(f, "    {:4} {}", pc - entry, self.print_op(pc))?;
        }
        Ok(())
    }

    fn print_op(&self, pc: Pc) -> String {
        let line = self.location(self.loc(pc)).map_or(0, |loc| loc.line);
        let op = &self.ops[pc as usize];
        if line == 0 { format!("{op:?}") } else { format!("{op:?} ; line {line}") }
    }
}
