/* receiver PACKETS: acknowledges each packet by its number, and checks that all arrived in order. */
#include <assert.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  assert(argc == 2);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  uint32_t packets = atoi(argv[1]);
  for (uint32_t i = 0; i < packets; i++) {
    unsigned char packet[256];
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    ssize_t size = recvfrom(fd, packet, sizeof packet, 0, (struct sockaddr *)&peer, &length);
    assert(size == sizeof packet);
    uint32_t number;
    memcpy(&number, packet, sizeof number);
    assert(number == i && packet[sizeof packet - 1] == (unsigned char)i);
    assert(sendto(fd, &number, sizeof number, 0, (struct sockaddr *)&peer, length) == sizeof number);
  }
  return 0;
}
