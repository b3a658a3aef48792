//@ native: yes
// getrandom and getentropy fill what they are asked for, differently each time.
#include "../check.h"
#include <sys/random.h>

int main(void) {
  unsigned char a[64] = {0}, b[64] = {0}, large[300];
  SHOW(getrandom(a, sizeof a, 0));
  SHOW(getrandom(b, sizeof b, GRND_NONBLOCK));
  IS(memcmp(a, b, sizeof a) != 0);
  int zeros = 0;
  for (int i = 0; i < 64; i++)
    zeros += a[i] == 0;
  IS(zeros < 16);
  SHOW(getrandom(a, 0, 0));
  SHOW(getrandom(a, 1, GRND_RANDOM));
  SHOW(getrandom(a, 1, 0x1000));
  SHOW(getrandom(unmapped, 1, 0));
  SHOW(getentropy(b, 64));
  IS(memcmp(a, b, sizeof a) != 0);
  SHOW(getentropy(large, 256));
  SHOW(getentropy(large, 257));
  return 0;
}
