// A blocked read wakes for a write of a child or a thread; a blocked write for a read.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int there, back;

static eventfd_t drained;

static void *drain(void *none) {
  usleep(2000);
  eventfd_read(there, &drained);
  return none;
}

int main(void) {
  there = eventfd(0, 0);
  back = eventfd(0, 0);
  eventfd_t value = 0;
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; i++) {
      eventfd_read(there, &value);
      usleep(1000);
      eventfd_write(back, value * value);
    }
    _exit(0);
  }
  for (int i = 2; i < 5; i++) {
    eventfd_write(there, (eventfd_t)i);
    eventfd_read(back, &value);
    printf("%d\n", (int)value);
  }
  waitpid(child, NULL, 0);
  pthread_t thread;
  eventfd_write(there, UINT64_MAX - 1);
  pthread_create(&thread, NULL, drain, NULL);
  printf("%d\n", eventfd_write(there, 7));
  pthread_join(thread, NULL);
  printf("drained %d\n", drained == UINT64_MAX - 1);
  eventfd_read(there, &value);
  printf("%d\n", (int)value);
  return 0;
}
