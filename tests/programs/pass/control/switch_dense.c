//@ native: yes
//@ opt: O0 O1 O2 O3
// A dense switch with fall-through, a default in the middle, and a lookup table at -O2.
#include <stdio.h>

__attribute__((noinline)) int name(int n) {
  switch (n) {
  case 0: return 'z';
  case 1: return 'o';
  default: return '?';
  case 2: return 't';
  case 3: return 'h';
  case 4: return 'f';
  case 5: return 'v';
  }
}

__attribute__((noinline)) int fall(int n) {
  int r = 0;
  switch (n) {
  case 3: r += 100; /* fall through */
  case 2: r += 10; /* fall through */
  case 1: r += 1; break;
  case 0: r = -1;
  }
  return r;
}

int main(void) {
  for (volatile int i = -1; i < 8; i++)
    printf("%c %d\n", name(i), fall(i));
  return 0;
}
