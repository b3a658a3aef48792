//! `cargo xtask setup`: the system packages that the build needs, and the sources of musl and libstdc++.
//!
//! Looks first and installs only what is missing, so that it costs milliseconds when all is there
//! and can stand at the beginning of every other command.

mod libstdcxx;
mod musl;
pub(crate) mod rust;
mod services;

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process::{self, find_program};

/// How to see that a need is already met.
enum Evidence {
    /// The package manager says so.
    Package,
    /// A program of this name is in `PATH`, wherever it came from.
    Program(&'static str),
}

/// One system package and how to see that it need not be installed.
struct Need {
    package: &'static str,
    evidence: Evidence,
}

/// LLVM is linked statically, which asks for polly, zstd and zlib; CaDiCaL and Boolector are compiled
/// from source, which asks for a C++ compiler; programs are linked natively against musl, or with
/// sanitizers; names of services are looked up natively as well; native replays need networks; runs on a
/// cluster are tried against a NATS server; live peers are Redis and its clients, a web server, curl and
/// scripts in Python; strace shows which sockets a run opens; xmllint, genhtml and tshark read what is
/// exported.
const NEEDS: [Need; 21] = [
    Need { package: "clang-19", evidence: Evidence::Program("clang-19") },
    Need { package: "libclang-rt-19-dev", evidence: Evidence::Package },
    Need { package: "llvm-19-dev", evidence: Evidence::Program("llvm-config-19") },
    Need { package: "libpolly-19-dev", evidence: Evidence::Package },
    Need { package: "libzstd-dev", evidence: Evidence::Package },
    Need { package: "zlib1g-dev", evidence: Evidence::Package },
    Need { package: "g++", evidence: Evidence::Program("c++") },
    Need { package: "musl-dev", evidence: Evidence::Package },
    Need { package: "linux-libc-dev", evidence: Evidence::Package },
    Need { package: "netbase", evidence: Evidence::Package },
    Need { package: "iproute2", evidence: Evidence::Program("ip") },
    Need { package: "nats-server", evidence: Evidence::Program("nats-server") },
    Need { package: "redis-server", evidence: Evidence::Program("redis-server") },
    Need { package: "redis-tools", evidence: Evidence::Program("redis-benchmark") },
    Need { package: "lighttpd", evidence: Evidence::Program("lighttpd") },
    Need { package: "curl", evidence: Evidence::Program("curl") },
    Need { package: "python3", evidence: Evidence::Package },
    Need { package: "strace", evidence: Evidence::Program("strace") },
    Need { package: "libxml2-utils", evidence: Evidence::Program("xmllint") },
    Need { package: "lcov", evidence: Evidence::Program("genhtml") },
    Need { package: "tshark", evidence: Evidence::Program("tshark") },
];

/// `apt-get`, which waits while another one is at work.
const APT_GET: [&str; 2] = ["apt-get", "--option=DPkg::Lock::Timeout=300"];

/// Installs what is missing, or says what to install where it cannot.
pub(crate) fn run() -> Result<()> {
    packages()?;
    musl::run()?;
    libstdcxx::run()
}

fn packages() -> Result<()> {
    let missing = missing_packages();
    if missing.is_empty() {
        println!("setup: all system packages are there");
        return Ok(());
    }
    let list = missing.join(" ");
    println!("setup: missing {list}");
    if find_program("apt-get").is_none() {
        bail!(
            "this system has no apt-get; install the counterparts of these Debian packages \
             by hand, then run again: {list}"
        );
    }
    install(&missing).with_context(|| {
        format!(
            "cannot install the packages; as root, run: apt-get update && apt-get install {list}"
        )
    })?;
    process::run(services::disable(&mut as_root()?, &missing))?;
    let still = missing_packages();
    if !still.is_empty() {
        bail!("apt-get ended well, yet these are still missing: {}", still.join(" "));
    }
    Ok(())
}

fn missing_packages() -> Vec<&'static str> {
    let met = |need: &Need| match need.evidence {
        Evidence::Package => is_installed(need.package),
        Evidence::Program(name) => find_program(name).is_some() || is_installed(need.package),
    };
    NEEDS.iter().filter(|need| !met(need)).map(|need| need.package).collect()
}

/// Whether dpkg has the package; without dpkg, the linker will be the judge.
fn is_installed(package: &str) -> bool {
    match Command::new("dpkg-query").args(["-W", "-f=${db:Status-Status}", package]).output() {
        Ok(output) => output.stdout == b"installed",
        Err(_) => true,
    }
}

fn install(packages: &[&str]) -> Result<()> {
    if !packages.iter().all(|package| is_listed(package)) {
        process::run(apt_get()?.args(["update", "--quiet=2"]))?;
    }
    if process::run(&mut install_command(packages)?).is_ok() {
        return Ok(());
    }
    // An outdated list names versions that the mirror has dropped since.
    println!("setup: trying again with a fresh package list");
    process::run(apt_get()?.args(["update", "--quiet=2"]))?;
    process::run(&mut install_command(packages)?)
}

/// Whether apt has a version of the package to offer.
fn is_listed(package: &str) -> bool {
    Command::new("apt-cache")
        .args(["show", "--quiet=2", package])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn install_command(packages: &[&str]) -> Result<Command> {
    let mut command = as_root()?;
    services::without_starts(&mut command).args(APT_GET);
    command.args(["install", "--yes", "--no-install-recommends", "--quiet=2"]).args(packages);
    Ok(command)
}

fn apt_get() -> Result<Command> {
    let mut command = as_root()?;
    command.args(APT_GET);
    Ok(command)
}

/// The beginning of a command of root, through `sudo` where needed. It asks no questions.
fn as_root() -> Result<Command> {
    let mut command = Command::new("env");
    if !is_root() {
        if find_program("sudo").is_none() {
            bail!("installing packages needs root, and there is no sudo");
        }
        command = Command::new("sudo");
        command.arg("env");
    }
    command.arg("DEBIAN_FRONTEND=noninteractive");
    Ok(command)
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
