//@ native: yes
//@ cflags: -std=c++17
//@ opt: O0 O2
//@ paths: 4
// A parser of three digits throws where the first byte is that is none.
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

struct NoDigit {
  int position;
};

static int number(const unsigned char *text, int size) {
  int value = 0;
  for (int i = 0; i < size; i++) {
    unsigned digit = text[i] - '0';
    if (digit > 9)
      throw NoDigit{i};
    value = value * 10 + (int)digit;
  }
  return value;
}

int main() {
  unsigned char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  try {
    int value = number(text, sizeof text);
    assert(value >= 0 && value <= 999);
    puts("a number");
  } catch (const NoDigit &error) {
    printf("no digit at %d\n", error.position);
    assert(text[error.position] != '5');
  }
  return 0;
}
