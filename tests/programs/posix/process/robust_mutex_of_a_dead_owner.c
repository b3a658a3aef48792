// A robust mutex whose owner ended gives EOWNERDEAD, is made consistent, or becomes unusable.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *name(int error) {
  switch (error) {
  case 0: return "ok";
  case EOWNERDEAD: return "EOWNERDEAD";
  case ENOTRECOVERABLE: return "ENOTRECOVERABLE";
  case EBUSY: return "EBUSY";
  case EINVAL: return "EINVAL";
  default: return "other";
  }
}

static void *lock_and_leave(void *mutex) {
  pthread_mutex_lock(mutex);
  return NULL;
}

int main(void) {
  pthread_mutex_t *mutex =
      mmap(NULL, sizeof *mutex, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
  printf("%s\n", name(pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST)));
  pthread_mutex_init(mutex, &kind);
  fflush(stdout);
  if (fork() == 0) {
    pthread_mutex_lock(mutex);
    _exit(0);
  }
  wait(NULL);
  printf("process: %s\n", name(pthread_mutex_lock(mutex)));
  printf("%s\n", name(pthread_mutex_consistent(mutex)));
  printf("%s\n", name(pthread_mutex_unlock(mutex)));
  printf("%s\n", name(pthread_mutex_lock(mutex)));
  pthread_mutex_unlock(mutex);
  printf("not dead: %s\n", name(pthread_mutex_consistent(mutex)));
  pthread_t thread;
  pthread_create(&thread, NULL, lock_and_leave, mutex);
  pthread_join(thread, NULL);
  printf("thread: %s\n", name(pthread_mutex_trylock(mutex)));
  printf("%s\n", name(pthread_mutex_unlock(mutex)));
  printf("given up: %s\n", name(pthread_mutex_lock(mutex)));
  printf("%s\n", name(pthread_mutex_trylock(mutex)));
  return 0;
}
