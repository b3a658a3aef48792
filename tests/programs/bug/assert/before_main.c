// A constructor can fail before main starts.
#include <assert.h>

volatile int ready;

__attribute__((constructor)) static void start(void) {
  assert(ready); // expect: bug assert
}

int main(void) { return 0; }
