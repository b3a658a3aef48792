// A four-byte read that begins inside the object and ends outside.
#include <string.h>

char bytes[10];
volatile int at = 8, sink;

int main(void) {
  sink = *(int *)(bytes + at); // expect: bug out-of-bounds
  return 0;
}
