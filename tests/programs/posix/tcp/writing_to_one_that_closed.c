// The other side has closed: reading ends, the first write goes out, and its answer breaks the connection.
#include "../socket/net.h"

static volatile sig_atomic_t caught;
static void handler(int number) { caught += number == SIGPIPE; }

int main(void) {
  signal(SIGPIPE, handler);
  int pair[2];
  tcp_pair(pair);
  close(pair[1]);
  ready("client", pair[0], POLLRDHUP);
  get("client", pair[0], 9, 0);
  SHOW(send(pair[0], "x", 1, 0));
  ready("client", pair[0], POLLHUP);
  SHOW(send(pair[0], "x", 1, 0));
  NUM(caught);
  get("client", pair[0], 9, 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGPIPE, SIG_DFL);
    send(pair[0], "x", 1, 0);
    _exit(1);
  }
  int status;
  waitpid(child, &status, 0);
  IS(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
  return 0;
}
