//@ native: no
//@ paths: 1
// A thread's result is what its function returns, whatever that is, and so with the threads of C11.
#include <assert.h>
#include <klee/klee.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

static void *given_back(void *argument) {
  return argument;
}

static void *exited_with(void *argument) {
  pthread_exit(argument);
}

static int small(void *argument) {
  return (int)(uintptr_t)argument;
}

int main(void) {
  uintptr_t x;
  klee_make_symbolic(&x, sizeof x, "x");
  pthread_t thread;
  void *result = NULL;
  assert(pthread_create(&thread, NULL, given_back, (void *)x) == 0);
  assert(pthread_join(thread, &result) == 0 && result == (void *)x);
  assert(pthread_create(&thread, NULL, exited_with, (void *)~x) == 0);
  assert(pthread_join(thread, &result) == 0 && result == (void *)~x);
  thrd_t other;
  int number = 0;
  assert(thrd_create(&other, small, (void *)x) == thrd_success);
  assert(thrd_join(other, &number) == thrd_success && number == (int)x);
  return 0;
}
