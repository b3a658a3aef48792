//@ args: --preempt all
//@ paths: 2
// Whoever counts down to zero frees the object with its counter. The other countdown has happened before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int users;
  int value;
};

static struct object *object;

static void *use(void *none) {
  assert(object->value == 7);
  if (atomic_fetch_sub(&object->users, 1) == 1) free(object);
  return none;
}

int main(void) {
  pthread_t threads[2];
  object = malloc(sizeof *object);
  assert(object != NULL);
  object->users = 2;
  object->value = 7;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
