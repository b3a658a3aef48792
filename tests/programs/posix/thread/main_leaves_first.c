// When main calls pthread_exit the process goes on, and ends with 0 after its last thread.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t first;

static void handler(void) { printf("exit handlers run\n"); }

static void *work(void *none) {
  void *result = NULL;
  int error = pthread_join(first, &result);
  printf("main left: %d %d\n", error, result == (void *)5);
  return none;
}

int main(void) {
  pthread_t thread;
  first = pthread_self();
  atexit(handler);
  pthread_create(&thread, NULL, work, NULL);
  printf("main leaves\n");
  pthread_exit((void *)5);
}
