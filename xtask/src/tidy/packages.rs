//! Rules about packages: layers, workspace lints, the ban of `unsafe`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::layers::{LAYERS, UNSAFE_ALLOWED};
use super::problem::Problem;
use crate::process::{command, output};

/// The part of `cargo metadata` that is looked at.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Set for packages of the workspace.
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
    /// A target that asks for a feature is not part of the ordinary build.
    #[serde(default, rename = "required-features")]
    required_features: Vec<String>,
}

/// Checks every package of the workspace at `root`.
pub(super) fn check(root: &Path) -> Result<Vec<Problem>> {
    let mut metadata = command("cargo");
    metadata.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: Metadata = serde_json::from_str(&output(metadata.current_dir(root))?)
        .context("cannot read the output of cargo metadata")?;
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let manifest = package.manifest_path.strip_prefix(root).unwrap_or(&package.manifest_path);
        problems.extend(check_layers(manifest, package));
        problems.extend(check_lints(manifest, package)?);
        problems.extend(check_unsafe(root, package)?);
    }
    Ok(problems)
}

fn layer(package: &str) -> Option<u32> {
    LAYERS.iter().find(|(name, _)| *name == package).map(|(_, layer)| *layer)
}

fn check_layers(manifest: &Path, package: &Package) -> Vec<Problem> {
    let Some(own) = layer(&package.name) else {
        let message = format!("{} has no layer in xtask/src/tidy/layers.rs", package.name);
        return vec![Problem::new(manifest, 0, message)];
    };
    // A package may name itself, to have its own features in its tests.
    let is_other =
        |dependency: &&Dependency| dependency.path.is_some() && dependency.name != package.name;
    let local = package.dependencies.iter().filter(is_other);
    // An unknown layer is the fault of the dependency, and reported at its own manifest.
    let upward = local.filter(|dependency| layer(&dependency.name).is_some_and(|l| l >= own));
    let message = |dependency: &Dependency| {
        format!("{} (layer {own}) depends on {}, not below it", package.name, dependency.name)
    };
    upward.map(|dependency| Problem::new(manifest, 0, message(dependency))).collect()
}

fn check_lints(manifest: &Path, package: &Package) -> Result<Option<Problem>> {
    let text = std::fs::read_to_string(&package.manifest_path)?;
    let inherits = text.split_once("[lints]").is_some_and(|(_, rest)| {
        rest.lines().map(str::trim).find(|line| !line.is_empty()) == Some("workspace = true")
    });
    let message = "lacks `[lints] workspace = true`";
    Ok((!inherits).then(|| Problem::new(manifest, 0, message)))
}

fn check_unsafe(root: &Path, package: &Package) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    if UNSAFE_ALLOWED.contains(&package.name.as_str()) {
        return Ok(problems);
    }
    for target in &package.targets {
        let ships = target.kind.iter().any(|kind| kind.ends_with("lib") || kind == "bin");
        if !ships || !target.required_features.is_empty() {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&target.src_path) else {
            continue; // Cargo says it better.
        };
        if !text.contains("#![forbid(unsafe_code)]") {
            let file = target.src_path.strip_prefix(root).unwrap_or(&target.src_path);
            problems.push(Problem::new(file, 0, "lacks `#![forbid(unsafe_code)]`"));
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[&str]) -> Package {
        let dependency =
            |name: &&str| Dependency { name: name.to_string(), path: Some("x".into()) };
        Package {
            name: name.to_string(),
            manifest_path: "Cargo.toml".into(),
            dependencies: dependencies.iter().map(dependency).collect(),
            targets: Vec::new(),
        }
    }

    fn messages(package: &Package) -> Vec<String> {
        check_layers(Path::new("Cargo.toml"), package).iter().map(Problem::to_string).collect()
    }

    #[test]
    fn dependency_on_a_lower_layer_is_fine() {
        assert!(
            messages(&package("everett-interp", &["everett-base", "everett-memory"])).is_empty()
        );
    }

    #[test]
    fn dependency_on_the_same_or_a_higher_layer_is_named() {
        assert_eq!(
            messages(&package("everett-memory", &["everett-solver", "everett-engine"])),
            [
                "Cargo.toml: everett-memory (layer 2) depends on everett-solver, not below it",
                "Cargo.toml: everett-memory (layer 2) depends on everett-engine, not below it",
            ]
        );
    }

    #[test]
    fn package_without_a_layer_is_named() {
        assert_eq!(
            messages(&package("everett-new", &[])),
            ["Cargo.toml: everett-new has no layer in xtask/src/tidy/layers.rs"]
        );
    }

    #[test]
    fn layers_are_sorted_and_unique() {
        assert!(LAYERS.is_sorted_by_key(|(_, layer)| layer));
        let names: std::collections::BTreeSet<_> = LAYERS.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), LAYERS.len());
    }
}
