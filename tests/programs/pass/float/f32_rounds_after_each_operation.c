//@ native: yes
// Float arithmetic rounds to 24 bits at every step, unlike the same sum in double.
#include <stdio.h>
#include <string.h>

volatile float step = 0.1f;

int main(void) {
  float f = 0;
  double d = 0;
  for (int i = 0; i < 1000; i++) {
    f += step;
    d += step;
  }
  unsigned fb;
  unsigned long db;
  memcpy(&fb, &f, sizeof fb);
  memcpy(&db, &d, sizeof db);
  printf("%x %lx\n", fb, db);
  return 0;
}
