//@ native: yes
// creat is open for writing only, made and emptied.
#include "../check.h"

int main(void) {
  char byte;
  struct stat st;
  umask(022);
  int fd = OK(creat("file", 0666));
  SHOW(write(fd, "content", 7));
  SHOW(read(fd, &byte, 1));
  SHOW(fcntl(fd, F_GETFL) & O_ACCMODE);
  SHOW(fstat(fd, &st));
  printf("mode %o\n", (unsigned)st.st_mode);
  SHOW(close(fd));
  cat("file");
  fd = OK(creat("file", 0));
  SHOW(close(fd));
  cat("file");
  OK(creat(".", 0600));
  OK(creat("file/", 0600));
  OK(creat("none/file", 0600));
  OK(creat("file/below", 0600));
  OK(creat("", 0600));
  return 0;
}
