//@ opt: O0
//@ findings: 4
// The well-known matcher on seven symbolic bytes without a terminator: it reads past the pattern in two places.
#include <klee/klee.h>

static int match_here(const char *pattern, const char *text);

static int match_star(char c, const char *pattern, const char *text) {
  for (;; text++) {
    if (match_here(pattern, text))
      return 1;
    if (*text == 0 || (*text != c && c != '.'))
      return 0;
  }
}

static int match_here(const char *pattern, const char *text) {
  if (pattern[0] == 0) // expect: bug out-of-bounds
    return 1;
  if (pattern[1] == '*') // expect: bug out-of-bounds
    return match_star(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && pattern[1] == 0)
    return *text == 0;
  if (*text != 0 && (pattern[0] == '.' || pattern[0] == *text))
    return match_here(pattern + 1, text + 1);
  return 0;
}

static int match(const char *pattern, const char *text) {
  if (pattern[0] == '^')
    return match_here(pattern + 1, text);
  do
    if (match_here(pattern, text))
      return 1;
  while (*text++ != 0);
  return 0;
}

int main(void) {
  char pattern[7];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
  return match(pattern, "hello");
}
