// F_SETPIPE_SZ rounds up to a power of two of pages, and refuses to drop what is there (EBUSY).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char data[65536];

static void resize(int fd, int size) {
  int now = fcntl(fd, F_SETPIPE_SZ, size);
  const char *error = now >= 0 ? "" : errno == EBUSY ? " EBUSY" : errno == EBADF ? " EBADF" : " other";
  printf("%d: %d%s, get %d\n", size, now, error, fcntl(fd, F_GETPIPE_SZ));
}

int main(void) {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK))
    return 1;
  resize(ends[0], 5000);
  printf("%zd\n", write(ends[1], data, sizeof data));
  resize(ends[1], 4096);
  resize(ends[1], 12288);
  printf("%zd\n", write(ends[1], data, sizeof data));
  printf("%zd\n", read(ends[0], data, 12288));
  resize(ends[0], 1);
  printf("%zd\n", write(ends[1], data, 1));
  FILE *file = fopen("plain", "w");
  resize(fileno(file), 4096);
  fclose(file);
  unlink("plain");
  return 0;
}
