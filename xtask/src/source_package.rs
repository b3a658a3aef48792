//! Source packages of the distribution: fetched, checked and unpacked below the target folder.
//!
//! They come through lists of source packages of our own, so that neither root nor a change of the
//! system's configuration is needed; where that fails, from places on the net. Whatever came is
//! compared with a checksum that is fixed beside its name. Nothing of it is ever committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process::{self, find_program, now};
use crate::workspace;

/// A source package whose bytes are known.
pub(crate) struct Package {
    /// What the package manager calls it.
    pub(crate) name: &'static str,
    /// The name of the source archive in Debian.
    pub(crate) archive: &'static str,
    /// The folder that the archive makes.
    pub(crate) folder: &'static str,
    /// Checksum of the archive.
    pub(crate) sha256: &'static str,
    /// Where the same bytes are, when the package manager does not have them.
    pub(crate) places: &'static [&'static str],
}

/// Fetches and unpacks below `home` those that are not there yet.
pub(crate) fn provide(packages: &[&Package], home: &Path) -> Result<()> {
    let missing: Vec<_> =
        packages.iter().filter(|package| !home.join(package.folder).is_dir()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(home).with_context(|| format!("cannot make {}", home.display()))?;
    let mut manager = Manager::new(home);
    for package in missing {
        let start = now();
        let archive = home.join(package.archive);
        if !package.is_right(&archive) {
            package.fetch(&mut manager, &archive)?;
        }
        package.unpack(&archive, home)?;
        let place = home.join(package.folder);
        let (seconds, place) = (start.elapsed().as_secs_f64(), workspace::relative(&place));
        println!("setup: the source of {} is in {place} ({seconds:.1} s)", package.name);
    }
    Ok(())
}

impl Package {
    fn fetch(&self, manager: &mut Manager, archive: &Path) -> Result<()> {
        let mut reasons = Vec::new();
        match manager.fetch(self, archive) {
            Ok(()) if self.is_right(archive) => return Ok(()),
            Ok(()) => reasons.push("apt-get has another version".to_owned()),
            Err(error) => reasons.push(format!("apt-get: {error:#}")),
        }
        for place in self.places {
            match download(place, archive) {
                Ok(()) if self.is_right(archive) => return Ok(()),
                Ok(()) => reasons.push(format!("{place}: the checksum is wrong")),
                Err(error) => reasons.push(format!("{place}: {error:#}")),
            }
        }
        let _ = fs::remove_file(archive);
        bail!(
            "cannot fetch the source of {}; put a file with the SHA-256 {} at {} and run again\n{}",
            self.name,
            self.sha256,
            archive.display(),
            reasons.join("\n")
        )
    }

    /// Whether a file is there and holds what it should.
    fn is_right(&self, archive: &Path) -> bool {
        archive.is_file()
            && ["sha256sum", "shasum"].into_iter().any(|program| {
                let mut sum = Command::new(program);
                if program == "shasum" {
                    sum.args(["-a", "256"]);
                }
                let output = sum.arg(archive).stderr(Stdio::null()).output();
                output.is_ok_and(|output| output.stdout.starts_with(self.sha256.as_bytes()))
            })
    }

    /// Unpacks beside and renames, so that a folder that is there is complete.
    fn unpack(&self, archive: &Path, home: &Path) -> Result<()> {
        let beside: PathBuf = home.join("unpacking");
        let _ = fs::remove_dir_all(&beside);
        fs::create_dir_all(&beside)?;
        process::output(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(&beside))?;
        fs::rename(beside.join(self.folder), home.join(self.folder))
            .context("the archive holds another folder")?;
        fs::remove_dir_all(&beside)?;
        Ok(())
    }
}

/// Fetches lists of source packages into a folder, and returns the file that `APT_CONFIG` is to name for
/// `apt-get` to use them.
pub(crate) fn lists(folder: &Path) -> Result<PathBuf> {
    let manager = Manager { private: folder.to_path_buf(), state: None };
    // The lists stay.
    let manager = std::mem::ManuallyDrop::new(manager);
    manager.update()?;
    let settings = manager.settings();
    let text: String =
        settings.iter().map(|(key, value)| format!("{key} \"{}\";\n", value.display())).collect();
    let file = folder.join("apt.conf");
    fs::write(&file, text)?;
    Ok(file)
}

/// `apt-get` with configuration and state of our own.
struct Manager {
    private: PathBuf,
    /// Whether the lists are there, or why they are not.
    state: Option<Result<(), String>>,
}

impl Manager {
    fn new(home: &Path) -> Manager {
        Manager { private: home.join("apt"), state: None }
    }

    /// Fetches a source package; the lists are fetched for the first one.
    fn fetch(&mut self, package: &Package, archive: &Path) -> Result<()> {
        if self.state.is_none() {
            self.state = Some(self.update().map_err(|error| format!("{error:#}")));
        }
        if let Some(Err(error)) = &self.state {
            bail!("{error}");
        }
        process::output(self.apt_get().args(["source", "--download-only", package.name]))?;
        fs::rename(self.private.join("dl").join(package.archive), archive)
            .with_context(|| format!("no {} in the source package", package.archive))
    }

    fn update(&self) -> Result<()> {
        if find_program("apt-get").is_none() {
            bail!("there is no such program");
        }
        for folder in ["parts", "lists/partial", "cache/archives/partial", "dl"] {
            fs::create_dir_all(self.private.join(folder))?;
        }
        write_sources(&self.private.join("parts"))?;
        process::output(self.apt_get().arg("update")).map(drop)
    }

    fn apt_get(&self) -> Command {
        let mut apt_get = Command::new("apt-get");
        apt_get.current_dir(self.private.join("dl")).arg("--quiet=2");
        for (key, value) in self.settings() {
            apt_get.arg(format!("--option={key}={}", value.display()));
        }
        apt_get
    }

    fn settings(&self) -> [(&'static str, PathBuf); 5] {
        [
            ("Dir::Etc::SourceList", PathBuf::from("/dev/null")),
            ("Dir::Etc::SourceParts", self.private.join("parts")),
            ("Dir::State::Lists", self.private.join("lists")),
            ("Dir::Cache", self.private.join("cache")),
            ("APT::Sandbox::User", PathBuf::from("root")),
        ]
    }
}

/// The lists of all source packages are some twenty megabytes.
impl Drop for Manager {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.private);
    }
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
