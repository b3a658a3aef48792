// strlen of an array that has no terminating zero.
#include <string.h>

char letters[4] = {'a', 'b', 'c', 'd'};
char *volatile p = letters;
volatile size_t sink;

int main(void) {
  sink = strlen(p); // expect: bug out-of-bounds
  return 0;
}
