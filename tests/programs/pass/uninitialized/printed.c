// A struct is printed of which the members that are printed were written.
//@ args: --check uninitialized
//@ native: yes
#include <stdio.h>

struct line { char c; int a, b; };

int main(void) {
  volatile struct line x;
  x.c = 'c';
  x.b = 7;
  printf("%c %d %s\n", x.c, x.b, "text");
  char line[64];
  snprintf(line, sizeof line, "%5.2f %lx", 1.5, 3L);
  puts(line);
  return 0;
}
