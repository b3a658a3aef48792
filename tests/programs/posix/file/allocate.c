//@ native: yes
// posix_fallocate lengthens a file but never shortens it; fallocate can leave the size alone.
#include "../check.h"

int main(void) {
  struct stat st;
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  printf("%s\n", errno_name(posix_fallocate(fd, 0, 4)));
  cat("file");
  printf("%s\n", errno_name(posix_fallocate(fd, 8, 6)));
  cat("file");
  printf("%s\n", errno_name(posix_fallocate(fd, 0, 0)));
  printf("%s\n", errno_name(posix_fallocate(fd, -1, 1)));
  printf("%s\n", errno_name(posix_fallocate(-1, 0, 1)));
  SHOW(fallocate(fd, 0, 0, 20));
  SHOW(fstat(fd, &st));
  NUM(st.st_size);
  SHOW(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 10000));
  SHOW(fstat(fd, &st));
  NUM(st.st_size);
  SHOW(fallocate(fd, 0, 0, 0));
  SHOW(fallocate(fd, 0, -1, 5));
  SHOW(fallocate(fd, FALLOC_FL_PUNCH_HOLE, 0, 5));
  SHOW(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 2, 3));
  cat("file");
  int in = OK(open("file", O_RDONLY));
  SHOW(fallocate(in, 0, 0, 5));
  SHOW(fallocate(-1, 0, 0, 5));
  int pair[2];
  SHOW(pipe(pair));
  SHOW(fallocate(pair[1], 0, 0, 5));
  close(pair[0]), close(pair[1]);
  return close(fd) | close(in);
}
