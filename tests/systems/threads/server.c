/* A thread for each connection adds what the client sends to an account that they share. */
#include <pthread.h>

#include "../sockets.h"

enum { CLIENTS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int account;

static void *serve(void *argument) {
  int fd = *(int *)argument;
  unsigned char amount;
  while (read_all(fd, &amount, 1) == 1) {
    pthread_mutex_lock(&lock);
    account += amount;
    int now = account;
    pthread_mutex_unlock(&lock);
    write_all(fd, &now, sizeof now);
  }
  close(fd);
  return NULL;
}

int main(void) {
  int listener = listening(7000), fd[CLIENTS];
  pthread_t threads[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) {
    fd[i] = accept(listener, NULL, NULL);
    assert(fd[i] >= 0);
    assert(pthread_create(&threads[i], NULL, serve, &fd[i]) == 0);
  }
  for (int i = 0; i < CLIENTS; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(account == CLIENTS * (1 + 2 + 3));
  return 0;
}
