//! Libraries that a process opens while it runs: the part of `dlopen` that the engine does.
//!
//! A library is linked behind the program of the process, which from then on executes another program: one
//! that begins with the ops, functions and variables of the program it executed before. So its frames and
//! its memory stay as they are.
//!
//! Not here: where libraries are looked for, and the order in which they are searched for a symbol
//! (`runtime-c/port/src/dl.c`).

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_interp::{Interp, ProgramImage, State, Stop};
use everett_ir::{GlobalId, Program};
use everett_memory::{AddressSpace, ObjectKind, SiteId};

use super::exec::known_content;
use crate::kernel::{Guest, Kernel, LibraryRequest, ProgramError, UndefinedSymbol, unsupported};
use crate::state::file::FileKind;

/// The outcome of linking libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkOutcome {
    /// They are part of the program that the process executes now.
    Linked,
    /// They need something that nobody defines.
    Undefined(String),
    /// They cannot be linked here.
    Refused(String),
}

impl Kernel {
    /// Reads the library in an open file.
    pub fn read_library<X: Guest>(
        &mut self,
        st: &State<X>,
        descriptor: u32,
    ) -> Result<Result<Arc<Program>, ProgramError>, Stop> {
        let file = library_file(st, descriptor)?;
        Ok(file.map_or(Err(ProgramError::NotAProgram), |file| self.programs.library(&file)))
    }

    /// Links the libraries in open files behind the program of the running process, all of them or none.
    /// `is_missing` says whether it matters that nobody defines a symbol.
    pub fn link_libraries<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        (descriptors, scope): (&[u32], &[u32]),
        is_missing: impl Fn(&UndefinedSymbol) -> bool,
    ) -> Result<LinkOutcome, Stop> {
        let mut files = Vec::new();
        for descriptor in descriptors {
            match library_file(st, *descriptor)? {
                Some(file) => files.push(file),
                None => return Ok(LinkOutcome::Refused("it is no regular file".to_owned())),
            }
        }
        let before = st.program;
        let request = LibraryRequest { base: before, files, scope: scope.to_vec() };
        let linked = match self.programs.extend(cx.images, &request) {
            Ok(linked) => linked,
            Err(error) => return Ok(LinkOutcome::Refused(error.to_string())),
        };
        if let Some(missing) = linked.undefined.iter().find(|symbol| is_missing(symbol)) {
            return Ok(LinkOutcome::Undefined(missing.name.clone()));
        }
        let image = cx.images.image(linked.program);
        let first = cx.images.image(before).program.globals.len();
        let placed = image.place_globals_from(first, &mut st.mem);
        placed.map_err(|error| unsupported(format!("variables of a library: {error}")))?;
        let site = cx.image.site(st.pc());
        give_locals(st, image, first, site)?;
        st.extra.node_mut().process_mut().program = linked.program;
        st.program = linked.program;
        self.threads_changed(cx.images, st);
        Ok(LinkOutcome::Linked)
    }
}

/// The content of a library's file; `None` if it is no regular file.
fn library_file<X: Guest>(st: &State<X>, descriptor: u32) -> Result<Option<Vec<u8>>, Stop> {
    let node = st.extra.node();
    let Ok(descriptor) = node.descriptor(descriptor) else { return Ok(None) };
    let FileKind::Regular(inode) = node.file(descriptor.file).kind else { return Ok(None) };
    match known_content(node, inode) {
        Ok(Some(bytes)) => Ok(Some(bytes)),
        Ok(None) => Err(unsupported("a library with symbolic bytes".to_owned())),
        Err(error) => Err(unsupported(format!("a library that cannot be read: {error}"))),
    }
}

/// Gives all threads of the running process their instances of thread-local variables of new libraries.
fn give_locals<X: Guest>(
    st: &mut State<X>,
    image: &ProgramImage,
    first: usize,
    site: SiteId,
) -> Result<(), Stop> {
    let is_new = |(i, global): &(usize, &everett_ir::Global)| *i >= first && global.thread_local;
    let globals = image.program.globals.iter().enumerate();
    let new: Vec<GlobalId> = globals.filter(is_new).map(|(i, _)| GlobalId::from_index(i)).collect();
    if new.is_empty() {
        return Ok(());
    }
    if st.has_own_locals() {
        let locals = instances(&mut st.mem, image, &new, site)?;
        st.add_locals(locals);
    }
    let memory = &mut st.mem;
    for thread in st.extra.node_mut().process_mut().threads_mut() {
        if let Some(context) = thread.context.as_mut().filter(|context| context.has_own_locals()) {
            let locals = instances(memory, image, &new, site)?;
            Arc::make_mut(context).add_locals(locals);
        }
    }
    Ok(())
}

/// Instances of thread-local variables, with their first values.
fn instances(
    memory: &mut AddressSpace,
    image: &ProgramImage,
    globals: &[GlobalId],
    site: SiteId,
) -> Result<BTreeMap<GlobalId, u64>, Stop> {
    let mut made = BTreeMap::new();
    for id in globals {
        let global = &image.program.globals[id.index()];
        let address = memory.alloc(global.size, global.align.into(), ObjectKind::Global, site);
        let address = address.map_err(|error| unsupported(error.to_string()))?;
        let written = memory.write_bytes(address, &image.initial_bytes(*id));
        written.map_err(|_| unsupported("a thread-local variable without room".to_owned()))?;
        made.insert(*id, address);
    }
    Ok(made)
}
