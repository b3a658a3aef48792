//! `everett init`, and the commands that it names next; `everett doctor`; what shells and `man` are given.

use std::fs;
use std::path::Path;

use crate::sandbox::{Sandbox, output_of};

/// Runs `everett init`, and what it says comes next; gives what the run printed.
fn init_and_run(sandbox: &Sandbox, words: &[&str], code: i32) -> String {
    let said = sandbox.printed(&[&["init"], words].concat(), 0);
    let (_, next) = said.split_once("next:\n").unwrap();
    let next: Vec<&str> = next.lines().map(str::trim).collect();
    let everett = env!("CARGO_BIN_EXE_everett");
    let [build, run] = next[..] else { panic!("{said}") };
    let mut shell = sandbox.host("sh");
    output_of(shell.args(["-c", build]).env("EVERETT", everett), 0);
    let run: Vec<&str> = run.strip_prefix("everett ").unwrap().split(' ').collect();
    sandbox.printed(&[&run[..], &["--out", "out", "--report", "off"]].concat(), code)
}

#[test]
fn an_empty_folder_gets_samples_that_run() {
    let sandbox = Sandbox::new();
    let said = init_and_run(&sandbox, &[], 1);
    assert!(said.contains("out-of-bounds") && said.contains("harness.c"), "{said}");
    // What is there stays as it is.
    sandbox.write("everett/harness.c", "// ours\n");
    fs::remove_file(sandbox.path("everett/build.sh")).unwrap();
    let error = sandbox.run(&["init"], 2).err;
    assert!(error.contains("is there already, and nothing was written"), "{error}");
    assert_eq!(fs::read_to_string(sandbox.path("everett/harness.c")).unwrap(), "// ours\n");
    assert!(!sandbox.path("everett/build.sh").exists(), "all files, or none");

    fs::create_dir(sandbox.path("other")).unwrap();
    let said = init_and_run(&sandbox, &["other", "--explore", "system"], 1);
    assert!(said.contains("more in stock than there is"), "{said}");
    assert!(said.contains("of 3 nodes"), "{said}");
    let error = sandbox.run(&["init", "nowhere"], 2).err;
    assert!(error.contains("nowhere is no folder"), "{error}");
}

#[test]
fn a_function_that_takes_bytes_gets_a_harness() {
    let sandbox = Sandbox::new();
    let source = "#include \"parse.h\"\n\nint parse_field(const unsigned char *field, size_t size)\n{\n  \
                  return size > 2 && field[0] == 'x' ? 10 / (field[1] - 3) : 0;\n}\n";
    sandbox.write("src/parse.c", source);
    sandbox.write(
        "include/parse.h",
        "#include <stddef.h>\nint parse_field(const unsigned char *, size_t);\n",
    );
    sandbox.write("tests/check.c", "int main(void) { return 0; }\n");
    let said = init_and_run(&sandbox, &[], 1);
    assert!(said.contains("divide-by-zero") && said.contains("src/parse.c:5"), "{said}");
    let harness = fs::read_to_string(sandbox.path("everett/harness.c")).unwrap();
    assert!(harness.contains("\nint parse_field(const unsigned char *field, size_t size);\n"));
}

#[test]
fn programs_are_built_as_their_projects_build_them() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "shout.c",
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n  \
         if (argc > 1 && *argv[1] == '!') abort();\n  return 0;\n}\n",
    );
    sandbox.write("Makefile", "shout: shout.c\n\t$(CC) -g -o $@ shout.c\n");
    let said = init_and_run(&sandbox, &[], 1);
    assert!(said.contains("abort") && said.contains("shout.c:3"), "{said}");
    assert!(sandbox.path("shout").exists(), "make has built it");
    // Two programs of which one is asked for, without a Makefile.
    fs::create_dir(sandbox.path("two")).unwrap();
    sandbox.write("two/a.c", "int half(int);\nint main(void) { return half(2); }\n");
    sandbox.write(
        "two/b.c",
        "#include <stdio.h>\nint half(int);\nint main(void) { return half(getchar()); }\n",
    );
    sandbox.write("two/half.c", "int half(int n) { return n / 2; }\n");
    let said = sandbox.run(&["init", "two", "--subject", "c.c"], 2).err;
    assert!(said.contains("there is a.c, b.c"), "{said}");
    let said = init_and_run(&sandbox, &["two", "--subject", "b.c"], 0);
    assert!(said.contains("all paths explored"), "{said}");
    let scenario = fs::read_to_string(sandbox.path("two/everett/system.toml")).unwrap();
    assert!(
        scenario.contains("\nsym-stdin = 8") && scenario.contains("\n# sym-args"),
        "{scenario}"
    );
}

#[test]
fn a_server_and_a_client_become_a_system() {
    let sandbox = Sandbox::new();
    sandbox.write("server.c", crate::report::ANSWERS);
    sandbox.write("client.c", crate::report::ASKS);
    let said = sandbox.run(&["init", "--explore", "program"], 0);
    assert!(said.err.contains("the program of client.c is taken"), "{}", said.err);
    fs::remove_dir_all(sandbox.path("everett")).unwrap();
    let said = init_and_run(&sandbox, &["--explore", "system"], 0);
    assert!(said.contains("of 2 nodes"), "{said}");
}

#[test]
fn doctor_says_what_is_missing_and_what_to_do() {
    let sandbox = Sandbox::new();
    let said = sandbox.printed(&["doctor"], 0);
    assert!(said.contains("ok        a small program  compiled and explored\n"), "{said}");
    assert!(said.ends_with("everett is ready\n"), "{said}");
    let mut doctor = sandbox.everett(&["doctor"]);
    doctor
        .env("EVERETT_CLANG", "/nowhere/clang")
        .env("EVERETT_MUSL", "/nowhere")
        .env("PATH", "/nowhere");
    let said = output_of(&mut doctor, 1).out;
    assert!(said.contains("missing   compiler"), "{said}");
    assert!(said.contains("sudo apt-get install clang-19 musl-dev\n"), "{said}");
    assert!(said.contains("optional  tshark"), "{said}");
    assert!(!said.contains("a small program"), "what is missing says enough: {said}");
}

#[test]
fn shells_and_man_are_given_every_command_that_users_have() {
    let sandbox = Sandbox::new();
    for (shell, check) in [("bash", "bash"), ("zsh", "zsh"), ("fish", "fish")] {
        let text = sandbox.printed(&["completions", shell], 0);
        assert!(text.contains("min-coverage") && text.contains("baseline"), "{shell}");
        assert!(!text.contains("explore-jobs"), "{shell}: nobody types it");
        sandbox.write("completions", &text);
        // A shell that is not installed has nothing to say.
        if let Ok(status) = sandbox.host(check).args(["-n", "completions"]).status() {
            assert!(status.success(), "{shell}");
        }
    }
    sandbox.run(&["man", "pages"], 0);
    let page = |name: &str| fs::read_to_string(sandbox.path(&format!("pages/{name}.1"))).unwrap();
    assert!(page("everett").contains("everett\\-run(1)"), "{}", page("everett"));
    assert!(page("everett-run").contains("\\-\\-min\\-coverage"));
    assert!(page("everett-scenario-check").contains("scenario"));
    assert!(!Path::new(&sandbox.path("pages/everett-explore-jobs.1")).exists());
}
