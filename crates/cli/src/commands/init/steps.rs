//! [`FirstSteps`]: the files that `everett init` writes for a [`Subject`].

use std::collections::BTreeSet;

use super::Exploring;
use super::project::{BuildKind, CFunction, Project, SourceFile};

/// Something to explore.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// The program whose main function is in this file.
    Program(SourceFile),
    /// A function of this file.
    Function(SourceFile, CFunction),
    /// A server and a client, by the files of their main functions.
    System(SourceFile, SourceFile),
    /// Something of ours, to begin with.
    Sample(Exploring),
}

/// The subject in its project.
pub(super) struct FirstSteps<'a> {
    pub(super) project: &'a Project,
    pub(super) subject: Subject,
}

/// A file to write.
pub(super) struct NewFile {
    pub(super) name: &'static str,
    pub(super) text: String,
    pub(super) purpose: String,
}

impl Subject {
    /// Everything in a project that can be explored, the most likely one first.
    pub(super) fn all(project: &Project) -> Vec<Subject> {
        let mains: Vec<&SourceFile> =
            project.sources.iter().filter(|source| source.has_main()).collect();
        let server = mains.iter().find(|source| source.uses.serves);
        let client = mains.iter().find(|source| source.uses.connects && !source.uses.serves);
        let mut all = Vec::new();
        if let (Some(server), Some(client)) = (server, client) {
            all.push(Subject::System((*server).clone(), (*client).clone()));
        }
        all.extend(mains.into_iter().map(|source| Subject::Program(source.clone())));
        for source in &project.sources {
            // Its main function would be a second one.
            if source.has_main() {
                continue;
            }
            let takers = source.functions.iter().filter(|function| function.takes_bytes);
            all.extend(takers.map(|of| Subject::Function(source.clone(), of.clone())));
        }
        all
    }

    /// Something to begin with, where nothing is found.
    pub(super) fn sample(of: Exploring) -> Subject {
        Subject::Sample(of)
    }

    pub(super) fn kind(&self) -> Exploring {
        match self {
            Subject::Program(_) => Exploring::Program,
            Subject::Function(..) => Exploring::Function,
            Subject::System(..) => Exploring::System,
            Subject::Sample(kind) => *kind,
        }
    }

    /// The name by which it is chosen.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Subject::Program(source) | Subject::System(source, _) => Some(&source.name),
            Subject::Function(_, function) => Some(&function.name),
            Subject::Sample(_) => None,
        }
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    /// A few words for it.
    pub(super) fn described(&self) -> String {
        match self {
            Subject::Program(source) => format!("the program of {}", source.name),
            Subject::Function(source, of) => format!("the function {} of {}", of.name, source.name),
            Subject::System(server, client) => {
                format!("the server of {} with the client of {}", server.name, client.name)
            }
            Subject::Sample(Exploring::System) => "a sample of a client and a server".to_owned(),
            Subject::Sample(Exploring::Program | Exploring::Function) => {
                "a sample of a function".to_owned()
            }
        }
    }
}

const HARNESS: &str = include_str!("templates/harness.c");
const FUNCTION: &str = include_str!("templates/function.c");
const SERVER: &str = include_str!("templates/server.c");
const CLIENT: &str = include_str!("templates/client.c");
const TAIL: &str = include_str!("templates/tail.toml");

const BUILD_HEAD: &str = "\
#!/bin/sh
# Builds what system.toml runs. `everett cc` takes the place of gcc or clang, with the same flags; its programs
# run as usual, and carry the bitcode that `everett run` explores.
set -e
cd \"$(dirname \"$0\")/..\"
everett=${EVERETT:-everett}
";

impl FirstSteps<'_> {
    /// The files, by their names in the folder `everett`.
    pub(super) fn files(&self) -> Vec<NewFile> {
        let file =
            |name, text: String, purpose: &str| NewFile { name, text, purpose: purpose.to_owned() };
        let mut files = Vec::new();
        match &self.subject {
            Subject::Program(_) | Subject::System(..) => {}
            Subject::Function(source, of) => {
                let text = FUNCTION.replace("@NAME@", &of.name).replace("@FILE@", &source.name);
                let text = text.replace("@DECLARATION@", &of.declaration);
                files.push(file(
                    "harness.c",
                    text,
                    &format!("calls {} with symbolic bytes", of.name),
                ));
            }
            Subject::Sample(Exploring::Program | Exploring::Function) => {
                files.push(file(
                    "harness.c",
                    HARNESS.to_owned(),
                    "calls a function with symbolic bytes",
                ));
            }
            Subject::Sample(Exploring::System) => {
                files.push(file("server.c", SERVER.to_owned(), "a server"));
                files.push(file("client.c", CLIENT.to_owned(), "a client"));
            }
        }
        files.push(file("build.sh", self.build(), "compiles with everett cc"));
        files.push(file("system.toml", self.scenario(), "says what is run, and on what inputs"));
        files
    }

    /// The script that builds the programs of the scenario.
    fn build(&self) -> String {
        let mut text = BUILD_HEAD.to_owned();
        match &self.subject {
            Subject::Sample(Exploring::System) => {
                text += &self.compile(&["everett/server.c".to_owned()], "server");
                text += &self.compile(&["everett/client.c".to_owned()], "client");
            }
            Subject::Sample(Exploring::Program | Exploring::Function) => {
                text += &self.compile(&["everett/harness.c".to_owned()], "program");
            }
            Subject::Function(..) => {
                let harness = "everett/harness.c".to_owned();
                text += &self.compile(&[vec![harness], self.without_main()].concat(), "program");
            }
            Subject::Program(source) => text += &self.build_programs(&[(source, "program")]),
            Subject::System(server, client) => {
                text += &self.build_programs(&[(server, "server"), (client, "client")]);
            }
        }
        text
    }

    /// Lines that build whole programs: as the project does it, or from all sources.
    fn build_programs(&self, programs: &[(&SourceFile, &str)]) -> String {
        let mut text = match self.project.build {
            BuildKind::Configure => "CC=\"$everett cc\" ./configure\n".to_owned(),
            BuildKind::Make => String::new(),
            BuildKind::Unknown => {
                let sources = |main: &SourceFile| [vec![main.name.clone()], self.without_main()];
                let compile = |(main, program): &(&SourceFile, &str)| {
                    self.compile(&sources(main).concat(), program)
                };
                return programs.iter().map(compile).collect();
            }
        };
        text += "make CC=\"$everett cc\"\n# Write here what make has built, if it is called otherwise.\n";
        for (source, program) in programs {
            text += &format!("cp {} everett/{program}\n", quoted(&source.stem()));
        }
        text
    }

    /// A line that compiles these files.
    fn compile(&self, sources: &[String], program: &str) -> String {
        let include = if self.project.has_include { " -Iinclude" } else { "" };
        let sources: Vec<String> = sources.iter().map(|name| quoted(name)).collect();
        format!("$everett cc -g -I.{include} {} -o everett/{program}\n", sources.join(" "))
    }

    /// The source files that have no main function.
    fn without_main(&self) -> Vec<String> {
        let others = self.project.sources.iter().filter(|source| !source.has_main());
        // Two files with a function of the same name are parts of different programs.
        let mut defined: BTreeSet<&str> = BTreeSet::new();
        let mut names = Vec::new();
        for source in others {
            let own = source.functions.iter().filter(|of| !of.declaration.starts_with("static "));
            let own: Vec<&str> = own.map(|of| of.name.as_str()).collect();
            if own.iter().all(|name| !defined.contains(name)) {
                defined.extend(own);
                names.push(source.name.clone());
            }
        }
        names
    }

    fn scenario(&self) -> String {
        let head = "# What `everett run` explores; paths are relative to this folder.\n";
        let nodes = match &self.subject {
            Subject::Program(source) => program_node(source),
            Subject::Function(..) | Subject::Sample(Exploring::Program | Exploring::Function) => {
                "\n[[node]]\nname = \"program\"\nprogram = \"program\"\n".to_owned()
            }
            Subject::System(server, client) => {
                let comment = "# args = [\"server\", \"7000\"]   # nodes find each other by name\n";
                format!(
                    "\n# {}\n[[node]]\nname = \"server\"\nprogram = \"server\"\n\
                     # args = [\"7000\"]\n# server = true             # it may wait for ever\n\
                     \n# {}\n[[node]]\nname = \"client\"\nprogram = \"client\"\n{comment}\
                     # sym-stdin = 8             # its standard input has any 8 bytes\n\
                     start = 1                   # begins when the server waits\n",
                    server.name, client.name
                )
            }
            Subject::Sample(Exploring::System) => {
                "\n[[node]]\nname = \"server\"\nprogram = \"server\"\n\
                 \n[[node]]\nname = \"client\"\nprogram = \"client\"\n\
                 count = 2                   # clients of this kind\n\
                 start = 1                   # begin when the server waits\n"
                    .to_owned()
            }
        };
        format!("{head}{nodes}{TAIL}")
    }
}

/// The node of a program, with symbolic inputs where it looks at any.
fn program_node(source: &SourceFile) -> String {
    let off = |is_on: bool| if is_on { "" } else { "# " };
    format!(
        "\n# {}\n[[node]]\nname = \"program\"\nprogram = \"program\"\n# args = [\"-v\"]\n\
         \n[inputs]\n\
         {}sym-args = [0, 2, 4]        # up to 2 arguments of 4 symbolic bytes each\n\
         {}sym-stdin = 8               # any 8 bytes of standard input\n",
        source.name,
        off(source.uses.arguments),
        off(source.uses.stdin)
    )
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
