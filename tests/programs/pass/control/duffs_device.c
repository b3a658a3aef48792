//@ native: yes
// A switch that jumps into the middle of a loop.
#include <stdio.h>

char from[23] = "0123456789abcdefghijkl", to[23];
volatile int count = 22;

int main(void) {
  int n = (count + 3) / 4;
  char *t = to, *f = from;
  switch (count % 4) {
  case 0: do { *t++ = *f++; /* fall through */
  case 3: *t++ = *f++; /* fall through */
  case 2: *t++ = *f++; /* fall through */
  case 1: *t++ = *f++;
          } while (--n > 0);
  }
  puts(to);
  return 0;
}
