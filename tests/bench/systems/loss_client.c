/* client SERVER PACKETS: sends packets one after the other and waits a second for the echo of each. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  assert(argc == 3);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(inet_pton(AF_INET, argv[1], &server.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&server, sizeof server) == 0);
  for (char i = 0; i < atoi(argv[2]); i++) {
    char echo;
    struct pollfd answer = {.fd = fd, .events = POLLIN};
    assert(send(fd, &i, 1, 0) == 1);
    if (poll(&answer, 1, 1000) == 1) assert(recv(fd, &echo, 1, 0) == 1 && echo == i);
  }
  return 0;
}
