//! `cargo xtask tidy`: the rules of the house style that clippy cannot check.
//!
//! Every check takes plain data (a path and a text, or the package list) and returns [`Problem`]s, so
//! each is tested on small inputs; the test at the end applies all of them to this workspace, which
//! makes `cargo test` fail where the style is broken.

mod apart;
mod code;
mod errors;
mod files;
mod layers;
mod modules;
mod packages;
mod pages;
mod problem;
mod text;

use anyhow::{Result, bail};

use crate::workspace;
use problem::Problem;

/// Prints every problem of the workspace; any is an error.
pub(crate) fn run() -> Result<()> {
    let (checked, problems) = check_workspace()?;
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => println!("tidy: {checked} files in order"),
        n => bail!("tidy: {n} problems in {checked} files"),
    }
    Ok(())
}

/// All checks over all files: how many files there are, and what is wrong with them.
fn check_workspace() -> Result<(usize, Vec<Problem>)> {
    let root = workspace::root();
    let mut problems = packages::check(root)?;
    let files = files::list(root)?;
    let mut sources = Vec::new();
    for file in &files {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            continue; // Not text, or removed since it was listed.
        };
        problems.extend(text::check(file, &text));
        if file.extension().is_some_and(|e| e == "md") {
            problems.extend(pages::check(root, file, &text));
        }
        if file.extension().is_some_and(|e| e == "rs") {
            problems.extend(code::check(file, &text));
            sources.push((file.clone(), text));
        }
    }
    problems.extend(modules::check(&sources));
    problems.sort();
    Ok((files.len(), problems))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_is_tidy() {
        let (_, problems) = check_workspace().expect("the checks run");
        let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    }
}
