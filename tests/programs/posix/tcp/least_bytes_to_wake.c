// SO_RCVLOWAT: neither poll nor recv is content with less.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  tcp_pair(pair);
  SHOW(set(pair[1], SOL_SOCKET, SO_RCVLOWAT, 4));
  need(send(pair[0], "ab", 2, 0) == 2, "send");
  ready("two", pair[1], 0);
  need(send(pair[0], "cd", 2, 0) == 2, "send");
  ready("four", pair[1], POLLIN);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 6; i++)
      send(pair[0], "x", 1, 0);
    _exit(0);
  }
  get("first", pair[1], 4, 0);
  get("then", pair[1], 4, 0);
  waitpid(child, NULL, 0);
  shutdown(pair[0], SHUT_WR);
  get("less at the end", pair[1], 9, 0);
  return 0;
}
