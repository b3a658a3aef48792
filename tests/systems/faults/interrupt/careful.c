/* Sleeps again if it was woken. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static void handler(int signal) { (void)signal; }

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct timespec time = {1, 0};
  assert(sigaction(SIGHUP, &action, NULL) == 0);
  while (nanosleep(&time, NULL) < 0) assert(errno == EINTR);
  return 0;
}
