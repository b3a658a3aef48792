/* Double-checked locking: the settings are made when the first thread asks for them, and a thread that sees that they
 * exist does not take the lock. A careless program makes them known before they are complete, and another thread may
 * use them in between; the first check is a data race, too. A careful program makes them known when they are
 * complete, by an atomic pointer. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct settings {
  volatile int connections;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct settings *careless_settings(void) {
  static struct settings *volatile settings;
  if (settings == NULL) { // mark: race
    pthread_mutex_lock(&mutex);
    if (settings == NULL) {
      settings = calloc(1, sizeof *settings); // mark: publish
      settings->connections = 16;
    }
    pthread_mutex_unlock(&mutex);
  }
  return settings; // mark: result
}

static struct settings *careful_settings(void) {
  static _Atomic(struct settings *) settings;
  struct settings *known = atomic_load_explicit(&settings, memory_order_acquire);
  if (known == NULL) {
    pthread_mutex_lock(&mutex);
    known = atomic_load_explicit(&settings, memory_order_relaxed);
    if (known == NULL) {
      known = calloc(1, sizeof *known);
      known->connections = 16;
      atomic_store_explicit(&settings, known, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
  }
  return known;
}

static void *serve(void *careful) {
  struct settings *settings = *(int *)careful ? careful_settings() : careless_settings();
  assert(settings->connections == 16); // mark: incomplete
  return NULL;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, serve, &careful) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
