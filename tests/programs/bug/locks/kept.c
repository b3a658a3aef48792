// Locks are destroyed while they are held, or still held when their thread or their process ends.
//@ args: --check locks
//@ findings: 4
#include <klee/klee.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

__attribute__((noinline)) static void *ends(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_exit(argument); // expect: bug lock-misuse
}

int main(void) {
  pthread_t thread;
  switch (klee_range(0, 4, "which")) {
  case 0:
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex); // expect: bug lock-misuse
    // expect: message contains "a mutex is destroyed while it is locked"
    break;
  case 1:
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_destroy(&shared); // expect: bug lock-misuse
    break;
  case 2:
    pthread_rwlock_rdlock(&shared);
    exit(0); // expect: bug lock-misuse
    // expect: message contains "the thread ends while it holds a read-write lock, which it has locked in kept.c:29 in main"
  case 3:
    pthread_create(&thread, NULL, ends, NULL);
    pthread_join(thread, NULL);
    break;
  }
  return 0;
}
