//@ native: yes
// RLIMIT_NOFILE bounds the numbers of descriptors: EMFILE for the next, EBADF or EINVAL for a chosen one.
#include "../check.h"
#include <dirent.h>
#include <sys/resource.h>

int main(void) {
  struct rlimit limit, old;
  put("file", "x");
  SHOW(getrlimit(RLIMIT_NOFILE, &old));
  limit = (struct rlimit){20, old.rlim_max};
  SHOW(setrlimit(RLIMIT_NOFILE, &limit));
  SHOW(sysconf(_SC_OPEN_MAX));
  int last = -1, fd;
  while ((fd = open("file", O_RDONLY)) >= 0)
    last = fd;
  printf("last %d: %s\n", last, errno_name(errno));
  SHOW(dup(last));
  SHOW(dup2(last, 20));
  SHOW(dup2(last, 19));
  SHOW(fcntl(last, F_DUPFD, 0));
  SHOW(fcntl(last, F_DUPFD, 20));
  int pair[2];
  SHOW(pipe(pair));
  PTR(opendir("."));
  PTR(fopen("file", "r"));
  SHOW(close(last));
  SHOW(pipe(pair));
  SHOW(open("file", O_RDONLY));
  // Higher numbers that are open stay so.
  limit.rlim_cur = 10;
  SHOW(setrlimit(RLIMIT_NOFILE, &limit));
  SHOW(lseek(15, 0, SEEK_CUR));
  SHOW(close(15));
  SHOW(open("file", O_RDONLY));
  return 0;
}
