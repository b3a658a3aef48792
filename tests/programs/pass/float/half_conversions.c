//@ native: yes
// _Float16 rounds to 11 bits, overflows to infinity and keeps subnormals.
#include <stdio.h>
#include <string.h>

volatile float xs[] = {1.0f, 0.1f, 65504.0f, 65520.0f, 6e-8f, -2048.5f};

int main(void) {
  for (int i = 0; i < 6; i++) {
    _Float16 h = (_Float16)xs[i];
    unsigned short b;
    memcpy(&b, &h, sizeof b);
    _Float16 sum = h + h;
    unsigned short s;
    memcpy(&s, &sum, sizeof s);
    printf("%x %x %d\n", b, s, (float)h == xs[i]);
  }
  return 0;
}
