//@ native: yes
// umask takes bits from every mode at creation, keeps only nine bits, and returns the old one.
#include "../check.h"

static unsigned mode(const char *path) {
  struct stat st;
  return lstat(path, &st) ? 0 : st.st_mode;
}

int main(void) {
  umask(022);
  SHOW(umask(077));
  SHOW(umask(07777));
  SHOW(umask(0));
  int a = OK(open("a", O_RDWR | O_CREAT, 0666));
  SHOW(mkdir("b", 0777));
  SHOW(umask(0137));
  int c = OK(open("c", O_RDWR | O_CREAT, 0777));
  SHOW(mkdir("d", 0777));
  SHOW(mkfifo("e", 0666));
  SHOW(symlink("x", "f"));
  printf("%o %o %o %o %o %o\n", mode("a"), mode("b"), mode("c"), mode("d"), mode("e"), mode("f"));
  // chmod is not touched by it.
  SHOW(chmod("c", 0777));
  printf("%o\n", mode("c"));
  FILE *f = fopen("g", "w");
  fclose(f);
  printf("%o\n", mode("g"));
  return close(a) | close(c);
}
