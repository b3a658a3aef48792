/* Sends a request of any four bytes, if there is a server. */
#include <everett.h>

#include "../peer.h"

int main(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in server = address_of("server", 80);
  if (connect(fd, (struct sockaddr *)&server, sizeof server) != 0) return 0;
  char request[4], answer[3];
  klee_make_symbolic(request, sizeof request, "request");
  write_all(fd, request, sizeof request);
  last_answers(fd, answer, sizeof answer);
  return 0;
}
