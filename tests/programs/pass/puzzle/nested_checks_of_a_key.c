//@ opt: O0 O2
//@ paths: 5
// A key check that fails at each of four positions or succeeds: five paths.
#include <klee/klee.h>

volatile int stage;

int main(void) {
  unsigned char key[4];
  klee_make_symbolic(key, sizeof key, "key");
  if ((key[0] ^ 0x5a) != 0x11)
    return 1;
  stage++;
  if ((unsigned char)(key[1] + key[0]) != 0x80)
    return 2;
  stage++;
  if (key[2] * 3u != 0x96)
    return 3;
  stage++;
  if ((key[3] & 0x0f) != key[2] >> 4)
    return 4;
  stage++;
  return 0;
}
