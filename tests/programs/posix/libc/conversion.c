//@ native: yes
// iconv between UTF-8, UTF-16, UTF-32 and Latin-1; what cannot be converted, is cut, or does not fit.
#include "../check.h"
#include <iconv.h>

static void convert(const char *to, const char *from, const char *text, size_t n, size_t room) {
  char buffer[64], *in = (char *)text, *out = buffer;
  iconv_t cd = iconv_open(to, from);
  if (cd == (iconv_t)-1) {
    printf("%s -> %s: %s\n", from, to, errno_name(errno));
    return;
  }
  size_t left = room;
  errno = 0;
  size_t r = iconv(cd, &in, &n, &out, &left);
  printf("%s -> %s: %s, left %zu, ", from, to, r == (size_t)-1 ? errno_name(errno) : "ok", n);
  bytes("gives", buffer, (size_t)(out - buffer));
  iconv_close(cd);
}

int main(void) {
  convert("UTF-16LE", "UTF-8", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10, 64);
  convert("UTF-16BE", "UTF-8", "a\xe2\x82\xac", 4, 64);
  convert("UTF-8", "UTF-16LE", "a\0\xac\x20\x3d\xd8\x00\xde", 8, 64);
  convert("UTF-32LE", "UTF-8", "\xf0\x9f\x98\x80", 4, 64);
  convert("UTF-8", "ISO-8859-1", "\xe4\xf6", 2, 64);
  convert("ISO-8859-1", "UTF-8", "\xc3\xa4", 2, 64);
  convert("UTF-16LE", "UTF-8", "ab\xff", 3, 64);
  convert("UTF-16LE", "UTF-8", "ab\xe2\x82", 4, 64);
  convert("UTF-16LE", "UTF-8", "abc", 3, 4);
  convert("UTF-8", "NO-SUCH-CODE", "", 0, 64);
  return 0;
}
