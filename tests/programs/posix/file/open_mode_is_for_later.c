//@ native: yes
// The mode given at creation says nothing about the descriptor that open returns.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  struct stat st;
  int fd = OK(open("sealed", O_RDWR | O_CREAT, 0));
  SHOW(write(fd, "text", 4));
  SHOW(lseek(fd, 0, SEEK_SET));
  char text[8] = "";
  SHOW(read(fd, text, 8));
  puts(text);
  fstat(fd, &st);
  printf("mode %o\n", (unsigned)st.st_mode);
  OK(open("sealed", O_RDONLY));
  OK(open("sealed", O_WRONLY | O_CREAT, 0600));
  SHOW(fchmod(fd, 0400));
  close(fd);
  fd = OK(open("sealed", O_RDONLY));
  close(fd);
  OK(open("sealed", O_RDWR));
  OK(open("sealed", O_RDONLY | O_TRUNC));
  SHOW(chmod("sealed", 0200));
  OK(open("sealed", O_RDONLY));
  fd = OK(open("sealed", O_WRONLY));
  SHOW(read(fd, text, 1));
  close(fd);
  return 0;
}
