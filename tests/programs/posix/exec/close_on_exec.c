// Descriptors survive exec with their offsets, unless they are close-on-exec.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, int fd) {
  off_t at = lseek(fd, 0, SEEK_CUR);
  if (at < 0)
    printf("%s: %s\n", what, errno == EBADF ? "EBADF" : "other");
  else
    printf("%s: at %ld, cloexec %d\n", what, (long)at, fcntl(fd, F_GETFD));
}

int main(int argc, char **argv) {
  const char *names[] = {"kept", "opened so", "set later", "cleared", "duplicate", "dup3", "dupfd"};
  if (argc > 1) {
    for (int i = 0; i < 7; i++)
      say(names[i], atoi(argv[i + 1]));
    return 0;
  }
  int fds[7];
  fds[0] = open("data", O_RDWR | O_CREAT, 0600);
  if (write(fds[0], "0123456789", 10) != 10)
    return 1;
  fds[1] = open("data", O_RDONLY | O_CLOEXEC);
  fds[2] = open("data", O_RDONLY);
  fcntl(fds[2], F_SETFD, FD_CLOEXEC);
  fds[3] = open("data", O_RDONLY | O_CLOEXEC);
  fcntl(fds[3], F_SETFD, 0);
  fds[4] = dup(fds[1]);
  lseek(fds[4], 4, SEEK_SET);
  fds[5] = dup3(fds[0], 50, O_CLOEXEC);
  fds[6] = fcntl(fds[0], F_DUPFD_CLOEXEC, 40);
  for (int i = 0; i < 7; i++)
    say(names[i], fds[i]);
  printf("--\n");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char numbers[7][12], *arguments[9] = {"x"};
    for (int i = 0; i < 7; i++) {
      snprintf(numbers[i], sizeof numbers[i], "%d", fds[i]);
      arguments[i + 1] = numbers[i];
    }
    execv("/proc/self/exe", arguments);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  printf("--\n%d\n", status);
  say("in the parent", fds[1]);
  unlink("data");
  return 0;
}
