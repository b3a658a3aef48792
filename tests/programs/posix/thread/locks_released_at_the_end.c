// Locks that a thread still holds when it begins to end, and that handlers release.
//@ args: --check locks
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_key_t key;

static void release(void *lock) {
  pthread_mutex_unlock(lock);
}

static void *by_cleanup(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(release, &mutex);
  pthread_exit(unused);
  pthread_cleanup_pop(0);
}

static void *by_destructor(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_setspecific(key, &mutex);
  return unused;
}

/* Its second attempt fails, and somebody else has the lock when it ends. */
static void *with_attempts(void *unused) {
  pthread_rwlock_rdlock(&shared);
  printf("%d\n", pthread_rwlock_trywrlock(&shared) != 0);
  pthread_rwlock_unlock(&shared);
  return unused;
}

static void at_exit(void) {
  pthread_mutex_unlock(&kept);
  printf("%d\n", pthread_mutex_trylock(&kept));
  pthread_mutex_unlock(&kept);
}

int main(void) {
  void *(*const threads[])(void *) = {by_cleanup, by_destructor, with_attempts};
  pthread_key_create(&key, release);
  pthread_rwlock_rdlock(&shared);
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, threads[i], NULL);
    pthread_join(thread, NULL);
    printf("%d\n", pthread_mutex_trylock(&mutex));
    pthread_mutex_unlock(&mutex);
  }
  pthread_rwlock_unlock(&shared);
  atexit(at_exit);
  pthread_mutex_lock(&kept);
  exit(0);
}
