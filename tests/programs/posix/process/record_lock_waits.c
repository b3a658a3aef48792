// F_SETLKW waits until the holder unlocks, and until the holder ends.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(const char *text) {
  if (write(1, text, strlen(text)) < 0)
    _exit(9);
}

static int lock(int fd, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
  return fcntl(fd, F_SETLKW, &lock);
}

int main(void) {
  int fd = open("locked", O_RDWR | O_CREAT, 0600), ready[2], status;
  char byte;
  if (pipe(ready))
    return 1;
  for (int by_exit = 0; by_exit < 2; by_exit++) {
    pid_t child = fork();
    if (child == 0) {
      lock(fd, F_WRLCK);
      if (write(ready[1], "x", 1) != 1)
        _exit(1);
      usleep(5000);
      put("child is done\n");
      if (by_exit)
        _exit(0);
      lock(fd, F_UNLCK);
      _exit(0);
    }
    if (read(ready[0], &byte, 1) != 1)
      return 1;
    if (lock(fd, F_RDLCK) == 0)
      put("parent has it\n");
    lock(fd, F_UNLCK);
    waitpid(child, &status, 0);
  }
  unlink("locked");
  return 0;
}
