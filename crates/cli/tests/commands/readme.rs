//! Every command of `README.md`, run as it stands and in its order, and what it prints.
//!
//! The commands run where a reader is: in a copy of `tests/demo`, with `everett` in the path. Blocks `sh` are
//! commands alone; in blocks `console`, lines behind `$ ` are commands and the others are what they print.
//! There, numbers may be others than on the page, and a line `...` stands for any lines. What cannot run
//! inside of a test is in [`NOT_RUN`], with the reason.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::sandbox::Sandbox;

const README: &str = include_str!("../../../../README.md");

/// Commands that are left out.
const NOT_RUN: [(&str, &str); 4] = [
    ("cargo xtask demo", "it is a step of `cargo xtask test` by itself"),
    ("cargo xtask test", "it runs this test"),
    ("cargo install --locked --path crates/cli", "it compiles everything in the profile of users"),
    ("cd tests/demo", "the commands run in a copy of that folder"),
];

/// A command with what the page says that it prints; `None` where the page says nothing.
struct Shown {
    line: usize,
    command: String,
    printed: Option<Vec<String>>,
}

/// The commands of all blocks.
fn commands() -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut kind = None;
    for (line, text) in (1..).zip(README.lines()) {
        if let Some(opened) = text.strip_prefix("```") {
            kind = if kind.is_some() { None } else { Some(opened) };
            continue;
        }
        match kind {
            Some("sh") => {
                found.push(Shown { line, command: text.to_owned(), printed: None });
            }
            Some("console") => match text.strip_prefix("$ ") {
                Some(command) => {
                    let command = command.to_owned();
                    found.push(Shown { line, command, printed: Some(Vec::new()) });
                }
                None => {
                    let last = found.last_mut().and_then(|shown| shown.printed.as_mut());
                    last.expect("output follows a command").push(text.to_owned());
                }
            },
            _ => {}
        }
    }
    found
}

/// Somebody who types the commands one after the other.
struct Reader {
    sandbox: Sandbox,
    /// The folder in which the next command runs.
    place: PathBuf,
}

impl Reader {
    fn new() -> Reader {
        let sandbox = Sandbox::new();
        let place = sandbox.path("demo");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/demo"), &place);
        fs::create_dir(sandbox.path("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_everett"), sandbox.path("bin/everett")).unwrap();
        Reader { sandbox, place }
    }

    /// Runs a command in the folder that the last one has left, and returns what it prints.
    fn run(&mut self, shown: &Shown) -> String {
        let Shown { line, command, .. } = shown;
        let left = self.sandbox.path("left");
        let mut path = self.sandbox.path("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap());
        let script = format!("{command}\ncode=$?\npwd >\"$LEFT\"\nexit $code\n");
        let done = self
            .sandbox
            .host("sh")
            .args(["-c", &script])
            .current_dir(&self.place)
            .env("PATH", path)
            .env("LEFT", &left)
            .output()
            .unwrap();
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (said(&done.stdout), said(&done.stderr));
        // A finding, which is what most commands show, is code 1.
        let code = done.status.code();
        assert!(matches!(code, Some(0 | 1)), "README.md:{line}: {command}: {code:?}\n{out}{err}");
        self.place = PathBuf::from(fs::read_to_string(&left).unwrap().trim_end());
        out
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => assert!(fs::copy(&path, &target).is_ok(), "{}", path.display()),
        }
    }
}

/// A line without what differs between machines: numbers with their units, and that there are workers.
fn plain(line: &str) -> String {
    let line = line.replace("at most ", "").replace("workers' time", "time");
    let mut out = String::new();
    for character in line.trim_end().chars() {
        match character {
            '0'..='9' if out.ends_with('#') => {}
            '.' | ',' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            other => out.push(other),
        }
    }
    let units = [" m #s", " ms", " s", " MiB", " KiB"];
    let out = units.iter().fold(out, |line, unit| line.replace(&format!("#{unit}"), "#"));
    // A run that is over at once has no rate.
    match out.rsplit_once(" (") {
        Some((before, rate)) if rate.ends_with("/s)") => before.to_owned(),
        _ => out,
    }
}

/// Returns `true` if lines are those of the page, where `...` stands for any lines.
fn matches(page: &[String], printed: &[&str]) -> bool {
    match (page.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((dots, rest)), _) if dots.trim() == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        (Some((line, page)), Some((other, printed))) => {
            plain(line) == plain(other) && matches(page, printed)
        }
        _ => false,
    }
}

#[test]
fn every_command_of_the_readme_does_what_the_page_says() {
    let commands = commands();
    let words = |shown: &Shown| shown.command.split('#').next().unwrap_or("").trim().to_owned();
    for (command, why) in NOT_RUN {
        let is_there = commands.iter().any(|shown| words(shown) == command);
        assert!(is_there, "`{command}` ({why}) is not on the page");
    }
    let mut reader = Reader::new();
    let mut run = 0;
    for shown in &commands {
        if NOT_RUN.iter().any(|(command, _)| *command == words(shown)) {
            continue;
        }
        run += 1;
        let out = reader.run(shown);
        let Some(page) = &shown.printed else { continue };
        let printed: Vec<&str> = out.trim_end().lines().collect();
        let page: Vec<String> = page.iter().map(|line| line.trim_end().to_owned()).collect();
        let Shown { line, command, .. } = shown;
        assert!(matches(&page, &printed), "README.md:{line}: {command} prints otherwise:\n{out}");
    }
    assert!(run >= 8, "only {run} commands of the page were found");
}

#[test]
fn numbers_may_differ_and_words_may_not() {
    let page = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let lines = page(&["  solver  0 queries, 0.0 ms (0% of the time)", "...", "done"]);
    let printed = "  solver  12 queries, 1.25 s (7% of the workers' time)";
    assert!(matches(&lines, &[printed, "x", "y", "done"]));
    assert!(matches(&lines, &[printed, "done"]));
    assert!(!matches(&lines, &[printed, "x"]));
    assert!(!matches(&lines, &["  solver  12 questions, 1.25 s (7% of the time)", "done"]));
}
