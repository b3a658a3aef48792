//! The libc as a whole: everything in it can be run, and nothing is missing but what the engine gives.

#![allow(clippy::unwrap_used, reason = "everything here is test code")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use everett_ir::{Op, Program};
use everett_llvm::{LoadOptions, LoadedProgram, load, load_bytes};
use everett_runtime as runtime;
use object::read::archive::ArchiveFile;

/// The functions that the engine must implement for musl to run.
const HOOKS: [&str; 19] = [
    "_ZdaPv",
    "_ZdlPv",
    "_Znam",
    "_Znwm",
    "__cxa_pure_virtual",
    "__everett_clone",
    "__everett_constructors",
    "__everett_destructors",
    "__everett_set_tp",
    "__everett_syscall",
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

fn undefined(loaded: &LoadedProgram) -> BTreeSet<&str> {
    loaded.undefined.iter().map(|symbol| symbol.name.as_str()).collect()
}

#[test]
fn every_member_can_be_run_and_needs_only_the_hooks() {
    let archive = ArchiveFile::parse(runtime::libc_archive()).unwrap();
    let symbols = archive.symbols().unwrap().unwrap();
    let names = symbols.map(|symbol| String::from_utf8_lossy(symbol.unwrap().name()).into_owned());
    let text = "define i32 @main() {\n  ret i32 0\n}\n";
    let loaded = load_bytes("empty.ll", text.as_bytes(), &options(names)).unwrap();
    assert_eq!(loaded.warnings, [""; 0]);
    assert_eq!(unsupported(&loaded.program), [""; 0]);
    assert_eq!(undefined(&loaded), HOOKS.into());
    let defined = loaded.program.functions.iter().filter(|function| function.defined).count();
    assert!(defined > 1900, "{defined} functions");
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
        let missing: Vec<&str> = undefined(&loaded).difference(&hooks).copied().collect();
        assert_eq!(missing, [""; 0], "{name}");
        // No program needs all of the libc.
        let functions = loaded.program.functions.iter().filter(|f| f.library && f.defined).count();
        assert!((5..700).contains(&functions), "{name}: {functions} functions");
    }
}
