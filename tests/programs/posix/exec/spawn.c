// posix_spawn: file actions, attributes, environment, the error of what cannot be run.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int again(char **argv) {
  sigset_t mask;
  struct sigaction now;
  char line[32] = "";
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigaction(SIGUSR2, NULL, &now);
  const char *value = getenv("COLOUR");
  printf("%s: %s, USR1 blocked %d, USR2 ignored %d, leader %d", argv[1], value ? value : "-",
         sigismember(&mask, SIGUSR1), now.sa_handler == SIG_IGN, getpgrp() == getpid());
  if (argv[2] && fgets(line, sizeof line, stdin))
    printf(", read %s, 7 %s", line, fcntl(7, F_GETFD) < 0 ? "closed" : "open");
  printf("\n");
  return 12;
}

static pid_t child;

static int reap(int error) {
  int status;
  if (error)
    return error == ENOENT ? -1 : error == EACCES ? -2 : error == EBADF ? -3 : -4;
  return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -5;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return again(argv);
  char *plain[] = {"x", "plain", NULL}, *files[] = {"x", "files", "read", NULL},
       *changed[] = {"x", "attributes", NULL};
  char *environment[] = {"COLOUR=green", NULL}, text[512] = "";
  printf("%d\n", reap(posix_spawn(&child, "/proc/self/exe", NULL, NULL, plain, environment)));
  fflush(stdout);

  int fd = open("input", O_RDWR | O_CREAT, 0600);
  if (write(fd, "the input", 9) != 9)
    return 1;
  dup2(fd, 7);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "input", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 20, "output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 20, 1);
  posix_spawn_file_actions_addclose(&actions, 7);
  printf("%d\n", reap(posix_spawn(&child, "/proc/self/exe", &actions, NULL, files, environment)));
  FILE *output = fopen("output", "r");
  if (output && fgets(text, sizeof text, output))
    printf("output: %s", text);
  fclose(output);
  fflush(stdout);

  posix_spawnattr_t attributes;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  signal(SIGUSR2, SIG_IGN);
  posix_spawnattr_init(&attributes);
  printf("%d\n", reap(posix_spawn(&child, "/proc/self/exe", NULL, &attributes, changed, environ)));
  posix_spawnattr_setsigmask(&attributes, &set);
  sigaddset(&set, SIGUSR2);
  posix_spawnattr_setsigdefault(&attributes, &set);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  fflush(stdout);
  printf("%d\n", reap(posix_spawn(&child, "/proc/self/exe", NULL, &attributes, changed, environ)));

  printf("missing: %d\n", reap(posix_spawn(&child, "missing", NULL, NULL, plain, environ)));
  printf("not executable: %d\n", reap(posix_spawn(&child, "input", NULL, NULL, plain, environ)));
  setenv("PATH", "nowhere:.", 1);
  printf("not in PATH: %d\n", reap(posix_spawnp(&child, "absent", NULL, NULL, plain, environ)));
  posix_spawn_file_actions_addopen(&actions, 0, "absent", O_RDONLY, 0);
  printf("failing action: %d\n",
         reap(posix_spawn(&child, "/proc/self/exe", &actions, NULL, plain, environ)));
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  unlink("input");
  unlink("output");
  return 0;
}
