/* Makes two requests on one connection. A few characters of the field Connection are symbolic. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 8080);
  char head[] = "GET / HTTP/1.1\r\nConnection: ????Keep-Alive\r\n\r\n";
  klee_make_symbolic(strchr(head, '?'), 4, "words");
  write_all(fd, head, sizeof head - 1);
  const char second[] = "GET /2 HTTP/1.1\r\n\r\n";
  write_all(fd, second, sizeof second - 1);

  char answers[64];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
