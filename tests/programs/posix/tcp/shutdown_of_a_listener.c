// A socket that is shut for reading no longer listens; it can listen again.
#include "../socket/net.h"

int main(void) {
  // A port that the program has chosen stays its own.
  Inet a = nobody(SOCK_STREAM);
  int l = socket(AF_INET, SOCK_STREAM, 0);
  need(bind(l, ADDRESS(a), sizeof a) == 0 && listen(l, 1) == 0, "listen");
  SHOW(shutdown(l, SHUT_WR));
  ready("still", l, 0);
  int fd = client_of(l);
  SHOW(shutdown(l, SHUT_RD));
  SHOW(accept(l, NULL, NULL));
  ready("shut", l, 0);
  ready("its client", fd, POLLHUP);
  int other = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(connect(other, ADDRESS(a), sizeof a));
  SHOW(listen(l, 1));
  SHOW(connect(other, ADDRESS(a), sizeof a));
  OK(accept(l, NULL, NULL));
  return 0;
}
