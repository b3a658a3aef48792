/* Promises to watch every directory that it is told of. */
#include <everett.h>

#include "../../../systems/sockets.h"

int main(void) {
  everett_faults(0); /* only those of the server matter */
  int listener = listening(4000);
  int fd = accept(listener, NULL, NULL);
  assert(fd >= 0);
  char name[16];
  while (read_all(fd, name, sizeof name) == sizeof name) write_all(fd, "k", 1);
  close(fd);
  return 0;
}
