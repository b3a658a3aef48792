// Functions of another type as callbacks of the C library: what it passes and reads is in the registers.
//@ native: yes
//@ cflags: -w
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int seen;

static long by_value(const int *a, const int *b) { return *a < *b ? -1 : *a > *b; }
static void on_signal() { seen++; }
static void at_end(void) { printf("end %d\n", seen); }
static int at_end_with_a_result(void) {
  seen += 10;
  return 1;
}
static void thread_without_a_result(int *to) { *to = 7; }
static int thread_with_an_int(int *to) {
  *to = 8;
  return 9;
}
static void thread_without_anything() { seen += 100; }

int main(void) {
  int numbers[] = {3, 1, 2}, key = 2, out = 0;
  pthread_t thread;
  void *result = NULL;

  qsort(numbers, 3, sizeof *numbers, (int (*)(const void *, const void *))by_value);
  printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
  int *found = bsearch(&key, numbers, 3, sizeof *numbers, (int (*)(const void *, const void *))by_value);
  printf("%d\n", (int)(found - numbers));

  signal(SIGUSR1, (void (*)(int))on_signal);
  raise(SIGUSR1);
  printf("%d\n", seen);

  atexit(at_end);
  atexit((void (*)(void))at_end_with_a_result);

  pthread_create(&thread, NULL, (void *(*)(void *))thread_without_a_result, &out);
  pthread_join(thread, NULL);
  printf("%d\n", out);
  pthread_create(&thread, NULL, (void *(*)(void *))thread_with_an_int, &out);
  pthread_join(thread, &result);
  printf("%d %d\n", out, (int)(long)result);
  pthread_create(&thread, NULL, (void *(*)(void *))thread_without_anything, NULL);
  pthread_join(thread, NULL);
  printf("%d\n", seen);
  return 0;
}
