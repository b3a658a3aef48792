/* Reads twice from a stream without waiting, or asks how much there is, and then the rest of it, byte by byte. */
#include "../sockets.h"
#include <sys/ioctl.h>

int main(int argc, char **argv) {
  assert(argc == 2);
  int asks = strcmp(argv[1], "ask") == 0;
  int fd = accept(listening(5000), NULL, NULL);
  for (int i = 0; i < 2; i++) {
    char bytes[4];
    int count = 0;
    if (asks)
      assert(ioctl(fd, FIONREAD, &count) == 0);
    else
      count = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    assert(count >= 0 || errno == EAGAIN);
  }
  for (char byte; read(fd, &byte, 1) == 1;)
    ;
  return 0;
}
