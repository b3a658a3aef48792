/* Adds one in each of two threads, which may come between the other's steps. FIXED holds its lock all the time; LOUD prints
 * before, and uses another lock. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  int before = sum;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  sum = before + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *begin(void *unused) {
#ifdef LOUD
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  puts("begins");
#endif
  return add(unused);
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], 0, begin, 0) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], 0) == 0);
  assert(sum == 2);
  return 0;
}
