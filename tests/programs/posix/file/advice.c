//@ native: yes
// posix_fadvise and readahead change nothing that a program can read; they do check their arguments.
#include "../check.h"

int main(void) {
  put("file", "0123456789");
  int fd = OK(open("file", O_RDONLY));
  printf("%s\n", errno_name(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL)));
  printf("%s\n", errno_name(posix_fadvise(fd, 2, 4, POSIX_FADV_WILLNEED)));
  printf("%s\n", errno_name(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)));
  printf("%s\n", errno_name(posix_fadvise(fd, 0, 0, 99)));
  printf("%s\n", errno_name(posix_fadvise(-1, 0, 0, POSIX_FADV_NORMAL)));
  int pair[2];
  SHOW(pipe(pair));
  printf("%s\n", errno_name(posix_fadvise(pair[0], 0, 0, POSIX_FADV_NORMAL)));
  SHOW(readahead(fd, 0, 10));
  SHOW(readahead(-1, 0, 10));
  SHOW(lseek(fd, 0, SEEK_CUR));
  cat("file");
  return close(fd) | close(pair[0]) | close(pair[1]);
}
