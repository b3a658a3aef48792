/* Sends every datagram back to where it came from. */
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  for (;;) {
    char packet[256];
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    ssize_t size = recvfrom(fd, packet, sizeof packet, 0, (struct sockaddr *)&peer, &length);
    assert(size >= 0);
    assert(sendto(fd, packet, size, 0, (struct sockaddr *)&peer, length) == size);
  }
}
