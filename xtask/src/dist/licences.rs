//! The licences of what the driver is made of: crates, and native libraries.
//!
//! Which crates there are comes from `cargo metadata`: those that the driver depends on, without those that
//! only tests or builds need. A crate whose licence is none of the known ones is an error, so that somebody
//! looks at it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process::{command, output};
use crate::workspace;

/// Licences that ask for no more than that they are passed on, by their SPDX names.
const KNOWN: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "OpenSSL",
];

/// Native libraries that are linked into the driver, or that it carries as bitcode: their names, and the
/// packages of Debian whose copyright files have their licences.
const OF_DEBIAN: [(&str, &str); 4] = [
    ("LLVM 19", "llvm-19-dev"),
    ("zstd", "libzstd-dev"),
    ("zlib", "zlib1g-dev"),
    ("libstdc++ (GCC 12, with the runtime library exception)", "libstdc++-12-dev"),
];

/// The folder of their texts.
const FOLDER: &str = "licences";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    license_file: Option<PathBuf>,
    authors: Vec<String>,
    repository: Option<String>,
    manifest_path: PathBuf,
    /// None for the packages of the workspace.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// None for what is linked; `dev` and `build` otherwise.
    kind: Option<String>,
}

/// Writes the list `THIRD-PARTY.txt` into a folder, and the texts of licences below it.
pub(super) fn write(doc: &Path) -> Result<()> {
    let folder = doc.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let mut list =
        "Everett is licensed under MIT or Apache-2.0, at your choice. It is made with these \
                    libraries, whose licences are in the folder `licences`.\n"
            .to_owned();
    for (name, package) in OF_DEBIAN {
        let file = format!("/usr/share/doc/{package}/copyright");
        fs::copy(&file, folder.join(format!("{package}.txt")))
            .with_context(|| format!("the licence of {name} is missing: {file}"))?;
        let _ = write!(list, "\n{name}\n  {FOLDER}/{package}.txt\n");
    }
    let musl = workspace::target_dir().join("musl/musl-1.2.3/COPYRIGHT");
    fs::copy(&musl, folder.join("musl.txt"))
        .with_context(|| format!("the licence of musl is missing: {}", musl.display()))?;
    let _ = write!(list, "\nmusl 1.2.3\n  {FOLDER}/musl.txt\n");
    for package in crates()? {
        list.push_str(&package.pass_on(&folder)?);
    }
    fs::write(doc.join("THIRD-PARTY.txt"), list)?;
    Ok(())
}

/// The crates that the driver is made of, by name, without those of the workspace.
fn crates() -> Result<Vec<Package>> {
    let mut cargo = command("cargo");
    cargo.args(["metadata", "--format-version", "1", "--locked"]);
    cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let metadata: Metadata = serde_json::from_str(&output(&mut cargo)?)?;
    linked(metadata)
}

fn linked(metadata: Metadata) -> Result<Vec<Package>> {
    let of_id: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (&*node.id, node)).collect();
    let mut packages: BTreeMap<&str, Package> = BTreeMap::new();
    let ids: Vec<String> = metadata.packages.iter().map(|package| package.id.clone()).collect();
    for (id, package) in ids.iter().zip(metadata.packages) {
        packages.insert(id, package);
    }
    let driver = packages.values().find(|of| of.name == "everett" && of.source.is_none());
    let root = driver.map(|package| package.id.clone()).context("there is no driver")?;
    let (mut seen, mut left) = (BTreeSet::new(), vec![&*root]);
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = of_id.get(id).with_context(|| format!("{id} is not resolved"))?;
        let linked = node
            .deps
            .iter()
            .filter(|dependency| dependency.dep_kinds.iter().any(|of| of.kind.is_none()));
        left.extend(linked.map(|dependency| &*dependency.pkg));
    }
    let found = seen.into_iter().filter_map(|id| packages.remove(id));
    let mut found: Vec<Package> = found.filter(|package| package.source.is_some()).collect();
    found.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(found)
}

impl Package {
    /// Copies its licences into a folder, and gives its part of the list.
    fn pass_on(&self, folder: &Path) -> Result<String> {
        let Package { name, version, license, license_file, authors, repository, .. } = self;
        let terms = match (license, license_file) {
            (Some(terms), _) if is_known(terms) => terms.clone(),
            (Some(terms), _) => bail!("the licence of {name} {version} is not known: {terms}"),
            (None, Some(file)) => format!("see {}", file.display()),
            (None, None) => bail!("{name} {version} says nothing about its licence"),
        };
        let home = self.manifest_path.parent().context("a manifest is in a folder")?;
        let mut texts = Vec::new();
        licence_files(home, 0, &mut texts)?;
        texts.sort();
        let mut text = format!("\n{name} {version}, {terms}\n");
        if texts.is_empty() {
            // The licence asks for the notice; names are all that there is.
            let repository = repository.as_deref().unwrap_or("no address");
            let _ = writeln!(text, "  by {}; {repository}", authors.join(", "));
        }
        for file in texts {
            let inner = file.strip_prefix(home).context("the file is in the folder")?;
            let flat = inner.to_string_lossy().replace('/', "-");
            let target = format!("{name}-{version}-{flat}");
            fs::copy(&file, folder.join(&target))?;
            let _ = writeln!(text, "  {FOLDER}/{target}");
        }
        Ok(text)
    }
}

/// Returns `true` if one of the alternatives of an SPDX expression consists of known licences.
fn is_known(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let is_listed = |name: &str| KNOWN.contains(&name.trim());
    expression.split(" OR ").any(|all| all.split(" AND ").all(is_listed))
}

/// Files with licences: of the crate, and of the sources of other projects in it.
fn licence_files(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let (path, name) = { entry.map(|entry| (entry.path(), entry.file_name()))? };
        let name = name.to_string_lossy().to_lowercase();
        let is_code = [".rs", ".c", ".h", ".py"].iter().any(|ending| name.ends_with(ending));
        let begins = ["licence", "license", "copying", "copyright", "notice", "unlicense"];
        if path.is_dir() && depth < 2 {
            licence_files(&path, depth + 1, found)?;
        } else if path.is_file() && !is_code && begins.iter().any(|word| name.starts_with(word)) {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_and_sums_of_licences_are_understood() {
        for known in
            ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"]
        {
            assert!(is_known(known), "{known}");
        }
        for unknown in ["GPL-3.0", "MIT AND GPL-3.0", "", "LGPL-2.1 OR GPL-3.0"] {
            assert!(!is_known(unknown), "{unknown}");
        }
    }

    #[test]
    fn every_crate_of_the_driver_has_a_licence_that_is_passed_on() {
        let folder = workspace::target_dir().join("licences-test");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let crates = crates().unwrap();
        let named = |name: &str| crates.iter().any(|package| package.name == name);
        assert!(named("clap") && named("boolector-sys") && named("cadical"));
        assert!(
            !named("proptest") && !named("tempfile-not-there"),
            "tests need it, the driver not"
        );
        for package in &crates {
            let text = package.pass_on(&folder).unwrap();
            assert!(text.lines().count() >= 3, "{text}");
        }
        let copied: Vec<String> = { fs::read_dir(&folder).unwrap() }
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        let of = |part: &str| copied.iter().any(|name| name.contains(part));
        assert!(of("boolector-COPYING") && of("cadical-LICENSE"), "sources within crates");
        fs::remove_dir_all(&folder).unwrap();
    }
}
