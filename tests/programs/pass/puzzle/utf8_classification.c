//@ opt: O0
//@ paths: 8
// Decoding one UTF-8 character: ASCII, two and three bytes, and each way to be invalid.
#include <assert.h>
#include <klee/klee.h>

static int decode(const unsigned char *s, unsigned *out) {
  if (s[0] < 0x80) {
    *out = s[0];
    return 1;
  }
  if (s[0] < 0xc2)
    return 0;
  if ((s[1] & 0xc0) != 0x80)
    return 0;
  if (s[0] < 0xe0) {
    *out = (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu);
    return 2;
  }
  if (s[0] >= 0xf0)
    return 0;
  if ((s[2] & 0xc0) != 0x80)
    return 0;
  *out = (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
  if (*out < 0x800)
    return 0;
  return 3;
}

int main(void) {
  unsigned char s[3];
  unsigned c = 0;
  klee_make_symbolic(s, sizeof s, "s");
  int n = decode(s, &c);
  assert(n != 2 || (c >= 0x80 && c < 0x800));
  return 0;
}
