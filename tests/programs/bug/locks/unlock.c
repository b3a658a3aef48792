// Locks are released that are not held, or that another thread holds.
//@ args: --check locks
//@ findings: 6
#include <klee/klee.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;

static void *holds(void *unused) {
  pthread_mutex_lock(&mutex);
  sleep(2);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  switch (klee_range(0, 7, "which")) {
  case 0:
    pthread_mutex_unlock(&mutex); // expect: bug lock-misuse
    // expect: message contains "unlocks a mutex that is not locked"
    break;
  case 1:
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex); // expect: bug lock-misuse
    break;
  case 2:
    pthread_create(&thread, NULL, holds, NULL);
    sleep(1);
    pthread_mutex_unlock(&mutex); // expect: bug lock-misuse
    // expect: message contains "unlocks a mutex that another thread has locked"
    break;
  case 3:
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_unlock(&shared); // expect: bug lock-misuse
    // expect: message contains "unlocks a read-write lock that is not locked"
    break;
  case 4:
    pthread_spin_init(&spin, 0);
    pthread_spin_unlock(&spin); // expect: bug lock-misuse
    break;
  case 5:
    pthread_cond_wait(&condition, &mutex); // expect: bug lock-misuse
    // expect: message contains "waits with a mutex that is not locked"
    break;
  }
  return 0;
}
