/* Base64 as <resolv.h> has it. */
#include <stddef.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int __b64_ntop(const unsigned char *from, size_t n, char *to, size_t size) {
  size_t used = 0;
  for (; n > 0; from += n < 3 ? n : 3, n -= n < 3 ? n : 3) {
    unsigned word = from[0] << 16 | (n > 1 ? from[1] << 8 : 0) | (n > 2 ? from[2] : 0);
    if (used + 4 > size)
      return -1;
    to[used++] = digits[word >> 18];
    to[used++] = digits[word >> 12 & 63];
    to[used++] = n > 1 ? digits[word >> 6 & 63] : '=';
    to[used++] = n > 2 ? digits[word & 63] : '=';
  }
  if (used >= size)
    return -1;
  to[used] = 0;
  return used;
}

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Spaces are skipped, and what is left over in the last digit has to be zero. */
int __b64_pton(const char *from, unsigned char *to, size_t size) {
  unsigned word = 0, bits = 0;
  size_t used = 0;
  for (; *from && *from != '='; from++) {
    const char *digit = strchr(digits, *from);
    if (is_space(*from))
      continue;
    if (!digit)
      return -1;
    word = word << 6 | (digit - digits);
    bits += 6;
    if (bits < 8)
      continue;
    bits -= 8;
    if (to) {
      if (used >= size)
        return -1;
      to[used] = word >> bits;
    }
    used++;
    word &= (1u << bits) - 1;
  }
  int want = bits == 0 ? 0 : bits == 4 ? 2 : bits == 2 ? 1 : -1;
  if (want < 0 || word)
    return -1;
  for (; *from; from++) {
    if (is_space(*from))
      continue;
    if (*from != '=' || want-- <= 0)
      return -1;
  }
  return want > 0 ? -1 : (int)used;
}
