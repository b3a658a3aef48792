// Sockets of IPv6 and UNIX sockets in /proc/net.
#include "net.h"

typedef struct sockaddr_in6 Inet6;

static Inet6 bound6(int fd, struct in6_addr address) {
  Inet6 own = {.sin6_family = AF_INET6, .sin6_addr = address};
  socklen_t length = sizeof own;
  need(bind(fd, ADDRESS(own), sizeof own) == 0, "bind");
  need(getsockname(fd, ADDRESS(own), &length) == 0, "getsockname");
  return own;
}

static void show_unix(const char *what, int fd) {
  char line[512], path[128] = "";
  unsigned references, protocol, flags, type, state;
  if (!line_of("/proc/net/unix", fd, line, sizeof line)) {
    printf("%s: no line\n", what);
    return;
  }
  int count = sscanf(line, "%*X: %X %X %X %X %X %*u %127s", &references, &protocol, &flags, &type, &state, path);
  printf("%s: %d fields, %X %X %X %04X %02X [%s]\n", what, count, references, protocol, flags, type, state, path);
}

int main(void) {
  heading("/proc/net/tcp6");
  heading("/proc/net/udp6");
  heading("/proc/net/unix");
  int listening = socket(AF_INET6, SOCK_STREAM, 0);
  Inet6 own = bound6(listening, in6addr_any);
  need(listen(listening, 1) == 0, "listen");
  int port = ntohs(own.sin6_port);
  show_socket("listens", "/proc/net/tcp6", listening, port, 0);
  // A connection of IPv4 to a socket of IPv6 has a line in each file.
  Inet to = local(port);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  need(connect(client, ADDRESS(to), sizeof to) == 0, "connect");
  int server = accept(listening, NULL, NULL);
  show_socket("client", "/proc/net/tcp", client, port_of(client), port);
  show_socket("server", "/proc/net/tcp6", server, port, port_of(client));
  int datagrams = socket(AF_INET6, SOCK_DGRAM, 0);
  own = bound6(datagrams, in6addr_loopback);
  show_socket("datagrams", "/proc/net/udp6", datagrams, ntohs(own.sin6_port), 0);

  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "here.socket"};
  int one = socket(AF_UNIX, SOCK_STREAM, 0);
  show_unix("new", one);
  need(bind(one, ADDRESS(name), sizeof name) == 0, "bind");
  show_unix("bound", one);
  need(listen(one, 1) == 0, "listen");
  show_unix("listens", one);
  int other = socket(AF_UNIX, SOCK_STREAM, 0);
  need(connect(other, ADDRESS(name), sizeof name) == 0, "connect");
  show_unix("connected", other);
  int accepted = accept(one, NULL, NULL);
  show_unix("accepted", accepted);
  struct sockaddr_un hidden = {.sun_family = AF_UNIX, .sun_path = "\0everett-proc-net"};
  int third = socket(AF_UNIX, SOCK_DGRAM, 0);
  need(bind(third, ADDRESS(hidden), sizeof(sa_family_t) + 17) == 0, "bind");
  show_unix("without a file", third);
  unlink("here.socket");
  return 0;
}
