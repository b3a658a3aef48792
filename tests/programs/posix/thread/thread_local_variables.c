// __thread variables start with their initial value in each thread, at an address of its own.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static __thread int counter = 5;
static __thread char text[32] = "initial";
static __thread int zero;
_Thread_local long long aligned __attribute__((aligned(64))) = -1;

struct report {
  int before, after, same_address, zero, aligned;
  char text[32];
  int *address;
};

static int bump(void) { return ++counter; }

static void *work(void *argument) {
  struct report *report = argument;
  report->before = counter;
  for (int i = 0; i < 3; i++)
    bump();
  report->after = counter;
  report->zero = zero;
  zero = 9;
  strcat(text, "+");
  strcpy(report->text, text);
  report->same_address = &counter == report->address;
  report->aligned = (uintptr_t)&aligned % 64 == 0 && aligned == -1;
  aligned = 7;
  return NULL;
}

int main(void) {
  bump();
  strcpy(text, "main's");
  zero = 1;
  for (int i = 0; i < 3; i++) {
    struct report report = {.address = &counter};
    pthread_t thread;
    pthread_create(&thread, NULL, work, &report);
    pthread_join(thread, NULL);
    printf("%d %d %d %s, same address %d, aligned %d\n", report.before, report.after, report.zero,
           report.text, report.same_address, report.aligned);
  }
  printf("%d %s %d %lld\n", counter, text, zero, aligned);
  return 0;
}
