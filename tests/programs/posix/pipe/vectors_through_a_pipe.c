// writev gathers, readv scatters, short at the end; bad counts are EINVAL.
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

volatile int negative = -1, too_many = 1025;

static void say(const char *what, ssize_t result) {
  printf("%s: %zd %s\n", what, result, errno == EINVAL ? "EINVAL" : errno == EBADF ? "EBADF" : "other");
}

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  struct iovec out[4] = {{"one", 3}, {NULL, 0}, {"three", 5}, {"!", 1}};
  printf("%zd\n", writev(ends[1], out, 4));
  char a[4] = "", b[3] = "", c[9] = "";
  struct iovec in[3] = {{a, 3}, {b, 2}, {c, 8}};
  printf("%zd\n", readv(ends[0], in, 3));
  printf("[%s] [%s] [%s]\n", a, b, c);
  say("negative", readv(ends[0], in, negative));
  say("too many", writev(ends[1], out, too_many));
  printf("%zd\n", writev(ends[1], out, 0));
  say("wrong end", readv(ends[1], in, 1));
  close(ends[1]);
  printf("%zd\n", readv(ends[0], in, 3));
  return 0;
}
