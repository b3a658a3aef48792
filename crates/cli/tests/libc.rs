//! The libc and libstdc++ as a whole: everything in them can be run, and nothing is missing but what the
//! engine gives.

#![allow(clippy::unwrap_used, reason = "everything here is test code")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use everett_ir::{Op, Program};
use everett_llvm::{LoadOptions, LoadedProgram, load, load_bytes};
use everett_runtime as runtime;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, SymbolSection};

/// The functions that the engine must implement for musl and libstdc++ to run.
const HOOKS: [&str; 32] = [
    "_ZdaPv",
    "_ZdlPv",
    "_ZdlPvm",
    "_Znam",
    "_Znwm",
    "__cxa_pure_virtual",
    "__everett_clone",
    "__everett_constructor",
    "__everett_destructor",
    "__everett_dl_at",
    "__everett_dl_caller",
    "__everett_dl_function",
    "__everett_dl_link",
    "__everett_dl_read",
    "__everett_dl_symbol",
    "__everett_draw",
    "__everett_frame_of",
    "__everett_land",
    "__everett_landing_below",
    "__everett_landing_clause",
    "__everett_set_tp",
    "__everett_syscall",
    "__everett_terminate",
    "__everett_yield",
    "aligned_alloc",
    "calloc",
    "free",
    "klee_get_obj_size",
    "longjmp",
    "malloc",
    "realloc",
    "setjmp",
];

/// Functions that only programs in C++ have: references to them are weak, and null in others.
const OF_CXX: [&str; 1] = ["__everett_leave_frames"];

fn options(roots: impl IntoIterator<Item = String>) -> LoadOptions {
    let provided = HOOKS.map(str::to_owned).to_vec();
    let mut options = runtime::load_options(provided);
    options.roots.extend(roots);
    options
}

fn unsupported(program: &Program) -> Vec<String> {
    let mut found = Vec::new();
    for function in program.functions.iter().filter(|function| function.defined) {
        for op in &program.ops[function.entry as usize..function.end as usize] {
            if let Op::Unsupported { what, .. } = op {
                found.push(format!("{}: {}", function.name, program.name(*what)));
            }
        }
    }
    found
}

/// The undefined symbols, without those of transactional memory: libstdc++ refers to them weakly, and nobody
/// has them.
fn undefined(loaded: &LoadedProgram) -> BTreeSet<&str> {
    let names = loaded.undefined.iter().map(|symbol| symbol.name.as_str());
    names.filter(|name| !name.starts_with("_ITM_") && !name.starts_with("_ZGTt")).collect()
}

fn names_in(archive: &[u8]) -> Vec<String> {
    let archive = ArchiveFile::parse(archive).unwrap();
    let symbols = archive.symbols().unwrap().unwrap();
    symbols.map(|symbol| String::from_utf8_lossy(symbol.unwrap().name()).into_owned()).collect()
}

#[test]
fn every_member_can_be_run_and_needs_only_the_hooks() {
    let mut names = names_in(runtime::libc_archive());
    names.extend(names_in(runtime::libstdcxx_archive()));
    let text = "define i32 @main() {\n  ret i32 0\n}\n";
    let loaded = load_bytes("empty.ll", text.as_bytes(), &options(names)).unwrap();
    assert_eq!(loaded.warnings, [""; 0]);
    assert_eq!(unsupported(&loaded.program), [""; 0]);
    assert_eq!(undefined(&loaded), HOOKS.into());
    let defined = loaded.program.functions.iter().filter(|function| function.defined).count();
    assert!(defined > 6000, "{defined} functions");
}

/// The libraries of glibc, and that of libxcrypt, by the names that the loader knows.
const GLIBC: [&str; 9] = [
    "libc.so.6",
    "libm.so.6",
    "libcrypt.so.1",
    "libresolv.so.2",
    "librt.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "libutil.so.1",
    "libanl.so.1",
];

/// The decisions about the symbols that only glibc has.
const DECISIONS: &str = include_str!("libc_symbols.txt");

/// The symbols that programs can be linked with by the machine's glibc; none if it has another library.
fn symbols_of_glibc() -> BTreeSet<String> {
    let folders = ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"];
    let mut found = BTreeSet::new();
    for name in GLIBC {
        let file = folders.iter().map(|folder| Path::new(folder).join(name)).find(|f| f.is_file());
        let Some(file) = file else { continue };
        let bytes = fs::read(&file).unwrap();
        let library = object::File::parse(bytes.as_slice()).unwrap();
        let defined = library.dynamic_symbols().filter(|symbol| {
            // The names of versions are absolute symbols.
            symbol.is_definition() && symbol.section() != SymbolSection::Absolute
        });
        found.extend(defined.map(|symbol| symbol.name().unwrap().to_owned()));
    }
    found
}

/// Families of symbols, each with its patterns.
fn decisions() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut families: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in DECISIONS.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(family) => families.push((family, Vec::new())),
            None => {
                let words = line.split_whitespace();
                let mut words = words.peekable();
                if words.peek().is_some() {
                    families.last_mut().expect("a family comes first").1.extend(words);
                }
            }
        }
    }
    families
}

/// Matches a name with a pattern, in which a star stands for any text and a question mark for a character.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), Some((_, after))) => matches(rest, name) || matches(pattern, after),
        (Some((b'*', rest)), None) => matches(rest, name),
        (Some((b'?', rest)), Some((_, after))) => matches(rest, after),
        (Some((wanted, rest)), Some((c, after))) => wanted == c && matches(rest, after),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

#[test]
fn each_symbol_of_glibc_is_there_or_decided_about() {
    let archive = ArchiveFile::parse(runtime::libc_archive()).unwrap();
    let symbols = archive.symbols().unwrap().unwrap();
    let ours: BTreeSet<String> = symbols
        .map(|symbol| String::from_utf8_lossy(symbol.unwrap().name()).into_owned())
        .collect();
    let families = decisions();
    let patterns: Vec<&str> = families.iter().flat_map(|(_, patterns)| patterns.clone()).collect();
    let decided = |name: &str| patterns.iter().any(|p| matches(p.as_bytes(), name.as_bytes()));
    let glibc = symbols_of_glibc();
    let open: Vec<&String> =
        glibc.iter().filter(|name| !ours.contains(*name) && !decided(name)).collect();
    assert!(open.is_empty(), "add these to the library, or decide about them: {open:?}");
    let stale: Vec<&&str> = patterns.iter().filter(|name| ours.contains(**name)).collect();
    assert!(stale.is_empty(), "the library has these: {stale:?}");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/maintainers/libc-symbols.md");
    let page = fs::read_to_string(page).unwrap();
    for (family, _) in families {
        assert!(page.contains(&format!("| {family} |")), "the page does not explain {family:?}");
    }
}

/// Programs of all kinds that use a libc: headers, and calls of functions.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("output", "stdio.h", r#"printf("%d %s %f %Lg\n", 1, "a", 2.5, 1.5L); fflush(stdout);"#),
    ("input", "stdio.h", r#"int n; char w[9]; scanf("%d %8s", &n, w); ungetc(getchar(), stdin);"#),
    (
        "files",
        "stdio.h",
        r#"FILE *f = fopen("a", "w+"); fseek(f, 0, SEEK_END); fclose(f); remove("a");"#,
    ),
    (
        "numbers",
        "stdlib.h",
        r#"strtod("1e3", 0); strtold("1", 0); strtoull("7", 0, 0); atoi("1");"#,
    ),
    (
        "sorting",
        "stdlib.h",
        "int v[2] = {2, 1}; qsort(v, 2, 4, (void *)0); bsearch(v, v, 2, 4, (void *)0);",
    ),
    (
        "strings",
        "string.h",
        r#"strtok(strdup("a,b"), ","); strerror(2); strsignal(9); strcoll("a", "b");"#,
    ),
    (
        "regex",
        "regex.h",
        r#"regex_t r; regcomp(&r, "a+(b|c)", REG_EXTENDED); regexec(&r, "ab", 0, 0, 0);"#,
    ),
    (
        "patterns",
        "glob.h fnmatch.h wordexp.h",
        r#"glob_t g; glob("*", 0, 0, &g); fnmatch("*", "a", 0);"#,
    ),
    ("options", "getopt.h", r#"char *v[] = {"a", 0}; getopt_long(1, v, "x", (void *)0, 0);"#),
    (
        "time",
        "time.h",
        "time_t t = time(0); char b[64]; strftime(b, 64, \"%c\", localtime(&t)); mktime(gmtime(&t));",
    ),
    (
        "math",
        "math.h",
        "volatile double x = 2; x = pow(x, exp(x)) + lgamma(x) + jn(2, x) + fmod(x, 3) + cbrtl(x);",
    ),
    (
        "complex",
        "complex.h",
        "volatile double complex z = 1 + I; z = csqrt(z) * cexp(z) / clog(z);",
    ),
    (
        "wide",
        "wchar.h wctype.h locale.h",
        "setlocale(LC_ALL, \"\"); wprintf(L\"%ls\", L\"x\"); towupper(L'a');",
    ),
    (
        "conversion",
        "iconv.h langinfo.h",
        r#"iconv_t c = iconv_open("UTF-8", "UTF-16"); iconv_close(c); nl_langinfo(0);"#,
    ),
    (
        "lookup",
        "netdb.h",
        r#"struct addrinfo *a; getaddrinfo("host", "80", 0, &a); gethostbyname("host");"#,
    ),
    (
        "sockets",
        "sys/socket.h arpa/inet.h",
        "int s = socket(2, 1, 0); listen(s, 1); accept(s, 0, 0); htons(1); inet_addr(\"1\");",
    ),
    (
        "polling",
        "poll.h sys/epoll.h sys/select.h",
        "poll(0, 0, 1); epoll_create1(0); select(0, 0, 0, 0, 0);",
    ),
    (
        "threads",
        "pthread.h semaphore.h",
        "pthread_t t; pthread_create(&t, 0, (void *)0, 0); pthread_cancel(t); pthread_join(t, 0);\n\
         sem_t m; sem_init(&m, 0, 0); sem_wait(&m);",
    ),
    (
        "c11_threads",
        "threads.h",
        "thrd_t t; thrd_create(&t, (void *)0, 0); thrd_join(t, 0); mtx_t m; mtx_init(&m, 0);",
    ),
    (
        "processes",
        "unistd.h sys/wait.h spawn.h",
        r#"fork(); wait(0); execlp("a", "a", (char *)0); posix_spawn(0, "a", 0, 0, 0, 0);"#,
    ),
    (
        "signals",
        "signal.h setjmp.h",
        "signal(2, SIG_IGN); raise(2); sigset_t s; sigfillset(&s); sigprocmask(0, &s, 0);\n\
         jmp_buf b; if (!setjmp(b)) longjmp(b, 1);",
    ),
    ("users", "pwd.h grp.h shadow.h", r#"getpwnam("root"); getgrgid(0); getspnam("root");"#),
    (
        "folders",
        "dirent.h ftw.h sys/stat.h",
        r#"opendir("."); nftw(".", (void *)0, 1, 0); struct stat s; stat("a", &s); mkdir("b", 0);"#,
    ),
    (
        "shared",
        "sys/mman.h sys/shm.h mqueue.h aio.h",
        r#"mmap(0, 1, 3, 1, -1, 0); shmget(1, 1, 0); mq_open("/a", 0);"#,
    ),
    (
        "system",
        "sys/utsname.h sys/resource.h syslog.h",
        r#"struct utsname u; uname(&u); getrlimit(0, (void *)0); syslog(1, "a");"#,
    ),
    (
        "search",
        "search.h",
        "hcreate(1); ENTRY e = {0}; hsearch(e, FIND); tsearch(0, (void *)0, (void *)0);",
    ),
    (
        "terminal",
        "termios.h pty.h",
        "struct termios t; tcgetattr(0, &t); openpty((int *)0, 0, 0, 0, 0);",
    ),
    (
        "random",
        "stdlib.h sys/random.h",
        "rand(); random(); drand48(); char b[1]; getrandom(b, 1, 0); exit(1);",
    ),
];

#[test]
fn programs_of_all_kinds_need_only_the_hooks() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libc");
    fs::create_dir_all(&folder).unwrap();
    let include = runtime::install_headers(&folder).unwrap();
    let clang = everett::environment::clang().unwrap();
    for (name, headers, body) in PROGRAMS {
        let headers: String = headers.split(' ').map(|h| format!("#include <{h}>\n")).collect();
        let source = folder.join(format!("{name}.c"));
        let text = format!("#define _GNU_SOURCE\n{headers}int main(void) {{ {body} return 0; }}\n");
        fs::write(&source, text).unwrap();
        let bitcode = source.with_extension("bc");
        let flags = ["-w".into()];
        let status = clang.compile(&source, &bitcode, &include, &flags).status().unwrap();
        assert!(status.success(), "{name}");
        let loaded = load(&[bitcode], &options([])).unwrap();
        assert_eq!(loaded.warnings, [""; 0], "{name}");
        assert_eq!(unsupported(&loaded.program), [""; 0], "{name}");
        let hooks = BTreeSet::from(HOOKS);
        let all = undefined(&loaded);
        let missing = all.difference(&hooks).copied().filter(|name| !OF_CXX.contains(name));
        let missing: Vec<&str> = missing.collect();
        assert_eq!(missing, [""; 0], "{name}");
        // No program needs all of the libc.
        let functions = loaded.program.functions.iter().filter(|f| f.library && f.defined).count();
        assert!((5..700).contains(&functions), "{name}: {functions} functions");
    }
}
