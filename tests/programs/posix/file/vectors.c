//@ native: yes
// readv and writev are one transfer over several buffers; preadv and pwritev are that at an offset.
#include "../check.h"
#include <sys/uio.h>

static struct iovec many[1025];

int main(void) {
  char a[4] = "", b[4] = "", c[4] = "";
  struct iovec out[4] = {{"ab", 2}, {"", 0}, {"cdef", 4}, {"g", 1}};
  struct iovec in[3] = {{a, 3}, {b, 2}, {c, 4}};
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  SHOW(writev(fd, out, 4));
  cat("file");
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(readv(fd, in, 3));
  printf("%.3s %.2s %.4s\n", a, b, c);
  SHOW(readv(fd, in, 3));
  SHOW(pwritev(fd, out, 3, 5));
  SHOW(preadv(fd, in, 3, 2));
  printf("%.3s %.2s %.4s\n", a, b, c);
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(preadv(fd, in, 3, -1));
  SHOW(pwritev(fd, out, 3, -1));
  SHOW(readv(fd, in, 0));
  SHOW(writev(fd, out, 0));
  SHOW(readv(fd, in, minus_one));
  SHOW(writev(fd, out, minus_one));
  for (int i = 0; i < 1025; i++)
    many[i] = (struct iovec){"x", 1};
  SHOW(writev(fd, many, 1024));
  SHOW(writev(fd, many, 1025));
  in[1].iov_len = (size_t)-1;
  SHOW(readv(fd, in, 3));
  SHOW(readv(fd, unmapped, 1));
  SHOW(readv(-1, in, 1));
  SHOW(writev(-1, out, 1));
  int pair[2];
  SHOW(pipe(pair));
  SHOW(preadv(pair[0], in, 1, 0));
  SHOW(writev(pair[1], out, 4));
  in[1].iov_len = 2;
  SHOW(readv(pair[0], in, 3));
  printf("%.3s %.2s %.2s\n", a, b, c);
  // A bad buffer after good ones: the good ones are transferred.
  struct iovec half[2] = {{a, 3}, {unmapped, 3}};
  SHOW(pwritev(fd, out, 4, 0));
  SHOW(preadv(fd, half, 2, 0));
  close(pair[0]), close(pair[1]);
  return close(fd);
}
