/* A worker counts jobs under a lock, and a signal asks how many there are. The handler of a careless program takes
 * the lock itself: if the signal comes while the interrupted thread holds the lock, it waits for ever. The handler of
 * a careful program only remembers that somebody has asked. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t asked;
static volatile int jobs, reported = -1;

static void report(void) {
  pthread_mutex_lock(&mutex); // mark: handler
  reported = jobs;
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

static void *ask(void *worker) {
  assert(pthread_kill(*(pthread_t *)worker, SIGUSR1) == 0);
  return NULL;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  struct sigaction action = {.sa_handler = careful ? remember : report_at_once, .sa_flags = SA_RESTART};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_t self = pthread_self(), thread;
  assert(pthread_create(&thread, NULL, ask, &self) == 0);
  pthread_mutex_lock(&mutex);
  jobs++;
  pthread_mutex_unlock(&mutex);
  assert(pthread_join(thread, NULL) == 0);
  if (asked) report();
  assert(reported == 0 || reported == 1);
  return 0;
}
