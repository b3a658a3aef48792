//@ native: yes
// A process's own record locks never conflict with themselves; fcntl checks what it is asked for.
#include "../check.h"

static int lock(int fd, int command, int type, int whence, long start, long length) {
  struct flock l = {.l_type = (short)type, .l_whence = (short)whence, .l_start = start, .l_len = length};
  int r = fcntl(fd, command, &l);
  if (r == 0 && command == F_GETLK)
    printf("(%s) ", l.l_type == F_UNLCK ? "free" : "taken");
  return r;
}

int main(void) {
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR)), in = OK(open("file", O_RDONLY)), out = OK(open("file", O_WRONLY));
  SHOW(lock(fd, F_SETLK, F_WRLCK, SEEK_SET, 0, 5));
  SHOW(lock(fd, F_GETLK, F_WRLCK, SEEK_SET, 0, 5));
  SHOW(lock(in, F_GETLK, F_RDLCK, SEEK_SET, 0, 0));
  SHOW(lock(in, F_SETLK, F_RDLCK, SEEK_SET, 2, 5));
  SHOW(lock(fd, F_SETLKW, F_WRLCK, SEEK_END, -2, 2));
  SHOW(lock(fd, F_SETLK, F_UNLCK, SEEK_SET, 0, 0));
  SHOW(lock(fd, F_SETLK, F_UNLCK, SEEK_SET, 100, 100));
  SHOW(lock(fd, F_SETLK, F_WRLCK, SEEK_SET, 5, -3));
  SHOW(lock(in, F_SETLK, F_WRLCK, SEEK_SET, 0, 1));
  SHOW(lock(out, F_SETLK, F_RDLCK, SEEK_SET, 0, 1));
  SHOW(lock(fd, F_SETLK, 99, SEEK_SET, 0, 1));
  SHOW(lock(fd, F_SETLK, F_RDLCK, 99, 0, 1));
  SHOW(lock(fd, F_SETLK, F_RDLCK, SEEK_SET, -1, 1));
  SHOW(lock(fd, F_SETLK, F_RDLCK, SEEK_SET, 1, -2));
  SHOW(lock(fd, F_GETLK, F_UNLCK, SEEK_SET, 0, 1));
  SHOW(lock(minus_one, F_SETLK, F_RDLCK, SEEK_SET, 0, 1));
  SHOW(lock(minus_one, F_GETLK, F_RDLCK, SEEK_SET, 0, 1));
  SHOW(fcntl(fd, F_SETLK, unmapped));
  SHOW(lockf(fd, F_LOCK, 0));
  SHOW(lockf(fd, F_TEST, 0));
  SHOW(lockf(fd, F_ULOCK, 0));
  SHOW(lockf(fd, F_TLOCK, 4));
  SHOW(lockf(in, F_TLOCK, 4));
  SHOW(lockf(fd, 99, 4));
  SHOW(lockf(minus_one, F_LOCK, 4));
  return close(fd) | close(in) | close(out);
}
