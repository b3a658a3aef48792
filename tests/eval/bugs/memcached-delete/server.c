/* A cache with workers: an item is found by its key, and is locked while somebody works on it. A number is added to
 * in place, unless somebody else holds the item; then a new one takes its place. */
#include <pthread.h>
#include <stdatomic.h>

#include "../../../systems/sockets.h"

struct item {
  int references; /* that of the table, and one of each worker */
  int is_linked;
  unsigned long number;
};

static pthread_mutex_t item_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct item *table; /* of one key */
static atomic_int deletions; /* that were answered with yes */

static struct item *item_make(unsigned long number) {
  struct item *item = malloc(sizeof *item);
  assert(item != NULL);
  *item = (struct item){.references = 1, .number = number};
  return item;
}

/* Gives a reference back. The caller has the lock, as in all functions that begin with do_. */
static void do_item_remove(struct item *item) {
  if (--item->references == 0) free(item);
}

static struct item *do_item_get(void) {
  if (table != NULL) table->references++;
  return table;
}

static void do_item_link(struct item *item) {
  item->is_linked = 1;
  item->references++;
  table = item;
}

static void do_item_unlink(struct item *item) {
  if (!item->is_linked) return;
  item->is_linked = 0;
  table = NULL;
  do_item_remove(item);
}

#ifndef REPAIRED
static struct item *item_get(void) {
  pthread_mutex_lock(&item_mutex);
  struct item *item = do_item_get();
  pthread_mutex_unlock(&item_mutex);
  return item;
}

static void item_unlink(struct item *item) {
  pthread_mutex_lock(&item_mutex);
  do_item_unlink(item);
  pthread_mutex_unlock(&item_mutex);
}

static void item_remove(struct item *item) {
  pthread_mutex_lock(&item_mutex);
  do_item_remove(item);
  pthread_mutex_unlock(&item_mutex);
}
#endif

/* Adds one. Returns whether there was an item. */
static int process_incr(void) {
  pthread_mutex_lock(&item_mutex);
  struct item *item = do_item_get();
  if (item != NULL) {
    if (item->references == 2) {
      item->number++;
    } else {
      struct item *changed = item_make(item->number + 1);
      do_item_unlink(item);
      do_item_link(changed);
      do_item_remove(changed);
    }
    do_item_remove(item);
  }
  pthread_mutex_unlock(&item_mutex);
  return item != NULL;
}

/* Deletes the item. Returns whether there was one. Since nobody makes an item anew, it stays deleted. */
static int process_delete(void) {
#ifdef REPAIRED
  pthread_mutex_lock(&item_mutex);
  struct item *item = do_item_get();
  if (item != NULL) {
    do_item_unlink(item);
    do_item_remove(item);
  }
  pthread_mutex_unlock(&item_mutex);
#else
  struct item *item = item_get();
  if (item != NULL) {
    item_unlink(item);
    item_remove(item);
  }
#endif
  return item != NULL;
}

static void *serve(void *connection) {
  int fd = *(int *)connection;
  char verb;
  while (read(fd, &verb, 1) == 1) {
    int is_done = verb == 'i' ? process_incr() : process_delete();
    if (verb == 'd' && is_done) atomic_fetch_add(&deletions, 1);
    write_all(fd, is_done ? "y" : "n", 1);
  }
  close(fd);
  return NULL;
}

int main(void) {
  enum { WORKERS = 2 };
  pthread_t workers[WORKERS];
  int connections[WORKERS], listener = listening(11211);
  struct item *item = item_make(41);
  do_item_link(item);
  do_item_remove(item);
  for (int i = 0; i < WORKERS; i++) {
    connections[i] = accept(listener, NULL, NULL);
    assert(connections[i] >= 0);
    assert(pthread_create(&workers[i], NULL, serve, &connections[i]) == 0);
  }
  for (int i = 0; i < WORKERS; i++) assert(pthread_join(workers[i], NULL) == 0);
  close(listener);
  assert(deletions == 0 || table == NULL);
  return 0;
}
