//! Choice of the members of archives that take part: those that a linker would pull in.
//!
//! A member is taken when it defines a symbol that is referred to, not weakly, and that nobody has
//! defined so far; what it refers to is looked for next. The program's definitions come first, then
//! those of earlier members; a strong definition takes the place of a weak one. Functions of the engine
//! count as defined, but may have a companion: a body in C that the engine enters when its own will not
//! do. It is taken together with the name that it stands in for.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use everett_base::Set;

use crate::error::LlvmError;
use crate::instructions;
use crate::library::{Archive, is_archive};
use crate::load::{LoadOptions, link, parse};
use crate::lower;
use crate::sys::{Context, Linkage, Module, Value};

/// A library's content, and whether it is the user's own.
pub(crate) struct LibraryContent<'a> {
    pub(crate) path: &'a Path,
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) own: bool,
}

/// Symbols, as far as linking is concerned.
#[derive(Default)]
struct LinkSymbols {
    /// Defined by anybody, weakly or not.
    defined: Set<String>,
    /// Defined so that other definitions give way.
    strong: Set<String>,
    /// Referred to and not looked for yet.
    wanted: VecDeque<String>,
}

/// The libraries that were linked to a program.
pub(crate) struct AddedLibraries {
    /// Names that must stay even if nobody refers to them.
    pub(crate) keep: Set<String>,
    /// The program opens libraries while it runs, so that all of what it could be linked with is there.
    pub(crate) is_whole: bool,
}

/// Links libraries into `program`.
pub(crate) fn link_libraries<'c>(
    context: &'c Context,
    program: &Module<'c>,
    sources: &[LibraryContent<'_>],
    options: &LoadOptions,
    warnings: &mut Vec<String>,
) -> Result<AddedLibraries, LlvmError> {
    let (archived, plain): (Vec<_>, Vec<_>) =
        sources.iter().partition(|source| is_archive(&source.bytes));
    let mut archives = Vec::new();
    for source in archived {
        archives.push((Archive::read(source.path, &source.bytes)?, source.own));
    }
    let is_there = |name: &str| archives.iter().any(|(archive, _)| archive.find(name).is_some());
    let mut more_roots = instructions::call_functions(program, is_there);
    let mut symbols = LinkSymbols::default();
    symbols.add(program);
    let (mut keep, mut modules) = (symbols.defined.clone(), Vec::new());
    for source in plain {
        let module = parse(context, source.path, &source.bytes, warnings)?;
        more_roots.extend(instructions::call_functions(&module, is_there));
        symbols.take(&module, source.own);
        modules.push((module, source.path.to_path_buf()));
    }
    // A library that is opened finds in the program what it does not have.
    let roots = if options.is_opened { &[] } else { options.roots.as_slice() };
    for root in roots.iter().chain(&more_roots) {
        symbols.wanted.push_back(root.clone());
        keep.insert(root.clone());
    }
    let (mut taken, mut is_whole) = (Set::default(), false);
    while let Some(name) = symbols.wanted.pop_front() {
        if !is_whole && options.opens_libraries(&name) {
            is_whole = true;
            let libraries = archives.iter().filter(|(_, own)| !own);
            symbols.wanted.extend(libraries.flat_map(|(archive, _)| archive.names()));
        }
        if symbols.defined.contains(&name) {
            continue;
        }
        if options.provided.contains(&name) {
            symbols.wanted.extend(options.companion(&name));
            continue;
        }
        let open = archives.iter().enumerate().filter(|(_, (_, own))| *own || !options.is_opened);
        let found = { open }.find_map(|(i, (archive, _))| Some((i, archive.find(&name)?)));
        let Some((index, offset)) = found.filter(|found| taken.insert(*found)) else { continue };
        let (archive, own) = &archives[index];
        let (path, bytes) = archive.member(offset)?;
        let module = parse(context, &path, bytes, warnings)?;
        if *own {
            for root in instructions::call_functions(&module, is_there) {
                symbols.wanted.push_back(root.clone());
                keep.insert(root);
            }
        }
        symbols.take(&module, *own);
        if *own {
            keep.extend(definitions(&module).map(Value::name));
        }
        modules.push((module, path));
    }
    if is_whole {
        keep.extend(symbols.defined);
    }
    if let Some((module, path)) = merge(context, modules)? {
        link(context, program, module, &path)?;
    }
    Ok(AddedLibraries { keep, is_whole })
}

impl LinkSymbols {
    /// Enters a module that is part of the program.
    fn add(&mut self, module: &Module<'_>) {
        for symbol in module.symbols() {
            let name = symbol.name();
            match (symbol.is_declaration(), symbol.linkage()) {
                (true, Linkage::ExternalWeak) | (_, Linkage::Local | Linkage::Appending) => {}
                (true, _) if name.starts_with("llvm.") => {}
                (true, _) => self.wanted.push_back(name),
                (false, linkage) => {
                    if linkage == Linkage::Strong {
                        self.strong.insert(name.clone());
                    }
                    self.defined.insert(name);
                }
            }
        }
    }

    /// Enters a library's module: its definitions give way to those that are there.
    fn take(&mut self, module: &Module<'_>, own: bool) {
        for symbol in definitions(module) {
            if symbol.linkage() == Linkage::Strong && self.strong.contains(&symbol.name()) {
                symbol.make_weak();
            }
            if !own && symbol.is_function() {
                symbol.add_string_attribute(lower::LIBRARY);
            }
        }
        self.add(module);
    }
}

fn definitions<'m>(module: &'m Module<'_>) -> impl Iterator<Item = Value<'m>> {
    module.symbols().into_iter().filter(|symbol| !symbol.is_declaration())
}

/// Links modules in pairs, and the results again: LLVM walks all of what it links into, so that adding
/// modules one by one would take quadratic time.
fn merge<'c>(
    context: &'c Context,
    mut modules: Vec<(Module<'c>, PathBuf)>,
) -> Result<Option<(Module<'c>, PathBuf)>, LlvmError> {
    while modules.len() > 1 {
        let mut merged = Vec::with_capacity(modules.len().div_ceil(2));
        let mut rest = modules.into_iter();
        while let Some((first, name)) = rest.next() {
            if let Some((second, path)) = rest.next() {
                link(context, &first, second, &path)?;
            }
            merged.push((first, name));
        }
        modules = merged;
    }
    Ok(modules.pop())
}
