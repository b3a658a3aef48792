/* Copying and filling are instructions of the bitcode: the engine runs them on whole ranges, keeps
 * symbolic bytes, and sees overlap. */
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  return __builtin_memcpy(to, from, n);
}
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }
