//@ args: --preempt 2
// A value that is wrong for a moment: seen only if both threads are preempted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int debt;

static void *transfer(void *none) {
  atomic_fetch_add(&debt, 5);
  atomic_fetch_sub(&debt, 5);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, transfer, NULL);
  assert(atomic_load(&debt) == 0); // expect: bug assert
  pthread_join(thread, NULL);
  return 0;
}
