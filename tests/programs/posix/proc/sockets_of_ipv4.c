// Sockets of IPv4 in /proc/net: what listens, connections with bytes that nobody has read, and datagrams.
#include "net.h"

int main(void) {
  heading("/proc/net/tcp");
  heading("/proc/net/udp");
  const char *tcp = "/proc/net/tcp", *udp = "/proc/self/net/udp";
  int idle = socket(AF_INET, SOCK_STREAM, 0);
  show_socket("idle", tcp, idle, 0, 0);
  int listening = listener(3), port = port_of(listening);
  show_socket("listens", tcp, listening, port, 0);
  int client = client_of(listening), client_port = port_of(client);
  char line[512];
  need(line_of(tcp, listening, line, sizeof line), "a line");
  IS(strstr(line, "00000000:00000001") != NULL);
  int server = accept(listening, NULL, NULL);
  show_socket("client", tcp, client, client_port, port);
  show_socket("server", tcp, server, port, client_port);
  SHOW(write(client, "hello", 5));
  show_socket("server with bytes", tcp, server, port, client_port);
  need(line_of(tcp, server, line, sizeof line), "a line");
  IS(strstr(line, "00000000:00000005") != NULL);
  SHOW(read(server, line, 5));
  SHOW(shutdown(client, SHUT_WR));
  show_socket("server at the end of its stream", tcp, server, port, client_port);
  close(server);
  close(client);
  // The side that closed first keeps its line, without a file.
  char ports[64];
  snprintf(ports, sizeof ports, "0100007F:%04X", (unsigned)client_port);
  IS(line_with(tcp, ports, line, sizeof line) && strstr(line, " 06 00000000:00000000 03:") != NULL);

  int open = socket(AF_INET, SOCK_DGRAM, 0);
  show_socket("not bound", udp, open, 0, 0);
  int here = at_free_port(SOCK_DGRAM), there = at_free_port(SOCK_DGRAM);
  Inet to = name_of(here);
  show_socket("bound", udp, here, port_of(here), 0);
  need(connect(there, ADDRESS(to), sizeof to) == 0, "connect");
  show_socket("connected", udp, there, port_of(there), port_of(here));
  SHOW(send(there, "x", 1, 0));
  show_socket("with a datagram", udp, here, port_of(here), 0);
  SHOW(recv(here, line, 1, 0));
  show_socket("without it", udp, here, port_of(here), 0);
  return 0;
}
