//! Libraries that a program opens while it runs: the functions that the C library's `dlopen` and its family
//! call (`runtime-c/port/src/dl.c`).
//!
//! Libraries are numbered from 1 in the order in which they were linked; 0 is the program, with all that it
//! was linked with.
//!
//! Not here: the linking (`everett-ir`), and what it does to a process (`everett-posix`).

use everett_interp::{AccessPurpose, Flow, Halt, MemoryAccess, Omission, Reg, UnsupportedFeature};
use everett_ir::{ExportedSymbol, Program, SymbolTarget};
use everett_memory::AddressResolution;
use everett_posix::{LinkOutcome, ProgramError, UndefinedSymbol};

use super::call::PrimitiveCall;
use super::{Primitives, is_primitive};
use crate::programs::libc_names::is_of_c_library;
use crate::state::node_state::PathState;

/// Libraries that are opened with one call.
const MAX_LIBRARIES: u64 = 1 << 10;
/// The descriptor that stands for the program.
const PROGRAM: u32 = u32::MAX;

impl Primitives {
    /// `__everett_dl_read(file, text, size)`
    pub(super) fn dl_read(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let descriptor = call.settle(0)? as u32;
        let (address, size) = place(call, 1, 2)?;
        let read = match descriptor {
            PROGRAM => Ok(call.cx.image.program.clone()),
            file => self.kernel.read_library(call.st, file)?,
        };
        let (text, result) = match read {
            Ok(program) => (dynamic_text(&program), 0),
            Err(ProgramError::NotAProgram) => (b"Exec format error\0".to_vec(), u64::MAX),
            Err(error @ ProgramError::NoBitcode) => {
                call.cx.omit(call.st, Omission::Library);
                let advice = "build it with `everett cc -shared`";
                (format!("{error}; {advice}\0").into_bytes(), u64::MAX)
            }
            Err(ProgramError::Unsupported(reason)) => {
                let function = "dlopen".to_owned();
                return Err(UnsupportedFeature::Primitive { function, reason }.into());
            }
        };
        if text.len() > size && result == 0 {
            let reason = "the names in its dynamic section are too long".to_owned();
            let function = "dlopen".to_owned();
            return Err(UnsupportedFeature::Primitive { function, reason }.into());
        }
        put_text(call, address, size, text)?;
        call.returns(Reg::word(result))
    }

    /// `__everett_dl_link(files, count, scope, scope_count, now, text, size)`
    pub(super) fn dl_link(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let files = words(call, 0, 1, 4)?;
        let scope = words(call, 2, 3, 8)?;
        let is_now = call.settle(4)? != 0;
        let (address, size) = place(call, 5, 6)?;
        let is_missing = |symbol: &UndefinedSymbol| {
            let is_ours = is_primitive(&symbol.name) || is_of_c_library(&symbol.name);
            !is_ours && (is_now || !symbol.is_function)
        };
        let linked = self.kernel.link_libraries(call.cx, call.st, (&files, &scope), is_missing)?;
        match linked {
            LinkOutcome::Linked => {
                call.cx.complete_call(call.st, Reg::word(0));
                Ok(Flow::Switched)
            }
            LinkOutcome::Undefined(mut name) => {
                name.push('\0');
                put_text(call, address, size, name.into_bytes())?;
                call.returns(Reg::word(u64::MAX))
            }
            LinkOutcome::Refused(reason) => {
                let function = "dlopen".to_owned();
                Err(UnsupportedFeature::Primitive { function, reason }.into())
            }
        }
    }

    /// `__everett_dl_symbol(library, name, beyond)`
    pub(super) fn dl_symbol(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let library = call.settle(0)? as u32;
        let name = call.string("name for dlsym", call.arg(1))?;
        let is_beyond = call.settle(2)? != 0;
        let program = &call.cx.image.program;
        let found = program.exported(library, &name);
        let missing_here = || UnsupportedFeature::LibrarySymbol { name: name.clone() };
        let target = match found {
            Some(SymbolTarget::Function(func))
                if is_beyond
                    && !program.function(func).library
                    && program.function(func).defined =>
            {
                if is_of_c_library(&name) || is_primitive(&name) {
                    let reason =
                        format!("'{name}' of the C library, which the program defines itself");
                    let function = "dlsym".to_owned();
                    return Err(UnsupportedFeature::Primitive { function, reason }.into());
                }
                None
            }
            None if library == 0 => {
                let declared = program.function_named(&name);
                let declared = declared.filter(|_| is_primitive(&name));
                if declared.is_none() && (is_primitive(&name) || is_of_c_library(&name)) {
                    return Err(missing_here().into());
                }
                declared.map(SymbolTarget::Function)
            }
            found => found,
        };
        let address = target.map_or(0, |target| address_of(call, target));
        call.returns(Reg::word(address))
    }

    /// `__everett_dl_function(library, kind, index)`
    pub(super) fn dl_function(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let (library, kind, index) = (call.settle(0)?, call.settle(1)?, call.settle(2)?);
        let at = (library as usize).checked_sub(1);
        let library = at.and_then(|at| call.cx.image.program.linked.get(at));
        let functions = library.map(|library| match kind {
            0 => &library.constructors,
            _ => &library.destructors,
        });
        let function = functions.and_then(|functions| functions.get(index as usize));
        let address = function.map_or(0, |function| call.cx.image.function_address(*function));
        call.returns(Reg::word(address))
    }

    /// `__everett_dl_at(address, name, size, start)`
    pub(super) fn dl_at(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let looked_at = call.settle(0)?;
        let (address, size) = place(call, 1, 2)?;
        let image = call.cx.image;
        let target = match call.st.mem.resolve(looked_at) {
            AddressResolution::Code(_) => image.function_at(looked_at).map(SymbolTarget::Function),
            AddressResolution::Live(found) => {
                let global = image.global_at(found.base);
                global.map(|global| SymbolTarget::Global { global, offset: 0 })
            }
            _ => None,
        };
        let Some(target) = target else { return call.returns(Reg::word(u64::MAX)) };
        let library = match target {
            SymbolTarget::Function(func) => image.program.library_of_function(func),
            SymbolTarget::Global { global, .. } => image.program.library_of_global(global),
        };
        let exports = image.program.exports_of(library).unwrap_or_default();
        let is_it = |symbol: &&ExportedSymbol| symbol.target == target;
        let mut name = exports.iter().find(is_it).map_or(String::new(), |found| found.name.clone());
        name.push('\0');
        let start = address_of(call, target);
        put_text(call, address, size, name.into_bytes())?;
        call.cx.write_word(call.st, call.arg(3), 8, start)?;
        call.returns(Reg::word(library.into()))
    }

    /// `__everett_dl_caller()`
    pub(super) fn dl_caller(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let number = calling_library(&call.cx.image.program, call.st);
        call.returns(Reg::word(number.into()))
    }
}

/// The library whose code has called the C library.
fn calling_library(program: &Program, st: &PathState) -> u32 {
    let mut frames = st.stack.frames();
    let own = frames.find(|frame| !program.function(frame.func).library);
    own.map_or(0, |frame| program.library_of_function(frame.func))
}

/// The address of what a symbol names; of a thread-local variable, that of the running thread's instance.
fn address_of(call: &PrimitiveCall<'_, '_>, target: SymbolTarget) -> u64 {
    match target {
        SymbolTarget::Function(func) => call.cx.image.function_address(func),
        SymbolTarget::Global { global, offset } => {
            let is_local = call.cx.image.program.globals[global.index()].thread_local;
            let start = match is_local {
                true => call.cx.local_address(call.st, global),
                false => call.cx.image.global_address(global),
            };
            start.wrapping_add(offset as u64)
        }
    }
}

/// What a program or a library tells the dynamic loader: each text with a zero behind it, and one more zero.
fn dynamic_text(program: &Program) -> Vec<u8> {
    let info = &program.dynamic;
    let mut text = Vec::new();
    for part in [&info.name, &info.run_path].into_iter().chain(&info.needed) {
        text.extend_from_slice(part.as_bytes());
        text.push(0);
    }
    text.push(0);
    text
}

/// The place for a text, given by two arguments.
fn place(
    call: &mut PrimitiveCall<'_, '_>,
    address: usize,
    size: usize,
) -> Result<(u64, usize), Halt> {
    let size = call.settle_size(size)?;
    let access = MemoryAccess::new(call.arg(address), size, AccessPurpose::Write);
    let spot = call.cx.locate(call.st, access)?;
    Ok((call.settle_spot(spot)?, size as usize))
}

/// Puts as much of a text as there is room for.
fn put_text(
    call: &mut PrimitiveCall<'_, '_>,
    address: u64,
    size: usize,
    mut text: Vec<u8>,
) -> Result<(), Halt> {
    if text.len() > size {
        text.truncate(size);
        text.last_mut().into_iter().for_each(|last| *last = 0);
    }
    let written = call.st.mem.write_bytes(address, &text);
    written.map_err(|fault| call.cx.fault(&fault, AccessPurpose::Write).into())
}

/// The small numbers in an array, given by two arguments.
fn words(
    call: &mut PrimitiveCall<'_, '_>,
    address: usize,
    count: usize,
    bytes: u64,
) -> Result<Vec<u32>, Halt> {
    let (start, count) = (call.settle(address)?, call.settle(count)?.min(MAX_LIBRARIES));
    let mut found = Vec::new();
    for at in 0..count {
        let word = call.cx.read_word(call.st, Reg::word(start + at * bytes), bytes)?;
        found.push(call.settle_value(word)? as u32);
    }
    Ok(found)
}
