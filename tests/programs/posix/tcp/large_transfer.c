// Many more bytes than buffers hold: the writer waits for the reader, nothing is lost or reordered.
#include "../socket/net.h"

enum { TOTAL = 1 << 20 };
static unsigned char data[TOTAL];

int main(void) {
  int pair[2];
  tcp_pair(pair);
  for (int i = 0; i < TOTAL; i += 64)
    memcpy(data + i, &i, sizeof i);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(pair[0]);
    static unsigned char got[TOTAL];
    size_t all = 0;
    for (ssize_t n; (n = read(pair[1], got + all, TOTAL - all < 50000 ? TOTAL - all : 50000)) > 0;)
      all += (size_t)n;
    _exit(all == TOTAL && !memcmp(got, data, TOTAL) ? 0 : 1);
  }
  close(pair[1]);
  SHOW(write(pair[0], data, TOTAL));
  close(pair[0]);
  int status;
  waitpid(child, &status, 0);
  NUM(WEXITSTATUS(status));
  return 0;
}
