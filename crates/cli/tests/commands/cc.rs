//! `everett cc`, `everett c++` and `everett bitcode`, used as a build uses a compiler.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::sandbox::{Said, Sandbox, output_of};

/// A folder with sources, and commands that run in it.
struct Project {
    sandbox: Sandbox,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let sandbox = Sandbox::new();
        files.iter().for_each(|(name, text)| sandbox.write(name, text));
        Project { sandbox }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.sandbox.path(name)
    }

    fn command(&self, program: &Path, words: &str) -> Command {
        let mut command = self.sandbox.host(program);
        command.args(words.split_whitespace());
        command.env_remove("EVERETT_LIBC").env_remove("EVERETT_BITCODE_FLAGS");
        command
    }

    fn everett_command(&self, words: &str) -> Command {
        self.command(Path::new(env!("CARGO_BIN_EXE_everett")), words)
    }

    /// Runs `everett`, which must end with this code.
    fn everett(&self, words: &str, code: i32) -> Said {
        output_of(&mut self.everett_command(words), code)
    }

    /// Runs a program of the host, or one that was made here.
    fn host(&self, words: &str, code: i32) -> Said {
        let (program, words) = words.split_once(' ').unwrap_or((words, ""));
        let program = match program.strip_prefix("./") {
            Some(made) => self.path(made),
            None => PathBuf::from(program),
        };
        output_of(&mut self.command(&program, words), code)
    }

    /// The names of the modules that a file carries.
    fn carried(&self, file: &str) -> Vec<String> {
        let listed = self.everett(&format!("bitcode --list {file}"), 0).out;
        listed.lines().map(|line| line.split_whitespace().nth(2).unwrap().to_owned()).collect()
    }
}

const MAIN: (&str, &str) = (
    "main.c",
    "#include <stdio.h>\n#include \"twice.h\"\nint main(void) { printf(\"%d\\n\", twice(21)); return 0; }\n",
);
const TWICE: (&str, &str) =
    ("twice.c", "#include \"twice.h\"\nint twice(int x) { return FACTOR * x; }\n");
const UNUSED: (&str, &str) = ("unused.c", "int unused(void) { return 1; }\n");
const HEADER: (&str, &str) = ("inc/twice.h", "int twice(int);\n");

#[test]
fn build_in_steps_runs_natively_and_in_the_engine() {
    let project = Project::new(&[MAIN, TWICE, UNUSED, HEADER]);
    project.everett("cc -Iinc -O2 -Wall -MD -MP -MF main.d -c main.c -o main.o", 0);
    project.everett("cc -Iinc -DFACTOR=2 -c twice.c", 0);
    project.everett("cc -c unused.c", 0);
    let dependencies = fs::read_to_string(project.path("main.d")).unwrap();
    assert!(dependencies.contains("main.o:") && dependencies.contains("inc/twice.h"));
    project.host("ar rcs libtwice.a twice.o unused.o", 0);
    project.host("ar rcsT libthin.a twice.o unused.o", 0);
    for archive in ["libtwice.a", "libthin.a"] {
        assert_eq!(project.carried(archive), ["twice.c", "unused.c"], "{archive}");
    }
    project.everett("cc main.o -L. -ltwice -o prog", 0);
    // What the linker leaves out of an archive is not carried either.
    assert_eq!(project.carried("prog"), ["main.c", "twice.c"]);
    assert_eq!(project.host("./prog", 0).out, "42\n");
    let run = project.everett("run prog", 0);
    assert!(run.out.starts_with("42\n") && run.out.contains("exit code    0"), "{}", run.out);

    project.everett("bitcode prog", 0);
    let run = project.everett("run prog.bc", 0);
    assert!(run.out.starts_with("42\n"), "{}", run.out);
    let written = project.everett_command("bitcode prog -o -").output().unwrap().stdout;
    assert_eq!(written, fs::read(project.path("prog.bc")).unwrap());
    let check = project.everett("check prog", 0);
    assert!(check.out.contains("prog: "), "{}", check.out);
}

#[test]
fn every_kind_of_link_carries() {
    let project = Project::new(&[MAIN, TWICE, HEADER]);
    let modules = ["main.c", "twice.c"];
    for (flags, file) in [
        ("", "a.out"),
        ("-o dynamic", "dynamic"),
        ("-static -o static", "static"),
        ("-static-pie -o static-pie", "static-pie"),
        ("-no-pie -s -Wl,--gc-sections -ffunction-sections -o small", "small"),
        ("--libc=glibc -o glibc", "glibc"),
        ("-flto -fsanitize=undefined -O3 -march=native --libc=glibc -o tuned", "tuned"),
    ] {
        project.everett(&format!("cc -Iinc -DFACTOR=2 main.c twice.c {flags}"), 0);
        assert_eq!(project.carried(file), modules, "{file}");
        assert_eq!(project.host(&format!("./{file}"), 0).out, "42\n", "{file}");
        let run = project.everett(&format!("run {file}"), 0);
        assert!(run.out.starts_with("42\n"), "{file}: {}", run.out);
    }
    let interpreter = project.host("readelf -p .interp dynamic", 0).out;
    assert!(interpreter.contains("ld-musl-x86_64"), "{interpreter}");
    project.everett("cc -Iinc -DFACTOR=2 -c main.c twice.c", 0);
    project.host("ld -r main.o twice.o -o both.o", 0);
    project.host("strip --strip-debug both.o", 0);
    assert_eq!(project.carried("both.o"), modules);
    project.everett("cc both.o -Wl,--gc-sections -o from-both", 0);
    project.host("strip from-both", 0);
    assert_eq!(project.carried("from-both"), modules);
    assert_eq!(project.host("./from-both", 0).out, "42\n");
}

#[test]
fn shared_objects_carry_too() {
    let project = Project::new(&[MAIN, TWICE, HEADER]);
    project.everett("cc -Iinc -DFACTOR=2 -fPIC -shared twice.c -o libtwice.so", 0);
    assert_eq!(project.carried("libtwice.so"), ["twice.c"]);
    project.everett("cc -Iinc main.c libtwice.so -Wl,-rpath,$ORIGIN -o prog", 0);
    assert_eq!(project.host("./prog", 0).out, "42\n");
    assert_eq!(project.carried("prog"), ["main.c", "twice.c"]);
    assert!(project.everett("run prog", 0).out.starts_with("42\n"));
    // Found as the loader finds it, or not at all.
    project.everett("cc -Iinc main.c -L. -ltwice -o lost", 0);
    assert_eq!(project.carried("lost"), ["main.c"]);
    let list =
        output_of(project.everett_command("bitcode --list lost").env("LD_LIBRARY_PATH", "."), 0);
    assert!(list.out.contains("twice.c"), "{}", list.out);
}

#[test]
fn bitcode_alone_is_made_on_request() {
    let project = Project::new(&[MAIN, TWICE, HEADER]);
    project.everett("cc -Iinc -DFACTOR=2 -c -emit-llvm main.c twice.c", 0);
    project.everett("cc main.bc twice.bc -o linked.bc", 0);
    project.host("llvm-ar-19 rcs both.a main.bc twice.bc", 0);
    assert_eq!(project.carried("both.a"), ["main.bc", "twice.bc"]);
    project.everett("bitcode both.a -o archived.bc", 0);
    project.everett("cc -Iinc -DFACTOR=2 main.c -c", 0);
    project.everett("cc main.o twice.bc -o mixed.bc", 0);
    project.everett("cc -Iinc -DFACTOR=2 main.c twice.c -emit-llvm", 0);
    for file in ["linked.bc", "archived.bc", "mixed.bc", "main.bc"] {
        assert!(fs::read(project.path(file)).unwrap().starts_with(b"BC"), "{file}");
        assert!(project.everett(&format!("run {file}"), 0).out.starts_with("42\n"), "{file}");
    }
    project.everett("cc -Iinc -S -emit-llvm main.c", 0);
    assert!(fs::read_to_string(project.path("main.ll")).unwrap().contains("define "));
    // Bitcode is code like any other for the native linker.
    project.everett("cc -O1 linked.bc -o native", 0);
    assert_eq!(project.host("./native", 0).out, "42\n");
    assert_eq!(project.carried("native"), ["linked.bc"]);
}

#[test]
fn compiler_is_asked_about_itself() {
    let project = Project::new(&[MAIN, HEADER]);
    assert!(project.everett("cc --version", 0).out.contains("clang version 19"));
    assert!(project.everett("cc -v", 0).err.contains("clang version 19"));
    // A build system that wants one word is given a link.
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_everett"), project.path("everett-cc")).unwrap();
    assert!(project.host("./everett-cc --version", 0).out.contains("clang version 19"));
    assert_eq!(project.everett("cc -dumpmachine", 0).out, "x86_64-unknown-linux-musl\n");
    assert_eq!(project.everett("cc --libc=glibc -dumpmachine", 0).out, "x86_64-pc-linux-gnu\n");
    let libc = project.everett("cc -print-file-name=libc.a", 0).out;
    assert!(Path::new(libc.trim()).is_file(), "{libc}");
    assert!(project.everett("cc", 1).err.contains("no input files"));
    assert!(project.everett("cc -E -Iinc main.c", 0).out.contains("int twice(int);"));
    assert!(project.everett("cc -MM -Iinc main.c", 0).out.contains("inc/twice.h"));
    project.everett("cc -S -Iinc main.c", 0);
    assert!(fs::read_to_string(project.path("main.s")).unwrap().contains("main:"));
    project.everett("cc -Iinc -fsyntax-only main.c", 0);
    project.everett("cc -Iinc -c main.c -o /dev/null", 0);
    assert!(!project.path("main.o").exists());
    let object = project.everett_command("cc -Iinc -c main.c -o -").output().unwrap().stdout;
    assert!(object.starts_with(b"\x7fELF"));
}

#[test]
fn sources_come_from_everywhere() {
    let project = Project::new(&[MAIN, TWICE, HEADER]);
    fs::write(project.path("args"), "-Iinc '-DFACTOR=2'\nmain.c \"twice.c\" -o from-args").unwrap();
    project.everett("cc @args", 0);
    assert_eq!(project.host("./from-args", 0).out, "42\n");

    project.everett("cc -E -Iinc -DFACTOR=2 twice.c -o twice.i", 0);
    let assembler =
        ".globl get\nget: movl $9, %eax\nret\n.section .note.GNU-stack,\"\",@progbits\n";
    fs::write(project.path("get.s"), assembler).unwrap();
    let text = "int get(void), twice(int); int main(void) { return twice(get()); }";
    for stdin in ["-", "/dev/stdin"] {
        let words = format!("cc -x c {stdin} -x none twice.i get.s -o from-stdin");
        let mut command = project.everett_command(&words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        project.host("./from-stdin", 18);
        assert_eq!(project.carried("from-stdin"), [stdin, "twice.i"]);
    }
}

#[test]
fn errors_are_told_once_and_leave_nothing() {
    let project = Project::new(&[("bad.c", "int main(void) { return undeclared; }\n"), UNUSED]);
    for words in ["cc -c bad.c", "cc bad.c -o bad", "cc -c unused.c bad.c"] {
        let said = project.everett(words, 1);
        assert_eq!(said.err.matches("undeclared identifier").count(), 1, "{words}: {}", said.err);
    }
    assert!(!project.path("bad.o").exists() && !project.path("bad").exists());
    let said = project.everett("cc -Wall -x c -c /dev/null none.c", 1);
    assert!(said.err.contains("none.c"), "{}", said.err);
    let said = project.everett("cc --libc=newlib unused.c", 2);
    assert!(said.err.contains("newlib"), "{}", said.err);

    // Only the engine's bitcode is compiled for a plain x86-64.
    let text = "#ifndef __AVX__\n#error only with AVX\n#endif\nint x;\n";
    fs::write(project.path("avx.c"), text).unwrap();
    let said = project.everett("cc -march=haswell -c avx.c", 2);
    assert!(
        said.err.contains("only with AVX") && said.err.contains("compiles natively"),
        "{}",
        said.err
    );
    assert!(!project.path("avx.o").exists());
}

#[test]
fn warnings_are_told_once() {
    let project = Project::new(&[("w.c", "static int unused;\nint main(void) { return 0; }\n")]);
    let said = project.everett("cc -Wall -c w.c", 0);
    assert_eq!(said.err.matches("unused variable").count(), 1, "{}", said.err);
    assert_eq!(project.everett("cc w.c", 0).err, "");
    assert!(project.everett("cc -Wall -Werror -c w.c", 1).err.contains("unused variable"));
}

#[test]
fn constants_that_clang_computes_wrongly_are_told_and_are_findings_with_checks() {
    let source = "#include <limits.h>\nvolatile int zero;\nint main(void) {\n  zero = INT_MAX + 1;\n  \
                  zero = 1 / 0;\n  zero = 1 << 32;\n  return 0;\n}\n";
    let project = Project::new(&[("constants.c", source)]);
    // What is left in bitcode is a constant: only the compiler can tell.
    let said = project.everett("cc -g -c constants.c", 0).err;
    for warning in ["integer-overflow", "division-by-zero", "shift-count-overflow"] {
        assert_eq!(said.matches(&format!("[-W{warning}]")).count(), 1, "{warning}: {said}");
    }
    project.everett("cc -g -w -fsanitize=undefined constants.c -o constants", 0);
    let said = project.everett("run constants", 1).out;
    assert!(said.contains("overflow") && said.contains("constants.c:4"), "{said}");
    // Bitcode alone has a compiler whose warnings are shown, too.
    let said = project.everett("cc -g -emit-llvm -c constants.c", 0).err;
    assert!(said.contains("[-Winteger-overflow]"), "{said}");
}

#[test]
fn files_without_bitcode_are_explained() {
    let project = Project::new(&[UNUSED]);
    fs::write(project.path("text"), "text").unwrap();
    let said = project.everett("bitcode text", 2);
    assert!(said.err.contains("text is neither an ELF file nor an archive"), "{}", said.err);
    project.host("clang-19 -c unused.c -o plain.o", 0);
    let said = project.everett("bitcode plain.o", 2);
    assert!(said.err.contains("plain.o carries no bitcode"), "{}", said.err);
    let said = project.everett("run plain.o", 2);
    assert!(said.err.contains("plain.o carries no bitcode"), "{}", said.err);
    let said = project.everett("bitcode none", 2);
    assert!(said.err.contains("cannot read none"), "{}", said.err);
    project.everett("cc -c unused.c", 0);
    let bytes = fs::read(project.path("unused.o")).unwrap();
    fs::write(project.path("half.o"), &bytes[..bytes.len() / 2]).unwrap();
    assert!(project.everett("bitcode half.o", 2).err.contains("half.o is damaged"));
    project.host("objcopy --update-section .everett.bc=text unused.o broken.o", 0);
    let said = project.everett("bitcode broken.o", 2);
    assert!(said.err.contains("ends inside the header at offset 0"), "{}", said.err);
}

#[test]
fn symbolic_inputs_come_from_a_test_natively() {
    let text = "#include <klee/klee.h>\n#include <stdio.h>\n\
        int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\");\n\
        if (x == 1234567) { puts(\"found\"); return 3; } return 0; }\n";
    let project = Project::new(&[("p.c", text)]);
    for libc in ["musl", "glibc"] {
        project.everett(&format!("cc p.c -o p --libc={libc}"), 0);
        project.host("./p", 0);
        project.everett("run --out out p", 0);
        let tests = fs::read_dir(project.path("out/tests")).unwrap().map(|e| e.unwrap().path());
        let codes: Vec<i32> = tests
            .map(|test| {
                let program = project.path("p");
                let status = Command::new(program).env("KTEST_FILE", test).output().unwrap().status;
                status.code().unwrap()
            })
            .collect();
        assert!(codes.contains(&3) && codes.contains(&0), "{libc}: {codes:?}");
        fs::remove_dir_all(project.path("out")).unwrap();
    }
}

#[test]
fn objects_of_two_libraries_are_not_linked() {
    let project = Project::new(&[MAIN, TWICE, HEADER]);
    project.everett("cc -Iinc -c main.c --libc=glibc", 0);
    project.everett("cc -Iinc -DFACTOR=2 -c twice.c", 0);
    let said = project.everett("cc main.o twice.o -o prog", 2);
    assert!(said.err.contains("twice.o was compiled against musl"), "{}", said.err);
    assert!(said.err.contains("main.o against glibc"), "{}", said.err);
    project.everett("cc -Iinc -DFACTOR=2 -c twice.c --libc=glibc", 0);
    // Without a word about it, the objects decide.
    project.everett("cc main.o twice.o -o prog", 0);
    assert_eq!(project.host("./prog", 0).out, "42\n");
    assert!(!project.host("readelf -p .interp prog", 0).out.contains("musl"));
}

const CONTAINERS: &str = r#"
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct Shape {
  virtual ~Shape() {}
  virtual int corners() const = 0;
};
struct Square : Shape {
  int corners() const override { return 4; }
};

int main() {
  std::map<std::string, std::vector<int>> lists;
  for (int i = 0; i < 50; i++)
    lists[i % 3 ? "other" : "third"].push_back(i * 37 % 101);
  std::unordered_map<std::string, int> sums;
  for (auto &[name, list] : lists) {
    std::sort(list.begin(), list.end(), std::greater<int>());
    sums[name] = list.front() - list.back();
  }
  lists.erase("third");
  std::unique_ptr<Shape> shape = std::make_unique<Square>();
  const Square *square = dynamic_cast<Square *>(shape.get());
  std::printf("%zu %d %d %d\n", lists.size(), sums["third"], sums["other"], square->corners());
}
"#;

#[test]
fn cxx_programs_use_the_standard_library() {
    let project = Project::new(&[("p.cpp", CONTAINERS)]);
    project.everett("c++ -std=c++17 -O2 -c p.cpp", 0);
    project.everett("c++ p.o -o p", 0);
    let native = project.host("./p", 0).out;
    assert!(native.starts_with("1 ") && native.ends_with(" 4\n"), "{native}");
    assert_eq!(project.carried("p"), ["p.cpp"]);
    let run = project.everett("run p", 0);
    assert!(run.out.starts_with(&native), "{}", run.out);
}

#[test]
fn exceptions_are_thrown_natively_and_in_the_engine() {
    let text = "#include <iostream>\n#include <stdexcept>\n\
        int main(int n, char **) {\n\
          try { throw std::runtime_error(\"bad\"); }\n\
          catch (const std::exception &e) { std::cout << e.what() << ' ' << n << std::endl; }\n\
          if (n > 1) throw n;\n\
        }\n";
    let project = Project::new(&[("throws.cpp", text)]);
    project.everett("c++ throws.cpp -o throws", 0);
    assert_eq!(project.host("./throws", 0).out, "bad 1\n");
    assert!(project.everett("run throws", 0).out.starts_with("bad 1\n"));
    let run = project.everett("run throws -- 9", 1);
    let expected =
        "uncaught-exception: uncaught exception of type int\n  --> throws.cpp:6:12 in main";
    assert!(run.out.contains(expected), "{}", run.out);
}

#[test]
fn missing_musl_is_named() {
    let project = Project::new(&[UNUSED]);
    let mut command = project.everett_command("cc -c unused.c");
    let said = output_of(command.env("EVERETT_MUSL", "/nowhere"), 2);
    assert!(said.err.contains("/nowhere, where musl is not installed"), "{}", said.err);
    project.everett("cc -c unused.c -o unused.bc", 0);
}

#[test]
fn gnu_functions_are_glibcs_when_compiled_against_it() {
    let text = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <string.h>\n\
        int main(void) { char b[40]; puts(strerror_r(2, b, sizeof b)); puts(basename(\"/a/b/\"));\n\
        printf(\"%s %d\\n\", strchrnul(\"ab=c\", '='), strverscmp(\"a10\", \"a9\") > 0); return 0; }\n";
    let project = Project::new(&[("gnu.c", text)]);
    project.everett("cc --libc=glibc -O2 -D_FORTIFY_SOURCE=2 gnu.c -o gnu", 0);
    let native = project.host("./gnu", 0).out;
    assert_eq!(native, "No such file or directory\n\n=c 1\n");
    let run = project.everett("run gnu", 0);
    assert!(run.out.starts_with(&native), "{}", run.out);
}

#[test]
fn regular_expressions_have_glibcs_types_when_compiled_against_it() {
    let text = "#include <regex.h>\n#include <stdio.h>\n\
        static void show(int r, regmatch_t *m) {\n\
          printf(\"%d %d-%d %d-%d\\n\", r, m[0].rm_so, m[0].rm_eo, m[2].rm_so, m[2].rm_eo); }\n\
        int main(void) { regex_t r; regmatch_t m[3]; regcomp(&r, \"([a-z]+)([0-9]+)\", REG_EXTENDED);\n\
          printf(\"%zu\\n\", r.re_nsub); show(regexec(&r, \"--abc123--\", 3, m, 0), m);\n\
          m[0].rm_so = 4; m[0].rm_eo = 7; show(regexec(&r, \"--abc123--\", 3, m, REG_STARTEND), m);\n\
          printf(\"%d\\n\", regexec(&r, \"--\", 0, 0, 0) == REG_NOMATCH); regfree(&r); return 0; }\n";
    let project = Project::new(&[("regex.c", text)]);
    project.everett("cc --libc=glibc regex.c -o regex", 0);
    let native = project.host("./regex", 0).out;
    assert_eq!(native, "2\n0 2-8 5-8\n0 4-7 5-7\n1\n");
    let run = project.everett("run regex", 0);
    assert!(run.out.starts_with(&native), "{}", run.out);
}

#[test]
fn old_c_is_compiled_as_by_gcc() {
    // As autoconf 2.13 asks whether the compiler works, and whether there is a function.
    let project = Project::new(&[
        ("works.c", "main(){return(0);}\n"),
        ("function.c", "char abort();\nint main(int n) { if (n > 9) abort();\n; return 0; }\n"),
        ("exits.c", "main() { exit(0); }\n"),
        ("old.c", "f(a, b) char *b; { int *p = 5; return g(a, p) + (a == b); }\n"),
    ]);
    for standard in ["", "-std=c99", "-std=gnu17", "-ansi"] {
        for source in ["works", "function", "exits"] {
            project.everett(&format!("cc {standard} -o {source} {source}.c"), 0);
            project.host(&format!("./{source} x"), 0);
        }
        let said = project.everett(&format!("cc {standard} -c old.c"), 0);
        assert!(said.err.contains("warning") && !said.err.contains("error:"), "{}", said.err);
    }
    project.everett("cc -c old.c -o old.bc", 0);
    // Errors of warnings are what gcc makes of these, too.
    project.everett("cc -Werror -c works.c", 1);
    project.everett("cc -Werror=implicit-int -c works.c", 1);
    let run = project.everett("run exits", 0);
    assert!(run.out.contains("no findings"), "{}", run.out);
}

#[test]
fn headers_of_musl_have_what_those_of_glibc_have() {
    let strict = "#include <sys/types.h>\n#include <strings.h>\n#include <netinet/in.h>\n\
        u_int8_t a; u_int16_t b; u_int32_t c; u_int64_t d; int8_t e; register_t r;\n\
        int main(void) { return index(\"abc\", 'b') == 0 || sizeof d != 8; }\n";
    let usual = "#include <dirent.h>\n#include <stdlib.h>\n#include <fcntl.h>\n#include <signal.h>\n\
        #include <regex.h>\n#include <sys/param.h>\n#include <sys/utsname.h>\n\
        u_char a; u_int b; u_long c; loff_t d; quad_t e; daddr_t f; char name[MAXNAMLEN + SYS_NMLN];\n\
        int main(void) { return sigmask(SIGCLD) != 1 << 16 || !O_FSYNC || !LOCK_EX || PATH_MAX != 4096; }\n";
    let crypt = "#include <crypt.h>\n#include <string.h>\n\
        int main(void) { return strcmp(crypt(\"password\", \"kl\"), \"klGDV42JhmAeM\"); }\n";
    let control = "#include <sys/socket.h>\n\
        int main(void) { struct msghdr m = {0}; struct cmsghdr c = {0}; return CMSG_NXTHDR(&m, &c) != 0; }\n";
    let project = Project::new(&[
        ("strict.c", strict),
        ("usual.c", usual),
        ("crypt.c", crypt),
        ("control.c", control),
    ]);
    for flags in [
        "-Wextra control.c",
        "-std=c99 strict.c",
        "-ansi strict.c",
        "usual.c",
        "-D_GNU_SOURCE usual.c",
    ] {
        project.everett(&format!("cc -Wall -Werror -Wno-pedantic {flags} -o program"), 0);
        project.host("./program x", 0);
        project.everett("run program", 0);
    }
    // What is only for BSD is hidden where a standard is all that is asked for.
    project.everett("cc -std=c99 -c usual.c", 1);
    for libraries in ["", "-lcrypt", "-static -lcrypt"] {
        project.everett(&format!("cc crypt.c {libraries} -o program"), 0);
        project.host("./program x", 0);
    }
}

#[test]
fn families_of_glibc_run_when_compiled_against_it() {
    let text = "#define _GNU_SOURCE\n#include <argz.h>\n#include <error.h>\n#include <obstack.h>\n\
        #include <fts.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <wchar.h>\n\
        #define obstack_chunk_alloc malloc\n#define obstack_chunk_free free\n\
        int main(void) { struct obstack h; obstack_init(&h); int n = 0;\n\
          for (int i = 0; i < 2000; i++) obstack_printf(&h, \"%d,\", i);\n\
          obstack_1grow(&h, 0); printf(\"%zu\\n\", strlen(obstack_finish(&h))); obstack_free(&h, 0);\n\
          char *argz; size_t length; argz_create_sep(\"a:b:c\", ':', &argz, &length);\n\
          printf(\"%zu %s\\n\", argz_count(argz, length), strerrordesc_np(2));\n\
          char *roots[] = {\"/dev/null\", 0}; FTS *fts = fts_open(roots, FTS_PHYSICAL, 0);\n\
          for (FTSENT *e; (e = fts_read(fts));) printf(\"%s %d\\n\", e->fts_path, e->fts_info), n++;\n\
          fts_close(fts); wchar_t w[8]; swprintf(w, 8, L\"%d\", n); printf(\"%ls\\n\", w); return 0; }\n";
    let project = Project::new(&[("families.c", text)]);
    project.everett("cc --libc=glibc -O2 -D_FORTIFY_SOURCE=2 families.c -o families", 0);
    let native = project.host("./families x", 0).out;
    let run = project.everett("run families", 0);
    assert!(native.starts_with("8890\n3 No such file"), "{native}");
    assert!(run.out.starts_with(&native), "{}", run.out);
}

#[test]
fn headers_of_the_kernel_are_found_and_those_of_glibc_are_not() {
    let kernel = "#include <linux/if_ether.h>\n#include <asm/ioctls.h>\n#include <sys/queue.h>\n\
        LIST_HEAD(head, item); int x[ETH_ALEN];\n";
    let glibc = "#include <gnu/libc-version.h>\n";
    let project = Project::new(&[("kernel.c", kernel), ("glibc.c", glibc)]);
    project.everett("cc -c kernel.c", 0);
    project.everett("cc -c glibc.c", 1);
    project.everett("cc -c glibc.c --libc=glibc", 0);
}
