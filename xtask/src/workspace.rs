//! Where things are: the root of the workspace, its target folder, the built driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{self, command};

/// How the driver is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The same as `Dev`, and built by the tests before: nothing is built.
    Tested,
    /// Optimised with assertions: what tests use.
    Dev,
    /// What users run and what is measured.
    Release,
}

/// The root folder of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the manifest is in a folder of the root")
}

/// The folder of build products, which `CARGO_TARGET_DIR` may have moved.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Builds the `everett` driver and returns the path of the binary.
pub(crate) fn build_driver(profile: Profile) -> Result<PathBuf> {
    build("everett", profile)
}

/// Builds the only binary of a package and returns its path.
pub(crate) fn build(package: &str, profile: Profile) -> Result<PathBuf> {
    let mut build = command("cargo");
    build.args(["build", "--package", package, "--bin", package]);
    let folder = match profile {
        Profile::Tested | Profile::Dev => "debug",
        Profile::Release => {
            build.arg("--release");
            "release"
        }
    };
    if profile != Profile::Tested {
        process::run(&mut build)?;
    }
    let binary = target_dir().join(folder).join(package);
    binary.canonicalize().with_context(|| format!("cargo built no {}", binary.display()))
}

/// A call of the driver, with its cache beside the other build products instead of the user's.
pub(crate) fn driver(everett: &Path) -> Command {
    let mut driver = command(everett);
    driver.env("EVERETT_CACHE", target_dir().join("everett-cache"));
    driver
}

/// A path as a person at the root of the workspace would write it.
pub(crate) fn relative(path: &Path) -> std::path::Display<'_> {
    path.strip_prefix(root()).unwrap_or(path).display()
}
