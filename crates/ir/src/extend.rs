//! Linking libraries to a program while it runs: [`Program::extended`].
//!
//! A library is a program of its own, without `main`. All that it has comes behind what the program has, so
//! whatever refers to the program stays as it is: program counters, numbers of functions and of variables.
//! What a library refers to by the name of a symbol is then bound to the first symbol of this name in the
//! scope, as the dynamic loader does it; so is what the library defines itself, if somebody before it
//! defines it, too.
//!
//! Not here: the choice of the libraries and of the scope, which is the C library's (`dlopen`).

mod shift;

use everett_base::Map;

use crate::constant::Const;
use crate::dynamic::{LinkedLibrary, SymbolTarget};
use crate::global::Relocation;
use crate::ids::{FuncId, GlobalId};
use crate::op::Op;
use crate::program::Program;
use crate::site::Callee;
use shift::TableShift;

/// A program with libraries that were linked to it.
#[derive(Clone, Debug)]
pub struct ExtendedProgram {
    /// The program.
    pub program: Program,
    /// Functions of the new libraries that nobody defines, except those that may be missing.
    pub undefined_functions: Vec<FuncId>,
    /// Variables of the same kind.
    pub undefined_globals: Vec<GlobalId>,
}

impl Program {
    /// Links libraries to a program. Symbols are looked for in the scope, a list of numbers: the program
    /// itself is 0, libraries that were linked to it before count from 1, and the new ones come behind them.
    pub fn extended(&self, libraries: &[&Program], scope: &[u32]) -> ExtendedProgram {
        let mut program = self.clone();
        let first = Tables::of(&program);
        for library in libraries {
            append(&mut program, library);
        }
        let bindings = Bindings::of(&program, &first, scope);
        bindings.apply(&mut program, &first);
        let Bindings { undefined_functions, undefined_globals, .. } = bindings;
        ExtendedProgram { program, undefined_functions, undefined_globals }
    }
}

/// Lengths of the tables whose new entries refer to symbols.
struct Tables {
    ops: usize,
    functions: usize,
    globals: usize,
    consts: usize,
    calls: usize,
}

impl Tables {
    fn of(program: &Program) -> Tables {
        Tables {
            ops: program.ops.len(),
            functions: program.functions.len(),
            globals: program.globals.len(),
            consts: program.consts.len(),
            calls: program.calls.len(),
        }
    }
}

/// Puts a library behind a program, without a look at names.
fn append(program: &mut Program, library: &Program) {
    let mut shift = TableShift::behind(program, library);
    // Destructured, so that a new table cannot be forgotten here.
    let Program {
        target: _,
        ops,
        weights,
        op_locs,
        functions,
        globals,
        consts,
        layouts,
        switches,
        indirect,
        calls,
        signatures: _,
        constructors,
        destructors,
        locations,
        files,
        names,
        structs,
        exports,
        dynamic: _,
        linked: _,
    } = library.clone();
    program.linked.push(LinkedLibrary {
        first_function: program.functions.len() as u32,
        first_global: program.globals.len() as u32,
        first_op: program.ops.len() as u32,
        exports: exports.into_iter().map(|symbol| shift.symbol(symbol)).collect(),
        constructors: constructors.into_iter().map(|func| shift.func(func)).collect(),
        destructors: destructors.into_iter().map(|func| shift.func(func)).collect(),
    });
    program.signatures.append(&mut shift.new_signatures);
    program.ops.extend(ops.into_iter().map(|op| shift.op(op)));
    program.weights.extend(weights);
    program.op_locs.extend(op_locs.into_iter().map(|loc| shift.loc(loc)));
    program.functions.extend(functions.into_iter().map(|function| shift.function(function)));
    program.globals.extend(globals.into_iter().map(|global| shift.global_variable(global)));
    program.consts.extend(consts.into_iter().map(|word| shift.word(word)));
    program.layouts.extend(layouts);
    program.switches.extend(switches.into_iter().map(|table| shift.switch_table(table)));
    program.indirect.extend(indirect.into_iter().map(|table| shift.indirect_targets(table)));
    program.calls.extend(calls.into_iter().map(|site| shift.call_site(site)));
    program.locations.extend(locations.into_iter().map(|location| shift.location(location)));
    program.files.extend(files);
    program.names.extend(names);
    program.structs.append(&structs);
}

/// What the symbols of new libraries stand for, where that is not the library's own.
struct Bindings {
    functions: Map<FuncId, Option<SymbolTarget>>,
    globals: Map<GlobalId, Option<SymbolTarget>>,
    undefined_functions: Vec<FuncId>,
    undefined_globals: Vec<GlobalId>,
}

impl Bindings {
    /// Looks for the symbols of all libraries behind the first tables.
    fn of(program: &Program, first: &Tables, scope: &[u32]) -> Bindings {
        let mut bindings = Bindings {
            functions: Map::default(),
            globals: Map::default(),
            undefined_functions: Vec::new(),
            undefined_globals: Vec::new(),
        };
        let find = |name: &str| {
            let mut numbers = scope.iter();
            numbers.find_map(|number| program.exported(*number, name))
        };
        for library in &program.linked {
            if (library.first_function as usize) < first.functions {
                continue;
            }
            for symbol in &library.exports {
                match (symbol.target, find(&symbol.name)) {
                    (_, None) => {}
                    (own, Some(found)) if own == found => {}
                    (SymbolTarget::Function(func), found) => {
                        bindings.functions.insert(func, found);
                    }
                    (SymbolTarget::Global { global, offset: 0 }, found) => {
                        bindings.globals.insert(global, found);
                    }
                    // Part of a variable has no name of its own among the references.
                    (SymbolTarget::Global { .. }, _) => {}
                }
            }
        }
        for (at, function) in program.functions.iter().enumerate().skip(first.functions) {
            if function.defined {
                continue;
            }
            let id = FuncId::from_index(at);
            let own = || program.own_undefined(&function.name).map(SymbolTarget::Function);
            match find(&function.name).or_else(own) {
                None if function.absent => {
                    bindings.functions.insert(id, None);
                }
                None => bindings.undefined_functions.push(id),
                found => {
                    bindings.functions.insert(id, found);
                    if let Some(SymbolTarget::Function(found)) = found
                        && !program.function(found).defined
                    {
                        bindings.undefined_functions.push(found);
                    }
                }
            }
        }
        for (at, global) in program.globals.iter().enumerate().skip(first.globals) {
            if !global.external {
                continue;
            }
            let id = GlobalId::from_index(at);
            match find(&global.name) {
                None if !global.absent => bindings.undefined_globals.push(id),
                found => {
                    bindings.globals.insert(id, found);
                }
            }
        }
        bindings
    }

    /// Puts what the symbols stand for where the libraries refer to them.
    fn apply(&self, program: &mut Program, first: &Tables) {
        program.consts[first.consts..].iter_mut().for_each(|word| self.bind(word));
        for global in &mut program.globals[first.globals..] {
            let bind = |Relocation { value, .. }: &mut Relocation| self.bind(value);
            global.relocs.iter_mut().for_each(bind);
        }
        for site in &mut program.calls[first.calls..] {
            if let Callee::Direct(func) = &mut site.callee
                && let Some(Some(SymbolTarget::Function(found))) = self.functions.get(func)
            {
                *func = *found;
            }
        }
        for op in &mut program.ops[first.ops..] {
            if let Op::ThreadLocal { global, .. } = op
                && let Some(Some(SymbolTarget::Global { global: found, offset: 0 })) =
                    self.globals.get(global)
            {
                *global = *found;
            }
        }
    }

    /// Puts the address that a symbol stands for in place of the symbol.
    fn bind(&self, word: &mut Const) {
        let (found, distance) = match word {
            Const::Func(func) => (self.functions.get(func), 0),
            Const::Global { global, offset } => (self.globals.get(global), *offset),
            Const::Expr(expr) => {
                self.bind(&mut expr.a);
                self.bind(&mut expr.b);
                return;
            }
            Const::Int(_) | Const::Block { .. } => return,
        };
        let Some(found) = found else { return };
        *word = match *found {
            None => Const::Int(distance as u64),
            Some(SymbolTarget::Function(func)) => Const::Func(func),
            Some(SymbolTarget::Global { global, offset }) => {
                Const::Global { global, offset: offset.wrapping_add(distance) }
            }
        };
    }
}

#[cfg(test)]
mod tests;
