// A server at a path name, and a client process.
#include "local.h"

int main(void) {
  int l = server(SOCK_STREAM, "server.sock");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect_to(fd, "server.sock"))
      _exit(1);
    write(fd, "question", 8);
    char buffer[32];
    ssize_t n = read(fd, buffer, sizeof buffer);
    _exit(n == 6 && !memcmp(buffer, "answer", 6) ? 0 : 2);
  }
  Local a;
  socklen_t len = sizeof a;
  int fd = accept(l, ADDRESS(a), &len);
  show_name("client", &a, len);
  len = sizeof a;
  SHOW(getsockname(fd, ADDRESS(a), &len));
  show_name("accepted", &a, len);
  get("server", fd, 8, MSG_WAITALL);
  SHOW(write(fd, "answer", 6));
  int status;
  waitpid(child, &status, 0);
  NUM(WEXITSTATUS(status));
  get("end", fd, 8, 0);
  return 0;
}
