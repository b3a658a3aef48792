/* A library for sockets of games, and a server that uses it. The library has a lock for its table of sockets, and one
 * for each socket. A thread that closes a socket returns its entry to the table; a thread that shuts the library down
 * closes what is left. */
#include <pthread.h>

#include "../../../systems/sockets.h"

enum { SOCKETS = 4 };

struct entry {
  pthread_mutex_t mutex;
  int is_used, fd;
};

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[SOCKETS];
static int used_count;

/* Puts a descriptor into the table. Returns its place, or -1 if the table is full. */
static int net_adopt(int fd) {
  int place = -1;
  pthread_mutex_lock(&table_mutex);
  for (int i = 0; i < SOCKETS && place < 0; i++)
    if (!entries[i].is_used) place = i;
  if (place >= 0) {
    entries[place].fd = fd;
    entries[place].is_used = 1;
    used_count++;
  }
  pthread_mutex_unlock(&table_mutex);
  return place;
}

/* Closes a socket whose lock the caller has; with the lock of the table, too. */
static void close_locked(struct entry *entry) {
  if (!entry->is_used) return;
  close(entry->fd);
  entry->is_used = 0;
  used_count--;
}

static void net_close(int place) {
  struct entry *entry = &entries[place];
#ifdef REPAIRED
  pthread_mutex_lock(&table_mutex);
  pthread_mutex_lock(&entry->mutex);
  close_locked(entry);
  pthread_mutex_unlock(&entry->mutex);
  pthread_mutex_unlock(&table_mutex);
#else
  pthread_mutex_lock(&entry->mutex);
  pthread_mutex_lock(&table_mutex);
  close_locked(entry);
  pthread_mutex_unlock(&table_mutex);
  pthread_mutex_unlock(&entry->mutex);
#endif
}

/* Closes all sockets. */
static void net_shutdown(void) {
  pthread_mutex_lock(&table_mutex);
  for (int i = 0; i < SOCKETS; i++) {
    pthread_mutex_lock(&entries[i].mutex);
    close_locked(&entries[i]);
    pthread_mutex_unlock(&entries[i].mutex);
  }
  pthread_mutex_unlock(&table_mutex);
}

/* Reads from a socket. Returns 0 at its end, or if it is closed. */
static int net_read(int place, char *byte) {
  struct entry *entry = &entries[place];
  pthread_mutex_lock(&entry->mutex);
  int is_read = entry->is_used && read(entry->fd, byte, 1) == 1;
  pthread_mutex_unlock(&entry->mutex);
  return is_read;
}

/* Plays with one client until it leaves. */
static void *play(void *socket) {
  int place = *(int *)socket;
  char move;
  while (net_read(place, &move) && move != 'q') {}
  net_close(place);
  return NULL;
}

int main(void) {
  pthread_t player;
  for (int i = 0; i < SOCKETS; i++) assert(pthread_mutex_init(&entries[i].mutex, NULL) == 0);
  int listener = listening(4000);
  int place = net_adopt(accept(listener, NULL, NULL));
  assert(place >= 0);
  assert(pthread_create(&player, NULL, play, &place) == 0);
  int console = accept(listener, NULL, NULL);
  char command;
  while (read(console, &command, 1) == 1 && command != 'q') {}
  net_shutdown();
  assert(pthread_join(player, NULL) == 0);
  close(console);
  close(listener);
  return used_count;
}
