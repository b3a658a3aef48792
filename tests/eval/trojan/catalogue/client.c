/* Adds an entry of any kind but a manuscript, with any text. */
#include <everett.h>

#include "../../../systems/sockets.h"
#include "message.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", PORT);
  struct entry entry;
  uint8_t answer;
  klee_make_symbolic(&entry, sizeof entry, "entry");
  if (entry.kind < BOOK || entry.kind > FILM) return 0;
  assert(send(fd, &entry, sizeof entry, 0) == sizeof entry);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
