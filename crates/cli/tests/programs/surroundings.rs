//! Native programs, the oracles of the corpus, see nothing of how the suite was started.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};

use crate::workbench::{NATIVE_C, native_command};

/// Prints whatever it has inherited that it should not have.
const PROGRAM: &str = r#"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
extern char **environ;
int main(void) {
  struct sigaction action;
  sigset_t mask;
  struct rlimit files;
  for (int number = 1; number < 65; number++)
    if (sigaction(number, 0, &action) == 0 && action.sa_handler != SIG_DFL)
      printf("signal %d is not as usual\n", number);
  sigprocmask(SIG_BLOCK, 0, &mask);
  for (int number = 1; number < 65; number++)
    if (sigismember(&mask, number) == 1)
      printf("signal %d is blocked\n", number);
  for (int number = 3; number < 32; number++)
    if (fcntl(number, F_GETFD) != -1)
      printf("descriptor %d is open\n", number);
  for (int i = 0; environ[i]; i++)
    printf("%s\n", environ[i]);
  getrlimit(RLIMIT_NOFILE, &files);
  printf("umask %o, descriptors %lu\n", umask(0), (unsigned long)files.rlim_cur);
  return 0;
}
"#;

/// Starts its arguments as a careless script would.
const CARELESS: &str = "umask 077; ulimit -S -n 64; X=1; export X; \
                        exec env --ignore-signal=HUP,INT --block-signal=TERM \"$0\" \"$@\" 7</dev/null";

/// The test of this file.
pub(crate) fn trial() -> Trial {
    Trial::test("native_programs_inherit_nothing", || {
        check().map_err(|error| Failed::from(format!("{error:#}")))
    })
}

fn check() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&source, PROGRAM)?;
    let compiled = Command::new(NATIVE_C).arg(&source).arg("-o").arg(&program).status()?;
    ensure!(compiled.success(), "the program does not compile");
    let plain = native_command(&program)?;
    let mut careless = Command::new("sh");
    careless.args(["-c", CARELESS]).arg(plain.get_program()).args(plain.get_args());
    let done = careless.output().context("cannot start sh")?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    // The environment is what the suite gives, which is in the command and not in the launcher.
    let said: Vec<&str> = said.lines().filter(|line| !line.contains('=')).collect();
    ensure!(said == ["umask 22, descriptors 1024"], "{said:?}");
    let done = { plain }.output().context("cannot start the program")?;
    let said = String::from_utf8_lossy(&done.stdout);
    ensure!(said == "umask 22, descriptors 1024\n", "{said}");
    Ok(())
}
