//! Reading, checking and linking modules.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use everett_base::Set;
use everett_ir::Program;

use crate::error::LlvmError;
use crate::library::{Library, is_archive};
use crate::lower;
use crate::lower::{LowerRequest, LoweredModule};
use crate::producer;
use crate::resolve::{LibraryContent, link_libraries};
use crate::sys::{Context, Module};

/// The version of LLVM that is read.
const EXPECTED: &str = "LLVM 19";
const EXPECTED_MAJOR: u32 = 19;

/// The code to load beside the program's own modules.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Modules and archives of which only what the program needs becomes part of it. Where the program
    /// and a library define the same symbol, the program's is taken.
    pub libraries: Vec<Library>,
    /// Functions that the engine implements: a weak reference to one of them is not null, and no
    /// library's definition takes their place.
    pub provided: Vec<String>,
    /// The prefix of the names of companions. A companion is the body in C that a library may have for
    /// a function that the engine implements; it is part of the program wherever that function is.
    pub companion_prefix: String,
    /// Symbols of libraries that are needed although the program does not refer to them.
    pub roots: Vec<String>,
    /// The files are a library that programs open while they run. What it does not define is theirs, also if
    /// one of [`LoadOptions::libraries`] defines it.
    pub is_opened: bool,
    /// Functions by which programs open libraries while they run. A program that needs one of them has all
    /// of [`LoadOptions::libraries`], as what it opens may need any part of them, and its symbols are listed.
    pub openers: Vec<String>,
}

impl LoadOptions {
    /// Returns `true` if a program that needs a symbol opens libraries while it runs.
    pub(crate) fn opens_libraries(&self, symbol: &str) -> bool {
        !self.is_opened && self.openers.iter().any(|opener| opener == symbol)
    }

    /// The name of the companion of a function that the engine implements.
    pub(crate) fn companion(&self, name: &str) -> Option<String> {
        let prefix = &self.companion_prefix;
        (!prefix.is_empty()).then(|| format!("{prefix}{name}"))
    }
}

/// A program, and what a user may want to know about it.
#[derive(Clone, Debug)]
pub struct LoadedProgram {
    /// The program.
    pub program: Program,
    /// Oddities that did not keep it from loading.
    pub warnings: Vec<String>,
    /// Symbols that the program refers to and nobody defines, by name.
    pub undefined: Vec<UndefinedSymbol>,
}

/// A symbol that nobody defines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UndefinedSymbol {
    /// Its linker name.
    pub name: String,
    /// True if it is a function; a global variable otherwise.
    pub function: bool,
}

/// Loads and links the program's modules, given in the order of a linker's command line.
pub fn load(paths: &[PathBuf], options: &LoadOptions) -> Result<LoadedProgram, LlvmError> {
    load_inputs(&read_all(paths)?, options)
}

/// Loads one module from memory; `name` appears in messages.
pub fn load_bytes(
    name: &str,
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<LoadedProgram, LlvmError> {
    let module = InputFile { path: PathBuf::from(name), bytes: bytes.to_vec() };
    load_inputs(&[module], options)
}

/// The content of a file.
pub(crate) struct InputFile {
    /// The path that the content was read from.
    pub(crate) path: PathBuf,
    /// The bytes of the file.
    pub(crate) bytes: Vec<u8>,
}

/// Reads files into memory.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<InputFile>, LlvmError> {
    let read = |path: &PathBuf| match std::fs::read(path) {
        Ok(bytes) => Ok(InputFile { path: path.clone(), bytes }),
        Err(error) => Err(LlvmError::Io { path: path.clone(), error }),
    };
    paths.iter().map(read).collect()
}

/// Links and lowers files that are in memory. Archives among them are searched like libraries.
pub(crate) fn load_inputs(
    inputs: &[InputFile],
    options: &LoadOptions,
) -> Result<LoadedProgram, LlvmError> {
    let context = Context::new();
    let mut warnings = Vec::new();
    let LinkedModule { module, roots, is_whole } =
        link_program(&context, inputs, options, &mut warnings)?;
    warnings.extend(context.take_warnings());
    let request = LowerRequest { roots: roots.as_ref(), exports: is_whole, options };
    let LoweredModule { program, warnings: oddities, origins: _ } = lower::lower(&module, &request);
    warnings.extend(oddities);
    let broken = |error| broken(inputs, format!("lowering failed: {error}"));
    program.validate().map_err(broken)?;
    let undefined = undefined(&program);
    Ok(LoadedProgram { program, warnings, undefined })
}

/// A program, linked with its libraries.
pub(crate) struct LinkedModule<'c> {
    /// Everything that was linked.
    pub(crate) module: Module<'c>,
    /// The names that stay although nobody refers to them; all of them without libraries.
    pub(crate) roots: Option<Set<String>>,
    /// Others may refer to its symbols.
    pub(crate) is_whole: bool,
}

/// The target that the built-in libraries are compiled for.
const TRIPLE: &str = "x86_64-pc-linux-gnu";
/// The function of Rust's standard library that each panic comes through.
const RUST_PANIC: &str = "rust_panic";
/// The function that is called when a program in Rust panics, before the stack unwinds.
pub const PANIC: &str = "__everett_panic";

/// Links a program with its libraries.
pub(crate) fn link_program<'c>(
    context: &'c Context,
    inputs: &[InputFile],
    options: &LoadOptions,
    warnings: &mut Vec<String>,
) -> Result<LinkedModule<'c>, LlvmError> {
    let (mut archives, mut modules): (Vec<&InputFile>, Vec<&InputFile>) =
        inputs.iter().partition(|input| is_archive(&input.bytes));
    if modules.is_empty() {
        // Nothing asks for a member: that archives are no programs is what there is to say.
        std::mem::swap(&mut archives, &mut modules);
    }
    let linked = link_inputs(context, &modules, warnings)?;
    // What is supported is the layout of x86-64 Linux, whatever the program calls it.
    linked.set_triple(TRIPLE);
    let panics = linked.functions().into_iter().find(|function| function.name() == RUST_PANIC);
    if let Some(panics) = panics.filter(|function| !function.is_declaration()) {
        linked.call_first(panics, PANIC);
    }
    let mut sources = Vec::new();
    for InputFile { path, bytes } in archives {
        sources.push(LibraryContent {
            path,
            bytes: Cow::Borrowed(bytes.as_slice()),
            own: true,
            is_embedded: false,
        });
    }
    for library in &options.libraries {
        let (path, bytes) = (library.path(), library.bytes()?);
        let is_embedded = library.is_embedded();
        sources.push(LibraryContent { path, bytes, own: false, is_embedded });
    }
    let (mut roots, mut is_whole) = (None, options.is_opened);
    if !sources.is_empty() {
        let added = link_libraries(context, &linked, &sources, options, warnings)?;
        is_whole |= added.is_whole;
        roots = Some(added.keep).filter(|_| !options.is_opened);
    }
    linked.use_debug_intrinsics();
    if inputs.len() + sources.len() > 1 {
        linked.verify().map_err(|reason| broken(inputs, reason))?;
    }
    Ok(LinkedModule { module: linked, roots, is_whole })
}

/// The error of files that make no sound program.
pub(crate) fn broken(inputs: &[InputFile], reason: String) -> LlvmError {
    let path = inputs.first().map(|first| first.path.clone()).unwrap_or_default();
    LlvmError::Broken { path, reason }
}

/// Links the program's own modules.
pub(crate) fn link_inputs<'c>(
    context: &'c Context,
    modules: &[&InputFile],
    warnings: &mut Vec<String>,
) -> Result<Module<'c>, LlvmError> {
    let Some((first, rest)) = modules.split_first() else { return Err(LlvmError::NoInput) };
    let linked = parse(context, &first.path, &first.bytes, warnings)?;
    for input in rest {
        let module = parse(context, &input.path, &input.bytes, warnings)?;
        link(context, &linked, module, &input.path)?;
    }
    Ok(linked)
}

/// Reads one module, and checks that it is sound and for us.
pub(crate) fn parse<'c>(
    context: &'c Context,
    path: &Path,
    bytes: &[u8],
    warnings: &mut Vec<String>,
) -> Result<Module<'c>, LlvmError> {
    let module = parse_trusted(context, path, bytes, warnings)?;
    module.verify().map_err(|reason| LlvmError::Broken {
        path: path.to_path_buf(),
        reason: reason.trim().into(),
    })?;
    Ok(module)
}

/// Reads one module that is as sound as a compiler has left it, and checks that it is for us.
pub(crate) fn parse_trusted<'c>(
    context: &'c Context,
    path: &Path,
    bytes: &[u8],
    warnings: &mut Vec<String>,
) -> Result<Module<'c>, LlvmError> {
    let bitcode = producer::is_bitcode(bytes);
    if !bitcode && let Some(found) = not_text(bytes) {
        return Err(LlvmError::NotBitcode { path: path.to_path_buf(), found });
    }
    let producer = if bitcode { producer::producer(bytes) } else { None };
    let version = producer.as_deref().and_then(producer::major_version);
    let wrong = || LlvmError::WrongVersion {
        path: path.to_path_buf(),
        found: producer.clone().unwrap_or_else(|| "an unknown version".to_owned()),
        expected: EXPECTED,
    };
    if version.is_some_and(|version| version > EXPECTED_MAJOR) {
        return Err(wrong());
    }
    let module = match context.parse(&path.to_string_lossy(), bytes) {
        Ok(module) => module,
        Err(_) if version.is_some_and(|version| version != EXPECTED_MAJOR) => return Err(wrong()),
        Err(reason) => return Err(LlvmError::Broken { path: path.to_path_buf(), reason }),
    };
    if version.is_some_and(|version| version < EXPECTED_MAJOR) {
        let producer = producer.as_deref().unwrap_or_default();
        warnings.push(format!("{} was written by {producer}, an older version", path.display()));
    }
    if !module.data_layout().is_supported() {
        return Err(LlvmError::Target { path: path.to_path_buf(), triple: module.triple() });
    }
    Ok(module)
}

/// Returns the kind of bytes that cannot be LLVM's text; `None` when they may be.
fn not_text(bytes: &[u8]) -> Option<String> {
    let found = match bytes {
        [] => "an empty file",
        [0x7f, b'E', b'L', b'F', ..] => "an ELF file, made without -emit-llvm",
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "an archive",
        _ if bytes.contains(&0) => "binary data",
        _ if std::str::from_utf8(bytes).is_err() => "not UTF-8",
        _ => return None,
    };
    Some(found.to_owned())
}

/// Moves a module into another one.
pub(crate) fn link<'c>(
    context: &Context,
    linked: &Module<'c>,
    module: Module<'c>,
    path: &Path,
) -> Result<(), LlvmError> {
    linked.link(module).map_err(|()| {
        let mut reason = context.explain(String::new());
        if reason.is_empty() {
            "LLVM's linker failed without a message".clone_into(&mut reason);
        }
        LlvmError::Link { path: path.to_path_buf(), reason }
    })
}

/// Returns the symbols that a program refers to and nobody defines.
pub(crate) fn undefined(program: &Program) -> Vec<UndefinedSymbol> {
    let functions = program.functions.iter().filter(|function| !function.defined);
    let functions = functions.map(|f| UndefinedSymbol { name: f.name.clone(), function: true });
    let globals = program.globals.iter().filter(|global| global.external);
    let globals = globals.map(|g| UndefinedSymbol { name: g.name.clone(), function: false });
    let mut found: Vec<UndefinedSymbol> = functions.chain(globals).collect();
    found.sort();
    found
}
