// With TCP_DEFER_ACCEPT, a connection is accepted when its first bytes are there.
#include "../socket/net.h"

int main(void) {
  int listening = listener(3);
  SHOW(set(listening, IPPROTO_TCP, TCP_DEFER_ACCEPT, 30));
  need(fcntl(listening, F_SETFL, O_NONBLOCK) == 0, "fcntl");
  int client = client_of(listening);
  ready("listening", listening, 0);
  OK(accept(listening, NULL, NULL));
  SHOW(send(client, "first", 5, 0));
  ready("listening", listening, POLLIN);
  int server = accept(listening, NULL, NULL);
  need(server >= 0, "accept");
  get("server", server, 9, MSG_DONTWAIT);
  return 0;
}
