// Working directory, umask, environment and limits are inherited by fork, and then one's own.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *who) {
  char path[4096], *last = getcwd(path, sizeof path) ? strrchr(path, '/') : NULL;
  struct rlimit limit;
  mode_t mask = umask(0);
  umask(mask);
  getrlimit(RLIMIT_NOFILE, &limit);
  const char *value = getenv("COLOUR");
  printf("%s: %s %03o %s %d\n", who, last ? last : "?", (unsigned)mask, value ? value : "(unset)",
         (int)limit.rlim_cur);
  fflush(stdout);
}

int main(void) {
  struct rlimit limit = {60, 64};
  mkdir("below", 0700);
  mkdir("below/deeper", 0700);
  umask(027);
  setenv("COLOUR", "red", 1);
  setrlimit(RLIMIT_NOFILE, &limit);
  if (chdir("below"))
    return 1;
  show("parent");
  if (fork() == 0) {
    show("child");
    if (chdir("deeper"))
      _exit(1);
    umask(077);
    setenv("COLOUR", "blue", 1);
    limit.rlim_cur = 50;
    setrlimit(RLIMIT_NOFILE, &limit);
    show("child");
    _exit(0);
  }
  wait(NULL);
  show("parent");
  unsetenv("COLOUR");
  if (fork() == 0) {
    show("second child");
    _exit(0);
  }
  wait(NULL);
  rmdir("deeper");
  if (chdir(".."))
    return 1;
  rmdir("below");
  return 0;
}
