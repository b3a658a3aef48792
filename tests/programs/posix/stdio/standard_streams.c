//@ native: yes
// The standard streams: numbers, an empty input, perror on standard error, output kept in order at exit.
#include "../check.h"

static void last(void) { puts("handler at exit"); }

int main(void) {
  printf("%d %d %d\n", fileno(stdin), fileno(stdout), fileno(stderr));
  NUM(getchar());
  NUM(feof(stdin) != 0);
  char byte;
  SHOW(read(0, &byte, 1));
  errno = ENOENT;
  perror("told");
  fputs("on standard error\n", stderr);
  atexit(last);
  printf("without a line's end");
  exit(3);
}
