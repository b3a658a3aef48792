// A connection is open until every process has closed it.
#include "../socket/net.h"

int main(void) {
  int pair[2], sync[2];
  tcp_pair(pair);
  need(pipe(sync) == 0, "pipe");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    close(pair[1]);
    read(sync[0], &byte, 1);
    send(pair[0], "from the child", 14, 0);
    _exit(0);
  }
  close(pair[0]);
  get("not ended", pair[1], 64, MSG_DONTWAIT);
  write(sync[1], "x", 1);
  get("child", pair[1], 64, 0);
  waitpid(child, NULL, 0);
  get("ended", pair[1], 64, 0);
  return 0;
}
