// Threads: arguments, return values, pthread_exit, identity, join of many, tries and deadlines of joining.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_t first;

static void *square(void *n) { return (void *)((intptr_t)n * (intptr_t)n); }

static void inner(void) { pthread_exit((void *)77); }

static void outer(void) { inner(); }

static void *leave(void *none) {
  outer();
  return none;
}

static void *who(void *out) {
  pthread_t *self = out;
  *self = pthread_self();
  return (void *)(intptr_t)(pthread_equal(pthread_self(), first) != 0);
}

static void *wait_for_byte(void *fd) {
  char byte;
  return (void *)(intptr_t)read((int)(intptr_t)fd, &byte, 1);
}

int main(void) {
  pthread_t threads[8], told;
  void *result;
  first = pthread_self();
  for (intptr_t i = 0; i < 8; i++)
    pthread_create(&threads[i], NULL, square, (void *)i);
  for (int i = 7; i >= 0; i--) {
    pthread_join(threads[i], &result);
    printf("%d ", (int)(intptr_t)result);
  }
  printf("\n");
  pthread_create(&threads[0], NULL, leave, NULL);
  printf("%d", pthread_join(threads[0], &result));
  printf(" %d\n", (int)(intptr_t)result);
  pthread_create(&threads[0], NULL, who, &told);
  pthread_join(threads[0], &result);
  printf("%d %d\n", pthread_equal(told, threads[0]) != 0, (int)(intptr_t)result);
  int ends[2];
  if (pipe(ends))
    return 1;
  pthread_create(&threads[0], NULL, wait_for_byte, (void *)(intptr_t)ends[0]);
  printf("try: %s\n", pthread_tryjoin_np(threads[0], &result) == EBUSY ? "EBUSY" : "other");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("timed: %s\n",
         pthread_timedjoin_np(threads[0], &result, &now) == ETIMEDOUT ? "ETIMEDOUT" : "other");
  close(ends[1]);
  printf("%d", pthread_join(threads[0], &result));
  printf(" %d\n", (int)(intptr_t)result);
  return 0;
}
