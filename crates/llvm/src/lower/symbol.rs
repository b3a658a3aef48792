//! Symbols that take part in a program, and their identifiers.

use everett_base::Set;
use everett_ir::{Callee, FuncId, Function, Global, GlobalId, LocId, Signature, ValueClass};

use crate::sys::{Linkage, Value};

use super::debug;
use super::program::ProgramLowering;

/// The attribute of functions that come from a library.
pub(crate) const LIBRARY: &str = "everett-library";

impl<'m> ProgramLowering<'m> {
    /// Returns `true` if a symbol is weak and nobody can define it any more: its address is null.
    pub(super) fn is_absent(&self, value: Value<'m>) -> bool {
        !self.is_opened && self.may_be_absent(value)
    }

    /// Returns `true` if a symbol is weak, and nobody has defined it so far.
    fn may_be_absent(&self, value: Value<'m>) -> bool {
        value.linkage() == Linkage::ExternalWeak && !self.provided.contains(&value.name())
    }

    /// Returns `true` if the engine implements a function, so that a library's body is not for us.
    pub(super) fn is_provided(&self, value: Value<'m>) -> bool {
        is_overridden(value, &self.provided)
    }

    /// Enters a function without its code.
    pub(super) fn declare_function(&mut self, value: Value<'m>) {
        let id = FuncId::from_index(self.program.functions.len());
        let ty = value.value_type();
        let mut params = Vec::new();
        for param in ty.params() {
            // A parameter that has no slots makes the body unsupported; see `FunctionLowering`.
            params.extend(self.shape(param).map(|shape| shape.widths.clone()).unwrap_or_default());
        }
        let results = self.shape(ty.result()).map(|shape| shape.widths.clone()).unwrap_or_default();
        let loc = value.debug_node().map_or(LocId(0), |node| debug::declaration(self, node));
        let library = value.string_attribute(LIBRARY).is_some();
        if let Some(node) = value.debug_node().filter(|_| !library) {
            self.type_roots.add(node);
        }
        let signature = self.signature_of(value);
        self.program.functions.push(Function {
            name: value.name(),
            signature,
            params,
            results,
            var_args: ty.is_var_arg(),
            library,
            absent: self.may_be_absent(value),
            loc,
            ..Function::default()
        });
        self.functions.insert(value, id);
    }

    /// The function of a name. If the module does not have it, it is one that nobody defines.
    pub(super) fn function_or_declared(&mut self, name: &str, params: &[ValueClass]) -> FuncId {
        if let Some((_, func)) = self.functions.iter().find(|(function, _)| function.name() == name)
        {
            return *func;
        }
        if let Some(func) = self.declared.get(name) {
            return *func;
        }
        let signature = Signature { params: params.to_vec(), ..Signature::default() };
        let signature = self.intern_signature(signature);
        let func = FuncId::from_index(self.program.functions.len());
        let params = vec![64; params.len()];
        let name = name.to_owned();
        self.declared.insert(name.clone(), func);
        self.program.functions.push(Function { name, signature, params, ..Function::default() });
        func
    }

    /// Enters a global variable without its initialiser.
    pub(super) fn declare_global(&mut self, value: Value<'m>) {
        let id = GlobalId::from_index(self.program.globals.len());
        let ty = value.value_type();
        let (size, natural) = if value.is_declaration() {
            // Nobody defines it: there is nothing to access.
            (0, 1)
        } else if self.relative.contains(&value) {
            (Self::relative_size(value), 8)
        } else if ty.is_sized() {
            (self.layout.alloc_size(ty), self.layout.align(ty))
        } else {
            (0, 1)
        };
        let align = match value.global_align() {
            0 => natural.max(1),
            explicit if self.relative.contains(&value) => explicit.max(natural),
            explicit => explicit,
        };
        let name = match value.name() {
            name if name.is_empty() => format!("unnamed.{}", id.index()),
            name => name,
        };
        let loc = value.debug_node().map_or(LocId(0), |node| debug::declaration(self, node));
        self.program.globals.push(Global {
            name,
            size,
            align,
            constant: value.is_read_only(),
            thread_local: value.is_thread_local(),
            external: value.is_declaration(),
            absent: self.may_be_absent(value),
            bytes: Vec::new(),
            relocs: Vec::new(),
            loc,
        });
        self.globals.insert(value, id);
    }

    /// Enters the hidden global that holds the address of an indirect function.
    pub(super) fn declare_ifunc(&mut self, value: Value<'m>) {
        let id = GlobalId::from_index(self.program.globals.len());
        self.program.globals.push(Global {
            name: format!("ifunc.{}", value.name()),
            size: 8,
            align: 8,
            constant: false,
            thread_local: false,
            external: false,
            absent: false,
            bytes: Vec::new(),
            relocs: Vec::new(),
            loc: LocId(0),
        });
        self.ifuncs.insert(value, id);
    }

    /// The function that a constant callee names, through aliases.
    pub(super) fn known_callee(&self, callee: Value<'m>) -> Option<Callee> {
        let target = through_aliases(callee);
        self.functions.get(&target).map(|func| Callee::Direct(*func))
    }
}

/// Returns `true` if a function is a library's, and one of those that the engine implements.
pub(super) fn is_overridden(function: Value<'_>, provided: &Set<String>) -> bool {
    function.string_attribute(LIBRARY).is_some() && provided.contains(&function.name())
}

/// Returns the value that an alias stands for in the end, through aliases of aliases.
pub(super) fn through_aliases(value: Value<'_>) -> Value<'_> {
    let mut target = value;
    // LLVM's verifier rejects cycles of aliases, so that this ends.
    while target.is_alias() {
        target = target.aliasee();
    }
    target
}
