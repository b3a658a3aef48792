/* Three processes receive from one socket, which they have under several numbers: one is a copy, one was inherited, and
 * one was passed on to a process that is older than the socket. */
#include <sys/wait.h>

#include "passing.h"

static char next(int fd) {
  char letter = 0;
  assert(recv(fd, &letter, 1, 0) == 1);
  return letter;
}

static int ended_with(pid_t child) {
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

int main(void) {
  int pair[2];
  char go;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  pid_t older = fork();
  if (older == 0) {
    int fd = taken_over(pair[1]);
    assert(read(pair[1], &go, 1) == 1);
    _exit(next(fd));
  }
  int fd = bound(SOCK_DGRAM, 7000);
  hand_over(pair[0], fd);
  int copy = dup(fd);
  assert(next(fd) == 'a');
  pid_t younger = fork();
  if (younger == 0) {
    close(fd);
    _exit(next(copy));
  }
  assert(ended_with(younger) == 'b');
  assert(write(pair[0], "!", 1) == 1);
  assert(ended_with(older) == 'c');
  close(fd);
  assert(next(copy) != 'd'); // mark: guilty
  return 0;
}
