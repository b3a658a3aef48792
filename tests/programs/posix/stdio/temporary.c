//@ native: yes
// tmpfile has no name; mkstemp, mkostemps and mkdtemp make new names from a template.
#include "../check.h"

int main(void) {
  FILE *f = tmpfile();
  need(f != 0, "tmpfile");
  fputs("hidden", f);
  rewind(f);
  char text[16] = "";
  NUM(fread(text, 1, 15, f));
  puts(text);
  fclose(f);
  char a[] = "aXXXXXX", b[] = "aXXXXXX", c[] = "cXXXXXX.txt", d[] = "dXXXXXX", bad[] = "badXXXX";
  struct stat st;
  int one = OK(mkstemp(a)), two = OK(mkstemp(b));
  IS(strcmp(a, b) != 0 && a[0] == 'a' && strlen(a) == 7 && strcmp(a, "aXXXXXX") != 0);
  SHOW(fstat(one, &st));
  printf("%o\n", (unsigned)st.st_mode);
  SHOW(fcntl(two, F_GETFL) & O_ACCMODE);
  SHOW(access(a, F_OK));
  int three = OK(mkostemps(c, 4, O_CLOEXEC));
  IS(strcmp(c + 7, ".txt") == 0);
  SHOW(fcntl(three, F_GETFD));
  PTR(mkdtemp(d));
  SHOW(stat(d, &st));
  printf("%o\n", (unsigned)st.st_mode);
  OK(mkstemp(bad));
  char none[] = "none/XXXXXX";
  OK(mkstemp(none));
  return close(one) | close(two) | close(three);
}
