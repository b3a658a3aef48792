/* Conversions between UTF-8 and the multibyte characters of the locale, which are UTF-8 too: C23. */
#include <errno.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>

/* A state holds the bytes that are still to come, or to be put out: how many, and what they are. */
struct pending {
  uint8_t count, bytes[3];
};

size_t mbrtoc8(unsigned char *to, const char *from, size_t n, mbstate_t *state) {
  static mbstate_t own;
  struct pending rest;
  if (!state)
    state = &own;
  memcpy(&rest, (char *)state + 4, sizeof rest);
  if (!from)
    return mbrtoc8(NULL, "", 1, state);
  if (rest.count) {
    if (to)
      *to = rest.bytes[0];
    memmove(rest.bytes, rest.bytes + 1, 2);
    rest.count--;
    memcpy((char *)state + 4, &rest, sizeof rest);
    return -3;
  }
  wchar_t wide;
  char bytes[8];
  mbstate_t plain = {0};
  memcpy(&plain, state, 4);
  size_t used = mbrtowc(&wide, from, n, &plain);
  memcpy(state, &plain, 4);
  if (used > (size_t)-3)
    return used;
  mbstate_t begin = {0};
  size_t count = wcrtomb(bytes, wide, &begin);
  if (count == (size_t)-1) {
    /* A byte of the C locale, which stands for itself. */
    bytes[0] = *from;
    count = 1;
  }
  if (to)
    *to = bytes[0];
  rest.count = count - 1;
  memcpy(rest.bytes, bytes + 1, count - 1);
  memcpy((char *)state + 4, &rest, sizeof rest);
  return used;
}

size_t c8rtomb(char *to, unsigned char c, mbstate_t *state) {
  static mbstate_t own;
  char dropped[8];
  if (!state)
    state = &own;
  if (!to) {
    memset(state, 0, sizeof *state);
    return c8rtomb(dropped, 0, state);
  }
  wchar_t wide;
  /* A character is written when its last byte has come. */
  struct pending begun;
  memcpy(&begun, (char *)state + 4, sizeof begun);
  char bytes[4];
  memcpy(bytes, begun.bytes, begun.count);
  bytes[begun.count] = c;
  mbstate_t plain = {0};
  size_t used = mbrtowc(&wide, bytes, begun.count + 1, &plain);
  if (used == (size_t)-1) {
    memset(state, 0, sizeof *state);
    errno = EILSEQ;
    return -1;
  }
  if (used == (size_t)-2) {
    begun.bytes[begun.count++] = c;
    memcpy((char *)state + 4, &begun, sizeof begun);
    return 0;
  }
  size_t whole = begun.count + 1;
  memcpy(to, bytes, whole);
  memset(state, 0, sizeof *state);
  return whole;
}
