// A client and a server process; the client polls with a timeout, the server exits when told so.
#include "../socket/net.h"

int main(void) {
  int server = at_free_port(SOCK_DGRAM);
  Inet to = name_of(server);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    for (;;) {
      char buffer[32];
      Inet from;
      socklen_t len = sizeof from;
      ssize_t n = recvfrom(server, buffer, sizeof buffer, 0, ADDRESS(from), &len);
      if (n == 4 && !memcmp(buffer, "quit", 4))
        _exit(7);
      if (n > 0 && buffer[0] == 'q')
        continue;
      sendto(server, buffer, (size_t)n, 0, ADDRESS(from), len);
    }
  }
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  need(connect(fd, ADDRESS(to), sizeof to) == 0, "connect");
  struct pollfd one = {fd, POLLIN, 0};
  send(fd, "echo", 4, 0);
  SHOW(poll(&one, 1, 2000));
  get("answer", fd, 32, 0);
  send(fd, "quiet", 5, 0);
  SHOW(poll(&one, 1, 50));
  send(fd, "quit", 4, 0);
  int status;
  waitpid(child, &status, 0);
  NUM(WEXITSTATUS(status));
  return 0;
}
