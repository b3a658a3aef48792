// Thread-specific values: null at first, one for each thread, destructors at exit, repeated if set again.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_key_t first, second, stubborn, plain;
static int destroyed_first, destroyed_second, rounds, null_inside;

static void destroy_first(void *value) {
  destroyed_first += *(int *)value;
  null_inside += pthread_getspecific(first) == NULL;
}

static void destroy_second(void *value) { destroyed_second += *(int *)value; }

static void set_again(void *value) {
  rounds++;
  pthread_setspecific(stubborn, value);
}

static void *work(void *argument) {
  int fresh = pthread_getspecific(first) == NULL;
  pthread_setspecific(first, argument);
  if (*(int *)argument != 2)
    pthread_setspecific(second, argument);
  if (*(int *)argument == 3)
    pthread_setspecific(stubborn, argument);
  pthread_setspecific(plain, argument);
  if (*(int *)argument == 4)
    pthread_setspecific(first, NULL);
  if (*(int *)argument == 5)
    pthread_exit((void *)(intptr_t)fresh);
  return (void *)(intptr_t)fresh;
}

int main(void) {
  printf("%d", pthread_key_create(&first, destroy_first));
  printf("%d", pthread_key_create(&second, destroy_second));
  printf("%d", pthread_key_create(&stubborn, set_again));
  printf("%d\n", pthread_key_create(&plain, NULL));
  int values[6] = {0, 1, 2, 3, 4, 5}, mine = 100;
  pthread_setspecific(first, &mine);
  for (int i = 1; i < 6; i++) {
    pthread_t thread;
    void *fresh;
    pthread_create(&thread, NULL, work, &values[i]);
    pthread_join(thread, &fresh);
    printf("fresh %d, first %d, second %d, rounds %d\n", (int)(intptr_t)fresh, destroyed_first,
           destroyed_second, rounds);
  }
  printf("null inside %d, rounds as limited %d\n", null_inside, rounds == PTHREAD_DESTRUCTOR_ITERATIONS);
  printf("%d\n", pthread_getspecific(first) == &mine);
  printf("%d\n", pthread_key_delete(second));
  printf("%d\n", destroyed_first);
  return 0;
}
