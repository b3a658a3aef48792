// Connections wait in order; data that came before accept is there; accept tells who it is.
#include "../socket/net.h"

int main(void) {
  int l = listener(5), clients[3];
  fcntl(l, F_SETFL, O_NONBLOCK);
  SHOW(accept(l, NULL, NULL));
  ready("nobody", l, 0);
  for (int i = 0; i < 3; i++) {
    clients[i] = client_of(l);
    char letter = (char)('a' + i);
    send(clients[i], &letter, 1, 0);
  }
  ready("somebody", l, POLLIN);
  for (int i = 0; i < 3; i++) {
    Inet a;
    socklen_t len = sizeof a;
    int fd = accept(l, ADDRESS(a), &len);
    IS(a.sin_port == name_of(clients[i]).sin_port);
    get("first byte", fd, 9, 0);
    close(fd);
  }
  SHOW(accept(l, NULL, NULL));
  // One that is gone already is accepted all the same.
  int fd = client_of(l);
  close(fd);
  ready("gone", l, POLLIN);
  fd = accept(l, NULL, NULL);
  get("gone", fd, 9, 0);
  // Those that nobody accepts are broken off.
  fd = client_of(l);
  close(l);
  ready("abandoned", fd, POLLHUP);
  get("abandoned", fd, 9, 0);
  return 0;
}
