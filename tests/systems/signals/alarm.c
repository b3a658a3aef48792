/* A program waits for an alarm. A careless one looks whether it has come, and waits then: an alarm that comes in between
 * is missed, and the wait has no end. A careful one lets it come only while it waits. */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void ring(int number) {
  (void)number;
  rung = 1;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  struct sigaction action = {.sa_handler = ring};
  assert(sigaction(SIGALRM, &action, NULL) == 0);
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  if (careful)
    assert(sigprocmask(SIG_BLOCK, &set, &before) == 0);
  alarm(1);
  while (!rung) {
    if (careful)
      sigsuspend(&before);
    else
      pause(); // mark: missed
  }
  return 0;
}
