// Locks are used well: in several threads, by attempts, with conditions, across fork, and by types that check.
//@ args: --check locks
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking;
static pthread_mutex_t nested;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int turn, sum;

static void *worker(void *unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&mutex);
    while (turn != 1)
      pthread_cond_wait(&condition, &mutex);
    turn = 0;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_rdlock(&shared);
    pthread_spin_lock(&spin);
    sum++;
    pthread_spin_unlock(&spin);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_unlock(&shared);
  }
  return unused;
}

static void types(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  printf("%d\n", pthread_mutex_unlock(&checking) == EPERM);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&nested, &attributes);
  for (int i = 0; i < 2; i++)
    pthread_mutex_lock(&nested);
  for (int i = 0; i < 2; i++)
    pthread_mutex_unlock(&nested);
  printf("%d\n", pthread_mutex_unlock(&nested) == EPERM);
  pthread_mutex_destroy(&nested);
  pthread_mutex_destroy(&checking);
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&spin, 0);
  types();
  pthread_create(&thread, NULL, worker, NULL);
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&mutex);
    while (turn != 0)
      pthread_cond_wait(&condition, &mutex);
    turn = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  if (pthread_mutex_trylock(&mutex) == 0)
    printf("%d\n", pthread_mutex_trylock(&mutex) == EBUSY);
  fflush(stdout);
  // The child has the lock as its parent does, and may end with it, or release it.
  for (int releases = 0; releases < 2; releases++) {
    pid_t child = fork();
    if (child == 0) {
      if (releases)
        pthread_mutex_unlock(&mutex);
      _exit(3);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
  }
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
  pthread_rwlock_wrlock(&shared);
  pthread_rwlock_unlock(&shared);
  pthread_rwlock_destroy(&shared);
  printf("%d\n", sum);
  return 0;
}
