/* A worker counts jobs under a lock, and somebody outside asks with a signal for a report. The handler of a careless
 * program takes the lock itself: if the signal comes while the worker holds it, both wait for ever. The handler of
 * a careful program only remembers that somebody has asked. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t asked;
static int jobs, reports;

static void report(void) {
  pthread_mutex_lock(&mutex); // mark: lock
  reports++;
  pthread_mutex_unlock(&mutex);
}

static void report_at_once(int number) {
  (void)number;
  report();
}

static void remember(int number) {
  (void)number;
  asked = 1;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  struct sigaction action = {.sa_handler = careful ? remember : report_at_once, .sa_flags = SA_RESTART};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_mutex_lock(&mutex);
  jobs++;
  pthread_mutex_unlock(&mutex);
  if (asked)
    report();
  assert(jobs == 1 && reports <= 1);
  return 0;
}
