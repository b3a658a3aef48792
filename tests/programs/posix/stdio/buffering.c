//@ native: yes
// Full buffering waits for fflush or the end, line buffering for the line, none for nothing.
#include "../check.h"

static char buffer[BUFSIZ];

int main(void) {
  FILE *f = fopen("file", "w");
  SHOW(setvbuf(f, buffer, _IOFBF, sizeof buffer));
  fputs("one\n", f);
  cat("file");
  SHOW(fflush(f));
  cat("file");
  fclose(f);
  f = fopen("file", "w");
  SHOW(setvbuf(f, 0, _IONBF, 0));
  fputs("two", f);
  cat("file");
  fclose(f);
  f = fopen("file", "w");
  fputs("three", f);
  fputs(" four", f);
  fclose(f);
  cat("file");
  f = fopen("file", "r+");
  setbuf(f, 0);
  fputs("THREE", f);
  cat("file");
  fclose(f);
  SHOW(fflush(0));
  return 0;
}
