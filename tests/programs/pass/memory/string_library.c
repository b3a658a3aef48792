//@ native: yes
// Every string function of the runtime on ordinary and edge cases.
#include <stdio.h>
#include <string.h>

char buffer[64];
const char *volatile text = "hello, world";

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
  const char *t = text;
  printf("%zu %zu %zu\n", strlen(t), strnlen(t, 5), strnlen(t, 50));
  printf("%d %d %d %d\n", sign(strcmp(t, "hello")), sign(strcmp("a", "b")), strcmp(t, t),
         sign(strcmp("\x80", "\x7f")));
  printf("%d %d\n", strncmp(t, "help", 3), sign(strncmp(t, "help", 4)));
  strcpy(buffer, t);
  strcat(buffer, "!");
  puts(buffer);
  strncpy(buffer, "xy", 5);
  printf("%s %c %d\n", buffer, buffer[5], buffer[4]);
  printf("%s %s %d\n", strchr(t, 'o'), strrchr(t, 'o'), strchr(t, 'z') == 0);
  printf("%zu %d\n", strlen(strchr(t, 0)), strrchr(t, 'q') == 0);
  printf("%s %d %d\n", strstr(t, "wor"), strstr(t, "word") == 0, strstr(t, "") == t);
  printf("%ld %d\n", (long)((char *)memchr(t, 'w', 12) - t), memchr(t, 'w', 5) == 0);
  printf("%d %d\n", sign(memcmp("abc\0x", "abc\0y", 5)), memcmp("ab", "cd", 0));
  return 0;
}
