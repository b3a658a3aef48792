//! Lowers every program of the corpus at every level of optimisation.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use everett_ir::Op;
use everett_llvm::{LoadOptions, load};

use crate::clang;
use crate::crosscheck;

const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// All C and C++ files below a folder, in a fixed order.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
            found.push(path);
        }
    }
}

/// Runs `job` for each index below `count` on all cores.
fn in_parallel(count: usize, job: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    job(index);
                }
            });
        }
    });
}

/// Lowers one file and says what is wrong with the result.
fn check(source: &Path, flags: &[&str], output: &Path) -> Result<(), String> {
    let up_to_date = |path: &Path| {
        let modified = |path: &Path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok();
        modified(path) > modified(source)
    };
    if !up_to_date(output) {
        let text = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
        let of_key = |key| text.lines().filter_map(move |line| line.strip_prefix(key));
        let own = of_key("//@ cflags: ").flat_map(str::split_whitespace);
        // The path of a library is never opened here.
        let library = |name: &str| {
            let stem = name.trim().trim_end_matches(".c");
            format!("-DLIBRARY_{stem}=\"{stem}\"")
        };
        let libraries: Vec<String> = of_key("//@ library: ").map(library).collect();
        let all: Vec<&str> =
            own.chain(libraries.iter().map(String::as_str)).chain(flags.iter().copied()).collect();
        clang::compile(source, &all, output);
    }
    let loaded = load(&[output.to_path_buf()], &LoadOptions::default());
    let loaded = loaded.map_err(|error| error.to_string())?;
    if !loaded.warnings.is_empty() {
        return Err(format!("warnings: {:?}", loaded.warnings));
    }
    let program = &loaded.program;
    // Functions of the library, which is not loaded here, stand for instructions of the processor.
    let meant = ["unsupported", "pass/x86/"];
    let meant = meant.iter().any(|part| source.to_string_lossy().contains(part));
    for op in program.ops.iter().filter(|_| !meant) {
        if let Op::Unsupported { what, .. } = op {
            return Err(format!("unsupported: {}", program.name(*what)));
        }
    }
    if flags.contains(&"-g") && !program.locations.iter().any(|location| location.line > 0) {
        return Err("no line numbers".into());
    }
    crosscheck::compare(output, program)
}

#[test]
fn every_program_of_the_corpus_lowers_at_every_level() {
    let mut files = Vec::new();
    let programs = clang::root().join("tests/programs");
    sources(&programs, &mut files);
    let folder = clang::scratch("corpus");
    let failures = Mutex::new(Vec::new());
    in_parallel(files.len() * LEVELS.len(), |index| {
        let (file, level) = (index / LEVELS.len(), index % LEVELS.len());
        // Programs about the system are many and much alike: each is lowered at one level.
        let about_system = files[file].starts_with(programs.join("posix"));
        if about_system && level != file % LEVELS.len() {
            return;
        }
        // Every level with and without debug information, over the corpus as a whole.
        let debug = (file + level) % 2 == 0;
        let flags: &[&str] = if debug { &[LEVELS[level], "-g"] } else { &[LEVELS[level]] };
        let name = files[file].strip_prefix(&programs).unwrap().to_string_lossy();
        let output = folder.join(format!("{}{}.bc", name.replace('/', "_"), flags.concat()));
        if let Err(reason) = check(&files[file], flags, &output) {
            let name = files[file].display();
            failures.lock().unwrap().push(format!("{name} {flags:?}: {reason}"));
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
