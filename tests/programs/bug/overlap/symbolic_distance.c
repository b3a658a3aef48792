//@ paths: 1
// The ranges overlap for small distances only.
#include <klee/klee.h>
#include <string.h>

char buffer[64];

int main(void) {
  int distance = klee_range(1, 24, "distance");
  memcpy(buffer + distance, buffer, 16); // expect: bug overlap
  return 0;
}
