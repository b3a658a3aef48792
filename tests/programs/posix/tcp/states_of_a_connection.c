// TCP_INFO tells the state of a connection from its beginning to its end.
#include "../socket/net.h"

static int state(int fd) {
  struct tcp_info info = {0};
  socklen_t len = sizeof info;
  return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) ? -errno : info.tcpi_state;
}

int main(void) {
  int idle = socket(AF_INET, SOCK_STREAM, 0);
  IS(state(idle) == TCP_CLOSE);
  int listening = listener(3);
  IS(state(listening) == TCP_LISTEN);
  int client = client_of(listening), server = accept(listening, NULL, NULL);
  IS(state(client) == TCP_ESTABLISHED);
  IS(state(server) == TCP_ESTABLISHED);
  SHOW(shutdown(client, SHUT_WR));
  ready("server", server, POLLRDHUP);
  // The other side may take its time to confirm.
  IS(state(client) == TCP_FIN_WAIT1 || state(client) == TCP_FIN_WAIT2);
  IS(state(server) == TCP_CLOSE_WAIT);
  SHOW(shutdown(server, SHUT_WR));
  ready("client", client, POLLHUP);
  IS(state(client) == TCP_CLOSE);
  IS(state(server) == TCP_CLOSE);
  SHOW(set(client, IPPROTO_TCP, TCP_WINDOW_CLAMP, 0));
  SHOW(set(listening, IPPROTO_TCP, TCP_WINDOW_CLAMP, 0));
  return 0;
}
