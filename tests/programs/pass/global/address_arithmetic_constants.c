//@ native: yes
// Constant expressions of addresses: casts to integers, offsets, and differences of symbols.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

char buffer[64];
struct s { int a[5]; long tail; } object;

uintptr_t as_integer = (uintptr_t)&buffer[16];
long *tail = &((struct s *)&object)->tail;
char *negative = (char *)&object + 40 - 8;
ptrdiff_t distance = &buffer[40] - &buffer[8];

int main(void) {
  printf("%d %d %d %ld\n", as_integer == (uintptr_t)buffer + 16, (char *)tail == (char *)&object + 24,
         negative == (char *)&object + 32, (long)distance);
  return 0;
}
