/* Memory functions, byte by byte, so that no access goes beyond what the caller named.
 *
 * The engine may run these names itself; the loops here say what they mean. */
#include <string.h>
#include <strings.h>

void *memcpy(void *to, const void *from, size_t n) {
  unsigned char *out = to;
  const unsigned char *in = from;
  for (size_t i = 0; i < n; i++)
    out[i] = in[i];
  return to;
}

void *memmove(void *to, const void *from, size_t n) {
  unsigned char *out = to;
  const unsigned char *in = from;
  if ((size_t)out - (size_t)in >= n) {
    for (size_t i = 0; i < n; i++)
      out[i] = in[i];
  } else {
    for (size_t i = n; i > 0; i--)
      out[i - 1] = in[i - 1];
  }
  return to;
}

void *memset(void *to, int value, size_t n) {
  unsigned char *out = to;
  for (size_t i = 0; i < n; i++)
    out[i] = (unsigned char)value;
  return to;
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *p = s;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (unsigned char)c)
      return (void *)(p + i);
  return 0;
}
