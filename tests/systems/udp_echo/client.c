/* Sends numbered datagrams to the server and expects each of them back. */
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 3;
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *server;
  assert(getaddrinfo("server", "7000", &hints, &server) == 0);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, server->ai_addr, server->ai_addrlen) == 0);
  for (int i = 0; i < count; i++) {
    char out[256], in[256];
    memset(out, i, sizeof out);
    assert(write(fd, out, sizeof out) == sizeof out);
    assert(read(fd, in, sizeof in) == sizeof in);
    assert(memcmp(in, out, sizeof out) == 0);
  }
  freeaddrinfo(server);
  return 0;
}
