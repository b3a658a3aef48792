//! Choice of the members of archives that take part: those that a linker would pull in.
//!
//! A member is taken when it defines a symbol that is referred to, not weakly, and that nobody has
//! defined so far; what it refers to is looked for next. The program's definitions come first, then
//! those of earlier members; a strong definition takes the place of a weak one. Functions of the engine
//! count as defined, but may have a companion: a body in C that the engine enters when its own will not
//! do. It is taken together with the name that it stands in for.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use everett_base::Set;

use crate::error::LlvmError;
use crate::instructions;
use crate::library::{Archive, is_archive};
use crate::load::{LoadOptions, link, parse, parse_trusted};
use crate::lower;
use crate::sys::{Context, Linkage, Module, Value};

/// A library's content, and whether it is the user's own.
pub(crate) struct LibraryContent<'a> {
    pub(crate) path: &'a Path,
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) own: bool,
    /// It is part of the running binary.
    pub(crate) is_embedded: bool,
}

/// A function that reads a member of an archive, whose path is for messages.
type MemberReader =
    for<'c> fn(&'c Context, &Path, &[u8], &mut Vec<String>) -> Result<Module<'c>, LlvmError>;

/// An archive that members are taken from.
struct SearchedArchive<'a> {
    archive: Archive<'a>,
    /// It is the user's own.
    own: bool,
    /// The reader of its members.
    parse: MemberReader,
    /// A member of it is part of the program.
    is_needed: Cell<bool>,
    /// The members that are.
    taken: RefCell<Set<u64>>,
}

impl<'a> SearchedArchive<'a> {
    fn read(source: &'a LibraryContent<'_>) -> Result<SearchedArchive<'a>, LlvmError> {
        Ok(SearchedArchive {
            archive: Archive::read(source.path, &source.bytes)?,
            own: source.own,
            parse: if source.is_embedded { parse_trusted } else { parse },
            is_needed: Cell::new(false),
            taken: RefCell::default(),
        })
    }

    /// The member that defines a symbol; one that is taken is not looked at again.
    fn member_of(&self, name: &str) -> Option<(&Self, u64)> {
        let offset = self.archive.find(name)?;
        self.taken.borrow_mut().insert(offset).then_some((self, offset))
    }
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
    let archives: Result<Vec<_>, _> = archived.into_iter().map(SearchedArchive::read).collect();
    let archives = archives?;
    let is_there = |name: &str| archives.iter().any(|found| found.archive.find(name).is_some());
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
    let mut is_whole = false;
    while let Some(name) = symbols.wanted.pop_front() {
        if !is_whole && options.opens_libraries(&name) {
            is_whole = true;
            let linked = archives.iter().filter(|found| !found.own && found.is_needed.get());
            symbols.wanted.extend(linked.flat_map(|found| found.archive.names()));
        }
        if symbols.defined.contains(&name) {
            continue;
        }
        if options.provided.contains(&name) {
            symbols.wanted.extend(options.companion(&name));
            continue;
        }
        let mut open = archives.iter().filter(|found| found.own || !options.is_opened);
        let Some((from, offset)) = open.find_map(|found| found.member_of(&name)) else { continue };
        // A program that opens libraries has all of those that it is linked with, and no others.
        if !from.is_needed.replace(true) && is_whole && !from.own {
            symbols.wanted.extend(from.archive.names());
        }
        let (path, bytes) = from.archive.member(offset)?;
        let module = (from.parse)(context, &path, bytes, warnings)?;
        if from.own {
            for root in instructions::call_functions(&module, is_there) {
                symbols.wanted.push_back(root.clone());
                keep.insert(root);
            }
        }
        symbols.take(&module, from.own);
        if from.own {
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
