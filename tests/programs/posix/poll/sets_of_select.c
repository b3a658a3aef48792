// select: which bits stay, how they are counted, and its errors.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

static const char *name(int error) {
  return error == EBADF ? "EBADF" : error == EINVAL ? "EINVAL" : "other";
}

int main(void) {
  int a[2], b[2];
  if (pipe(a) || pipe(b))
    return 1;
  int file = open("plain", O_RDWR | O_CREAT, 0600), top = file + 1;
  fd_set in, out, except;
  struct timeval none = {0, 0};
  for (int round = 0; round < 3; round++) {
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&except);
    int fds[] = {a[0], a[1], b[0], b[1], file};
    for (int i = 0; i < 5; i++)
      FD_SET(fds[i], &in), FD_SET(fds[i], &out), FD_SET(fds[i], &except);
    FD_CLR(b[1], &out);
    FD_CLR(a[1], &in), FD_CLR(b[1], &in), FD_CLR(a[0], &out), FD_CLR(b[0], &out);
    int count = select(top, &in, &out, &except, &none);
    printf("%d:", count);
    for (int i = 0; i < 5; i++)
      printf(" %d%d%d", !!FD_ISSET(fds[i], &in), !!FD_ISSET(fds[i], &out), !!FD_ISSET(fds[i], &except));
    printf("\n");
    if (round == 0 && write(a[1], "x", 1) != 1)
      return 1;
    if (round == 1)
      close(b[1]), b[1] = a[1];
  }
  FD_ZERO(&in);
  FD_SET(a[0], &in);
  FD_SET(file, &in);
  int count = select(a[0] + 1, &in, NULL, NULL, NULL);
  printf("below the limit: %d, %d\n", count, !!FD_ISSET(a[0], &in));
  close(file);
  FD_ZERO(&in);
  FD_SET(file, &in);
  count = select(top, &in, NULL, NULL, &none);
  printf("closed: %d %s\n", count, name(errno));
  count = select(-1, NULL, NULL, NULL, &none);
  printf("negative: %d %s\n", count, name(errno));
  struct timeval negative = {-1, 0};
  count = select(0, NULL, NULL, NULL, &negative);
  printf("negative time: %d %s\n", count, name(errno));
  unlink("plain");
  return 0;
}
