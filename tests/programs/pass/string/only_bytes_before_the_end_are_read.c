// Functions stop where the plain loop stops: at a difference, a terminator or a match.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *volatile a = malloc(2), *volatile b = malloc(4);
  a[0] = 'x', a[1] = 'y';
  memcpy(b, "xz", 3);
  volatile size_t n = 100;
  assert(strncmp(a, b, n) < 0 && strcmp(a, b) < 0);
  assert(memchr(a, 'y', n) == a + 1);
  assert(strnlen(a, 2) == 2 && strncmp(a, "xy?", 2) == 0);
  assert(strchr(a, 'y') == a + 1 && strcspn(a, "y") == 1 && strpbrk(a, "y") == a + 1);
  assert(strstr(a, "xy") == a && strspn(a, "x") == 1);
  char *copy = strndup(a, 2);
  assert(strlen(copy) == 2);
  char *volatile none = 0;
  volatile size_t zero = 0;
  assert(memcmp(none, none, zero) == 0 && !memchr(none, 0, zero) && strnlen(none, zero) == 0);
  free(copy);
  free(a);
  free(b);
  return 0;
}
