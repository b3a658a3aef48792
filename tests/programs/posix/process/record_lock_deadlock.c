// Two processes that wait for each other's record lock: one of them gets EDEADLK.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int lock(int fd, off_t at) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
  return fcntl(fd, F_SETLKW, &lock);
}

int main(void) {
  int fd = open("locked", O_RDWR | O_CREAT, 0600), there[2], back[2], status;
  char byte = 'x';
  if (pipe(there) || pipe(back))
    return 1;
  lock(fd, 0);
  pid_t child = fork();
  if (child == 0) {
    lock(fd, 1);
    if (write(back[1], &byte, 1) != 1 || read(there[0], &byte, 1) != 1)
      _exit(9);
    int result = lock(fd, 0);
    _exit(result == 0 ? 0 : errno == EDEADLK ? 1 : 9);
  }
  if (read(back[0], &byte, 1) != 1 || write(there[1], &byte, 1) != 1)
    return 1;
  int result = lock(fd, 1), mine = result == 0 ? 0 : errno == EDEADLK ? 1 : 9;
  close(fd);
  waitpid(child, &status, 0);
  printf("%d had to give way\n", mine + WEXITSTATUS(status));
  unlink("locked");
  return 0;
}
