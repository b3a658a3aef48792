/* Regular expressions for programs that were compiled with glibc's regex_t, which counts subexpressions in
 * another place, with its regmatch_t, whose offsets are int, and with its flag for a text that ends where the
 * first of them says. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { STARTEND = 4, FEW = 10 };

struct gnu_match {
  int start, end;
};

static int match(const regex_t *pattern, const char *text, int from, size_t n, struct gnu_match *found,
                 int flags) {
  regmatch_t few[FEW], *all = n <= FEW ? few : calloc(n, sizeof *all);
  if (!all)
    return REG_ESPACE;
  int result = regexec(pattern, text, n, all, flags);
  for (size_t i = 0; !result && i < n; i++) {
    int shift = all[i].rm_so < 0 ? 0 : from;
    found[i] = (struct gnu_match){all[i].rm_so + shift, all[i].rm_eo + shift};
  }
  if (all != few)
    free(all);
  return result;
}

int __everett_gnu_regcomp(regex_t *pattern, const char *text, int flags) {
  int result = regcomp(pattern, text, flags);
  /* Where glibc's regex_t has the number of subexpressions. */
  pattern->__nsub2 = result ? 0 : pattern->re_nsub;
  return result;
}

int __everett_gnu_regexec(const regex_t *pattern, const char *text, size_t n, struct gnu_match *found, int flags) {
  if (!(flags & STARTEND))
    return match(pattern, text, 0, found ? n : 0, found, flags);
  int from = found[0].start;
  char *part = strndup(text + from, found[0].end - from);
  if (!part)
    return REG_ESPACE;
  int result = match(pattern, part, from, n, found, flags & ~STARTEND);
  free(part);
  return result;
}
