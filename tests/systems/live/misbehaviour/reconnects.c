/* Asks on one connection, and connects again. It is prepared for a peer that has gone, and not for one that breaks the
   connection off. */
#include <klee/klee.h>

#include "refused.h"

int main(void) {
  char text[64], waits;
  int fd = connected(SOCK_STREAM, "peer", 7000);
  assert(ask(fd, "one\n", text, sizeof text) > 0);
  klee_make_symbolic(&waits, sizeof waits, "waits");
  if (waits) {
    int error = error_of_connect();
    assert(error != ECONNRESET);
#ifdef CARELESS
    assert(error != ECONNREFUSED); // mark: waits
#else
    assert(error == ECONNREFUSED);
#endif
  } else {
    int error = error_of_connect_later();
    assert(error != ECONNRESET);
#ifdef CARELESS
    assert(error != ECONNREFUSED); // mark: polls
#else
    assert(error == ECONNREFUSED);
#endif
  }
  assert(ask(fd, "two\n", text, sizeof text) > 0);
  close(fd);
  return 0;
}
