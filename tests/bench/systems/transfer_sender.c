/* sender RECEIVER PACKETS: sends packets of 256 bytes and waits for the acknowledgement of each. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  assert(argc == 3);
  struct sockaddr_in receiver = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(inet_pton(AF_INET, argv[1], &receiver.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&receiver, sizeof receiver) == 0);
  uint32_t packets = atoi(argv[2]);
  for (uint32_t i = 0; i < packets; i++) {
    unsigned char packet[256];
    memset(packet, i, sizeof packet);
    memcpy(packet, &i, sizeof i);
    assert(send(fd, packet, sizeof packet, 0) == sizeof packet);
    uint32_t acknowledged;
    assert(recv(fd, &acknowledged, sizeof acknowledged, 0) == sizeof acknowledged);
    assert(acknowledged == i);
  }
  return 0;
}
