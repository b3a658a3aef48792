/* client SERVER PACKETS: sends packets of 256 bytes and expects each of them back. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  assert(argc == 3);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(inet_pton(AF_INET, argv[1], &server.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&server, sizeof server) == 0);
  for (int i = 0; i < atoi(argv[2]); i++) {
    char out[256], in[256];
    memset(out, i, sizeof out);
    assert(send(fd, out, sizeof out, 0) == sizeof out);
    assert(recv(fd, in, sizeof in, 0) == sizeof in);
    assert(memcmp(in, out, sizeof out) == 0);
  }
  return 0;
}
