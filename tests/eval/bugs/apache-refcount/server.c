/* A web server with workers and a cache in memory. Requests hold a reference to the object that they send; the cache
 * holds one itself as long as the object is in it. Whoever gives the last reference back frees the object. */
#include <pthread.h>
#include <stdatomic.h>

#include "../../../systems/sockets.h"

enum { WORKERS = 2 };

struct object {
  atomic_int references;
  size_t size;
  char *content;
};

static pthread_mutex_t cache_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct object *cached;

static struct object *make_object(const char *content) {
  struct object *object = malloc(sizeof *object);
  assert(object != NULL);
  atomic_init(&object->references, 1);
  object->size = strlen(content);
  object->content = strdup(content);
  return object;
}

static void cleanup(struct object *object) {
  free(object->content);
  free(object);
}

static void release(struct object *object) {
#ifdef REPAIRED
  if (atomic_fetch_sub(&object->references, 1) == 1) cleanup(object);
#else
  atomic_fetch_sub(&object->references, 1);
  if (atomic_load(&object->references) == 0) cleanup(object);
#endif
}

/* The object that is in the cache, with a reference for the caller; NULL if there is none. */
static struct object *lookup(void) {
  pthread_mutex_lock(&cache_mutex);
  struct object *object = cached;
  if (object != NULL) atomic_fetch_add(&object->references, 1);
  pthread_mutex_unlock(&cache_mutex);
  return object;
}

/* Takes the object out of the cache. */
static void expire(void) {
  pthread_mutex_lock(&cache_mutex);
  struct object *object = cached;
  cached = NULL;
  pthread_mutex_unlock(&cache_mutex);
  if (object != NULL) release(object);
}

/* Serves a connection: `g` gets the object, `x` lets it expire. */
static void *serve(void *connection) {
  int fd = *(int *)connection;
  char verb;
  while (read(fd, &verb, 1) == 1) {
    if (verb == 'x') expire();
    if (verb != 'g') continue;
    struct object *object = lookup();
    if (object == NULL) {
      write_all(fd, "gone", 4);
      continue;
    }
    write_all(fd, object->content, object->size);
    release(object);
  }
  close(fd);
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  int connections[WORKERS], listener = listening(8080);
  cached = make_object("page");
  for (int i = 0; i < WORKERS; i++) {
    connections[i] = accept(listener, NULL, NULL);
    assert(connections[i] >= 0);
    assert(pthread_create(&workers[i], NULL, serve, &connections[i]) == 0);
  }
  for (int i = 0; i < WORKERS; i++) assert(pthread_join(workers[i], NULL) == 0);
  close(listener);
  return 0;
}
