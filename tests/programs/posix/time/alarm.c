//@ native: yes
// alarm sends SIGALRM after its seconds; another call replaces it and tells what was left.
#include "../check.h"
#include <signal.h>
#include <time.h>

static volatile sig_atomic_t rings;

static void ring(int signal) { rings += signal == SIGALRM; }

int main(void) {
  struct timespec before, after;
  signal(SIGALRM, ring);
  SHOW(alarm(100));
  SHOW(alarm(50));
  SHOW(alarm(0));
  SHOW(alarm(0));
  clock_gettime(CLOCK_MONOTONIC, &before);
  SHOW(alarm(1));
  SHOW(pause());
  clock_gettime(CLOCK_MONOTONIC, &after);
  NUM(rings);
  IS((after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000 >= 990);
  SHOW(alarm(0));
  return 0;
}
