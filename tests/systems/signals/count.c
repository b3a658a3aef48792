/* The program and its handler count with the same variable. A careless program adds to it while the signal may come:
 * what the handler adds between reading and writing is lost. A careful one blocks the signal meanwhile. */
#include <assert.h>
#include <signal.h>
#include <string.h>

static volatile int count, handled;

static void handler(int number) {
  (void)number;
  count = count + 1;
  handled = handled + 1;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  assert(signal(SIGHUP, handler) != SIG_ERR);
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  if (careful)
    assert(sigprocmask(SIG_BLOCK, &set, &before) == 0);
  count = count + 1;
  if (careful)
    assert(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
  assert(signal(SIGHUP, SIG_IGN) == handler);
  assert(count == 1 + handled); // mark: lost
  return 0;
}
