/* Runs a program as the simulated machine would: with nothing that the caller happens to have set.
 *
 *   launcher PROGRAM [ARGUMENT]...
 *
 * A program that is started under nohup, in the background of a script, or with limits has ignored signals,
 * a mask, descriptors and limits that it can see. The environment and the working directory are the
 * caller's business, who knows what the program needs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The simulated kernel's; where the hard limit is lower, that. */
static void set_limit(int resource, rlim_t soft) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) == 0) {
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    setrlimit(resource, &limit);
  }
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 125;
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++)
    sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int unlimited[] = {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_RSS, RLIMIT_AS, RLIMIT_LOCKS};
  for (unsigned i = 0; i < sizeof unlimited / sizeof *unlimited; i++)
    set_limit(unlimited[i], RLIM_INFINITY);
  set_limit(RLIMIT_STACK, 8 << 20);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_NOFILE, 1024);
  umask(022);
  close_range(3, ~0U, 0);
  execv(argv[1], argv + 1);
  fprintf(stderr, "launcher: %s: %s\n", argv[1], strerror(errno));
  return 126;
}
