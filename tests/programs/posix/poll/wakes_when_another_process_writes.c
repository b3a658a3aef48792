// A blocked poll or select wakes for the pipe that a child writes to, then for its end.
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int go[2], first[2], second[2];
  char byte;
  if (pipe(go) || pipe(first) || pipe(second))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    int answers[] = {second[1], first[1], second[1]};
    for (int i = 0; i < 3; i++) {
      if (read(go[0], &byte, 1) != 1)
        _exit(1);
      byte = (char)('a' + i);
      if (write(answers[i], &byte, 1) != 1)
        _exit(2);
    }
    _exit(read(go[0], &byte, 1) == 0 ? 0 : 3);
  }
  close(first[1]);
  close(second[1]);
  struct pollfd set[2] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
  for (int i = 0; i < 3; i++) {
    if (write(go[1], "g", 1) != 1)
      return 1;
    int at, count;
    if (i < 2) {
      count = poll(set, 2, -1);
      at = set[0].revents ? 0 : 1;
    } else {
      fd_set in;
      FD_ZERO(&in);
      FD_SET(first[0], &in);
      FD_SET(second[0], &in);
      count = select(second[0] + 1, &in, NULL, NULL, NULL);
      at = FD_ISSET(first[0], &in) ? 0 : 1;
    }
    ssize_t got = read(set[at].fd, &byte, 1);
    printf("%d ready: pipe %d, %zd byte %c\n", count, at, got, byte);
  }
  close(go[1]);
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", poll(set, 2, -1));
  printf("%d %d, child %d\n", set[0].revents == POLLHUP, set[1].revents == POLLHUP, status);
  return 0;
}
