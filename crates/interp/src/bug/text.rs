//! Faults in the program's terms: which object, how far off, what kind of bug.

use everett_ir::GlobalId;
use everett_memory::{
    AccessRights, MemoryFault, ObjRef, Object, ObjectKind, ObjectNameId, SiteId, Tombstone,
};

use crate::bug::{Bug, BugKind, ObjectNote};
use crate::image::ProgramImage;

/// The direction of an access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessPurpose {
    /// The program reads.
    Read,
    /// The program writes.
    Write,
}

impl AccessPurpose {
    fn verb(self) -> &'static str {
        match self {
            AccessPurpose::Read => "read",
            AccessPurpose::Write => "write",
        }
    }
}

impl ProgramImage {
    /// The bug that a fault is.
    pub fn bug_of(&self, fault: &MemoryFault, purpose: AccessPurpose) -> Bug {
        if let Some(global) = self.undefined_in(fault) {
            return self.undefined_variable(global);
        }
        let verb = purpose.verb();
        match *fault {
            MemoryFault::Null { address, bytes } => Bug::new(
                BugKind::NullPointer,
                format!(
                    "{verb} of {} through a null pointer (address {address:#x})",
                    byte_count(bytes)
                ),
            ),
            MemoryFault::Code { address, bytes } => Bug::new(
                BugKind::OutOfBounds,
                format!("{verb} of {} of code (address {address:#x})", byte_count(bytes)),
            ),
            MemoryFault::Unmapped { address, bytes } => Bug::new(
                BugKind::OutOfBounds,
                format!(
                    "{verb} of {} at address {address:#x}, where there is no object",
                    byte_count(bytes)
                ),
            ),
            MemoryFault::OutOfBounds { address, bytes, object } => {
                let place = place(address, bytes, &object);
                let what = self.describe(&object.object);
                Bug::new(
                    BugKind::OutOfBounds,
                    format!(
                        "{verb} of {} {place} of {what} of {}",
                        byte_count(bytes),
                        byte_count(object.object.size)
                    ),
                )
                .about(self.note(&object))
            }
            MemoryFault::Freed { address, bytes, kind, tombstone } => {
                self.freed(verb, address, bytes, kind, tombstone)
            }
            MemoryFault::ReadOnly { address, bytes, object } => Bug::new(
                BugKind::ReadOnlyWrite,
                format!(
                    "write of {} at offset {} of constant {}",
                    byte_count(bytes),
                    address - object.base,
                    self.describe(&object.object)
                ),
            )
            .about(self.note(&object)),
            MemoryFault::Protected { bytes, object, rights, .. } => Bug::new(
                match rights {
                    AccessRights::ReadWrite | AccessRights::ReadOnly => BugKind::ReadOnlyWrite,
                    AccessRights::Nothing | AccessRights::Unmapped | AccessRights::PastEnd => {
                        BugKind::OutOfBounds
                    }
                },
                format!("{verb} of {} of {}", byte_count(bytes), rights.describe()),
            )
            .about(self.note(&object)),
            MemoryFault::DoubleFree { .. }
            | MemoryFault::FreeNotHeap { .. }
            | MemoryFault::FreeInterior { .. }
            | MemoryFault::FreeUnmapped { .. } => self.bad_free(fault),
        }
    }

    /// The variable without a definition that an access was to. It has no bytes.
    fn undefined_in(&self, fault: &MemoryFault) -> Option<GlobalId> {
        let MemoryFault::OutOfBounds { object, .. } = *fault else { return None };
        let is_named =
            object.object.kind == ObjectKind::Global && object.object.name != ObjectNameId::NONE;
        let global = is_named.then_some(GlobalId(object.object.name.0))?;
        self.program.globals.get(global.index())?.external.then_some(global)
    }

    /// The bug of an access to a variable that no module defines.
    pub(crate) fn undefined_variable(&self, global: GlobalId) -> Bug {
        let name = &self.program.globals[global.index()].name;
        let message =
            format!("access to undefined variable '{name}'; link the module that defines it");
        Bug::new(BugKind::UndefinedVariable, message).about(ObjectNote {
            what: format!("undefined variable '{name}'"),
            address: self.global_address(global),
            size: 0,
            allocated: None,
            freed: None,
        })
    }

    /// The bug of a `free` of something that cannot be freed.
    fn bad_free(&self, fault: &MemoryFault) -> Bug {
        match *fault {
            MemoryFault::DoubleFree { tombstone, .. } => {
                let bug = Bug::new(BugKind::DoubleFree, "free of memory that was freed before");
                self.about_dead(bug, tombstone)
            }
            MemoryFault::FreeNotHeap { address, object } => Bug::new(
                BugKind::InvalidFree,
                format!(
                    "free of {} ({address:#x}), which is not on the heap",
                    self.describe(&object.object)
                ),
            )
            .about(self.note(&object)),
            MemoryFault::FreeInterior { address, object } => Bug::new(
                BugKind::InvalidFree,
                format!(
                    "free of an address {} of {} of {}",
                    place(address, 0, &object),
                    self.describe(&object.object),
                    byte_count(object.object.size)
                ),
            )
            .about(self.note(&object)),
            MemoryFault::FreeUnmapped { address } => Bug::new(
                BugKind::InvalidFree,
                format!("free of address {address:#x}, where there is no object"),
            ),
            _ => unreachable!("the caller sends only faults of free"),
        }
    }

    fn freed(
        &self,
        verb: &str,
        address: u64,
        bytes: u64,
        kind: ObjectKind,
        tombstone: Option<Tombstone>,
    ) -> Bug {
        let (kind, end) = if kind == ObjectKind::Stack {
            (BugKind::UseAfterReturn, "whose function has returned")
        } else {
            (BugKind::UseAfterFree, "that was freed")
        };
        let what = match tombstone {
            None => "of an object".to_owned(),
            Some(Tombstone { base, object, .. }) => {
                let place = place(address, bytes, &ObjRef { base, object });
                format!("{place} of {} of {}", self.describe(&object), byte_count(object.size))
            }
        };
        self.about_dead(
            Bug::new(kind, format!("{verb} of {} {what} {end}", byte_count(bytes))),
            tombstone,
        )
    }

    fn about_dead(&self, bug: Bug, tombstone: Option<Tombstone>) -> Bug {
        match tombstone {
            None => bug,
            Some(Tombstone { base, object, freed }) => {
                let note = self.note(&ObjRef { base, object });
                bug.about(ObjectNote { freed: known(freed), ..note })
            }
        }
    }

    /// An object as a report shows it.
    pub fn note(&self, object: &ObjRef) -> ObjectNote {
        ObjectNote {
            what: self.describe(&object.object),
            address: object.base,
            size: object.object.size,
            allocated: known(object.object.site),
            freed: None,
        }
    }

    /// The name of a local variable, if it is one and debug information has it.
    pub fn local_name(&self, object: &Object) -> Option<&str> {
        self.name_of_local(object.kind, object.name)
    }

    /// The name of the variable that an object is in the source, if it is one: without the function around
    /// it, where it is a static one of that function.
    pub fn variable_name(&self, object: &Object) -> Option<&str> {
        if object.kind != ObjectKind::Global || object.name == ObjectNameId::NONE {
            return self.local_name(object);
        }
        let global = self.program.globals.get(object.name.0 as usize)?;
        let name = global.name.rsplit_once('.').map_or(&*global.name, |(_, name)| name);
        (!is_literal(&global.name)).then_some(name)
    }

    fn name_of_local(&self, kind: ObjectKind, name: ObjectNameId) -> Option<&str> {
        let is_local = kind == ObjectKind::Stack && name != ObjectNameId::NONE;
        let name = self.program.names.get(name.0 as usize).filter(|_| is_local)?;
        (!name.is_empty()).then_some(name)
    }

    /// An object by its kind and name: `local variable 'buf'`.
    pub fn describe(&self, object: &Object) -> String {
        self.describe_kind(object.kind, object.name)
    }

    /// The same for an object of which no more is known.
    pub(crate) fn describe_kind(&self, kind: ObjectKind, name: ObjectNameId) -> String {
        let number = (name != ObjectNameId::NONE).then_some(name.0 as usize);
        match kind {
            ObjectKind::Global => match number.and_then(|n| self.program.globals.get(n)) {
                Some(global) if is_literal(&global.name) => "a string literal".to_owned(),
                Some(global) => format!("global '{}'", global.name),
                None => "a global".to_owned(),
            },
            ObjectKind::Stack => match self.name_of_local(kind, name) {
                Some(name) => format!("local variable '{name}'"),
                None => "a local variable".to_owned(),
            },
            ObjectKind::Heap => "a heap object".to_owned(),
            ObjectKind::External => "an object of the environment".to_owned(),
        }
    }
}

/// Clang's names for string literals.
fn is_literal(name: &str) -> bool {
    name.starts_with(".str") || name.starts_with("str.") || name == "str"
}

fn known(site: SiteId) -> Option<SiteId> {
    (site != SiteId::NONE).then_some(site)
}

/// `1 byte`, `4 bytes`.
pub fn byte_count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

fn place(address: u64, bytes: u64, object: &ObjRef) -> String {
    let (base, end) = (object.base, object.end());
    if address < base {
        format!("{} before the start", byte_count(base - address))
    } else if address == end {
        "just past the end".to_owned()
    } else if address > end {
        format!("{} past the end", byte_count(address - end))
    } else if address + bytes > end {
        format!("at offset {}, {} of them past the end,", address - base, address + bytes - end)
    } else {
        format!("at offset {}", address - base)
    }
}
