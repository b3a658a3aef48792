/* A regular-expression matcher on a symbolic pattern of SIZE bytes that nothing terminates.
 *
 * Knows `^`, `$`, `.` and `*` and single characters, with the recursive structure of the matcher in
 * "The Practice of Programming". A pattern without a terminating zero makes it read beyond the end in
 * two places: where it looks at the first character, and where it looks for a `*` behind it. */
#include "klee/klee.h"

#ifndef SIZE
#define SIZE 7
#endif

static int match_here(const char *pattern, const char *text);

/* `c*` at the beginning of the text, then the rest of the pattern. */
static int match_star(int c, const char *rest, const char *text) {
  for (;;) {
    if (match_here(rest, text))
      return 1;
    if (*text == '\0')
      return 0;
    char next = *text++;
    if (next != c && c != '.')
      return 0;
  }
}

/* The pattern at the beginning of the text. An exhausted pattern counts as no match, as in the version
   that KLEE's tutorial runs: so the numbers of paths can be compared. */
static int match_here(const char *pattern, const char *text) {
  if (pattern[0] == '\0')
    return 0;
  if (pattern[1] == '*')
    return match_star(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && pattern[1] == '\0')
    return *text == '\0';
  if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text))
    return match_here(pattern + 1, text + 1);
  return 0;
}

/* The pattern anywhere in the text. */
static int match(const char *pattern, const char *text) {
  if (pattern[0] == '^')
    return match_here(pattern + 1, text);
  for (;;) {
    if (match_here(pattern, text))
      return 1;
    if (*text++ == '\0')
      return 0;
  }
}

int main(void) {
  char pattern[SIZE];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
  match(pattern, "hello");
  return 0;
}
