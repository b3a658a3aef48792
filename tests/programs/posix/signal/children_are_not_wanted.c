// With SIGCHLD ignored, or SA_NOCLDWAIT, children leave no zombies and wait ends with ECHILD.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int signal_) { (void)signal_; }

static void try(const char *what) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    _exit(3);
  int status = 0;
  pid_t got;
  do
    got = waitpid(child, &status, 0);
  while (got < 0 && errno == EINTR);
  printf("%s: %s", what, got == child ? "waited" : errno == ECHILD ? "ECHILD" : "other");
  printf(" %d\n", WEXITSTATUS(status));
}

int main(void) {
  try("default");
  signal(SIGCHLD, SIG_IGN);
  try("ignored");
  try("ignored");
  signal(SIGCHLD, SIG_DFL);
  try("default again");
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NOCLDWAIT | SA_RESTART};
  sigaction(SIGCHLD, &action, NULL);
  try("no wait");
  return 0;
}
