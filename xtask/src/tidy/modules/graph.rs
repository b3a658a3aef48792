//! The files of a crate, and which of them use which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::references::Reference;

/// The path of a module, from the root of its crate, which has none.
pub(super) type ModulePath = Vec<String>;

/// Renames that are followed from one `use` declaration to the next, at most.
const RENAMES_MAX: usize = 16;

/// A file that is a module.
pub(super) struct ModuleFile {
    /// Relative to the root of the workspace.
    pub(super) file: PathBuf,
    pub(super) references: Vec<Reference>,
}

/// The modules of a crate that have files.
#[derive(Default)]
pub(super) struct Modules {
    files: BTreeMap<ModulePath, ModuleFile>,
    /// Absolute paths behind the names that `use` declarations give.
    names: BTreeMap<ModulePath, BTreeMap<String, Vec<String>>>,
}

/// The module that a file is, by its path below `src`.
pub(super) fn module_path(below_src: &Path) -> ModulePath {
    let name = |part: &std::ffi::OsStr| part.to_string_lossy().into_owned();
    let mut path: ModulePath = below_src.with_extension("").iter().map(name).collect();
    path.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
    path
}

impl Modules {
    pub(super) fn new(files: BTreeMap<ModulePath, ModuleFile>) -> Modules {
        let mut modules = Modules { files, names: BTreeMap::new() };
        let names = modules.files.iter().map(|(module, file)| {
            let named = file.references.iter().filter_map(|reference| {
                let absolute = modules.absolute(module, &reference.path)?;
                Some((reference.name.clone()?, absolute))
            });
            (module.clone(), named.collect())
        });
        modules.names = names.collect();
        modules
    }

    pub(super) fn files(&self) -> impl Iterator<Item = (&ModulePath, &ModuleFile)> {
        self.files.iter()
    }

    /// The module whose file defines what a reference names; `None` if that is of another crate, or
    /// known by a `use` declaration, which is a reference of its own.
    pub(super) fn target(&self, module: &ModulePath, path: &[String]) -> Option<&ModulePath> {
        let mut path = self.absolute(module, path)?;
        for _ in 0..RENAMES_MAX {
            let known = (0..=path.len()).rev().find_map(|end| {
                self.files.get_key_value(&path[..end]).map(|(target, _)| (target, end))
            });
            let (target, end) = known?;
            let names = self.names.get(target);
            let renamed = path.get(end).and_then(|name| names?.get(name));
            match renamed {
                Some(renamed) => path = [renamed, &path[end + 1..]].concat(),
                None => return Some(target),
            }
        }
        None
    }

    /// A path from the root of the crate, of one that is written in a module.
    fn absolute(&self, module: &ModulePath, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => Some([module.get(..module.len().checked_sub(ups)?)?, &path[ups..]].concat()),
            child => {
                let child = [&module[..], &[child.to_owned()]].concat();
                self.files.contains_key(&child).then(|| [module, path].concat())
            }
        }
    }

    /// The files that each file uses.
    fn uses(&self) -> BTreeMap<&ModulePath, BTreeSet<&ModulePath>> {
        let uses = self.files.iter().map(|(module, file)| {
            let own = file.references.iter().filter(|reference| !reference.handed_on);
            let targets = own.filter_map(|reference| self.target(module, &reference.path));
            (module, targets.filter(|target| *target != module).collect())
        });
        uses.collect()
    }

    /// The largest set of files of which each uses each other, directly or through others.
    pub(super) fn largest_circle(&self) -> Vec<&Path> {
        let uses = self.uses();
        let reached: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> =
            uses.keys().map(|module| (*module, reachable(&uses, module))).collect();
        let circle = |module: &&ModulePath| -> Vec<&ModulePath> {
            let both = reached[module].iter().filter(|other| reached[**other].contains(*module));
            both.copied().collect()
        };
        // Of several that are as large, the first one.
        let circles = uses.keys().map(circle).rev();
        let largest = circles.max_by_key(Vec::len).unwrap_or_default();
        largest.into_iter().map(|module| &*self.files[module].file).collect()
    }
}

/// Everything that can be reached from a module.
fn reachable<'m>(
    uses: &BTreeMap<&'m ModulePath, BTreeSet<&'m ModulePath>>,
    from: &ModulePath,
) -> BTreeSet<&'m ModulePath> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<&ModulePath> = uses[from].iter().copied().collect();
    while let Some(module) = pending.pop() {
        if found.insert(module) {
            pending.extend(uses[module].iter().copied());
        }
    }
    found
}
