// The C library looks at a result that a callback does not return.
//@ cflags: -w
#include <stdlib.h>

static volatile int calls;
static void compare(const void *a, const void *b) { calls++; }

int main(void) {
  int numbers[] = {3, 1, 2};
  // expect: message contains "there is no result to read"
  qsort(numbers, 3, sizeof *numbers, (int (*)(const void *, const void *))compare); // expect: bug call-mismatch
  return 0;
}
