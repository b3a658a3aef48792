//! [`Need`]: something that Everett uses, and how to see whether it is there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use everett_report::bytes;
use everett_toolchain::cc::musl_headers;

use crate::environment::{self, toolchain_error};
use crate::exit_codes::EXIT_FINDINGS;

/// Something that Everett uses.
pub(super) struct Need {
    pub(super) name: &'static str,
    pub(super) state: NeedState,
    /// What was found, or why it was not.
    pub(super) what: String,
    /// What it is for, and what is to be done.
    pub(super) purpose: &'static str,
    /// The package of Debian that has it.
    pub(super) package: Option<&'static str>,
}

/// Whether a need is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NeedState {
    /// It is there.
    Met,
    /// It is not there, and is needed.
    Missing,
    /// It is not there, and some commands need it.
    OptionalMissing,
    /// It is there, and not as it might be.
    Odd,
}

/// Memory that runs take if nobody says otherwise (`--max-memory`).
const USUAL_MEMORY: u64 = 4 << 30;

/// A program with a bug that exploration finds and one run does not.
const SAMPLE: &str = "\
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char at;
  char name[4];
  klee_make_symbolic(&at, 1, \"at\");
  memset(name, 0, sizeof name);
  return name[at & 4];
}
";

/// All needs, the most important ones first.
pub(super) fn all() -> Vec<Need> {
    let mut needs = vec![
        needed("compiler", compiler(), "compiles programs, by `everett cc`", Some("clang-19")),
        needed("musl", musl(), "the C library that programs are linked with", Some("musl-dev")),
        needed(
            "kernel headers",
            file("/usr/include/linux/types.h"),
            "headers such as <linux/types.h>, which programs include",
            Some("linux-libc-dev"),
        ),
        needed("cache", cache(), "EVERETT_CACHE names another folder", None),
    ];
    // What is missing above says why it does not work.
    if needs.iter().all(|need| need.state == NeedState::Met) {
        let purpose = "this should work; please report it, with what is said here";
        needs.push(needed("a small program", sample(), purpose, None));
    }
    needs.push(memory());
    needs.extend(optional());
    needs
}

/// What some commands need.
fn optional() -> Vec<Need> {
    let program = |name: &'static str, program: &str, purpose, package| {
        optional_need(name, on_path(&[program]), purpose, Some(package))
    };
    vec![
        optional_need(
            "C++ headers",
            cxx_headers(),
            "for programs in C++, by `everett c++`",
            Some("libstdc++-12-dev"),
        ),
        program("ip", "ip", "for networks of `everett replay --native`", "iproute2"),
        optional_need(
            "namespaces",
            namespaces(),
            "for networks of `everett replay --native`; without them, all nodes are on one network stack: \
             run it as root, or allow namespaces of users",
            None,
        ),
        program("genhtml", "genhtml", "reads what --export lcov writes", "lcov"),
        program(
            "tshark",
            "tshark",
            "reads what --export pcapng writes, as Wireshark does",
            "tshark",
        ),
        program(
            "nats-server",
            "nats-server",
            "for clusters: `everett run --cluster`",
            "nats-server",
        ),
        optional_need(
            "browser",
            on_path(&["xdg-open", "chromium", "firefox", "google-chrome", "sensible-browser"]),
            "shows report.html, here or on any other machine",
            Some("chromium"),
        ),
    ]
}

fn needed(
    name: &'static str,
    found: Result<String>,
    purpose: &'static str,
    package: Option<&'static str>,
) -> Need {
    let (state, what) = match found {
        Ok(what) => (NeedState::Met, what),
        Err(error) => (NeedState::Missing, format!("{error:#}")),
    };
    Need { name, state, what, purpose, package }
}

fn optional_need(
    name: &'static str,
    found: Result<String>,
    purpose: &'static str,
    package: Option<&'static str>,
) -> Need {
    let need = needed(name, found, purpose, package);
    match need.state {
        NeedState::Missing => Need { state: NeedState::OptionalMissing, ..need },
        NeedState::Met | NeedState::OptionalMissing | NeedState::Odd => need,
    }
}

fn compiler() -> Result<String> {
    let clang = environment::clang()?;
    let version = clang.ask("--version").map_err(toolchain_error)?;
    let line = version.lines().next().unwrap_or_default().trim().to_owned();
    if !line.contains("version 19.") {
        bail!("it has to be clang 19, and calls itself {line:?}");
    }
    Ok(line)
}

fn musl() -> Result<String> {
    let settings = environment::compiler_settings()?;
    let headers = musl_headers(settings.musl.as_deref()).map_err(toolchain_error)?;
    Ok(headers.display().to_string())
}

fn file(path: &str) -> Result<String> {
    if Path::new(path).is_file() { Ok(path.to_owned()) } else { bail!("there is no {path}") }
}

/// The folder can be written.
fn cache() -> Result<String> {
    let folder = environment::cache()?;
    tempfile::tempfile_in(&folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    Ok(folder.display().to_string())
}

/// Compiles a program and finds its bug, by this binary.
fn sample() -> Result<String> {
    let everett = env::current_exe().context("cannot find the everett binary")?;
    let folder = tempfile::tempdir().context("cannot make a folder for it")?;
    fs::write(folder.path().join("sample.c"), SAMPLE).context("cannot write it")?;
    let run = |words: &[&str], expected: u8| {
        let mut command = Command::new(&everett);
        command.args(words).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().context("cannot start everett")?;
        if output.status.code() != Some(expected.into()) {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(anyhow!("everett {} ended with {}: {said}", words[0], output.status));
        }
        Ok(())
    };
    run(&["cc", "-g", "sample.c", "-o", "sample"], 0)?;
    run(&["run", "--quiet", "--report", "off", "--out", "out", "sample"], EXIT_FINDINGS)?;
    Ok("compiled and explored".to_owned())
}

/// The memory that is free, as the kernel estimates it, or that a group of processes may have.
fn memory() -> Need {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let free = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        number(line.trim().strip_suffix("kB")?).map(|kilobytes| kilobytes << 10)
    });
    let most = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let most = most.as_deref().and_then(number);
    let least = [free, most].into_iter().flatten().min();
    let (state, what) = match least {
        Some(least) if least < USUAL_MEMORY => {
            (NeedState::Odd, format!("{} are free", bytes(least)))
        }
        Some(least) => (NeedState::Met, format!("{} are free", bytes(least))),
        None => (NeedState::Odd, "this system does not say how much is free".to_owned()),
    };
    let purpose = "runs take up to 4 GiB: give less with --max-memory, and the rest goes to disk";
    Need { name: "memory", state, what, purpose, package: None }
}

fn cxx_headers() -> Result<String> {
    let folder = "/usr/include/c++";
    let versions = fs::read_dir(folder).map_err(|_| anyhow!("there is no {folder}"))?;
    let mut found: Vec<PathBuf> = versions.flatten().map(|entry| entry.path()).collect();
    found.sort();
    let found = found.into_iter().rfind(|path| path.join("vector").is_file());
    found.map(|path| path.display().to_string()).ok_or_else(|| anyhow!("{folder} has no headers"))
}

/// Namespaces of a user and a network are allowed.
fn namespaces() -> Result<String> {
    let mut unshare = Command::new("unshare");
    unshare.args(["--map-root-user", "--net", "true"]).stdin(Stdio::null());
    let output = unshare.output().context("cannot start unshare (package util-linux)")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok("of users and networks".to_owned())
}

/// The first of these programs that is in `PATH`.
fn on_path(names: &[&str]) -> Result<String> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    let of_name = |name: &&str| folders.iter().map(|folder| folder.join(name)).collect::<Vec<_>>();
    let found = names.iter().flat_map(of_name).find(|path| path.is_file());
    found.map(|path| path.display().to_string()).ok_or_else(|| anyhow!("not found"))
}
