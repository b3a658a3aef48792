//@ native: yes
// Writing to a file by an ordinary user takes its set-id bits away; reading does not.
#include "../check.h"

static unsigned mode(const char *path) {
  struct stat st;
  return lstat(path, &st) ? 0 : st.st_mode;
}

int main(void) {
  be_ordinary_user();
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  SHOW(fchmod(fd, 06755));
  char byte;
  SHOW(read(fd, &byte, 1));
  printf("%o\n", mode("file"));
  SHOW(write(fd, "x", 1));
  printf("%o\n", mode("file"));
  SHOW(fchmod(fd, 06755));
  SHOW(ftruncate(fd, 4));
  printf("%o\n", mode("file"));
  SHOW(fchmod(fd, 02744));
  SHOW(write(fd, "x", 1));
  printf("%o\n", mode("file"));
  return close(fd);
}
