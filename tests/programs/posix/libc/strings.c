//@ native: yes
// The string functions beyond the everyday: tokens, spans, searches, copies, duplicates, error texts.
#include "../check.h"
#include <strings.h>

volatile int n8 = 8;

int main(void) {
  char text[32] = "a,b;;c", *save = 0, *rest = text;
  for (char *t = strtok_r(text, ",;", &save); t; t = strtok_r(0, ",;", &save))
    printf("[%s]", t);
  strcpy(text, "a,b;;c");
  for (char *t; (t = strsep(&rest, ",;"));)
    printf("(%s)", t);
  puts("");
  NUM(strspn("aabbc", "ab"));
  NUM(strcspn("aabbc", "c"));
  puts(strpbrk("key=value", "=:"));
  puts(strstr("haystack with needle inside", "needle"));
  puts(strcasestr("Hay NEEDLE", "needle"));
  puts(strrchr("/a/b/c", '/'));
  NUM(strcasecmp("HeLLo", "hello"));
  NUM(strncasecmp("HELP", "helmet", 3));
  NUM(strncmp("abc", "abd", 2));
  NUM(strverscmp("a9", "a10") < 0);
  IS(memmem("0123456", 7, "345", 3) != 0);
  IS(memrchr("abcabc", 98, 6) != 0);
  char *copy = strndup("duplicate", 3);
  puts(copy);
  free(copy);
  char field[8];
  memset(field, '#', 8);
  strncpy(field, "ab", 4);
  bytes("field", field, 8);
  puts(stpcpy(text, "end") - 3);
  NUM(strnlen("abcdef", 3));
  NUM(memccpy(field, "xyz", 'y', 3) == field + 2);
  char moved[] = "0123456789";
  memmove(moved + 2, moved, (size_t)n8);
  puts(moved);
  memmove(moved, moved + 3, 5);
  puts(moved);
  NUM(ffs(n8));
  NUM(strlen(strerror(ENOENT)) > 0);
  puts(strerror(ENOENT));
  puts(strerror(EACCES));
  puts(strchrnul("abc", 'z') - 1);
  char swap[4] = "";
  swab("badc", swap, 2);
  bytes("swap", swap, 2);
  return 0;
}
