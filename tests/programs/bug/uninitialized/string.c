// A string without a terminator goes on into bytes that were never written.
//@ args: --check uninitialized
#include <stdlib.h>
#include <string.h>

static volatile int yes;

int main(void) {
  char *volatile text = malloc(16);
  memcpy(text, "abc", 3);
  yes = (int)strlen(text); // expect: bug uninitialized
  // expect: message contains "offset 3 of a heap object of 16 bytes"
  free(text);
  return 0;
}
