/* Memory functions.
 *
 * Copying and filling are instructions of the bitcode: the engine runs them on whole ranges, keeps
 * symbolic bytes, and sees overlap. The rest goes byte by byte and reads no more than it compares. */
#include <string.h>
#include <strings.h>

void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }

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
