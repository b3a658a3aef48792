//@ native: yes
// Locks of open file descriptions conflict between two opens of one process, also with its record locks.
#include "../check.h"

static int lock(int fd, int command, int type, long start, long length) {
  struct flock l = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  int r = fcntl(fd, command, &l);
  if (r == 0 && command == F_OFD_GETLK && l.l_type == F_UNLCK)
    printf("(free) ");
  else if (r == 0 && command == F_OFD_GETLK)
    printf("(%s %ld+%ld pid %d) ", l.l_type == F_RDLCK ? "read" : "write", (long)l.l_start, (long)l.l_len,
           l.l_pid);
  return r;
}

int main(void) {
  put("file", "0123456789");
  int a = OK(open("file", O_RDWR)), b = OK(open("file", O_RDWR)), in = OK(open("file", O_RDONLY));
  int same = OK(dup(a));
  SHOW(lock(a, F_OFD_SETLK, F_WRLCK, 2, 4));
  SHOW(lock(b, F_OFD_SETLK, F_WRLCK, 5, 4));
  SHOW(lock(b, F_OFD_SETLK, F_RDLCK, 0, 0));
  SHOW(lock(b, F_OFD_SETLK, F_WRLCK, 6, 4));
  SHOW(lock(b, F_OFD_GETLK, F_RDLCK, 0, 6));
  SHOW(lock(b, F_OFD_GETLK, F_RDLCK, 0, 2));
  SHOW(lock(a, F_OFD_GETLK, F_WRLCK, 2, 4));
  SHOW(lock(same, F_OFD_SETLK, F_RDLCK, 2, 4));
  SHOW(lock(b, F_OFD_SETLK, F_RDLCK, 2, 4));
  SHOW(lock(a, F_OFD_SETLK, F_WRLCK, 2, 4));
  SHOW(lock(b, F_OFD_SETLK, F_UNLCK, 3, 1));
  SHOW(lock(a, F_OFD_SETLK, F_WRLCK, 3, 1));
  SHOW(lock(a, F_OFD_SETLK, F_WRLCK, 2, 2));
  SHOW(lock(a, F_SETLK, F_WRLCK, 3, 1));
  SHOW(lock(a, F_SETLK, F_WRLCK, 100, 1));
  SHOW(lock(a, F_OFD_SETLK, F_RDLCK, 100, 1));
  SHOW(lock(in, F_OFD_SETLK, F_WRLCK, 50, 1));
  SHOW(lock(minus_one, F_OFD_SETLK, F_WRLCK, 50, 1));
  struct flock owned = {.l_type = F_RDLCK, .l_pid = 5};
  SHOW(fcntl(a, F_OFD_SETLK, &owned));
  // The locks go when the last descriptor of their description does.
  SHOW(close(b));
  SHOW(lock(in, F_OFD_GETLK, F_RDLCK, 6, 4));
  SHOW(close(a));
  SHOW(lock(in, F_OFD_GETLK, F_RDLCK, 3, 1));
  SHOW(close(same));
  SHOW(lock(in, F_OFD_GETLK, F_RDLCK, 3, 1));
  return close(in);
}
