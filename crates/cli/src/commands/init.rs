//! `everett init`: a first scenario and harness for a project, which run as they are.
//!
//! [`Project`] is what is there, [`FirstSteps`] what is to be explored, and its files. Files are written only
//! where none are: all of them, or none.

mod project;
mod steps;

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, IsTerminal, stdin};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::terminal;
use project::Project;
use steps::{FirstSteps, Subject};

/// Write a first scenario and harness for the project in a folder, which run as they are
///
/// Looks for C sources, a Makefile and a configure script. Files are written into the folder `everett` of the
/// project, and only where none are.
#[derive(clap::Args)]
pub(crate) struct InitOptions {
    /// Folder of the project
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// What to explore [default: what is found, or asked for on a terminal]
    #[arg(long, value_name = "WHAT")]
    explore: Option<Exploring>,
    /// The source file with the main function, or the function that a harness calls, if there are several
    #[arg(long, value_name = "FILE|FUNCTION")]
    subject: Option<String>,
}

/// What to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Exploring {
    /// A whole program, with symbolic arguments and input
    Program,
    /// A function, by a harness that calls it
    Function,
    /// A client and a server
    System,
}

/// The folder that files are written into, below that of the project.
const INTO: &str = "everett";

/// Writes the files, and says what comes next.
pub(crate) fn run(options: &InitOptions) -> Result<ExitCode> {
    let InitOptions { folder, explore, subject } = options;
    if !folder.is_dir() {
        bail!("{} is no folder", folder.display());
    }
    let project = Project::look(folder)?;
    let subject = choose(&project, *explore, subject.as_deref())?;
    let files = FirstSteps { project: &project, subject }.files();
    let is_here = folder == Path::new(".");
    let into = if is_here { INTO.into() } else { folder.join(INTO) };
    for file in &files {
        let path = into.join(file.name);
        if path.symlink_metadata().is_ok() {
            bail!(
                "{} is there already, and nothing was written; take it away first, or edit it",
                path.display()
            );
        }
    }
    fs::create_dir_all(&into).with_context(|| format!("cannot make {}", into.display()))?;
    let mut said = String::new();
    for file in &files {
        let path = into.join(file.name);
        fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
        let _ = writeln!(said, "wrote {:<24} {}", path.display(), file.purpose);
    }
    let (build, scenario) = (into.join("build.sh"), into.join("system.toml"));
    let _ = write!(said, "next:\n  sh {}\n  everett run {}\n", build.display(), scenario.display());
    terminal::out(&said);
    Ok(ExitCode::SUCCESS)
}

/// What is to be explored: what is named, the only thing that there is, or what the user answers.
fn choose(project: &Project, explore: Option<Exploring>, named: Option<&str>) -> Result<Subject> {
    let all = Subject::all(project);
    let of_kind = |subject: &&Subject| explore.is_none_or(|kind| subject.kind() == kind);
    let is_named = |subject: &&Subject| named.is_none_or(|name| subject.is_called(name));
    let fitting: Vec<&Subject> = all.iter().filter(of_kind).filter(is_named).collect();
    if let (Some(name), []) = (named, &fitting[..]) {
        let known: Vec<&str> = all.iter().filter_map(Subject::name).collect();
        bail!("--subject {name}: there is no such thing to explore; {}", listed(&known));
    }
    let at = match &fitting[..] {
        [] => return Ok(Subject::sample(explore.unwrap_or(Exploring::Function))),
        [_] => 0,
        several if stdin().is_terminal() => ask(several, &mut stdin().lock())?,
        several => {
            let others: Vec<&str> = several[1..].iter().filter_map(|of| of.name()).collect();
            let first = several[0].described();
            terminal::warning(&format!(
                "{first} is taken; --explore and --subject choose otherwise: {}",
                listed(&others)
            ));
            0
        }
    };
    Ok(fitting[at].clone())
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "there is nothing else".to_owned(),
        names => format!("there is {}", names.join(", ")),
    }
}

/// Asks which one it is to be; an empty answer is the first.
fn ask(subjects: &[&Subject], answers: &mut impl BufRead) -> Result<usize> {
    let mut question = "What is to be explored?\n".to_owned();
    for (number, subject) in subjects.iter().enumerate() {
        let _ = writeln!(question, "  {}  {}", number + 1, subject.described());
    }
    loop {
        terminal::out(&format!("{question}Number [1]: "));
        let mut answer = String::new();
        let read = answers.read_line(&mut answer).context("cannot read the answer")?;
        match answer.trim() {
            "" if read == 0 => bail!("there was no answer, and nothing was written"),
            "" => return Ok(0),
            answer => match answer.parse::<usize>() {
                Ok(number) if (1..=subjects.len()).contains(&number) => return Ok(number - 1),
                Ok(_) | Err(_) => {}
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn an_answer_is_a_number_and_asked_for_until_it_is_one() {
        let subjects = [Subject::sample(Exploring::Program), Subject::sample(Exploring::System)];
        let subjects: Vec<&Subject> = subjects.iter().collect();
        let answered = |text: &str| ask(&subjects, &mut Cursor::new(text.as_bytes().to_vec()));
        assert_eq!(answered("\n").unwrap(), 0);
        assert_eq!(answered("2\n").unwrap(), 1);
        assert_eq!(answered("3\nx\n 2 \n").unwrap(), 1);
        assert!(answered("").is_err());
    }
}
