// exec keeps pid, parent, group, working directory, umask, limits and record locks.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int locked(int fd, pid_t owner) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  fcntl(fd, F_GETLK, &lock);
  return lock.l_type == F_WRLCK && lock.l_pid == owner;
}

int main(int argc, char **argv) {
  if (argc == 4) {
    char path[4096], *last = getcwd(path, sizeof path) ? strrchr(path, '/') : NULL;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("pid %d, parent %d, leader %d\n", atoi(argv[1]) == getpid(), atoi(argv[2]) == getppid(),
           getpgrp() == getpid());
    printf("%s %03o %d\n", last ? last : "?", (unsigned)umask(0), (int)limit.rlim_cur);
    fflush(stdout);
    int fd = atoi(argv[3]);
    pid_t me = getpid(), child = fork();
    if (child == 0)
      _exit(locked(fd, me));
    int status;
    waitpid(child, &status, 0);
    printf("locked %d\n", WEXITSTATUS(status));
    return 0;
  }
  if (mkdir("below", 0700))
    return 1;
  int fd = open("locked", O_RDWR | O_CREAT, 0600), status;
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    struct rlimit limit = {30, 40};
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char numbers[3][16];
    snprintf(numbers[0], 16, "%d", (int)getpid());
    snprintf(numbers[1], 16, "%d", (int)parent);
    snprintf(numbers[2], 16, "%d", fd);
    setpgid(0, 0);
    umask(031);
    setrlimit(RLIMIT_NOFILE, &limit);
    if (chdir("below") || fcntl(fd, F_SETLK, &lock))
      _exit(1);
    execl("/proc/self/exe", "x", numbers[0], numbers[1], numbers[2], NULL);
    _exit(127);
  }
  waitpid(child, &status, 0);
  printf("%d, still locked %d\n", status, locked(fd, child));
  unlink("locked");
  rmdir("below");
  return 0;
}
