/* Posts a body in chunks. The size of the first chunk has eight symbolic characters; the server does not take all that
 * comes behind it at once. */
#include "../peer.h"

enum { DIGITS = 8 };

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 8080);
  const char head[] = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  write_all(fd, head, sizeof head - 1);

  char body[] = "########\r\nthis is the text of a chunk, all of its 51 characters\r\n0\r\n\r\n";
  klee_make_symbolic(body, DIGITS, "size");
  write_all(fd, body, sizeof body - 1);

  char answers[64];
  assert(last_answers(fd, answers, sizeof answers) >= 17 && memcmp(answers, "HTTP/1.1 40", 11) == 0);
  return 0;
}
