//! `everett cc`: C and C++ to one bitcode file that `everett run` can run.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::toolchain::Clang;
use crate::{cache, runtime};

/// Compile C or C++ files to one bitcode file
///
/// Takes the flags of clang, which is called with -O1 -g unless told otherwise, and with the headers
/// of Everett: <klee/klee.h>, <everett.h> and a handful of the standard ones.
#[derive(clap::Args)]
#[command(override_usage = "everett cc [CLANG FLAGS] FILE... [-o PROGRAM.bc]")]
pub(crate) struct Options {
    /// Source files and flags of clang; -o names the result (the first file with .bc otherwise)
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    args: Vec<OsString>,
}

/// Flags of clang whose value is the next argument.
const FLAGS_WITH_VALUE: [&str; 20] = [
    "-I",
    "-D",
    "-U",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-Xclang",
    "-Xpreprocessor",
    "-mllvm",
    "-target",
    "-MF",
    "-MT",
    "-MQ",
    "-L",
    "-l",
    "-F",
];

/// Flags that ask for something else than bitcode.
const REFUSED: [&str; 6] = ["-E", "-S", "-M", "-MM", "-fsyntax-only", "--precompile"];

/// The arguments, sorted out.
#[derive(Debug, Default, PartialEq)]
struct Request {
    files: Vec<PathBuf>,
    flags: Vec<OsString>,
    output: Option<PathBuf>,
}

/// Compiles each file, then links them. The runtime is linked when the program is run.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let Request { files, flags, output } = sort_out(&options.args)?;
    let Some(first) = files.first() else { bail!("no source file was given") };
    let output = output.unwrap_or_else(|| default_output(first));
    for file in &files {
        if !file.is_file() {
            bail!("there is no file {}", file.display());
        }
    }
    let clang = Clang::find()?;
    let cache = cache::folder()?;
    let include = runtime::install_headers(&cache)?;
    if let [file] = files.as_slice() {
        clang.run(clang.compile(file, &output, &include, &flags))?;
        return Ok(ExitCode::SUCCESS);
    }
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut modules = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let module = scratch.path().join(format!("{number}.bc"));
        clang.run(clang.compile(file, &module, &include, &flags))?;
        modules.push(module);
    }
    everett_llvm::link_to_bitcode(&modules, &output)?;
    Ok(ExitCode::SUCCESS)
}

fn sort_out(args: &[OsString]) -> Result<Request> {
    let mut request = Request::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let text = arg.to_str().unwrap_or("");
        let mut value = || args.next().with_context(|| format!("{text} needs a value"));
        if text == "-o" {
            request.output = Some(value()?.into());
        } else if let Some(joined) = text.strip_prefix("-o").filter(|_| !text.starts_with("-o=")) {
            request.output = Some(joined.into());
        } else if FLAGS_WITH_VALUE.contains(&text) {
            request.flags.extend([arg.clone(), value()?.clone()]);
        } else if REFUSED.contains(&text) {
            bail!("{text} is not for `everett cc`, which writes bitcode; call clang for it");
        } else if text == "-c" || text == "-emit-llvm" {
            // What it does anyway.
        } else if text.starts_with('-') && text != "-" {
            request.flags.push(arg.clone());
        } else {
            request.files.push(arg.into());
        }
    }
    Ok(request)
}

fn default_output(first: &Path) -> PathBuf {
    let stem = first.file_stem().unwrap_or(OsStr::new("program"));
    let mut name = stem.to_owned();
    name.push(".bc");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(args: &[&str]) -> Result<Request> {
        sort_out(&args.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn files_are_told_from_flags_and_their_values() {
        let found = request(&["-g", "a.c", "-I", "inc", "-DN=3", "-o", "x.bc", "b.c"]).unwrap();
        assert_eq!(found.files, [Path::new("a.c"), Path::new("b.c")]);
        assert_eq!(found.flags, ["-g", "-I", "inc", "-DN=3"]);
        assert_eq!(found.output, Some("x.bc".into()));
        assert_eq!(request(&["a.c", "-ox.bc"]).unwrap().output, Some("x.bc".into()));
    }

    #[test]
    fn flags_that_ask_for_something_else_are_refused() {
        assert!(request(&["-E", "a.c"]).unwrap_err().to_string().contains("-E is not for"));
        assert!(request(&["a.c", "-o"]).unwrap_err().to_string().contains("-o needs a value"));
        assert_eq!(request(&["-c", "a.c"]).unwrap().flags, [""; 0]);
    }

    #[test]
    fn result_is_named_after_the_first_file() {
        assert_eq!(default_output(Path::new("src/a.c")), Path::new("a.bc"));
    }
}
