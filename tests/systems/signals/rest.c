/* A program sleeps for two seconds. A careless one believes that it has, although a signal may end the sleep. */
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void handler(int number) {
  (void)number;
  asked = 1;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  assert(signal(SIGTERM, handler) != SIG_ERR);
  struct timespec begin, end;
  assert(clock_gettime(CLOCK_MONOTONIC, &begin) == 0);
  unsigned left = 2;
  do
    left = sleep(left);
  while (careful && left > 0);
  assert(left == 0); // mark: short
  assert(clock_gettime(CLOCK_MONOTONIC, &end) == 0);
  assert(end.tv_sec - begin.tv_sec >= 2);
  return 0;
}
