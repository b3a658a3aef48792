//@ native: yes
// freopen takes a stream to another file, or to another mode of its own; fdopen makes one of a descriptor.
#include "../check.h"

int main(void) {
  char text[16] = "";
  put("one", "first");
  put("two", "second");
  FILE *f = fopen("one", "r");
  IS(fgets(text, 4, f) != 0);
  f = freopen("two", "r", f);
  IS(f != 0 && fgets(text, 16, f) != 0);
  puts(text);
  PTR(freopen("none", "r", f));
  int fd = OK(open("two", O_RDWR | O_APPEND));
  f = fdopen(fd, "a");
  IS(fileno(f) == fd);
  fputs(" more", f);
  SHOW(fclose(f));
  SHOW(fcntl(fd, F_GETFD));
  cat("two");
  fflush(stdout);
  int saved = dup(1);
  need(freopen("output", "w", stdout) == stdout, "freopen");
  puts("into the file");
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  cat("output");
  return 0;
}
