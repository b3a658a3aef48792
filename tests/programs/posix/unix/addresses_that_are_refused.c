// Addresses that are too short, too long, or of another family; calls on sockets of the wrong type.
#include "local.h"

int main(void) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), d = socket(AF_UNIX, SOCK_DGRAM, 0);
  socklen_t len;
  Local a = path("x", &len);
  SHOW(bind(fd, ADDRESS(a), 1));
  struct {
    Local address;
    char more[16];
  } longer = {a, ""};
  SHOW(bind(fd, ADDRESS(longer), sizeof a + 1));
  SHOW(connect(fd, ADDRESS(a), 2));
  SHOW(connect(fd, ADDRESS(longer), sizeof a + 1));
  a.sun_family = AF_INET;
  SHOW(bind(fd, ADDRESS(a), len));
  SHOW(connect(fd, ADDRESS(a), len));
  SHOW(connect(d, ADDRESS(a), len));
  SHOW(sendto(d, "x", 1, 0, ADDRESS(a), len));
  SHOW(listen(fd, 1));
  SHOW(listen(d, 1));
  SHOW(accept(fd, NULL, NULL));
  SHOW(accept(d, NULL, NULL));
  char byte;
  SHOW(recv(fd, &byte, 1, 0));
  SHOW(recv(socket(AF_UNIX, SOCK_SEQPACKET, 0), &byte, 1, 0));
  SHOW(send(fd, "x", 1, 0));
  SHOW(send(d, "x", 1, 0));
  SHOW(send(socket(AF_UNIX, SOCK_SEQPACKET, 0), "x", 1, 0));
  SHOW(send_to(fd, "nowhere", "x"));
  SHOW(send_to(d, "nowhere", "x"));
  SHOW(connect_to(fd, "nowhere"));
  int s = server(SOCK_STREAM, "stream"), g = server(SOCK_DGRAM, "datagrams");
  SHOW(connect_to(d, "stream"));
  SHOW(send_to(d, "stream", "x"));
  SHOW(connect_to(fd, "datagrams"));
  SHOW(connect_to(socket(AF_UNIX, SOCK_SEQPACKET, 0), "stream"));
  SHOW(connect_to(s, "stream"));
  SHOW(connect_to(fd, "stream"));
  SHOW(send_to(fd, "stream", "x"));
  SHOW(getpeername(g, ADDRESS(a), &len));
  return 0;
}
