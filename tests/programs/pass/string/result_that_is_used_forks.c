//@ paths: 10
// Results that become addresses, lengths or contents of memory are plain numbers, each on a path of its own.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char s[4], to[8];

int main(void) {
  klee_make_symbolic(s, 3, "s");
  size_t length = strlen(s);
  to[length] = '!';
  char *colon = memchr(s, ':', length);
  if (colon == 0) {
    strcpy(to, s);
    assert(strlen(to) == length);
    return 0;
  }
  *colon = 0;
  assert(strlen(s) == (size_t)(colon - s));
  return 0;
}
