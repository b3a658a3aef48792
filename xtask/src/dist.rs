//! `cargo xtask dist`: what users install who have no Rust: a tarball, and a package of Debian.
//!
//! Both hold the same tree: the driver, which has the runtime in it, manual pages, completions for shells,
//! the documentation, and the licences of everything that the driver is made of. The tarball is unpacked
//! elsewhere and tried before it is called done.

mod debian;
mod licences;
mod trial;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{command, output, run as run_command};
use crate::setup;
use crate::workspace::{self, Profile, build_driver, driver};
use debian::Compression;

/// The version of all packages of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The C library and what comes with every C++ program: all that the driver may need besides clang and musl.
const LIBRARIES: [&str; 5] =
    ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2"];

/// The names under which the driver is a compiler.
const COMPILERS: [&str; 2] = ["everett-cc", "everett-c++"];

/// Files of completions, by shell.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/everett"),
    ("zsh", "share/zsh/vendor-completions/_everett"),
    ("fish", "share/fish/vendor_completions.d/everett.fish"),
];

/// The place of documentation and licences.
const DOC: &str = "share/doc/everett";

/// How to pack it.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Pack and try the driver of the tests, which is not built, and keep nothing
    #[arg(long)]
    check: bool,
}

/// Builds the driver as users run it, and packs it.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run()?;
    if options.check {
        return test();
    }
    let home = workspace::target_dir().join("dist");
    let tarball = pack(&home, Profile::Release)?;
    let package = debian::build(&home, &tree(&home), Compression::Usual)?;
    for file in [tarball, package] {
        let bytes = fs::metadata(&file)?.len();
        println!("{}  {:.1} MiB", workspace::relative(&file), bytes as f64 / f64::from(1 << 20));
    }
    Ok(())
}

/// The same as a test, with the driver that the suite has used.
pub(crate) fn test() -> Result<()> {
    let home = workspace::target_dir().join("dist-test");
    pack(&home, Profile::Tested)?;
    debian::build(&home, &tree(&home), Compression::None)?;
    fs::remove_dir_all(&home).context("cannot remove what was packed")
}

/// The folder that a tarball has.
fn tree(home: &Path) -> PathBuf {
    home.join(format!("everett-{VERSION}-x86_64-linux"))
}

/// Makes the tree and the tarball below a folder, and tries it.
fn pack(home: &Path, profile: Profile) -> Result<PathBuf> {
    let everett = build_driver(profile)?;
    if home.exists() {
        fs::remove_dir_all(home).context("cannot remove what was packed the last time")?;
    }
    let tree = tree(home);
    stage(&everett, &tree)?;
    let name = tree.file_name().context("the tree has a name")?;
    let tarball = home.join(format!("{}.tar.gz", name.to_string_lossy()));
    // The same tree gives the same bytes, whenever and by whomever it is packed.
    let mut tar = Command::new("tar");
    tar.args([
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--use-compress-program",
    ]);
    tar.arg("gzip -n").arg(format!("--mtime=@{}", commit_time()?));
    tar.arg("--create").arg("--file").arg(&tarball).arg("--directory").arg(home).arg(name);
    run_command(&mut tar)?;
    trial::run(&tarball)?;
    Ok(tarball)
}

/// Makes the tree.
fn stage(everett: &Path, tree: &Path) -> Result<()> {
    let bin = tree.join("bin");
    fs::create_dir_all(&bin)?;
    let installed = bin.join("everett");
    let mut strip = Command::new("strip");
    run_command(strip.arg("-o").arg(&installed).arg(everett))?;
    needs_little(&installed)?;
    for name in COMPILERS {
        symlink("everett", bin.join(name))?;
    }
    let man = tree.join("share/man/man1");
    run_command(driver(&installed).arg("man").arg(&man))?;
    for (shell, file) in COMPLETIONS {
        let file = tree.join(file);
        fs::create_dir_all(file.parent().context("the file is in a folder")?)?;
        fs::write(&file, output(driver(&installed).args(["completions", shell]))?)?;
    }
    let doc = tree.join(DOC);
    fs::create_dir_all(&doc)?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(workspace::root().join(name), doc.join(name))
            .with_context(|| format!("cannot copy {name}"))?;
    }
    copy_pages(&workspace::root().join("docs"), &doc.join("docs"))?;
    licences::write(&doc)
}

/// The pages for users and for authors of other tools; those for maintainers speak of the source.
fn copy_pages(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Fails if the driver needs a library that is not on every Debian.
fn needs_little(binary: &Path) -> Result<()> {
    let dynamic = output(Command::new("readelf").arg("--dynamic").arg("--wide").arg(binary))?;
    let needed = dynamic.lines().filter(|line| line.contains("(NEEDED)"));
    let names = needed.filter_map(|line| line.split(['[', ']']).nth(1));
    let odd: Vec<&str> = names.filter(|name| !LIBRARIES.contains(name)).collect();
    if !odd.is_empty() {
        bail!("the driver needs libraries that users may not have: {}", odd.join(", "));
    }
    Ok(())
}

/// The time of the last commit, in seconds since 1970.
fn commit_time() -> Result<String> {
    let time = output(command("git").args(["log", "-1", "--format=%ct"]))?;
    Ok(time.trim().to_owned())
}
