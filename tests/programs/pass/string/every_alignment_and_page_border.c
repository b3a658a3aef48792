//@ native: yes
// Searching, comparing and copying at every offset around the borders of pages, folded into a sum.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *rawmemchr(const void *s, int c);

static unsigned long sum = 1;

static void note(unsigned long value) { sum = sum * 31 + value; }

static int sign(int value) { return (value > 0) - (value < 0); }

static void searches(char *s, size_t len) {
  note(strlen(s));
  note(strnlen(s, len / 2));
  note((char *)memchr(s, 'z', len + 1) - s);
  note(memchr(s, '?', len) == 0);
  note((char *)memrchr(s, 'a', len + 1) - s);
  note((char *)rawmemchr(s, 'z') - s);
  note(strchr(s, 'z') - s);
  note(strchr(s, '?') == 0);
  note(strchrnul(s, '?') - s);
  note(strrchr(s, 'a') - s);
  note(strspn(s, "za"));
  note(strcspn(s, "yz"));
  note(strpbrk(s, "xz") - s);
  note(strstr(s, "az") - s);
  note((char *)memmem(s, len + 1, "az", 3) - s);
}

static void comparisons(char *a, char *b, size_t len) {
  note(strcmp(a, b));
  note(strncmp(a, b, len + 5));
  note(sign(memcmp(a, b, len + 1)));
  note(bcmp(a, b, len + 1) != 0);
  b[len - 1]++;
  note(sign(strcmp(a, b)) + 1);
  note(strncmp(a, b, len - 1));
  note(sign(memcmp(b, a, len)) + 1);
  note(memcmp(a, b, len - 1));
  b[len - 1] -= 1 + 32;
  note(strcasecmp(a, b));
  note(strncasecmp(b, a, len) == 0);
  b[len - 1] += 32;
}

static void copies(char *to, char *from, size_t len) {
  memset(to, '#', len + 8);
  note((char *)memcpy(to, from, len + 1) - to);
  note(strlen(to));
  note((char *)mempcpy(to, from, len) - to);
  note(strcpy(to, from) - to);
  note(stpcpy(to + 1, from) - to);
  note(stpncpy(to, from, len + 4) - to);
  strncpy(to, from, len - 1);
  note(to[len] + to[len + 3]);
  to[0] = 0;
  note(strlen(strcat(to, from)));
  note(strlen(strncat(to, from, 2)));
  memmove(to + 1, to, len);
  memmove(to, to + 1, len);
  note(memcmp(to, from, len - 1));
  bzero(to, len / 2);
  note(strlen(to + len / 2));
}

int main(void) {
  static const size_t lengths[] = {2, 3, 15, 16, 17, 255, 256, 257, 700};
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (size_t offset = 245; offset < 262; offset += 3) {
      size_t len = lengths[l];
      char *a = calloc(1, offset + len + 1), *b = calloc(1, len + 264), *c = calloc(1, len + 270);
      char *s = a + offset, *t = b + (offset * 7) % 263, *u = c + offset % 259;
      memset(s, 'a', len - 1);
      s[len - 1] = 'z';
      memcpy(t, s, len + 1);
      searches(s, len);
      comparisons(s, t, len);
      if ((size_t)(u - c) + len + 8 <= len + 270)
        copies(u, s, len);
      char *copy = strdup(s), *start = strndup(s, len / 2);
      note(strlen(copy) + strlen(start));
      free(copy);
      free(start);
      free(a);
      free(b);
      free(c);
    }
  return sum % 251;
}
