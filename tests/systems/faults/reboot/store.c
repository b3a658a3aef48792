/* Keeps the last number that it was told, which it answers with; 0 only asks. With the argument "sync" it has
   the number on its disk before it answers. */
#include <fcntl.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int file = open("number", O_RDWR);
  char number = 0;
  assert(file >= 0 && read(file, &number, 1) >= 0);
  int fd = bound(SOCK_DGRAM, 7000);
  for (;;) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    char told;
    assert(recvfrom(fd, &told, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    if (told != 0) {
      number = told;
      assert(pwrite(file, &number, 1, 0) == 1);
      if (argc > 1) assert(fsync(file) == 0);
    }
    assert(sendto(fd, &number, 1, 0, (struct sockaddr *)&peer, length) == 1);
  }
}
