/* Makes a request, and leaves behind any of its last bytes. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 8080);
  const char head[] = "GET / HTTP/1.1\r\n\r\n";
  unsigned char missing;
  klee_make_symbolic(&missing, 1, "missing");
  for (size_t i = 0; i < 6; i++)
    if (missing == i) write_all(fd, head, sizeof head - 1 - i);

  char answers[32];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
