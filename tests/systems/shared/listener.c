/* Two processes accept from one listening socket: it was passed on to one that is older than the socket. */
#include <sys/wait.h>

#include "passing.h"

static int serve(int listener) {
  char letter = 0;
  int fd = accept(listener, NULL, NULL);
  assert(fd >= 0 && read(fd, &letter, 1) == 1);
  write_all(fd, &letter, 1);
  close(fd);
  return letter;
}

int main(void) {
  int pair[2], status;
  char go;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  pid_t older = fork();
  if (older == 0) {
    int listener = taken_over(pair[1]);
    assert(read(pair[1], &go, 1) == 1);
    _exit(serve(listener));
  }
  int listener = listening(8080);
  hand_over(pair[0], listener);
  int first = serve(listener);
  assert(write(pair[0], "!", 1) == 1);
  assert(waitpid(older, &status, 0) == older && WIFEXITED(status));
  assert(first + WEXITSTATUS(status) != 'a' + 'b'); // mark: guilty
  return 0;
}
