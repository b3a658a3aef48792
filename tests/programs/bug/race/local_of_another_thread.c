//@ args: --check races
// A variable of one function is known to another thread by its address; the others are not.
#include <pthread.h>
#include <stddef.h>

static void *add(void *given) {
  int *sum = given;
  for (int i = 0; i < 3; i++)
    *sum += i; // expect: bug data-race
  return NULL;
}

int main(void) {
  int sum = 0, mine = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &sum);
  mine += sum;
  pthread_join(thread, NULL);
  return mine != 0;
}
