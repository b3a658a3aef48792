// MSG_PEEK, MSG_DONTWAIT, MSG_WAITALL, MSG_TRUNC, MSG_OOB on a stream.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  tcp_pair(pair);
  get("empty", pair[1], 9, MSG_DONTWAIT);
  get("empty peek", pair[1], 9, MSG_DONTWAIT | MSG_PEEK);
  need(send(pair[0], "abcdefgh", 8, 0) == 8, "send");
  ready("server", pair[1], POLLIN);
  get("peek", pair[1], 3, MSG_PEEK);
  get("peek", pair[1], 20, MSG_PEEK);
  get("two", pair[1], 2, 0);
  get("peek", pair[1], 20, MSG_PEEK);
  char buffer[8] = "........";
  SHOW(recv(pair[1], buffer, 3, MSG_TRUNC));
  bytes("untouched", buffer, 8);
  get("rest", pair[1], 20, 0);
  get("urgent", pair[1], 1, MSG_OOB);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; i++)
      send(pair[0], "12345", 5, 0);
    shutdown(pair[0], SHUT_WR);
    _exit(0);
  }
  get("all", pair[1], 20, MSG_WAITALL);
  get("as much as there is", pair[1], 20, MSG_WAITALL);
  get("end", pair[1], 20, MSG_WAITALL);
  waitpid(child, NULL, 0);
  SHOW(recv(pair[1], unmapped, 0, 0));
  return 0;
}
