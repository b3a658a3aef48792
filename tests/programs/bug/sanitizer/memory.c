// Checks of pointers, arrays and values that the compiler was asked for.
//@ cflags: -fsanitize=undefined,float-divide-by-zero,unsigned-integer-overflow,implicit-conversion,nullability -fno-sanitize=function,vptr
//@ findings: 9
#include <klee/klee.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum colour { RED, GREEN, BLUE };
struct pair {
  int first, second;
  int table[4];
  int last;
};

volatile long sink;
char buffer[16] __attribute__((aligned(8)));
struct pair pair;

__attribute__((noinline, nonnull(1))) int needed(const char *text) {
  return text[0];
}

__attribute__((noinline, returns_nonnull)) char *given(int x) {
  return x == 77 ? NULL : buffer; // expect: bug null-argument
}

int main(void) {
  int x = klee_int("x");
  char *text = x == 5 ? NULL : buffer;
  switch (klee_range(0, 9, "which")) {
  case 0: {
    struct pair *at = x == 5 ? NULL : &pair;
    sink = at->second; // expect: bug null-pointer
    // expect: message contains "member access within null pointer of type 'struct pair'"
    break;
  }
  case 1:
    if (x >= 0 && x < 8)
      sink = *(int *)(buffer + x); // expect: bug misaligned
    // expect: message contains "for type 'int', which requires 4 byte alignment"
    break;
  case 2:
    if (x >= 0 && x < 5)
      sink = pair.table[x]; // expect: bug out-of-bounds
    // expect: message contains "index 4 out of bounds for type 'int[4]'"
    break;
  case 3:
    if (x < 16) {
      int array[x]; // expect: bug array-size
      sink = sizeof array;
    }
    break;
  case 4: {
    bool yes;
    unsigned char byte = x & 3;
    memcpy(&yes, &byte, 1);
    sink = yes; // expect: bug invalid-value
    // expect: message contains "which is not a valid value for type 'bool'"
    break;
  }
  case 5:
    sink = needed(text); // expect: bug null-argument
    // expect: message contains "null pointer passed as argument 1, which is declared to never be null"
    break;
  case 6:
    sink = given(x) != NULL;
    break;
  case 7:
    if (x > 0)
      text -= (unsigned long)-1 - x; // expect: bug pointer-overflow
    sink = text != NULL;
    break;
  case 8:
    if (x == 9)
      __builtin_unreachable(); // expect: bug unreachable
    break;
  }
  return 0;
}
