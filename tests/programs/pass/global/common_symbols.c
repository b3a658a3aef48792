//@ native: yes
//@ cflags: -fcommon
// Tentative definitions become common symbols: one zeroed object.
#include <stdio.h>

int common;
int common;
long table[3];

int main(void) {
  common++;
  table[2] = common;
  printf("%d %ld %ld\n", common, table[0], table[2]);
  return 0;
}
