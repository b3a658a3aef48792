/* Passes on a request of a client, with two options whose codes and lengths are symbolic. */
#include <klee/klee.h>

#include "../../../systems/ipv6/ipv6.h"

enum { RELAY_BYTES = 34, OPTIONS_BYTES = 4 + 12 + 4 + 12 };

int main(void) {
  socklen_t size;
  struct sockaddr_storage server = found("server", 5547, AF_INET6, &size);
  int fd = socket(AF_INET6, SOCK_DGRAM, 0);
  assert(fd >= 0);
  unsigned char message[RELAY_BYTES + OPTIONS_BYTES] = {12, 0};
  unsigned char *first = message + RELAY_BYTES, *second = first + 16;
  klee_make_symbolic(first, 4, "first");
  memset(first + 4, 1, 12);
  klee_make_symbolic(second, 4, "second");
  memset(second + 4, 1, 12);
  assert(sendto(fd, message, sizeof message, 0, (struct sockaddr *)&server, size) == sizeof message);
  close(fd);
  return 0;
}
