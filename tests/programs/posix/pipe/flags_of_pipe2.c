// pipe2 sets the flags that it is given on both ends; bad flags and a full table are errors.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static void show(const char *what, int flags) {
  int ends[2];
  if (pipe2(ends, flags) < 0) {
    const char *name = errno == EINVAL ? "EINVAL" : errno == EMFILE ? "EMFILE" : "other";
    printf("%s: %s\n", what, name);
    return;
  }
  for (int i = 0; i < 2; i++) {
    int status = fcntl(ends[i], F_GETFL);
    printf("%s[%d]: mode %s nonblock %d cloexec %d\n", what, i,
           (status & O_ACCMODE) == O_RDONLY ? "r" : (status & O_ACCMODE) == O_WRONLY ? "w" : "?",
           (status & O_NONBLOCK) != 0, (fcntl(ends[i], F_GETFD) & FD_CLOEXEC) != 0);
    close(ends[i]);
  }
}

int main(void) {
  show("none", 0);
  show("nonblock", O_NONBLOCK);
  show("cloexec", O_CLOEXEC);
  show("both", O_NONBLOCK | O_CLOEXEC);
  show("append", O_APPEND);
  show("creat", O_CREAT);
  int lowest = dup(1);
  close(lowest);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = lowest + 1;
  printf("%d\n", setrlimit(RLIMIT_NOFILE, &limit));
  show("one left", 0);
  int still = dup(1);
  printf("%d\n", still == lowest);
  show("none left", 0);
  return 0;
}
