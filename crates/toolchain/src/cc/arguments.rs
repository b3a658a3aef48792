//! The command line of a compiler, sorted out: inputs with their languages, flags with their values,
//! and what is asked for. The order is kept, since the native compiler is given nearly all of it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::flags;
use crate::clang::Libc;
use crate::error::{CommandLineError, Result};

/// The name that a compiler is called by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompilerName {
    /// `cc`
    C,
    /// `c++`: files of C are taken for C++, and its library is linked.
    Cxx,
}

/// The last stage of a compilation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum CompileGoal {
    /// `-E`, `-M`, `-fsyntax-only` and the like: no code is made.
    NoCode,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// An executable, or a shared object.
    Link,
}

/// The kind of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InputLanguage {
    /// C, in the compiler's word for it (`c`, `cpp-output`).
    C(String),
    /// C++ (`c++`, `c++-cpp-output`).
    Cxx(String),
    /// LLVM's bitcode or text.
    Ir,
    /// Anything else that is compiled, but not to bitcode: assembler, headers, other languages.
    Other,
    /// An input of the linker: an object, an archive, a shared object, a script.
    Linked,
}

/// A file, or `-`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CompilerInput {
    pub(super) path: PathBuf,
    pub(super) language: InputLanguage,
}

/// One argument, with its value if that is another word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CompilerArgument {
    Input(CompilerInput),
    Flag(Vec<OsString>),
}

/// The compilation that a command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CompilerInvocation {
    pub(super) driver: CompilerName,
    pub(super) arguments: Vec<CompilerArgument>,
    pub(super) goal: CompileGoal,
    /// True if the compiler is asked about itself.
    pub(super) is_question: bool,
    /// True if bitcode is asked for by name.
    pub(super) emit_llvm: bool,
    pub(super) output: Option<PathBuf>,
    pub(super) libc: Option<Libc>,
}

impl CompilerInvocation {
    /// Sorts out the words of a command line.
    pub(super) fn parse(driver: CompilerName, words: Vec<OsString>) -> Result<CompilerInvocation> {
        let mut invocation = CompilerInvocation {
            driver,
            arguments: Vec::new(),
            goal: CompileGoal::Link,
            is_question: false,
            emit_llvm: false,
            output: None,
            libc: None,
        };
        let mut forced = None;
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let text = word.to_str().unwrap_or("");
            let is_flag = word.as_encoded_bytes().starts_with(b"-") && text != "-";
            if !is_flag {
                let language = forced.clone().unwrap_or_else(|| guess(Path::new(&word), driver));
                invocation
                    .arguments
                    .push(CompilerArgument::Input(CompilerInput { path: word.into(), language }));
                continue;
            }
            let value = match flags::takes_value(text) {
                true => Some(
                    words
                        .next()
                        .ok_or_else(|| CommandLineError::NoValue { flag: text.to_owned() })?,
                ),
                false => None,
            };
            invocation.note(text, value.as_deref(), &mut forced)?;
            if !text.starts_with("--libc=") {
                invocation.arguments.push(CompilerArgument::Flag(
                    [Some(word), value].into_iter().flatten().collect(),
                ));
            }
        }
        Ok(invocation)
    }

    /// Takes notice of a flag.
    fn note(
        &mut self,
        flag: &str,
        value: Option<&OsStr>,
        forced: &mut Option<InputLanguage>,
    ) -> Result<()> {
        self.is_question |= flags::is_question(flag);
        let goal = match flag {
            "-E"
            | "-M"
            | "-MM"
            | "-fsyntax-only"
            | "--analyze"
            | "--precompile"
            | "--preprocess"
            | "--dependencies"
            | "--user-dependencies"
            | "-emit-ast" => Some(CompileGoal::NoCode),
            "-S" | "--assemble" => Some(CompileGoal::Assembly),
            "-c" | "--compile" => Some(CompileGoal::Object),
            _ => None,
        };
        self.goal = goal.map_or(self.goal, |goal| goal.min(self.goal));
        match flag {
            "-emit-llvm" => self.emit_llvm = true,
            "-m32" | "-mx32" | "-m16" => {
                return Err(CommandLineError::Width { flag: flag.to_owned() }.into());
            }
            "-o" | "--output" => self.output = value.map(PathBuf::from),
            "-x" | "--language" => *forced = language(value.and_then(OsStr::to_str).unwrap_or("")),
            _ => {}
        }
        if let Some(name) = flag.strip_prefix("-o").filter(|name| !name.is_empty()) {
            self.output = Some(name.into());
        } else if let Some(name) = flag.strip_prefix("--output=") {
            self.output = Some(name.into());
        } else if let Some(name) = flag.strip_prefix("-x").filter(|name| !name.is_empty()) {
            *forced = language(name);
        } else if let Some(name) = flag.strip_prefix("--language=") {
            *forced = language(name);
        } else if let Some(name) = flag.strip_prefix("--libc=") {
            self.libc = Some(name.parse()?);
        }
        match (flag, flag.strip_prefix("--target="), value.and_then(OsStr::to_str)) {
            (_, Some(triple), _) | ("-target", _, Some(triple)) => self.note_target(triple),
            _ => Ok(()),
        }
    }

    /// A target names the C library too; other machines are not simulated.
    fn note_target(&mut self, triple: &str) -> Result<()> {
        if !triple.starts_with("x86_64-") || !triple.contains("linux") {
            return Err(CommandLineError::Target { triple: triple.to_owned() }.into());
        }
        let libc = if triple.contains("musl") { Libc::Musl } else { Libc::Glibc };
        self.libc.get_or_insert(libc);
        Ok(())
    }

    /// The inputs, in order.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &CompilerInput> {
        self.arguments.iter().filter_map(|argument| match argument {
            CompilerArgument::Input(input) => Some(input),
            CompilerArgument::Flag(_) => None,
        })
    }

    /// The inputs that become bitcode, in order.
    pub(super) fn sources(&self) -> impl Iterator<Item = &CompilerInput> {
        self.inputs().filter(|input| input.is_source())
    }

    /// The flags with their values, in order.
    pub(super) fn flags(&self) -> impl Iterator<Item = &Vec<OsString>> {
        self.arguments.iter().filter_map(|argument| match argument {
            CompilerArgument::Flag(words) => Some(words),
            CompilerArgument::Input(_) => None,
        })
    }

    /// Returns `true` if one of these flags is given.
    pub(super) fn has(&self, flags: &[&str]) -> bool {
        self.flags().any(|words| flags.iter().any(|flag| words[0] == *flag))
    }

    /// Returns `true` if the result is bitcode and nothing else.
    pub(super) fn wants_bitcode(&self) -> bool {
        let named =
            self.output.as_ref().is_some_and(|output| output.extension() == Some("bc".as_ref()));
        match self.goal {
            CompileGoal::NoCode => false,
            CompileGoal::Assembly => self.emit_llvm,
            CompileGoal::Object | CompileGoal::Link => self.emit_llvm || named,
        }
    }
}

impl CompilerInput {
    /// Returns `true` if it becomes bitcode.
    pub(super) fn is_source(&self) -> bool {
        matches!(self.language, InputLanguage::C(_) | InputLanguage::Cxx(_) | InputLanguage::Ir)
    }

    /// Returns `true` if it is standard input, which can be read only once.
    pub(super) fn is_stdin(&self) -> bool {
        ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
            .iter()
            .any(|name| self.path == Path::new(name))
    }

    /// The file that `-c` makes of it when none is named.
    pub(super) fn default_output(&self, extension: &str) -> PathBuf {
        let name = self.path.file_name().unwrap_or(OsStr::new("-"));
        PathBuf::from(name).with_extension(extension)
    }

    /// The compiler's word for the language, where it has to be told.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.language {
            InputLanguage::C(word) | InputLanguage::Cxx(word) => Some(word),
            InputLanguage::Ir => Some("ir"),
            InputLanguage::Other | InputLanguage::Linked => None,
        }
    }
}

/// The language that `-x` names; `None` turns guessing on again.
fn language(word: &str) -> Option<InputLanguage> {
    Some(match word {
        "none" => return None,
        "c" | "cpp-output" => InputLanguage::C(word.to_owned()),
        "c++" | "c++-cpp-output" => InputLanguage::Cxx(word.to_owned()),
        "ir" => InputLanguage::Ir,
        _ => InputLanguage::Other,
    })
}

/// The language that a file's name stands for.
fn guess(path: &Path, driver: CompilerName) -> InputLanguage {
    let c = |word: &str| match driver {
        CompilerName::C => InputLanguage::C(word.to_owned()),
        CompilerName::Cxx => {
            InputLanguage::Cxx(format!("c++{}", word.strip_prefix('c').unwrap_or_default()))
        }
    };
    if path == Path::new("-") {
        return InputLanguage::Other;
    }
    match path.extension().and_then(OsStr::to_str).unwrap_or("") {
        "c" => c("c"),
        "i" if driver == CompilerName::C => InputLanguage::C("cpp-output".to_owned()),
        "i" | "ii" => InputLanguage::Cxx("c++-cpp-output".to_owned()),
        "C" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "CC" | "CPP" => {
            InputLanguage::Cxx("c++".to_owned())
        }
        "bc" | "ll" => InputLanguage::Ir,
        "s" | "S" | "sx" | "asm" | "h" | "H" | "hh" | "hpp" | "hxx" | "m" | "mm" | "M" | "mi"
        | "f" | "F" | "f90" | "cu" | "cl" | "cppm" | "pcm" => InputLanguage::Other,
        _ => InputLanguage::Linked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> CompilerInvocation {
        CompilerInvocation::parse(CompilerName::C, words.split(' ').map(OsString::from).collect())
            .unwrap()
    }

    fn inputs(words: &str) -> Vec<(String, Option<String>)> {
        let one = |i: &CompilerInput| (i.path.display().to_string(), i.word().map(str::to_owned));
        parse(words).inputs().map(one).collect()
    }

    fn pair(path: &str, word: &str) -> (String, Option<String>) {
        (path.to_owned(), Some(word.to_owned()).filter(|word| !word.is_empty()))
    }

    #[test]
    fn files_are_told_from_flags_and_their_values() {
        let found = inputs("-g a.c -I inc -DN=3 -o x b.cpp -include y.h lib.a -l z s.S -- t.bc");
        assert_eq!(
            found,
            [
                pair("a.c", "c"),
                pair("b.cpp", "c++"),
                pair("lib.a", ""),
                pair("s.S", ""),
                pair("t.bc", "ir")
            ]
        );
    }

    #[test]
    fn language_is_forced_until_it_is_none() {
        let found = inputs("-x c - data -xc++ y -x none z.c -x assembler w");
        assert_eq!(
            found,
            [pair("-", "c"), pair("data", "c"), pair("y", "c++"), pair("z.c", "c"), pair("w", "")]
        );
        let words = ["a.c", "b.i"].map(OsString::from).to_vec();
        let cxx = CompilerInvocation::parse(CompilerName::Cxx, words).unwrap();
        let found: Vec<_> = cxx.inputs().map(|i| i.word().unwrap()).collect();
        assert_eq!(found, ["c++", "c++-cpp-output"]);
    }

    #[test]
    fn goal_is_the_nearest_one() {
        assert_eq!(parse("a.c").goal, CompileGoal::Link);
        assert_eq!(parse("-c a.c").goal, CompileGoal::Object);
        assert_eq!(parse("-c -S a.c").goal, CompileGoal::Assembly);
        assert_eq!(parse("-MM -c a.c").goal, CompileGoal::NoCode);
        assert_eq!(parse("-c -MD a.c").goal, CompileGoal::Object);
        assert!(parse("--version").is_question);
    }

    #[test]
    fn bitcode_is_asked_for_by_flag_or_name() {
        assert!(parse("a.c -o a.bc").wants_bitcode());
        assert!(parse("a.c -oa.bc").wants_bitcode());
        assert!(parse("-c -emit-llvm a.c").wants_bitcode());
        assert!(parse("-S -emit-llvm a.c").wants_bitcode());
        assert!(!parse("-c a.c").wants_bitcode());
        assert!(!parse("-E a.c -o a.bc").wants_bitcode());
    }

    #[test]
    fn target_names_the_library() {
        assert_eq!(parse("--target=x86_64-linux-gnu a.c").libc, Some(Libc::Glibc));
        assert_eq!(parse("-target x86_64-alpine-linux-musl a.c").libc, Some(Libc::Musl));
        assert_eq!(parse("a.c").libc, None);
    }

    #[test]
    fn outputs_are_named_after_inputs() {
        let input = |path: &str| CompilerInput { path: path.into(), language: InputLanguage::Ir };
        assert_eq!(input("src/a.b.c").default_output("o"), Path::new("a.b.o"));
        assert_eq!(input("-").default_output("o"), Path::new("-.o"));
    }

    #[test]
    fn mistakes_are_named() {
        let error = |words: &[&str]| {
            let words = words.iter().map(OsString::from).collect();
            CompilerInvocation::parse(CompilerName::C, words).unwrap_err().to_string()
        };
        assert_eq!(error(&["a.c", "-o"]), "-o needs a value");
        assert!(error(&["-m32"]).contains("64-bit"));
        assert!(error(&["--target=aarch64-linux-gnu"]).contains("x86-64 and Linux only"));
        assert!(error(&["-target", "x86_64-apple-darwin"]).contains("x86-64 and Linux only"));
        assert!(error(&["--libc=bionic"]).contains("bionic"));
    }
}
