/* Sleeps, and expects to have slept, although it handles a signal. */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static void handler(int signal) { (void)signal; }

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct timespec time = {1, 0};
  assert(sigaction(SIGHUP, &action, NULL) == 0);
  assert(nanosleep(&time, NULL) == 0); // mark: guilty
  return 0;
}
