// A function run by exit() is part of the path.
#include <assert.h>
#include <stdlib.h>

volatile int open_files = 1;

static void at_end(void) {
  assert(open_files == 0); // expect: bug assert
}

int main(void) {
  atexit(at_end);
  return 0;
}
