//@ cflags: -fno-builtin
// A program that defines a string function itself gets its own.
#include <assert.h>
#include <string.h>

size_t strlen(const char *s) { return s[0] == '!' ? 77 : 1; }

char marked[] = "!", plain[] = "plain";

int main(void) {
  assert(strlen(marked) == 77 && strlen(plain) == 1);
  assert(strnlen(plain, 9) == 5);
  return 0;
}
