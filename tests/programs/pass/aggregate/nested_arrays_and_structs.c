//@ native: yes
// Member addresses in nested arrays of structs with padding and different element sizes.
#include <stddef.h>
#include <stdio.h>

struct inner { char c; short s[3]; };
struct outer { char head; struct inner in[2][3]; double d; };

struct outer table[2];
volatile int i = 1, j = 1, k = 2;

int main(void) {
  table[i].in[j][k].s[2] = 1234;
  table[i].in[j - 1][k].c = 'z';
  table[i - 1].d = 2.5;
  printf("%zu %zu %zu\n", sizeof(struct outer), offsetof(struct outer, in), offsetof(struct outer, d));
  printf("%d %c %d\n", table[1].in[1][2].s[2], table[1].in[0][2].c, (int)(table[0].d * 2));
  printf("%ld\n", (long)((char *)&table[i].in[j][k].s[2] - (char *)table));
  struct outer copy = table[1];
  printf("%d\n", copy.in[1][2].s[2]);
  return 0;
}
