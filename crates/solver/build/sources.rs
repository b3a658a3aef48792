//! Finds the folders of the two published packages whose C sources are compiled.
//!
//! In order: what the environment names, what `cargo metadata` reports for this package (so that
//! vendored and path-replaced packages work), and the registry's usual place for unpacked sources.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The two source folders, each checked to hold the header that we need from it.
pub(crate) struct Sources {
    /// `src` of Boolector inside `boolector-sys`.
    pub(crate) boolector: PathBuf,
    /// `src` of CaDiCaL inside `cadical`.
    pub(crate) cadical: PathBuf,
}

struct Package {
    name: &'static str,
    version: &'static str,
    variable: &'static str,
    sources: &'static str,
    proof: &'static str,
}

const BOOLECTOR: Package = Package {
    name: "boolector-sys",
    version: "0.7.2",
    variable: "EVERETT_BOOLECTOR_SYS_DIR",
    sources: "boolector/src",
    proof: "boolector.h",
};

const CADICAL: Package = Package {
    name: "cadical",
    version: "0.1.16",
    variable: "EVERETT_CADICAL_DIR",
    sources: "cadical/src",
    proof: "ccadical.h",
};

/// Locates both packages, or says which one is missing and what to do about it.
pub(crate) fn locate(manifest_dir: &Path) -> Result<Sources, String> {
    let mut metadata = None;
    let mut find = |package: &Package| -> Result<PathBuf, String> {
        println!("cargo:rerun-if-env-changed={}", package.variable);
        let named = env::var_os(package.variable).map(PathBuf::from);
        named
            .as_deref()
            .and_then(|folder| package.sources_in(folder))
            .or_else(|| {
                let text = metadata.get_or_insert_with(|| cargo_metadata(manifest_dir));
                package.in_metadata(text)
            })
            .or_else(|| package.in_registry())
            .ok_or_else(|| package.missing())
    };
    Ok(Sources { boolector: find(&BOOLECTOR)?, cadical: find(&CADICAL)? })
}

impl Package {
    fn sources_in(&self, folder: &Path) -> Option<PathBuf> {
        let sources = folder.join(self.sources);
        sources.join(self.proof).is_file().then_some(sources)
    }

    /// Every package of the metadata says where its manifest is; the folder is named after the
    /// package, with the version or (vendored) without.
    fn in_metadata(&self, text: &str) -> Option<PathBuf> {
        let versioned = format!("{}-{}", self.name, self.version);
        text.split("\"manifest_path\":\"").skip(1).find_map(|rest| {
            let folder = Path::new(rest.split('"').next()?).parent()?;
            let name = folder.file_name()?.to_str()?;
            if name == versioned || name == self.name { self.sources_in(folder) } else { None }
        })
    }

    fn in_registry(&self) -> Option<PathBuf> {
        let home = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))?;
        let registries = fs::read_dir(home.join("registry/src")).ok()?;
        let mut folders: Vec<_> = registries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.sort();
        folders.iter().find_map(|folder| {
            self.sources_in(&folder.join(format!("{}-{}", self.name, self.version)))
        })
    }

    fn missing(&self) -> String {
        format!(
            "the sources of package {} {} were not found, neither through `cargo metadata` nor in \
             the registry's folder; run `cargo fetch`, or set {} to the unpacked package",
            self.name, self.version, self.variable
        )
    }
}

/// The metadata of the workspace that this package belongs to, or nothing when cargo cannot tell
/// without the network.
fn cargo_metadata(manifest_dir: &Path) -> String {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = env::var("TARGET").unwrap_or_default();
    let output = Command::new(cargo)
        .args(["metadata", "--offline", "--format-version", "1", "--filter-platform", &target])
        .arg("--manifest-path")
        .arg(manifest_dir.join("Cargo.toml"))
        .output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        _ => String::new(),
    }
}
