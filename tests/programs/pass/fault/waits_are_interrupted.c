// A call that waits is interrupted only if some handler could do that: without one, or with one that
// restarts the call, it is not. Calls that do not wait are never interrupted.
//@ args: --interrupts 1
//@ paths: 3
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static void handler(int signal) { (void)signal; }

int main(void) {
  int ends[2];
  char byte;
  assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
  struct pollfd wanted = {ends[0], POLLIN, 0};
  assert(usleep(1000) == 0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  assert(read(ends[0], &byte, 1) == 1);
  // Sleeping and polling are never restarted.
  if (usleep(1000) < 0) return assert(errno == EINTR), 0;
  if (poll(&wanted, 1, 1000) < 0) return assert(errno == EINTR), 0;
  return 0;
}
