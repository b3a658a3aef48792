//! A folder in which a test runs commands, removed at the end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with the files of one test.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// The output of a command that has ended.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        Sandbox { folder: tempfile::tempdir().unwrap() }
    }

    /// One in a folder that is there already.
    pub(crate) fn inside(folder: &Path) -> Sandbox {
        Sandbox { folder: tempfile::tempdir_in(folder).unwrap() }
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and makes the folders that it is in.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The content of a JSON file.
    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// The results of the run that has left a folder, as far as they depend neither on time nor on who has
    /// found what first.
    pub(crate) fn results(&self, folder: &str) -> Value {
        let summary = self.json(&format!("{folder}/summary.json"));
        let keys = [
            "outcome",
            "paths",
            "paths_failed",
            "paths_cut",
            "worlds",
            "forks",
            "instructions",
            "states_created",
            "coverage",
            "dropped",
            "trace_hash",
            "symbolic_inputs",
            "orders",
            "nodes",
        ];
        let results = keys.iter().map(|key| ((*key).to_owned(), summary[*key].clone()));
        let mut results: serde_json::Map<String, Value> = results.collect();
        let finding =
            |f: &Value| (f["kind"].to_string(), f["line"].to_string(), f["count"].to_string());
        let mut findings: Vec<_> =
            summary["findings"].as_array().unwrap().iter().map(finding).collect();
        findings.sort();
        results.insert("findings".to_owned(), format!("{findings:?}").into());
        let files = |inner: &str| {
            let entries = fs::read_dir(self.path(&format!("{folder}/{inner}"))).unwrap();
            entries.count()
        };
        results.insert("files".to_owned(), vec![files("findings"), files("tests")].into());
        Value::Object(results)
    }

    /// A command that runs in the folder.
    pub(crate) fn host(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        // All tests share one cache: the runtime is installed once.
        command.env("EVERETT_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        command
    }

    /// `everett` with these arguments.
    pub(crate) fn everett(&self, args: &[&str]) -> Command {
        let mut command = self.host(env!("CARGO_BIN_EXE_everett"));
        command.args(args);
        command
    }

    /// Runs `everett`, which must end with this code.
    pub(crate) fn run(&self, args: &[&str], code: i32) -> Said {
        output_of(&mut self.everett(args), code)
    }

    /// The same, for what it writes to standard output and then to standard error.
    pub(crate) fn said(&self, args: &[&str], code: i32) -> String {
        self.run(args, code).all()
    }

    /// The same, for what it writes to standard output alone.
    pub(crate) fn printed(&self, args: &[&str], code: i32) -> String {
        self.run(args, code).out
    }
}

impl Said {
    /// Standard output, and behind it standard error.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Runs a command that must end with this code.
pub(crate) fn output_of(command: &mut Command, code: i32) -> Said {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = Said { out: text(&output.stdout), err: text(&output.stderr) };
    let status = output.status;
    assert_eq!(status.code(), Some(code), "{command:?}: {status}\n{}", said.all());
    said
}
