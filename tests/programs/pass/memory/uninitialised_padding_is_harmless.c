//@ native: yes
// Structs with padding are copied as a whole without touching meaning.
#include <stdio.h>
#include <string.h>

struct padded { char c; long l; char d; };

volatile char seed = 'p';

int main(void) {
  struct padded a, b, c[2];
  memset(&a, 0xff, sizeof a);
  a.c = seed;
  a.l = 1234567890123L;
  a.d = 'd';
  b = a;
  c[1] = b;
  memcpy(&c[0], &c[1], sizeof c[0]);
  printf("%c %ld %c %zu\n", c[0].c, c[0].l, c[0].d, sizeof c);
  return 0;
}
