// A signal that the program handles may come while it waits.
//@ args: --interrupts 1
//@ paths: 1
#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static void handler(int signal) { (void)signal; }

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  int ends[2];
  if (sigaction(SIGUSR1, &action, NULL) < 0 || pipe(ends) < 0) return 1;
  struct pollfd wanted = {ends[0], POLLIN, 0};
  assert(poll(&wanted, 1, 1000) == 0); // expect: bug assert
  return 0;
}
