//@ native: yes
// regcomp and regexec: extended and basic syntax, groups, flags, errors.
#include "../check.h"
#include <regex.h>

static void match(const char *pattern, int flags, const char *text) {
  regex_t re;
  regmatch_t m[4];
  if (regcomp(&re, pattern, flags)) {
    printf("/%s/ does not compile\n", pattern);
    return;
  }
  printf("/%s/ \"%s\": ", pattern, text);
  if (regexec(&re, text, 4, m, 0) == REG_NOMATCH)
    printf("no");
  else
    for (size_t i = 0; i <= re.re_nsub && i < 4; i++)
      printf("(%d,%d)", (int)m[i].rm_so, (int)m[i].rm_eo);
  puts("");
  regfree(&re);
}

int main(void) {
  match("a+b", REG_EXTENDED, "xaaab");
  match("a+b", 0, "xaaab a+b");
  match("^(a|b)*c$", REG_EXTENDED, "ababc");
  match("([0-9]+)-([0-9]+)", REG_EXTENDED, "tel 123-4567.");
  match("\\(a*\\)\\1x", 0, "aaaax");
  match("[[:alpha:]_][[:alnum:]_]*", REG_EXTENDED, "1+ name_2");
  match("[^a-c]", REG_EXTENDED, "abcd");
  match("colou?r", REG_EXTENDED | REG_ICASE, "COLOR");
  match("x{2,3}", REG_EXTENDED, "axxxxb");
  match("", REG_EXTENDED, "anything");
  match("a.c", REG_EXTENDED, "a\nc");
  match("a.c", REG_EXTENDED | REG_NEWLINE, "a\nc");
  match("^b", REG_EXTENDED | REG_NEWLINE, "a\nb");
  match("(a)|(b)", REG_EXTENDED, "b");
  match("(", REG_EXTENDED, "");
  match("[a", REG_EXTENDED, "");
  match("a{2,1}", REG_EXTENDED, "");
  regex_t re;
  NUM(regcomp(&re, "^x", REG_EXTENDED | REG_NOSUB));
  NUM(regexec(&re, "x", 0, 0, 0));
  NUM(regexec(&re, "x", 0, 0, REG_NOTBOL) == REG_NOMATCH);
  regfree(&re);
  NUM(regcomp(&re, "(", REG_EXTENDED) == REG_EPAREN);
  return 0;
}
