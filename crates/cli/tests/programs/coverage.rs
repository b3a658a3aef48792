//! The engine's line coverage is that of the native program.
//!
//! Each program of `pass` is built once, `everett cc -O0 -g --coverage --libc=glibc`, explored with
//! `everett run --tests all`, and every test is run natively. Then the lines of the program's own file
//! that `coverage.json` has as covered or missed are compared with what gcov says of them.
//!
//! Faults, and networks that a program declares, happen in a native replay only. Programs about them
//! ([`REPLAYED`]) run as a system of one node, and their tests by `everett export` and `replay.sh`.
//!
//! Only lines that both know can be compared. The others must look like one of these:
//!
//! - only gcov knows the line that a function begins on, unless an instruction is on it; and statements
//!   that the engine has nothing to do for: `va_end`, and assembly that is known to change nothing;
//! - only the engine knows the declaration of a variable without an initialiser (its allocation is
//!   there), further lines of a function's parameters, and the line of a class that the compiler has
//!   made a constructor for.
//!
//! Not here: programs that cannot run natively as they do in the engine, which [`ENGINE_ONLY`] names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use everett_replay::KTest;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::corpus::{Case, Verdict};
use crate::workbench;

/// Programs that natively do something else or nothing, and why.
const ENGINE_ONLY: [(&str, &str); 17] = [
    ("pass/asm/cpuid_knows_no_extensions.c", "processors do have extensions"),
    ("pass/asm/unknown_assembly_is_unsupported.c", "its only path is not explored to the end"),
    ("pass/call/engine_functions_without_a_prototype.c", "natively, the results are any"),
    ("pass/call/function_that_the_c_library_lacks.c", "the library lacks it in the engine only"),
    ("pass/call/variables_that_share_their_place.c", "unoptimised, they do not share it"),
    ("pass/global/undefined_variable_that_nobody_accesses.c", "it cannot be linked natively"),
    ("pass/intrinsic/object_sizes_at_run_time.c", "compilers know less about objects"),
    ("pass/memory/symbolic_size_malloc.c", "it asks for sizes of objects"),
    ("pass/string/cut_copies.c", "strlcpy is not in every glibc"),
    ("pass/x86/cycles_and_random_numbers.c", "not every processor has these numbers"),
    ("pass/x86/hashes.c", "not every processor has these instructions"),
    ("pass/symbolic/aliased_functions.c", "functions are replaced in the engine only"),
    ("pass/symbolic/fixed_object.c", "objects at fixed addresses are in the engine only"),
    ("pass/symbolic/forking_off_picks_one_target.c", "it asks for sizes of objects"),
    ("pass/symbolic/is_symbolic_tells_expressions.c", "natively, nothing is symbolic"),
    ("pass/symbolic/object_sizes.c", "it asks for sizes of objects"),
    ("pass/symbolic/random_numbers_stay_in_their_range.c", "natively, rand gives its own numbers"),
];

/// Folders of programs whose tests are replayed.
const REPLAYED: [&str; 2] = ["pass/fault/", "pass/netklee/"];

/// Tests of a program that are replayed, at most; of more, some are taken, evenly.
const REPLAYS_MAX: usize = 10;

/// The C file that is linked to programs that are replayed.
const COUNTS: &str = include_str!("counts.c");

/// Lines on which the two differ, and why. In all of them it is the engine that is right.
const DIFFERENCES: [(&str, &[u32], &str); 3] = [
    (
        "pass/call/exit_runs_handlers_in_reverse.c",
        &[25, 26],
        "clang counts blocks, and so also what follows a call that does not return",
    ),
    (
        "pass/cxx/multiple_and_virtual_inheritance.cpp",
        &[8],
        "clang does not count the first line of a function that it has made, here a constructor",
    ),
    (
        "pass/symbolic/silent_exit_is_not_a_completed_path.c",
        &[11],
        "a silent path leaves no test that could be run natively",
    ),
];

/// The known lines of a file; true for those that were executed.
type Lines = BTreeMap<u32, bool>;

/// One trial for each program, and one for the lists above.
pub(crate) fn trials(cases: &[Case]) -> Vec<Trial> {
    let mut programs: Vec<&Case> = cases.iter().filter(|case| is_compared(case)).collect();
    programs.dedup_by(|one, other| one.file == other.file);
    let files: Vec<String> = cases.iter().map(file).collect();
    let mut trials = vec![Trial::test("coverage/named_programs_exist", move || named(&files))];
    trials.extend(programs.into_iter().cloned().map(|case| {
        Trial::test(format!("coverage/{}", file(&case)), move || {
            compare(&case).map_err(|error| Failed::from(format!("{error:#}")))
        })
    }));
    trials
}

fn file(case: &Case) -> String {
    case.file.display().to_string()
}

fn is_compared(case: &Case) -> bool {
    let file = file(case);
    let is_source = !case.level.is_empty() && !case.is_rust();
    case.verdict == Verdict::Pass
        && is_source
        && file.starts_with("pass/")
        && !ENGINE_ONLY.iter().any(|(name, _)| file.starts_with(name))
}

fn is_replayed(case: &Case) -> bool {
    REPLAYED.iter().any(|name| file(case).starts_with(name))
}

/// A name that fits no program says nothing.
fn named(files: &[String]) -> Result<(), Failed> {
    let names = ENGINE_ONLY.iter().map(|(name, _)| name).chain(&REPLAYED);
    for name in names.chain(DIFFERENCES.iter().map(|(name, _, _)| name)) {
        if !files.iter().any(|file| file.starts_with(name)) {
            return Err(format!("there is no {name}").into());
        }
    }
    Ok(())
}

fn compare(case: &Case) -> Result<()> {
    let folder = tempfile::tempdir()?;
    build(case, folder.path())?;
    let ours = explored(case, folder.path())?;
    let theirs = if is_replayed(case) {
        replayed(case, folder.path())?
    } else {
        executed(case, folder.path())?
    };
    let (mut differing, mut compared) = (Vec::new(), 0);
    for (line, text) in (1..).zip(case.source.lines().map(str::trim)) {
        match (ours.get(&line), theirs.get(&line)) {
            (Some(ours), Some(theirs)) => {
                compared += 1;
                differing.extend((ours != theirs).then_some(line));
            }
            (Some(_), None) => {
                ensure!(is_declaration(text), "only the engine knows line {line}: {text}");
            }
            (None, Some(_)) => {
                ensure!(is_nothing_to_do(text), "only gcov knows line {line}: {text}");
            }
            (None, None) => {}
        }
    }
    ensure!(compared > 0, "no line is known to both: {ours:?}, {theirs:?}");
    let expected = DIFFERENCES.iter().find(|(name, ..)| file(case) == *name);
    let expected = expected.map_or(&[][..], |(_, lines, _)| lines);
    ensure!(
        differing == expected,
        "lines {differing:?} instead of {expected:?} differ: {ours:?} in the engine, \
         {theirs:?} natively"
    );
    Ok(())
}

/// A variable without an initialiser, the end of a list of parameters, or the head of a class.
fn is_declaration(text: &str) -> bool {
    !text.contains('=') && (text.ends_with('{') || text.ends_with(';') && !text.contains('('))
}

/// The head of a function, or a statement without an instruction of the engine.
fn is_nothing_to_do(text: &str) -> bool {
    text.ends_with('{') || text.starts_with("va_end(") || text.starts_with("__asm__")
}

/// Makes `program` in a folder.
fn build(case: &Case, folder: &Path) -> Result<()> {
    let is_cxx = case.path.extension().is_some_and(|extension| extension == "cpp");
    let mut compile = everett(folder);
    compile.arg(if is_cxx { "c++" } else { "cc" });
    compile.args(["-O0", "-g", "--coverage", "--libc=glibc", "-w"]).args(&case.header.cflags);
    compile.arg(&case.path).args(["-pthread", "-lm", "-o", "program"]);
    if is_replayed(case) {
        compile.arg(counts(folder)?).args(["-Wl,--wrap=llvm_gcov_init", "-Wl,--wrap=_exit"]);
    }
    output(&mut compile).map(|_| ())
}

/// Makes the object of [`COUNTS`], which has no bitcode: the engine has nothing to count.
fn counts(folder: &Path) -> Result<PathBuf> {
    let (source, object) = (folder.join("counts.c"), folder.join("counts.o"));
    fs::write(&source, COUNTS)?;
    let mut compile = Command::new(workbench::NATIVE_C);
    compile.args(["-O1", "-fPIC", "-c", "-o"]).arg(&object).arg(&source);
    output(&mut compile)?;
    Ok(object)
}

/// The file for `everett run`, and arguments. A program alone leaves no test that can be replayed,
/// unless it makes its node itself.
fn subject(case: &Case, folder: &Path) -> Result<Vec<String>> {
    let argv = &case.header.argv;
    if is_replayed(case) && !case.source.contains("klee_net_host_setup") {
        let node = format!("[[node]]\nname = \"node\"\nprogram = \"program\"\nargs = {argv:?}\n");
        fs::write(folder.join("system.toml"), node)?;
        // The tests come in one order, so the same ones are replayed each time.
        return Ok(["--workers", "1", "system.toml"].map(str::to_owned).to_vec());
    }
    let program = ["./program", "--"].map(str::to_owned).into_iter();
    Ok(program.chain(argv.iter().cloned()).collect())
}

/// The lines that the engine knows.
fn explored(case: &Case, folder: &Path) -> Result<Lines> {
    let mut run = everett(folder);
    run.args(["run", "--quiet", "--tests", "all", "--out", "out"]).args(&case.header.args);
    run.args(subject(case, folder)?);
    let done = run.output().context("cannot start everett")?;
    let code = done.status.code().map(i64::from);
    let expected = i64::from(case.header.exit.unwrap_or(0));
    ensure!(code == Some(expected), "everett run: {code:?}, {done:?}");
    let json: Value = serde_json::from_slice(&fs::read(folder.join("out/coverage.json"))?)?;
    let mut lines = Lines::new();
    for function in json["functions"].as_array().context("there are no functions")? {
        if !function["file"].as_str().is_some_and(|name| case.is_own_file(name)) {
            continue;
        }
        for (key, covered) in [("lines_covered", true), ("lines_missed", false)] {
            for line in function[key].as_array().context("there are no lines")? {
                let line = line.as_u64().context("a line is no number")?;
                *lines.entry(u32::try_from(line)?).or_default() |= covered;
            }
        }
    }
    Ok(lines)
}

/// The lines that gcov knows, after all tests have run.
fn executed(case: &Case, folder: &Path) -> Result<Lines> {
    let tests = listed(&folder.join("out/tests"), "ktest")?;
    ensure!(!tests.is_empty(), "the engine has written no test");
    for test in &tests {
        let ktest = KTest::read(test)?;
        let arguments = ktest.args.iter().skip(1).map(|argument| String::from_utf8_lossy(argument));
        let place = tempfile::tempdir()?;
        let mut run = workbench::native_command(&folder.join("program"))?;
        run.args(arguments.map(|argument| argument.into_owned()));
        run.env("KTEST_FILE", test).current_dir(&place);
        let done = run.output().context("cannot start the native program")?;
        ensure!(done.status.code().is_some(), "{}: {done:?}", test.display());
    }
    counted(case, folder)
}

/// The lines that gcov knows, after tests have been replayed, all with the same result as in the engine.
fn replayed(case: &Case, folder: &Path) -> Result<Lines> {
    let tests = listed(&folder.join("out/tests"), "dtest")?;
    ensure!(!tests.is_empty(), "the engine has written no test of a system");
    let mut lines = Lines::new();
    for test in tests.iter().step_by(tests.len().div_ceil(REPLAYS_MAX)) {
        let place = tempfile::tempdir()?;
        let export = place.path().join("export");
        output(everett(folder).arg("export").arg(test).arg(&export))?;
        let mut replay = Command::new("sh");
        replay.arg(export.join("replay.sh")).args(["--loopback", "--keep"]);
        output(replay.env("TMPDIR", place.path()).stdin(Stdio::null()))?;
        let data = beneath(place.path(), "gcda")?;
        ensure!(!data.is_empty(), "{}: no node has left coverage", test.display());
        // Each node has a root of its own, with its own counts.
        for file in &data {
            fs::copy(file, folder.join(file.file_name().context("a file has no name")?))?;
            for (line, executed) in counted(case, folder)? {
                *lines.entry(line).or_default() |= executed;
            }
        }
    }
    Ok(lines)
}

/// The lines that gcov finds in the counts of a folder.
fn counted(case: &Case, folder: &Path) -> Result<Lines> {
    let data = listed(folder, "gcda")?;
    ensure!(!data.is_empty(), "the native program has left no coverage");
    let mut gcov = Command::new("llvm-cov-19");
    gcov.args(["gcov", "-t"]).args(&data).current_dir(folder);
    Ok(parse(case, &output(&mut gcov)?))
}

/// Lines such as `        1:    8:  return x;`, where `-` stands for no code and `#####` for code that
/// was never executed; line 0 has facts, of which `Source:` begins a file.
fn parse(case: &Case, text: &str) -> Lines {
    let mut lines = Lines::new();
    let mut own = false;
    for row in text.lines() {
        let mut columns = row.splitn(3, ':').map(str::trim);
        let (Some(count), Some(line), Some(rest)) =
            (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        match line.parse() {
            Ok(0) => {
                if let Some(source) = rest.strip_prefix("Source:") {
                    own = case.is_own_file(source);
                }
            }
            Ok(line) if own && count != "-" => {
                *lines.entry(line).or_default() |= count.starts_with(|c: char| c.is_ascii_digit());
            }
            Ok(_) | Err(_) => {}
        }
    }
    lines
}

fn everett(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everett"));
    command.env("EVERETT_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command.env_remove("EVERETT_LIBC").env_remove("EVERETT_BITCODE_FLAGS");
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// The output of a command that must succeed.
fn output(command: &mut Command) -> Result<String> {
    let done = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "{command:?}: {}, {said}", done.status);
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The files of a folder with this extension, in order.
fn listed(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The files with this extension in a folder and in all folders in it.
fn beneath(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        files.extend(listed(&folder, extension)?);
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            folders.extend(entry.file_type()?.is_dir().then(|| entry.path()));
        }
    }
    files.sort();
    Ok(files)
}
