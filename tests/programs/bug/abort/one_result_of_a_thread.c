//@ paths: 1
// Of all results that a thread may have, one is not expected.
#include <klee/klee.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *doubled(void *argument) {
  return (void *)(2 * (uintptr_t)argument);
}

int main(void) {
  uintptr_t x;
  void *result = NULL;
  klee_make_symbolic(&x, sizeof x, "x");
  pthread_t thread;
  if (pthread_create(&thread, NULL, doubled, (void *)x) || pthread_join(thread, &result))
    return 1;
  if (result == (void *)42)
    abort(); // expect: bug abort
  return 0;
}
