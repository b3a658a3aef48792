/* Sends every datagram back to where it came from. */
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(fd >= 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  for (;;) {
    char buffer[512];
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    ssize_t size = recvfrom(fd, buffer, sizeof buffer, 0, (struct sockaddr *)&peer, &length);
    assert(size >= 0);
    assert(sendto(fd, buffer, size, 0, (struct sockaddr *)&peer, length) == size);
  }
}
