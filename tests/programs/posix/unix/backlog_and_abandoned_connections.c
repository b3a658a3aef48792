// Connections that nobody accepts: more than fit would wait, and all are broken off in the end.
#include "local.h"

int main(void) {
  int l = socket(AF_UNIX, SOCK_STREAM, 0);
  need(bind_to(l, "s") == 0 && listen(l, 0) == 0, "listen");
  int a = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), b = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  ready("nobody", l, 0);
  SHOW(connect_to(a, "s"));
  ready("one", l, 0);
  SHOW(connect_to(b, "s"));
  int s = accept(l, NULL, NULL);
  SHOW(connect_to(b, "s"));
  SHOW(write(a, "hello", 5));
  get("accepted", s, 32, 0);
  SHOW(write(b, "hello", 5));
  close(l);
  ready("abandoned", b, 0);
  get("abandoned", b, 32, 0);
  get("abandoned", b, 32, 0);
  SHOW(send(b, "x", 1, MSG_NOSIGNAL));
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "s"));
  // One that waits for room is let in.
  unlink("s");
  l = socket(AF_UNIX, SOCK_STREAM, 0);
  need(bind_to(l, "s") == 0 && listen(l, 0) == 0, "listen");
  need(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "s") == 0, "connect");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    _exit(connect_to(fd, "s") == 0 ? 0 : 1);
  }
  usleep(50000);
  OK(accept(l, NULL, NULL));
  OK(accept(l, NULL, NULL));
  int status;
  waitpid(child, &status, 0);
  NUM(WEXITSTATUS(status));
  return 0;
}
