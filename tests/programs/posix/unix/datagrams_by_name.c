// Datagrams to a name, with the sender's name; connected ones take only what comes from there.
#include "local.h"

int main(void) {
  int a = server(SOCK_DGRAM, "a"), b = server(SOCK_DGRAM, "b"), c = server(SOCK_DGRAM, "c");
  int unnamed = socket(AF_UNIX, SOCK_DGRAM, 0);
  SHOW(send_to(b, "a", "from b"));
  SHOW(send_to(unnamed, "a", "from nobody"));
  SHOW(send_to(b, "a", ""));
  char buffer[32];
  Local from;
  for (int i = 0; i < 3; i++) {
    socklen_t len = sizeof from;
    ssize_t n = recvfrom(a, buffer, sizeof buffer, 0, ADDRESS(from), &len);
    printf("%zd [%.*s] ", n, (int)n, buffer);
    show_name("sender", &from, len);
  }
  SHOW(connect_to(a, "b"));
  SHOW(send(a, "to b", 4, 0));
  get("b", b, 32, 0);
  SHOW(send_to(c, "a", "x"));
  SHOW(connect_to(c, "a"));
  SHOW(send_to(b, "a", "still"));
  get("a", a, 32, 0);
  SHOW(send_to(a, "c", "elsewhere"));
  get("c", c, 32, 0);
  // The other end goes away.
  close(b);
  SHOW(send(a, "x", 1, 0));
  SHOW(send(a, "x", 1, 0));
  SHOW(send_to(a, "b", "x"));
  unlink("b");
  SHOW(send_to(a, "b", "x"));
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  SHOW(connect(a, &none, sizeof none));
  SHOW(send_to(c, "a", "again"));
  get("a", a, 32, 0);
  return 0;
}
