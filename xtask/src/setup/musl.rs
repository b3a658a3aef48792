//! musl's source package, from which the build makes the libc that programs link against.
//!
//! It comes from the distribution, through lists of source packages of our own, so that neither root
//! nor a change of the system's configuration is needed; where that fails, from places on the net.
//! Whatever came is compared with a checksum that is fixed here. Nothing of it is ever committed: it
//! stays below the target folder, where the build script of the driver looks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process::{self, find_program, now};
use crate::workspace;

/// What is unpacked, and the folder that it makes.
const FOLDER: &str = "musl-1.2.3";
/// The name of the source archive in Debian.
const ARCHIVE: &str = "musl_1.2.3.orig.tar.gz";
const SHA256: &str = "7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4";

/// Where the same bytes are, when the package manager does not have them.
const PLACES: [&str; 3] = [
    "https://deb.debian.org/debian/pool/main/m/musl/musl_1.2.3.orig.tar.gz",
    "http://deb.debian.org/debian/pool/main/m/musl/musl_1.2.3.orig.tar.gz",
    "https://musl.libc.org/releases/musl-1.2.3.tar.gz",
];

/// Fetches and unpacks the source unless it is there.
pub(super) fn run() -> Result<()> {
    let home = workspace::target_dir().join("musl");
    let source = home.join(FOLDER);
    if source.is_dir() {
        return Ok(());
    }
    let start = now();
    fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    let archive = home.join(ARCHIVE);
    if !is_right(&archive) {
        fetch(&home, &archive)?;
    }
    unpack(&archive, &home)?;
    let (seconds, place) = (start.elapsed().as_secs_f64(), workspace::relative(&source));
    println!("setup: musl's source is in {place} ({seconds:.1} s)");
    Ok(())
}

fn fetch(home: &Path, archive: &Path) -> Result<()> {
    let mut reasons = Vec::new();
    match from_package_manager(home, archive) {
        Ok(()) if is_right(archive) => return Ok(()),
        Ok(()) => reasons.push("apt-get has another version".to_owned()),
        Err(error) => reasons.push(format!("apt-get: {error:#}")),
    }
    for place in PLACES {
        match download(place, archive) {
            Ok(()) if is_right(archive) => return Ok(()),
            Ok(()) => reasons.push(format!("{place}: the checksum is wrong")),
            Err(error) => reasons.push(format!("{place}: {error:#}")),
        }
    }
    let _ = fs::remove_file(archive);
    bail!(
        "cannot fetch the source of musl; put a file with the SHA-256 {SHA256} at {} and run again\n{}",
        archive.display(),
        reasons.join("\n")
    )
}

/// Whether a file is there and holds what it should.
fn is_right(archive: &Path) -> bool {
    archive.is_file()
        && ["sha256sum", "shasum"].into_iter().any(|program| {
            let mut sum = Command::new(program);
            if program == "shasum" {
                sum.args(["-a", "256"]);
            }
            let output = sum.arg(archive).stderr(Stdio::null()).output();
            output.is_ok_and(|output| output.stdout.starts_with(SHA256.as_bytes()))
        })
}

/// Lets `apt-get` fetch the source package with configuration and state of our own.
fn from_package_manager(home: &Path, archive: &Path) -> Result<()> {
    if find_program("apt-get").is_none() {
        bail!("there is no such program");
    }
    let private = home.join("apt");
    let (parts, lists, cache, fetched) =
        (private.join("parts"), private.join("lists"), private.join("cache"), private.join("dl"));
    for folder in [&parts, &lists.join("partial"), &cache.join("archives/partial"), &fetched] {
        fs::create_dir_all(folder)?;
    }
    write_sources(&parts)?;
    let apt_get = |action: &[&str]| {
        let mut apt_get = Command::new("apt-get");
        apt_get.current_dir(&fetched).arg("--quiet=2");
        for (key, value) in [
            ("Dir::Etc::SourceList", Path::new("/dev/null")),
            ("Dir::Etc::SourceParts", &parts),
            ("Dir::State::Lists", &lists),
            ("Dir::Cache", &cache),
            ("APT::Sandbox::User", Path::new("root")),
        ] {
            apt_get.arg(format!("--option={key}={}", value.display()));
        }
        apt_get.args(action);
        apt_get
    };
    process::output(&mut apt_get(&["update"]))?;
    process::output(&mut apt_get(&["source", "--download-only", "musl"]))?;
    fs::rename(fetched.join(ARCHIVE), archive)
        .with_context(|| format!("no {ARCHIVE} in the source package"))?;
    // The lists of all source packages are some twenty megabytes.
    let _ = fs::remove_dir_all(&private);
    Ok(())
}

/// Writes the system's lists of packages as lists of source packages.
fn write_sources(parts: &Path) -> Result<()> {
    let system = Path::new("/etc/apt");
    let mut files = vec![system.join("sources.list")];
    if let Ok(entries) = fs::read_dir(system.join("sources.list.d")) {
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    files.sort();
    let mut written = 0;
    for (number, file) in files.iter().enumerate() {
        let extension = file.extension().and_then(|extension| extension.to_str());
        let Ok(text) = fs::read_to_string(file) else { continue };
        let text = match extension {
            Some("list") => as_sources_lines(&text),
            Some("sources") => as_sources_stanzas(&text),
            _ => continue,
        };
        let name = format!("{number}.{}", extension.unwrap_or_default());
        fs::write(parts.join(name), text)?;
        written += 1;
    }
    if written == 0 {
        bail!("no lists of packages in {}", system.display());
    }
    Ok(())
}

/// `deb ...` to `deb-src ...`, line by line; the rest is dropped.
fn as_sources_lines(text: &str) -> String {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("deb"));
    let lines = lines.filter(|rest| rest.starts_with([' ', '\t']));
    lines.map(|rest| format!("deb-src{rest}\n")).collect()
}

/// The same for the format with one field a line.
fn as_sources_stanzas(text: &str) -> String {
    let convert = |line: &str| match line.split_once(':') {
        Some((field, _)) if field.eq_ignore_ascii_case("types") => "Types: deb-src\n".to_owned(),
        _ => format!("{line}\n"),
    };
    text.lines().filter(|line| !line.starts_with('#')).map(convert).collect()
}

/// Downloads with whatever the system has for it.
fn download(place: &str, file: &Path) -> Result<()> {
    let script = "import sys, urllib.request; urllib.request.urlretrieve(sys.argv[1], sys.argv[2])";
    let path = file.as_os_str();
    let mut curl = Command::new("curl");
    curl.args([
        "--fail",
        "--silent",
        "--show-error",
        "--location",
        "--max-time",
        "120",
        "--output",
    ]);
    curl.arg(path).arg(place);
    let mut wget = Command::new("wget");
    wget.args(["--quiet", "--timeout=60", "--tries=2", "-O"]).arg(path).arg(place);
    let mut python = Command::new("python3");
    python.args(["-c", script, place]).arg(path);
    for (name, mut command) in [("curl", curl), ("wget", wget), ("python3", python)] {
        if find_program(name).is_some() {
            return process::output(&mut command).map(drop);
        }
    }
    bail!("there is neither curl nor wget nor python3")
}

/// Unpacks beside and renames, so that a folder that is there is complete.
fn unpack(archive: &Path, home: &Path) -> Result<()> {
    let beside: PathBuf = home.join("unpacking");
    let _ = fs::remove_dir_all(&beside);
    fs::create_dir_all(&beside)?;
    process::output(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&beside))?;
    fs::rename(beside.join(FOLDER), home.join(FOLDER))
        .context("the archive holds another folder")?;
    fs::remove_dir_all(&beside)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_packages_become_lists_of_sources() {
        let lines =
            "# deb http://a x main\ndeb [signed-by=/k] http://b x main\ndeb-src http://c x\n";
        assert_eq!(as_sources_lines(lines), "deb-src [signed-by=/k] http://b x main\n");
        let stanza = "Types: deb deb-src\n# a remark\nURIs: http://d\nSuites: x\n";
        assert_eq!(as_sources_stanzas(stanza), "Types: deb-src\nURIs: http://d\nSuites: x\n");
    }
}
