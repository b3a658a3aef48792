//! The programs: fetched, configured and made with `everett cc` in the place of the compiler.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{heading, now, shown};
use crate::source_package::{Package, provide};
use crate::workspace::{self, driver};

const COREUTILS: Package = Package {
    name: "coreutils",
    archive: "coreutils_9.1.orig.tar.xz",
    folder: "coreutils-9.1",
    sha256: "61a1f410d78ba7e7f37a5a4f50e6d1320aca33375484a3255eddf17a38580423",
    places: &[
        "https://deb.debian.org/debian/pool/main/c/coreutils/coreutils_9.1.orig.tar.xz",
        "https://ftp.gnu.org/gnu/coreutils/coreutils-9.1.tar.xz",
    ],
};

const DASH: Package = Package {
    name: "dash",
    archive: "dash_0.5.12.orig.tar.gz",
    folder: "dash-0.5.12",
    sha256: "6a474ac46e8b0b32916c4c60df694c82058d3297d8b385b74508030ca4a8f28a",
    places: &["https://deb.debian.org/debian/pool/main/d/dash/dash_0.5.12.orig.tar.gz"],
};

const LBZIP2: Package = Package {
    name: "lbzip2",
    archive: "lbzip2_2.5.orig.tar.bz2",
    folder: "lbzip2-2.5",
    sha256: "eec4ff08376090494fa3710649b73e5412c3687b4b9b758c93f73aa7be27555b",
    places: &["https://deb.debian.org/debian/pool/main/l/lbzip2/lbzip2_2.5.orig.tar.bz2"],
};

/// How a package is configured and made, and what of it is used.
struct Recipe {
    package: Package,
    configure: &'static [&'static str],
    /// Man pages and documentation are left out, where the package would make them.
    make: &'static [&'static str],
    /// The folder of the executables.
    products: &'static str,
    /// Names there, and what they are called in the folder of executables; none means all.
    names: &'static [(&'static str, &'static str)],
}

const RECIPES: [Recipe; 3] = [
    Recipe {
        package: COREUTILS,
        configure: &["--disable-nls"],
        make: &["SUBDIRS=.", "MANS=", "INFO_DEPS="],
        products: "src",
        names: &[],
    },
    Recipe { package: DASH, configure: &[], make: &[], products: "src", names: &[("dash", "sh")] },
    Recipe {
        package: LBZIP2,
        configure: &[],
        make: &[],
        products: "src",
        names: &[("lbzip2", "lbzip2")],
    },
];

/// Fetches and builds everything that is not there yet; executables are in `home/bin` afterwards.
pub(super) fn coreutils(everett: &Path, home: &Path, rebuild: bool) -> Result<()> {
    let packages: Vec<_> = RECIPES.iter().map(|recipe| &recipe.package).collect();
    if rebuild {
        for package in &packages {
            let _ = fs::remove_dir_all(home.join(package.folder));
        }
        let _ = fs::remove_dir_all(home.join("bin"));
    }
    provide(&packages, home)?;
    fs::create_dir_all(home.join("bin"))?;
    RECIPES.iter().try_for_each(|recipe| recipe.build(everett, home))
}

/// Builds the small program of the smoke test.
pub(super) fn smoke(everett: &Path, home: &Path) -> Result<()> {
    let bin = home.join("bin");
    fs::create_dir_all(&bin)?;
    let mut cc = driver(everett);
    cc.args(["cc", "-g", "tests/eval/mirror.c", "-o"]).arg(bin.join("mirror"));
    crate::process::run(&mut cc)
}

impl Recipe {
    fn build(&self, everett: &Path, home: &Path) -> Result<()> {
        let source = home.join(self.package.folder);
        let done = source.join("everett-built");
        if done.exists() {
            return Ok(());
        }
        heading(&format!("building {} with everett cc", self.package.folder));
        let start = now();
        let log = home.join(format!("{}.log", self.package.name));
        let _ = fs::remove_file(&log);
        let mut configure = in_source(everett, "./configure", &source);
        configure.arg(format!("CC={} cc", everett.display())).args(self.configure);
        configure.env("FORCE_UNSAFE_CONFIGURE", "1");
        logged(&mut configure, &log)?;
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let mut make = in_source(everett, "make", &source);
        logged(make.arg(format!("-j{jobs}")).args(self.make), &log)?;
        let count = self.install(&source.join(self.products), &home.join("bin"))?;
        File::create(&done)?;
        println!("{count} executables, {:.1} s", start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Copies the executables.
    fn install(&self, products: &Path, bin: &Path) -> Result<usize> {
        let mut names: Vec<(String, String)> =
            self.names.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        if names.is_empty() {
            for entry in fs::read_dir(products)?.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if entry.path().is_file() && is_elf(&entry.path()) && !name.contains('.') {
                    names.push((name.clone(), name));
                }
            }
        }
        for (from, to) in &names {
            fs::copy(products.join(from), bin.join(to))
                .with_context(|| format!("{} made no {from}", self.package.folder))?;
        }
        Ok(names.len())
    }
}

fn is_elf(file: &Path) -> bool {
    fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF"))
}

/// A command in a source folder; what it compiles uses the workspace's cache.
pub(super) fn in_source(everett: &Path, program: &str, source: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, value) in driver(everett).get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    command.current_dir(source);
    command
}

/// Runs a command with its output in a file, whose end is shown if it fails.
pub(super) fn logged(command: &mut Command, log: &Path) -> Result<()> {
    println!("{}", shown(command));
    let file = File::options().create(true).append(true).open(log)?;
    let status = command.stdout(file.try_clone()?).stderr(file).status();
    let status = status.with_context(|| format!("cannot start {}", shown(command)))?;
    if status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&fs::read(log)?).into_owned();
    let lines: Vec<_> = text.lines().collect();
    let end = lines[lines.len().saturating_sub(20)..].join("\n");
    bail!("{} failed: {status}; all of {}:\n...\n{end}", shown(command), workspace::relative(log))
}
