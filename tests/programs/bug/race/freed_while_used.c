//@ args: --preempt all
// One thread uses what another one frees. Without any order between them, the use may come later.
#include <pthread.h>
#include <stdlib.h>

static int *volatile shared;

static void *user(void *none) {
  *(volatile int *)shared = 1; // expect: bug data-race, use-after-free
  return none;
}

static void *owner(void *none) {
  free(shared); // expect: bug data-race
  return none;
}

int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, owner, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
