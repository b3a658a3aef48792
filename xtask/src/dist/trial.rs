//! A tarball, unpacked elsewhere and used as a user would who has no Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{run as run_command, shown};

/// The folders of programs that are there: those of the system.
const PATH: &str = "/usr/bin:/bin";

/// A program that has a bug for one value of its input.
const PROGRAM: &str = "\
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int value;
  klee_make_symbolic(&value, sizeof value, \"value\");
  printf(\"%d\\n\", 100 / (value - 7));
  return 0;
}
";

/// A folder that is removed when this goes.
struct TrialFolder(PathBuf);

impl Drop for TrialFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Unpacks a tarball, and compiles and explores a program with what is in it.
pub(super) fn run(tarball: &Path) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("everett-trial-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let folder = TrialFolder(folder);
    let root = &folder.0;
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--strip-components=1").arg("--file").arg(tarball);
    run_command(tar.arg("--directory").arg(root))?;
    for file in ["share/man/man1/everett-run.1", "share/doc/everett/THIRD-PARTY.txt"] {
        if fs::metadata(root.join(file)).map_or(0, |found| found.len()) < 1000 {
            bail!("{file} is missing in the tarball");
        }
    }
    fs::write(root.join("divide.c"), PROGRAM)?;
    fs::create_dir(root.join("home"))?;
    expect(root, &["bin/everett", "--version"], 0)?;
    expect(root, &["bash", "-n", "share/bash-completion/completions/everett"], 0)?;
    expect(root, &["bin/everett", "doctor"], 0)?;
    expect(root, &["bin/everett-cc", "-g", "divide.c", "-o", "divide"], 0)?;
    let said = expect(root, &["bin/everett", "run", "--out", "out", "divide"], 1)?;
    if !said.contains("divide-by-zero") {
        bail!("the bug of the program was not found:\n{said}");
    }
    expect(root, &["bin/everett", "init", "--explore", "system", "home"], 0)?;
    expect(root, &["sh", "home/everett/build.sh"], 0)?;
    expect(root, &["bin/everett", "run", "--out", "system", "home/everett/system.toml"], 1)?;
    println!("dist: unpacked elsewhere, it finds bugs");
    Ok(())
}

/// Runs a command without anything of our environment, for what it prints.
fn expect(root: &Path, words: &[&str], code: i32) -> Result<String> {
    let program = match words[0] {
        own if own.starts_with("bin/") => root.join(own),
        other => PathBuf::from(other),
    };
    let mut command = Command::new(program);
    command.args(&words[1..]).current_dir(root).env_clear();
    command
        .env("PATH", PATH)
        .env("HOME", root.join("home"))
        .env("EVERETT", root.join("bin/everett"));
    let output = command.output().with_context(|| format!("cannot start {}", shown(&command)))?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.code() != Some(code) {
        bail!("{} ended with {}, expected {code}:\n{said}", shown(&command), output.status);
    }
    Ok(said)
}
