/* Names of the domain name system: as text, as labels, and as labels that refer to others (RFC 1035). */
#define _GNU_SOURCE
#include <arpa/nameser.h>
#include <ctype.h>
#include <errno.h>
#include <resolv.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int too_long(void) {
  errno = EMSGSIZE;
  return -1;
}

/* Labels as text: dots in labels, and what cannot be printed, are escaped. The root is a dot. */
int ns_name_ntop(const unsigned char *from, char *to, size_t n) {
  size_t used = 0;
  int first = 1;
  for (int length; (length = *from++); first = 0) {
    if (length > 63)
      return too_long();
    char text[5] = ".";
    if (!first && used < n)
      to[used] = '.';
    used += !first;
    for (; length > 0; length--, from++) {
      int plain = *from > ' ' && *from < 127;
      if (plain && !strchr(".\\\"@$;()", *from))
        sprintf(text, "%c", *from);
      else
        sprintf(text, plain ? "\\%c" : "\\%03d", *from);
      for (const char *c = text; *c; c++, used++)
        if (used < n)
          to[used] = *c;
    }
  }
  if (first) {
    if (used < n)
      to[used] = '.';
    used++;
  }
  if (used >= n)
    return too_long();
  to[used] = 0;
  return used + 1;
}

/* Text as labels; 1 if it ends with a dot, and is a whole name. */
int ns_name_pton(const char *from, unsigned char *to, size_t n) {
  unsigned char *end = to + n, *label = to++;
  int whole = 0;
  if (n < 1)
    return too_long();
  if (!strcmp(from, "."))
    from++, whole = 1;
  for (; *from; from++) {
    int c = (unsigned char)*from;
    if (c == '.') {
      size_t length = to - label - 1;
      if (length == 0 || length > 63)
        return too_long();
      *label = length;
      if (!from[1]) {
        whole = 1;
        label = to;
      } else
        label = to;
      if (to >= end)
        return too_long();
      to++;
      continue;
    }
    if (c == '\\') {
      c = (unsigned char)*++from;
      if (!c)
        return too_long();
      if (isdigit(c)) {
        if (!isdigit((unsigned char)from[1]) || !isdigit((unsigned char)from[2]))
          return too_long();
        c = (c - '0') * 100 + (from[1] - '0') * 10 + (from[2] - '0');
        from += 2;
        if (c > 255)
          return too_long();
      }
    }
    if (to >= end)
      return too_long();
    *to++ = c;
  }
  size_t length = to - label - 1;
  if (length > 63)
    return too_long();
  *label = length;
  if (length) {
    if (to >= end)
      return too_long();
    *to = 0;
  }
  return whole;
}

int ns_name_skip(const unsigned char **at, const unsigned char *end) {
  int n = dn_skipname(*at, end);
  if (n < 0)
    return too_long();
  *at += n;
  return 0;
}
/* Labels without references; the length that they take in the message. */
int ns_name_unpack(const unsigned char *message, const unsigned char *end, const unsigned char *from,
                   unsigned char *to, size_t n) {
  const unsigned char *at = from;
  unsigned char *limit = to + n;
  int length = -1, jumps = 0;
  for (;;) {
    if (at >= end || at < message)
      return too_long();
    if (*at >= 192) {
      if (at + 1 >= end || ++jumps > (end - message) / 2)
        return too_long();
      if (length < 0)
        length = at + 2 - from;
      at = message + ((*at & 63) << 8 | at[1]);
      continue;
    }
    size_t size = *at + 1;
    if (*at > 63 || (size_t)(end - at) < size || (size_t)(limit - to) < size)
      return too_long();
    memcpy(to, at, size);
    to += size;
    at += size;
    if (size == 1)
      return length < 0 ? at - from : length;
  }
}
int ns_name_compress(const char *name, unsigned char *to, size_t n, const unsigned char **names,
                     const unsigned char **last) {
  return dn_comp(name, to, n, (unsigned char **)names, (unsigned char **)last);
}
int ns_samename(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  if (n && a[n - 1] == '.')
    n--;
  if (m && b[m - 1] == '.')
    m--;
  return n == m && !strncasecmp(a, b, n);
}
