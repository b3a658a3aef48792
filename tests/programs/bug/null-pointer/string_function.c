// strlen of a null pointer; the guilty line is the caller's.
#include <string.h>

char *volatile p;
volatile size_t sink;

int main(void) {
  sink = strlen(p); // expect: bug null-pointer
  return 0;
}
