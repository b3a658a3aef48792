// exit in any thread ends the whole process with its code, after handlers and flushing.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void handler(void) { printf("exit handlers run\n"); }

static void *wait_for_ever(void *none) {
  char byte;
  if (read(ends[0], &byte, 1) >= 0)
    printf("never\n");
  return none;
}

static void *end(void *none) {
  (void)none;
  printf("ends\n");
  exit(7);
}

int main(void) {
  pthread_t thread;
  if (pipe(ends))
    return 1;
  atexit(handler);
  pthread_create(&thread, NULL, wait_for_ever, NULL);
  pthread_create(&thread, NULL, end, NULL);
  pthread_join(thread, NULL);
  printf("never\n");
  return 8;
}
