//@ args: --preempt all
//@ opt: O1
//@ paths: 2
//@ findings: 3
// executions: 2
// A plain flag announces a plain value. This is a data race on both places where the flag is seen, and on the flag
// alone where it is not.
#include <assert.h>

#include "../../posix/orders/threads.h"

static volatile int value, ready;

static void *sender(void *none) {
  value = 7;
  ready = 1; // expect: bug data-race
  return none;
}

static void *receiver(void *none) {
  if (ready) assert(value == 7); // expect: bug data-race
  return none;
}

int main(void) {
  RUN(sender, receiver);
  return 0;
}
