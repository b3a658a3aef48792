//@ native: yes
// O_CREAT makes a file once, O_EXCL insists on making it, O_TRUNC empties it; neither is done without need.
#include "../check.h"

int main(void) {
  struct stat st;
  OK(open("new", O_RDONLY));
  int fd = OK(open("new", O_WRONLY | O_CREAT, 0640));
  SHOW(write(fd, "first", 5));
  SHOW(close(fd));
  fd = OK(open("new", O_WRONLY | O_CREAT, 0600));
  SHOW(fstat(fd, &st));
  printf("mode %o, size %ld\n", (unsigned)st.st_mode, (long)st.st_size);
  SHOW(close(fd));
  cat("new");
  OK(open("new", O_WRONLY | O_CREAT | O_EXCL, 0600));
  fd = OK(open("other", O_RDWR | O_CREAT | O_EXCL, 0600));
  close(fd);
  fd = OK(open("new", O_RDWR | O_TRUNC));
  SHOW(lseek(fd, 0, SEEK_END));
  close(fd);
  cat("new");
  // O_EXCL does not follow a link, not even one that leads nowhere.
  SHOW(symlink("nowhere", "dangling"));
  OK(open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0600));
  OK(open("dangling", O_RDONLY));
  fd = OK(open("dangling", O_WRONLY | O_CREAT, 0600));
  close(fd);
  SHOW(access("nowhere", F_OK));
  return 0;
}
