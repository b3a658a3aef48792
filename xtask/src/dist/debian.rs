//! The same tree as a package of Debian.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{DOC, VERSION};
use crate::process::{output, run};

/// How a package is compressed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    /// As dpkg does it.
    Usual,
    /// Not at all: it is only looked at.
    None,
}

/// Makes the package of a tree, in the folder `home`.
pub(super) fn build(home: &Path, tree: &Path, compression: Compression) -> Result<PathBuf> {
    let root = home.join("package");
    fs::create_dir_all(root.join("DEBIAN"))?;
    let usr = root.join("usr");
    run(Command::new("cp").args(["--archive", "--no-target-directory"]).arg(tree).arg(&usr))?;
    // Debian's policy wants it under this name.
    let copyright = usr.join(DOC).join("copyright");
    fs::rename(usr.join(DOC).join("THIRD-PARTY.txt"), copyright)?;
    fs::write(root.join("DEBIAN/control"), control(&root)?)?;
    let package = home.join(format!("everett_{VERSION}_amd64.deb"));
    let mut dpkg = Command::new("dpkg-deb");
    if compression == Compression::None {
        dpkg.arg("-Znone");
    }
    dpkg.args(["--root-owner-group", "--build"]).arg(&root).arg(&package);
    output(&mut dpkg).context("cannot make the package")?;
    let contents = output(Command::new("dpkg-deb").arg("--contents").arg(&package))?;
    for name in [
        "./usr/bin/everett",
        "./usr/bin/everett-cc -> everett",
        "./usr/share/doc/everett/copyright",
    ] {
        if !contents.lines().any(|line| line.ends_with(name)) {
            bail!("the package has no {name}");
        }
    }
    fs::remove_dir_all(&root)?;
    Ok(package)
}

fn control(root: &Path) -> Result<String> {
    let size = output(Command::new("du").args(["--summarize", "--block-size=1024"]).arg(root))?;
    let size = size.split_whitespace().next().context("du says nothing")?.to_owned();
    // What was built here may need what is here.
    let libc = output(Command::new("dpkg-query").args(["-W", "-f=${Version}", "libc6"]))?;
    let libc = libc.split('-').next().unwrap_or_default();
    Ok(format!(
        "Package: everett\n\
         Version: {VERSION}\n\
         Architecture: amd64\n\
         Section: devel\n\
         Priority: optional\n\
         Maintainer: The authors of Everett\n\
         Installed-Size: {size}\n\
         Depends: libc6 (>= {libc}), libgcc-s1, libstdc++6 (>= 12), clang-19, musl-dev, linux-libc-dev\n\
         Recommends: iproute2\n\
         Suggests: lcov, nats-server, tshark\n\
         Description: finds bugs in C programs and distributed systems of them\n \
         Everett runs programs on symbolic inputs: it follows every path that some\n \
         input can take, checks every memory access on the way, and writes the input\n \
         that triggers each bug.\n"
    ))
}
