//@ native: yes
// A hash of many mixed operations over a buffer gives the native value.
#include <stdio.h>

unsigned char text[] = "the quick brown fox jumps over the lazy dog";

int main(void) {
  unsigned a = 1, b = 0, fnv = 2166136261u;
  unsigned long djb = 5381;
  for (unsigned i = 0; i < sizeof text - 1; i++) {
    a = (a + text[i]) % 65521;
    b = (b + a) % 65521;
    fnv = (fnv ^ text[i]) * 16777619u;
    djb = djb * 33 + text[i];
  }
  printf("%x %x %lx\n", b << 16 | a, fnv, djb);
  return 0;
}
