//@ native: yes
// RLIMIT_FSIZE cuts a write at the limit; beyond it SIGXFSZ comes, or EFBIG when that is ignored.
#include "../check.h"
#include <signal.h>
#include <sys/resource.h>

static volatile sig_atomic_t signals;

static void count(int signal) { signals += signal == SIGXFSZ; }

int main(void) {
  struct rlimit limit = {10, RLIM_INFINITY}, back;
  SHOW(getrlimit(RLIMIT_FSIZE, &back));
  limit.rlim_max = back.rlim_max;
  signal(SIGXFSZ, count);
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  SHOW(setrlimit(RLIMIT_FSIZE, &limit));
  SHOW(write(fd, "01234567", 8));
  SHOW(write(fd, "89abcdef", 8));
  NUM(signals);
  SHOW(write(fd, "x", 1));
  NUM(signals);
  SHOW(pwrite(fd, "x", 1, 100));
  NUM(signals);
  SHOW(ftruncate(fd, 11));
  NUM(signals);
  signal(SIGXFSZ, SIG_IGN);
  SHOW(write(fd, "x", 1));
  SHOW(truncate("file", 5));
  SHOW(pwrite(fd, "X", 1, 9));
  cat("file");
  NUM(signals);
  return close(fd);
}
