//! Reachability: the symbols that a program needs.
//!
//! Everything that the program's own modules define is part of it. Of libraries, only what is
//! reachable from there is, as when a linker takes members out of an archive.

use everett_base::{Map, Set};

use crate::sys::{Module, Opcode, Value};

use crate::lower::LowerRequest;
use crate::lower::instructions::landing::RESUME;
use crate::lower::symbol::is_overridden;

/// The functions, globals and indirect functions that take part, in the module's order.
pub(crate) struct NeededSymbols<'m> {
    pub(crate) functions: Vec<Value<'m>>,
    pub(crate) globals: Vec<Value<'m>>,
    pub(crate) ifuncs: Vec<Value<'m>>,
}

/// Finds what is needed: the request's roots, or everything defined when it names none. `provided` are
/// the functions that the engine implements.
pub(crate) fn needed<'m>(
    module: &'m Module<'_>,
    request: &LowerRequest<'_>,
    provided: &Set<String>,
) -> NeededSymbols<'m> {
    let resume = module.functions().into_iter().find(|function| function.name() == RESUME);
    let mut walk = SymbolWalk { seen: Set::default(), stack: Vec::new(), provided, resume };
    let wanted = |value: &Value<'m>| {
        !value.is_declaration() && request.roots.is_none_or(|roots| roots.contains(&value.name()))
    };
    let (functions, globals) = (module.functions(), module.globals());
    functions.iter().filter(|f| wanted(f)).for_each(|f| walk.push(*f));
    for global in globals.iter().filter(|global| wanted(global) || is_list(**global)) {
        if is_list(*global) {
            global.initializer().into_iter().for_each(|list| walk.push(list));
        } else if !is_special(*global) {
            walk.push(*global);
        }
    }
    module.aliases().into_iter().filter(wanted).for_each(|alias| walk.push(alias));
    module.ifuncs().into_iter().filter(wanted).for_each(|ifunc| walk.push(ifunc));
    walk.run();
    walk.companions(&functions, request);
    let seen = |value: &Value<'m>| walk.seen.contains(value);
    NeededSymbols {
        functions: functions
            .into_iter()
            .filter(|f| seen(f) && f.intrinsic_name().is_none() && !is_special(*f))
            .collect(),
        globals: globals.into_iter().filter(|g| seen(g) && !is_special(*g)).collect(),
        ifuncs: module.ifuncs().into_iter().filter(seen).collect(),
    }
}

/// Returns `true` if a global is one of LLVM's own lists, such as `llvm.used`.
fn is_special(value: Value<'_>) -> bool {
    value.name().starts_with("llvm.")
}

/// Returns `true` if a global lists constructors or destructors.
fn is_list(value: Value<'_>) -> bool {
    matches!(value.name().as_str(), "llvm.global_ctors" | "llvm.global_dtors")
}

struct SymbolWalk<'a, 'm> {
    seen: Set<Value<'m>>,
    stack: Vec<Value<'m>>,
    provided: &'a Set<String>,
    /// The function that `resume` instructions call.
    resume: Option<Value<'m>>,
}

impl<'m> SymbolWalk<'_, 'm> {
    /// Adds the companions of the engine's functions that are used, until there are no more.
    fn companions(&mut self, functions: &[Value<'m>], request: &LowerRequest<'_>) {
        let outward = functions.iter().filter(|function| {
            self.provided.contains(&function.name())
                && (function.is_declaration() || is_overridden(**function, self.provided))
        });
        let named: Map<String, Value<'m>> =
            functions.iter().map(|function| (function.name(), *function)).collect();
        let pairs: Vec<_> = outward
            .filter_map(|function| {
                let companion = request.options.companion(&function.name())?;
                Some((*function, *named.get(&companion)?))
            })
            .collect();
        loop {
            let before = self.seen.len();
            for (function, companion) in &pairs {
                if self.seen.contains(function) {
                    self.push(*companion);
                }
            }
            self.run();
            if self.seen.len() == before {
                return;
            }
        }
    }

    fn push(&mut self, value: Value<'m>) {
        if self.seen.insert(value) {
            self.stack.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.stack.pop() {
            if value.is_function() {
                self.function(value);
            } else if value.is_alias() {
                self.push(value.aliasee());
            } else if value.is_ifunc() {
                self.push(value.resolver());
            } else if value.is_global_variable() {
                value.initializer().into_iter().for_each(|init| self.push(init));
            } else if value.is_block_address() {
                self.push(value.block_address().0);
            } else if value.as_bytes().is_none() {
                self.operands(value);
            }
        }
    }

    fn function(&mut self, function: Value<'m>) {
        if is_overridden(function, self.provided) {
            return;
        }
        for block in function.blocks() {
            for inst in block.instructions() {
                self.operands(inst.value());
                if inst.opcode() == Opcode::Resume {
                    self.resume.into_iter().for_each(|resume| self.push(resume));
                }
            }
        }
    }

    fn operands(&mut self, value: Value<'m>) {
        for operand in value.operands() {
            // Numbers need no visit; they are most of the constants.
            if operand.is_constant() && !operand.is_int() {
                self.push(operand);
            }
        }
    }
}
