// A connection to 0.0.0.0 is one to this host; one that listens there hears every address of the host.
#include "../socket/net.h"

int main(void) {
  int l = socket(AF_INET, SOCK_STREAM, 0);
  Inet a = {.sin_family = AF_INET};
  SHOW(bind(l, ADDRESS(a), sizeof a));
  SHOW(listen(l, 3));
  a = name_of(l);
  IS(a.sin_addr.s_addr == 0);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  Inet b;
  socklen_t len = sizeof b;
  SHOW(getpeername(fd, ADDRESS(b), &len));
  printf("%s\n", inet_ntoa(b.sin_addr));
  a.sin_addr.s_addr = inet_addr("127.1.2.3");
  fd = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  printf("%s\n", inet_ntoa(name_of(fd).sin_addr));
  close(accept(l, NULL, NULL));
  int server = accept(l, ADDRESS(b), &len);
  printf("%s %s\n", inet_ntoa(name_of(server).sin_addr), "here");
  printf("%s\n", inet_ntoa(b.sin_addr));
  // Listening without an address takes a free port.
  int other = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(listen(other, 1));
  IS(port_of(other) != 0);
  return 0;
}
