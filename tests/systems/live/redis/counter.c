/* Two threads, each with a connection of its own, count up in the database, one at a time. */
#include <pthread.h>
#include <stdatomic.h>

#include "resp.h"

static atomic_int is_busy;

/* Waits until the other thread is done. */
static void enter(void) {
#ifdef CAREFUL
  while (atomic_exchange(&is_busy, 1)) usleep(1000);
#else
  while (atomic_load(&is_busy)) usleep(1000);
  atomic_store(&is_busy, 1);
#endif
}

static void *visitor(void *unused) {
  char text[REPLY_BYTES], command[64];
  (void)unused;
  int fd = connected(SOCK_STREAM, "db", 6379);
  enter();
  request(fd, "GET counter");
  reply(fd, text);
  sprintf(command, "SET counter %d", text[0] == '_' ? 1 : atoi(text + 1) + 1);
  request(fd, command);
  reply(fd, text);
  assert(strcmp(text, "+OK") == 0);
  atomic_store(&is_busy, 0);
  close(fd);
  return NULL;
}

int main(void) {
  pthread_t visitors[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&visitors[i], NULL, visitor, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(visitors[i], NULL) == 0);
  char text[REPLY_BYTES];
  int fd = connected(SOCK_STREAM, "db", 6379);
  request(fd, "GET counter");
  reply(fd, text);
  assert(strcmp(text, "$2") == 0); // mark: lost
  close(fd);
  return 0;
}
