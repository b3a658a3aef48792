/* Writes levels up to 5 to a file, and answers nothing. */
#include <fcntl.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7116);
  int file = open("levels", O_WRONLY | O_CREAT | O_APPEND, 0600);
  assert(file >= 0);
  for (;;) {
    unsigned char report[2];
    if (recv(fd, report, sizeof report, MSG_TRUNC) != sizeof report) continue;
    if (report[0] != 'l' || report[1] > 5) continue;
    assert(write(file, &report[1], 1) == 1); // mark: stored
  }
}
