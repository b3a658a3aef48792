//@ native: yes
// printf of strings and the return values and limits of its family.
#include "../check.h"
#include <stdarg.h>
#include <wchar.h>

volatile size_t eight = 8;

static int through_list(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(to, size, format, list);
  va_end(list);
  return n;
}

int main(void) {
  char text[8];
  printf("[%s] [%5s] [%-5s] [%.2s] [%5.1s] [%.0s] [%.*s]\n", "abc", "abc", "abc", "abc", "abc", "abc", 1,
         "abc");
  char raw[3] = {'x', 'y', 'z'};
  printf("[%.3s]\n", raw);
  printf("[%ls] [%lc] [%5ls] [%.2ls]\n", L"wide", (wint_t)L'w', L"ab", L"abc");
  NUM(snprintf(text, eight, "%s", "0123456789"));
  puts(text);
  NUM(snprintf(0, 0, "%d", 12345));
  NUM(snprintf(text, eight / 8, "%d", 12345));
  NUM(text[0]);
  NUM(through_list(text, sizeof text, "%c%d", 'n', 42));
  puts(text);
  char *made = 0;
  NUM(asprintf(&made, "%s-%05.1f", "made", 2.25));
  puts(made);
  free(made);
  NUM(printf("%s", ""));
  NUM(printf("five\n"));
  fflush(stdout);
  NUM(dprintf(1, "direct\n"));
  fprintf(stdout, "%s%s", "no", "thing\n");
  return 0;
}
